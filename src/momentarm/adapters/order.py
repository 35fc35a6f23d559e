"""Our vectors in the order and the frames of another library's model, and back.

Rule 1  Joints are matched by name; each is a block (`blocks`). What only permutes is exact.
Rule 2  v' = B(q) v, so a' = B a + Ḃ v, τ = Bᵀ τ' and M = Bᵀ M' B; what is marked is theirs.
Rule 3  Any leading axes; nothing is compiled and no other library imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
        q = self._ours("q_to(q)", q, self.nq)
        there = np.empty((*q.shape[:-1], len(self.home)), q.dtype)
        there[...] = self.home
        for block in self.blocks:
            there[..., block.at.there_q] = block.q_to(q[..., block.at.q])
        return there

    def q_from(self, q: ArrayLike, near: ArrayLike | None = None) -> Array:
        """Our coordinates. Of an angle that is (cos, sin) there: within ±π, or the turn next to
        `near`, our coordinates a moment ago."""
        q = self._ours("q_from(q)", q, len(self.home))
        before = None if near is None else self._ours("q_from(near)", near, self.nq)
        leading = q.shape[:-1] if before is None else np.broadcast_shapes(
            q.shape[:-1], before.shape[:-1])  # fmt: skip
        here = np.empty((*leading, self.nq), q.dtype)
        for block in self._leading():
            here[..., block.at.q] = block.q_from(q[..., block.at.there_q])
            if before is not None and block.wraps:
                angle, old = here[..., block.at.q.stop - 1], before[..., block.at.q.stop - 1]
                angle += 2 * np.pi * np.round((old - angle) / (2 * np.pi))
        return here

    def v_to(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """The other library's rates, B q̇."""
        q, qd = self._both("v_to", q, qd)
        there = np.zeros((*qd.shape[:-1], self.nv), qd.dtype)
        for block in self.blocks:
            there[..., block.at.there_v] = block.to(q[..., block.at.q], qd[..., block.at.v])
        return there

    def v_from(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Our rates."""
        q, v = self._both("v_from", q, v, self.nv)
        return self._back(q, v, self._leading())

    def a_to(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """The other library's accelerations, B q̈ + Ḃ q̇."""
        there = self.v_to(q, qdd)
        return there + self._drift(q, qd)

    def a_from(self, q: ArrayLike, qd: ArrayLike, a: ArrayLike) -> Array:
        """Our accelerations."""
        a = self._ours("a_from(a)", a, self.nv)
        return self.v_from(q, a - self._drift(q, qd))

    def tau_to(self, q: ArrayLike, tau: ArrayLike) -> Array:
        """The other library's efforts; joints that follow others there get none."""
        q, tau = self._both("tau_to", q, tau)
        there = np.zeros((*tau.shape[:-1], self.nv), tau.dtype)
        for block in self._leading():
            there[..., block.at.there_v] = block.to(q[..., block.at.q], tau[..., block.at.v])
        return there

    def tau_from(self, q: ArrayLike, tau: ArrayLike) -> Array:
        """Our efforts, Bᵀ τ: with what joints that follow pass on to those they follow."""
        q, tau = self._both("tau_from", q, tau, self.nv)
        return self._back(q, tau, self.blocks)

    def M_from(self, q: ArrayLike, M: ArrayLike) -> Array:
        """Our mass matrix, Bᵀ M B, of the other library's, both triangles filled."""
        q, M = self._ours("M_from(q)", q, self.nq), np.asarray(M, float)
        if M.shape[-2:] != (self.nv, self.nv):
            raise ValueError(f"M_from(M): expected (..., {self.nv}, {self.nv}), got {M.shape}")
        half = self.tau_from(q[..., None, :], M)
        return np.swapaxes(self.tau_from(q[..., None, :], np.swapaxes(half, -1, -2)), -1, -2)

    def M_to(self, q: ArrayLike, M: ArrayLike) -> Array:
        """The other library's mass matrix, of ours; only where no joint follows another there."""
        if len(self._leading()) < len(self.blocks):
            raise ValueError(f"M_to: {self.library} has joints that follow others here; their own "
                             "inertia cannot be told from ours")  # fmt: skip
        q, M = self._ours("M_to(q)", q, self.nq), np.asarray(M, float)
        if M.shape[-2:] != (self.n, self.n):
            raise ValueError(f"M_to(M): expected (..., {self.n}, {self.n}), got {M.shape}")
        half = self.tau_to(q[..., None, :], M)
        return np.swapaxes(self.tau_to(q[..., None, :], np.swapaxes(half, -1, -2)), -1, -2)

    def _leading(self) -> Sequence[Block]:
        return [block for block in self.blocks if block.leads]

    def _back(self, q: Array, v: Array, blocks: Sequence[Block]) -> Array:
        here = np.zeros((*v.shape[:-1], self.n), v.dtype)
        for block in blocks:
            here[..., block.at.v] += block.back(q[..., block.at.q], v[..., block.at.there_v])
        return here

    def _drift(self, q: ArrayLike, qd: ArrayLike) -> Array:
        q, qd = self._both("a", q, qd)
        there = np.zeros((*qd.shape[:-1], self.nv), qd.dtype)
        for block in self.blocks:
            there[..., block.at.there_v] = block.drift(q[..., block.at.q], qd[..., block.at.v])
        return there

    def _both(self, what: str, q: ArrayLike, v: ArrayLike, count: int | None = None) -> Any:
        """Our q and a vector of `count` elements, with the same leading axes."""
        x = self._ours(f"{what}(q)", q, self.nq)
        y = self._ours(f"{what}(…, v)", v, self.n if count is None else count)
        leading = np.broadcast_shapes(x.shape[:-1], y.shape[:-1])
        return (np.broadcast_to(x, (*leading, x.shape[-1])),
                np.broadcast_to(y, (*leading, y.shape[-1])))  # fmt: skip

    def _ours(self, what: str, x: ArrayLike, count: int) -> Array:
        array = np.asarray(x)
        if array.dtype.kind not in "fiu":
            raise TypeError(f"{what}: expected numbers, got {array.dtype}")
        array = array if array.dtype.kind == "f" else array.astype(float)
        if array.shape[-1:] != (count,):
            raise ValueError(f"{what}: expected (..., {count}), got {array.shape}")
        return array
