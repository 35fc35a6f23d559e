"""The robots and states that are measured, the same in every run."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from momentarm import robots
from momentarm.robot import Robot

Array = NDArray[np.float64]
STATES = 4096
LARGE = 1_000_000


def bundled(name: str) -> Robot:
    """A bundled robot without friction and rotors."""
    return robots.__getattr__(name)().ideal


def general_arm(n: int, seed: int = 0) -> Robot:
    """n revolute joints, every number general; gravity along joint 1, the base's frame on it."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        reach = dict(zip(("alpha", "a", "d"), rng.uniform(0.1, 0.6, 3).tolist(), strict=True))
        turn = dict.fromkeys(reach, 0) if i == 0 else reach
        rows.append(turn | {"theta": 0, "type": "revolute"} | body(rng))
    return Robot.from_dh(rows, "modified", name=f"general {n}R")


def body(rng: np.random.Generator) -> dict[str, Any]:
    """Mass, centre of mass and inertia of a cloud of points."""
    mass = rng.uniform(0.5, 2)
    A = rng.uniform(-0.2, 0.2, (3, 3))
    E = mass * (A @ A.T + 0.01 * np.eye(3))
    I = np.trace(E) * np.eye(3) - E
    return {"mass": float(mass), "com": rng.uniform(-0.2, 0.2, 3).tolist(),
            "inertia": ((I + I.T) / 2).tolist()}  # fmt: skip


def states(robot: Robot, count: int, seed: int = 1) -> tuple[Array, Array, Array]:
    """(q, q̇, q̈) as row-major arrays of shape (count, n)."""
    rng = np.random.default_rng(seed)
    shape = (count, robot.n)
    q, qd, qdd = (rng.uniform(-s, s, shape) for s in (np.pi, 2.0, 5.0))
    return q, qd, qdd
