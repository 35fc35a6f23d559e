"""A smooth motion between poses, its torques, and the motion back from them.

Quintic polynomials from pose to pose, at rest in each (Modern Robotics, 9.2.2.2). The way back is
twice: forward dynamics of each state, and from the first state alone by Runge–Kutta integration of
the torques, linear between samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from momentarm.robot import Robot

Array = NDArray[np.floating[Any]]

POSES = (  # rad
    (0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785),
    (1.15, 0.1, 0.2, -0.9, 0.4, 2.3, 1.9),
    (-0.95, 0.75, -0.2, -1.7, -0.5, 2.6, -0.2),
    (0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785),
)
LEG, STEP = 2.0, 0.001  # seconds from pose to pose, and from sample to sample
INTEGRATED = 1.0  # seconds


@dataclass(frozen=True)
class Motion:
    """States along the way; all arrays but `t` of shape (N, n)."""

    t: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array

    @property
    def peaks(self) -> list[float]:
        """The largest torque of each joint."""
        return [float(x) for x in np.abs(self.tau).max(axis=0)]


@dataclass(frozen=True)
class Recovery:
    """The motion from its torques: q̈ of every state, and q(t), integrated."""

    qdd: Array
    qdd_error: Array
    t: Array
    q: Array
    q_error: Array

    @property
    def acceleration_error(self) -> float:
        return float(np.abs(self.qdd_error).max())

    @property
    def position_error(self) -> float:
        return float(np.abs(self.q_error).max())


def motion(arm: Robot) -> Motion:
    """The motion and its torques: inverse dynamics of all states at once."""
    poses = np.array(POSES)
    per_leg = round(LEG / STEP)
    s = np.arange(per_leg) / per_leg
    legs = [_leg(a, b, s) for a, b in pairwise(poses)]
    end = _leg(poses[-2], poses[-1], np.ones(1))
    q, qd, qdd = (np.concatenate(parts) for parts in zip(*legs, end, strict=True))
    t = np.arange(len(q)) * STEP
    return Motion(t, q, qd, qdd, arm.inverse_dynamics(q, qd, qdd))


def _leg(a: Array, b: Array, s: Array) -> tuple[Array, Array, Array]:
    """Position, velocity and acceleration from pose a to pose b; s from 0 to 1."""
    s = s[:, None]
    d = b - a
    return (
        a + d * (s**3 * (10 - s * (15 - 6 * s))),
        d * (30 * s**2 * (1 - s) ** 2) / LEG,
        d * (60 * s * (1 - s) * (1 - 2 * s)) / LEG**2,
    )


def recovery(arm: Robot, along: Motion) -> Recovery:
    """Both ways back, and how far they are from the motion."""
    qdd = arm.forward_dynamics(along.q, along.qd, along.tau)
    steps = round(INTEGRATED / STEP)
    q = integrated(arm, along.q[0], along.qd[0], along.tau[: steps + 1])
    return Recovery(qdd, qdd - along.qdd, along.t[: steps + 1], q, q - along.q[: steps + 1])


def integrated(arm: Robot, q: Array, qd: Array, tau: Array) -> Array:
    """q at every sample, by the classical fourth-order Runge–Kutta method."""
    f, h = arm.forward_dynamics, STEP
    path = [q]
    for now, then in pairwise(tau):
        half = (now + then) / 2
        a1 = f(q, qd, now)
        v2 = qd + h / 2 * a1
        a2 = f(q + h / 2 * qd, v2, half)
        v3 = qd + h / 2 * a2
        a3 = f(q + h / 2 * v2, v3, half)
        v4 = qd + h * a3
        a4 = f(q + h * v3, v4, then)
        q = q + h / 6 * (qd + 2 * v2 + 2 * v3 + v4)
        qd = qd + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        path.append(q)
    return np.array(path)
