"""Momentum and centre of mass."""

from __future__ import annotations

from momentarm.model.canonical import aligned
from momentarm.quantities.row import SIX, Array, Quantity, physics, q, qd

_XYZ = (3,)


def _by_column(name: str, output: Array, equation: str) -> Quantity:
    """A column an element of q̇, each carried to the world by either way."""
    algorithms = {"inward": f"momentum.{name}", "by poses": f"momentum.{name}_by_poses"}
    return Quantity(name, (q,), (output,), algorithms, aligned, equation)


ROWS = (
    physics("momentum", (q, qd), ("p", SIX), "momentum", "(8.31)"),
    physics("center_of_mass", (q,), ("com", _XYZ), "momentum", "§8.2"),
    physics("center_of_mass_velocity", (q, qd), ("com_dot", _XYZ), "momentum", "§8.2"),
    _by_column("center_of_mass_jacobian", ("J_com", (3, "n")), "§8.2"),
    _by_column("centroidal_momentum_matrix", ("A", (6, "n")), "Orin 2013"),
    physics("centroidal_momentum_bias", (q, qd), ("A_dot_qd", SIX), "momentum", "Orin 2013"),
)
