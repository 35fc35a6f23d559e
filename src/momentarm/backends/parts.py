"""A long program cut into parts, as LLVM takes more than linear time over one function.

A value that a later part needs is left in a slot of a workspace array; a slot is used again when
the last part that reads it is done.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from momentarm.backends.levels import Angle, Level, levels
from momentarm.backends.llvm import Body, Lanes, Values
from momentarm.graph.ops import OPS
from momentarm.graph.program import Program
from momentarm.graph.tape import Node

WHOLE = 3000  # operations up to which a program is one function: it runs fastest so
LONGEST = 700  # operations in a part: LLVM takes 40 to 60 μs for each, and more in longer ones
ANGLE = 25  # what a sine and cosine weigh
GROUP = 16  # angles that share one test for size


@dataclass(frozen=True, slots=True)
class Plan:
    """The parts in order, and the slot of each value that outlives its part (results too)."""

    parts: tuple[tuple[Level, ...], ...]
    slots: dict[Node, int]
    size: int

    @property
    def is_whole(self) -> bool:
        return len(self.parts) == 1


def plan(program: Program) -> Plan:
    whole = levels(program)
    weight = sum(ANGLE * len(level.angles) + len(level.nodes) for level in whole)
    if weight + 3 * len(program.results) <= WHOLE:
        return Plan((tuple(whole),), {}, 0)
    parts = _cut(whole, LONGEST)
    made, last = _lives(program, parts)
    slots: dict[Node, int] = {}
    free: list[int] = []
    due: list[list[int]] = [[] for _ in parts]
    size = 0
    current = 0
    for i in sorted(made, key=lambda i: (made[i], i)):
        while current < made[i]:  # what was last read before this part is free
            for slot in due[current]:
                heapq.heappush(free, slot)
            current += 1
        if last.get(i, made[i]) == made[i]:
            continue
        if free:
            slots[i] = heapq.heappop(free)
        else:
            slots[i], size = size, size + 1
        if last[i] < len(parts):
            due[last[i]].append(slots[i])
    return Plan(tuple(map(tuple, parts)), slots, size)


def _cut(whole: list[Level], longest: int) -> list[list[Level]]:
    """Levels in pieces, and the pieces in parts of about `longest` operations."""
    parts: list[list[Level]] = [[]]
    weight = 0
    for level in whole:
        for piece in _pieces(level, longest):
            cost = ANGLE * len(piece.angles) + len(piece.nodes)
            if weight and weight + cost > longest:
                parts.append([])
                weight = 0
            parts[-1].append(piece)
            weight += cost
    return parts


def _pieces(level: Level, longest: int) -> list[Level]:
    """The angles in groups, then the operations in runs."""
    angles = [Level(level.angles[k : k + GROUP], ()) for k in range(0, len(level.angles), GROUP)]
    step = max(1, longest // 8)
    nodes = [Level((), level.nodes[k : k + step]) for k in range(0, len(level.nodes), step)]
    return angles + nodes


def _lives(program: Program, parts: list[list[Level]]) -> tuple[dict[Node, int], dict[Node, int]]:
    """For each computed value the part that makes it and the last that reads it.

    Results are read after the last part; numbers and inputs are at hand everywhere.
    """
    ops, args = program.tape.ops, program.tape.args
    made: dict[Node, int] = {}
    last: dict[Node, int] = {}
    for k, part in enumerate(parts):
        for level in part:
            for angle in level.angles:
                _note(angle, k, made, last)
            for i in level.nodes:
                if ops[i] not in ("const", "input"):
                    made[i] = k
                    last |= dict.fromkeys(args[i], k)
    last |= {i: len(parts) for i in program.results}
    return made, {i: k for i, k in last.items() if i in made}


def _note(angle: Angle, k: int, made: dict[Node, int], last: dict[Node, int]) -> None:
    last[angle.argument] = k
    made |= {i: k for i in (angle.sin, angle.cos) if i is not None}


def functions(program: Program, plan: Plan, lanes: Lanes,
              fetch_input: Callable[[Body, Node], str], parameters: str) -> list[str]:  # fmt: skip
    """@part0(w, …), @part1(w, …), …: each reads its values from the workspace and leaves its own.

    `parameters` come after the workspace; `fetch_input` puts the load of an input into a body.
    """
    text = []
    for k, part in enumerate(plan.parts):
        body = Body(lanes)

        def fetch(i: Node, body: Body = body) -> str:
            return kept(body, program, plan, fetch_input, i)

        def keep(i: Node, name: str, body: Body = body) -> None:
            if i in plan.slots:
                target = slot(body, plan.slots[i])
                if OPS[program.tape.ops[i]].is_bool:  # a truth value is kept as 1 or 0
                    name = body.select(name, lanes.number(1), lanes.number(0))
                body.lines.append(f"  store {lanes.type} {name}, ptr {target}, align 8")

        Values(body, program, fetch, keep).emit(part)
        head = f"define internal void @part{k}(ptr noalias %w{parameters}) noinline {{"
        text += [head, *body.lines, "  ret void", "}"]
    return text


def slot(body: Body, k: int) -> str:
    """Pointer to a place of the workspace."""
    lanes = body.lanes
    return body.put(f"getelementptr {lanes.type}, ptr %w, i64 {k}") if k else "%w"


MEMORY = "declare ptr @malloc(i64)\ndeclare void @free(ptr)\n"


def workspace(lanes: Lanes, size: int) -> list[str]:
    """%w, aligned, from %w.memory, which the caller frees: too large for some threads' stacks."""
    bytes = (size + 1) * lanes.bytes * lanes.width
    return [
        f"  %w.memory = call ptr @malloc(i64 {bytes + 64})",
        "  %w.end = getelementptr i8, ptr %w.memory, i64 63",
        "  %w = call ptr @llvm.ptrmask.p0.i64(ptr %w.end, i64 -64)",
    ]


def kept(body: Body, program: Program, plan: Plan, fetch_input: Any, i: Node) -> str:
    """A value of an earlier part from its slot, or an input."""
    if i not in plan.slots:
        return str(fetch_input(body, i))
    t = body.lanes.type
    value = body.put(f"load {t}, ptr {slot(body, plan.slots[i])}, align 8")
    if OPS[program.tape.ops[i]].is_bool:
        value = body.put(f"fcmp une {t} {value}, {body.lanes.number(0)}")
    return value
