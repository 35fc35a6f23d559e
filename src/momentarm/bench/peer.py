"""Pinocchio, given our robot's numbers, checked to compute the same, asked in its fastest way.

Rule 1  Nothing is timed before torques, mass matrix and accelerations agree to `AGREE`.
Rule 2  Arrays are laid out as it likes them: (n, N) in Fortran order, results preallocated.
"""

from __future__ import annotations

import importlib
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from momentarm.bench.clock import Contender, fastest
from momentarm.bench.subjects import Array, states
from momentarm.bench.urdf_text import urdf_text
from momentarm.robot import Robot

AGREE = 1e-12


class Disagreement(AssertionError):
    """The two libraries do not compute the same: no ratio of theirs means anything."""


@dataclass(frozen=True)
class Pinocchio:
    pin: Any
    model: Any
    data: Any
    pool: Any

    @classmethod
    def of(cls, robot: Robot) -> Pinocchio | None:
        """With the robot's numbers, checked; None if Pinocchio is not installed."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what it says on import is its own affair
                pin = importlib.import_module("pinocchio")
        except ImportError:
            return None
        model = pin.buildModelFromXML(urdf_text(robot.mechanism))
        model.gravity.linear = robot.gravity
        if tuple(model.names)[1:] != robot.joint_names:
            raise Disagreement(f"joints {tuple(model.names)[1:]}, expected {robot.joint_names}")
        peer = cls(pin, model, model.createData(), pin.ModelPool(model, 1))
        if (worst := max(peer.differences(robot).values())) > AGREE:
            raise Disagreement(f"{robot.name}: results differ by {worst:.1e}, more than {AGREE}")
        return peer

    def differences(self, robot: Robot, count: int = 16) -> dict[str, float]:
        """Largest normwise differences; those of accelerations over the condition of M."""
        worst = dict.fromkeys(("tau", "M", "qdd"), 0.0)
        for q, qd, x in zip(*states(robot, count, seed=7), strict=True):
            M = np.triu(self.pin.crba(self.model, self.data, q))
            M = M + np.triu(M, 1).T
            theirs = {"tau": self.pin.rnea(self.model, self.data, q, qd, x), "M": M,
                      "qdd": self.pin.aba(self.model, self.data, q, qd, x)}  # fmt: skip
            ours = {"tau": robot.inverse_dynamics(q, qd, x), "M": robot.mass_matrix(q),
                    "qdd": robot.forward_dynamics(q, qd, x)}  # fmt: skip
            condition = {"tau": 1, "M": 1, "qdd": np.linalg.cond(M)}
            for k in worst:
                relative = normwise(ours[k], theirs[k]) / condition[k]
                worst[k] = max(worst[k], float(relative))
        return worst

    def batch(self, function: str, *arrays: Array) -> Contender:
        """`rneaInParallel` or `abaInParallel` on one thread."""
        columns = [np.asfortranarray(a.T) for a in arrays]
        out = np.empty_like(columns[0])
        names = {"f": getattr(self.pin, function), "pool": self.pool, "out": out}
        names |= dict(zip("qvx", columns, strict=True))
        return Contender("f(1, pool, q, v, x, out)", names, scale=len(arrays[0]))

    def loop(self, function: str, q: Array) -> Contender:
        """A function of q alone, called from Python for each row."""
        statements = {"": "for row in rows: f(model, data, row)",
                      "WORLD": "for row in rows: f(model, data, row, world)"}  # fmt: skip
        return self._fastest(function, statements, {"rows": [*q.copy()]}, len(q))

    def call(self, function: str, *state: Array) -> Contender:
        """A function of one state, called from Python."""
        usual = "f(model, data, q, v, x)"
        statements = {"": usual}
        if function == "aba":  # the only one of the two with a choice of frames
            statements["WORLD"] = "f(model, data, q, v, x, world)"
        names = dict(zip("qvx", (a.copy() for a in state), strict=True))
        return self._fastest(function, statements, names, 1)

    def _fastest(self, function: str, statements: dict[str, str], names: dict[str, Any],
                 scale: int) -> Contender:  # fmt: skip
        names |= {"f": getattr(self.pin, function), "model": self.model, "data": self.data,
                  "world": self.pin.Convention.WORLD}  # fmt: skip
        contenders = {k: Contender(s, names, scale) for k, s in statements.items()}
        return contenders[fastest(contenders)]


def normwise(found: Any, expected: Any) -> float:
    """max |x - y| / max |y|."""
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))
