"""What a quantity costs: operations, and nanoseconds for one state, measured here and now."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

import numpy as np

from momentarm.demo.motion import Motion
from momentarm.graph.program import Counts
from momentarm.robot import Robot

QUANTITIES = {
    "inverse_dynamics": ("q", "qd", "qdd"),
    "forward_dynamics": ("q", "qd", "tau"),
    "mass_matrix": ("q",),
}
REPEATS, SLICE = 15, 0.02  # measurements of a median, and seconds of each


@dataclass(frozen=True)
class Cost:
    quantity: str
    route: str
    ops: Counts
    batch: float  # ns for a state of a batch, float64, one thread
    batch_single: float  # the same in float32
    call: float  # ns for a call from Python with one state

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.quantity,
            "route": self.route,
            "operations": asdict(self.ops),
            "nanoseconds": {
                "batch_float64": round(self.batch, 2),
                "batch_float32": round(self.batch_single, 2),
                "one_call": round(self.call, 2),
            },
        }


def costs(arm: Robot, along: Motion) -> Iterator[Cost]:
    """Of inverse dynamics, forward dynamics and the mass matrix."""
    for name, inputs in QUANTITIES.items():
        kernel, method = arm.kernel(name), getattr(arm, name)
        states = [getattr(along, k)[:4096] for k in inputs]
        method(*(a[0].copy() for a in states))  # plants the function for one state
        yield Cost(
            name,
            kernel.route,
            kernel.ops,
            _batch(method, states, np.float64),
            _batch(method, states, np.float32),
            _call(getattr(arm, name), [a[0].copy() for a in states]),
        )


def _batch(method: Callable[..., Any], states: list[Any], dtype: Any) -> float:
    arrays = [np.ascontiguousarray(a, dtype) for a in states]
    out = np.empty_like(method(*arrays, threads=1))
    return _median(lambda: method(*arrays, out=out, threads=1)) / len(arrays[0])


def _call(function: Callable[..., Any], state: list[Any]) -> float:
    def several() -> None:
        for _ in range(1000):
            function(*state)

    return _median(several) / 1000


def _median(action: Callable[[], object]) -> float:
    """Nanoseconds of one run: the median over slices of time."""
    found = []
    action()
    for _ in range(REPEATS):
        runs, start = 0, time.perf_counter_ns()
        while (passed := time.perf_counter_ns() - start) < SLICE * 1e9:
            action()
            runs += 1
        found.append(passed / runs)
    return median(found)
