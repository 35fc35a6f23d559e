"""The op table: every operation a tape may hold, what it means, and what may be assumed of it.

Rule 1  One row an operation. A backend is a mapping from these names to its own spelling.
Rule 2  `meaning` is the operation on Python floats, to the bit where IEEE defines one.
Rule 3  `slopes(y, *args)` are the partial derivatives of y = op(*args), in arithmetic of any
        scalar; None where there is none. A choice has the slope of what is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


def _divide(a: float, b: float) -> float:
    if b == 0 and isinstance(b, float):
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def _fma(a: Any, b: Any, c: Any) -> Any:
    """a·b + c, rounded once."""
    if all(isinstance(x, Fraction) for x in (a, b, c)):
        return a * b + c
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return a * b + c if exact == 0 else _nearest(exact)


def _nearest(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def _sqrt(a: float) -> float:
    return math.sqrt(a) if a >= 0 else math.nan


def _circular(f: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: f(x) if math.isfinite(x) else math.nan


def _sign(x: Any) -> Any:
    return x if x != x or x == 0 else type(x)(1 if x > 0 else -1)


@dataclass(frozen=True, slots=True)
class Op:
    """`cost` is the name under which an operation is counted; None: it is free."""

    name: str
    arity: int
    meaning: Callable[..., Any]
    cost: str | None = None
    slopes: Callable[..., tuple[Any, ...]] | None = None
    commutes: bool = False
    of_bool: tuple[int, ...] = ()  # which arguments are truth values
    is_bool: bool = False


OPS = {
    op.name: op
    for op in (
        Op("add", 2, lambda a, b: a + b, "add", lambda y, a, b: (1, 1), commutes=True),
        Op("sub", 2, lambda a, b: a - b, "add", lambda y, a, b: (1, -1)),
        Op("mul", 2, lambda a, b: a * b, "mul", lambda y, a, b: (b, a), commutes=True),
        Op("neg", 1, lambda a: -a, None, lambda y, a: (-1,)),
        Op("fma", 3, _fma, "fma", lambda y, a, b, c: (b, a, 1)),  # a·b + c
        Op("div", 2, _divide, "div", lambda y, a, b: (1 / b, -y * (1 / b))),
        Op("sqrt", 1, _sqrt, "sqrt", lambda y, a: (1 / (2 * y),)),
        Op("sin", 1, _circular(math.sin), "sincos", lambda y, a: (a.cos(),)),
        Op("cos", 1, _circular(math.cos), "sincos", lambda y, a: (-a.sin(),)),
        Op("abs", 1, abs, None, lambda y, a: (a.sign(),)),
        Op("sign", 1, _sign, None, lambda y, a: (None,)),  # -1, 0, 1; NaN stays NaN
        Op("lt", 2, lambda a, b: a < b, is_bool=True),
        Op("le", 2, lambda a, b: a <= b, is_bool=True),
        Op("eq", 2, lambda a, b: a == b, commutes=True, is_bool=True),
        Op("and", 2, lambda a, b: a and b, commutes=True, of_bool=(0, 1), is_bool=True),
        Op("or", 2, lambda a, b: a or b, commutes=True, of_bool=(0, 1), is_bool=True),
        Op("not", 1, lambda a: not a, of_bool=(0,), is_bool=True),
        Op("select", 3, lambda c, a, b: a if c else b, of_bool=(0,)),
    )
}

LEAVES = ("const", "input")  # a number; (name of the argument, index of its element)
