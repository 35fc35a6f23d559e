"""Constraints that are a user's function: its program, derivatives on the tape, and its replay.

f(arm, q) gives A (k, n), or places φ (k,) of which A is the derivative along the rates. Ȧ q̇ is the
derivative of A along q̇, times q̇; where q has quaternions they move as their rates say.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from momentarm import traced
from momentarm.answers.asking import Asking
from momentarm.graph.expr import Expr
from momentarm.graph.program import Program, flattened
from momentarm.model import Mechanism, coordinates
from momentarm.passes import differentiate

Direction = dict[tuple[str, int], Any]


@dataclass(frozen=True)
class OwnRows:
    """Programs of q, and of q and q̇."""

    count: int
    phi: Program | None
    A: Program
    A_rate: Program

    def matrix(self, m: Mechanism, q: Any) -> Any:
        return _replayed(self.A, q=q)

    def bias(self, m: Mechanism, q: Any, qd: Any) -> Any:
        rates = _replayed(self.A_rate, q=q, qd=qd)
        return [sum(x[0] * rate for x, rate in zip(row, qd, strict=True)) for row in rates]

    def errors(self, m: Mechanism, q: Any) -> Any:
        return list(flattened(_replayed(self.phi, q=q))) if self.phi else [0] * self.count


def rows_of(f: Callable[..., Any], name: str, robot: Asking) -> OwnRows:
    """The programs of a function of q."""
    program, m = traced.program(f, robot), robot.mechanism
    shapes = list(program.outputs.values())
    if set(program.inputs) != {"q"} or len(shapes) != 1:
        raise TypeError(f"constraint({name}): expected f(arm, q) with one result, got arguments "
                        f"{', '.join(program.inputs)} and {len(shapes)} results")  # fmt: skip
    shape = shapes[0]
    if 0 in shape[:1]:
        raise ValueError(f"constraint({name}): expected A or places of one row or more, got "
                         f"shape {shape}")  # fmt: skip
    if len(shape) < 2:
        count = math.prod(shape)
        A = _cheaper(program, lambda element: _along_rates(m, element))
        A = replace(A, outputs={"A": (count, m.n)})
        return OwnRows(count, program, A, _rate(A, m))
    if len(shape) > 2 or shape[1] != m.n:
        raise ValueError(f"constraint({name}): expected A of shape (k, {m.n}) or places (k,), got "
                         f"{shape}")  # fmt: skip
    return OwnRows(shape[0], None, program, _rate(program, m))


def _along_rates(m: Mechanism, element: Callable[[str, int], Expr]) -> list[Direction]:
    """How each rate moves the elements of q."""
    q = [element("q", k) for k in range(m.nq)]
    return [{("q", k): x for k, x in column.items()} for column in coordinates.tangents(m, q)]


def _rate(A: Program, m: Mechanism) -> Program:
    """Ȧ: A's derivative along q̇."""

    def motion(element: Callable[[str, int], Expr]) -> list[Direction]:
        total: Direction = {}
        for j, column in enumerate(_along_rates(m, element)):
            for place, x in column.items():
                total[place] = total.get(place, 0) + x * element("qd", j)
        return [total]

    rate = _slopes(A, differentiate.forward(A, motion))
    return replace(rate, inputs={"q": (m.nq,), "qd": (m.n,)})


def _cheaper(program: Program, along: Any) -> Program:
    """Forward or in reverse."""
    ways = (differentiate.forward, differentiate.reverse)
    return min((_slopes(program, way(program, along)) for way in ways),
               key=lambda p: p.counts.total)  # fmt: skip


def _slopes(program: Program, derived: Program) -> Program:
    """Without the results themselves, which stand before their slopes."""
    outputs = {k: shape for k, shape in derived.outputs.items() if k not in program.outputs}
    return replace(derived, outputs=outputs, results=derived.results[len(program.results) :])


def _replayed(program: Program, **given: Any) -> Any:
    """A program's one result on the tape of the expressions that are given."""
    tape = next(x.tape for array in given.values() for x in array if isinstance(x, Expr))
    (result,) = traced.replayed(program, given, tape)
    return result
