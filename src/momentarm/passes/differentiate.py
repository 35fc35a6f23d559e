"""Derivatives of a program's results along directions of its inputs, on the tape.

>>> from momentarm.graph import Program
>>> p = Program.trace(lambda x: x[0] * x[1].sin(), {"x": (2,)}, {"y": ()})
>>> print(forward(p, [{("x", 0): 1}, {("x", 1): 1}]))
y, y_D = program(x[2])
  s.x[1] = sin(x[1])
  %3 = mul(x[0], s.x[1])
  c.x[1] = cos(x[1])
  %6 = mul(x[0], c.x[1])
  y = %3
  y_D[0] = s.x[1]
  y_D[1] = %6

A direction says how fast each element of the inputs moves, as a number or as an expression of the
inputs. `forward` takes the tangents of all values along, `reverse` asks each result what it owes to
the inputs; both give the same numbers, at different costs, after the results themselves. A choice
(`where`) has the slope of what is chosen; in reverse only if the slopes of the other are finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from momentarm.graph.expr import Expr
from momentarm.graph.ops import OPS
from momentarm.graph.program import Program
from momentarm.graph.tape import Node, Tape

Element = tuple[str, int]  # an argument and one of its elements, counted through
Direction = Mapping[Element, Any]
Directions = Sequence[Direction] | Callable[[Callable[[str, int], Expr]], Sequence[Direction]]


def forward(program: Program, along: Directions, longest: float = math.inf) -> Program:
    """(results, directions): tangents go with the values."""
    values, directions = _values(program, along, longest)
    tangents: dict[Node, dict[int, Any]] = {}
    for i in program.live():
        op, args = program.tape.ops[i], program.tape.args[i]
        if op == "input":
            tangents[i] = {k: d[args] for k, d in enumerate(directions) if args in d}
        elif op == "select":
            c, a, b = args
            keys = {**tangents.get(a, {}), **tangents.get(b, {})}
            tangents[i] = {k: _chosen(values[c], tangents.get(a, {}).get(k, 0),
                                      tangents.get(b, {}).get(k, 0)) for k in keys}  # fmt: skip
        elif op in OPS and not OPS[op].is_bool:
            tangents[i] = _tangent(op, values[i], [values[j] for j in args],
                                   [tangents.get(j, {}) for j in args])  # fmt: skip
    rows = [[tangents.get(i, {}).get(k, 0) for k in range(len(directions))]
            for i in program.results]  # fmt: skip
    return _program(program, rows, values)


def _tangent(op: str, y: Any, args: list[Any], inner: list[dict[int, Any]]) -> dict[int, Any]:
    """Σ ∂y/∂argument · its tangent, in each direction in which one moves."""
    slopes = OPS[op].slopes
    assert slopes is not None
    moved: dict[int, Any] = {}
    if any(inner):
        for slope, tangent in zip(slopes(y, *args), inner, strict=True):
            if slope is not None:
                for k, t in tangent.items():
                    moved[k] = moved[k] + slope * t if k in moved else slope * t
    return moved


def reverse(program: Program, along: Directions, longest: float = math.inf) -> Program:
    """The same from the other end: each result gives its share to what it was made of."""
    values, directions = _values(program, along, longest)
    live, tape = program.live(), program.tape
    elements = {element for d in directions for element in d}
    moving = {i for i in live if tape.ops[i] == "input" and tape.args[i] in elements}
    for i in live:
        if tape.ops[i] in OPS and any(j in moving for j in tape.args[i]):
            moving.add(i)
    rows = []
    for result in program.results:
        owed: dict[Node, Any] = {result: 1}
        for i in reversed(live):
            if i in owed and i in moving and tape.ops[i] in OPS:
                for j, share in _shares(tape.ops[i], tape.args[i], values, i, owed.pop(i)):
                    if j in moving:
                        owed[j] = owed[j] + share if j in owed else share
        slope = {tape.args[i]: x for i, x in owed.items() if tape.ops[i] == "input"}
        rows.append([sum((x * slope[e] for e, x in d.items() if e in slope), start=0)
                     for d in directions])  # fmt: skip
    return _program(program, rows, values)


def _shares(op: str, args: tuple[Node, ...], values: Mapping[Node, Any], i: Node,
            owed: Any) -> Iterator[tuple[Node, Any]]:  # fmt: skip
    if op == "select":
        c, a, b = args
        yield a, _chosen(values[c], owed, 0)
        yield b, _chosen(values[c], 0, owed)
    elif not OPS[op].is_bool:
        slopes = OPS[op].slopes
        assert slopes is not None
        for j, slope in zip(args, slopes(values[i], *(values[j] for j in args)), strict=True):
            if slope is not None:
                yield j, owed * slope


def _chosen(condition: Expr, a: Any, b: Any) -> Any:
    tape = condition.tape
    nodes = [x.i if isinstance(x, Expr) else tape.const(x) for x in (a, b)]
    return Expr(tape, tape.call("select", condition.i, *nodes))


def _values(
    program: Program, along: Directions, longest: float
) -> tuple[dict[Node, Expr], Sequence[Direction]]:
    """Every live value on a new tape, and the directions with theirs."""
    new = Tape(longest=longest)
    at = {i: Expr(new, j) for i, j in program.onto(new).items()}
    if callable(along):
        along = along(lambda name, k: Expr(new, new.input(name, k)))
    return at, along


def _program(program: Program, rows: list[list[Any]], values: dict[Node, Expr]) -> Program:
    tape = next((x.tape for x in values.values()), Tape())
    results = [values[i].i for i in program.results]
    results += [x.i if isinstance(x, Expr) else tape.const(x) for row in rows for x in row]
    width = len(rows[0]) if rows else 0
    slopes = {f"{name}_D": (*shape, width) for name, shape in program.outputs.items()}
    return replace(program, tape=tape, outputs=program.outputs | slopes, results=tuple(results))
