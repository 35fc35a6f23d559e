"""The mathematical model in state space."""

from __future__ import annotations

from momentarm.model.canonical import canonical
from momentarm.quantities.row import WRENCHES, Quantity, tau

x, xd = ("x", ("state",)), ("xd", ("state",))

ROWS = (
    Quantity("state_rate", (x, tau), (xd,),
             {"articulated bodies": "state.by_articulated_bodies",
              "Newton–Euler, composite bodies, LᵀDL": "state.by_mass_matrix",
              "Newton–Euler, composite bodies halfway, LᵀDL": "state.by_mass_matrix_halfway"},
             canonical, "(7.45)", uncoupled=("articulated bodies",), solves=True,
             **WRENCHES),
)  # fmt: skip
