"""The order in which straight-line backends take a program: by how many sines lie below.

A sine and a cosine of one argument are computed together, and one test serves all arguments of
a level that are too large for the short reduction.
"""

from __future__ import annotations

from dataclasses import dataclass

from momentarm.graph.program import Program
from momentarm.graph.tape import Node


@dataclass(slots=True)
class Angle:
    """The node of an argument and those of its sine and cosine, None where nobody asks."""

    argument: Node
    sin: Node | None = None
    cos: Node | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """Arguments whose sine and cosine are taken first, then the operations that may follow."""

    angles: tuple[Angle, ...]
    nodes: tuple[Node, ...]


def levels(program: Program) -> list[Level]:
    ops, args = program.tape.ops, program.tape.args
    depth: dict[Node, int] = {}
    angles: list[dict[Node, Angle]] = [{}]
    nodes: list[list[Node]] = [[]]
    for i in program.live():
        op = ops[i]
        below = max((depth[j] for j in args[i]), default=0) if op not in ("const", "input") else 0
        depth[i] = below + (op in ("sin", "cos"))
        while len(nodes) <= depth[i]:
            nodes.append([])
            angles.append({})
        if op in ("sin", "cos"):
            angle = angles[depth[i]].setdefault(args[i][0], Angle(args[i][0]))
            setattr(angle, op, i)
        else:
            nodes[depth[i]].append(i)
    return [Level(tuple(a.values()), tuple(n)) for a, n in zip(angles, nodes, strict=True)]
