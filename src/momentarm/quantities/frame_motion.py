"""How frames move."""

from __future__ import annotations

from momentarm.quantities.row import physics, q, qd, qdd

_FRAME = {"options": ("frame", "reference", "rows"), "needs_inertia": False}
ROWS_ = ("rows",)

ROWS = (
    physics("frame_velocity", (q, qd), ("V", ROWS_), "frame_motion", "(8.45)", **_FRAME),
    physics("frame_acceleration", (q, qd, qdd), ("V_dot", ROWS_), "frame_motion", "(8.46)",
            **_FRAME),
    physics("jacobian_dot", (q, qd), ("J_dot", ("rows", "n")), "frame_motion", "Exercise 8.6",
            **_FRAME),
    physics("acceleration_terms", (q,), ("H", (3, "n", "n")), "frame_motion", "(8.12)",
            options=("frame",), needs_inertia=False),
)  # fmt: skip
