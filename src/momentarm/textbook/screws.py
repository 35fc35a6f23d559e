"""Newton–Euler with screws, eqs. (8.45)–(8.54): the book's own text, slower and equal.

The classical form in `algorithms.newton_euler` is what kernels run; here a twist is one thing,
its derivative is taken in the moving frame, and the equation of a body is one line.
"""

from __future__ import annotations

from collections.abc import Sequence

from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import NO_FORCE, NO_MOTION, ZERO, Motion, Scalar


def inverse_dynamics(
    m: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar]
) -> list[Scalar]:
    """τ = M q̈ + h, without friction and rotors."""
    X = coordinates.transforms(m, q)  # X[i] = X_ip
    own_qd, own_qdd = coordinates.rates(m, qd), coordinates.rates(m, qdd)
    V, Vd = {BASE: NO_MOTION}, {BASE: Motion(ZERO, -m.gravity)}
    F, tau = {BASE: NO_FORCE}, {}
    for i, link in m.outward():
        V[i], Vd[i] = X[i] @ V[link.parent], X[i] @ Vd[link.parent]
        for A, rate in zip(link.joint.row.axes(), own_qd[i], strict=True):
            V[i] = V[i] + A * rate  # (8.51)
        for A, rate, acc in zip(link.joint.row.axes(), own_qd[i], own_qdd[i], strict=True):
            Vd[i] = Vd[i] + A * acc + V[i].cross(A * rate)  # (8.52)
    for i, link in m.inward():
        G = link.inertia
        F[i] = F.get(i, NO_FORCE) + G @ Vd[i] + V[i].cross(G @ V[i])  # (8.53)
        F[link.parent] = F.get(link.parent, NO_FORCE) + X[i].T @ F[i]
        tau[i] = tuple(A.dot(F[i]) for A in link.joint.row.axes())  # (8.54)
    return coordinates.efforts(m, tau)
