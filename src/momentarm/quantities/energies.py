"""Energies of the whole robot."""

from __future__ import annotations

from momentarm.quantities.row import NUMBER, physics, q, qd

ROWS = (
    physics("kinetic_energy", (q, qd), ("T", NUMBER), "energy", "(8.55)"),
    physics("potential_energy", (q,), ("V", NUMBER), "energy", "§8.1"),
    physics("lagrangian", (q, qd), ("L", NUMBER), "energy", "(8.13)"),
)
