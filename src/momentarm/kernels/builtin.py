"""LLVM text of a Python function: one state, straight from arrays to machine code.

`@call` is a METH_FASTCALL function. If every argument is a float64 array, contiguous and of the
right shape, it makes the results, runs `@one` and returns; anything else goes to its `self`, the
general Python function, unchanged.
"""

from __future__ import annotations

from momentarm.backends.simd import Operand, operands
from momentarm.graph.program import Program
from momentarm.kernels import numpy_abi as abi

SLOTS = ("ndarray", "float64", "PyArray_New", "PyArray_Return", "PyObject_Vectorcall",
         "PyTuple_New")  # fmt: skip
CONTROL, USUAL = 0xFFC0, 0x1F80  # rounding, flushing and masks of the x86 floating-point unit


def call_function(program: Program, x86: bool) -> str:
    ins, outs = operands(program)
    return "\n".join([
        f"@{abi.TABLE} = external global [{len(SLOTS)} x i64]",
        *(f"@dims{o.index} = private constant [{len(o.shape)} x i64] "
          f"[{', '.join(f'i64 {d}' for d in o.shape)}]" for o in outs if o.shape),
        "define ptr @call(ptr %self, ptr %args, i64 %nargs, ptr %kwnames) {",
        *_entry(len(ins), x86),
        *(line for o in ins for line in _check(o)),
        *_run(ins, outs),
        "general:",
        *_slot("PyObject_Vectorcall", "vectorcall"),
        "  %other = call ptr %vectorcall(ptr %self, ptr %args, i64 %nargs, ptr %kwnames)",
        "  ret ptr %other",
        "failed:",
        "  ret ptr null",
        "}",
    ])  # fmt: skip


def _slot(name: str, register: str, kind: str = "ptr") -> list[str]:
    at = SLOTS.index(name) * 8
    return [
        f"  %{register}.at = getelementptr i8, ptr @{abi.TABLE}, i64 {at}",
        f"  %{register} = load {kind}, ptr %{register}.at",
    ]


def _entry(count: int, x86: bool) -> list[str]:
    out = ["entry:", *_slot("ndarray", "ndarray"), *_slot("float64", "float64")]
    out.append(f"  %right.count = icmp eq i64 %nargs, {count}")
    out.append("  %plain = icmp eq ptr %kwnames, null")
    fine = "%usual"
    if x86:
        out += [
            "  %mode.at = alloca i32",
            "  call void @llvm.x86.sse.stmxcsr(ptr %mode.at)",
            "  %mode = load i32, ptr %mode.at",
            f"  %control = and i32 %mode, {CONTROL}",
            f"  %mode.ok = icmp eq i32 %control, {USUAL}",
            "  %both = and i1 %right.count, %plain",
            "  %usual = and i1 %both, %mode.ok",
        ]
    else:
        out.append("  %usual = and i1 %right.count, %plain")
    return [*out, f"  br i1 {fine}, label %type0, label %general"]


def _check(o: Operand) -> list[str]:
    """Argument k is an ndarray of float64, contiguous, aligned, of the expected shape."""
    k = o.index
    out = [
        f"type{k}:",
        f"  %arg.at{k} = getelementptr ptr, ptr %args, i64 {k}",
        f"  %arg{k} = load ptr, ptr %arg.at{k}",
        *_field(k, "type", abi.TYPE, "ptr"),
        f"  %type.ok{k} = icmp eq ptr %type{k}.value, %ndarray",
        f"  br i1 %type.ok{k}, label %array{k}, label %general",
        f"array{k}:",
        *_field(k, "descr", abi.DESCR, "ptr"),
        *_field(k, "flags", abi.FLAGS, "i32"),
        *_field(k, "nd", abi.ND, "i32"),
        f"  %descr.ok{k} = icmp eq ptr %descr{k}.value, %float64",
        f"  %flags.set{k} = and i32 %flags{k}.value, {abi.CONTIGUOUS_ALIGNED}",
        f"  %flags.ok{k} = icmp eq i32 %flags.set{k}, {abi.CONTIGUOUS_ALIGNED}",
        f"  %nd.ok{k} = icmp eq i32 %nd{k}.value, {len(o.shape)}",
        f"  %two{k} = and i1 %descr.ok{k}, %flags.ok{k}",
        f"  %three{k} = and i1 %two{k}, %nd.ok{k}",
        f"  br i1 %three{k}, label %shape{k}, label %general",
        f"shape{k}:",
        *_field(k, "dims", abi.DIMS, "ptr"),
        *_field(k, "data", abi.DATA, "ptr"),
    ]
    fine = "true"
    for d, size in enumerate(o.shape):
        out += [
            f"  %dim.at{k}.{d} = getelementptr i64, ptr %dims{k}.value, i64 {d}",
            f"  %dim{k}.{d} = load i64, ptr %dim.at{k}.{d}",
            f"  %dim.ok{k}.{d} = icmp eq i64 %dim{k}.{d}, {size}",
            f"  %dims.ok{k}.{d} = and i1 {fine}, %dim.ok{k}.{d}",
        ]
        fine = f"%dims.ok{k}.{d}"
    return [*out, f"  br i1 {fine}, label %type{k + 1}, label %general"]


def _field(k: int, name: str, offset: int, kind: str) -> list[str]:
    return [
        f"  %{name}{k}.at = getelementptr i8, ptr %arg{k}, i64 {offset}",
        f"  %{name}{k}.value = load {kind}, ptr %{name}{k}.at",
    ]


def _run(ins: list[Operand], outs: list[Operand]) -> list[str]:
    out = [f"type{len(ins)}:", *_slot("PyArray_New", "new")]
    for o in outs:
        k = o.index
        dims = f"@dims{k}" if o.shape else "null"
        out += [
            f"  %arg{k} = call ptr %new(ptr %ndarray, i32 {len(o.shape)}, ptr {dims}, "
            f"i32 {abi.NPY_DOUBLE}, ptr null, ptr null, i32 0, i32 0, ptr null)",
            f"  %made{k} = icmp ne ptr %arg{k}, null",
            f"  br i1 %made{k}, label %out{k}, label %failed",
            f"out{k}:",
            *_field(k, "data", abi.DATA, "ptr"),
        ]
    arguments = ", ".join(f"ptr %data{o.index}.value" for o in [*ins, *outs])
    out += [f"  call void @one({arguments})", *_slot("PyArray_Return", "as_scalar")]
    for o in outs:
        k = o.index
        source = f"bitcast ptr %arg{k} to ptr" if o.shape else f"call ptr %as_scalar(ptr %arg{k})"
        out.append(f"  %result{k} = {source}")
    if len(outs) == 1:
        return [*out, f"  ret ptr %result{outs[0].index}"]
    out += [
        *_slot("PyTuple_New", "tuple_new"),
        f"  %tuple = call ptr %tuple_new(i64 {len(outs)})",
        "  %tuple.made = icmp ne ptr %tuple, null",
        "  br i1 %tuple.made, label %fill, label %failed",
        "fill:",
    ]
    for position, o in enumerate(outs):
        out += [
            f"  %at{position} = getelementptr i8, ptr %tuple, i64 {abi.TUPLE_ITEMS + 8 * position}",
            f"  store ptr %result{o.index}, ptr %at{position}",
        ]
    return [*out, "  ret ptr %tuple"]
