"""Dynamics of a frame's twist. Each `pivot` says how near to singular J M⁻¹ Jᵀ was."""

from __future__ import annotations

from typing import Any

from momentarm.model.canonical import canonical
from momentarm.quantities.row import NUMBER, Arrays, Quantity, q, qd, tau

ROWS_, PIVOT = ("rows",), ("pivot", NUMBER)
forces = ("forces", ROWS_)


def _task(name: str, inputs: Arrays, outputs: Arrays, equation: str, **more: Any) -> Quantity:
    return Quantity(name, inputs, outputs, {"mobility": f"task_space.{name}"}, canonical, equation,
                    options=("frame", "reference", "rows"), **more)  # fmt: skip


_DAMPED: dict[str, Any] = {"optional": (("damping", NUMBER),), "solves": True}

ROWS = (
    _task("task_dynamics", (q, qd), (("Lambda", ("rows", "rows")), ("eta", ROWS_), PIVOT),
          "(8.90), (8.91)", **_DAMPED),
    _task("task_forces", (q, tau), (forces, PIVOT), "(8.89)", **_DAMPED),
    _task("task_efforts", (q, forces), (tau,), "(8.89)", needs_inertia=False),
    _task("dynamically_consistent_inverse", (q,), (("J_bar", ("n", "rows")), PIVOT),
          "Khatib 1987", **_DAMPED),
    _task("null_space_projector", (q,), (("N", ("n", "n")), PIVOT), "Khatib 1987", **_DAMPED),
)  # fmt: skip
