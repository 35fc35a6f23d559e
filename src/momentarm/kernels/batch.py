"""Running a batch: one call for small ones, slices on several threads for large ones.

Results do not depend on how a batch is cut: every state is computed by the same code.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

WORTH_THREADS = 60_000_000  # operations: about a millisecond on one core


def run(function: Any, args: tuple[Any, ...], recipe: Any, out: Any, single: bool,
        threads: int | None, cost: int) -> Any:  # fmt: skip
    """`function(*args)`, cut along the first axis when that is worth it."""
    keywords: dict[str, Any] = {}
    if out is not None:
        keywords["out"] = out
    if single and any(getattr(a, "dtype", None) != np.float32 for a in args):
        args = tuple(_as_single(a) for a in args)
    workers = _cores() if threads is None else _valid(threads)
    if workers > 1 and all(type(a) is np.ndarray for a in args):
        cores = tuple(recipe.inputs.values())
        leading = _leading(args, cores)
        if leading and leading[0] > 1:
            work = int(np.prod(leading)) * cost
            if work > WORTH_THREADS or (threads is not None and work > WORTH_THREADS // 50):
                return _sliced(function, args, recipe, out, single, leading, workers)
    return function(*args, **keywords)


def _as_single(a: Any) -> Any:
    return a.astype(np.float32) if hasattr(a, "astype") else np.asarray(a, np.float32)


def _valid(threads: Any) -> int:
    if not isinstance(threads, int) or isinstance(threads, bool) or threads < 1:
        raise ValueError(f"threads: expected a whole number from 1, or None for all cores, "
                         f"got {threads!r}")  # fmt: skip
    return threads


def _leading(args: tuple[Any, ...], cores: tuple[tuple[int, ...], ...]) -> tuple[int, ...] | None:
    """The batch's shape; None if the shapes are wrong (the ufunc will say how)."""
    for a, core in zip(args, cores, strict=True):
        if a.ndim < len(core) or a.shape[a.ndim - len(core) :] != core:
            return None
    try:
        shapes = (a.shape[: a.ndim - len(k)] for a, k in zip(args, cores, strict=True))
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def _sliced(function: Any, args: tuple[Any, ...], recipe: Any, out: Any, single: bool,
            leading: tuple[int, ...], workers: int) -> Any:  # fmt: skip
    kind = np.float32 if single else np.float64
    outs = out if isinstance(out, tuple) else (out,) if out is not None else None
    if outs is None or any(o is None for o in outs):
        outs = tuple(np.empty((*leading, *core), kind) for core in recipe.outputs.values())
    elif any(o.shape != (*leading, *core)
             for o, core in zip(outs, recipe.outputs.values(), strict=True)):  # fmt: skip
        return function(*args, out=out)
    ranks = [len(core) for core in recipe.inputs.values()]
    split = [a.ndim - r == len(leading) and a.shape[0] == leading[0] and leading[0] > 1
             for a, r in zip(args, ranks, strict=True)]  # fmt: skip
    edges = [leading[0] * k // workers for k in range(workers + 1)]

    def work(k: int) -> None:
        rows = slice(edges[k], edges[k + 1])
        mine = tuple(a[rows] if cut else a for a, cut in zip(args, split, strict=True))
        function(*mine, out=tuple(o[rows] for o in outs))

    if any(np.may_share_memory(o, a) for o in outs for a in args if o.size and a.size):
        return function(*args, out=outs if len(outs) > 1 else outs[0])
    list(_pool(os.getpid(), workers).map(work, range(workers)))
    return outs if len(outs) > 1 else outs[0]


@cache
def _pool(process: int, workers: int) -> ThreadPoolExecutor:
    """Threads of this process: a fork starts with none of its parent's."""
    return ThreadPoolExecutor(workers, thread_name_prefix="momentarm")


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
