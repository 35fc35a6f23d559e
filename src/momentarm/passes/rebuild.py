"""The frame every pass shares: walk the live nodes once and put each on a new tape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from momentarm.graph.program import Program
from momentarm.graph.tape import Node, Tape

Emit = Callable[[Tape, Node, dict[Node, Node]], Node]


def rebuild(program: Program, emit: Emit, skipped: Callable[[Node], bool] | None = None) -> Program:
    """A new program: `emit(new tape, old node, old to new)` for each live node, in order."""
    old, new = program.tape, Tape()
    at: dict[Node, Node] = {}
    for i in program.live():
        op, args = old.ops[i], old.args[i]
        if op in ("const", "input"):
            at[i] = new.node(op, *args)
        elif skipped is None or not skipped(i):
            at[i] = emit(new, i, at)
        if i in old.names and i in at:
            new.names.setdefault(at[i], old.names[i])
    return replace(program, tape=new, results=tuple(at[i] for i in program.results))


def use_counts(program: Program) -> list[int]:
    """How often each node is taken as an argument by a live node or as a result."""
    uses = [0] * len(program.tape)
    for i in program.live():
        if program.tape.ops[i] not in ("const", "input"):
            for j in program.tape.args[i]:
                uses[j] += 1
    for i in program.results:
        uses[i] += 1
    return uses
