"""What the tests of the compiler share: hard numbers, and one program made to run on four backends.

A `Runner` takes rows of arguments and gives rows of results, so that all backends look alike.
"""

import ctypes
import math
import shutil
import struct
import subprocess
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from momentarm.backends import c, parts, scalar, simd
from momentarm.backends.llvm import Lanes
from momentarm.graph import OPS, Program, Tape
from momentarm.kernels import engine, numpy_abi

Array = np.ndarray
Runner = Callable[..., tuple[Array, ...]]
DTYPES = {"double": np.float64, "float": np.float32}
WIDTHS = {"double": (2, 4, 8), "float": (4, 8, 16)}
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]


def nasty(kind: str) -> Array:
    """Zeros, denormals, neighbours of powers of two, the limits of angles, infinities, NaN."""
    real = DTYPES[kind]
    limits = np.finfo(real)
    sizes = [0.0, limits.smallest_subnormal, 3 * limits.smallest_subnormal, limits.tiny,
             np.nextafter(limits.tiny, real(0)), limits.eps, 1, np.nextafter(real(1), real(2)),
             np.nextafter(real(1), real(0)), 1.5, math.pi / 2, 3, 1e5,
             np.nextafter(real(1e5), real(1e6)), 1e19, limits.max, math.inf]  # fmt: skip
    return np.array([*sizes, *(-x for x in sizes), math.nan], real)


def bits(a: Array) -> Array:
    """The bits of an array, all NaN alike."""
    a = np.asarray(a)
    return np.where(np.isnan(a), np.array(np.nan, a.dtype), a).view(f"u{a.itemsize}")


def assert_same_bits(found: Array, expected: Array, what: str = "") -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), what
    wrong = np.argwhere(bits(found) != bits(expected))
    if len(wrong):
        first = tuple(wrong[0])
        pytest.fail(f"{what}: {len(wrong)} of {found.size} differ, first at {first}: "
                    f"{found[first]!r} where {expected[first]!r} is expected", False)  # fmt: skip


# -- programs


def every_operation() -> Program:
    """y[k] is the k-th operation of the table on x[0], x[1], x[2]; truth values stand as 1 and 0.

    An argument that is a truth value is whether x[i] > 0. Nothing is folded.
    """
    tape = Tape()
    x = [tape.input("x", k) for k in range(3)]
    zero, one = tape.const(0), tape.const(1)
    truth = [tape.node("lt", zero, i) for i in x]
    results = []
    for op in OPS.values():
        args = [truth[k] if k in op.of_bool else x[k] for k in range(op.arity)]
        i = tape.node(op.name, *args)
        results.append(tape.node("select", i, one, zero) if op.is_bool else i)
    return Program(tape, {"x": (3,)}, {"y": (len(OPS),)}, tuple(results), "every_operation")


def sine_and_cosine() -> Program:
    return Program.trace(lambda x: ([x[0].sin()], [x[0].cos()]), {"x": (1,)})


def nearest(x: Fraction, kind: str) -> float:
    """The number of a format that is nearest to an exact one, ties to even."""
    try:
        a = float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf
    if kind == "double" or x == a:
        return a if kind == "double" else float(single(a))
    toward = math.inf if x > a else -math.inf  # to odd, so that rounding twice rounds once
    odd = a if struct.pack(">d", a)[-1] & 1 else math.nextafter(a, toward)
    return float(single(odd))


def single(x: float) -> np.float32:
    with np.errstate(all="ignore"):
        return np.float32(x)


# -- backends


def cut(monkeypatch: pytest.MonkeyPatch, longest: int | None) -> None:
    """Programs made from now on are cut into parts of so many operations; None: as usual."""
    if longest is not None:
        monkeypatch.setattr(parts, "WHOLE", 0)
        monkeypatch.setattr(parts, "LONGEST", longest)


def interpreted(program: Program, arguments: dict[str, list], meaning: dict) -> list:
    """The results by the meanings of a table, in whatever numbers the arguments are."""
    values = {}
    for i in program.live():
        op, args = program.tape.ops[i], program.tape.args[i]
        if op == "const":
            values[i] = Fraction(args[0])
        elif op == "input":
            values[i] = arguments[args[0]][args[1]]
        else:
            values[i] = meaning[op](*(values[j] for j in args))
    return [values[i] for i in program.results]


def on_rows(program: Program, kind: str, one: Callable[..., None]) -> Runner:
    """`one` takes a pointer for each array of one state; the runner calls it row by row."""
    cores = list(program.outputs.values())

    def run(*rows: Array) -> tuple[Array, ...]:
        rows = [np.ascontiguousarray(a, DTYPES[kind]) for a in rows]
        outs = [np.full((len(rows[0]), *core), 7, DTYPES[kind]) for core in cores]
        for k in range(len(rows[0])):
            one(*(a[k:].ctypes.data for a in [*rows, *outs]))
        return tuple(outs)

    return run


def as_function(address: int, program: Program) -> Callable[..., None]:
    pointers = [ctypes.c_void_p] * (len(program.inputs) + len(program.outputs))
    return ctypes.CFUNCTYPE(None, *pointers)(address)


def llvm_scalar(program: Program, kind: str) -> Runner:
    text = scalar.module(program, Lanes(kind), engine.host().triple)
    code = engine.Engine(engine.compile_object(text))
    run = on_rows(program, kind, as_function(code.address("one"), program))
    run.owner = code
    return run


def llvm_vector(program: Program, kind: str, width: int) -> Runner:
    text = simd.module(program, Lanes(kind, width), engine.host().triple)
    code = engine.Engine(engine.compile_object(text))
    ufunc, memory = numpy_abi.gufunc(
        code.address("loop"), tuple(program.inputs.values()), tuple(program.outputs.values()),
        "loop", "", kind == "float",
    )  # fmt: skip

    def run(*rows: Array) -> tuple[Array, ...]:
        results = ufunc(*rows)
        return results if isinstance(results, tuple) else (results,)

    run.owner = code, memory
    return run


@cache
def c_compiler() -> str:
    """The path of cc; skips where there is none, as nothing else can judge exported C."""
    found = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if found is None:
        pytest.skip("no C compiler (gcc, cc, clang) on the path: exported C cannot be compiled")
    return found


def build(folder: Path, name: str, *options: str, compiler: str = "") -> None:
    """Run the C compiler in a folder; its complaints are the failure."""
    done = subprocess.run([compiler or c_compiler(), *options], cwd=folder, text=True,
                          capture_output=True, check=False)  # fmt: skip
    assert done.returncode == 0, f"{name}: {' '.join(options)}\n{done.stderr}"


def exported(program: Program, kind: str, folder: Path, *options: str, name: str = "f") -> Runner:
    """The program by way of its C text, compiled with all warnings as errors."""
    (folder / f"{name}.c").write_text(c.source(program, name, {"robot": "test"}, kind))
    build(folder, name, *(options or STRICT), "-shared", "-fPIC", f"{name}.c", "-o", f"{name}.so",
          "-lm")  # fmt: skip
    library = ctypes.CDLL(str(folder / f"{name}.so"))
    address = ctypes.cast(getattr(library, c.identifier(name)), ctypes.c_void_p).value
    run = on_rows(program, kind, as_function(address, program))
    run.owner = library
    return run
