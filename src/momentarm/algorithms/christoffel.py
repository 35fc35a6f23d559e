"""Christoffel's symbols of the mass matrix, without its derivatives.

A point r that joints a, b and c move, counted outward, has the second derivative
∂²r/∂q_b∂q_c = s_b × u_c, the turn of the inner joint on the velocity u_c = ∂r/∂q_c that the outer
one gives. So Γ_a,bc = Σ u_a · (s_b × u_c) dm needs no more than the flow of c's unit rate. Of the
six symbols of three joints two are different: Γ_b,ac = s_a · Σ u_c × u_b dm = −Γ_c,ab.

Source  (8.16), (8.17). General 6R arm: 1498 operations for all 216.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from momentarm.algorithms.composite import composite_inertias
from momentarm.algorithms.meeting import AtLink, Axis, Meeting, drives, midway
from momentarm.algorithms.newton_euler import Scalars
from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import ZERO, Flow, Force, Scalar

Cube = list[list[list[Scalar]]]


def christoffel(m: Mechanism, q: Scalars) -> Cube:
    """Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i), (8.17): c = q̇ᵀ Γ q̇."""
    return christoffel_at(m, coordinates.transforms(m, q), inner=0)


def christoffel_midway(m: Mechanism, q: Scalars) -> Cube:
    """The same, axes and forces meeting midway: fewer operations for general geometry."""
    return christoffel_at(m, coordinates.transforms(m, q), inner=midway(m))


def christoffel_at(m: Mechanism, X: Any, inner: int) -> Cube:
    """The flow of joint c's unit rate goes inward to joint b, what b makes of it meets joint a."""
    must_be_holonomic(m)
    I_c, symbols = composite_inertias(m, X), _Symbols(m)
    own: AtLink = {i: {(i, a): (S,) for a, S in enumerate(link.joint.row.axes())}
                   for i, link in m.outward()}  # fmt: skip
    meeting = Meeting.of(m, X, own, inner)
    for i, _ in m.outward():
        for c, (S_c,) in own[i].items():
            flow = Flow.of(I_c[i], S_c)
            for k, parent in pairwise([*m.path(i), BASE]):
                for b, (S_b,) in own[k].items():
                    forces = flow.turned(S_b.ang), Force(flow.across(S_b), ZERO)
                    for a, (S_a,), (F, W) in meeting(k, forces):
                        symbols.add(a, b, c, S_a.dot(F), S_a.dot(W))
                flow = X[k].T @ flow if parent != BASE else flow
    return symbols.cube


def coriolis_matrix(m: Mechanism, q: Scalars, qd: Scalars) -> list[list[Scalar]]:
    """C_ij = Σ_k Γ_ijk q̇_k, (8.19): fewer operations where most symbols are zero."""
    return [[_dot(row, qd) for row in face] for face in christoffel(m, q)]


def _dot(row: Scalars, qd: Scalars) -> Scalar:
    return sum((x * rate for x, rate in zip(row, qd, strict=True)), start=0)


def must_be_holonomic(m: Mechanism) -> None:
    """Refuse a robot with rates that are not derivatives of coordinates."""
    if m.nq == m.n:
        return
    joints = (link.joint for link in m.links)
    turning = ", ".join(repr(k.name) for k in joints if k.nq != k.nv)
    raise ValueError(
        f"christoffel: {m.name} has {m.nq} coordinates and {m.n} rates, as {turning} has a "
        "quaternion; the symbols exist only where every rate is the derivative of a coordinate. "
        "coriolis_matrix(q, qd), with Ṁ = C + Cᵀ, exists for every robot"
    )


class _Symbols:
    """Γ in the robot's coordinates, symmetric in its last two."""

    def __init__(self, m: Mechanism) -> None:
        self.driven = drives(m)
        self.cube: Cube = [[[0] * m.n for _ in range(m.n)] for _ in range(m.n)]

    def add(self, a: Axis, b: Axis, c: Axis, inner: Scalar, middle: Scalar) -> None:
        """Γ_a,bc = `inner` and Γ_b,ac = −Γ_c,ab = `middle` of three axes, counted outward."""
        if a == b == c:
            return
        self._put(a, b, c, inner)
        if b != c:
            self._put(c, a, b, -middle)
            if a != b:
                self._put(b, a, c, middle)

    def _put(self, i: Axis, j: Axis, k: Axis, x: Scalar) -> None:
        (row, u), (one, v), (other, w) = self.driven[i], self.driven[j], self.driven[k]
        x = u * v * w * x
        self.cube[row][one][other] = self.cube[row][one][other] + x
        if j != k:
            self.cube[row][other][one] = self.cube[row][other][one] + x
