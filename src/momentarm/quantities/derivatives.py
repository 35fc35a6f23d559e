"""First derivatives of the dynamics."""

from __future__ import annotations

from momentarm.model.canonical import canonical
from momentarm.quantities.row import N_N, M, Quantity, q, qd, qdd, tau

ROWS = (
    Quantity("inverse_dynamics_derivatives", (q, qd, qdd),
             (("tau_D_q", N_N), ("tau_D_qd", N_N), M),
             {"composite responses": "derivatives.inverse_dynamics_derivatives"},
             canonical, "(8.77)"),
    Quantity("forward_dynamics_derivatives", (q, qd, tau),
             (("qdd_D_q", N_N), ("qdd_D_qd", N_N), ("M_inverse", N_N)),
             {"composite responses, LᵀDL": "derivatives.forward_dynamics_derivatives"},
             canonical, "(8.81)", solves=True),
)  # fmt: skip
