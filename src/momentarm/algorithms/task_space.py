"""Dynamics of a frame's twist 𝒱 = J q̇, or of some of its rows.

Rule 1  Λ = (J M⁻¹ Jᵀ)⁻¹, which is J⁻ᵀ M J⁻¹ (8.90) where J is square, and serves redundant arms.
Rule 2  All that divides says by its last result, the smallest relative pivot of J M⁻¹ Jᵀ, how near
        to singular that was; near 0 (rounding leaves about 1e-16) the numbers mean nothing. A
        damping λ makes it J M⁻¹ Jᵀ + λ² 1.
Source  Modern Robotics §8.6; Khatib 1987 for redundant arms.
"""

from __future__ import annotations

from collections.abc import Sequence

from momentarm.algorithms.frame_drift import frame_motions
from momentarm.algorithms.kinematics import jacobian
from momentarm.algorithms.mobility import Mobility, blocks, transposed_times
from momentarm.algorithms.newton_euler import bias_forces
from momentarm.algorithms.symmetric import Matrix, Scalars
from momentarm.model import Mechanism
from momentarm.spatial import ROWS, Scalar

Rows = Sequence[str] | None


def task_dynamics(
    m: Mechanism, q: Scalars, qd: Scalars, damping: Scalar = 0, *, frame: str,
    reference: str = "body", rows: Rows = None,
) -> tuple[Matrix, list[Scalar], Scalar]:  # fmt: skip
    """Λ and η = Λ (J M⁻¹ h − J̇ q̇) of ℱ = Λ 𝒱̇ + η, (8.89)–(8.91); the smallest pivot."""
    task = mobility(m, q, damping, frame=frame, reference=reference, rows=rows)
    drift = task_drift(m, q, qd, frame=frame, reference=reference, rows=rows)
    free = task.response(task.mass.half(bias_forces(m, q, qd)))
    eta = task.W.solved([a - b for a, b in zip(free, drift, strict=True)])
    return task.W.inverse(), eta, task.W.smallest_pivot


def task_drift(m: Mechanism, q: Scalars, qd: Scalars, *, frame: str, reference: str = "body",
               rows: Rows = None) -> list[Scalar]:  # fmt: skip
    """J̇ q̇: how the rows change at q̈ = 0, (8.84)."""
    (motion,) = frame_motions(m, q, qd, frames=[frame])
    six = dict(zip(ROWS, motion.drift(reference), strict=True))
    return [six[k] for k in rows or ROWS]


def task_forces(
    m: Mechanism, q: Scalars, tau: Scalars, damping: Scalar = 0, *, frame: str,
    reference: str = "body", rows: Rows = None,
) -> tuple[list[Scalar], Scalar]:  # fmt: skip
    """F = J̄ᵀ τ = Λ J M⁻¹ τ, the forces that move the frame as τ does: J⁻ᵀ τ in (8.89)."""
    task = mobility(m, q, damping, frame=frame, reference=reference, rows=rows)
    return task.W.solved(task.response(task.mass.half(tau))), task.W.smallest_pivot


def task_efforts(m: Mechanism, q: Scalars, forces: Scalars, *, frame: str,
                 reference: str = "body", rows: Rows = None) -> list[Scalar]:  # fmt: skip
    """τ = Jᵀ F, the efforts that act as forces F along the rows do."""
    J = jacobian(m, q, frame=frame, reference=reference, rows=rows)
    return transposed_times(J, forces)


def dynamically_consistent_inverse(
    m: Mechanism, q: Scalars, damping: Scalar = 0, *, frame: str, reference: str = "body",
    rows: Rows = None,
) -> tuple[Matrix, Scalar]:  # fmt: skip
    """J̄ = M⁻¹ Jᵀ Λ, with J J̄ = 1: of all q̇ with J q̇ = 𝒱 that of least kinetic energy."""
    task = mobility(m, q, damping, frame=frame, reference=reference, rows=rows)
    return [list(column) for column in zip(*task.shares(), strict=True)], task.W.smallest_pivot


def null_space_projector(
    m: Mechanism, q: Scalars, damping: Scalar = 0, *, frame: str, reference: str = "body",
    rows: Rows = None,
) -> tuple[Matrix, Scalar]:  # fmt: skip
    """N = 1 − Jᵀ J̄ᵀ: efforts N τ do not accelerate the rows, J M⁻¹ N = 0."""
    task = mobility(m, q, damping, frame=frame, reference=reference, rows=rows)
    return task.remainder(), task.W.smallest_pivot


def mobility(m: Mechanism, q: Scalars, damping: Scalar = 0, *, frame: str,
             reference: str = "body", rows: Rows = None) -> Mobility:  # fmt: skip
    """J M⁻¹ Jᵀ and what belongs to it."""
    six, chosen = jacobian(m, q, frame=frame, reference=reference), rows or ROWS
    J = [six[ROWS.index(k)] for k in chosen]
    return Mobility.of(m, q, J, blocks(six, chosen), damping)
