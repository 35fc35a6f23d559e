"""Any batch, in any layout, on any number of threads: the bits of one state at a time.

The second path is always the call with one state: the builtin for float64, which runs scalar code,
and a batch of one for float32.
"""

import platform
import sys
import sysconfig
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import momentarm as ma
from compiler import material
from momentarm.backends import numpy as numpy_backend
from momentarm.graph import Program
from momentarm.kernels import batch, engine, pipeline

WIDEST = 16  # lanes of float32 on the widest machine
KINDS = ("double", "float")


@pytest.fixture(scope="module")
def arm():
    """Two turning joints and a sliding one, with friction, so that every kind of step occurs."""
    return ma.robots.scara()


@pytest.fixture(scope="module")
def kernel(arm):
    return arm.kernel("inverse_dynamics")


def states(arm, count, kind="double", seed=7):
    """Joint states among which a few are far, infinite or NaN."""
    rng = np.random.default_rng(seed)
    q, qd, qdd = rng.standard_normal((3, count, arm.n))
    if count > 8:
        q[3::101, 0], q[5::97, 1], qd[6::89, 0] = 1e6, np.nan, np.inf
    return [a.astype(material.DTYPES[kind]) for a in (q, qd, qdd)]


def one_by_one(arm, kernel, args):
    """The second path, state by state."""
    if args[0].dtype == np.float64:
        assert kernel.takes_as_one_state([a[0] for a in args])
        call = arm.inverse_dynamics
    else:
        call = kernel
    return np.array([call(*(a[k].copy() for a in args)) for k in range(len(args[0]))])


@pytest.mark.parametrize("kind", KINDS)
def test_every_batch_size(arm, kernel, kind):
    """A batch of every size up to two vectors and one has the bits of its states one by one."""
    args = states(arm, 2 * WIDEST + 1, kind)
    expected = one_by_one(arm, kernel, args)
    for count in range(1, 2 * WIDEST + 2):
        found = kernel(*(a[:count] for a in args))
        material.assert_same_bits(found, expected[:count], f"batch of {count}")


def strided(a):
    wide = np.full((3 * len(a), 2 * a.shape[1]), np.nan, a.dtype)
    wide[::3, 1::2] = a
    return wide[::3, 1::2]


def read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


def unaligned(a):
    raw = np.zeros(a.nbytes + 1, np.uint8)
    view = raw[1:].view(a.dtype).reshape(a.shape)
    view[...] = a
    assert not view.flags.aligned
    return view


LAYOUTS = {
    "strided": strided,
    "rows backwards": lambda a: a[::-1].copy()[::-1],
    "columns backwards": lambda a: a[:, ::-1].copy()[:, ::-1],
    "Fortran order": np.asfortranarray,
    "transposed": lambda a: a.T.copy().T,
    "read-only": read_only,
    "unaligned": unaligned,
    "other byte order": lambda a: a.astype(a.dtype.newbyteorder()),
    "two batch axes": lambda a: a.reshape(11, 3, -1),
    "batch axes swapped": lambda a: a.reshape(3, 11, -1).transpose(1, 0, 2),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout(arm, kernel, layout, kind):
    """However the arrays lie in memory, the bits are those of the states one by one."""
    args = states(arm, 33, kind)
    laid = [LAYOUTS[layout](a) for a in args]
    plain = [np.array(a, a.dtype.newbyteorder("=")).reshape(33, arm.n) for a in laid]
    found = kernel(*laid)
    assert found.shape == laid[0].shape
    material.assert_same_bits(found.reshape(33, -1), one_by_one(arm, kernel, plain), layout)


@pytest.mark.parametrize("kind", KINDS)
def test_broadcasting(arm, kernel, kind):
    """Leading axes broadcast: the bits are those of the arrays that NumPy writes out in full."""
    q, qd, qdd = states(arm, 15, kind)
    args = q.reshape(3, 5, -1), qd[:5], qdd[0]
    full = [np.broadcast_to(a, (3, 5, arm.n)).reshape(15, arm.n) for a in args]
    expected = one_by_one(arm, kernel, full).reshape(3, 5, arm.n)
    material.assert_same_bits(kernel(*args), expected)
    material.assert_same_bits(kernel(args[0], *map(read_only, args[1:])), expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(0,), (4, 0), (0, 7)], ids=str)
def test_no_states(arm, kernel, shape, kind):
    """A batch without states gives an empty result of the shape that broadcasting foretells."""
    empty = np.zeros((*shape, arm.n), material.DTYPES[kind])
    one = np.zeros(arm.n, material.DTYPES[kind])
    found = kernel(empty, one, one)
    assert (found.shape, found.dtype) == (empty.shape, empty.dtype)


OUTS = {
    "contiguous": lambda a: np.zeros_like(a),
    "strided": lambda a: np.zeros((len(a), 2 * a.shape[1]), a.dtype)[:, ::2],
    "backwards": lambda a: np.zeros_like(a)[::-1],
    "Fortran order": lambda a: np.zeros_like(a, order="F"),
    "unaligned": lambda a: unaligned(np.zeros_like(a)),
    "other byte order": lambda a: np.zeros(a.shape, a.dtype.newbyteorder()),
}


@pytest.mark.parametrize("count", [1, 33])
@pytest.mark.parametrize("out", OUTS)
def test_results_go_where_they_are_told(arm, kernel, out, count):
    """`out` of any layout is what is returned, and holds the bits of the call without it."""
    args = states(arm, count)
    expected = one_by_one(arm, kernel, args)
    place = OUTS[out](expected)
    assert kernel(*args, out=place) is place
    material.assert_same_bits(place.astype(float), expected)


@pytest.mark.parametrize("which", range(3))
def test_results_may_overwrite_an_argument(arm, kernel, which):
    """With an argument itself as `out` the result is that of a call with copies."""
    args = states(arm, 33)
    expected = one_by_one(arm, kernel, args)
    kernel(*args, out=args[which])
    material.assert_same_bits(args[which], expected)


def test_precision_follows_the_arguments(arm, kernel):
    """One float64 among float32 arguments computes in float64, as the call on float64 does."""
    single = states(arm, 5, "float")
    expected = one_by_one(arm, kernel, [a.astype(float) for a in single])
    material.assert_same_bits(kernel(single[0].astype(float), *single[1:]), expected)
    material.assert_same_bits(kernel(*single, dtype=np.float64), expected)
    assert kernel(*single).dtype == np.float32
    narrow = kernel(*(a.astype(float) for a in single), dtype=np.float32)
    material.assert_same_bits(narrow, kernel(*single))


def test_lists_and_whole_numbers(arm, kernel):
    """Lists and integer arrays give the bits of the same numbers as float64 arrays."""
    args = [[1, 0, -2, 3], [0, 1, 2, -1], [2, 2, 1, 0]]
    expected = arm.inverse_dynamics(*(np.array(a, float) for a in args))
    material.assert_same_bits(arm.inverse_dynamics(*args), expected)
    material.assert_same_bits(kernel(*map(np.array, args)), expected)


@pytest.mark.parametrize("threads", [1, 2, 3, None])
@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_threads(arm, kernel, threads, kind, monkeypatch):
    """A batch cut for any number of threads, as large ones are, has the bits of single states."""
    monkeypatch.setattr(batch, "WORTH_THREADS", 0)
    args = states(arm, 500, kind)
    expected = one_by_one(arm, kernel, args)
    material.assert_same_bits(kernel(*args, threads=threads), expected)
    place = np.zeros_like(expected, order="F")
    material.assert_same_bits(kernel(*map(strided, args), threads=threads, out=place), expected)
    two_axes = kernel(args[0].reshape(5, 100, -1), args[1][:100], args[2][:1], threads=threads)
    alone = kernel(args[0][:100], args[1][:100], args[2][0], threads=1)
    material.assert_same_bits(two_axes[0], alone)


def test_threads_of_the_caller(arm, kernel):
    """Eight Python threads on one kernel each get the bits that one thread alone gets."""
    work = [states(arm, 50 + k, seed=k) for k in range(8)]
    expected = [one_by_one(arm, kernel, args) for args in work]

    def repeatedly(k):
        batches = [kernel(*work[k]) for _ in range(40)]
        return [*batches, one_by_one(arm, kernel, work[k])]

    with ThreadPoolExecutor(8) as pool:
        for k, results in enumerate(pool.map(repeatedly, range(8))):
            for found in results:
                material.assert_same_bits(found, expected[k], f"thread {k}")


def test_first_call_from_many_threads():
    """Eight threads that make the same kernel at once agree with a kernel made in peace."""
    args = states(ma.robots.scara(), 20)
    fresh = ma.robots.scara()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: fresh.inverse_dynamics(*args), range(8)))
    for result in found:
        material.assert_same_bits(result, ma.robots.scara().inverse_dynamics(*args))


@pytest.mark.parametrize("name", ["mass_matrix", "forward_kinematics"])
def test_matrices(name):
    """Quantities with two core axes have the bits of one state in batches and Fortran `out`."""
    arm = ma.robots.scara()
    q = states(arm, 19)[0]
    expected = np.array([getattr(arm, name)(row.copy()) for row in q])
    material.assert_same_bits(getattr(arm, name)(q), expected)
    place = np.zeros_like(expected, order="F")
    assert getattr(arm, name)(strided(q), out=place) is place
    material.assert_same_bits(place, expected)


@pytest.mark.parametrize("kind", KINDS)
def test_arguments_that_are_numbers(kind):
    """A program whose arrays are all single numbers runs in lanes with the bits of scalar code."""
    program = Program.trace(lambda x, y: (x.sin() * y, x / y), {"x": (), "y": ()})
    x, y = np.random.default_rng(8).standard_normal((2, 35)).astype(material.DTYPES[kind])
    width = engine.host().vector_bits // (64 if kind == "double" else 32)
    found = material.llvm_vector(program, kind, width)(x, y)
    for a, b in zip(found, material.llvm_scalar(program, kind)(x, y), strict=True):
        material.assert_same_bits(a, b)


def test_compiled_ahead_nothing_is_left_to_compile(monkeypatch):
    """After `compile`, the first call with one state and with a batch make no machine code."""
    arm = ma.robots.panda()
    arm.compile("gravity_forces")

    def refused(*args):
        raise AssertionError("machine code is made")

    monkeypatch.setattr(engine, "Engine", refused)
    one, batch = arm.gravity_forces(arm.q_home), arm.gravity_forces(np.tile(arm.q_home, (3, 1)))
    material.assert_same_bits(np.tile(one, (3, 1)), batch)


def test_long_functions_are_refused(monkeypatch):
    """A function of one's own that unrolls beyond the limit is refused by its name."""
    monkeypatch.setattr(pipeline, "MOST_OPERATIONS", 100)

    def power(arm, q):
        x = q[0]
        for _ in range(200):
            x = x * q[1] + 1
        return x

    with pytest.raises(pipeline.TooLarge, match="power has more than 100 operations"):
        ma.kernel(power, ma.robots.planar_2r())


@pytest.mark.parametrize("rank", range(6))
def test_arguments_of_any_rank(rank):
    """Arrays with any number of core axes, in any order in memory, are doubled as NumPy does it."""
    shape = (2,) * rank
    twice = ma.kernel(lambda arm, x: x + x, ma.robots.planar_2r(), x=shape)
    x = np.random.default_rng(10).standard_normal((35, *shape))
    for laid in (x, np.asfortranarray(x), x[::-1]):
        material.assert_same_bits(twice(laid), 2 * laid)


def test_a_result_without_arguments_in_it():
    """Constant and repeated results are written for every state, as scalar code writes them."""
    program = Program.trace(lambda x: ([3.0, x[0], x[0]], 2.5), {"x": (2,)})
    x = np.random.default_rng(9).standard_normal((21, 2))
    found = material.llvm_vector(program, "double", 4)(x)
    for a, b in zip(found, material.llvm_scalar(program, "double")(x), strict=True):
        material.assert_same_bits(a, b)


class TestWithoutLLVM:
    """The NumPy backend, where llvmlite has no wheel."""

    @pytest.fixture
    def plain(self, monkeypatch):
        monkeypatch.setattr(engine, "available", lambda: False)
        return ma.robots.scara()

    @pytest.mark.parametrize("kind", KINDS)
    def test_same_results_but_for_rounding(self, arm, plain, kind):
        """Without LLVM the results are those of machine code up to rounding, NaN included."""
        args = states(arm, 33, kind)
        found, expected = plain.inverse_dynamics(*args), arm.inverse_dynamics(*args)
        assert found.dtype == expected.dtype
        size = np.abs(expected[np.isfinite(expected)]).max()
        few = 100 * np.finfo(found.dtype).eps * size
        np.testing.assert_allclose(found, expected, rtol=0, atol=few, equal_nan=True)

    def test_one_state(self, arm, plain):
        """Without LLVM one state gives the bits of its row in a batch."""
        args = states(arm, 5)
        together = plain.inverse_dynamics(*args)
        for k in range(5):
            material.assert_same_bits(plain.inverse_dynamics(*(a[k] for a in args)), together[k])

    def test_shapes_and_places(self, kernel, arm):
        """The fallback broadcasts, fills `out` and takes empty batches as the gufunc does."""
        fallback = numpy_backend.function(kernel.program)
        q, qd, qdd = states(arm, 5)
        place = np.zeros((5, 5, arm.n), order="F")
        assert fallback(q[:, None], qd, qdd[0], out=(place,)) is place
        np.testing.assert_allclose(place, kernel(q[:, None], qd, qdd[0]), atol=1e-11)
        assert fallback(q[:0], qd[0], qdd[0]).shape == (0, arm.n)
        for wrong in (q[:, :2], q[0, 0]):
            with pytest.raises(ValueError, match=r"q: expected shape \('\.\.\.', "):
                fallback(wrong, qd, qdd)

    def test_a_precision_that_is_asked_for(self, kernel, arm):
        """`dtype` decides over float32 arguments, which otherwise compute in float32."""
        args, fallback = states(arm, 5, "float"), numpy_backend.function(kernel.program)
        wide = numpy_backend.function(kernel.program, np.float64)(*args)
        material.assert_same_bits(wide, fallback(*(a.astype(float) for a in args)))
        assert fallback(*args).dtype == np.float32


@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64"
    or sys.implementation.name != "cpython" or bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    reason="compiled calls are for CPython with the GIL on Linux",
)  # fmt: skip
def test_one_state_takes_the_compiled_call_here():
    """On CPython under Linux a quantity, once called with one state, is a builtin function."""
    arm = ma.robots.planar_2r()
    arm.gravity_forces(np.zeros(2))
    assert isinstance(arm.gravity_forces, types.BuiltinFunctionType)
