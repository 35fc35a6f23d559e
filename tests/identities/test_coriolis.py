"""C, Ṁ, Γ and M⁻¹ against jets, traces of 4x4 matrices and each other, without tolerance."""

import pytest

from identities.jets import DELTA, EPSILON, HALF, along, gradient, moved, part, unit
from identities.matrices import difference, dot, product, times, transposed
from momentarm.algorithms import (
    christoffel,
    composite,
    coriolis,
    kinematics,
    meeting,
    newton_euler,
)
from momentarm.model import coordinates
from momentarm.model.canonical import regrouped
from trees import HOLONOMIC, MATRIX, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)
every_holonomic_tree = pytest.mark.parametrize("tree", HOLONOMIC)


def later(m, x):
    """q an infinitesimal time ε later."""
    return moved(x.q, along(x.qd, EPSILON), m)


def rate_of_mass_matrix(m, x):
    return part(composite.mass_matrix(m, later(m, x)), EPSILON)


def everywhere(m):
    """Each depth of the tree at which axes and forces may meet."""
    return range(max(meeting.depths(m).values()) + 1)


def pseudo_inertia(body):
    """∫ (r, 1)(r, 1)ᵀ dm, the 4x4 matrix of the Lagrange–Euler formulation."""
    rows = zip(body.E.matrix, body.h, strict=True)
    return [[*row, h] for row, h in rows] + [[*body.h, body.m]]


def trace(A, B):
    """Tr(A Bᵀ)."""
    return sum(dot(a, b) for a, b in zip(A, B, strict=True))


@every_tree
def test_rate_of_the_mass_matrix_is_its_derivative(tree):
    """Ṁ of the recursion, wherever axes and forces meet, is the first part of composite bodies' M
    on jets along the motion."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    M_dot, X = rate_of_mass_matrix(m, x), coordinates.transforms(m, x.q)
    for inner in everywhere(m):
        found = coriolis.mass_matrix_dot_at(m, X, x.qd, inner)
        assert is_exact(found)
        assert found == M_dot


@every_tree
def test_coriolis_matrix_and_its_transpose_make_the_rate_of_the_mass_matrix(tree):
    """C + Cᵀ is M's derivative along the motion by jets, so that Ṁ − 2C is skew (proposition 8.1),
    quaternions included."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    C, M_dot = coriolis.coriolis_matrix(m, x.q, x.qd), rate_of_mass_matrix(m, x)
    assert [[a + b for a, b in zip(*rows, strict=True)]
            for rows in zip(C, transposed(C), strict=True)] == M_dot  # fmt: skip
    N = [difference(row, [2 * c for c in other]) for row, other in zip(M_dot, C, strict=True)]
    assert transposed(N) == [[-a for a in row] for row in N]


@every_tree
def test_coriolis_matrix_times_rates_is_newton_eulers_force(tree):
    """C q̇ is the Coriolis force of Newton and Euler, (8.79), wherever axes and forces meet."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    c, X = newton_euler.coriolis_forces(m, x.q, x.qd), coordinates.transforms(m, x.q)
    for inner in everywhere(m):
        C = coriolis.coriolis_matrix_at(m, X, x.qd, inner)
        assert is_exact(C)
        assert times(C, x.qd) == c


@every_tree
def test_coriolis_matrix_is_the_trace_over_pseudo_inertias(tree):
    """C_ij = Σ Tr(∂T/∂q_i 𝒥 (d/dt ∂T/∂q_j)ᵀ) over the links, with 4x4 poses T, their derivatives by
    jets along the rates, and pseudo-inertias 𝒥 as in the Lagrange–Euler formulation."""
    m, x = MATRIX[tree], state(MATRIX[tree])

    def poses(q):
        placed = kinematics.world_poses(m, coordinates.transforms(m, q))
        return [placed[i].matrix for i, _ in m.outward()]

    moving = [poses(moved(later(m, x), unit(m.n, k, DELTA), m)) for k in range(m.n)]
    bodies = [pseudo_inertia(link.inertia) for link in m.links]
    C = [
        [
            sum(trace(product(part(a, DELTA), J), part(b, EPSILON * DELTA))
                for a, J, b in zip(moving[i], bodies, moving[j], strict=True))
            for j in range(m.n)
        ]
        for i in range(m.n)
    ]  # fmt: skip
    assert coriolis.coriolis_matrix(m, x.q, x.qd) == C


@every_holonomic_tree
def test_christoffel_symbols_are_derivatives_of_the_mass_matrix(tree):
    """Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) with M's derivatives by jets, (8.17),
    wherever axes and forces meet."""
    m, q = HOLONOMIC[tree], state(HOLONOMIC[tree]).q
    D = gradient(lambda a: composite.mass_matrix(m, a), q)  # D[k][i][j] = ∂M_ij/∂q_k
    n = range(m.n)
    expected = [[[HALF * (D[k][i][j] + D[j][i][k] - D[i][j][k]) for k in n] for j in n] for i in n]
    X = coordinates.transforms(m, q)
    for inner in everywhere(m):
        assert christoffel.christoffel_at(m, X, inner) == expected


@every_holonomic_tree
def test_christoffel_symbols_are_symmetric_in_the_last_two(tree):
    """Γ_ijk is Γ_ikj."""
    m = HOLONOMIC[tree]
    for face in christoffel.christoffel(m, state(m).q):
        assert face == transposed(face)


@every_holonomic_tree
def test_coriolis_force_is_the_quadratic_form_of_the_symbols(tree):
    """q̇ᵀ Γ_i q̇ is element i of the Coriolis force of Newton and Euler, (8.18)."""
    m, x = HOLONOMIC[tree], state(HOLONOMIC[tree])
    found = [dot(x.qd, times(face, x.qd)) for face in christoffel.christoffel(m, x.q)]
    assert found == newton_euler.coriolis_forces(m, x.q, x.qd)


@every_holonomic_tree
def test_coriolis_matrix_is_that_of_the_symbols(tree):
    """The recursion's C_ij is Σ_k Γ_ijk q̇_k, (8.19)."""
    m, x = HOLONOMIC[tree], state(HOLONOMIC[tree])
    faces = christoffel.christoffel(m, x.q)
    assert coriolis.coriolis_matrix(m, x.q, x.qd) == [times(face, x.qd) for face in faces]
    assert christoffel.coriolis_matrix(m, x.q, x.qd) == [times(face, x.qd) for face in faces]


@pytest.mark.parametrize("tree", [name for name in MATRIX if name not in HOLONOMIC])
def test_quaternions_have_no_christoffel_symbols(tree):
    """A tree with a spherical or free joint refuses Γ and names such a joint and what to ask."""
    m = MATRIX[tree]
    names = [link.joint.name for link in m.links if link.joint.kind in ("spherical", "free")]
    with pytest.raises(ValueError, match=rf"'{names[0]}'.*quaternion.*coriolis_matrix\(q, qd\)"):
        christoffel.christoffel(m, state(m).q)


@every_tree
def test_regrouping_changes_no_rate(tree):
    """Inertia given to the parent where the joint cannot tell leaves C and Ṁ as they were."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    for f in (coriolis.coriolis_matrix, coriolis.mass_matrix_dot):
        assert f(regrouped(m), x.q, x.qd) == f(m, x.q, x.qd)


@every_tree
def test_inverse_of_the_mass_matrix_undoes_it(tree):
    """M of composite bodies times M⁻¹ is the identity, and M⁻¹ is symmetric."""
    m, q = MATRIX[tree], state(MATRIX[tree]).q
    for f in (composite.mass_matrix_inverse, composite.mass_matrix_inverse_halfway):
        inverse = f(m, q)
        assert is_exact(inverse)
        assert inverse == transposed(inverse)
        assert product(composite.mass_matrix(m, q), inverse) == [unit(m.n, k) for k in range(m.n)]
