"""The options of quantities: what may be given, what it means, what is meant where none is.

An option is a part of what is compiled. To add one: a line in `OPTIONS`, its name in the rows of
the table of quantities that have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from momentarm.answers.asking import Asking
from momentarm.model.parameters import KINDS
from momentarm.model.problem import unknown
from momentarm.spatial import ROWS
from momentarm.twists import no_twist

REFERENCES = ("body", "space", "world")
METHODS = ("euler", "rk4")


@dataclass(frozen=True, slots=True)
class Option:
    """What stands for "not given", and the settled form of what is."""

    usual: Any
    settled: Callable[[Asking, Any], Any]


def _reference(_: Asking, given: Any) -> str:
    if given not in REFERENCES:
        raise ValueError(f"reference: expected 'body', 'space' or 'world', got {given!r}")
    return str(given)


def _rows(_: Asking, given: Any) -> tuple[str, ...] | None:
    if given is None:
        return None
    if not isinstance(given, Iterable):
        raise TypeError(f"rows: expected some of {', '.join(ROWS)}, got {given!r}")
    names = (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        if name not in ROWS:
            raise ValueError(f"rows: {unknown('row', name, ROWS)}")
    if not names or len(set(names)) < len(names):
        raise ValueError(f"rows: expected some of {', '.join(ROWS)}, each once, got {given!r}")
    return names


def _frames(robot: Asking, given: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(robot._frame, given))


def _method(_: Asking, given: Any) -> str:
    if given not in METHODS:
        raise ValueError(f"method: {unknown('method', given, METHODS)}")
    return str(given)


def _columns(robot: Asking, given: Iterable[int] | None) -> tuple[int, ...]:
    return robot.base_parameters().columns if given is None else tuple(map(int, given))


def _parametric(_: Asking, given: Any) -> tuple[str, ...]:
    if not isinstance(given, Iterable):
        raise TypeError(f"parametric: expected some of {', '.join(KINDS)}, got {given!r}")
    names = (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        if name not in KINDS:
            raise ValueError(unknown("kind of parameters", name, KINDS))
    return names


OPTIONS = {
    "frame": Option(None, lambda robot, given: robot._frame(given)),
    "reference": Option("body", _reference),
    "rows": Option(None, _rows),
    "wrench_frames": Option((), _frames),
    "method": Option("rk4", _method),
    "columns": Option(None, _columns),
    "parametric": Option((), _parametric),
}


def are_usual(given: Mapping[str, Any]) -> bool:
    """Whether nothing was chosen."""
    usual = (OPTIONS[k].usual if k in OPTIONS else None for k in given)
    return all(value is None or value == u for value, u in zip(given.values(), usual))


def settled(names: Iterable[str], given: Mapping[str, Any], robot: Asking) -> dict[str, Any]:
    """The options of these names, checked."""
    return {k: OPTIONS[k].settled(robot, given.get(k, OPTIONS[k].usual)) for k in names}


def stacked(wrenches: Any) -> tuple[tuple[str, ...], Any]:
    """{frame: wrench} as names and one array (…, frames, 6)."""
    if not isinstance(wrenches, Mapping) or not wrenches:
        raise TypeError(f"wrenches: expected {{frame: wrench}}, got {wrenches!r}")
    arrays = {k: np.asarray(no_twist(f"wrenches[{k!r}]", x)) for k, x in wrenches.items()}
    for name, x in arrays.items():
        if np.ma.is_masked(wrenches[name]):
            raise TypeError(f"wrenches[{name!r}]: some numbers are masked; pass "
                            "….filled(numpy.nan)")  # fmt: skip
        if x.shape[-1:] != (6,):
            raise ValueError(f"wrenches[{name!r}]: expected (6,) or (..., 6), got {x.shape}; six "
                             "numbers: moment first, then force")  # fmt: skip
    try:
        together = np.broadcast_arrays(*arrays.values())
    except ValueError:
        listed = ", ".join(f"{k} {x.shape[:-1]}" for k, x in arrays.items())
        raise ValueError(f"wrenches: the leading shapes do not broadcast: {listed}") from None
    return tuple(arrays), np.stack(together, axis=-2)
