"""Rows of identity: how many numbers differ, in any bit, between two ways to the same result."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from momentarm.backends.c import identifier
from momentarm.bench import subjects
from momentarm.bench.report import Row
from momentarm.bench.targets import TARGETS
from momentarm.robot import Robot

ROBOTS = ("panda", "ur5", "two_arms", "stanford", "gripper")
QUANTITIES = {"inverse_dynamics": 3, "forward_dynamics": 3, "mass_matrix": 1}
STATES = 515  # no multiple of any vector
C_FLAGS = ("-O2", "-std=c99", "-ffp-contract=off", "-shared", "-fPIC")

Counted = tuple[int, int]  # numbers that differ, numbers compared


def rows() -> Iterable[Row]:
    yield _row("bits_batch", _batch, "rows, columns and every other row of 515 states")
    yield _row("bits_threads", _threads, "2, 3 and 7 threads, 20,000 states")
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None or os.name == "nt":
        yield Row(TARGETS["bits_c"], why="skipped (no C compiler)")
        return
    name = Path(compiler).name
    yield _row("bits_c", lambda r, k: _exported(r, k, compiler), f"{name} {' '.join(C_FLAGS)}")


def _row(key: str, compare: Callable[[Robot, str], Counted], how: str) -> Row:
    pairs = [compare(subjects.bundled(name), k) for name in ROBOTS for k in QUANTITIES]
    wrong, of = (sum(column) for column in zip(*pairs, strict=True))
    note = f"of {of:,}: {how}; {', '.join(ROBOTS)}"
    return Row(TARGETS[key], wrong, note=note, details={"compared": of})


def differing(a: Any, b: Any) -> Counted:
    """Numbers whose bits differ; the sign of zero and the payload of NaN count."""
    a, b = (np.ascontiguousarray(x, np.float64) for x in (a, b))
    if a.shape != b.shape:
        raise ValueError(f"shapes {a.shape} and {b.shape}")
    return int(np.sum(a.view(np.uint64) != b.view(np.uint64))), a.size


def _arguments(robot: Robot, quantity: str, count: int) -> list[Any]:
    return list(subjects.states(robot, count, seed=11)[: QUANTITIES[quantity]])


def one_by_one(robot: Robot, quantity: str, arguments: list[Any]) -> Any:
    """The results of single calls."""
    call = getattr(robot, quantity)
    return np.array([call(*(a.copy() for a in state)) for state in zip(*arguments, strict=True)])


def _batch(robot: Robot, quantity: str) -> Counted:
    arguments = _arguments(robot, quantity, STATES)
    single, call = one_by_one(robot, quantity, arguments), getattr(robot, quantity)
    found = [
        differing(call(*arguments), single),
        differing(call(*map(np.asfortranarray, arguments)), single),
        differing(call(*(a[::2] for a in arguments)), single[::2]),
    ]
    return sum(wrong for wrong, _ in found), sum(of for _, of in found)


def _threads(robot: Robot, quantity: str) -> Counted:
    arguments, call = _arguments(robot, quantity, 20_000), getattr(robot, quantity)
    alone = call(*arguments, threads=1)
    found = [differing(call(*arguments, threads=k), alone) for k in (2, 3, 7)]
    return sum(wrong for wrong, _ in found), sum(of for _, of in found)


def _exported(robot: Robot, quantity: str, compiler: str) -> Counted:
    kernel, arguments = robot.kernel(quantity), _arguments(robot, quantity, STATES)
    single = one_by_one(robot, quantity, arguments)
    found = np.empty_like(single)
    with tempfile.TemporaryDirectory(prefix="momentarm-bench-") as folder:
        text, library = Path(folder, "kernel.c"), Path(folder, "kernel.so")
        text.write_text(kernel.source("c"), encoding="utf-8")
        subprocess.run([compiler, *C_FLAGS, str(text), "-o", str(library), "-lm"], check=True)
        function = getattr(ctypes.CDLL(str(library)), identifier(kernel.recipe.name))
        function.argtypes = [ctypes.c_void_p] * (len(arguments) + 1)
        for i in range(STATES):
            function(*(a[i].ctypes.data for a in (*arguments, found)))
    return differing(found, single)
