"""Timing of statements, several turn and turn about, on one core.

Rule 1  Statements are timed as written, without a function call around them (`timeit`).
Rule 2  All contenders are timed in each turn, so that a busy machine is busy for all of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from timeit import Timer
from typing import Any

from momentarm.bench.report import Spread

SAMPLE = 2e-3  # seconds that one timing takes at least
REPEATS = 41


@dataclass(frozen=True)
class Contender:
    """A statement and the names in it."""

    statement: str
    names: Mapping[str, Any]
    scale: float = 1  # states in one statement


@contextmanager
def one_core() -> Iterator[int | None]:
    """Stay on one core within; its number, or None where the system cannot."""
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    before = os.sched_getaffinity(0)
    core = max(before)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, before)


def times(contenders: Mapping[str, Contender], repeats: int = REPEATS) -> dict[str, list[float]]:
    """Seconds for one state, `repeats` of each contender, A B A B …"""
    timers = {k: Timer(c.statement, globals=dict(c.names)) for k, c in contenders.items()}
    numbers = {k: _number(timer) for k, timer in timers.items()}
    found: dict[str, list[float]] = {k: [] for k in contenders}
    for _ in range(repeats):
        for k, timer in timers.items():
            one = timer.timeit(numbers[k]) / numbers[k]
            found[k].append(one / contenders[k].scale)
    return found


def _number(timer: Timer) -> int:
    """How often a statement has to run to be timed well."""
    timer.timeit(1)
    number = 1
    while (seconds := timer.timeit(number)) < SAMPLE:
        number = max(2 * number, int(number * SAMPLE / max(seconds, 1e-7)))
    return number


def fastest(contenders: Mapping[str, Contender], repeats: int = 7) -> str:
    """The name of the contender with the least time."""
    if len(contenders) == 1:
        return next(iter(contenders))
    found = times(contenders, repeats)
    return min(found, key=lambda k: min(found[k]))


@dataclass(frozen=True)
class Race:
    """How much faster `ours` is than `theirs`: the median of the ratios of each turn."""

    ratio: float
    of_least: float
    ours: Spread
    theirs: Spread

    @classmethod
    def between(cls, ours: Contender, theirs: Contender, repeats: int = REPEATS) -> Race:
        found = times({"ours": ours, "theirs": theirs}, repeats)
        turns = [b / a for a, b in zip(found["ours"], found["theirs"], strict=True)]
        a, b = Spread.of(found["ours"]), Spread.of(found["theirs"])
        return cls(Spread.of(turns).median, b.least / a.least, a, b)

    def as_dict(self) -> dict[str, Any]:
        return {"ratio_of_least": self.of_least, "ours": self.ours.as_dict(),
                "theirs": self.theirs.as_dict()}  # fmt: skip
