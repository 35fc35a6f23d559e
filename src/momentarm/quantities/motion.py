"""Steps of motion."""

from __future__ import annotations

from momentarm.model.canonical import canonical
from momentarm.quantities.row import NUMBER, WRENCHES, N, Quantity, as_it_is, q, qd, tau

dt, q_to = ("dt", NUMBER), ("q_to", ("nq",))

ROWS = (
    Quantity("integrate", (q, qd, dt), (q_to,), {"by joint": "motion.integrate"}, as_it_is,
             "§8.5", needs_inertia=False),
    Quantity("difference", (q, q_to), (("u", N),), {"by joint": "motion.difference"}, as_it_is,
             "§8.5", needs_inertia=False),
    Quantity("step", (q, qd, tau, dt), (q_to, ("qd_to", N)),
             {"articulated bodies": "motion.by_articulated_bodies",
              "Newton–Euler, composite bodies, LᵀDL": "motion.by_mass_matrix"},
             canonical, "§8.5", WRENCHES["optional"], ("method", *WRENCHES["options"]),
             uncoupled=("articulated bodies",), solves=True),
)  # fmt: skip
