"""How a robot gives way along rows of a matrix A: the mobility W = A M⁻¹ Aᵀ.

A force f along the rows, efforts Aᵀ f, changes their velocities A q̇ by W f each second. W⁻¹ is the
mass felt along the rows: Λ of the task space (8.90), and what weighs constraints' forces in (8.98).
M = Lᵀ D L is factored once; with halves y = L⁻ᵀ a, pairs a·M⁻¹ b are Σ y_a y_b / D.

W is singular where a row depends on others, or vanishes. Neither has a measure of its own: pivots
are compared with the largest W_jj of the rows of one unit, a frame's three turns or three places,
whether these are asked for or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from momentarm.algorithms import composite
from momentarm.algorithms.symmetric import Factors, Matrix, Scalars, factored, larger
from momentarm.model import Mechanism
from momentarm.spatial import ROWS, Scalar

Block = tuple[Matrix, Sequence[int]]  # rows of one unit; which rows of A are measured by them


def blocks(six: Matrix, rows: Sequence[str]) -> list[Block]:
    """A frame's turns and places, from all six rows, and which of some rows they measure."""
    turns = [k for k, name in enumerate(rows) if name in ROWS[:3]]
    return [(six[:3], turns), (six[3:], [k for k in range(len(rows)) if k not in turns])]


@dataclass(frozen=True, slots=True)
class Mass:
    """M of a mechanism in a state, as Lᵀ D L."""

    m: Mechanism
    L: Matrix
    inverse_pivots: list[Scalar]

    @classmethod
    def of(cls, m: Mechanism, q: Scalars) -> Mass:
        return cls(m, *composite.factor(m, composite.mass_matrix(m, q)))

    def half(self, b: Scalars) -> list[Scalar]:
        """L⁻ᵀ b."""
        return composite.inward(self.m, self.L, b)

    def accelerations(self, half: Scalars) -> list[Scalar]:
        """M⁻¹ b, from the half of b."""
        return composite.outward(self.m, self.L, self.inverse_pivots, half)

    def pair(self, x: Scalars, y: Scalars) -> Scalar:
        """a·M⁻¹ b, from the halves of a and b."""
        return sum(a * (b * d) for a, b, d in zip(x, y, self.inverse_pivots, strict=True))


@dataclass(frozen=True, slots=True)
class Mobility:
    """A with the halves of its rows, and W = A M⁻¹ Aᵀ factored."""

    A: Matrix
    mass: Mass
    halves: Matrix
    W: Factors

    @classmethod
    def of(cls, m: Mechanism, q: Scalars, A: Matrix, kin: Sequence[Block] = (),
           damping: Scalar = 0) -> Mobility:  # fmt: skip
        """With λ² added on W's diagonal for a damping λ; rows of no block measure themselves."""
        mass, k = Mass.of(m, q), len(A)
        halves = [mass.half(row) for row in A]
        W: Matrix = [[0] * k for _ in range(k)]
        for i in range(k):
            for j in range(i + 1):
                W[i][j] = W[j][i] = mass.pair(halves[i], halves[j])
        scales = [W[i][i] for i in range(k)]
        for rows, measured in kin:
            if measured:
                scale = reduce(larger, [mass.pair(y, y) for y in map(mass.half, rows)])
                scales = [scale if i in measured else s for i, s in enumerate(scales)]
        for i in range(k):
            W[i][i], scales[i] = W[i][i] + damping * damping, scales[i] + damping * damping
        return cls(A, mass, halves, factored(W, scales))

    def response(self, half: Scalars) -> list[Scalar]:
        """A M⁻¹ b, from the half of b: what efforts b do along the rows."""
        return [self.mass.pair(row, half) for row in self.halves]

    def efforts(self, f: Scalars) -> list[Scalar]:
        """Aᵀ f."""
        return transposed_times(self.A, f)

    def shares(self) -> Matrix:
        """W⁻¹ A M⁻¹, (k, n): what each unit effort is worth as forces along the rows."""
        rows = [self.mass.accelerations(half) for half in self.halves]
        return _transposed([self.W.solved(column) for column in zip(*rows, strict=True)])

    def remainder(self) -> Matrix:
        """1 − Aᵀ W⁻¹ A M⁻¹: of efforts, what is no force along the rows."""
        G, n = self.shares(), len(self.A[0])
        columns = list(zip(*self.A, strict=True))
        return [[int(i == j) - sum(a * g[j] for a, g in zip(columns[i], G, strict=True))
                 for j in range(n)] for i in range(n)]  # fmt: skip


def transposed_times(A: Matrix, f: Scalars) -> list[Scalar]:
    """Aᵀ f: the efforts that act as forces f along the rows of A do."""
    return [sum(a * x for a, x in zip(column, f, strict=True)) for column in zip(*A, strict=True)]


def _transposed(A: Matrix) -> Matrix:
    return [list(column) for column in zip(*A, strict=True)]
