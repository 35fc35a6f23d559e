"""Displacements of joints that turn any way: quaternions (x, y, z, w) and rotation vectors.

Rule 1  A quaternion stands for a rotation whatever its length.
Rule 2  Lengths of vectors are taken of |u|² + 2⁻¹⁰⁰, of a quaternion's vector 2⁻¹⁰⁰ |a|², which
        changes no digit of what follows and leaves the zero vector, and its derivatives, where they
        belong.
"""

from __future__ import annotations

from momentarm.spatial.scalar import Scalar, atan2, cos, sign, sin, sqrt
from momentarm.spatial.vector import Vec3

Quaternion = tuple[Scalar, ...]
NEXT_TO_NOTHING = 2**-100


def times(a: Quaternion, b: Quaternion) -> Quaternion:
    """First b, then a."""
    u, v = Vec3(*a[:3]), Vec3(*b[:3])
    return (*(u * b[3] + v * a[3] + u.cross(v)), a[3] * b[3] - u.dot(v))


def conjugate(a: Quaternion) -> Quaternion:
    """The turn back."""
    return (-a[0], -a[1], -a[2], a[3])


def exponential(u: Vec3) -> Quaternion:
    """The turn by |u| about u."""
    angle = length(u)
    return (*(u * (sin(angle / 2) / angle)), cos(angle / 2))


def logarithm(a: Quaternion) -> Vec3:
    """The vector of the shortest turn that a quaternion stands for."""
    v, w = Vec3(*a[:3]), a[3]
    side = sign(w)
    side = side + (1 - side * side)  # 1 for w = 0: half a turn, either way
    square = v.dot(v)
    norm = sqrt(square + NEXT_TO_NOTHING * (square + w * w))  # NaN follows for a quaternion of 0
    return v * (2 * side * atan2(norm, abs(w)) / norm)


def swept(u: Vec3, v: Vec3) -> Vec3:
    """How far a frame's origin comes that moves by (ω, v) = (u, v), in its own axes, in one second.

    V v with V = 1 + (1 − cos θ)/θ² [u] + (θ − sin θ)/θ³ [u]².
    """
    angle = length(u)
    chord = sin(angle / 2) / angle
    across = u.cross(v)
    return v + across * (2 * chord * chord) + u.cross(across) * _rest(angle)


def unswept(u: Vec3, p: Vec3) -> Vec3:
    """The v with which it comes to p: V⁻¹ p, V⁻¹ = 1 − ½ [u] + (1 − ½ θ cot ½θ)/θ² [u]²."""
    angle = length(u)
    across = u.cross(p)
    cotangent = angle / 2 * cos(angle / 2) / sin(angle / 2)
    half = Vec3(*(x / 2 for x in across))
    return p - half + u.cross(across) * ((1 - cotangent) / (angle * angle))


def _rest(angle: Scalar) -> Scalar:
    """(θ − sin θ)/θ³; of small angles only its product with θ² matters."""
    return (1 - sin(angle) / angle) / (angle * angle)


def length(u: Vec3) -> Scalar:
    """|u|, but never zero."""
    return sqrt(u.dot(u) + NEXT_TO_NOTHING)
