"""How frames move, against jets of poses and Jacobians, without tolerance."""

import pytest

from identities.jets import DELTA, EPSILON, along, moved, part, unit
from identities.matrices import dot, times
from momentarm.algorithms import frame_motion, kinematics
from trees import HOLONOMIC, MATRIX, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)
every_reference = pytest.mark.parametrize("reference", ["body", "space", "world"])


def frames(m):
    """The tip, a frame on the base and one between."""
    names = list(m.frames)
    return {m.tip, names[0], names[len(names) // 2]}


def later(m, x):
    """(q, q̇) an infinitesimal time ε later."""
    return moved(x.q, along(x.qd, EPSILON), m), moved(x.qd, along(x.qdd, EPSILON))


@every_reference
@every_tree
def test_frame_velocity_is_the_jacobian_times_rates(tree, reference):
    """The twist by recursion along the path is J q̇, for a frame's three Jacobians."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    for frame in frames(m):
        J = kinematics.jacobian(m, x.q, frame=frame, reference=reference)
        V = frame_motion.frame_velocity(m, x.q, x.qd, frame=frame, reference=reference)
        some = frame_motion.frame_velocity(m, x.q, x.qd, frame=frame, reference=reference,
                                           rows=("y", "rz"))  # fmt: skip
        assert some == [V[4], V[2]]
        assert is_exact(V)
        assert times(J, x.qd) == V


@every_reference
@every_tree
def test_rate_of_the_jacobian_is_its_derivative(tree, reference):
    """J̇ by brackets of twists is the first part of J on jets along the motion (exercise 8.6), and
    its rows come in the order asked for."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    q, _ = later(m, x)
    for frame in frames(m):
        option = {"frame": frame, "reference": reference}
        J_dot = part(kinematics.jacobian(m, q, **option), EPSILON)
        found = frame_motion.jacobian_dot(m, x.q, x.qd, **option)
        assert is_exact(found)
        assert found == J_dot
        rows = frame_motion.jacobian_dot(m, x.q, x.qd, rows=("z", "rx"), **option)
        assert rows == [J_dot[5], J_dot[0]]


@every_reference
@every_tree
def test_frame_acceleration_is_the_derivative_of_the_velocity(tree, reference):
    """The recursion's V̇ is the first part of J q̇ on jets of q and q̇ along the motion."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    q, qd = later(m, x)
    for frame in frames(m):
        option = {"frame": frame, "reference": reference}
        V = times(kinematics.jacobian(m, q, **option), qd)
        found = frame_motion.frame_acceleration(m, x.q, x.qd, x.qdd, **option)
        some = frame_motion.frame_acceleration(m, x.q, x.qd, x.qdd, rows=("z", "rx"), **option)
        assert some == [found[5], found[0]]
        assert is_exact(found)
        assert found == part(V, EPSILON)


@every_tree
def test_acceleration_terms_give_the_acceleration_of_a_point(tree):
    """q̇ᵀ H q̇ is the acceleration of a frame's origin at q̈ = 0, the derivative of J_v q̇ by jets
    of q, (8.12); H is symmetric, quaternions included."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    q, _ = later(m, x)
    for frame in frames(m):
        H = frame_motion.acceleration_terms(m, x.q, frame=frame)
        J = kinematics.jacobian(m, q, frame=frame, reference="world", rows=("x", "y", "z"))
        assert is_exact(H)
        assert [dot(x.qd, times(face, x.qd)) for face in H] == part(times(J, x.qd), EPSILON)
        assert all(face[j][k] == face[k][j] for face in H for j in range(m.n) for k in range(j))


@pytest.mark.parametrize("tree", HOLONOMIC)
def test_acceleration_terms_are_second_derivatives_of_the_place(tree):
    """H_jk is ∂²p/∂q_j∂q_k by jets of forward kinematics."""
    m, q = HOLONOMIC[tree], state(HOLONOMIC[tree]).q
    H = frame_motion.acceleration_terms(m, q, frame=m.tip)
    for j in range(m.n):
        for k in range(j):
            step = [a + b for a, b in zip(unit(m.n, j, EPSILON), unit(m.n, k, DELTA), strict=True)]
            T = kinematics.forward_kinematics(m, moved(q, step, m), frame=m.tip)
            second = [part(row[3], EPSILON * DELTA) for row in T[:3]]
            assert [face[j][k] for face in H] == second
