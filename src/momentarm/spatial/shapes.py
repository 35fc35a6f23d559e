"""Uniform bodies by their shape: Fig. 8.5 of the book, and more.

Rule 1  A shape is how much of it there is and the moments of one kilogram of it. Its axis is z and
        its origin the middle, for a cone and half a ball the middle of the flat side.
Rule 2  What is round has its content in multiples of π, so that exact scalars stay exact.
Rule 3  Hollow means a coaxial or concentric hole of radius `inner`, however thin the wall.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from momentarm.spatial.inertia import NO_INERTIA, Inertia
from momentarm.spatial.rotation import Rotation, TurnX
from momentarm.spatial.scalar import Scalar
from momentarm.spatial.transform import Transform
from momentarm.spatial.vector import EZ, ZERO, Sym3, Vec3

UPSIDE_DOWN = Rotation.of(TurnX(-1, 0))


@dataclass(frozen=True, slots=True)
class Shape:
    """Volume, area or length, and the moments of one kilogram."""

    content: Scalar
    of_one: Inertia
    is_round: bool = False  # then the content is that many times π

    def __add__(a, b: Shape) -> Shape:
        """Both together, of one material."""
        content = a.content + b.content
        parts = a.of_one.scaled(a.content / content) + b.of_one.scaled(b.content / content)
        return Shape(content, Inertia(1, parts.h, parts.E), a.is_round)

    def placed(self, X_ba: Transform) -> Shape:
        """Given in frame b, seen from frame a."""
        return Shape(self.content, X_ba.T @ self.of_one, self.is_round)


# -- solids


def cuboid(x: Scalar, y: Scalar, z: Scalar) -> Shape:
    """Edges of these lengths: I_xx = m (y² + z²)/12, …"""
    return Shape(x * y * z, _spread(x * x / 12, y * y / 12, z * z / 12))


def cylinder(radius: Scalar, length: Scalar, inner: Scalar = 0) -> Shape:
    """I_zz = m (R² + r²)/2 and I_xx = I_yy = m (3 (R² + r²) + l²)/12."""
    across = (radius * radius + inner * inner) / 4
    content = (radius - inner) * (radius + inner) * length
    return Shape(content, _spread(across, across, length * length / 12), True)


def ellipsoid(a: Scalar, b: Scalar, c: Scalar) -> Shape:
    """Semi-axes a, b, c: I_xx = m (b² + c²)/5, …"""
    return Shape(4 * a * b * c / 3, _spread(a * a / 5, b * b / 5, c * c / 5), True)


def sphere(radius: Scalar, inner: Scalar = 0) -> Shape:
    """I = 2 m/5 (R⁵ − r⁵)/(R³ − r³), divided out so that R = r may be."""
    R, r = radius, inner
    both = R * R + R * r + r * r
    each = (R * R + r * r * r * (R + r) / both) / 5
    return Shape(4 * (R - r) * both / 3, _spread(each, each, each), True)


def hemisphere(radius: Scalar) -> Shape:
    """The upper half of a ball: it has the ball's second moments, and its centre at z = 3 r/8."""
    each = radius * radius / 5
    half = Inertia(1, EZ * (3 * radius / 8), Sym3.diagonal(each, each, each))
    return Shape(2 * radius * radius * radius / 3, half, True)


def capsule(radius: Scalar, length: Scalar) -> Shape:
    """A cylinder of this length between two half balls."""
    half = hemisphere(radius)
    upper = half.placed(Transform(p=EZ * (length / 2)))
    lower = half.placed(Transform(UPSIDE_DOWN, EZ * (-length / 2)))
    return cylinder(radius, length) + upper + lower


def cone(radius: Scalar, height: Scalar) -> Shape:
    """On its base, the apex at z = h: centre at h/4, I_zz = 3 m r²/10."""
    across = 3 * radius * radius / 20
    moments = Sym3.diagonal(across, across, height * height / 10)
    return Shape(radius * radius * height / 3, Inertia(1, EZ * (height / 4), moments), True)


def polyhedron(vertices: Sequence[Vec3], faces: Iterable[Sequence[int]]) -> Shape:
    """What closed triangles enclose, their corners counterclockwise as seen from outside.

    The sum of tetrahedra from the origin to each face (a, b, c): V = a·(b × c)/6,
    ∫ p dV = V s/4 and ∫ p pᵀ dV = V (s sᵀ + a aᵀ + b bᵀ + c cᵀ)/20 with s = a + b + c.
    """
    whole = NO_INERTIA
    for face in faces:
        a, b, c = (vertices[k] for k in face)
        s, V = a + b + c, a.dot(b.cross(c)) / 6
        E = Sym3.outer(s) + Sym3.outer(a) + Sym3.outer(b) + Sym3.outer(c)
        whole = whole + Inertia(V, s * (V / 4), E * (V / 20))
    one = whole.scaled(1 / whole.m)
    return Shape(whole.m, Inertia(1, one.h, one.E))


# -- without thickness: the content is an area


def plate(x: Scalar, y: Scalar) -> Shape:
    """A rectangle in the plane z = 0."""
    return Shape(x * y, _spread(x * x / 12, y * y / 12, 0))


def disc(radius: Scalar, inner: Scalar = 0) -> Shape:
    """In the plane z = 0: I_zz = m (R² + r²)/2."""
    across = (radius * radius + inner * inner) / 4
    return Shape((radius - inner) * (radius + inner), _spread(across, across, 0), True)


def tube(radius: Scalar, length: Scalar) -> Shape:
    """A cylinder's wall without lids: I_zz = m r²."""
    across = radius * radius / 2
    return Shape(2 * radius * length, _spread(across, across, length * length / 12), True)


def spherical_shell(radius: Scalar) -> Shape:
    """I = 2 m r²/3."""
    each = radius * radius / 3
    return Shape(4 * radius * radius, _spread(each, each, each), True)


# -- lines: the content is a length


def rod(length: Scalar) -> Shape:
    """Along z: I_xx = I_yy = m l²/12."""
    return Shape(length, _spread(0, 0, length * length / 12))


def ring(radius: Scalar) -> Shape:
    """In the plane z = 0: I_zz = m r²."""
    across = radius * radius / 2
    return Shape(2 * radius, _spread(across, across, 0), True)


def _spread(xx: Scalar, yy: Scalar, zz: Scalar) -> Inertia:
    """One kilogram about its middle, from the mean squares of its coordinates."""
    return Inertia(1, ZERO, Sym3.diagonal(xx, yy, zz))
