"""Sums with a product in them become fused multiply-adds, where we place them and nowhere else.

>>> from momentarm.graph import Program
>>> p = Program.trace(lambda x: x[0] - x[1] * x[2], {"x": (3,)})
>>> print(fuse(p))
y = program(x[3])
  %3 = neg(x[1])
  %4 = fma(x[2], %3, x[0])
  y = %4

A product is fused only if this sum is its one use, so no multiplication is done twice.
"""

from __future__ import annotations

from momentarm.graph.program import Program
from momentarm.graph.tape import Node, Tape
from momentarm.passes.rebuild import rebuild, use_counts


def fuse(program: Program) -> Program:
    old, uses = program.tape, use_counts(program)
    fused: dict[Node, Node] = {}  # sum: the product it takes in
    for i in program.live():
        if old.ops[i] in ("add", "sub"):
            products = [j for j in old.args[i] if old.ops[j] == "mul" and uses[j] == 1]
            if products:
                fused[i] = products[-1]
    gone = set(fused.values())

    def emit(new: Tape, i: Node, at: dict[Node, Node]) -> Node:
        op, args = old.ops[i], old.args[i]
        if i not in fused:
            return new.call(op, *(at[j] for j in args))
        a, b = (at[j] for j in old.args[fused[i]])
        other = at[args[0] if args[1] == fused[i] else args[1]]
        if op == "sub" and args[1] == fused[i]:
            a = new.neg(a)
        elif op == "sub":
            other = new.neg(other)
        return new.fma(a, b, other)

    return rebuild(program, emit, gone.__contains__)
