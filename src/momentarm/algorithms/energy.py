"""Energies of the mechanism. Rotors count with their reflected inertia; the base does not."""

from __future__ import annotations

from momentarm.algorithms.composite import composite_inertias
from momentarm.algorithms.kinematics import link_velocities
from momentarm.algorithms.newton_euler import Scalars
from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import Scalar


def kinetic_energy(m: Mechanism, q: Scalars, qd: Scalars) -> Scalar:
    """T = ½ q̇ᵀ M q̇ = ½ Σ V·(G V), eq. (8.55)."""
    V = link_velocities(m, coordinates.transforms(m, q), qd)
    own = coordinates.rates(m, qd)
    twice = sum(V[i].dot(link.inertia @ V[i]) for i, link in m.outward())
    for i, link in m.outward():
        for rate in own[i]:
            twice = twice + link.joint.actuator.inertia * (rate * rate)
    return twice / 2


def potential_energy(m: Mechanism, q: Scalars) -> Scalar:
    """V = −Σ m g·p, zero at the world's origin: −g · (the robot's first moment)."""
    X = coordinates.transforms(m, q)
    whole = composite_inertias(m, X)[BASE]
    return -(m.origin.R @ m.gravity).dot((m.origin.T @ whole).h)


def lagrangian(m: Mechanism, q: Scalars, qd: Scalars) -> Scalar:
    """L = T − V, eq. (8.13)."""
    return kinetic_energy(m, q, qd) - potential_energy(m, q)
