"""The dynamics of a frame's twist, or of some of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking, Threads
from momentarm.kernels.kernel import Kernel
from momentarm.spatial import ROWS
from momentarm.twists import no_twist


class TaskSpace(Asking):
    """𝒱 = J q̇ of a frame (the tip by default); `reference` and `rows` are those of `jacobian`.

    What divides returns last its smallest pivot, relative to the largest of the frame's turns or
    places. Where it is not above rounding (say 1e-10; it is NaN after a pivot of exactly 0),
    J M⁻¹ Jᵀ is singular and the numbers mean nothing. A `damping` λ, one number or one a state,
    makes it J M⁻¹ Jᵀ + λ² 1.
    """

    def task_dynamics(self, q: ArrayLike, qd: ArrayLike, *, frame: str | None = None,
                      reference: str = "body", rows: Sequence[str] | None = None,
                      damping: ArrayLike | None = None, out: Any = None, dtype: Any = None,
                      threads: Threads = None) -> Any:  # fmt: skip
        """(Λ, η, pivot) of ℱ = Λ 𝒱̇ + η (8.89): masses [kg, kg m, kg m²] and forces [N, N m].

        Λ = (J M⁻¹ Jᵀ)⁻¹, which is J⁻ᵀ M J⁻¹ (8.90) for as many rows as joints, and
        η = Λ (J M⁻¹ h − J̇ q̇), (8.91), gravity included, friction apart.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> arm = ma.robots.planar_2r()
        >>> mass, eta, pivot = arm.task_dynamics([0, np.pi / 2], [0, 0], reference="world",
        ...                                      rows=("x", "y"))
        >>> mass.round(12) + 0, eta.round(12) + 0, float(pivot.round(12))
        (array([[1., 0.],
               [0., 2.]]), array([ 0.  , 19.62]), 0.5)
        """
        return self._run("task_dynamics", (q, qd), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows, damping=damping)  # fmt: skip

    def task_forces(self, q: ArrayLike, tau: ArrayLike, *, frame: str | None = None,
                    reference: str = "body", rows: Sequence[str] | None = None,
                    damping: ArrayLike | None = None, out: Any = None, dtype: Any = None,
                    threads: Threads = None) -> Any:  # fmt: skip
        """(F, pivot): the forces along the rows that move the frame as τ does, F = J̄ᵀ τ.

        J⁻ᵀ τ for as many rows as joints (8.89); what is lost, N τ, moves other parts only.
        """
        return self._run("task_forces", (q, tau), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows, damping=damping)  # fmt: skip

    def task_efforts(self, q: ArrayLike, forces: ArrayLike, *, frame: str | None = None,
                     reference: str = "body", rows: Sequence[str] | None = None, out: Any = None,
                     dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """τ = Jᵀ F [N m or N]: the efforts that act on the frame as forces F along the rows do."""
        given = no_twist("task_efforts(forces)", forces)
        return self._run("task_efforts", (q, given), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows)  # fmt: skip

    def dynamically_consistent_inverse(
        self, q: ArrayLike, *, frame: str | None = None, reference: str = "body",
        rows: Sequence[str] | None = None, damping: ArrayLike | None = None, out: Any = None,
        dtype: Any = None, threads: Threads = None,
    ) -> Any:  # fmt: skip
        """(J̄, pivot), J̄ = M⁻¹ Jᵀ Λ (n, rows): q̇ = J̄ 𝒱 has the least kinetic energy."""
        return self._run("dynamically_consistent_inverse", (q,), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows, damping=damping)  # fmt: skip

    def null_space_projector(
        self, q: ArrayLike, *, frame: str | None = None, reference: str = "body",
        rows: Sequence[str] | None = None, damping: ArrayLike | None = None, out: Any = None,
        dtype: Any = None, threads: Threads = None,
    ) -> Any:  # fmt: skip
        """(N, pivot), N = 1 − Jᵀ J̄ᵀ (n, n): efforts N τ move the robot, but not along the rows."""
        return self._run("null_space_projector", (q,), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows, damping=damping)  # fmt: skip


def check_rows(kernel: Kernel, n: int) -> None:
    """Refuse the kernel of one quantity that divides by J M⁻¹ Jᵀ where this is always singular."""
    made = kernel.recipe
    if "pivot" in made.outputs and "damping" not in made.inputs:
        must_be_independent(made.name, made.options["rows"], n, ", or give a damping")


def must_be_independent(name: str, rows: Sequence[str] | None, n: int, hint: str = "") -> None:
    """Refuse more rows than joints, whose J M⁻¹ Jᵀ is singular in every state."""
    if (count := len(rows or ROWS)) > n:
        raise ValueError(
            f"{name}(rows): {count} rows of {n} degrees of freedom are never independent; "
            f"choose some, as rows=('x', 'y'){hint}"
        )
