"""Forward dynamics by articulated bodies: what a subtree feels like at its root.

The accelerations that velocity and gravity cause by themselves (q̈ = 0) are taken out first, by
the outward loop of Newton–Euler. What is left is linear: the wrench f of a subtree is I_A A + p_A
for an acceleration A of its root that joint efforts cause.

Source  Featherstone (1983); here without the I_a c term, which the first loop has made zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from momentarm.algorithms.newton_euler import (
    Scalars,
    add_wrenches,
    inertial_wrenches,
)
from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import (
    EZ,
    IDENTITY,
    NO_MOTION,
    ZERO,
    ZERO_SYM,
    Force,
    Inertia,
    Mat3,
    Motion,
    Scalar,
    Sym3,
    Transform,
)


@dataclass(frozen=True, slots=True)
class ArticulatedInertia:
    """A symmetric 6x6 [[I, H], [Hᵀ, M]]: wrench of a subtree's root per acceleration."""

    I: Sym3
    H: Mat3
    M: Sym3

    @classmethod
    def of(cls, body: Inertia) -> ArticulatedInertia:
        return cls(body.I, Mat3.skew(body.h), Sym3(body.m, body.m, body.m, 0, 0, 0))

    def __matmul__(A, x: Motion) -> Force:
        return Force(A.I @ x.ang + A.H @ x.lin, A.H.T @ x.ang + A.M @ x.lin)

    def __add__(A, B: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(A.I + B.I, A.H + B.H, A.M + B.M)

    def without(A, U: Force, per_D: Scalar) -> ArticulatedInertia:
        """A − U Uᵀ / D: the root is free to move along the joint's axis."""
        ang, lin = U.ang * per_D, U.lin * per_D
        return ArticulatedInertia(
            A.I - _dyad(U.ang, ang),
            A.H - Mat3.outer(U.ang, lin),
            A.M - _dyad(U.lin, lin),
        )

    def seen_from_parent(A, X: Transform) -> ArticulatedInertia:
        """Xᵀ A X."""
        A = A._shifted(Mat3.skew(EZ * X.slide))
        A = ArticulatedInertia(X.R @ A.I, X.R @ A.H, X.R @ A.M)
        return A._shifted(Mat3.skew(X.p))

    def _shifted(A, p: Mat3) -> ArticulatedInertia:
        """The same seen from an origin at −p; `p` is the cross-product matrix."""
        H = A.H + p @ A.M.matrix
        I = A.I.matrix - A.H @ p + p @ H.T
        return ArticulatedInertia(
            Sym3(I.cx.x, I.cy.y, I.cz.z, I.cy.x, I.cz.x, I.cz.y), H, A.M
        )


def _dyad(a: Any, b: Any) -> Sym3:
    """a bᵀ where it is symmetric."""
    return Sym3(a.x * b.x, a.y * b.y, a.z * b.z, a.x * b.y, a.x * b.z, a.y * b.z)


NO_ARTICULATED = ArticulatedInertia(ZERO_SYM, IDENTITY * 0, ZERO_SYM)


def forward_dynamics(
    m: Mechanism, q: Scalars, qd: Scalars, tau: Scalars, tip_wrench: Scalars | None = None,
    wrenches: Sequence[Scalars] = (), wrench_frames: Sequence[str] = (),
) -> list[Scalar]:  # fmt: skip
    """q̈ = M⁻¹(τ − c − g − friction − Jᵀ F_tip), for joints that are all their own."""
    X = coordinates.transforms(m, q)
    f = inertial_wrenches(m, X, q, qd, [0] * m.n)
    f = add_wrenches(m, f, tip_wrench, wrenches, wrench_frames)
    p_A = {BASE: Force(ZERO, ZERO)} | f
    I_A = {BASE: NO_ARTICULATED} | {i: ArticulatedInertia.of(k.inertia) for i, k in m.outward()}
    own_qd, own_tau = coordinates.rates(m, qd), coordinates.rates(m, tau)
    freed: dict[int, list[Any]] = {i: [] for i, _ in m.outward()}  # (S, U, u, 1/D) of each axis
    for i, link in m.inward():
        drive = link.joint.actuator
        for S, rate, effort in zip(link.joint.row.axes(), own_qd[i], own_tau[i], strict=True):
            U = I_A[i] @ S
            per_D = 1 / (S.dot(U) + drive.inertia)
            u = effort - drive.friction_effort(rate) - S.dot(p_A[i])
            freed[i].append((S, U, u, per_D))
            p_A[i] = p_A[i] + U * (u * per_D)
            I_A[i] = I_A[i].without(U, per_D)
        p_A[link.parent] = p_A[link.parent] + X[i].T @ p_A[i]
        I_A[link.parent] = I_A[link.parent] + I_A[i].seen_from_parent(X[i])
    A, qdd = {BASE: NO_MOTION}, list[Scalar]()
    for i, link in m.outward():
        A[i], own = X[i] @ A[link.parent], []
        for S, U, u, per_D in reversed(freed[i]):  # the axis that was freed last feels no other
            own.append((u - A[i].dot(U)) * per_D)
            A[i] = A[i] + S * own[-1]
        qdd += reversed(own)
    return qdd
