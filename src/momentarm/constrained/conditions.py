"""What can be demanded of a robot: `hold`, `close`, `constraint`. Each gives rows of A.

A condition is data; asked with a robot it checks its names and becomes a `Source`, whose functions
are traced with whatever kernel needs them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from momentarm.algorithms import constraints
from momentarm.algorithms.kinematics import jacobian
from momentarm.algorithms.mobility import Block, blocks
from momentarm.algorithms.task_space import task_drift
from momentarm.answers.asking import Asking
from momentarm.answers.options import settled
from momentarm.constrained import own
from momentarm.model.problem import unknown
from momentarm.spatial import ROWS
from momentarm.twists import pose

KINDS = {"point": ("x", "y", "z"), "hinge": ("rx", "ry", "x", "y", "z"), "pose": ROWS}
Rows = str | Sequence[str]


@dataclass(frozen=True)
class Source:
    """Rows: their names, A(m, q), Ȧ q̇ (m, q, qd) and errors φ(m, q), 0 for rates alone.

    `kin`(m, q) are rows by which pivots are measured: `algorithms.mobility.Block`s.
    """

    names: tuple[str, ...]
    matrix: Callable[..., Any]
    bias: Callable[..., Any]
    errors: Callable[..., Any]
    kin: Callable[..., list[Block]]


class Condition(ABC):
    """Something that a robot's motion obeys."""

    @abstractmethod
    def source(self, robot: Asking) -> Source:
        """Its rows for one robot."""


@dataclass(frozen=True)
class Hold(Condition):
    """Rows of a frame's twist that stay zero."""

    frame: str | None
    rows: Rows
    reference: str
    at: tuple[tuple[float, ...], ...] | None

    def source(self, robot: Asking) -> Source:
        given = {"frame": self.frame, "reference": self.reference, "rows": _named(self.rows)}
        o = settled(given, given, robot)
        names = tuple(f"{o['frame']}.{k}" for k in o["rows"])
        matrix: Callable[..., Any] = partial(jacobian, **o)
        bias: Callable[..., Any] = partial(task_drift, **o)
        errors = _no_errors(len(names))
        if self.at is not None:
            place = {"frame": o["frame"], "at": self.at, "rows": o["rows"]}
            matrix = partial(constraints.holding, **place)
            bias = partial(constraints.holding_bias, **place)
            errors = partial(constraints.holding_errors, **place)
        return Source(names, matrix, bias, errors, partial(_kin, matrix, rows=o["rows"]))


@dataclass(frozen=True)
class Close(Condition):
    """Two frames that stay together."""

    frame: str
    on: str
    rows: Rows

    def source(self, robot: Asking) -> Source:
        frame, on = robot._frame(self.frame), robot._frame(self.on)
        if robot.mechanism.frames[frame].link == robot.mechanism.frames[on].link:
            raise ValueError(f"close({frame!r}, {on!r}): both frames are on one link, so nothing "
                             "moves between them")  # fmt: skip
        o = {"rows": settled(["rows"], {"rows": _named(self.rows)}, robot)["rows"],
             "frame": frame, "on": on}  # fmt: skip
        names = tuple(f"{frame}~{on}.{k}" for k in o["rows"])
        return Source(names, partial(constraints.closure, **o),
                      partial(constraints.closure_bias, **o),
                      partial(constraints.closure_errors, **o),
                      partial(_kin, partial(constraints.closure, **o), rows=o["rows"]))  # fmt: skip


@dataclass(frozen=True)
class Own(Condition):
    """A function of one's own."""

    f: Callable[..., Any]
    name: str

    def source(self, robot: Asking) -> Source:
        rows = own.rows_of(self.f, self.name, robot)
        errors = rows.errors if rows.phi is not None else _no_errors(rows.count)
        return Source(tuple(f"{self.name}[{k}]" for k in range(rows.count)), rows.matrix,
                      rows.bias, errors,
                      lambda m, q: [(rows.matrix(m, q), range(rows.count))])  # fmt: skip


def hold(frame: str | None = None, rows: Rows = "pose", *, reference: str = "world",
         at: ArrayLike | None = None) -> Condition:  # fmt: skip
    """A frame (the tip for None) whose twist has some rows zero: held at a point, on a line, …

    `rows` are some of rx, ry, rz, x, y, z, or "point" (x, y, z) or "pose" (all); `reference` as in
    `jacobian`. In the world's axes `at` may say where it is held, a point [m] or a 4x4 pose, so
    that errors of place are known: x, y, z, and turns about all axes or about two. The
    rows are then in the axes of that pose: planes and lines of any direction. Rows "hinge" in
    reference="body" let the frame turn about its own z-axis, as a hand on a door's handle.
    """
    place = None if at is None else _place(at)
    if place is not None and reference != "world":
        raise ValueError(f"hold(at): a place needs reference='world', got {reference!r}; other "
                         "references hold rates alone")  # fmt: skip
    if place is not None and place.shape == (3,):
        if any(k.startswith("r") for k in _named(rows)):
            raise ValueError("hold(at): a point says nothing of turns; give a 4x4 pose, or rows "
                             "of x, y, z")  # fmt: skip
        place = np.vstack([np.column_stack([np.eye(3), place]), [0, 0, 0, 1]])
    if place is not None and (place.shape != (4, 4) or not np.isfinite(place).all()):
        raise ValueError(f"hold(at): expected three finite numbers or a 4x4 pose, got {at!r}")
    if place is not None:
        pose("hold(at)", place)
    return Hold(frame, _hashable("hold", rows), reference,
                None if place is None else tuple(map(tuple, place.tolist())))  # fmt: skip


def close(frame: str, on: str, rows: Rows = "pose") -> Condition:
    """Two frames of the robot that coincide: a loop.

    `rows` of the motion of `frame` as seen from `on`, in its axes, stay zero: "point" (x, y, z: a
    ball), "hinge" (also rx, ry: it turns about the z-axis of `on`), "pose" (all), or any names.
    """
    return Close(frame, on, _hashable("close", rows))


def constraint(f: Callable[..., Any], name: str | None = None) -> Condition:
    """A function of one's own, f(arm, q): A (k, n), or places φ (k,) that stay zero.

    It is traced as `ma.kernel` traces, and differentiated on the tape.
    """
    if not callable(f):
        raise TypeError(f"constraint(f): expected a function f(arm, q), got {f!r}")
    label = name or str(getattr(f, "__name__", "constraint"))
    return Own(f, label if label != "<lambda>" else "constraint")


def _place(at: ArrayLike) -> NDArray[np.float64]:
    try:
        return np.asarray(at, float)
    except (TypeError, ValueError):
        raise TypeError(f"hold(at): expected three finite numbers or a 4x4 pose, got "
                        f"{at!r}") from None  # fmt: skip


def _hashable(where: str, rows: Rows) -> Rows:
    if not isinstance(rows, Sequence):
        raise TypeError(f"{where}(rows): expected {', '.join(KINDS)}, or some of "
                        f"{', '.join(ROWS)}, got {rows!r}")  # fmt: skip
    return rows if isinstance(rows, str) else tuple(rows)


def _named(rows: Rows) -> tuple[str, ...]:
    """Names of rows, from those of a kind."""
    if not isinstance(rows, str):
        return tuple(rows)
    if rows not in KINDS and rows not in ROWS:
        raise ValueError(unknown("kind of rows", rows, (*KINDS, *ROWS)))
    return KINDS.get(rows, (rows,))


def _kin(six_of: Callable[..., Any], m: Any, q: Any, rows: Sequence[str]) -> list[Block]:
    """All turns and all places that a frame's rows are some of."""
    return blocks(six_of(m, q, rows=ROWS), rows)


def _no_errors(count: int) -> Callable[..., Any]:
    return lambda m, q: [0] * count
