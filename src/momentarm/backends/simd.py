"""LLVM text: many states at once, one state a lane, as the inner loop of a NumPy gufunc.

A block of W rows is loaded row by row and transposed in registers, so that arrays of shape
(N, n) need no copy. What a block cannot read directly (rows that are not contiguous, the last
rows of a batch) goes through small buffers; the arithmetic is the same code.
"""

from __future__ import annotations

import math
from functools import partial

from momentarm.backends import parts
from momentarm.backends.llvm import Body, Lanes, Values, far_function
from momentarm.graph.program import Program
from momentarm.graph.tape import Node


class Operand:
    """One array argument: its place in the call and the shape of its core."""

    def __init__(self, index: int, name: str, shape: tuple[int, ...]) -> None:
        self.index, self.name, self.shape = index, name, shape
        self.size = math.prod(shape)
        self.first = 0  # column in the whole operand


def operands(program: Program) -> tuple[list[Operand], list[Operand]]:
    items = [*program.inputs.items(), *program.outputs.items()]
    all_of_them = [Operand(k, name, shape) for k, (name, shape) in enumerate(items)]
    n = len(program.inputs)
    return all_of_them[:n], all_of_them[n:]


def module(program: Program, lanes: Lanes, triple: str) -> str:
    """The text of a module with `@loop`, a PyUFuncGenericFunction."""
    return "\n".join([
        f'target triple = "{triple}"',
        far_function(lanes.scalar),
        copy_function(lanes.scalar, _axes(program)),
        block_functions(program, lanes),
        parts.MEMORY,
        loop_function(program, lanes, x86=triple.startswith("x86_64")),
    ])  # fmt: skip


def block_functions(program: Program, lanes: Lanes) -> str:
    """@block(w, p0, s0, p1, s1, …): W rows, row r of operand k at p_k + r s_k bytes."""
    ins, outs = operands(program)
    parameters = "".join(f", ptr noalias %p{o.index}, i64 %s{o.index}" for o in [*ins, *outs])
    plan = parts.plan(program)
    text = _whole_block(program, lanes, plan) if plan.is_whole else None
    before, lines = ([], text) if text else _block_in_parts(program, lanes, plan)
    head = f"define internal void @block(ptr %w{parameters}) noinline {{"
    return "\n".join([*before, head, *lines, "  ret void", "}"])


def _whole_block(program: Program, lanes: Lanes, plan: parts.Plan) -> list[str]:
    ins, outs = operands(program)
    body = Body(lanes)
    columns = {o.name: _load_columns(body, o) for o in ins}

    def fetch(i: Node) -> str:
        name, k = program.tape.args[i]
        return columns[name][k]

    values = Values(body, program, fetch)
    values.emit(plan.parts[0])
    results = [values[i] for i in program.results]
    for o in outs:
        _store_columns(body, o, results[: o.size])
        results = results[o.size :]
    return body.lines


def _block_in_parts(program: Program, lanes: Lanes,
                    plan: parts.Plan) -> tuple[list[str], list[str]]:  # fmt: skip
    """Columns go to the workspace, parts run on it, results come from it."""
    ins, outs = operands(program)
    first = {}  # place of each operand's columns in the workspace, after the slots
    at = plan.size
    for o in [*ins, *outs]:
        first[o.name], at = at, at + o.size

    def load(body: Body, i: Node) -> str:
        name, k = program.tape.args[i]
        return body.put(f"load {lanes.type}, ptr {parts.slot(body, first[name] + k)}, align 8")

    before = parts.functions(program, plan, lanes, load, "")
    lines, position = [], 0
    for o in ins:
        for piece in _pieces(o, lanes.width):
            name = f"@load{o.index}.{piece.first}"
            body = Body(lanes)
            for k, column in enumerate(_load_columns(body, piece)):
                target = parts.slot(body, first[o.name] + piece.first + k)
                body.lines.append(f"  store {lanes.type} {column}, ptr {target}, align 8")
            before += _transfer(name, o.index, body)
            lines.append(f"  call void {name}(ptr %w, ptr %p{o.index}, i64 %s{o.index})")
    lines += [f"  call void @part{k}(ptr %w)" for k in range(len(plan.parts))]
    for o in outs:
        for piece in _pieces(o, lanes.width):
            name = f"@store{o.index}.{piece.first}"
            body = Body(lanes)
            values = Values(body, program, partial(parts.kept, body, program, plan, load))
            wanted = program.results[position : position + piece.size]
            position += piece.size
            _store_columns(body, piece, [values[i] for i in wanted])
            before += _transfer(name, o.index, body)
            lines.append(f"  call void {name}(ptr %w, ptr %p{o.index}, i64 %s{o.index})")
    return before, lines


def _transfer(name: str, index: int, body: Body) -> list[str]:
    head = f"define internal void {name}(ptr noalias %w, ptr %p{index}, i64 %s{index}) noinline {{"
    return [head, *body.lines, "  ret void", "}"]


class Piece(Operand):
    """Some columns of an operand."""

    def __init__(self, whole: Operand, first: int, size: int) -> None:
        super().__init__(whole.index, whole.name, (size,))
        self.first = first


def _pieces(o: Operand, width: int) -> list[Piece]:
    step = 8 * width
    return [Piece(o, k, min(step, o.size - k)) for k in range(0, o.size, step)]


def _rows(body: Body, o: Operand) -> list[str]:
    """Pointers to the W rows of an operand."""
    rows = [f"%p{o.index}"]
    for _ in range(body.lanes.width - 1):
        rows.append(body.put(f"getelementptr i8, ptr {rows[-1]}, i64 %s{o.index}"))
    return rows


def _load_columns(body: Body, o: Operand) -> list[str]:
    """One vector per column, lane r from row r.

    A 128-bit quarter of a vector takes a few neighbours of one row straight from memory; what is
    left is a small transposition inside the quarters, which costs no shuffle across them.
    """
    rows, step = _rows(body, o), body.lanes.quarter
    columns: list[str] = []
    for first in _firsts(o, step):
        columns[first:] = transposed(body, [
            _quarters(body, [_element(body, row, o.first + first) for row in rows[k::step]])
            for k in range(step)
        ])  # fmt: skip
    return columns or _single_columns(body, o, rows)


def _store_columns(body: Body, o: Operand, columns: list[str]) -> None:
    rows, lanes, step = _rows(body, o), body.lanes, body.lanes.quarter
    for first in _firsts(o, step):
        for k, vector in enumerate(transposed(body, columns[first : first + step])):
            for q, row in enumerate(rows[k::step]):
                picked = ", ".join(f"i32 {q * step + e}" for e in range(step))
                part = body.put(f"shufflevector {lanes.type} {vector}, {lanes.type} poison, "
                                f"<{step} x i32> <{picked}>")  # fmt: skip
                target = _element(body, row, o.first + first)
                body.lines.append(f"  store <{step} x {lanes.scalar}> {part}, ptr {target}, "
                                  f"align {lanes.bytes}")  # fmt: skip
    if o.size < step:
        for k, column in enumerate(columns):
            for r, row in enumerate(rows):
                x = body.put(f"extractelement {lanes.type} {column}, i32 {r}")
                target = _element(body, row, o.first + k)
                body.lines.append(f"  store {lanes.scalar} {x}, ptr {target}, align {lanes.bytes}")


def _firsts(o: Operand, step: int) -> list[int]:
    """First columns of pieces of `step` columns that cover the operand; the last may overlap."""
    if o.size < step:
        return []
    return [*range(0, o.size - step, step), o.size - step]


def _element(body: Body, row: str, column: int) -> str:
    if column == 0:
        return row
    return body.put(f"getelementptr i8, ptr {row}, i64 {column * body.lanes.bytes}")


def _quarters(body: Body, pointers: list[str]) -> str:
    """A vector with a piece of memory in each 128-bit quarter."""
    W, t, step = body.lanes.width, body.lanes.type, body.lanes.quarter
    piece, vector = f"<{step} x {body.lanes.scalar}>", "poison"
    spread = ", ".join(f"i32 {k % step}" for k in range(W))
    for q, pointer in enumerate(pointers):
        part = body.put(f"load {piece}, ptr {pointer}, align {body.lanes.bytes}")
        wide = body.put(f"shufflevector {piece} {part}, {piece} poison, <{W} x i32> <{spread}>")
        chosen = ", ".join(f"i32 {k + W if k // step == q else k}" for k in range(W))
        vector = wide if q == 0 else body.put(
            f"shufflevector {t} {vector}, {t} {wide}, <{W} x i32> <{chosen}>")  # fmt: skip
    return vector


def _single_columns(body: Body, o: Operand, rows: list[str]) -> list[str]:
    """Columns of an operand too narrow for quarters, element by element."""
    lanes, columns = body.lanes, []
    for k in range(o.size):
        column = "poison"
        for r, row in enumerate(rows):
            pointer = _element(body, row, o.first + k)
            x = body.put(f"load {lanes.scalar}, ptr {pointer}, align {lanes.bytes}")
            column = body.put(f"insertelement {lanes.type} {column}, {lanes.scalar} {x}, i32 {r}")
        columns.append(column)
    return columns


def transposed(body: Body, rows: list[str]) -> list[str]:
    """The square of lanes in each quarter transposed: rounds that interleave two rows."""
    W, t, L = body.lanes.width, body.lanes.type, len(rows)
    half = L // 2
    places = [(q + k // 2, W * (k % 2)) for q in range(0, W, L) for k in range(L)]
    masks = [", ".join(f"i32 {a + first + b}" for a, b in places) for first in (0, half)]
    for _ in range(L.bit_length() - 1):
        rows = [
            body.put(f"shufflevector {t} {rows[r]}, {t} {rows[r + half]}, <{W} x i32> <{mask}>")
            for r in range(half)
            for mask in masks
        ]
    return rows


def _axes(program: Program) -> int:
    """Of the block of rows with the most: the rows, and the axes of a core."""
    return 1 + max(len(s) for s in (*program.inputs.values(), *program.outputs.values()))


def copy_function(scalar: str, axes: int) -> str:
    """@copy: a strided array to another of the same shape, both of so many axes."""
    lines = [
        "define internal void @copy(ptr %to, ptr %from, ptr %shape, ptr %to_steps, "
        "ptr %from_steps) noinline {",
        "entry:",
    ]
    for d in range(axes):
        for name in ("shape", "to_steps", "from_steps"):
            lines += [
                f"  %{name}.p{d} = getelementptr i64, ptr %{name}, i64 {d}",
                f"  %{name}{d} = load i64, ptr %{name}.p{d}",
            ]
    lines.append("  br label %head0")
    for d in range(axes):
        before = "entry" if d == 0 else f"body{d - 1}"
        outer = ("%to", "%from") if d == 0 else (f"%t{d - 1}", f"%f{d - 1}")
        lines += [
            f"head{d}:",
            f"  %i{d} = phi i64 [ 0, %{before} ], [ %n{d}, %next{d} ]",
            f"  %t{d} = phi ptr [ {outer[0]}, %{before} ], [ %tn{d}, %next{d} ]",
            f"  %f{d} = phi ptr [ {outer[1]}, %{before} ], [ %fn{d}, %next{d} ]",
            f"  %go{d} = icmp slt i64 %i{d}, %shape{d}",
            f"  br i1 %go{d}, label %body{d}, label %end{d}",
            f"body{d}:",
            f"  br label %head{d + 1}",
        ]
    last = axes - 1
    lines += [f"head{axes}:", f"  %x = load {scalar}, ptr %f{last}",
              f"  store {scalar} %x, ptr %t{last}", f"  br label %next{last}"]  # fmt: skip
    for d in reversed(range(axes)):
        lines += [
            f"next{d}:",
            f"  %n{d} = add i64 %i{d}, 1",
            f"  %tn{d} = getelementptr i8, ptr %t{d}, i64 %to_steps{d}",
            f"  %fn{d} = getelementptr i8, ptr %f{d}, i64 %from_steps{d}",
            f"  br label %head{d}",
            f"end{d}:",
            f"  br label %next{d - 1}" if d else "  ret void",
        ]
    return "\n".join([*lines, "}"])


def loop_function(program: Program, lanes: Lanes, x86: bool) -> str:
    """@loop(args, dims, steps, data) over dims[0] states; see NumPy's generalized ufuncs."""
    ins, outs = operands(program)
    plan = parts.plan(program)
    size = 0 if plan.is_whole else plan.size + sum(o.size for o in [*ins, *outs])
    loop = _Loop(lanes, [*ins, *outs], len(ins), size, _axes(program))
    text = loop.head(x86) + loop.direct() + loop.buffered() + loop.tail(x86)
    head = "define void @loop(ptr %args, ptr %dims, ptr %steps, ptr %data) {"
    return "\n".join([head, *text, "}"])


class _Loop:
    """The pieces of `@loop`."""

    def __init__(self, lanes: Lanes, every: list[Operand], inputs: int, workspace: int,
                 axes: int) -> None:  # fmt: skip
        self.lanes, self.every, self.inputs, self.workspace = lanes, every, inputs, workspace
        self.axes = axes
        self.w = "%w" if workspace else "null"
        self.bytes = lanes.bytes
        self.W = lanes.width
        self.core = []  # positions in `steps` of each operand's core strides
        at = len(every)
        for o in every:
            self.core.append(range(at, at + len(o.shape)))
            at += len(o.shape)

    def strides(self, o: Operand) -> list[int]:
        """Of a C-contiguous core, in bytes."""
        return [self.bytes * math.prod(o.shape[d + 1 :]) for d in range(len(o.shape))]

    def head(self, x86: bool) -> list[str]:
        out = ["entry:"]
        if x86:  # numbers below 1e-308 must not be flushed to 0, whatever the process has set
            out += [
                "  %mode = alloca i32", "  %ours = alloca i32", "  store i32 8064, ptr %ours",
                "  call void @llvm.x86.sse.stmxcsr(ptr %mode)",
                "  call void @llvm.x86.sse.ldmxcsr(ptr %ours)",
            ]  # fmt: skip
        out.append("  %N = load i64, ptr %dims")
        out += parts.workspace(self.lanes, self.workspace) if self.workspace else []
        for name in ("shape", "to", "from"):
            out.append(f"  %{name}.a = alloca [{self.axes} x i64]")
        checks = []
        for o in self.every:
            k = o.index
            out += [
                f"  %buffer{k} = alloca [{self.W * o.size} x {self.lanes.scalar}], align 64",
                f"  %ap{k} = getelementptr ptr, ptr %args, i64 {k}",
                f"  %a{k} = load ptr, ptr %ap{k}",
                f"  %sp{k} = getelementptr i64, ptr %steps, i64 {k}",
                f"  %step{k} = load i64, ptr %sp{k}",
            ]
            for d, (place, stride) in enumerate(zip(self.core[k], self.strides(o), strict=True)):
                out += [
                    f"  %cp{k}.{d} = getelementptr i64, ptr %steps, i64 {place}",
                    f"  %c{k}.{d} = load i64, ptr %cp{k}.{d}",
                    f"  %ok{k}.{d} = icmp eq i64 %c{k}.{d}, {stride}",
                ]
                checks.append(f"%ok{k}.{d}")
        fine = "true"
        for number, check in enumerate(checks):
            out.append(f"  %all{number} = and i1 {fine}, {check}")
            fine = f"%all{number}"
        return [*out, f"  br i1 {fine}, label %direct, label %buffered"]

    def direct(self) -> list[str]:
        """Whole blocks of rows that lie as the block wants them."""
        out = [
            "direct:",
            "  %i = phi i64 [ 0, %entry ], [ %i.next, %direct.block ]",
            f"  %i.next = add i64 %i, {self.W}",
            "  %whole = icmp sle i64 %i.next, %N",
            "  br i1 %whole, label %direct.block, label %buffered",
            "direct.block:",
        ]
        for o in self.every:
            k = o.index
            out += [
                f"  %do{k} = mul i64 %i, %step{k}",
                f"  %d{k} = getelementptr i8, ptr %a{k}, i64 %do{k}",
            ]
        arguments = ", ".join(f"ptr %d{o.index}, i64 %step{o.index}" for o in self.every)
        return [*out, f"  call void @block(ptr {self.w}, {arguments})", "  br label %direct"]

    def buffered(self) -> list[str]:
        """What is left, in blocks of at most W rows through the buffers."""
        out = [
            "buffered:",
            "  %j0 = phi i64 [ 0, %entry ], [ %i, %direct ]",
            "  br label %rest",
            "rest:",
            "  %j = phi i64 [ %j0, %buffered ], [ %j.next, %rest.block ]",
            f"  %j.next = add i64 %j, {self.W}",
            "  %left = sub i64 %N, %j",
            "  %more = icmp sgt i64 %left, 0",
            "  br i1 %more, label %rest.block, label %done",
            "rest.block:",
            f"  %rows = call i64 @llvm.smin.i64(i64 %left, i64 {self.W})",
        ]
        for o in self.every:
            k = o.index
            out += [
                f"  %bo{k} = mul i64 %j, %step{k}",
                f"  %b{k} = getelementptr i8, ptr %a{k}, i64 %bo{k}",
            ]
        for o in self.every[: self.inputs]:
            out += self.copy(o, into_buffer=True)
        arguments = ", ".join(
            f"ptr %buffer{o.index}, i64 {self.bytes * o.size}" for o in self.every
        )
        out.append(f"  call void @block(ptr {self.w}, {arguments})")
        for o in self.every[self.inputs :]:
            out += self.copy(o, into_buffer=False)
        return [*out, "  br label %rest"]

    def copy(self, o: Operand, into_buffer: bool) -> list[str]:
        k, rank = o.index, len(o.shape)
        shape = ["%rows", *map(str, o.shape)]
        ours = [str(self.bytes * o.size), *map(str, self.strides(o))]
        theirs = [f"%step{k}", *(f"%c{k}.{d}" for d in range(rank))]
        to, source = (ours, theirs) if into_buffer else (theirs, ours)
        out = []
        for name, values in (("shape", shape), ("to", to), ("from", source)):
            padded = values + (["1"] if name == "shape" else ["0"]) * (self.axes - len(values))
            for d, value in enumerate(padded):
                p = f"%{name}.{k}.{d}"
                out += [
                    f"  {p} = getelementptr i64, ptr %{name}.a, i64 {d}",
                    f"  store i64 {value}, ptr {p}",
                ]
        pointers = f"ptr %buffer{k}, ptr %b{k}" if into_buffer else f"ptr %b{k}, ptr %buffer{k}"
        return [*out, f"  call void @copy({pointers}, ptr %shape.a, ptr %to.a, ptr %from.a)"]

    def tail(self, x86: bool) -> list[str]:
        end = ["  call void @free(ptr %w.memory)"] if self.workspace else []
        end += ["  call void @llvm.x86.sse.ldmxcsr(ptr %mode)"] if x86 else []
        return ["done:", *end, "  ret void"]
