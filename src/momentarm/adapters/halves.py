"""Six-vectors: linear first, as Pinocchio and ROS have them, and angular first, as here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Axes = int | tuple[int, ...]


def linear_first(x: ArrayLike, axis: Axes = -1) -> NDArray[Any]:
    """Twists, wrenches (…, 6); Jacobians with axis=-2; 6x6 matrices with axis=(-2, -1).

    >>> linear_first([1, 2, 3, 4, 5, 6])
    array([4, 5, 6, 1, 2, 3])
    """
    return _swapped("linear_first", x, axis)


def angular_first(x: ArrayLike, axis: Axes = -1) -> NDArray[Any]:
    """The way back; `axis` as in `linear_first`.

    >>> angular_first(linear_first([1, 2, 3, 4, 5, 6]))
    array([1, 2, 3, 4, 5, 6])
    """
    return _swapped("angular_first", x, axis)


def _swapped(what: str, x: ArrayLike, axis: Axes) -> NDArray[Any]:
    array = np.asarray(x)
    axes = (axis,) if isinstance(axis, int) else axis
    for k in axes:
        if array.ndim == 0 or not -array.ndim <= k < array.ndim or array.shape[k] != 6:
            raise ValueError(f"{what}: expected six elements along axis {k}, got {array.shape}")
    return np.roll(array, (3,) * len(axes), axes)
