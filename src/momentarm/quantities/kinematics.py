"""Where frames are and how they move."""

from __future__ import annotations

from momentarm.model.canonical import aligned
from momentarm.quantities.row import POSE, Quantity, physics, q

ROWS = (
    physics("forward_kinematics", (q,), ("T", POSE), "kinematics", "(8.50)",
            options=("frame",), needs_inertia=False),
    physics("link_poses", (q,), ("T", ("frames", 4, 4)), "kinematics", "(8.50)",
            needs_inertia=False),
    Quantity("jacobian", (q,), (("J", ("rows", "n")),),
             {"recursive": "kinematics.jacobian", "by poses": "kinematics.jacobian_by_poses"},
             aligned, "(8.56)", options=("frame", "reference", "rows"), needs_inertia=False),
)  # fmt: skip
