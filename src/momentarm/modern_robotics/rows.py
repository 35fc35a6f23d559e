"""Trajectories: arrays with a row a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def table(function: str, **given: Any) -> list[Array]:
    """Arrays (…, N, k) of one N; a wrench that is the number 0 is none at any time."""
    arrays: dict[str, Array] = {}
    for name, value in given.items():
        array = np.asarray(value)
        if array.dtype.kind not in "fiu":
            raise TypeError(f"{function}({name}): expected real numbers, got {array.dtype}")
        if name == "Ftipmat" and array.ndim == 0 and array == 0:
            array = np.zeros((_first(arrays).shape[-2], 6))
        if array.ndim < 2:
            raise ValueError(f"{function}({name}): expected a row a time, (N, …), got shape "
                             f"{array.shape}")  # fmt: skip
        arrays[name] = np.asarray(array, np.float64)
    counts = {name: a.shape[-2] for name, a in arrays.items()}
    if len({*counts.values()}) > 1:
        listed = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise ValueError(f"{function}: expected as many rows in all, got {listed}")
    return [*arrays.values()]


def step(function: str, dt: Any, intRes: Any) -> Array:
    """dt / intRes."""
    if not isinstance(intRes, int | np.integer) or isinstance(intRes, bool) or intRes < 1:
        raise ValueError(f"{function}(intRes): expected a whole number from 1, got {intRes!r}")
    if not (np.ndim(dt) == 0 and np.isreal(dt) and np.isfinite(dt)):
        raise ValueError(f"{function}(dt): expected a finite number, got {dt!r}")
    return np.array(float(dt) / int(intRes))


def stacked(states: Sequence[Array]) -> Array:
    """A row a time; the first may have fewer leading axes than what became of it."""
    return np.stack(np.broadcast_arrays(*states), -2)


def _first(arrays: dict[str, Array]) -> Array:
    return next(iter(arrays.values()))
