"""From a traced program to the one that is compiled: the passes, in order, with names.

The program that runs is the same for every dtype, width and backend, so all of them round alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from momentarm.graph.program import Program
from momentarm.graph.tape import TooLong
from momentarm.passes.factor import factor
from momentarm.passes.fuse import fuse

MOST_OPERATIONS = 2_000_000
Trace = Callable[[float], Program]  # gives up beyond so many nodes


class TooLarge(ValueError):
    """A program that would take minutes to compile."""


def simplified(traced: Program) -> Program:
    """Factored until nothing more is gained; exact folding has happened while tracing."""
    program, best = factor(traced), traced.counts.total
    while program.counts.total < best:
        program, best = factor(program), program.counts.total
    return program


def scheduled(program: Program) -> Program:
    """With fused multiply-adds: what every backend spells out."""
    return fuse(program)


def cheapest(name: str, routes: Mapping[str, Trace]) -> tuple[str, Program]:
    """The route with the fewest operations, and its simplified program.

    A route is dropped as soon as its trace is twice as long as the best program so far.
    """
    best: tuple[str, Program] | None = None
    for route, trace in routes.items():
        longest = MOST_OPERATIONS if best is None else 2 * len(best[1].tape) + 1000
        try:
            program = simplified(trace(min(longest, MOST_OPERATIONS)))
        except TooLong:
            continue
        if best is None or program.counts.total < best[1].counts.total:
            best = route, program
    if best is None:
        raise TooLarge(
            f"{name} would be straight-line code of more than {MOST_OPERATIONS:,} operations; call "
            "the algorithm in momentarm.algorithms on floats in a loop, or ask for less at a time"
        )
    return best
