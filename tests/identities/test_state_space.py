"""ẋ = f(x, u), (7.45): the first half moves the links as their twists say, the second obeys Newton
and Euler, and energy grows by the power put in. Exactly."""

import pytest

from identities.jets import EPSILON, along, moved, part
from identities.matrices import difference, dot
from momentarm.algorithms import energy, kinematics, newton_euler, state
from momentarm.model import coordinates
from momentarm.spatial import Vec3
from trees import INDEPENDENT, MATRIX
from trees import state as state_of

every_tree = pytest.mark.parametrize("tree", MATRIX)
every_independent_tree = pytest.mark.parametrize("tree", INDEPENDENT)


def rate(m, x, f=state.by_mass_matrix):
    """The two halves of ẋ."""
    found = f(m, [*x.q, *x.qd], x.tau, x.tip_wrench)
    return found[: m.nq], found[m.nq :]


@every_tree
def test_the_state_moves_the_links(tree):
    """Coordinates that change by ẋ, quaternions element by element, move every link as its twist
    from the velocity recursion says: Ṙ = R [ω] and ṗ = R v."""
    m, x = MATRIX[tree], state_of(MATRIX[tree])
    q_rate, _ = rate(m, x)
    V = kinematics.link_velocities(m, coordinates.transforms(m, x.q), x.qd)
    q_later = moved(x.q, along(q_rate, EPSILON))
    now, later = (kinematics.world_poses(m, coordinates.transforms(m, q)) for q in (x.q, q_later))
    for i, _ in m.outward():
        assert Vec3(*part(list(later[i].p), EPSILON)) == now[i].R @ V[i].lin
        R_dot = [part(list(row), EPSILON) for row in later[i].R]
        assert R_dot == [list(row.cross(V[i].ang)) for row in now[i].R]


@every_tree
def test_the_state_obeys_newton_and_euler(tree):
    """The efforts that Newton and Euler ask for the accelerations in ẋ are u, by every route, with
    friction, armature and a tip wrench."""
    m, x = MATRIX[tree], state_of(MATRIX[tree])
    routes = [state.by_mass_matrix, state.by_mass_matrix_halfway]
    if tree in INDEPENDENT:
        routes.append(state.by_articulated_bodies)
    for f in routes:
        q_rate, qdd = rate(m, x, f)
        assert newton_euler.inverse_dynamics(m, x.q, x.qd, qdd, x.tip_wrench) == x.tau
        assert len(q_rate) == m.nq


@every_tree
def test_energy_grows_by_the_power_put_in(tree):
    """d/dt (T + V) along ẋ is q̇·(u − friction − Jᵀ F_tip)."""
    m, x = MATRIX[tree], state_of(MATRIX[tree])
    q_rate, qdd = rate(m, x)
    q, qd = moved(x.q, along(q_rate, EPSILON)), moved(x.qd, along(qdd, EPSILON))
    total = energy.kinetic_energy(m, q, qd) + energy.potential_energy(m, q)
    spent = newton_euler.friction_forces(m, x.qd), newton_euler.tip_forces(m, x.q, x.tip_wrench)
    net = difference(difference(x.tau, spent[0]), spent[1])
    assert part(total, EPSILON) == dot(x.qd, net)
