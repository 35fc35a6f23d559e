"""The sixth reading: numbers with infinitesimals, for derivatives that are exact.

A jet is x + a ε + b δ + c εδ with ε² = δ² = 0: run an algorithm on q + ε q̇ and ε's part of the
result is its derivative in time; εδ's part is a second derivative. No step size, no rounding.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from momentarm.model import Mechanism
from momentarm.spatial import Vec3
from trees import own_joints


@dataclass(frozen=True)
class Jet:
    """parts[k] belongs to the product of the infinitesimals whose bits are set in k."""

    parts: dict[int, Any]

    def __add__(self, other: Any) -> "Jet":
        parts = dict(self.parts)
        for k, x in _parts(other).items():
            parts[k] = parts.get(k, 0) + x
        return Jet(parts)

    def __mul__(self, other: Any) -> "Jet":
        if not isinstance(other, Jet | int | Fraction):
            return NotImplemented
        parts: dict[int, Any] = {}
        for j, x in self.parts.items():
            for k, y in _parts(other).items():
                if not j & k:
                    parts[j | k] = parts.get(j | k, 0) + x * y
        return Jet(parts)

    def __neg__(self) -> "Jet":
        return Jet({k: -x for k, x in self.parts.items()})

    def __sub__(self, other: Any) -> "Jet":
        return self + -other

    def __rsub__(self, other: Any) -> "Jet":
        return -self + other

    def __truediv__(self, other: Any) -> "Jet":
        if isinstance(other, Jet):
            return self * other.inverse()
        return Jet({k: x / other for k, x in self.parts.items()})

    def __rtruediv__(self, other: Any) -> "Jet":
        return other * self.inverse()

    def inverse(self) -> "Jet":
        """1/(a + x) = (1 − x/a + x²/a²)/a, as x³ = 0."""
        a = self.parts.get(0, 0)
        x = Jet({k: y for k, y in self.parts.items() if k}) / a
        return (1 - x + x * x) / a

    __radd__, __rmul__ = __add__, __mul__


EPSILON, DELTA = Jet({1: 1}), Jet({2: 1})
HALF = Fraction(1, 2)


def _parts(x: Any) -> dict[int, Any]:
    return x.parts if isinstance(x, Jet) else {0: x}


def part(x: Any, of: Jet) -> Any:
    """The coefficient of an infinitesimal, in nested lists too."""
    if isinstance(x, list):
        return [part(y, of) for y in x]
    (k,) = of.parts
    return _parts(x).get(k, 0)


def moved(q: list[Any], by: list[Any], m: Mechanism | None = None) -> list[Any]:
    """q + x for infinitesimal x: an angle turns by it, cos x = 1 − x²/2 and sin x = x.

    With the mechanism also where q has quaternions and x is a twist of the link: then x² = 0.
    """
    if m is None or m.nq == m.n:
        return [_moved(a, x) for a, x in zip(q, by, strict=True)]
    found, places, q, by = [], list(own_joints(m)), list(q), list(by)
    for joint in places:
        own, q = q[: joint.nq], q[joint.nq :]
        step, by = by[: joint.nv], by[joint.nv :]
        if joint.nq == joint.nv:
            found += [_moved(a, x) for a, x in zip(own, step, strict=True)]
        else:
            found += [*_shifted(own, step), *_turned(own[-4:], step[:3])]
    return found


def _turned(p: list[Any], w: list[Any]) -> list[Any]:
    """A quaternion (x, y, z, w), of any length, times 1 + ω/2."""
    x, y, z, s = p
    a, b, c = (HALF * k for k in w)
    return [x + s * a + y * c - z * b, y + s * b + z * a - x * c, z + s * c + x * b - y * a,
            s - x * a - y * b - z * c]  # fmt: skip


def _shifted(own: list[Any], step: list[Any]) -> list[Any]:
    """The place of a free joint, moved by v in the axes of the link: p + R v."""
    if len(own) == 4:
        return []
    v, p, s = Vec3(*step[3:]), Vec3(*own[3:6]), own[6]
    along = v * (s * s - p.dot(p)) + p * (2 * p.dot(v)) + p.cross(v) * (2 * s)
    return list(Vec3(*own[:3]) + along * (1 / (p.dot(p) + s * s)))


def _moved(a: Any, x: Any) -> Any:
    if not hasattr(a, "c"):
        return a + x
    cos = 1 - x * x * HALF
    return type(a)(a.value + x, a.s * cos + a.c * x, a.c * cos - a.s * x)


def unit(n: int, k: int, size: Any = 1) -> list[Any]:
    return [size if i == k else 0 for i in range(n)]


def along(direction: list[Any], size: Any) -> list[Any]:
    return [size * x for x in direction]


def gradient(f: Any, q: list[Any], m: Mechanism | None = None) -> list[Any]:
    """∂f/∂q_k for every k, of one number or of nested lists; along the rates where q has more."""
    n = len(q) if m is None else m.n
    return [part(f(moved(q, unit(n, k, DELTA), m)), DELTA) for k in range(n)]
