"""A program on NumPy arrays: what runs where LLVM does not.

Rule 1  Arguments broadcast over leading batch axes, core axes last, as a gufunc's do.
Rule 2  Single precision if every argument is; nothing raises or warns, NaN passes through.
Rule 3  The same operations, but fma rounds twice and sin and cos are NumPy's: the last bits differ.

>>> from momentarm.graph import Program
>>> p = Program.trace(lambda x, a: [a * x[0], x[1] / x[0]], {"x": (2,), "a": ()}, {"y": (2,)})
>>> function(p)([[1, 2], [0, 3]], 10)
array([[10.,  2.],
       [ 0., inf]])
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from momentarm.graph.ops import OPS
from momentarm.graph.program import Program

MEANING: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative,
    "fma": lambda a, b, c: a * b + c,
    "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "abs": np.abs,
    "sign": lambda a: np.where((a < 0) | (a > 0), np.copysign(1, a), a),  # -0 is its own sign
    "lt": np.less, "le": np.less_equal, "eq": np.equal,
    "and": np.logical_and, "or": np.logical_or, "not": np.logical_not, "select": np.where,
}  # fmt: skip


def function(program: Program, dtype: DTypeLike | None = None) -> Callable[..., Any]:
    """arrays -> array, or a tuple of them where the program has several results.

    `dtype` decides in which precision it computes; None: the arguments do.
    """
    cores, outputs = list(program.inputs.items()), list(program.outputs.items())

    def run(*arrays: Any, out: Any = None) -> Any:
        given = [np.asarray(a) for a in arrays]
        single = bool(given) and all((a.dtype.kind, a.itemsize) == ("f", 4) for a in given)
        kind = np.dtype((np.float32 if single else np.float64) if dtype is None else dtype)
        batches = [_batch(*core, a.shape) for core, a in zip(cores, given, strict=True)]
        with np.errstate(all="ignore"):
            flat = {name: a.astype(kind, casting="same_kind").reshape(*own, math.prod(core))
                    for (name, core), a, own in zip(cores, given, batches)}  # fmt: skip
            values = iter(_results(program, flat, kind))
        places = out if isinstance(out, tuple) else (out,) + (None,) * (len(outputs) - 1)
        results = []
        for (name, core), place in zip(outputs, places, strict=True):
            made = np.empty((*np.broadcast_shapes(*batches), math.prod(core)), kind)
            for k, value in zip(range(made.shape[-1]), values):
                made[..., k] = value
            result = made.reshape((*made.shape[:-1], *core))
            if place is not None:
                _batch(name, core, place.shape)
                np.copyto(place, result, casting="same_kind")
            results.append(result[()] if place is None else place)
        return tuple(results) if len(results) != 1 else results[0]

    return run


def _batch(name: str, core: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The axes before the core axes."""
    split = len(shape) - len(core)
    if split < 0 or shape[split:] != core:
        raise ValueError(f"{name}: expected shape {('...', *core)}, got {shape}")
    return shape[:split]


def _results(program: Program, flat: dict[str, NDArray[Any]], kind: np.dtype[Any]) -> list[Any]:
    """What the result nodes hold; the others are forgotten after their last use."""
    tape, live, values = program.tape, program.live(), dict[int, Any]()
    taken = {j: i for i in live if tape.ops[i] in OPS for j in tape.args[i]}
    last = taken | dict.fromkeys(program.results, -1)
    for i in live:
        op, args = tape.ops[i], tape.args[i]
        if op == "const":
            values[i] = kind.type(args[0])
        elif op == "input":
            values[i] = flat[args[0]][..., args[1]]
        else:
            values[i] = MEANING[op](*(values[j] for j in args))
            for j in {j for j in args if last[j] == i}:
                del values[j]
    return [values[i] for i in program.results]
