"""Kernels made of kernels: derivatives, changes along a direction, weighted sums.

Rule 1  The tape of what is derived is differentiated, forward and in reverse; the shorter program
        is compiled. One with choices goes forward only: there what is not chosen does no harm.
Rule 2  An argument for which the recipe says how it moves is derived along its rates, any other by
        its elements. Those derivatives commute: of all orders of equal ones one is computed.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, takewhile
from operator import methodcaller
from typing import Any

from momentarm.graph.expr import Expr
from momentarm.graph.program import Program
from momentarm.graph.tape import Node, Tape, TooLong
from momentarm.kernels.kernel import Kernel, Moves, Recipe, Shape
from momentarm.kernels.pipeline import Trace
from momentarm.model.problem import unknown
from momentarm.passes.differentiate import forward, reverse

Names = tuple[str, ...]
By = tuple[str | Names, ...]
Element = Callable[[str, int], Expr]
MODES = {"forward": forward, "reverse": reverse}


def derivative(kernel: Kernel, by: By, values: bool, along_rates: bool) -> Kernel:
    """Order after order: what is new is derived next."""
    found, new = kernel, tuple(kernel.recipe.outputs)
    for k, names in enumerate(by or ((),), 1):
        names = tuple(names) if isinstance(names, tuple | list) else (names,)
        kept = tuple(found.recipe.outputs) if values else ()
        call = methodcaller("derivative", *by[:k], values=values, along_rates=along_rates)
        recipe = _derived(found, _moves(found, "derivative", names, along_rates), new, kept)
        found = Kernel(replace(recipe, again=_again(kernel, call)))
        new = tuple(recipe.outputs)[len(kept) :]
    return found


def _derived(kernel: Kernel, moves: Mapping[str, Moves], new: Names, kept: Names) -> Recipe:
    """What is new once by each of some arguments, after what is kept."""
    base = kernel.recipe
    name = f"{base.name}_D_{'_'.join(moves)}"
    outputs = {y: base.outputs[y] for y in kept}
    slopes = {y: base.slopes.get(y, ()) for y in kept}
    for y in new:
        for x, how in moves.items():
            outputs[f"{y}_D_{x}"] = (*base.outputs[y], *how.shape)
            slopes[f"{y}_D_{x}"] = (*base.slopes.get(y, ()), x if how.commute else "")

    def trace(mode: str, longest: float) -> Program:
        program = kernel.chosen[1]
        if mode == "reverse" and "select" in program.tape.ops:
            raise TooLong  # in reverse the slopes of what is not chosen would have to be finite
        program = MODES[mode](program, partial(_directions, base, moves), longest)
        nodes = program.nodes | dict(_blocks(program, moves, new, slopes))
        results = tuple(chain(*(nodes[y] for y in outputs)))
        return replace(program, name=name, outputs=outputs, results=results)

    columns = sum(math.prod(how.shape) for how in moves.values())
    rows = sum(math.prod(base.outputs[y]) for y in new)
    modes = sorted(MODES, reverse=rows < columns)  # the likely one first
    own = _own_routes(kernel, moves, name, outputs, kept)
    key = _key(base, "derivative", _laws(moves), new, kept)
    return replace(base, name=name, outputs=outputs, slopes=slopes, key=key,
                   routes=own | {mode: partial(trace, mode) for mode in modes}, first=None,
                   doc=f"derivatives by {' and '.join(moves)}: {base.doc}")  # fmt: skip


def _own_routes(kernel: Kernel, moves: Mapping[str, Moves], name: str,
                outputs: dict[str, Shape], kept: Names) -> dict[str, Trace]:  # fmt: skip
    """Of an algorithm for first derivatives, if it gives these; what is kept joins its tape."""
    base = kernel.recipe
    natural = all(how.commute == (x not in base.moves) for x, how in moves.items())
    if base.first is None or not natural or outputs.keys() - kept - base.first().outputs.keys():
        return {}

    def trace(whole: Trace, longest: float) -> Program:
        program = whole(longest)
        nodes = program.nodes
        if kept:
            value = base.routes[kernel.route](longest)
            at = value.onto(program.tape)
            nodes |= {y: tuple(at[i] for i in row) for y, row in value.nodes.items()}
        results = tuple(chain(*(nodes[y] for y in outputs)))
        return replace(program, name=name, outputs=outputs, results=results)

    return {route: partial(trace, whole) for route, whole in base.first().routes.items()}


def _directions(base: Recipe, moves: Mapping[str, Moves], element: Element) -> list[Any]:
    """One for each rate of each argument."""
    found = []
    for x, how in moves.items():
        elements = [element(x, k) for k in range(math.prod(base.inputs[x]))]
        found += [{(x, k): rate for k, rate in tangent.items()}
                  for tangent in how.tangents(elements)]  # fmt: skip
    return found


def _blocks(program: Program, moves: Mapping[str, Moves], new: Names,
            slopes: Mapping[str, Names]) -> Iterator[tuple[str, list[Node]]]:  # fmt: skip
    """The slopes of each result by each argument, all of which stand in one matrix."""
    width = sum(math.prod(how.shape) for how in moves.values())
    for y in new:
        rows, start = program.nodes[f"{y}_D"], 0
        for x, how in moves.items():
            name, size = f"{y}_D_{x}", math.prod(how.shape)
            block = [rows[k + j] for k in range(start, len(rows), width or 1) for j in range(size)]
            times = len([*takewhile(x.__eq__, reversed(slopes[name]))])  # by x, one after another
            yield name, _symmetric(block, size, times)
            start += size


def _symmetric(nodes: list[Node], size: int, times: int) -> list[Node]:
    """With one node wherever the last axes, so many of this size, differ in their order."""

    def place(k: int) -> int:
        first, rest = divmod(k, size**times)
        digits = sorted(rest // size**d % size for d in range(times))
        return first * size**times + sum(digit * size**d for d, digit in enumerate(digits))

    return [nodes[place(k)] for k in range(len(nodes))]


def along(kernel: Kernel, by: Names, values: bool, along_rates: bool) -> Kernel:
    """One direction, whose elements are arguments, taken forward."""
    base, moves = kernel.recipe, _moves(kernel, "along", by, along_rates)
    speeds = _free("d_", by, base.inputs)
    inputs = base.inputs | {speeds[x]: how.shape for x, how in moves.items()}
    outputs = (base.outputs if values else {}) | {f"d_{y}": s for y, s in base.outputs.items()}
    name = f"{base.name}_along_{'_'.join(by)}"
    like = {speeds[x]: "qd" if along_rates and x in base.moves else x for x in by}

    def direction(element: Element) -> list[Any]:
        total: dict[Any, Any] = {}
        pairs = [(x, j) for x, how in moves.items() for j in range(math.prod(how.shape))]
        for (x, j), tangent in zip(pairs, _directions(base, moves, element), strict=True):
            for at, rate in tangent.items():
                total[at] = total.get(at, 0) + rate * element(speeds[x], j)
        return [total]

    def trace(longest: float) -> Program:
        program = forward(replace(kernel.chosen[1], inputs=inputs), direction, longest)
        first = 0 if values else len(program.results) // 2
        return replace(program, name=name, outputs=outputs, results=program.results[first:])

    call = methodcaller("along", *by, values=values, along_rates=along_rates)
    return Kernel(replace(base, name=name, inputs=inputs, outputs=outputs, slopes={},
                          routes={"forward": trace}, first=None, again=_again(kernel, call),
                          key=_key(base, "along", _laws(moves), values),
                          elements=_elements(base, like, inputs),
                          doc=f"along a direction of {' and '.join(by)}: {base.doc}"))  # fmt: skip


def weighted(kernel: Kernel) -> Kernel:
    """A sum of products at the end of the tape."""
    base = kernel.recipe
    weights = _free("w_", base.outputs, base.inputs)
    inputs = base.inputs | {w: base.outputs[y] for y, w in weights.items()}
    name = f"{base.name}_weighted"

    def trace(longest: float) -> Program:
        program, tape = kernel.chosen[1], Tape(longest=longest)
        at = program.onto(tape)
        total: Any = Expr(tape, tape.const(0))
        for y, nodes in program.nodes.items():
            for k, i in enumerate(nodes):
                total += Expr(tape, tape.input(weights[y], k)) * Expr(tape, at[i])
        return Program(tape, inputs, {"S": ()}, (total.i,), name)

    return Kernel(replace(base, name=name, inputs=inputs, outputs={"S": ()}, slopes={},
                          routes={"sum": trace}, first=None, key=_key(base, "weighted"),
                          again=_again(kernel, methodcaller("weighted")),
                          elements=_elements(base, {w: y for y, w in weights.items()}, inputs),
                          doc=f"weighted sum: {base.doc}"))  # fmt: skip


def _moves(kernel: Kernel, verb: str, names: Names, along_rates: bool) -> dict[str, Moves]:
    inputs = kernel.recipe.inputs
    if not names or len(set(names)) < len(names):
        raise TypeError(f"{verb}: expected names of arguments, each once, got {names}; "
                        f"{kernel.recipe.name} has {', '.join(inputs)}")  # fmt: skip
    for x in names:
        if x not in inputs:
            raise ValueError(f"{verb}: {unknown('argument', x, inputs)}")
    given = kernel.recipe.moves if along_rates else {}
    return {x: given.get(x) or _by_element(inputs[x]) for x in names}


def _by_element(shape: Shape) -> Moves:
    return Moves(shape, lambda x: [{k: 1} for k in range(math.prod(shape))], commute=True)


def _free(prefix: str, names: Sequence[str] | Mapping[str, Any],
          taken: Mapping[str, Any]) -> dict[str, str]:  # fmt: skip
    """Names for new arguments, prefixed until they are new."""
    found = {}
    for name in names:
        found[name] = prefix + name
        while found[name] in taken:
            found[name] = prefix + found[name]
    return found


def _elements(base: Recipe, like: Mapping[str, str],
              inputs: Mapping[str, Shape]) -> dict[str, Names]:  # fmt: skip
    """What the elements of new arguments are called: as those of what they are like."""
    return {**base.elements, **{new: base.elements[k] for new, k in like.items()
                                if inputs[new] == (len(base.elements.get(k, ())),)}}  # fmt: skip


def _laws(moves: Mapping[str, Moves]) -> tuple[Any, ...]:
    """What keys say of how arguments move."""
    return tuple((x, how.commute, how.law) for x, how in moves.items())


def _key(base: Recipe, *about: Any) -> bytes:
    return hashlib.sha256(base.key + repr(about).encode()).digest()


def _again(kernel: Kernel, call: Any) -> Callable[[], Any] | None:
    """To ask a copy of the kernel for the same, if it has copies."""
    return (lambda: (call, (kernel,))) if kernel.recipe.again else None
