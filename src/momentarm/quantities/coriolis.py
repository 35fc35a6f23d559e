"""The mass matrix inverted and in motion, and what the motion of one joint does to another."""

from __future__ import annotations

from momentarm.model.canonical import canonical
from momentarm.quantities.row import N_N, Quantity, q, qd

_INVERSE = {
    "composite bodies, LᵀDL": "composite.mass_matrix_inverse",
    "composite bodies halfway, LᵀDL": "composite.mass_matrix_inverse_halfway",
}
_RATE = {
    "composite bodies": "coriolis.mass_matrix_dot",
    "composite bodies, halfway": "coriolis.mass_matrix_dot_halfway",
}
_CORIOLIS = {
    "flows of composite bodies": "coriolis.coriolis_matrix",
    "flows of composite bodies, midway": "coriolis.coriolis_matrix_midway",
    "Christoffel symbols": "christoffel.coriolis_matrix",
}
_CHRISTOFFEL = {
    "flows of unit rates": "christoffel.christoffel",
    "flows of unit rates, midway": "christoffel.christoffel_midway",
}

ROWS = (
    Quantity("mass_matrix_inverse", (q,), (("M_inverse", N_N),), _INVERSE, canonical, "(8.81)",
             solves=True),
    Quantity("mass_matrix_dot", (q, qd), (("M_dot", N_N),), _RATE, canonical, "Exercise 8.7"),
    Quantity("coriolis_matrix", (q, qd), (("C", N_N),), _CORIOLIS, canonical, "(8.19)",
             holonomic=("Christoffel symbols",)),
    Quantity("christoffel", (q,), (("Gamma", ("n", "n", "n")),), _CHRISTOFFEL, canonical,
             "(8.17)"),
)  # fmt: skip
