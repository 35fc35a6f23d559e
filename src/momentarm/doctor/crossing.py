"""The whole cross-check of a robot: which rows there are, what they may be off by, the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from momentarm.algorithms import composite, motion
from momentarm.doctor.cross import EPSILON, Options, Row, Subject, formulations
from momentarm.doctor.laws import LAWS, Law
from momentarm.model import Mechanism
from momentarm.quantities import QUANTITIES, recipe

Array = NDArray[np.float64]
ROUNDING = 200.0  # ε times joints: cancellation in sums over links and turns of large coordinates
SOLVED = 50.0  # κ ε times this, where a linear system is solved
DIFFERENCE = 2e-6  # relative, of a central difference of smooth functions of ordinary size
LONG = 20  # links up to which what grows with their cube is run


@dataclass(frozen=True)
class CrossCheck:
    """The table of comparisons. `print` it, loop over `rows`, or take `as_dict()` to JSON."""

    robot: str
    states: int
    condition: float  # κ(M), the worst of the states; nan where there is no M
    rows: tuple[Row, ...]

    @property
    def agrees(self) -> bool:
        """Whether all formulations agree as far as rounding lets them."""
        return all(row.agrees for row in self.rows)

    def __str__(self) -> str:
        lines = [("quantity", "of", "and", "error", "allowed", "")]
        for row in self.rows:
            error = "left out" if row.error is None else f"{row.error:.1e}" if row.error else "0"
            allowed = row.reason if row.error is None else f"{row.allowed:.0e} ({row.unit})"
            lines.append((row.quantity, row.left, row.right, error,
                          "0 (bits)" if row.unit == "bits" and not row.reason else allowed,
                          "" if row.agrees else "DISAGREE"))  # fmt: skip
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        shown = ["  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
                 for line in lines]  # fmt: skip
        wrong = sum(not row.agrees for row in self.rows)
        end = f"{wrong} of {len(self.rows)} disagree" if wrong else "all agree"
        return "\n".join([*shown, f"{self.robot}: {end}, at {self.states} states, κ(M) "
                                  f"{self.condition:.2g}"])  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `momentarm check --cross --json` prints it."""
        names = ("quantity", "left", "right", "error", "allowed", "unit", "reason", "agrees")
        rows = [{name: getattr(row, name) for name in names} for row in self.rows]
        return {"robot": self.robot, "states": self.states, "condition": self.condition,
                "agrees": self.agrees, "rows": rows}  # fmt: skip


def cross_checked(m: Mechanism, q: Array, rng: np.random.Generator, options: Options,
                  progress: Callable[[float], None] | None = None) -> CrossCheck:  # fmt: skip
    """All comparisons at the states q, with rates, accelerations and efforts of ordinary size."""
    s = Subject(m, [_state(m, x, rng) for x in q], options)
    condition, reason = _condition(s)
    rows: list[Row] = []
    work = [*QUANTITIES, *LAWS]
    for k, one in enumerate(work):
        rows += _of_law(s, one, condition, reason) if isinstance(one, Law) else _of_quantity(
            s, one, condition, reason)  # fmt: skip
        if progress:
            progress((k + 1) / len(work))
    return CrossCheck(m.name, len(s.states), condition, tuple(rows))


def _state(m: Mechanism, q: Array, rng: np.random.Generator) -> dict[str, Any]:
    """One state, and anything else a quantity may take, by the argument's name and shape."""
    state: dict[str, Any] = {"q": q}
    usual: dict[str, Any] = {"columns": (), "wrench_frames": ()}
    for name in QUANTITIES:
        for k, shape in recipe(m, (name,), (), **usual).inputs.items():
            state.setdefault(k, rng.normal(size=shape))
    state["dt"] = np.float64(1e-3)
    u = rng.normal(size=m.n) * 0.3
    state["q_to"] = np.array(motion.integrate(m, q.tolist(), u.tolist(), 1.0))
    return state


def _condition(s: Subject) -> tuple[float, str]:
    """κ(M) at the worst state, and why forward dynamics cannot be asked if so."""
    if not s.m.n or not any(link.has_inertia for link in s.m.links):
        return float("nan"), "no inertia"
    values = [np.linalg.eigvalsh(np.array(composite.mass_matrix(s.m, x["q"].tolist()), float))
              for x in s.states]  # fmt: skip
    if any(v[0] <= len(v) * EPSILON * v[-1] for v in values):
        return float("inf"), "M is singular or not positive"
    return float(max(v[-1] / v[0] for v in values)), ""


def _of_quantity(s: Subject, name: str, condition: float, reason: str) -> Iterator[Row]:
    row = QUANTITIES[name]
    left_out = "no tip" if "frame" in row.options and s.m.tip is None else ""
    if any(k == "tip_wrench" for k, _ in row.inputs) and s.m.tip is None:
        left_out = "no tip"
    if row.needs_inertia and reason == "no inertia":
        left_out = reason
    if row.solves and reason:
        left_out = reason
    unit, rows = "κ ε" if row.solves else "ε", list[Row]()
    if not left_out and s.m.n:
        try:
            rows = list(formulations(s, name, allowed(unit, s.m, condition), unit))
        except ValueError as refusal:  # of a robot that has no such quantity
            left_out = str(refusal).partition(";")[0]
        except ZeroDivisionError:
            left_out = "singular at these states"
    yield from rows or [Row(name, "all algorithms", "and kernels", reason=left_out or "no joints")]


def _of_law(s: Subject, law: Law, condition: float, reason: str) -> Iterator[Row]:
    row = Row(law.quantity, law.left, law.right, unit=law.unit)
    kinematic = not QUANTITIES[law.quantity].needs_inertia
    if not s.m.n:
        left_out = "no joints"
    elif law.tip and s.m.tip is None:
        left_out = "no tip"
    elif reason and (QUANTITIES[law.quantity].solves or (reason == "no inertia" and not kinematic)):
        left_out = reason
    elif law.short and len(s.m.links) > LONG:
        left_out = f"more than {LONG} links"
    else:
        slack = allowed(law.unit, s.m, condition)
        yield Row(row.quantity, row.left, row.right, law.worst(s), slack, law.unit)
        return
    yield Row(row.quantity, row.left, row.right, unit=law.unit, reason=left_out)


def allowed(unit: str, m: Mechanism, condition: float) -> float:
    """What rounding may cost a robot of so many links."""
    rounding = ROUNDING * max(1, len(m.links)) * EPSILON
    if unit == "bits":
        return 0.0
    if unit == "difference":
        return DIFFERENCE
    return rounding + (SOLVED * condition * EPSILON if unit == "κ ε" else 0.0)
