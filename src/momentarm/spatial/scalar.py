"""Elementary functions that follow the type of their argument.

Rule 1  One text serves floats, tape expressions, SymPy symbols, exact fractions and units.
Rule 2  A scalar brings its own `sin()`, `cos()`, … or is a plain number (`math`) or SymPy's.
Rule 3  An exact angle is an `Angle`: a free value with a sine and cosine that are rational.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Scalar = Any  # float, Fraction, Expr, SymPy expression, Dim: whatever adds and multiplies


def sin(x: Scalar) -> Scalar:
    return _call("sin", x)


def cos(x: Scalar) -> Scalar:
    return _call("cos", x)


def sqrt(x: Scalar) -> Scalar:
    return _call("sqrt", x)


def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1; NaN stays NaN."""
    return _call("sign", x)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """The angle of the direction (x, y)."""
    y = y + 0 * x  # of the type of both
    if hasattr(y, "arctan2"):
        return y.arctan2(x)
    if type(y).__module__.startswith("sympy"):
        return sys.modules["sympy"].atan2(y, x)
    return math.atan2(y, x)


def _call(name: str, x: Scalar) -> Scalar:
    own = getattr(x, name, None)
    if callable(own):
        return own()
    if type(x).__module__.startswith("sympy"):
        return getattr(sys.modules["sympy"], name)(x)
    return _REAL[name](x)


def _real_sign(x: Scalar) -> Scalar:
    return x if x != x or x == 0 else (1 if x > 0 else -1)


_REAL: dict[str, Callable[[Scalar], Scalar]] = {
    "sin": math.sin,
    "cos": math.cos,
    "sqrt": math.sqrt,
    "sign": _real_sign,
}


def amount(x: Scalar) -> Scalar:
    """The number that an angle stands for, as when a screw's slide is proportional to it."""
    return getattr(x, "value", x)


@dataclass(frozen=True, slots=True)
class Angle:
    """A joint angle whose sine `s` and cosine `c` are exact: ds = c dq, dc = -s dq.

    >>> from fractions import Fraction
    >>> a = Angle.half_tangent(Fraction(1, 2))
    >>> a.sin(), a.cos(), a.sin() ** 2 + a.cos() ** 2
    (Fraction(4, 5), Fraction(3, 5), Fraction(1, 1))
    """

    value: Scalar
    s: Scalar
    c: Scalar

    @classmethod
    def half_tangent(cls, t: Scalar, value: Scalar = 0) -> Angle:
        """The angle whose half has the tangent `t`; `value` is any number that stands for it."""
        return cls(value, 2 * t / (1 + t * t), (1 - t * t) / (1 + t * t))

    def sin(self) -> Scalar:
        return self.s

    def cos(self) -> Scalar:
        return self.c

    def __mul__(self, k: Scalar) -> Scalar:
        """The value times `k`, for the slide of a screw; only 1 keeps the angle."""
        return self if k == 1 else self.value * k

    def __add__(self, k: Scalar) -> Scalar:
        return self if k == 0 else self.value + k

    __rmul__ = __mul__
    __radd__ = __add__
