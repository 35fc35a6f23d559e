"""Rows of growth: how the time to make code grows with the length of a chain.

Time is the processor's, from the mechanism to the object code for one state, the disk cache not
asked. The exponent p of time ~ nᵖ is fitted by least squares of the logarithms from 50 links on:
below that the constant share of LLVM's start shows. Of three turns through all lengths the least
time of each counts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace

from momentarm import quantities
from momentarm.bench import subjects
from momentarm.bench.report import Row
from momentarm.bench.targets import TARGETS
from momentarm.kernels import engine
from momentarm.kernels.kernel import Kernel
from momentarm.model import Mechanism

LENGTHS = (10, 20, 50, 100, 200, 500)
FITTED_FROM, REPEATS = 50, 3
_KINDS = {
    "compile_id": ("inverse_dynamics", "Newton–Euler"),
    "compile_fd": ("forward_dynamics", "articulated bodies"),
}


def rows(quick: bool) -> Iterable[Row]:
    why = "skipped (quick)" if quick else "" if engine.available() else "skipped (no compiler)"
    if why:
        yield from (Row(TARGETS[key], why=why) for key in _KINDS)
        return
    chains = {n: subjects.general_arm(n).mechanism for n in LENGTHS}
    for key, (quantity, route) in _KINDS.items():
        turns = [{n: compile_time(m, quantity, route) for n, m in chains.items()}
                 for _ in range(REPEATS)]  # fmt: skip
        seconds = {n: min(turn[n] for turn in turns) for n in LENGTHS}
        long = {n: s for n, s in seconds.items() if n >= FITTED_FROM}
        each = ", ".join(f"{n}: {s / n * 1e3:.3g}" for n, s in seconds.items())
        note = f"ms a link with {each}"
        yield Row(TARGETS[key], exponent(long), note=note,
                  details={"seconds": {str(n): s for n, s in seconds.items()}})  # fmt: skip


def compile_time(m: Mechanism, quantity: str, route: str) -> float:
    """Seconds from the mechanism to machine code, by one of the quantity's formulations."""
    recipe = quantities.recipe(m, (quantity,))
    only = {name: trace for name, trace in recipe.routes.items() if name == route}
    kernel = Kernel(replace(recipe, routes=only))
    start = time.process_time()
    engine.compile_object(kernel.stage("llvm"))
    return time.process_time() - start


def exponent(seconds: Mapping[int, float]) -> float:
    """p of the best fit of c nᵖ to time by length.

    >>> exponent({10: 3.0, 20: 12.0, 40: 48.0})
    2.0
    """
    x, y = [math.log(n) for n in seconds], [math.log(s) for s in seconds.values()]
    x0, y0 = sum(x) / len(x), sum(y) / len(y)
    slope = sum((a - x0) * (b - y0) for a, b in zip(x, y, strict=True))
    return round(slope / sum((a - x0) ** 2 for a in x), 12)
