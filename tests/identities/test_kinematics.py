"""Poses and Jacobians: products of matrices, derivatives and adjoints, without tolerance."""

from functools import reduce

import pytest

from identities.jets import DELTA, moved, part, unit
from identities.matrices import adjoint, hat, product, rotation_and_place, times, transposed
from momentarm.algorithms import kinematics
from momentarm.model import Mechanism, coordinates
from trees import MATRIX, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)


def chain_of_matrices(m: Mechanism, q, name):
    """The pose of a frame as the product of the 4x4 matrices of all steps that lead to it."""
    X = coordinates.transforms(m, q)
    steps = [X[i].matrix for i in reversed(m.path(m.frames[name].link))]
    return reduce(product, [m.origin.matrix, *steps, m.frames[name].X.matrix])


@every_tree
def test_forward_kinematics_is_a_product_of_homogeneous_matrices(tree):
    """The pose of every named frame is the product of its steps' 4x4 matrices, also in the table of
    all poses."""
    m, q = MATRIX[tree], state(MATRIX[tree]).q
    expected = [chain_of_matrices(m, q, name) for name in m.frames]
    assert is_exact(expected)
    assert [kinematics.forward_kinematics(m, q, frame=name) for name in m.frames] == expected
    assert kinematics.link_poses(m, q) == expected


@every_tree
def test_rotations_are_orthogonal(tree):
    """RᵀR of every frame's pose is exactly the identity."""
    m = MATRIX[tree]
    for T in kinematics.link_poses(m, state(m).q):
        R, _ = rotation_and_place(T)
        assert product(transposed(R), R) == [unit(3, k) for k in range(3)]


@every_tree
def test_body_jacobian_is_the_derivative_of_the_pose(tree):
    """∂T/∂q_k, from jets of forward kinematics, equals T [J_k] with column k of the body Jacobian,
    by either of its routes, for every frame."""
    m, q = MATRIX[tree], state(MATRIX[tree]).q
    for name in m.frames:
        T = kinematics.forward_kinematics(m, q, frame=name)
        J = transposed(kinematics.body_jacobian(m, q, frame=name))
        assert transposed(kinematics.jacobian_by_poses(m, q, frame=name)) == J
        for k in range(m.n):
            step = moved(q, unit(m.n, k, DELTA), m)
            slope = part(kinematics.forward_kinematics(m, step, frame=name), DELTA)
            assert slope == product(T, hat(J[k]))


@every_tree
def test_space_jacobian_is_the_adjoint_of_the_body_jacobian(tree):
    """J_s = [Ad_T] J_b for every frame, with T from forward kinematics."""
    m, q = MATRIX[tree], state(MATRIX[tree]).q
    for name in m.frames:
        R, p = rotation_and_place(kinematics.forward_kinematics(m, q, frame=name))
        J_b = kinematics.body_jacobian(m, q, frame=name)
        assert kinematics.space_jacobian(m, q, frame=name) == product(adjoint(R, p), J_b)


@every_tree
def test_world_jacobian_is_the_turned_body_jacobian(tree):
    """The Jacobian in world axes about the frame's origin is diag(R, R) J_b for every frame."""
    m, q = MATRIX[tree], state(MATRIX[tree]).q
    for name in m.frames:
        R, _ = rotation_and_place(kinematics.forward_kinematics(m, q, frame=name))
        J_b = kinematics.body_jacobian(m, q, frame=name)
        expected = product(adjoint(R, [0, 0, 0]), J_b)
        assert kinematics.world_jacobian(m, q, frame=name) == expected


@every_tree
def test_jacobian_of_a_link_gives_its_twist(tree):
    """J_b q̇ of a frame equals the twist that the recursion gives its link, carried there."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    V = kinematics.link_velocities(m, coordinates.transforms(m, x.q), x.qd)
    for name, place in m.frames.items():
        J_b = kinematics.body_jacobian(m, x.q, frame=name)
        assert times(J_b, x.qd) == list(place.X @ V[place.link])
