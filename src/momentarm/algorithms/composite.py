"""The mass matrix from composite bodies, and the linear system it belongs to.

Rule 1  M is symmetric by construction: both halves hold the same scalar.
Rule 2  Only joints on one path to the base share an element; a tree's M is mostly zeros, and
        LᵀDL keeps them (Featherstone 2005).
Source  Walker & Orin; general nR arm about (10n²-2n-26) mul + (6n²+18n-50) add.
"""

from __future__ import annotations

from typing import Any

from momentarm.algorithms.meeting import AtLink, Meeting, drives, halfway
from momentarm.algorithms.newton_euler import Scalars
from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import NO_INERTIA, Inertia, Scalar

Matrix = list[list[Scalar]]


def composite_inertias(m: Mechanism, X: Any) -> dict[int, Inertia]:
    """I_c[i]: link i and all links beyond it as one rigid body; I_c[BASE] is the whole robot."""
    I_c = {BASE: NO_INERTIA} | {i: link.inertia for i, link in m.outward()}
    for i, link in m.inward():
        I_c[link.parent] = I_c[link.parent] + X[i].T @ I_c[i]
    return I_c


def mass_matrix(m: Mechanism, q: Scalars) -> Matrix:
    """M(q), eq. (8.78): M_ij = S_j · f_i, the effort at joint j that a unit q̈_i alone needs."""
    return mass_matrix_at(m, coordinates.transforms(m, q), inner=0)


def mass_matrix_halfway(m: Mechanism, q: Scalars) -> Matrix:
    """The same, axes and forces meeting halfway: fewer operations for general geometry."""
    return mass_matrix_at(m, coordinates.transforms(m, q), inner=halfway(m))


def mass_matrix_at(m: Mechanism, X: Any, inner: int) -> Matrix:
    """M = Gᵀ M_joint G, with the rotors' inertia on the diagonal of M_joint.

    Axis j and force i may meet in any frame between their links. Axes travel outward as far as
    depth `inner` of the tree, forces inward down to it; with 0 the forces go all the way.
    """
    I_c, driven = composite_inertias(m, X), drives(m)
    own: AtLink = {i: {(i, a): (S,) for a, S in enumerate(link.joint.row.axes())}
                   for i, link in m.outward()}  # fmt: skip
    meeting = Meeting.of(m, X, own, inner)
    M: Matrix = [[0] * m.n for _ in range(m.n)]
    for i, link in m.outward():
        for at, (S,) in own[i].items():
            k, ratio = driven[at]
            _add(M, k, k, ratio**2 * link.joint.actuator.inertia)
            for met, (S_j,), (f,) in meeting(i, (I_c[i] @ S,)):
                if met[0] != i or met[1] <= at[1]:
                    j, ratio_j = driven[met]
                    twice = 2 if met[0] != i and j == k else 1
                    _add(M, k, j, twice * (ratio * ratio_j * S_j.dot(f)))
    return M


def _add(M: Matrix, a: int, b: int, x: Scalar) -> None:
    M[a][b] = M[b][a] = M[a][b] + x


def factor(m: Mechanism, M: Matrix) -> tuple[Matrix, list[Scalar]]:
    """L and the inverse pivots 1/D with M = Lᵀ D L, L unit lower triangular."""
    n, before = m.n, earlier_coordinates(m)
    L = [row[:] for row in M]
    inverse_pivot: list[Scalar] = [0] * n
    for k in reversed(range(n)):
        inverse_pivot[k] = 1 / L[k][k]
        for i in before[k]:
            a = L[k][i] * inverse_pivot[k]
            for j in before[k]:
                if j <= i:
                    L[i][j] = L[i][j] - a * L[k][j]
            L[k][i] = a
    return L, inverse_pivot


def solve(m: Mechanism, M: Matrix, b: Scalars) -> list[Scalar]:
    """x with M x = b."""
    return substituted(m, factor(m, M), b)


def substituted(m: Mechanism, factors: tuple[Matrix, list[Scalar]], b: Scalars) -> list[Scalar]:
    """x with Lᵀ D L x = b, for the factors of M."""
    L, inverse_pivot = factors
    return outward(m, L, inverse_pivot, inward(m, L, b))


def inward(m: Mechanism, L: Matrix, b: Scalars) -> list[Scalar]:
    """L⁻ᵀ b: halfway to the solution, from the tips to the base."""
    before, y = earlier_coordinates(m), list(b)
    for i in reversed(range(m.n)):
        for j in before[i]:
            y[j] = y[j] - L[i][j] * y[i]
    return y


def outward(m: Mechanism, L: Matrix, inverse_pivot: Scalars, y: Scalars) -> list[Scalar]:
    """L⁻¹ D⁻¹ y: the other half, back to the tips."""
    before, x = earlier_coordinates(m), list(y)
    for i in range(m.n):
        x[i] = x[i] * inverse_pivot[i]
        for j in before[i]:
            x[i] = x[i] - L[i][j] * x[j]
    return x


def mass_matrix_inverse(m: Mechanism, q: Scalars) -> Matrix:
    """M⁻¹(q), symmetric to the bit."""
    return inverse(m, mass_matrix(m, q))


def mass_matrix_inverse_halfway(m: Mechanism, q: Scalars) -> Matrix:
    """The same, axes and forces of M meeting halfway."""
    return inverse(m, mass_matrix_halfway(m, q))


def inverse(m: Mechanism, M: Matrix) -> Matrix:
    """M⁻¹ by rows of L M⁻¹ = D⁻¹ L⁻ᵀ, whose right-hand side is zero below its diagonal.

    Row i needs only rows before it, and of L only what is not zero: n³/3 products at most.
    """
    before = earlier_coordinates(m)
    L, inverse_pivot = factor(m, M)
    Z: Matrix = [[0] * m.n for _ in range(m.n)]
    for i in range(m.n):
        for j in range(i + 1):
            right = inverse_pivot[i] if i == j else 0
            Z[i][j] = Z[j][i] = right - sum((L[i][k] * Z[k][j] for k in before[i]), start=0)
    return Z


def earlier_coordinates(m: Mechanism) -> list[list[int]]:
    """For each coordinate those before it that its row of M may couple to, nearest first."""
    if m.is_coupled:
        return [list(reversed(range(k))) for k in range(m.n)]
    drives = coordinates.index(m)
    paths = {i: [k for j in m.path(i)[1:] for k in reversed(drives[j])] for i in drives}
    return [[*reversed(at[:a]), *paths[i]] for i, at in drives.items() for a in range(len(at))]
