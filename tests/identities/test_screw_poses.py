"""Rotations, poses and screws of the book's other chapters, against what defines them."""

from itertools import pairwise

import numpy as np
import pytest

import momentarm.modern_robotics as mr
from screw_lists import chain, pose

RNG = np.random.default_rng(2)
TURNS = (0, 1e-300, 1e-12, 1e-8, 1e-4, 1, 3, np.pi - 1e-4, np.pi - 1e-8, np.pi - 1e-12)
every_turn = pytest.mark.parametrize("turn", TURNS)


def directions(count=20):
    x = RNG.normal(size=(count, 3))
    axes = np.eye(3)[[0, 1, 2]]
    return np.concatenate([axes, -axes, x / np.linalg.norm(x, axis=1)[:, None]])


@every_turn
def test_logarithms_of_rotations_undo_exponentials(turn):
    """The logarithm of the rotation by a vector is that vector, to 1e-15 of a turn, from no turn at
    all to all but half a turn."""
    for w in directions() * turn:
        found = mr.so3ToVec(mr.MatrixLog3(mr.MatrixExp3(mr.VecToso3(w))))
        assert np.abs(found - w).max() <= 2e-15 * max(1, turn)


@every_turn
def test_logarithms_of_poses_undo_exponentials(turn):
    """The logarithm of the pose that a screw motion leads to is that screw motion, to 1e-14; of
    nearly half a turn as well as of none."""
    for w in directions() * turn:
        V = np.array([*w, 0.3, -2, 0.7])
        found = mr.se3ToVec(mr.MatrixLog6(mr.MatrixExp6(mr.VecTose3(V))))
        assert np.abs(found - V).max() <= 1e-14


def test_half_turns_have_a_logarithm():
    """The exponential of the logarithm of a half turn about any axis is that half turn, and its
    angle is π."""
    for w in directions():
        R = 2 * np.outer(w, w) - np.eye(3)
        log = mr.MatrixLog3(R)
        assert np.linalg.norm(mr.so3ToVec(log)) == pytest.approx(np.pi, abs=1e-15)
        assert np.abs(mr.MatrixExp3(log) - R).max() < 2e-15


def test_vectors_and_matrices_go_back_and_forth():
    """[ω] u is ω × u; twists, poses and their parts survive the way to matrices and back; RotInv
    and TransInv are the inverses by elimination."""
    w, u, V = RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=6)
    assert np.abs(mr.VecToso3(w) @ u - np.cross(w, u)).max() < 1e-15
    assert np.array_equal(mr.so3ToVec(mr.VecToso3(w)), w)
    assert np.array_equal(mr.se3ToVec(mr.VecTose3(V)), V)
    T = pose(RNG)
    R, p = mr.TransToRp(T)
    assert np.array_equal(mr.RpToTrans(R, p), T)
    assert np.abs(mr.TransInv(T) - np.linalg.inv(T)).max() < 1e-14
    assert np.abs(mr.RotInv(R) - np.linalg.inv(R)).max() < 1e-14


def test_axes_and_angles_multiply_back():
    """A unit axis times its angle, of a rotation, of a screw motion and of a slide, is what it was
    taken from, and what has no axis is refused."""
    for S in (RNG.normal(size=6), np.array([0, 0, 0, 3.0, 0, 4])):
        axis, theta = mr.AxisAng6(S)
        assert np.abs(axis * theta - S).max() < 1e-15
        assert np.linalg.norm(axis[:3] if axis[:3].any() else axis[3:]) == pytest.approx(1)
    axis, theta = mr.AxisAng3([0, 3, 4])
    assert (axis.tolist(), theta) == ([0, 0.6, 0.8], 5)
    for nothing in (mr.AxisAng6, mr.Normalize):
        with pytest.raises(ValueError, match=r"no axis|no direction"):
            nothing([0] * 6)


def test_a_point_on_a_screw_axis_moves_along_it_only():
    """After a motion about the screw axis through q along s, q has moved by pitch times angle
    along s."""
    q, s, h = RNG.normal(size=3), mr.Normalize(RNG.normal(size=3)), 0.4
    T = mr.MatrixExp6(mr.VecTose3(mr.ScrewToAxis(q, s, h) * 1.3))
    assert np.abs(T @ [*q, 1] - [*(q + 1.3 * h * s), 1]).max() < 1e-15


def test_projections_are_nearest():
    """No rotation out of a thousand is nearer to a matrix than its projection, whatever the sign of
    its determinant, and the projection is a rotation."""
    for A in RNG.normal(size=(6, 3, 3)):
        R = mr.ProjectToSO3(A)
        assert mr.DistanceToSO3(R) < 1e-14
        others = [pose(RNG)[:3, :3] for _ in range(1000)]
        assert np.linalg.norm(A - R) < min(np.linalg.norm(A - other) for other in others)


def test_poses_are_told_from_other_matrices():
    """A pose passes its test, one with an odd last row, a reflection and a scaled one do not, and a
    projection does again."""
    T = pose(RNG)
    odd, mirrored = T.copy(), T @ np.diag([1, 1, -1, 1])
    odd[3, 0] = 0.01
    assert mr.TestIfSE3(T)
    assert mr.TestIfSO3(T[:3, :3])
    assert not any(map(mr.TestIfSE3, (odd, mirrored, 1.01 * T)))
    assert mr.DistanceToSE3(mirrored) == mr.DistanceToSO3(mirrored[:3, :3]) == 1e9
    assert mr.DistanceToSE3(odd) == pytest.approx(0.01)
    assert mr.TestIfSE3(mr.ProjectToSE3(1.01 * T))


@pytest.mark.parametrize("method", [3, 5])
def test_ways_between_poses(method):
    """Both ways between two poses start and end there; the one along a screw has the same twist
    from pose to pose up to its size, the straight one has its origins on a line."""
    X, Y = pose(RNG), pose(RNG)
    for way in (mr.ScrewTrajectory, mr.CartesianTrajectory):
        poses = way(X, Y, 3, 7, method)
        assert np.abs(poses[0] - X).max() < 1e-14
        assert np.abs(poses[-1] - Y).max() < 1e-13
    steps = pairwise(mr.ScrewTrajectory(X, Y, 3, 7, method))
    screws = [mr.se3ToVec(mr.MatrixLog6(mr.TransInv(a) @ b)) for a, b in steps]
    units = np.array([V / np.linalg.norm(V) for V in screws])
    assert np.abs(units - units[0]).max() < 1e-12
    p = np.array([T[:3, 3] for T in mr.CartesianTrajectory(X, Y, 3, 7, method)])
    assert np.abs(np.cross(p - p[0], p[-1] - p[0])).max() < 1e-14


@pytest.mark.parametrize("where", ["Space", "Body"])
def test_inverse_kinematics_reaches_its_target(where):
    """The joint variables found, from a guess nearby, bring the tip to the target to 1e-9, and a
    target out of reach is said to be."""
    c = chain(3, 6, unit=True)
    forward, back = getattr(mr, f"FKin{where}"), getattr(mr, f"IKin{where}")
    target = forward(c.Mlist[0], c.Slist, c.theta + 0.05)
    theta, done = back(c.Slist, c.Mlist[0], target, c.theta, 1e-10, 1e-10)
    assert done
    assert np.abs(forward(c.Mlist[0], c.Slist, theta) - target).max() < 1e-9
    turning = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, -1, 0]]).T
    far = np.eye(4)
    far[0, 3] = 9
    assert not back(turning, np.eye(4), far, [0.1, 0.2], 1e-3, 1e-3)[1]
