"""Kernels of derivatives as a user meets them: names, shapes, orders, copies, C, and errors."""

import pickle

import numpy as np
import pytest

import momentarm as ma
from compiler import material
from momentarm.model import coordinates
from trees import MATRIX, in_floats

RNG = np.random.default_rng(2)


@pytest.fixture(scope="module")
def arm():
    return ma.robots.ur5()


def reach(arm, q, goal, gain=()):
    """Half of a gain times the squared distance of the tip from a goal."""
    miss = arm.forward_kinematics(q)[:3, 3] - goal
    return gain * (miss @ miss) / 2


def test_results_have_the_axes_of_the_argument_after_their_own(arm):
    """Names and shapes of first, second and mixed derivatives are those of result and argument."""
    kernel = arm.kernel("mass_matrix", "gravity_forces")
    n = arm.n
    assert kernel.derivative("q").recipe.outputs == {
        "mass_matrix_D_q": (n, n, n), "gravity_forces_D_q": (n, n)}  # fmt: skip
    energy = arm.kernel("kinetic_energy")
    assert energy.derivative("q", "qd").recipe.outputs == {"T_D_q_D_qd": (n, n)}
    both = energy.derivative(("q", "qd"), values=True).recipe.outputs
    assert both == {"T": (), "T_D_q": (n,), "T_D_qd": (n,)}
    second = energy.derivative("q", "qd", values=True).recipe.outputs
    assert list(second) == ["T", "T_D_q", "T_D_q_D_qd"]
    along = energy.along("q", "qd", values=True).recipe
    assert list(along.inputs) == ["q", "qd", "d_q", "d_qd"]
    assert list(along.outputs) == ["T", "d_T"]
    assert list(kernel.weighted().recipe.inputs) == ["q", "w_mass_matrix", "w_gravity_forces"]


def test_own_functions_have_gradients(arm):
    """The gradient of a squared distance by q is Jᵀ times it, by the goal its negative, by the
    gain its half square: worked by hand from poses and the world's Jacobian."""
    kernel = ma.kernel(reach, arm, goal=3, gain=())
    q, goal = RNG.uniform(-1, 1, 6), np.array([0.3, 0.2, 0.4])
    miss = arm.forward_kinematics(q)[:3, 3] - goal
    J = arm.jacobian(q, reference="world")[3:]
    by_q, by_goal, by_gain = kernel.derivative(("q", "goal", "gain"))(q, goal, 2.0)
    assert np.allclose(by_q, 2 * J.T @ miss, rtol=1e-12)
    assert np.allclose(by_goal, -2 * miss, rtol=1e-12)
    assert np.allclose(by_gain, miss @ miss / 2, rtol=1e-12)


def test_derivatives_of_derivatives_are_those_of_higher_order(arm):
    """Asked for one after the other or at once, second derivatives are equal to rounding."""
    kernel = arm.kernel("kinetic_energy")
    q, qd = RNG.uniform(-1, 1, (2, 20, 6))
    once, twice = kernel.derivative("q", "qd"), kernel.derivative("q").derivative("qd")
    assert np.allclose(once(q, qd), twice(q, qd), rtol=1e-12, atol=1e-12)


CHOICES = {
    "a root that is not chosen": (lambda x: ma.where(x > 0, np.sqrt(ma.maximum(x, 0)), -x), -1),
    "a quotient that is not chosen": (lambda x: ma.where(x.equals(0), 3 * x, x / x), 3),
    "clipped": (lambda x: ma.clip(x, 1, 2), 0),
    "absolute": (lambda x: abs(x - 1), -1),
}


@pytest.mark.parametrize("name", CHOICES)
def test_what_is_not_chosen_does_no_harm(arm, name):
    """The slope at zero is that of the branch taken there, worked by hand, though the other one's
    is not finite."""
    f, slope = CHOICES[name]
    kernel = ma.kernel(lambda arm, x: f(x), arm, x=())
    assert kernel.derivative("x")(0.0) == slope


def test_angles_of_directions_have_their_slopes(arm):
    """∂ arctan2(y, x) is (x, −y)/(x² + y²), to 1e-14 of its length, in all quadrants."""
    kernel = ma.kernel(lambda arm, y, x: np.arctan2(y, x), arm, y=(), x=()).derivative(("y", "x"))
    y, x = RNG.normal(size=(2, 1000))
    square = x * x + y * y
    for found, slope in zip(kernel(y, x), (x / square, -y / square), strict=True):
        assert (np.abs(found - slope) * np.sqrt(square)).max() < 1e-14


def test_a_step_at_rest_has_finite_slopes():
    """Where a tree with quaternions rests, q moves with rates times time as its joints say: the
    slopes of a step by the rates are the table of tangents, times the time."""
    arm = ma.Robot(in_floats(MATRIX["freed_tree_1"]))
    q = arm.random_q(3)
    slope = arm.kernel("integrate").derivative("qd")(q, np.zeros(arm.n), 0.5)
    expected = np.zeros((arm.nq, arm.n))
    for k, column in enumerate(coordinates.tangents(arm.mechanism, [*q])):
        expected[[*column], k] = [*column.values()]
    assert np.allclose(slope, 0.5 * expected, rtol=1e-12, atol=1e-12)


def test_copies_and_files_keep_the_bits(arm):
    """An unpickled kernel of second derivatives, one from the disk cache, a batch and one state
    give the same bits."""
    ask = lambda robot: robot.kernel("inverse_dynamics").derivative("q", ("q", "qd"))
    states = RNG.uniform(-1, 1, (3, 37, 6))
    first = ask(arm)(*states)
    for kernel in (pickle.loads(pickle.dumps(ask(arm))), ask(ma.robots.ur5())):
        for a, b in zip(kernel(*states), first, strict=True):
            material.assert_same_bits(a, b)
    for k in (0, 36):
        for a, b in zip(ask(arm)(*states[:, k]), first, strict=True):
            material.assert_same_bits(a, b[k])


@pytest.mark.parametrize("made", [
    lambda k: k.derivative("q", "q"), lambda k: k.along("q"), lambda k: k.weighted(),
    lambda k: k.weighted().derivative("q").along("q")])  # fmt: skip
def test_every_kind_travels(arm, made):
    """An unpickled pickle of each kind of kernel gives the bits of the original."""
    kernel = made(arm.kernel("gravity_forces"))
    args = [RNG.uniform(-1, 1, shape) for shape in kernel.recipe.inputs.values()]
    again = pickle.loads(pickle.dumps(kernel))
    for a, b in zip(np.atleast_1d(again(*args)), np.atleast_1d(kernel(*args)), strict=True):
        assert np.array_equal(a, b)


def test_own_functions_do_not_travel(arm):
    """A derivative of a user's function refuses to be pickled, as the function's kernel does."""
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(ma.kernel(reach, arm, goal=3, gain=()).derivative("q"))


def test_a_kernel_is_made_once(arm):
    """Asked again for the same derivative, in a list or a tuple, a kernel gives the same object."""
    kernel = arm.kernel("kinetic_energy")
    assert kernel.derivative(("q", "qd")) is kernel.derivative(["q", "qd"])
    assert kernel.derivative("q") is not kernel.derivative("q", values=True)


def test_keys_tell_kernels_apart(arm):
    """No two of many kernels made of one have the same key in the cache."""
    k = arm.kernel("kinetic_energy")
    made = [
        k, k.derivative("q"), k.derivative("qd"), k.derivative(("q", "qd")),
        k.derivative(("qd", "q")), k.derivative("q", "qd"), k.derivative("q", values=True),
        k.derivative("q", "q", values=True), k.along("q"), k.along("q", values=True),
        k.along("qd"), k.weighted(), k.weighted().derivative("q"), k.derivative("q").along("q"),
    ]  # fmt: skip
    assert len({kernel.recipe.key for kernel in made}) == len(made)


WRIST = """format = "momentarm robot 1"
name = "wrist"
base = "world"
tip = "b"
link = [{name = "world"}, {name = "a"}, {name = "b"}]
[[joint]]
name = "first"
type = "%s"
parent = "world"
child = "a"
[[joint]]
name = "second"
type = "%s"
parent = "a"
child = "b"
"""


def test_the_same_function_moves_with_each_robots_quaternions(tmp_path):
    """Of two robots of as many coordinates, a quaternion before a turn and after it, the same
    function of q has the gradients of differences along each robot's own rates."""

    def f(arm, q):
        return q @ q + 3 * q[0] + 5 * q[4]

    q, h = np.array([0.1, 0.2, 0.3, 0.4, 0.5]), 1e-6
    for kinds in (("spherical", "revolute"), ("revolute", "spherical")):
        path = tmp_path / "wrist.toml"
        path.write_text(WRIST % kinds)
        arm = ma.load(path)
        own = ma.kernel(f, arm)
        ahead, behind = (own(arm.integrate(q, h * s * np.eye(4), 1.0)) for s in (1, -1))
        expected = (ahead - behind) / (2 * h)
        assert np.allclose(own.derivative("q")(q), expected, atol=1e-8)
        assert np.allclose(own.along("q")(q, np.ones(4)), expected.sum(), atol=1e-8)


@pytest.mark.skipif(not material.shutil.which("cc"), reason="no C compiler")
def test_exported_c_has_the_bits(arm, tmp_path):
    """The C text of a kernel of derivatives, compiled strictly, gives the bits of the kernel."""
    kernel = arm.kernel("forward_dynamics").derivative(("q", "qd"))
    args = RNG.uniform(-1, 1, (3, 5, 6))
    for a, b in zip(material.exported(kernel.program, "double", tmp_path)(*args), kernel(*args),
                    strict=True):  # fmt: skip
        material.assert_same_bits(a, b)


def test_single_precision(arm):
    """In float32 the derivatives of forward dynamics are float32 and agree to 1e-3 of the largest
    with those in float64."""
    state = RNG.uniform(-1, 1, (3, 50, 6))
    for a, b in zip(arm.forward_dynamics_derivatives(*state, dtype=np.float32),
                    arm.forward_dynamics_derivatives(*state), strict=True):  # fmt: skip
        assert a.dtype == np.float32
        assert np.abs(a - b).max() < 1e-3 * np.abs(b).max()


def test_routes_are_chosen_by_count(arm):
    """A number is derived by many arguments in reverse, a vector by one number forward, and the
    dynamics by their own recursion where it is the shortest."""
    assert arm.kernel("kinetic_energy").derivative("q").route == "reverse"
    assert arm.kernel("integrate").derivative("dt").route == "forward"
    assert "composite" in ma.robots.panda().kernel("forward_dynamics").derivative("q").route


MISTAKES = {
    "nothing": (lambda k: k.derivative(), TypeError,
                r"derivative: expected names of arguments, each once, got \(\); "
                r"gravity_forces has q"),
    "unknown": (lambda k: k.derivative("qd"), ValueError, "derivative: no argument 'qd'"),
    "unknown along": (lambda k: k.along("x"), ValueError, "along: no argument 'x'"),
    "a number": (lambda k: k.derivative(3), ValueError, "derivative: no argument 3; there are q"),
    "twice": (lambda k: k.derivative(("q", "q")), TypeError, "each once"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(arm, name):
    """What is asked wrongly is refused with the arguments that there are."""
    ask, kind, text = MISTAKES[name]
    with pytest.raises(kind, match=text):
        ask(arm.kernel("gravity_forces"))


def test_own_functions_may_use_derivatives(arm):
    """A function that pushes back along the slope of an energy, by a kernel's derivative, gives
    what gravity and M give in NumPy, and its own derivative by q̇ is M's."""

    def push(arm, q, qd):
        slope = arm.kernel("potential_energy").derivative("q")(q)
        momentum = arm.kernel("kinetic_energy").derivative("qd")(q=q, qd=qd)
        return slope - 3 * momentum

    kernel = ma.kernel(push, arm)
    q, qd = RNG.uniform(-1, 1, (2, 6))
    M = arm.mass_matrix(q)
    assert np.allclose(kernel(q, qd), arm.gravity_forces(q) - 3 * M @ qd, rtol=1e-12)
    assert np.allclose(kernel.derivative("qd")(q, qd), -3 * M, rtol=1e-12, atol=1e-12)


def test_kernels_in_own_functions_check_their_arrays(arm):
    """In a function of one's own a kernel refuses arrays of another shape, by name."""

    def wrong(arm, q):
        return arm.kernel("potential_energy").derivative("q")(q[:3])

    with pytest.raises(ValueError, match=r"potential_energy_D_q\(q\): expected \(6,\), got \(3,\)"):
        ma.kernel(wrong, arm)


def test_rows_of_nothing_are_empty():
    """Some rows of the Jacobian of an arm whose joints are all locked have no columns."""
    arm = ma.robots.planar_2r()
    for reference in ("body", "space", "world"):
        J = arm.lock(arm.joint_names).jacobian([], rows=("x", "rz"), reference=reference)
        assert J.shape == (2, 0)


def test_nothing_moves_nothing():
    """The gradient of the energy of an arm whose joints are all locked has no elements."""
    arm = ma.robots.planar_2r()
    still = arm.lock(arm.joint_names)
    assert still.kernel("potential_energy").derivative("q")(np.zeros(0)).shape == (0,)
    value, slope = still.kernel("potential_energy").derivative("q", values=True)(np.zeros(0))
    assert (value, slope.shape) == (still.potential_energy(np.zeros(0)), (0,))
