"""The robot as an ordinary differential equation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking, Threads


class StateSpace(Asking):
    """x = (q, q̇): the coordinates, then the rates."""

    def state_rate(self, x: ArrayLike, tau: ArrayLike, *, tip_wrench: ArrayLike | None = None,
                   wrenches: Mapping[str, ArrayLike] | None = None, out: Any = None,
                   dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """ẋ = f(x, u), eq. (7.45) of Angeles: x = (q, q̇), u = τ, ẋ = (q̇, q̈) [1/s of x].

        For any solver of differential equations; a quaternion's part is the rate of its elements,
        which keeps its length.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> arm.state_rate([0, 0, 1, -1], [29.43, 9.81 + 1])  # the latter holds it and adds 1 N m
        array([ 1., -1., -2.,  5.])
        """
        return self._run("state_rate", (x, tau), out, dtype, threads, tip_wrench, wrenches)
