"""From a traced program to the one that is compiled: the passes, in order, with names.

The program that runs is the same for every dtype, width and backend, so all of them round alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from momentarm.graph.program import Program
from momentarm.passes.factor import factor
from momentarm.passes.fuse import fuse

MOST_OPERATIONS = 2_000_000


class TooLarge(ValueError):
    """A program that would take minutes to compile."""


def simplified(traced: Program) -> Program:
    """Factored until nothing more is gained; exact folding has happened while tracing."""
    if len(traced.tape) > MOST_OPERATIONS:
        raise TooLarge(
            f"{traced.name} would be straight-line code of {len(traced.tape):,} operations, more "
            f"than {MOST_OPERATIONS:,}; call the algorithm in momentarm.algorithms on floats in a "
            "loop, or ask for a smaller quantity (one frame, one column, forward dynamics)"
        )
    program, best = factor(traced), traced.counts.total
    while program.counts.total < best:
        program, best = factor(program), program.counts.total
    return program


def scheduled(program: Program) -> Program:
    """With fused multiply-adds: what every backend spells out."""
    return fuse(program)


def cheapest(routes: Sequence[tuple[str, Callable[[], Program]]]) -> tuple[str, Program]:
    """The route with the fewest operations, and its simplified program."""
    if len(routes) == 1:
        name, trace = routes[0]
        return name, simplified(trace())
    programs = [(name, simplified(trace())) for name, trace in routes]
    return min(programs, key=lambda item: item[1].counts.total)
