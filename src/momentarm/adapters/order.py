"""Our vectors in the order and the frames of another library's model, and back.

Rule 1  Joints are matched by name; each is a block (`blocks`). What only permutes is exact.
Rule 2  v' = B(q) v, so a' = B a + Ḃ v, τ = Bᵀ τ' and M = Bᵀ M' B; what is marked is theirs.
Rule 3  Any leading axes; nothing is compiled and no other library imported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from momentarm.adapters.blocks import Array, Block


@dataclass(frozen=True)
class Order:
    """What `arm.order_for(model)` gives: vectors to and from the order of that model.

    `q_to`, `v_to`, … give the other library's vectors, `q_from`, `v_from`, … ours. Rates,
    accelerations and efforts take our q first, because frames may differ with it.
    """

    library: str
    nq: int  # ours
    n: int
    home: Array  # of the other library: what joints have that we do not know
    nv: int
    blocks: tuple[Block, ...]

    def q_to(self, q: ArrayLike) -> Array:
        """The other library's coordinates."""
        x = _checked("q_to(q)", q, self.nq)
        there = np.empty((*x.shape[:-1], len(self.home)), x.dtype)
        there[...] = self.home
        for block in self.blocks:
            there[..., block.at.there_q] = block.q_to(x[..., block.at.q])
        return there

    def q_from(self, q: ArrayLike, near: ArrayLike | None = None) -> Array:
        """Our coordinates. Of an angle that is (cos, sin) there: within ±π, or the turn next to
        `near`, our coordinates a moment ago."""
        x = _checked("q_from(q)", q, len(self.home))
        before = None if near is None else _checked("q_from(near)", near, self.nq)
        leading = x.shape[:-1] if before is None else np.broadcast_shapes(
            x.shape[:-1], before.shape[:-1])  # fmt: skip
        here = np.empty((*leading, self.nq), x.dtype)
        for block in self._leading():
            here[..., block.at.q] = block.q_from(x[..., block.at.there_q])
            if before is not None and block.wraps:
                angle, old = here[..., block.at.q.stop - 1], before[..., block.at.q.stop - 1]
                angle += 2 * np.pi * np.round((old - angle) / (2 * np.pi))
        return here

    def v_to(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """The other library's rates, B q̇."""
        return self._there("to", *self._both("v_to(q, qd)", q, qd, self.n), self.blocks)

    def v_from(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Our rates."""
        return self._back(*self._both("v_from(q, v)", q, v, self.nv), self._leading())

    def a_to(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """The other library's accelerations, B q̈ + Ḃ q̇."""
        drift = self._there("drift", *self._both("a_to(q, qd)", q, qd, self.n), self.blocks)
        return self.v_to(q, qdd) + drift

    def a_from(self, q: ArrayLike, qd: ArrayLike, a: ArrayLike) -> Array:
        """Our accelerations."""
        drift = self._there("drift", *self._both("a_from(q, qd)", q, qd, self.n), self.blocks)
        return self.v_from(q, _checked("a_from(a)", a, self.nv) - drift)

    def tau_to(self, q: ArrayLike, tau: ArrayLike) -> Array:
        """The other library's efforts; joints that only follow there get none."""
        return self._there("to", *self._both("tau_to(q, tau)", q, tau, self.n), self._leading())

    def tau_from(self, q: ArrayLike, tau: ArrayLike) -> Array:
        """Our efforts, Bᵀ τ': with what joints that follow pass on to those they follow."""
        return self._back(*self._both("tau_from(q, tau)", q, tau, self.nv), self.blocks)

    def M_to(self, q: ArrayLike, M: ArrayLike) -> Array:
        """The other library's mass matrix of ours; only where no joint follows another there."""
        if len(self._leading()) < len(self.blocks):
            raise ValueError(f"M_to: {self.library} has joints that follow others here; their own "
                             "inertia cannot be told from ours")  # fmt: skip
        return self._both_sides(self.tau_to, q, _square("M_to(M)", M, self.n))

    def M_from(self, q: ArrayLike, M: ArrayLike) -> Array:
        """Our mass matrix, Bᵀ M' B; of the other library's both triangles must be filled."""
        return self._both_sides(self.tau_from, q, _square("M_from(M)", M, self.nv))

    def _both_sides(self, turned: Callable[..., Array], q: ArrayLike, M: Array) -> Array:
        x = _checked("M(q)", q, self.nq)[..., None, :]
        return np.swapaxes(turned(x, np.swapaxes(turned(x, M), -1, -2)), -1, -2)

    def _leading(self) -> Sequence[Block]:
        return [block for block in self.blocks if block.leads]

    def _there(self, way: str, q: Array, v: Array, blocks: Sequence[Block]) -> Array:
        there = np.zeros((*v.shape[:-1], self.nv), v.dtype)
        for block in blocks:
            moved = getattr(block, way)
            there[..., block.at.there_v] = moved(q[..., block.at.q], v[..., block.at.v])
        return there

    def _back(self, q: Array, v: Array, blocks: Sequence[Block]) -> Array:
        here = np.zeros((*v.shape[:-1], self.n), v.dtype)
        for block in blocks:
            here[..., block.at.v] += block.back(q[..., block.at.q], v[..., block.at.there_v])
        return here

    def _both(self, what: str, q: ArrayLike, v: ArrayLike, count: int) -> tuple[Array, Array]:
        """Our q and a vector of `count` elements, with the same leading axes."""
        x, y = _checked(what, q, self.nq), _checked(what, v, count)
        leading = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
        return (np.broadcast_to(x, (*leading, self.nq)),
                np.broadcast_to(y, (*leading, count)))  # fmt: skip


def _checked(what: str, x: ArrayLike, count: int) -> Array:
    array = np.asarray(x)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{what}: expected numbers, got {array.dtype}")
    if array.shape[-1:] != (count,):
        raise ValueError(f"{what}: expected (..., {count}), got {array.shape}")
    return array if array.dtype.kind == "f" else array.astype(float)


def _square(what: str, M: ArrayLike, count: int) -> Array:
    array = np.asarray(M, float)
    if array.shape[-2:] != (count, count):
        raise ValueError(f"{what}: expected (..., {count}, {count}), got {array.shape}")
    return array
