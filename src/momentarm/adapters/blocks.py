"""How one joint's numbers differ between libraries: the blocks that an `Order` is made of.

A block's functions take and give its own elements, along the last axis. v' = B v is linear at a
given q; where the joint leads, that is, where our vectors can be read off it, Bᵀ is B⁻¹.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Ranges:
    """Where a joint is in our q and v, and in the other library's."""

    q: slice
    v: slice
    there_q: slice
    there_v: slice


def _same(q: Array) -> Array:
    return q


def _as_it_is(q: Array, v: Array) -> Array:
    return v


def _still(q: Array, v: Array) -> Array:
    return np.zeros_like(v)


@dataclass(frozen=True, slots=True)
class Block:
    """One joint of the other library."""

    at: Ranges
    q_to: Callable[[Array], Array] = _same
    q_from: Callable[[Array], Array] = _same
    to: Callable[[Array, Array], Array] = _as_it_is  # B v, of our q and v
    back: Callable[[Array, Array], Array] = _as_it_is  # Bᵀ v', of our q
    drift: Callable[[Array, Array], Array] = _still  # Ḃ v
    leads: bool = True
    wraps: bool = False  # the last of its coordinates is an angle, of which turns are lost there


def following(at: Ranges, ratio: float, offset: float, *, on_circle: bool = False) -> Block:
    """A joint of its own there that follows another one here: ratio · q + offset."""
    place = _circle if on_circle else _same
    scaled = lambda q, v: ratio * v
    return Block(at, lambda q: place(ratio * q + offset), _same, scaled, scaled, leads=False)


def circle(at: Ranges) -> Block:
    """An angle here, its (cos, sin) there."""
    return Block(at, _circle, lambda q: np.arctan2(q[..., 1:], q[..., :1]), wraps=True)


def scalar_first(at: Ranges) -> Block:
    """A spherical joint whose quaternion is (w, x, y, z) there."""
    return Block(at, lambda q: np.roll(q, 1, -1), lambda q: np.roll(q, -1, -1))


def linear_twist(at: Ranges) -> Block:
    """A free joint whose twist is (v, ω) there, in the link's axes as ours."""
    swap = lambda q, v: np.roll(v, 3, -1)
    return Block(at, to=swap, back=swap)


def world_velocity(at: Ranges) -> Block:
    """A free joint: quaternion (w, x, y, z), rates (velocity in the world, ω in the link)."""
    return Block(
        at,
        lambda q: np.concatenate([q[..., :3], np.roll(q[..., 3:], 1, -1)], -1),
        lambda q: np.concatenate([q[..., :3], np.roll(q[..., 3:], -1, -1)], -1),
        lambda q, v: np.concatenate([_turned(q[..., 3:], v[..., 3:]), v[..., :3]], -1),
        lambda q, v: np.concatenate([v[..., 3:], _turned(_back(q[..., 3:]), v[..., :3])], -1),
        _world_drift,
    )


def planar(at: Ranges) -> Block:
    """Joints x, y, θ in a row here; there (x, y, cos θ, sin θ) with the velocity in the link."""
    return Block(
        at,
        lambda q: np.concatenate([q[..., :2], _circle(q[..., 2:])], -1),
        lambda q: np.concatenate([q[..., :2], np.arctan2(q[..., 3:], q[..., 2:3])], -1),
        lambda q, v: _in_plane(-q[..., 2], v),
        lambda q, v: _in_plane(q[..., 2], v),
        _planar_drift,
        wraps=True,
    )


def _circle(q: Array) -> Array:
    return np.concatenate([np.cos(q), np.sin(q)], -1)


def _back(q: Array) -> Array:
    return np.concatenate([-q[..., :3], q[..., 3:]], -1)


def _turned(q: Array, v: Array) -> Array:
    """R(q) v for quaternions (x, y, z, w) of any length but zero."""
    u, w = q[..., :3], q[..., 3:]
    across = np.cross(u, v)
    scale = 2 / np.sum(q * q, -1, keepdims=True)
    return np.asarray(v + scale * (w * across + np.cross(u, across)))


def _world_drift(q: Array, v: Array) -> Array:
    """Of d/dt (R v) = R (v̇ + ω × v) the second term."""
    turning = _turned(q[..., 3:], np.cross(v[..., :3], v[..., 3:]))
    return np.concatenate([turning, np.zeros_like(turning)], -1)


def _in_plane(angle: Array, v: Array) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    x, y, turn = np.moveaxis(v, -1, 0)
    return np.stack([c * x - s * y, s * x + c * y, turn + 0 * c], -1)


def _planar_drift(q: Array, v: Array) -> Array:
    x, y, turn = np.moveaxis(_in_plane(-q[..., 2], v), -1, 0)
    return np.stack([turn * y, -turn * x, 0 * turn], -1)
