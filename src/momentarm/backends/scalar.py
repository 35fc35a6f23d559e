"""LLVM text: one state. `@one(p0, p1, …)` reads and writes contiguous arrays."""

from __future__ import annotations

from momentarm.backends import parts
from momentarm.backends.llvm import Body, Lanes, Values, far_function
from momentarm.backends.simd import operands
from momentarm.graph.program import Program
from momentarm.graph.tape import Node


def module(program: Program, lanes: Lanes, triple: str, extra: str = "") -> str:
    """The text of a module with `@one`, and whatever calls it."""
    return "\n".join([
        f'target triple = "{triple}"', far_function(lanes.scalar), parts.MEMORY,
        one_function(program, lanes), extra,
    ])  # fmt: skip


def one_function(program: Program, lanes: Lanes) -> str:
    """@one; in parts where the program is long."""
    ins, outs = operands(program)
    place = {o.name: o.index for o in ins}
    size = lanes.bytes

    def element(body: Body, pointer: str, k: int) -> str:
        return body.put(f"getelementptr i8, ptr {pointer}, i64 {k * size}") if k else pointer

    def load(body: Body, i: Node) -> str:
        name, k = program.tape.args[i]
        pointer = element(body, f"%p{place[name]}", k)
        return body.put(f"load {lanes.scalar}, ptr {pointer}, align {size}")

    body, plan = Body(lanes), parts.plan(program)
    before: list[str] = []
    if plan.is_whole:
        values = Values(body, program, lambda i: load(body, i))
        values.emit(plan.parts[0])
    else:
        pointers = "".join(f", ptr %p{o.index}" for o in ins)
        before = parts.functions(program, plan, lanes, load, pointers)
        body.lines += parts.workspace(lanes, plan.size)
        body.lines += [f"  call void @part{k}(ptr %w{pointers})" for k in range(len(plan.parts))]
        values = Values(body, program, lambda i: parts.kept(body, program, plan, load, i))
    results = iter(program.results)
    for o in outs:
        for k in range(o.size):
            value = values[next(results)]
            target = element(body, f"%p{o.index}", k)
            body.lines.append(f"  store {lanes.scalar} {value}, ptr {target}, align {size}")
    if not plan.is_whole:
        body.lines.append("  call void @free(ptr %w.memory)")
    parameters = ", ".join(f"ptr noalias %p{o.index}" for o in [*ins, *outs])
    head = f"define void @one({parameters}) noinline {{"
    return "\n".join([*before, head, *body.lines, "  ret void", "}"])
