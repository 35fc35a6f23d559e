"""Forward dynamics, several ways; the kernel takes the one with fewer operations for its robot."""

from __future__ import annotations

from collections.abc import Sequence

from momentarm.algorithms import articulated
from momentarm.algorithms.composite import mass_matrix_at, solve
from momentarm.algorithms.meeting import halfway
from momentarm.algorithms.newton_euler import (
    Scalars,
    add_wrenches,
    friction_forces,
    inertial_wrenches,
    joint_efforts,
)
from momentarm.model import Mechanism, coordinates
from momentarm.spatial import Scalar

by_articulated_bodies = articulated.forward_dynamics


def by_mass_matrix(
    m: Mechanism, q: Scalars, qd: Scalars, tau: Scalars, tip_wrench: Scalars | None = None,
    wrenches: Sequence[Scalars] = (), wrench_frames: Sequence[str] = (), inner: int = 0,
) -> list[Scalar]:  # fmt: skip
    """q̈ from M q̈ = τ − c − g − friction − Jᵀ F_tip, eq. (8.81); `inner` as for M."""
    X = coordinates.transforms(m, q)
    f = inertial_wrenches(m, X, q, qd, [0] * m.n)
    h = joint_efforts(m, X, add_wrenches(m, f, tip_wrench, wrenches, wrench_frames))
    friction = friction_forces(m, qd)
    free = [t - a - b for t, a, b in zip(tau, h, friction, strict=True)]
    return solve(m, mass_matrix_at(m, X, inner), free)


def by_mass_matrix_halfway(
    m: Mechanism, q: Scalars, qd: Scalars, tau: Scalars, tip_wrench: Scalars | None = None,
    wrenches: Sequence[Scalars] = (), wrench_frames: Sequence[str] = (),
) -> list[Scalar]:  # fmt: skip
    """The same, with M's axes and forces meeting halfway."""
    return by_mass_matrix(m, q, qd, tau, tip_wrench, wrenches, wrench_frames, halfway(m))
