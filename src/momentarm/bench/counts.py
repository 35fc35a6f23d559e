"""Rows of operation counts: multiplications, additions and divisions of the compiled programs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from momentarm.bench import subjects
from momentarm.bench.report import Row
from momentarm.bench.targets import TARGETS
from momentarm.robot import Robot


def rows() -> Iterable[Row]:
    general = subjects.general_arm(6)
    for key, quantity in (("id", "inverse_dynamics"), ("m", "mass_matrix"),
                          ("fd", "forward_dynamics")):  # fmt: skip
        yield _row(f"ops_6r_{key}", general, quantity)
    for name in ("puma560", "ur5", "panda"):
        yield _row(f"ops_{name}", subjects.bundled(name), "inverse_dynamics")


def _row(key: str, robot: Robot, quantity: str) -> Row:
    kernel = robot.kernel(quantity)
    note = f"{kernel.ops}; {kernel.route}"
    return Row(TARGETS[key], kernel.ops.total, note=note, details=asdict(kernel.ops))
