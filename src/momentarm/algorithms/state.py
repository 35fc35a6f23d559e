"""The mathematical model in state space: ẋ = f(x, u) with x = (q, q̇) and u = τ.

Source  Angeles, Fundamentals of Robotic Mechanical Systems, (7.45) and (7.46).
Rule    x has the elements of q, then those of q̇. A quaternion's part of ẋ is the rate of its
        elements, so that any solver of ordinary differential equations may add ẋ to x.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from momentarm.algorithms import forward_dynamics, motion
from momentarm.algorithms.newton_euler import Scalars
from momentarm.model import Mechanism
from momentarm.spatial import Scalar

Rates = list[Scalar]


def by_articulated_bodies(m: Mechanism, x: Scalars, tau: Scalars, *outside: Any,
                          **more: Any) -> Rates:  # fmt: skip
    """ẋ = (q̇, q̈), with q̈ by articulated bodies."""
    return _rates(m, x, tau, forward_dynamics.by_articulated_bodies, *outside, **more)


def by_mass_matrix(m: Mechanism, x: Scalars, tau: Scalars, *outside: Any, **more: Any) -> Rates:
    """The same, with q̈ by the mass matrix."""
    return _rates(m, x, tau, forward_dynamics.by_mass_matrix, *outside, **more)


def by_mass_matrix_halfway(m: Mechanism, x: Scalars, tau: Scalars, *outside: Any,
                           **more: Any) -> Rates:  # fmt: skip
    """The same, with M's axes and forces meeting halfway."""
    return _rates(m, x, tau, forward_dynamics.by_mass_matrix_halfway, *outside, **more)


def _rates(m: Mechanism, x: Scalars, tau: Scalars, accelerations: Callable[..., Rates],
           *outside: Any, **more: Any) -> Rates:  # fmt: skip
    q, qd = x[: m.nq], x[m.nq :]
    return [*motion.coordinate_rates(m, q, qd), *accelerations(m, q, qd, tau, *outside, **more)]
