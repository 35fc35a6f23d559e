"""Rotations in the forms that cost least: planar turns about x and z, their product, a matrix.

Rule 1  `R @ v` carries child coordinates to the parent, `R.T @ v` the parent's to the child.
Rule 2  A rotation is stored by sine and cosine or by its matrix, never by an angle.
Rule 3  A chain of rotations applies its parts one after another; it never multiplies them out.

Cost of one vector: a turn 4 mul 2 add; `TiltTurn` (x then z) 7 mul 4 add; a matrix 9 mul 6 add.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any, Protocol

from momentarm.spatial.scalar import Scalar
from momentarm.spatial.vector import EX, EY, EZ, IDENTITY, Mat3, Sym3, Vec3


class Part(Protocol):
    """One factor of a rotation."""

    def back(self, v: Vec3) -> Vec3: ...
    def out(self, v: Vec3) -> Vec3: ...
    def back_sym(self, S: Sym3) -> Sym3: ...
    def back_mat(self, A: Mat3) -> Mat3: ...


@dataclass(frozen=True, slots=True)
class TurnX:
    """By the constant angle (c, s) about x."""

    c: Scalar
    s: Scalar

    def back(self, v: Vec3) -> Vec3:
        return Vec3(v.x, self.c * v.y - self.s * v.z, self.s * v.y + self.c * v.z)

    def out(self, v: Vec3) -> Vec3:
        return Vec3(v.x, self.c * v.y + self.s * v.z, self.c * v.z - self.s * v.y)

    def back_sym(self, S: Sym3) -> Sym3:
        yy, zz, yz = _tilted_plane(self.c, self.s, S.yy, S.zz, S.yz)
        return Sym3(S.xx, yy, zz, self.c * S.xy - self.s * S.xz, self.s * S.xy + self.c * S.xz, yz)

    def back_mat(self, A: Mat3) -> Mat3:
        c, s, X, Y, Z = self.c, self.s, A.cx, A.cy, A.cz
        yy, zy, yz, zz = _tilted_block(c, s, Y.y, Y.z, Z.y, Z.z)
        return Mat3(
            Vec3(X.x, c * X.y - s * X.z, s * X.y + c * X.z),
            Vec3(c * Y.x - s * Z.x, yy, zy),
            Vec3(s * Y.x + c * Z.x, yz, zz),
        )


@dataclass(frozen=True, slots=True)
class TurnZ:
    """By the angle (c, s) about z."""

    c: Scalar
    s: Scalar

    def and_then(self, b: TurnZ) -> TurnZ:
        """By the sum of both angles; a quarter turn only swaps sine and cosine."""
        return TurnZ(self.c * b.c - self.s * b.s, self.s * b.c + self.c * b.s)

    def back(self, v: Vec3) -> Vec3:
        return Vec3(self.c * v.x - self.s * v.y, self.s * v.x + self.c * v.y, v.z)

    def out(self, v: Vec3) -> Vec3:
        return Vec3(self.c * v.x + self.s * v.y, self.c * v.y - self.s * v.x, v.z)

    def back_sym(self, S: Sym3) -> Sym3:
        xx, yy, xy = _turned_plane(self.c, self.s, S.xx, S.yy, S.xy)
        return Sym3(xx, yy, S.zz, xy, self.c * S.xz - self.s * S.yz, self.s * S.xz + self.c * S.yz)

    def back_mat(self, A: Mat3) -> Mat3:
        c, s, X, Y, Z = self.c, self.s, A.cx, A.cy, A.cz
        xx, yx, xy, yy = _turned_block(c, s, X.x, X.y, Y.x, Y.y)
        return Mat3(
            Vec3(xx, yx, c * X.z - s * Y.z),
            Vec3(xy, yy, s * X.z + c * Y.z),
            Vec3(c * Z.x - s * Z.y, s * Z.x + c * Z.y, Z.z),
        )


def _turned_plane(c: Scalar, s: Scalar, aa: Scalar, bb: Scalar, ab: Scalar) -> tuple[Scalar, ...]:
    """The 2x2 block [[aa, ab], [ab, bb]] turned by (c, s), in four products."""
    e = s * (aa - bb) + (c + c) * ab
    return aa - s * e, bb + s * e, c * e - ab


def _tilted_plane(c: Scalar, s: Scalar, aa: Scalar, bb: Scalar, ab: Scalar) -> tuple[Scalar, ...]:
    """The same for a constant (c, s), in three products."""
    if isinstance(s, Real) and s != 0:
        se = (s * s) * (aa - bb) + (2 * c * s) * ab
        return aa - se, bb + se, (c / s) * se - ab
    return _turned_plane(c, s, aa, bb, ab)


def _turned_block(
    c: Scalar, s: Scalar, aa: Scalar, ba: Scalar, ab: Scalar, bb: Scalar
) -> tuple[Scalar, ...]:
    """The 2x2 block [[aa, ab], [ba, bb]], given by columns, turned by (c, s)."""
    e = s * (aa - bb) + c * (ab + ba)
    return aa - s * e, c * e - ab, c * e - ba, bb + s * e


def _tilted_block(
    c: Scalar, s: Scalar, aa: Scalar, ba: Scalar, ab: Scalar, bb: Scalar
) -> tuple[Scalar, ...]:
    """The same for a constant (c, s), in three products."""
    if isinstance(s, Real) and s != 0:
        se = (s * s) * (aa - bb) + (c * s) * (ab + ba)
        ce = (c / s) * se
        return aa - se, ce - ab, ce - ba, bb + se
    return _turned_block(c, s, aa, ba, ab, bb)


@dataclass(frozen=True, slots=True)
class TiltTurn:
    """Rot x(α) Rot z(θ), the rotation of a Denavit–Hartenberg step, with one product saved.

    The larger of cos α and sin α is taken out of the constant tilt and multiplied once into
    sin θ and cos θ, a product that all vectors of this joint share: u = y + z tan α, and
    x' = c x + (s cos α) u, y' = (c cos α) u − s x, z' = cos α (z − y tan α).
    """

    tilt: TurnX
    turn: TurnZ

    def _factored(self) -> tuple[Scalar, Scalar, Scalar]:
        """(k, a, b) with (cos α, sin α) = k (a, b), where a or b is one."""
        c, s = self.tilt.c, self.tilt.s
        if s == 0 or c == 0:
            return (c, 1, 0) if s == 0 else (s, 0, 1)
        if c * c >= s * s:
            return c, 1, s / c
        return s, c / s, 1

    def out(self, v: Vec3) -> Vec3:
        k, a, b = self._factored()
        c, s = self.turn.c, self.turn.s
        u, w = a * v.y + b * v.z, a * v.z - b * v.y
        return Vec3(c * v.x + (s * k) * u, (c * k) * u - s * v.x, k * w)

    def back(self, v: Vec3) -> Vec3:
        k, a, b = self._factored()
        c, s = self.turn.c, self.turn.s
        u, w = (s * k) * v.x + (c * k) * v.y, k * v.z
        return Vec3(c * v.x - s * v.y, a * u - b * w, b * u + a * w)

    def back_sym(self, S: Sym3) -> Sym3:
        return self.tilt.back_sym(self.turn.back_sym(S))

    def back_mat(self, A: Mat3) -> Mat3:
        return self.tilt.back_mat(self.turn.back_mat(A))


@dataclass(frozen=True, slots=True)
class Matrix:
    """Any rotation, by its matrix."""

    A: Mat3

    def back(self, v: Vec3) -> Vec3:
        return self.A @ v

    def out(self, v: Vec3) -> Vec3:
        return Vec3(self.A.cx.dot(v), self.A.cy.dot(v), self.A.cz.dot(v))

    def back_sym(self, S: Sym3) -> Sym3:
        R = self.back_mat(S.matrix)
        return Sym3(R.cx.x, R.cy.y, R.cz.z, R.cy.x, R.cz.x, R.cz.y)

    def back_mat(self, A: Mat3) -> Mat3:
        return (self.A @ A) @ self.A.T


@dataclass(frozen=True, slots=True)
class Rotation:
    """R, a product of parts: `R @ v_child = v_parent` and `R.T @ v_parent = v_child`.

    >>> R = Rotation.of(TurnX(0, 1), TurnZ(0, 1))
    >>> R @ EX, R.T @ (R @ EX)
    (Vec3(x=0, y=0, z=1), Vec3(x=1, y=0, z=0))
    """

    parts: tuple[Part, ...] = ()

    @classmethod
    def of(cls, *parts: Part) -> Rotation:
        """The product of `parts`; a tilt followed by a turn becomes one step."""
        kept: list[Part] = []
        for part in parts:
            if isinstance(part, TurnX | TurnZ) and _is_number(part.s, 0) and _is_number(part.c, 1):
                continue
            if kept and isinstance(part, TurnZ):
                part = _merged(kept, part)
            kept.append(part)
        return cls(tuple(kept))

    @classmethod
    def from_matrix(cls, A: Mat3) -> Rotation:
        return cls() if A == IDENTITY else cls((Matrix(A),))

    @classmethod
    def from_quaternion(cls, x: Scalar, y: Scalar, z: Scalar, w: Scalar) -> Rotation:
        """Of a quaternion of any length whose square is a float: R(q)/|q|², without a root."""
        k = 2 / (x * x + y * y + z * z + w * w)
        kx, ky, kz = k * x, k * y, k * z
        xx, yy, zz = kx * x, ky * y, kz * z
        xy, xz, yz, wx, wy, wz = kx * y, kx * z, ky * z, kx * w, ky * w, kz * w
        rows = (
            (1 - (yy + zz), xy - wz, xz + wy),
            (xy + wz, 1 - (xx + zz), yz - wx),
            (xz - wy, yz + wx, 1 - (xx + yy)),
        )
        return cls((Matrix(Mat3.rows(rows)),))

    def then(self, part: Part) -> Rotation:
        """R followed by one more turn of the child."""
        return Rotation.of(*self.parts, part)

    def __matmul__(self, x: Any) -> Any:
        if isinstance(x, Rotation):
            return Rotation.of(*self.parts, *x.parts)
        step = {Vec3: "back", Sym3: "back_sym", Mat3: "back_mat"}[type(x)]
        for part in reversed(self.parts):
            x = getattr(part, step)(x)
        return x

    @property
    def T(self) -> _Transposed:
        return _Transposed(self)

    @property
    def matrix(self) -> Mat3:
        return Mat3(self @ EX, self @ EY, self @ EZ)


@dataclass(frozen=True, slots=True)
class _Transposed:
    R: Rotation

    def __matmul__(self, v: Vec3) -> Vec3:
        for part in self.R.parts:
            v = part.out(v)
        return v


def _is_number(x: Scalar, value: int) -> bool:
    """Whether a scalar is this very number. (A cosine may round to 1 while its sine is not 0.)"""
    return isinstance(x, int | float) and x == value


def _merged(kept: list[Part], turn: TurnZ) -> Part:
    """The last part of `kept` and `turn` as one, where they are one."""
    match kept[-1]:
        case TurnX(c, s) as tilt if isinstance(c, Real) and isinstance(s, Real):
            kept.pop()
            return TiltTurn(tilt, turn)
        case TiltTurn(tilt, first):
            kept.pop()
            return TiltTurn(tilt, first.and_then(turn))
        case TurnZ() as first:
            kept.pop()
            return first.and_then(turn)
    return turn


NO_ROTATION = Rotation()
