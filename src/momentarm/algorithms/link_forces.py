"""What joints transmit as a whole, and what of an actuator's effort moves the bodies."""

from __future__ import annotations

from collections.abc import Sequence

from momentarm.algorithms.newton_euler import (
    Scalars,
    add_wrenches,
    friction_forces,
    inertial_wrenches,
    joint_efforts,
)
from momentarm.model import BASE, Mechanism, coordinates, parameters
from momentarm.spatial import NO_FORCE, Scalar

Matrix = list[list[Scalar]]


def link_wrenches(
    m: Mechanism, q: Scalars, qd: Scalars, qdd: Scalars, tip_wrench: Scalars | None = None,
    wrenches: Sequence[Scalars] = (), wrench_frames: Sequence[str] = (),
) -> Matrix:  # fmt: skip
    """ℱ_i, (8.53): what each link's joint transmits to it, in the link's frame of the file."""
    X = coordinates.transforms(m, q)
    own = inertial_wrenches(m, X, q, qd, qdd)
    f = {BASE: NO_FORCE} | add_wrenches(m, own, tip_wrench, wrenches, wrench_frames)
    for i, link in m.inward():
        f[link.parent] = f[link.parent] + X[i].T @ f[i]
    frames = ((i, parameters.own_frame(m, i).X) for i, _ in m.outward())
    return [list(X_fi.inverse().T @ f[i]) for i, X_fi in frames]


def generalized_forces(
    m: Mechanism, q: Scalars, qd: Scalars, tau: Scalars, tip_wrench: Scalars | None = None,
    wrenches: Sequence[Scalars] = (), wrench_frames: Sequence[str] = (),
) -> list[Scalar]:  # fmt: skip
    """ξ = τ − F_v q̇ − F_s sgn q̇ − Jᵀ ℱ_tip: what is left to move the bodies, ξ = M q̈ + c + g."""
    still = {i: NO_FORCE for i, _ in m.outward()}
    outside = add_wrenches(m, still, tip_wrench, wrenches, wrench_frames)
    spent = joint_efforts(m, coordinates.transforms(m, q), outside)
    lost = friction_forces(m, qd)
    return [t - a - b for t, a, b in zip(tau, lost, spent, strict=True)]
