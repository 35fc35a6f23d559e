"""Vectors, matrices and symmetric matrices of three dimensions, over any scalar.

Rule 1  Every class is a frozen value; nothing is cached.
Rule 2  `0` and `1`, never `0.0`: a float literal would destroy an exact reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from momentarm.spatial.scalar import Scalar


@dataclass(frozen=True, slots=True)
class Vec3:
    x: Scalar
    y: Scalar
    z: Scalar

    def __iter__(self) -> Iterator[Scalar]:
        return iter((self.x, self.y, self.z))

    def __add__(a, b: Vec3) -> Vec3:
        return Vec3(a.x + b.x, a.y + b.y, a.z + b.z)

    def __sub__(a, b: Vec3) -> Vec3:
        return Vec3(a.x - b.x, a.y - b.y, a.z - b.z)

    def __neg__(a) -> Vec3:
        return Vec3(-a.x, -a.y, -a.z)

    def __mul__(a, k: Scalar) -> Vec3:
        return Vec3(a.x * k, a.y * k, a.z * k)

    __rmul__ = __mul__

    def dot(a, b: Vec3) -> Scalar:
        return a.x * b.x + a.y * b.y + a.z * b.z

    def cross(a, b: Vec3) -> Vec3:
        return Vec3(
            a.y * b.z - a.z * b.y,
            a.z * b.x - a.x * b.z,
            a.x * b.y - a.y * b.x,
        )


ZERO = Vec3(0, 0, 0)
EX, EY, EZ = Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)


@dataclass(frozen=True, slots=True)
class Mat3:
    """A 3x3 matrix by its columns, so `A @ v` reads as a combination of them."""

    cx: Vec3
    cy: Vec3
    cz: Vec3

    @classmethod
    def rows(cls, rows: Iterable[Iterable[Any]]) -> Mat3:
        """From nested rows, as matrices are written down."""
        return cls(*(Vec3(*column) for column in zip(*rows, strict=True)))

    @classmethod
    def skew(cls, v: Vec3) -> Mat3:
        """[v] with [v] u = v × u."""
        return cls(Vec3(0, v.z, -v.y), Vec3(-v.z, 0, v.x), Vec3(v.y, -v.x, 0))

    @classmethod
    def outer(cls, a: Vec3, b: Vec3) -> Mat3:
        """a bᵀ."""
        return cls(a * b.x, a * b.y, a * b.z)

    @property
    def T(A) -> Mat3:
        return Mat3.rows((A.cx, A.cy, A.cz))

    @property
    def trace(self) -> Scalar:
        return self.cx.x + self.cy.y + self.cz.z

    def __iter__(self) -> Iterator[Vec3]:
        """The rows."""
        return (Vec3(*row) for row in zip(self.cx, self.cy, self.cz, strict=True))

    def __matmul__(A, b: Any) -> Any:
        if isinstance(b, Vec3):
            return Vec3(
                A.cx.x * b.x + A.cy.x * b.y + A.cz.x * b.z,
                A.cx.y * b.x + A.cy.y * b.y + A.cz.y * b.z,
                A.cx.z * b.x + A.cy.z * b.y + A.cz.z * b.z,
            )
        if isinstance(b, Mat3):
            return Mat3(A @ b.cx, A @ b.cy, A @ b.cz)
        return NotImplemented

    def __add__(A, B: Mat3) -> Mat3:
        return Mat3(A.cx + B.cx, A.cy + B.cy, A.cz + B.cz)

    def __sub__(A, B: Mat3) -> Mat3:
        return Mat3(A.cx - B.cx, A.cy - B.cy, A.cz - B.cz)

    def __neg__(A) -> Mat3:
        return Mat3(-A.cx, -A.cy, -A.cz)

    def __mul__(A, k: Scalar) -> Mat3:
        return Mat3(A.cx * k, A.cy * k, A.cz * k)

    __rmul__ = __mul__


IDENTITY = Mat3(EX, EY, EZ)


@dataclass(frozen=True, slots=True)
class Sym3:
    """A symmetric 3x3 matrix by its six distinct elements."""

    xx: Scalar
    yy: Scalar
    zz: Scalar
    xy: Scalar
    xz: Scalar
    yz: Scalar

    @classmethod
    def outer(cls, a: Vec3) -> Sym3:
        """a aᵀ."""
        return cls(a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z)

    @classmethod
    def outer_sum(cls, a: Vec3, b: Vec3) -> Sym3:
        """a bᵀ + b aᵀ."""
        return cls(
            (2 * a.x) * b.x,
            (2 * a.y) * b.y,
            (2 * a.z) * b.z,
            a.x * b.y + a.y * b.x,
            a.x * b.z + a.z * b.x,
            a.y * b.z + a.z * b.y,
        )

    @classmethod
    def diagonal(cls, xx: Scalar, yy: Scalar, zz: Scalar) -> Sym3:
        return cls(xx, yy, zz, 0, 0, 0)

    @property
    def trace(self) -> Scalar:
        return self.xx + self.yy + self.zz

    @property
    def matrix(self) -> Mat3:
        return Mat3(
            Vec3(self.xx, self.xy, self.xz),
            Vec3(self.xy, self.yy, self.yz),
            Vec3(self.xz, self.yz, self.zz),
        )

    def __iter__(self) -> Iterator[Scalar]:
        return iter((self.xx, self.yy, self.zz, self.xy, self.xz, self.yz))

    def __matmul__(S, v: Vec3) -> Vec3:
        return Vec3(
            S.xx * v.x + S.xy * v.y + S.xz * v.z,
            S.xy * v.x + S.yy * v.y + S.yz * v.z,
            S.xz * v.x + S.yz * v.y + S.zz * v.z,
        )

    def __add__(A, B: Sym3) -> Sym3:
        return Sym3(*(a + b for a, b in zip(A, B, strict=True)))

    def __sub__(A, B: Sym3) -> Sym3:
        return Sym3(*(a - b for a, b in zip(A, B, strict=True)))

    def __neg__(A) -> Sym3:
        return Sym3(*(-a for a in A))

    def __mul__(A, k: Scalar) -> Sym3:
        return Sym3(*(a * k for a in A))

    __rmul__ = __mul__


ZERO_SYM = Sym3(0, 0, 0, 0, 0, 0)
