"""The sixth reading: numbers with infinitesimals, for derivatives that are exact.

A jet is x + a ε + b δ + c εδ with ε² = δ² = 0: run an algorithm on q + ε q̇ and ε's part of the
result is its derivative in time; εδ's part is a second derivative. No step size, no rounding.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any


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
        return Jet({k: x / other for k, x in self.parts.items()})

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


def moved(q: list[Any], by: list[Any]) -> list[Any]:
    """q + x for infinitesimal x: an angle turns by it, cos x = 1 − x²/2 and sin x = x."""
    return [_moved(a, x) for a, x in zip(q, by, strict=True)]


def _moved(a: Any, x: Any) -> Any:
    if not hasattr(a, "c"):
        return a + x
    cos = 1 - x * x * HALF
    return type(a)(a.value + x, a.s * cos + a.c * x, a.c * cos - a.s * x)


def unit(n: int, k: int, size: Any = 1) -> list[Any]:
    return [size if i == k else 0 for i in range(n)]


def along(direction: list[Any], size: Any) -> list[Any]:
    return [size * x for x in direction]


def gradient(f: Any, q: list[Any]) -> list[Any]:
    """∂f/∂q_k for every k, of one number or of nested lists."""
    n = len(q)
    return [part(f(moved(q, unit(n, k, DELTA))), DELTA) for k in range(n)]
