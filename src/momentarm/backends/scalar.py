"""LLVM text: one state. `@one(p0, p1, …)` reads and writes contiguous arrays."""

from __future__ import annotations

from momentarm.backends.llvm import FLOAT_BITS, Body, Lanes, emit, far_function
from momentarm.backends.simd import operands
from momentarm.graph.program import Program


def module(program: Program, lanes: Lanes, triple: str, extra: str = "") -> str:
    """The text of a module with `@one`, and whatever calls it."""
    return "\n".join([
        f'target triple = "{triple}"', far_function(lanes.scalar), one_function(program, lanes), extra,
    ])  # fmt: skip


def one_function(program: Program, lanes: Lanes) -> str:
    ins, outs = operands(program)
    place = {o.name: o.index for o in ins}
    body = Body(lanes)
    size = FLOAT_BITS[lanes.scalar] // 8

    def element(pointer: str, k: int) -> str:
        return body.put(f"getelementptr i8, ptr {pointer}, i64 {k * size}") if k else pointer

    def load(body: Body, name: str, k: int) -> str:
        return body.put(f"load {lanes.scalar}, ptr {element(f'%p{place[name]}', k)}, align {size}")

    results = iter(emit(body, program, load))
    for o in outs:
        for k in range(o.size):
            target = element(f"%p{o.index}", k)
            body.lines.append(f"  store {lanes.scalar} {next(results)}, ptr {target}, align {size}")
    parameters = ", ".join(f"ptr noalias %p{o.index}" for o in [*ins, *outs])
    return "\n".join(
        [f"define void @one({parameters}) noinline {{", *body.lines, "  ret void", "}"]
    )
