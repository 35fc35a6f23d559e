"""Arguments that are arrays of another kind: tables, matrices, masked and lazy arrays."""

import dask.array
import numpy as np
import pandas as pd
import pytest

import momentarm as ma


@pytest.fixture(scope="module")
def arm():
    return ma.robots.panda()


@pytest.fixture(scope="module")
def q(arm):
    return arm.random_q(0, arm.n)  # as many states as joints: a transposition goes unnoticed


def is_plain_and_equal(found, expected):
    return type(found) is np.ndarray and np.array_equal(found, expected)


@pytest.mark.parametrize("named", ["{}", "q.{}"])
def test_columns_of_a_table_are_matched_by_name(arm, q, named):
    """A DataFrame of columns <joint> or q.<joint> in any order gives the bits of the array."""
    table = pd.DataFrame(q, columns=[named.format(k) for k in arm.q_names]).iloc[:, ::-1]
    expected = arm.gravity_forces(q)
    assert is_plain_and_equal(arm.gravity_forces(table), expected)
    assert is_plain_and_equal(arm.gravity_forces(table.iloc[3]), expected[3])


def test_tables_with_prefixes_go_together(arm, q):
    """Frames q.*, qd.*, qdd.* are not aligned with each other by pandas."""
    parts = [pd.DataFrame(q, columns=[f"{v}.{k}" for k in arm.q_names]) for v in ("q", "qd", "qdd")]
    assert is_plain_and_equal(arm.inverse_dynamics(*parts), arm.inverse_dynamics(q, q, q))


def test_speeds_and_weights_are_matched_by_name():
    """Columns of speeds are matched by the names of rates, with quaternions too, those of weights
    by the names of what they weigh."""
    arm = ma.load(ma.robots.path("ur5"), base="floating")
    rng = np.random.default_rng(2)
    q, (qd, other) = arm.random_q(rng, 4), rng.normal(size=(2, 4, arm.n))
    turned = [pd.DataFrame(x, columns=arm.v_names).iloc[:, ::-1] for x in (qd, other)]
    along = arm.kernel("momentum").along("q", "qd")
    assert is_plain_and_equal(along(q, qd, *turned), along(q, qd, qd, other))
    weighted = arm.kernel("gravity_forces").weighted()
    assert is_plain_and_equal(weighted(q, turned[0]), weighted(q, qd))


def test_unnamed_columns_are_taken_by_place(arm, q):
    """A DataFrame with columns 0, 1, … and any index is its rows, and not transposed."""
    table = pd.DataFrame(q, index=range(7, 0, -1))
    assert is_plain_and_equal(arm.gravity_forces(table), arm.gravity_forces(q))
    assert is_plain_and_equal(arm.gravity_forces(pd.Series(q[0])), arm.gravity_forces(q[0]))


def test_columns_that_do_not_fit_are_listed(arm, q):
    """A missing, a repeated and an unknown column are named in the error."""
    joint = "panda_joint{}".format
    names = [joint(1), joint(1), *map(joint, range(3, 7)), "time"]
    with pytest.raises(ValueError) as caught:
        arm.gravity_forces(pd.DataFrame(q, columns=names))
    assert str(caught.value) == (
        "gravity_forces(q): the columns are not those of q; missing: panda_joint2, panda_joint7; "
        "unknown or repeated: panda_joint1, panda_joint1, time"
    )


@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_subclasses_become_plain_arrays(arm, q):
    """A matrix, a memory map and a masked array without a mask give the plain array's bits."""
    expected = arm.mass_matrix(q)
    for given in (np.asmatrix(q), np.ma.array(q), q.view(np.memmap)):
        assert is_plain_and_equal(arm.mass_matrix(given), expected)


def test_masked_numbers_are_refused(arm, q):
    """A masked array with a mask raises a TypeError that says how to fill it."""
    with pytest.raises(TypeError, match=r"gravity_forces\(q\).*q\.filled\(numpy\.nan\)"):
        arm.gravity_forces(np.ma.array(q, mask=q > 1))


def test_lazy_arrays_stay_lazy(arm, q):
    """Dask's map_blocks over a quantity gives the array's bits, block by block."""
    lazy = dask.array.from_array(q, chunks=(3, 7)).map_blocks(arm.gravity_forces, dtype=float)
    assert np.array_equal(lazy.compute(), arm.gravity_forces(q))


def test_arrays_go_by_name(arm, q):
    """A kernel called with its arguments by name, in any order, gives the same bits."""
    kernel = arm.kernel("bias_forces")
    assert np.array_equal(kernel(qd=q[0], q=q[1]), kernel(q[1], q[0]))
    assert np.array_equal(kernel(q, qd=q), kernel(q, q))


@pytest.mark.parametrize("args, named, got", [
    ((), {}, "0"), ((1,), {"q": 1}, "1 and q"), ((1, 2), {"k": 3}, "2 and k"), ((1, 2, 3), {}, "3"),
])  # fmt: skip
def test_wrong_names_are_said(arm, args, named, got):
    """Missing, repeated and unknown arguments of a kernel raise a TypeError with its names."""
    with pytest.raises(TypeError) as caught:
        arm.kernel("bias_forces")(*args, **named)
    assert str(caught.value) == f"bias_forces takes 2 arrays (q, qd), got {got}"
