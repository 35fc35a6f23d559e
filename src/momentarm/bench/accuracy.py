"""Rows of accuracy: results beside 50 digits, and inverse after forward dynamics.

The 50 digits come from our own algorithms, read with mpmath's numbers on the robot as it was
loaded: the same text with another scalar, without canonical frames, tape, passes or machine code.
A reference that shares no line with it judges us in tests/oracles.
"""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from momentarm.algorithms import articulated, composite, newton_euler
from momentarm.bench import subjects
from momentarm.bench.norm import normwise
from momentarm.bench.report import Row
from momentarm.bench.targets import TARGETS
from momentarm.spatial import Angle

ARMS = ("panda", "ur5", "puma560")
STATES, DIGITS = 25, 50
EPSILON = float(np.finfo(float).eps)
LOADS = (1e-3, 1e2, 1e6)  # kg at the tip: the condition of M goes up with them


def rows() -> Iterable[Row]:
    try:
        mpmath = importlib.import_module("mpmath")
    except ImportError:
        for key in ("error_id", "error_m", "error_fd"):
            yield Row(TARGETS[key], why="skipped (no mpmath)")
    else:
        with mpmath.workdps(DIGITS):
            yield from _errors(mpmath)
    yield _round_trip()


def _errors(mpmath: Any) -> Iterable[Row]:
    worst = {"error_id": 0.0, "error_m": 0.0, "error_fd": 0.0}
    for name in ARMS:
        robot = subjects.bundled(name)
        exact = in_numbers(mpmath.mpf, robot.mechanism)
        for q, qd, x in zip(*subjects.states(robot, STATES, seed=3), strict=True):
            turns = [Angle(v, mpmath.sin(v), mpmath.cos(v)) for v in map(mpmath.mpf, q)]
            rate, other = ([mpmath.mpf(float(v)) for v in a] for a in (qd, x))
            tau = newton_euler.inverse_dynamics(exact, turns, rate, other)
            M = composite.mass_matrix(exact, turns)
            qdd = articulated.forward_dynamics(exact, turns, rate, other)
            M_float = robot.mass_matrix(q)
            promise = 4 * float(np.linalg.cond(M_float)) * EPSILON + 1e-14
            errors = (
                normwise(robot.inverse_dynamics(q, qd, x), np.array(tau)),
                normwise(M_float, np.array(M)),
                normwise(robot.forward_dynamics(q, qd, x), np.array(qdd)) / promise,
            )
            worst = {k: max(w, e) for (k, w), e in zip(worst.items(), errors, strict=True)}
    note = f"the worst of {STATES} states each of {', '.join(ARMS)}"
    yield from (Row(TARGETS[key], value, note=note) for key, value in worst.items())


def in_numbers(number: Callable[[float], Any], value: Any) -> Any:
    """A mechanism, or any part of one, with its floats as other numbers."""
    if isinstance(value, float):
        return number(value)
    if isinstance(value, tuple):
        return tuple(in_numbers(number, x) for x in value)
    if isinstance(value, Mapping):
        return {k: in_numbers(number, x) for k, x in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return dataclasses.replace(value, **{k: in_numbers(number, x) for k, x in fields.items()})
    return value


def _round_trip() -> Row:
    """Torques of natural size, put through forward and then inverse dynamics."""
    worst, condition = 0.0, 0.0
    loaded = [subjects.bundled("panda").with_payload(load) for load in LOADS]
    for robot in [*map(subjects.bundled, ARMS), *loaded]:
        q, qd, x = subjects.states(robot, 500, seed=5)
        tau = robot.inverse_dynamics(q, qd, x)
        again = robot.inverse_dynamics(q, qd, robot.forward_dynamics(q, qd, tau))
        error = np.max(np.abs(again - tau), axis=-1) / np.max(np.abs(tau), axis=-1)
        worst = max(worst, float(np.max(error)))
        condition = max(condition, float(np.max(np.linalg.cond(robot.mass_matrix(q)))))
    loads = f"panda with up to {LOADS[-1]:g} kg, cond(M) to {condition:.0e}"
    note = f"the worst of 500 states each of {', '.join(ARMS)}, {loads}"
    return Row(TARGETS["round_trip"], worst, note=note, details={"condition": condition})
