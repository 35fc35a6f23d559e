"""Momentum and centre of mass of all links that move; the base does not count.

In world axes, (angular, linear). Physical bodies alone: a rotor's reflected inertia is an energy,
not a momentum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from typing import Any

from momentarm.algorithms.composite import composite_inertias
from momentarm.algorithms.coriolis import inner_flows
from momentarm.algorithms.kinematics import link_velocities, world_poses
from momentarm.algorithms.meeting import drives
from momentarm.algorithms.newton_euler import Scalars, inertial_wrenches
from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import NO_FORCE, ZERO, Force, Inertia, Scalar, Vec3

Matrix = list[list[Scalar]]
Columns = Callable[[Mechanism, Any, dict[int, Inertia]], list[Force]]


def momentum(m: Mechanism, q: Scalars, qd: Scalars) -> list[Scalar]:
    """Σ 𝒢 𝒱 of all links about the world's origin, (8.31)."""
    X = coordinates.transforms(m, q)
    V = link_velocities(m, X, qd)
    return list(_total(m, X, {i: link.inertia @ V[i] for i, link in m.outward()}))


def center_of_mass(m: Mechanism, q: Scalars) -> list[Scalar]:
    """Σ m p / Σ m in the world."""
    return list(_center(m, composite_inertias(m, coordinates.transforms(m, q))))


def center_of_mass_velocity(m: Mechanism, q: Scalars, qd: Scalars) -> list[Scalar]:
    """ṗ of the centre of mass: how all mass flows, seen from the base, / mass."""
    X = coordinates.transforms(m, q)
    flow = inner_flows(m, X, qd, composite_inertias(m, X))[BASE]
    return list(m.origin.R @ flow.l * (1 / _mass(m)))


def center_of_mass_jacobian(m: Mechanism, q: Scalars) -> Matrix:
    """J (3, n) with ṗ = J q̇: each subtree's momentum per unit rate, / mass."""
    return _center_of_mass_jacobian(m, q, momenta_inward)


def center_of_mass_jacobian_by_poses(m: Mechanism, q: Scalars) -> Matrix:
    """The same, momenta to world axes by poses: fewer operations for long chains."""
    return _center_of_mass_jacobian(m, q, momenta_by_poses)


def _center_of_mass_jacobian(m: Mechanism, q: Scalars, columns: Columns) -> Matrix:
    X = coordinates.transforms(m, q)
    per_mass = 1 / _mass(m)
    lin = [f.lin * per_mass for f in columns(m, X, composite_inertias(m, X))]
    return [list(row) for row in zip(*lin, strict=True)]


def centroidal_momentum_matrix(m: Mechanism, q: Scalars) -> Matrix:
    """A (6, n): A q̇ is the momentum about the centre of mass."""
    return _centroidal_momentum_matrix(m, q, momenta_inward)


def centroidal_momentum_matrix_by_poses(m: Mechanism, q: Scalars) -> Matrix:
    """The same, momenta to world axes by poses: fewer operations for long chains."""
    return _centroidal_momentum_matrix(m, q, momenta_by_poses)


def _centroidal_momentum_matrix(m: Mechanism, q: Scalars, columns: Columns) -> Matrix:
    X = coordinates.transforms(m, q)
    I_c = composite_inertias(m, X)
    com = _center(m, I_c)
    return [list(row) for row in zip(*(_about(com, f) for f in columns(m, X, I_c)), strict=True)]


def centroidal_momentum_bias(m: Mechanism, q: Scalars, qd: Scalars) -> list[Scalar]:
    """Ȧ q̇: the rate of the momentum about the centre of mass at q̈ = 0, by Newton and Euler."""
    X, still = coordinates.transforms(m, q), [0] * m.n
    f = inertial_wrenches(replace(m, gravity=ZERO), X, q, qd, still)
    return list(_about(_center(m, composite_inertias(m, X)), _total(m, X, f)))


def momenta_inward(m: Mechanism, X: Any, I_c: dict[int, Inertia]) -> list[Force]:
    """Momentum about the world's origin per element of q̇, carried inward link by link."""
    columns, drive = [NO_FORCE] * m.n, drives(m)
    for i, link in m.outward():
        for a, S in enumerate(link.joint.row.axes()):
            f, (k, ratio) = I_c[i] @ S, drive[i, a]
            for j in m.path(i):
                f = X[j].T @ f
            columns[k] = columns[k] + m.origin.T @ f * ratio
    return columns


def momenta_by_poses(m: Mechanism, X: Any, I_c: dict[int, Inertia]) -> list[Force]:
    """The same, carried to the world at once by the pose of each link."""
    columns, drive, poses = [NO_FORCE] * m.n, drives(m), world_poses(m, X)
    for i, link in m.outward():
        for a, S in enumerate(link.joint.row.axes()):
            f, (k, ratio) = I_c[i] @ S, drive[i, a]
            lin = poses[i].R @ f.lin
            carried = Force(poses[i].R @ f.ang + poses[i].p.cross(lin), lin)
            columns[k] = columns[k] + carried * ratio
    return columns


def _total(m: Mechanism, X: Any, f: dict[int, Force]) -> Force:
    """What the links have together, in world axes about the world's origin."""
    total = {BASE: NO_FORCE} | f
    for i, link in m.inward():
        total[link.parent] = total[link.parent] + X[i].T @ total[i]
    return m.origin.T @ total[BASE]


def _center(m: Mechanism, I_c: dict[int, Inertia]) -> Vec3:
    """The centre of mass of all links as one body, in the world."""
    return (m.origin.T @ I_c[BASE]).h * (1 / _mass(m))


def _mass(m: Mechanism) -> Scalar:
    mass: Scalar = sum((link.inertia.m for link in m.links), start=0)
    if isinstance(mass, Real) and mass == 0:
        raise ValueError(f"{m.name} has no centre of mass: what moves of it has no mass")
    return mass


def _about(point: Vec3, f: Force) -> Force:
    """The same wrench or momentum about another point."""
    return Force(f.ang - point.cross(f.lin), f.lin)
