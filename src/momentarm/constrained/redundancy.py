"""Rows of A that follow from others, found in NumPy at given states.

A row is redundant if in every state the rows before it leave less than 1e-9 of its length, or if it
is nothing beside the longest. What is dependent in some states only is a singular state.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
DEPENDENT = 1e-9  # of a row's length
NOTHING = 1e-12  # of the longest row's


def redundant_rows(A: Array) -> dict[int, set[int]]:
    """The rows of A (states, k, n) that are redundant, each with those that it follows from."""
    found: dict[int, set[int]] = {}
    kept: list[int] = []
    for k in range(A.shape[1]):
        causes = [_causes(a, kept, k) for a in A]
        if all(cause is not None for cause in causes):
            found[k] = {i for cause in causes for i in cause or ()}
        else:
            kept.append(k)
    return found


def _causes(A: Array, kept: list[int], k: int) -> set[int] | None:
    """The rows whose sum row k is, None if it is no sum of them."""
    length = float(np.linalg.norm(A[k]))
    if length <= NOTHING * float(np.linalg.norm(A, axis=1).max(initial=0)):
        return set()
    scales = np.linalg.norm(A[kept], axis=1)
    used = [i for i, scale in zip(kept, scales) if scale]
    if not used:
        return None
    unit = A[used] / np.linalg.norm(A[used], axis=1, keepdims=True)
    share = np.linalg.lstsq(unit.T, A[k], rcond=DEPENDENT)[0]
    if float(np.linalg.norm(A[k] - share @ unit)) > DEPENDENT * length:
        return None
    return {i for i, x in zip(used, share) if abs(x) > 1e-6 * length}


def told(redundant: dict[int, set[int]], names: Sequence[str], states: int) -> str:
    """What is said of redundant rows."""
    reasons = [
        f"{names[k]} follows from {', '.join(names[i] for i in sorted(causes))}" if causes
        else f"{names[k]} is always 0" for k, causes in redundant.items()
    ]  # fmt: skip
    missing = ("nothing would be left to obey" if len(redundant) == len(names) else
               "leave them out (rows=…), or let redundant='drop' do it")  # fmt: skip
    return (f"with_constraints: of {len(names)} rows {len(redundant)} are redundant (at {states} "
            f"states, tolerance {DEPENDENT:g}): {'; '.join(reasons)}; {missing}")  # fmt: skip
