"""`momentarm.modern_robotics` against the book's own package, function by function.

Differences are over the largest number of the result. The package takes turns below 1e-6 rad for
none; the states here are no such.
"""

import inspect

import numpy as np
import pytest

import momentarm.modern_robotics as mr
from momentarm.bench.norm import normwise
from oracles.peers import peer
from screw_lists import Chain, chain

pytestmark = pytest.mark.peers

CLOSE = 1e-12
CHAINS = {
    "one_joint": chain(1, 1),
    "two_unit_joints": chain(2, 2, unit=True),
    "three_joints": chain(3, 3),
    "six_joints": chain(4, 6),
    "six_unit_joints": chain(5, 6, unit=True),
    "six_joints_any_inertia": chain(6, 6, rigid=False),
    "seven_joints_any_inertia": chain(7, 7, rigid=False),
    "ten_joints": chain(8, 10),
}
every_chain = pytest.mark.parametrize("name", CHAINS)


@pytest.fixture(scope="module")
def book():
    """The book's package."""
    return peer("modern_robotics")


def rows(c: Chain, count: int, width: int, seed: int):
    return np.random.default_rng(seed).normal(size=(count, width))


def one_state(c: Chain):
    """The arguments of each function of one state."""
    still = np.zeros(c.n)
    return {
        "ad": (c.Ftip,),
        "InverseDynamics": (c.theta, c.dtheta, c.ddtheta, c.g, c.Ftip, *c.lists),
        "MassMatrix": (c.theta, *c.lists),
        "VelQuadraticForces": (c.theta, c.dtheta, *c.lists),
        "GravityForces": (c.theta, c.g, *c.lists),
        "EndEffectorForces": (c.theta, c.Ftip, *c.lists),
        "EulerStep": (c.theta, c.dtheta, c.ddtheta, 0.01),
        "ComputedTorque": (c.theta, c.dtheta, c.ddtheta, c.g, *c.lists, c.tau, still, c.ddtheta,
                           1.3, 1.2, 1.1),
        "Adjoint": (c.Mlist[0],),
        "TransInv": (c.Mlist[0],),
        "VecTose3": (c.Ftip,),
        "FKinSpace": (c.Mlist[0], c.Slist, c.theta),
        "FKinBody": (c.Mlist[0], c.Slist, c.theta),
        "JacobianSpace": (c.Slist, c.theta),
        "JacobianBody": (c.Slist, c.theta),
    }  # fmt: skip


@pytest.mark.parametrize("function", one_state(CHAINS["one_joint"]))
@every_chain
def test_functions_of_one_state(book, name, function):
    """Each function of one state gives what the book's package gives for the same arguments, to
    1e-12, as arrays and as lists."""
    args = one_state(CHAINS[name])[function]
    expected = np.array(getattr(book, function)(*args))
    in_lists = [a.tolist() if isinstance(a, np.ndarray) else a for a in args]
    for given in (args, in_lists):
        found = np.array(getattr(mr, function)(*given))
        assert found.shape == expected.shape
        scale = max(float(np.abs(expected).max()), 1e-3)
        assert np.abs(found - expected).max() <= CLOSE * scale


@every_chain
def test_forward_dynamics(book, name):
    """Accelerations are those of the book's package to 1e-14 times the condition of M."""
    c = CHAINS[name]
    args = (c.theta, c.dtheta, c.tau, c.g, c.Ftip, *c.lists)
    limit = 1e-14 * max(10, np.linalg.cond(mr.MassMatrix(c.theta, *c.lists)))
    assert normwise(mr.ForwardDynamics(*args), book.ForwardDynamics(*args)) <= limit


@every_chain
def test_matrix_exponential(book, name):
    """The exponentials of all screws, turned by θ, are those of the book's package to 1e-12."""
    c = CHAINS[name]
    for S, theta in zip(c.Slist.T, c.theta, strict=True):
        se3 = mr.VecTose3(S * theta)
        assert normwise(mr.MatrixExp6(se3), book.MatrixExp6(se3)) <= CLOSE


@every_chain
def test_inverse_dynamics_along_a_motion(book, name):
    """Efforts along a motion of twelve rows, with a wrench of its own in each, are those of the
    book's package to 1e-12."""
    c = CHAINS[name]
    motion = [rows(c, 12, c.n, seed) for seed in range(3)]
    args = (*motion, c.g, rows(c, 12, 6, 3), *c.lists)
    assert normwise(mr.InverseDynamicsTrajectory(*args),
                    book.InverseDynamicsTrajectory(*args)) <= CLOSE  # fmt: skip


@pytest.mark.parametrize("name", ["two_unit_joints", "three_joints", "six_joints_any_inertia"])
def test_forward_dynamics_along_a_motion(book, name):
    """Ten rows of efforts, each integrated in three steps, lead where the book's package is led,
    to 1e-9."""
    c = CHAINS[name]
    args = (c.theta, c.dtheta, rows(c, 10, c.n, 1), c.g, rows(c, 10, 6, 2), *c.lists, 0.01, 3)
    ours, theirs = mr.ForwardDynamicsTrajectory(*args), book.ForwardDynamicsTrajectory(*args)
    for found, expected in zip(ours, theirs, strict=True):
        assert found.shape == expected.shape
        assert normwise(found, expected) <= 1e-9


def test_controlled_motion(book, monkeypatch):
    """Efforts and motion of a robot whose controller knows another one are those of the book's
    package to 1e-9."""
    from matplotlib import pyplot

    monkeypatch.setattr(pyplot, "show", lambda: None)
    c, other = CHAINS["three_joints"], chain(9, 3)
    wanted = mr.JointTrajectory(c.theta, c.theta + 0.1, 1, 15, 5)
    args = (c.theta, c.dtheta, c.g, rows(c, 15, 6, 1), *c.lists, wanted, 0 * wanted, 0 * wanted,
            other.g, c.Mlist, 1.1 * c.Glist, 20, 10, 18, 0.01, 2)  # fmt: skip
    for found, expected in zip(mr.SimulateControl(*args), book.SimulateControl(*args), strict=True):
        assert normwise(found, expected) <= 1e-9
    pyplot.close("all")


@pytest.mark.parametrize("method", [3, 5])
def test_straight_lines_in_joint_space(book, method):
    """Cubic and quintic motions between two points are those of the book's package to 1e-12."""
    args = ([0.5, -1, 2], [1, 1, 1], 2, 9, method)
    assert normwise(mr.JointTrajectory(*args), book.JointTrajectory(*args)) <= CLOSE


def test_arguments_are_the_books(book):
    """Every function of ours takes the arguments of the book's function of that name, by the same
    names in the same order."""
    for name in mr.__all__:
        theirs = inspect.signature(getattr(book, name)).parameters
        assert list(inspect.signature(getattr(mr, name)).parameters) == list(theirs), name


def test_every_name_of_the_book_is_there(book):
    """Each public function of the book's package is one of ours."""
    theirs = {k for k, f in vars(book).items() if inspect.isfunction(f)}
    assert theirs == {*mr.__all__}


def other_functions(c: Chain):
    """The arguments of what chapters 3 to 9 add."""
    T, U = c.Mlist[:2]
    R, skew = T[:3, :3], np.cross(np.eye(3), c.g)
    rough = np.random.default_rng(1).normal(size=(4, 4)) * 1e-2 + T
    return {
        "NearZero": [(1e-7,), (-2e-6,)],
        "Normalize": [(c.Ftip,)],
        "RotInv": [(R,)],
        "VecToso3": [(c.g,)],
        "so3ToVec": [(skew,)],
        "se3ToVec": [(mr.VecTose3(c.Ftip),)],
        "AxisAng3": [(c.g,)],
        "AxisAng6": [(c.Ftip,), (np.array([0, 0, 0, 1.0, 2, 3]),)],
        "MatrixExp3": [(skew,), (np.zeros((3, 3)),)],
        "MatrixLog3": [(R,), (U[:3, :3],), (np.eye(3),), *((np.diag(d),) for d in (
            (-1, -1, 1), (-1, 1, -1), (1, -1, -1)))],
        "MatrixLog6": [(T,), (U,), (np.eye(4) + np.diag([1.0, 2, 3], 1) * 0,)],
        "RpToTrans": [(R, c.g)],
        "TransToRp": [(T,)],
        "ScrewToAxis": [(c.g, c.Ftip[:3], 0.3)],
        "ProjectToSO3": [(rough[:3, :3],)],
        "ProjectToSE3": [(rough,)],
        "DistanceToSO3": [(rough[:3, :3],), (-R,)],
        "DistanceToSE3": [(rough,), (-T,)],
        "TestIfSO3": [(rough[:3, :3],), (R,)],
        "TestIfSE3": [(rough,), (T,)],
        "ScrewTrajectory": [(T, U, 2, 5, 3), (T, U, 2, 5, 5)],
        "CartesianTrajectory": [(T, U, 2, 5, 3), (T, U, 2, 5, 5)],
        "CubicTimeScaling": [(2, 0.3)],
        "QuinticTimeScaling": [(2, 0.3)],
    }  # fmt: skip


@pytest.mark.parametrize("function", other_functions(CHAINS["six_joints"]))
def test_functions_of_other_chapters(book, function):
    """Each function of the other chapters gives what the book's package gives, half turns about an
    axis included, to 1e-9: logarithms by arc cosines lose digits."""
    for args in other_functions(CHAINS["six_joints"])[function]:
        found, expected = getattr(mr, function)(*args), getattr(book, function)(*args)
        for x, y in zip(*(v if isinstance(v, tuple | list) else [v] for v in (found, expected)),
                        strict=True):  # fmt: skip
            assert np.shape(x) == np.shape(y)
            assert np.abs(np.subtract(x, y, dtype=float)).max() <= 1e-9


@pytest.mark.parametrize("name", ["six_unit_joints", "seven_joints_any_inertia"])
def test_inverse_kinematics(book, name):
    """From a guess nearby both ways of inverse kinematics take the book's package's steps: the same
    joint variables to 1e-6 and the same verdict, also where twenty steps do not suffice."""
    c = CHAINS[name]
    home = c.Mlist[0]
    for where, ahead in (("Space", 0.05), ("Space", 2.5), ("Body", 0.05)):
        target = getattr(mr, f"FKin{where}")(home, c.Slist, c.theta + ahead)
        args = (c.Slist, home, target, c.theta, 1e-9, 1e-9)
        found, done = getattr(mr, f"IKin{where}")(*args)
        expected, done_there = getattr(book, f"IKin{where}")(*args)
        assert done == done_there
        if done:
            assert np.abs(found - expected).max() <= 1e-6
