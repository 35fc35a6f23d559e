"""Pinocchio, given our robot's numbers, checked to compute the same, asked in its fastest way.

Rule 1  Nothing is timed before torques, mass matrix and accelerations agree to `AGREE`.
Rule 2  Of its ways to do a thing (layout of arrays, whose output, which frames) the fastest one
        races; the single calls get preallocated arguments.
"""

from __future__ import annotations

import importlib
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from momentarm.bench.clock import Contender, fastest
from momentarm.bench.norm import normwise
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
        if (pin := cls.library()) is None:
            return None
        model = pin.buildModelFromXML(urdf_text(robot.mechanism))
        model.gravity.linear = robot.gravity
        if tuple(model.names)[1:] != robot.joint_names:
            raise Disagreement(f"joints {tuple(model.names)[1:]}, expected {robot.joint_names}")
        peer = cls(pin, model, model.createData(), pin.ModelPool(model, 1))
        if (worst := max(peer.differences(robot).values())) > AGREE:
            raise Disagreement(f"{robot.name}: results differ by {worst:.1e}, more than {AGREE}")
        return peer

    @staticmethod
    def library() -> Any:
        """Pinocchio itself; None if it is not installed."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what it says on import is its own affair
                return importlib.import_module("pinocchio")
        except ImportError:
            return None

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
        """`rneaInParallel` or `abaInParallel` on one thread, in the layout that it does best in."""
        names = {"f": getattr(self.pin, function), "pool": self.pool}
        columns = dict(zip("qvx", (np.asfortranarray(a.T) for a in arrays), strict=True))
        rows = {k: np.ascontiguousarray(a) for k, a in columns.items()}
        names |= {"out": np.empty_like(columns["x"])}
        made, filled = "f(1, pool, q, v, x)", "f(1, pool, q, v, x, out)"
        ways = {"filled": (filled, columns), "made": (made, columns), "rows": (made, rows)}
        return _fastest({k: Contender(statement, names | layout, len(arrays[0]))
                         for k, (statement, layout) in ways.items()})  # fmt: skip

    def loop(self, function: str, *arrays: Array) -> Contender:
        """A function of q, or of q, v and x, called from Python for each row."""
        given = ", ".join("qvx"[: len(arrays)])
        rows = [*zip(*map(list, arrays), strict=True)] if len(arrays) > 1 else [*arrays[0]]
        return self._called(function, f"for {given} in rows: f(model, data, {given}{{}})",
                            {"rows": rows}, len(rows))  # fmt: skip

    def call(self, function: str, *state: Array) -> Contender:
        """A function of one state, called from Python."""
        names = dict(zip("qvx", (a.copy() for a in state), strict=True))
        return self._called(function, "f(model, data, q, v, x{})", names, 1)

    def _called(self, function: str, statement: str, names: dict[str, Any],
                scale: int) -> Contender:  # fmt: skip
        """In the better of the two ways to choose frames, where there are two."""
        names |= {"f": getattr(self.pin, function), "model": self.model, "data": self.data,
                  "world": self.pin.Convention.WORLD}  # fmt: skip
        ways = ("", ", world") if function in ("aba", "crba") else ("",)
        return _fastest({k: Contender(statement.format(k), names, scale) for k in ways})


def _fastest(contenders: dict[str, Contender]) -> Contender:
    return contenders[fastest(contenders)]
