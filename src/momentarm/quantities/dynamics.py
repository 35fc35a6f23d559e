"""Efforts from motion and motion from efforts."""

from __future__ import annotations

from momentarm.model.canonical import canonical
from momentarm.quantities.row import WRENCHES, M, Quantity, effort, q, qd, qdd, tau, wrench

_FD = {
    "articulated bodies": "forward_dynamics.by_articulated_bodies",  # first: it is never long
    "Newton–Euler, composite bodies, LᵀDL": "forward_dynamics.by_mass_matrix",
    "Newton–Euler, composite bodies halfway, LᵀDL": "forward_dynamics.by_mass_matrix_halfway",
}
_M = {
    "composite bodies": "composite.mass_matrix",
    "composite bodies, halfway": "composite.mass_matrix_halfway",
}

ROWS = (
    effort("inverse_dynamics", (q, qd, qdd), "(8.77)", **WRENCHES,
           slopes="inverse_dynamics_derivatives"),
    Quantity("forward_dynamics", (q, qd, tau), (qdd,), _FD, canonical, "(8.81)",
             uncoupled=("articulated bodies",), **WRENCHES,
             slopes="forward_dynamics_derivatives", solves=True),
    Quantity("mass_matrix", (q,), (M,), _M, canonical, "(8.78)"),
    effort("bias_forces", (q, qd), "(8.2)"),
    effort("coriolis_forces", (q, qd), "(8.79)"),
    effort("gravity_forces", (q,), "(8.80)"),
    effort("friction_forces", (qd,), "Fig. 8.15", needs_inertia=False),
    effort("tip_forces", (q, wrench), "(8.77)", needs_inertia=False),
)  # fmt: skip
