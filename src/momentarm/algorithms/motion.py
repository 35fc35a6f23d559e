"""Steps of motion: displacements of coordinates, and the equation of motion in time.

Rule 1  A displacement is along rates: of a quaternion's joint in the axes of its link.
Rule 2  Steps in time add coordinates as numbers. A quaternion's length then drifts by what a step
        neglects; it stands for the same rotation, and `integrate` keeps it.
Source  Euler's step and its refinement, Modern Robotics §8.5; Runge and Kutta's of order four.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from momentarm.algorithms import forward_dynamics
from momentarm.algorithms.newton_euler import Scalars
from momentarm.model import Mechanism, coordinates
from momentarm.spatial import Scalar

State = tuple[list[Scalar], list[Scalar]]
Accelerations = Callable[[Scalars, Scalars], list[Scalar]]  # q̈ of (q, q̇)


def integrate(m: Mechanism, q: Scalars, qd: Scalars, dt: Scalar) -> list[Scalar]:
    """Where constant rates lead in a time: q ⊕ q̇ dt."""
    return coordinates.moved(m, q, [rate * dt for rate in qd])


def difference(m: Mechanism, q: Scalars, q_to: Scalars) -> list[Scalar]:
    """The rates that lead from q to q_to in one second: q_to ⊖ q."""
    return coordinates.between(m, q, q_to)


def coordinate_rates(m: Mechanism, q: Scalars, qd: Scalars) -> list[Scalar]:
    """How fast the coordinates change: q̇, but for quaternions."""
    found: list[Scalar] = [0] * m.nq
    for column, rate in zip(coordinates.tangents(m, q), qd, strict=True):
        for k, x in column.items():
            found[k] = found[k] + x * rate
    return found


def by_articulated_bodies(
    m: Mechanism, q: Scalars, qd: Scalars, tau: Scalars, dt: Scalar, *outside: Any,
    method: str = "rk4", **more: Any,
) -> State:  # fmt: skip
    """(q, q̇) after a step of a method, efforts and wrenches constant over it."""
    f = forward_dynamics.by_articulated_bodies
    return METHODS[method](m, q, qd, dt, lambda q, qd: f(m, q, qd, tau, *outside, **more))


def by_mass_matrix(
    m: Mechanism, q: Scalars, qd: Scalars, tau: Scalars, dt: Scalar, *outside: Any,
    method: str = "rk4", **more: Any,
) -> State:  # fmt: skip
    """The same, accelerations by the mass matrix."""
    f = forward_dynamics.by_mass_matrix
    return METHODS[method](m, q, qd, dt, lambda q, qd: f(m, q, qd, tau, *outside, **more))


def _euler_step(m: Mechanism, q: Scalars, qd: Scalars, dt: Scalar, f: Accelerations) -> State:
    """q + q̇ dt and q̇ + q̈ dt, the first-order step of §8.5."""
    return _ahead(q, coordinate_rates(m, q, qd), dt), _ahead(qd, f(q, qd), dt)


def _runge_kutta_step(m: Mechanism, q: Scalars, qd: Scalars, dt: Scalar, f: Accelerations) -> State:
    """The classical step of order four."""
    slopes: list[State] = []
    at: State = (list(q), list(qd))
    for share in (2, 2, 1, None):
        slopes.append((coordinate_rates(m, *at), f(*at)))
        if share is not None:
            at = _ahead(q, slopes[-1][0], dt / share), _ahead(qd, slopes[-1][1], dt / share)
    places, rates = (_weighted(*x) for x in zip(*slopes, strict=True))
    return _ahead(q, places, dt / 6), _ahead(qd, rates, dt / 6)


METHODS = {"euler": _euler_step, "rk4": _runge_kutta_step}


def _ahead(x: Scalars, rates: Scalars, dt: Scalar) -> list[Scalar]:
    return [a + rate * dt for a, rate in zip(x, rates, strict=True)]


def _weighted(a: Scalars, b: Scalars, c: Scalars, d: Scalars) -> list[Scalar]:
    return [w + 2 * (x + y) + z for w, x, y, z in zip(a, b, c, d, strict=True)]
