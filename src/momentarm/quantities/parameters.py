"""The dynamics as a linear function of the robot's numbers."""

from __future__ import annotations

from momentarm.model.canonical import aligned
from momentarm.quantities.row import Quantity, by_body, q, qd, qdd

ROWS = (
    Quantity("regressor", (q, qd, qdd), (("Y", ("n", "bodies")),),
             {"axes outward": "regressor.regressor"}, by_body, "Atkeson 1986"),
    Quantity("base_regressor", (q, qd, qdd), (("Y", ("n", "columns")),),
             {"axes outward": "regressor.base_regressor"}, by_body, "Atkeson 1986",
             options=("columns",)),
    Quantity("drive_regressor", (qd, qdd), (("Y", ("n", "drives")),),
             {"own axes": "regressor.drive_regressor"}, aligned, "Fig. 8.15",
             needs_inertia=False),
)  # fmt: skip
