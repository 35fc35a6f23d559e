"""The Coriolis matrix, and the rate of the mass matrix.

M = Σ Jᵀ J dm over all points, J the Jacobian of a point. With C = Σ Jᵀ J̇ dm both Ṁ = C + Cᵀ and
c = C q̇ hold whatever q̇ stands for, quaternions included; where q̇ is the derivative of q, C is
Γ q̇ with Christoffel's symbols, (8.19).

Rule 1  Beyond its joint a subtree is one: its composite inertia I_c, and the flow of its mass
        relative to its root. C_ij = S_i · (I_c Ṡ_j + B_c S_j), Ṡ = V × S, the flow being in B_c.
Rule 2  Axes and forces meet in any frame between (`meeting`).
Source  Bodies' Coriolis matrices in composites: Echeandia and Wensing (2021), there 6x6 matrices;
        here moments of flows. General 6R arm: C 1566 operations, Ṁ 1103.
"""

from __future__ import annotations

from typing import Any

from momentarm.algorithms.composite import composite_inertias
from momentarm.algorithms.kinematics import link_velocities
from momentarm.algorithms.meeting import (
    AtLink,
    Axis,
    Forces,
    Meeting,
    Motions,
    drives,
    halfway,
    midway,
)
from momentarm.algorithms.newton_euler import Scalars
from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import (
    NO_FLOW,
    NO_INERTIA,
    NO_MOTION,
    ZERO,
    Flow,
    Force,
    Inertia,
    Motion,
    Scalar,
)

Matrix = list[list[Scalar]]
Flows = dict[int, Flow]


def coriolis_matrix(m: Mechanism, q: Scalars, qd: Scalars) -> Matrix:
    """C(q, q̇) with Ṁ = C + Cᵀ and c = C q̇, (8.19)."""
    return coriolis_matrix_at(m, coordinates.transforms(m, q), qd, inner=0)


def coriolis_matrix_midway(m: Mechanism, q: Scalars, qd: Scalars) -> Matrix:
    """The same, axes and forces meeting midway: fewer operations for general geometry."""
    return coriolis_matrix_at(m, coordinates.transforms(m, q), qd, inner=midway(m))


def coriolis_matrix_at(m: Mechanism, X: Any, qd: Scalars, inner: int) -> Matrix:
    """C = Gᵀ C_joint G. For j before i: C_ji = S_j · F_i and C_ij = Ṡ_j · f_i + S_j · W_i."""
    V, I_c = link_velocities(m, X, qd), composite_inertias(m, X)
    flow = inner_flows(m, X, qd, I_c)
    own: AtLink = {i: {(i, a): (S, V[i].cross(S)) for a, S in enumerate(link.joint.row.axes())}
                   for i, link in m.outward()}  # fmt: skip
    meeting, driven = Meeting.of(m, X, own, inner), drives(m)
    C: Matrix = [[0] * m.n for _ in range(m.n)]
    for i, _ in m.outward():
        for at, (S, _) in own[i].items():
            for met, (S_j, Sd_j), (f, F, W) in meeting(i, _forces(I_c[i], flow[i], V[i], S)):
                add(C, driven, met, at, S_j.dot(F))
                if met[0] != i:
                    add(C, driven, at, met, Sd_j.dot(f) + S_j.dot(W))
    return C


def _forces(body: Inertia, flow: Flow, V: Motion, S: Motion) -> Forces:
    """(f, F, W) of the field S r over a subtree that moves with V and within which mass flows.

    f is its momentum; F what its rate of change ω × S r + S.ang × u needs, u of the flow; W · S_j,
    with f · Ṡ_j, what the rate of change of an inner joint's field S_j r would meet there.
    """
    field = Flow.of(body, S)
    return (
        field.momentum,
        flow.turned(S.ang) + field.turned(V.ang),
        Force(flow.across(S) - field.across(V), ZERO),
    )


def inner_flows(m: Mechanism, X: Any, qd: Scalars, I_c: dict[int, Inertia]) -> Flows:
    """How the mass of link i and of all beyond it flows, as seen from link i."""
    J = joint_twists(m, qd)
    flow = {BASE: NO_FLOW} | {i: NO_FLOW for i, _ in m.outward()}
    for i, link in m.inward():
        flow[link.parent] = flow[link.parent] + X[i].T @ (flow[i] + Flow.of(I_c[i], J[i]))
    return flow


def joint_twists(m: Mechanism, qd: Scalars) -> dict[int, Motion]:
    """J_i = Σ S q̇ of each link's joint, in the link's coordinates."""
    J = {i: NO_MOTION for i, _ in m.outward()}
    for i, own in coordinates.rates(m, qd).items():
        for S, rate in zip(m.links[i].joint.row.axes(), own, strict=True):
            J[i] = J[i] + S * rate
    return J


def add(C: Matrix, driven: dict[Axis, tuple[int, Scalar]], i: Axis, j: Axis, x: Scalar) -> None:
    """x into the element of the coordinates that drive axes i and j."""
    (row, per_row), (column, per_column) = driven[i], driven[j]
    C[row][column] = C[row][column] + per_row * per_column * x


def mass_matrix_dot(m: Mechanism, q: Scalars, qd: Scalars) -> Matrix:
    """Ṁ along the motion, exercise 8.7."""
    return mass_matrix_dot_at(m, coordinates.transforms(m, q), qd, inner=0)


def mass_matrix_dot_halfway(m: Mechanism, q: Scalars, qd: Scalars) -> Matrix:
    """The same, axes and forces meeting halfway."""
    return mass_matrix_dot_at(m, coordinates.transforms(m, q), qd, inner=halfway(m))


def mass_matrix_dot_at(m: Mechanism, X: Any, qd: Scalars, inner: int) -> Matrix:
    """The derivative of `composite.mass_matrix_at`, line by line, in the coordinates of links.

    A force that goes inward changes by J ×* f where it passes a joint of twist J, an axis that goes
    outward by −J × S. In its own link's coordinates an axis does not change.
    """
    J, driven = joint_twists(m, qd), drives(m)
    I_c, Id_c = _changing_composites(m, X, J)
    own: AtLink = {i: {(i, a): (S, NO_MOTION) for a, S in enumerate(link.joint.row.axes())}
                   for i, link in m.outward()}  # fmt: skip

    def outward(i: int, axis: Motions) -> Motions:
        S, Sd = (X[i] @ x for x in axis)
        return S, Sd - J[i].cross(S)

    def inward(i: int, forces: Forces) -> Forces:
        f, fd = forces
        return X[i].T @ f, X[i].T @ (fd + J[i].cross(f))

    meeting = Meeting.of(m, X, own, inner, outward, inward)
    M_dot: Matrix = [[0] * m.n for _ in range(m.n)]
    for i, _ in m.outward():
        for at, (S, _) in own[i].items():
            for met, (S_j, Sd_j), (f, fd) in meeting(i, (I_c[i] @ S, Id_c[i] @ S)):
                rate = S_j.dot(fd) + Sd_j.dot(f)
                add(M_dot, driven, met, at, rate)
                if met[0] != i:
                    add(M_dot, driven, at, met, rate)
    return M_dot


def _changing_composites(m: Mechanism, X: Any, J: dict[int, Motion]) -> Any:
    """Composite inertias and their rates, both as seen from their links."""
    I_c = composite_inertias(m, X)
    Id_c = dict.fromkeys(I_c, NO_INERTIA)
    for i, link in m.inward():
        passing = Id_c[i] + Flow.of(I_c[i], J[i]).inertia_rate
        Id_c[link.parent] = Id_c[link.parent] + X[i].T @ passing
    return I_c, Id_c
