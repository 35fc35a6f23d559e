"""Momentum and centre of mass, against sums over 4x4 poses and jets, without tolerance."""

import pytest

from identities.jets import EPSILON, along, gradient, moved, part
from identities.matrices import difference, product, skew, times, transposed
from identities.test_coriolis import pseudo_inertia
from momentarm.algorithms import kinematics, momentum
from momentarm.model import coordinates
from trees import MATRIX, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)


def moments(m, q):
    """Σ T 𝒥 and T of all links: mass, first moments and where they are, by 4x4 matrices."""
    poses = kinematics.world_poses(m, coordinates.transforms(m, q))
    return [(poses[i].matrix, pseudo_inertia(link.inertia)) for i, link in m.outward()]


def center(m, q):
    """Σ T 𝒥 e₄ / Σ m."""
    total = [0] * 4
    for T, J in moments(m, q):
        total = [a + b for a, b in zip(total, [row[3] for row in product(T, J)], strict=True)]
    return [x / total[3] for x in total[:3]]


def momentum_by_traces(m, q, qd):
    """From Σ T 𝒥 Ṫᵀ = ∫ (r, 1)(ṙ, 0)ᵀ dm: its skew part and its last row."""
    total = [0] * 6
    for (T, J), (later, _) in zip(
        moments(m, q), moments(m, moved(q, along(qd, EPSILON), m)), strict=True
    ):
        D = product(product(T, J), transposed(part(later, EPSILON)))
        spin = [D[1][2] - D[2][1], D[2][0] - D[0][2], D[0][1] - D[1][0]]
        total = [a + b for a, b in zip(total, spin + D[3][:3], strict=True)]
    return total


def about(point, p):
    """A momentum about another point."""
    return difference(p[:3], times(skew(point), p[3:])) + p[3:]


@every_tree
def test_momentum_is_the_sum_over_the_points_of_all_links(tree):
    """Angular and linear momentum by the recursion are those of Σ T 𝒥 Ṫᵀ with 4x4 poses, whose
    rates come from jets."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    found = momentum.momentum(m, x.q, x.qd)
    assert is_exact(found)
    assert found == momentum_by_traces(m, x.q, x.qd)


@every_tree
def test_center_of_mass_is_the_mean_place(tree):
    """The centre of mass is Σ T 𝒥 e₄ / Σ m, its velocity and Jacobian are derivatives of that by
    jets, by either route."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    assert momentum.center_of_mass(m, x.q) == center(m, x.q)
    velocity = part(center(m, moved(x.q, along(x.qd, EPSILON), m)), EPSILON)
    assert momentum.center_of_mass_velocity(m, x.q, x.qd) == velocity
    columns = gradient(lambda q: center(m, q), x.q, m)
    for f in (momentum.center_of_mass_jacobian, momentum.center_of_mass_jacobian_by_poses):
        J = f(m, x.q)
        assert is_exact(J)
        assert transposed(columns) == J


@every_tree
def test_centroidal_momentum_is_about_the_center_of_mass(tree):
    """A q̇, by either route, is the momentum of 4x4 traces about the mean place."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    expected = about(center(m, x.q), momentum_by_traces(m, x.q, x.qd))
    for f in (momentum.centroidal_momentum_matrix, momentum.centroidal_momentum_matrix_by_poses):
        assert times(f(m, x.q), x.qd) == expected


@every_tree
def test_centroidal_bias_is_the_rate_of_the_matrix(tree):
    """Newton–Euler's Ȧ q̇ is the first part of A q̇ on jets of q, and A q̈ + Ȧ q̇ is the rate of
    the momentum about the moving centre of mass."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    q = moved(x.q, along(x.qd, EPSILON), m)
    A = momentum.centroidal_momentum_matrix(m, q)
    bias = momentum.centroidal_momentum_bias(m, x.q, x.qd)
    assert is_exact(bias)
    assert bias == part(times(A, x.qd), EPSILON)
    rate = [a + b for a, b in zip(times(part_of_number(A), x.qdd), bias, strict=True)]
    whole = momentum.momentum(m, q, moved(x.qd, along(x.qdd, EPSILON)))
    assert rate == part(about(center(m, q), whole), EPSILON)


def part_of_number(A):
    """Jets without their infinitesimals."""
    return [[x.parts.get(0, 0) if hasattr(x, "parts") else x for x in row] for row in A]


def test_a_robot_without_mass_has_no_center():
    """A mechanism whose links have no mass refuses its centre of mass by name."""
    m = MATRIX["revolute_chain_1"]
    bare = m.with_links([type(k)(k.name, k.parent, k.joint, k.placement) for k in m.links])
    with pytest.raises(ValueError, match=f"{m.name} has no centre of mass"):
        momentum.center_of_mass(bare, state(m).q)
