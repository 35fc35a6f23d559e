"""Newton and Euler against Lagrange: efforts are derivatives of energies, exactly."""

from dataclasses import replace
from fractions import Fraction

import pytest

from identities.jets import DELTA, EPSILON, along, gradient, moved, part, unit
from identities.matrices import difference, dot, times
from momentarm.algorithms import composite, energy, kinematics, newton_euler
from momentarm.model import IDEAL, coordinates
from momentarm.spatial import Vec3
from trees import HOLONOMIC, MATRIX, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)
every_holonomic_tree = pytest.mark.parametrize("tree", HOLONOMIC)


def frictionless(m):
    """With rotors, which have energy, but without friction, which has none."""
    ideal = (
        replace(k.joint, actuator=replace(IDEAL, armature=k.joint.actuator.armature))
        for k in m.links
    )
    return m.with_links([replace(k, joint=j) for k, j in zip(m.links, ideal, strict=True)])


def rates_after(m, x):
    """(q, q̇) an infinitesimal time ε later."""
    return moved(x.q, along(x.qd, EPSILON), m), moved(x.qd, along(x.qdd, EPSILON))


@every_holonomic_tree
def test_newton_euler_is_lagrange(tree):
    """d/dt ∂L/∂q̇ − ∂L/∂q, from jets of T − V, equals the efforts of Newton and Euler, (8.3)."""
    m, x = frictionless(MATRIX[tree]), state(MATRIX[tree])
    q, qd = rates_after(m, x)
    tau = []
    for k in range(m.n):
        momentum = energy.lagrangian(m, q, moved(qd, unit(m.n, k, DELTA)))
        slope = energy.lagrangian(m, moved(x.q, unit(m.n, k, DELTA)), x.qd)
        tau.append(part(momentum, EPSILON * DELTA) - part(slope, DELTA))
    assert is_exact(tau)
    assert tau == newton_euler.inverse_dynamics(m, x.q, x.qd, x.qdd)


@every_tree
def test_power_is_the_rate_of_energy(tree):
    """d(T + V)/dt equals q̇ᵀ(τ − friction) for the efforts of Newton and Euler."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    q, qd = rates_after(m, x)
    rate = part(energy.kinetic_energy(m, q, qd) + energy.potential_energy(m, q), EPSILON)
    tau = newton_euler.inverse_dynamics(m, x.q, x.qd, x.qdd)
    assert rate == dot(x.qd, difference(tau, newton_euler.friction_forces(m, x.qd)))


@every_tree
def test_kinetic_energy_is_the_quadratic_form_of_the_mass_matrix(tree):
    """½ q̇ᵀ M q̇ with M from composite bodies equals ½ Σ V·(G V) over the links' twists, (8.55)."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    M = composite.mass_matrix(m, x.q)
    assert energy.kinetic_energy(m, x.q, x.qd) == Fraction(1, 2) * dot(x.qd, times(M, x.qd))


@every_tree
def test_gravity_is_the_gradient_of_potential_energy(tree):
    """∂V/∂q equals the efforts that Newton and Euler need at rest, (8.80)."""
    m, q = MATRIX[tree], state(MATRIX[tree]).q
    slope = gradient(lambda a: energy.potential_energy(m, a), q, m)
    assert newton_euler.gravity_forces(m, q) == slope


@every_holonomic_tree
def test_bias_is_the_gradient_of_energies(tree):
    """Ṁ q̇ − ∂T/∂q, with M from composite bodies, is the Coriolis force of Newton and Euler, and
    with ∂V/∂q it is the bias force, (8.2)."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    M_dot = part(composite.mass_matrix(m, moved(x.q, along(x.qd, EPSILON), m)), EPSILON)
    T_D_q = gradient(lambda a: energy.kinetic_energy(m, a, x.qd), x.q)
    V_D_q = gradient(lambda a: energy.potential_energy(m, a), x.q)
    c = difference(times(M_dot, x.qd), T_D_q)
    assert newton_euler.coriolis_forces(m, x.q, x.qd) == c
    assert newton_euler.bias_forces(m, x.q, x.qd) == [a + b for a, b in zip(c, V_D_q, strict=True)]


@every_tree
def test_link_twists_are_derivatives_of_poses(tree):
    """A link's twist from the velocity recursion moves its pose: Ṙ = R [ω] and ṗ = R v."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    V = kinematics.link_velocities(m, coordinates.transforms(m, x.q), x.qd)
    later = kinematics.world_poses(
        m, coordinates.transforms(m, moved(x.q, along(x.qd, EPSILON), m))
    )
    now = kinematics.world_poses(m, coordinates.transforms(m, x.q))
    for i, _ in m.outward():
        assert Vec3(*part(list(later[i].p), EPSILON)) == now[i].R @ V[i].lin
        R_dot = [part(list(row), EPSILON) for row in later[i].R]
        assert R_dot == [list(row.cross(V[i].ang)) for row in now[i].R]
