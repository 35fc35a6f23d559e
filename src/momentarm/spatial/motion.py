"""Motions and forces: six-vectors in the order (angular, linear).

Rule 1  The types make wrong physics unwritable: motions meet forces only in `dot`.
Rule 2  One `cross`, chosen by the type of its argument: the two hardest signs are written once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from momentarm.spatial.scalar import Scalar
from momentarm.spatial.vector import ZERO, Mat3, Vec3

ROWS = ("rx", "ry", "rz", "x", "y", "z")  # what the six are called


@dataclass(frozen=True, slots=True)
class _SixVector:
    ang: Vec3
    lin: Vec3

    @classmethod
    def of(cls, six: Iterable[Scalar]) -> Self:
        """From six numbers: the angular three first."""
        a, b, c, d, e, f = six
        return cls(Vec3(a, b, c), Vec3(d, e, f))

    def __iter__(self) -> Iterator[Scalar]:
        yield from self.ang
        yield from self.lin

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(self.ang + other.ang, self.lin + other.lin)

    def __sub__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return type(self)(self.ang - other.ang, self.lin - other.lin)

    def __neg__(self) -> Self:
        return type(self)(-self.ang, -self.lin)

    def __mul__(self, k: Scalar) -> Self:
        return type(self)(self.ang * k, self.lin * k)

    __rmul__ = __mul__


@dataclass(frozen=True, slots=True)
class Force(_SixVector):
    """Moment and force (a wrench), or angular and linear momentum."""

    __mul__ = __rmul__ = _SixVector.__mul__


@dataclass(frozen=True, slots=True)
class Motion(_SixVector):
    """Velocity, acceleration or joint axis (a twist)."""

    __mul__ = __rmul__ = _SixVector.__mul__

    def cross(v, x: Any) -> Any:
        """v × x for a motion (the Lie bracket, ad_v x); v ×* x = −ad_vᵀ x for a force."""
        if isinstance(x, Force):
            return Force(v.ang.cross(x.ang) + v.lin.cross(x.lin), v.ang.cross(x.lin))
        if isinstance(x, Motion):
            return Motion(v.ang.cross(x.ang), v.ang.cross(x.lin) + v.lin.cross(x.ang))
        raise TypeError(f"cross takes a Motion or a Force, got {type(x).__name__}")

    def dot(v, f: Force) -> Scalar:
        """Power."""
        if not isinstance(f, Force):
            raise TypeError(f"a Motion's dot takes a Force, got {type(f).__name__}")
        return v.ang.dot(f.ang) + v.lin.dot(f.lin)


NO_FORCE = Force(ZERO, ZERO)
NO_MOTION = Motion(ZERO, ZERO)


@dataclass(frozen=True, slots=True)
class BodyMotion:
    """How a body moves, the classical way: ω, ω̇ and the acceleration a of its frame's origin.

    A point at p of the body accelerates by a + U p, where U = [ω̇] + [ω][ω].
    """

    w: Vec3
    wd: Vec3
    a: Vec3
    U: Mat3

    @classmethod
    def of(cls, w: Vec3, wd: Vec3, a: Vec3) -> BodyMotion:
        return cls(w, wd, a, accelerations(w, wd))

    @classmethod
    def of_base(cls, gravity: Vec3) -> BodyMotion:
        """At rest, under gravity: accelerated by −g, eq. (7.44)."""
        return cls.of(ZERO, ZERO, -gravity)


def accelerations(w: Vec3, wd: Vec3) -> Mat3:
    """U = [ω̇] + [ω][ω]."""
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    return Mat3(
        Vec3(-(yy + zz), xy + wd.z, xz - wd.y),
        Vec3(xy - wd.z, -(xx + zz), yz + wd.x),
        Vec3(xz + wd.y, yz - wd.x, -(xx + yy)),
    )
