"""Dynamics of a robot whose rates obey A(q) q̇ = 0.

Rule 1  Signs are the book's (8.93): τ = M q̈ + h + Aᵀ λ, so that λ is what the robot applies **to**
        its constraints. Friction of the joints stands beside h, as in the free robot's dynamics.
Rule 2  `b` is what A q̈ + b = 0 needs: Ȧ q̇, perhaps with terms that pull drift back.
Rule 3  No pivoting: the last result of what divides is the smallest relative pivot of A M⁻¹ Aᵀ.
        Where it is near 0 rows depend on each other, and λ is not to be used. `kin` says which
        rows are measured by which (`mobility`).
Source  Modern Robotics §8.7; Baumgarte 1972.
"""

from __future__ import annotations

from collections.abc import Sequence

from momentarm.algorithms import newton_euler
from momentarm.algorithms.mobility import Block, Mobility, transposed_times
from momentarm.algorithms.symmetric import Matrix, Scalars, factored, smaller
from momentarm.algorithms.task_space import Rows, mobility
from momentarm.model import Mechanism
from momentarm.spatial import Scalar


def forward_dynamics(m: Mechanism, A: Matrix, b: Scalars, q: Scalars, qd: Scalars,
                     tau: Scalars, kin: Sequence[Block] = (),
                     ) -> tuple[list[Scalar], list[Scalar], Scalar]:  # fmt: skip
    """q̈ by (8.96) and λ = (A M⁻¹ Aᵀ)⁻¹ (A M⁻¹ (τ − h) + Ȧ q̇), (8.98)."""
    h, friction = newton_euler.bias_forces(m, q, qd), newton_euler.friction_forces(m, qd)
    free = [t - x - y for t, x, y in zip(tau, h, friction, strict=True)]
    along = Mobility.of(m, q, A, kin)
    half = along.mass.half(free)
    multipliers = along.W.solved([x + y for x, y in zip(along.response(half), b, strict=True)])
    for row, x in zip(along.halves, multipliers, strict=True):
        half = [y - x * a for y, a in zip(half, row, strict=True)]
    return along.mass.accelerations(half), multipliers, along.W.smallest_pivot


def inverse_dynamics(m: Mechanism, A: Matrix, q: Scalars, qd: Scalars, qdd: Scalars,
                     multipliers: Scalars) -> list[Scalar]:  # fmt: skip
    """τ = M q̈ + h + friction + Aᵀ λ, (8.93)."""
    tau = newton_euler.inverse_dynamics(m, q, qd, qdd)
    return [t + x for t, x in zip(tau, transposed_times(A, multipliers), strict=True)]


def violation(A: Matrix, b: Scalars, qdd: Scalars) -> list[Scalar]:
    """A q̈ + Ȧ q̇, which is 0 for accelerations that the constraints allow, (8.95)."""
    return [_dot(row, qdd) + x for row, x in zip(A, b, strict=True)]


def violation_scale(A: Matrix, b: Scalars, qdd: Scalars) -> list[Scalar]:
    """The sum of the sizes of its terms: what a violation is measured by."""
    sizes = [abs(x) for x in qdd]
    return [_dot([abs(a) for a in row], sizes) + abs(x) for row, x in zip(A, b, strict=True)]


def allowed_accelerations(m: Mechanism, A: Matrix, b: Scalars, q: Scalars, qdd: Scalars,
                          kin: Sequence[Block] = ()) -> tuple[list[Scalar], Scalar]:  # fmt: skip
    """P_q̈ q̈ − M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ Ȧ q̇: the nearest q̈ with A q̈ + Ȧ q̇ = 0, by M."""
    along = Mobility.of(m, q, A, kin)
    forces = along.W.solved(violation(A, b, qdd))
    away = along.mass.accelerations(along.mass.half(along.efforts(forces)))
    return [x - y for x, y in zip(qdd, away, strict=True)], along.W.smallest_pivot


def projectors(m: Mechanism, A: Matrix, q: Scalars,
               kin: Sequence[Block] = ()) -> tuple[Matrix, Matrix, Scalar]:  # fmt: skip
    """P = 1 − Aᵀ (A M⁻¹ Aᵀ)⁻¹ A M⁻¹ (8.100), and P_q̈ = M⁻¹ P M = Pᵀ (8.102)."""
    along = Mobility.of(m, q, A, kin)
    P = along.remainder()
    return P, [list(column) for column in zip(*P, strict=True)], along.W.smallest_pivot


def split_efforts(m: Mechanism, A: Matrix, q: Scalars, tau: Scalars, kin: Sequence[Block] = (),
                  ) -> tuple[list[Scalar], list[Scalar], Scalar]:  # fmt: skip
    """τ = P τ + (1 − P) τ: what moves the robot, and what it presses against its constraints."""
    along = Mobility.of(m, q, A, kin)
    against = along.efforts(along.W.solved(along.response(along.mass.half(tau))))
    moving = [t - x for t, x in zip(tau, against, strict=True)]
    return moving, against, along.W.smallest_pivot


def constraint_wrench(m: Mechanism, A: Matrix, q: Scalars, multipliers: Scalars, *, frame: str,
                      reference: str = "body",
                      rows: Rows = None) -> tuple[list[Scalar], Scalar]:  # fmt: skip
    """F with Jᵀ F = Aᵀ λ: what a frame applies to the constraints, J⁻ᵀ Aᵀ λ after (8.98).

    J̄ᵀ stands for J⁻ᵀ, so that J need not be square.
    """
    task = mobility(m, q, frame=frame, reference=reference, rows=rows)
    tau = transposed_times(A, multipliers)
    return task.W.solved(task.response(task.mass.half(tau))), task.W.smallest_pivot


def multipliers_of(m: Mechanism, A: Matrix, q: Scalars, forces: Scalars, *, frame: str,
                   reference: str = "body",
                   rows: Rows = None) -> tuple[list[Scalar], Scalar]:  # fmt: skip
    """λ = (J⁻ᵀ Aᵀ)⁺ F of a force F wanted against the constraints, after (8.98)."""
    task = mobility(m, q, frame=frame, reference=reference, rows=rows)
    B = [task.W.solved(task.response(task.mass.half(row))) for row in A]  # (J⁻ᵀ Aᵀ)ᵀ
    normal = factored([[_dot(x, y) for y in B] for x in B])
    status = smaller(task.W.smallest_pivot, normal.smallest_pivot)
    return normal.solved([_dot(row, forces) for row in B]), status


def stabilized(A: Matrix, bias: Scalars, errors: Scalars, qd: Scalars, damping: Scalar,
               stiffness: Scalar) -> list[Scalar]:  # fmt: skip
    """Ȧ q̇ + 2 α A q̇ + β² φ: φ then decays as an oscillator of these rates does (Baumgarte)."""
    return [x + 2 * damping * _dot(row, qd) + stiffness * stiffness * phi
            for row, x, phi in zip(A, bias, errors, strict=True)]  # fmt: skip


def _dot(a: Scalars, b: Scalars) -> Scalar:
    return sum(x * y for x, y in zip(a, b, strict=True))
