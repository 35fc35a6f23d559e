"""Symmetric positive matrices as L D Lᵀ, dense, in the order in which they are given.

There is no pivoting. How near a matrix is to a singular one is told by its smallest relative pivot,
min D_k / s_k: at most 1, and 0 where a row depends on those before it. The scales s_k are the
diagonal, or what a caller says that it could have been. It is an answer like the others, to be
looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from momentarm.spatial import Scalar

Scalars = Sequence[Scalar]
Matrix = list[list[Scalar]]


@dataclass(frozen=True, slots=True)
class Factors:
    """A = L D Lᵀ: L below its unit diagonal, 1/D, and the smallest D_k / s_k."""

    L: Matrix
    inverse_pivots: list[Scalar]
    smallest_pivot: Scalar

    def solved(self, b: Scalars) -> list[Scalar]:
        """x with A x = b."""
        x, n = list(b), len(self.L)
        for i in range(n):
            for j in range(i):
                x[i] = x[i] - self.L[i][j] * x[j]
        x = [y * d for y, d in zip(x, self.inverse_pivots, strict=True)]
        for i in reversed(range(n)):
            for j in range(i + 1, n):
                x[i] = x[i] - self.L[j][i] * x[j]
        return x

    def inverse(self) -> Matrix:
        """A⁻¹ = L⁻ᵀ D⁻¹ L⁻¹; both halves hold the same scalar."""
        n, K = len(self.L), _inverse_of_unit_lower(self.L)
        A: Matrix = [[0] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                A[i][j] = A[j][i] = sum(
                    K[k][i] * self.inverse_pivots[k] * K[k][j] for k in range(i, n)
                )
        return A


def factored(A: Matrix, scales: Scalars | None = None) -> Factors:
    """A = L D Lᵀ by columns; without scales pivots are measured by the diagonal."""
    rest, n = [row[:] for row in A], len(A)
    inverse_pivots: list[Scalar] = []
    scales = [A[k][k] for k in range(n)] if scales is None else scales
    smallest: Scalar = 1
    for k in range(n):
        pivot = rest[k][k]
        inverse_pivots.append(_inverse(pivot, k))
        smallest = smaller(smallest, pivot / scales[k])
        column = {i: rest[i][k] * inverse_pivots[k] for i in range(k + 1, n)}
        for i, x in column.items():
            for j in range(k + 1, i + 1):
                rest[i][j] = rest[i][j] - x * rest[j][k]
        for i, x in column.items():
            rest[i][k] = x
    return Factors([row[:i] for i, row in enumerate(rest)], inverse_pivots, smallest)


def _inverse(pivot: Scalar, k: int) -> Scalar:
    try:
        return 1 / pivot
    except ZeroDivisionError:  # a plain number: on a tape, in every state
        raise ValueError(f"row {k + 1} of those asked for is 0 or follows from those before it; "
                         "leave it out, or give a damping") from None  # fmt: skip


def smaller(a: Scalar, b: Scalar) -> Scalar:
    """The smaller of two numbers up to 1, NaN if one is; on a tape there are no branches."""
    return (a + b - abs(a - b)) / 2


def larger(a: Scalar, b: Scalar) -> Scalar:
    """The larger of two numbers, NaN if one is."""
    return (a + b + abs(a - b)) / 2


def _inverse_of_unit_lower(L: Matrix) -> Matrix:
    K: Matrix = []
    for i, row in enumerate(L):
        below = [-sum((row[k] * K[k][j] for k in range(j, i)), start=0) for j in range(i)]
        K.append([*below, 1])
    return K
