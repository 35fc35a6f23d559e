"""The scalar that is only its dimension, kg^a m^b s^c: an algorithm run on it yields the unit.

Rule 1  Sums need equal dimensions; products add exponents; radians are pure numbers.
Rule 2  A plain number is a pure number, except zero, which fits every dimension and absorbs it.
Rule 3  A dimension has no size: it cannot be ordered, and `==` asks for the same dimension.

>>> torque = KILOGRAM * METRE**2 / SECOND**2
>>> print(torque, 1 / SECOND, torque / torque)
kg m² s⁻² s⁻¹ 1
>>> torque + KILOGRAM * METRE / SECOND**2
Traceback (most recent call last):
...
momentarm.spatial.dimension.DimensionError: kg m² s⁻² + kg m s⁻²: the dimensions differ
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class DimensionError(TypeError):
    """Two dimensions that cannot meet, or an argument that should be a pure number."""


@dataclass(frozen=True, slots=True, repr=False)
class Dim:
    kg: int = 0
    m: int = 0
    s: int = 0

    def __str__(self) -> str:
        powers = (("kg", self.kg), ("m", self.m), ("s", self.s))
        units = (u if k == 1 else u + str(k).translate(_SUPERSCRIPTS) for u, k in powers if k)
        return " ".join(units) or "1"

    def __repr__(self) -> str:
        return f"Dim({self})"

    def _sum(self, other: Any, sign: str, swapped: bool = False) -> Dim:
        if isinstance(other, Real) and other == 0:
            return self
        b = _dimension(other)
        if b is None:
            return NotImplemented
        if b != self:
            left, right = (b, self) if swapped else (self, b)
            raise DimensionError(f"{left} {sign} {right}: the dimensions differ")
        return self

    def __add__(self, other: Any) -> Dim:
        return self._sum(other, "+")

    def __radd__(self, other: Any) -> Dim:
        return self._sum(other, "+", swapped=True)

    def __sub__(self, other: Any) -> Dim:
        return self._sum(other, "-")

    def __rsub__(self, other: Any) -> Dim:
        return self._sum(other, "-", swapped=True)

    def __neg__(self) -> Dim:
        return self

    __pos__ = __abs__ = __neg__

    def __mul__(self, other: Any) -> Any:
        b = _dimension(other)
        if b is None:
            return NotImplemented
        if not isinstance(other, Dim) and other == 0:
            return 0
        return Dim(self.kg + b.kg, self.m + b.m, self.s + b.s)

    __rmul__ = __mul__

    def __pow__(self, k: int) -> Dim:
        return Dim(self.kg * k, self.m * k, self.s * k)

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Real) and other == 0:
            raise ZeroDivisionError(f"{self} / 0")
        b = _dimension(other)
        return NotImplemented if b is None else self * b**-1

    def __rtruediv__(self, other: Any) -> Any:
        return self**-1 * other

    def sin(self) -> Dim:
        return self._pure("sin")

    def cos(self) -> Dim:
        return self._pure("cos")

    def sqrt(self) -> Dim:
        """Half of every exponent."""
        if self.kg % 2 or self.m % 2 or self.s % 2:
            raise DimensionError(f"sqrt({self}): an exponent is odd")
        return Dim(self.kg // 2, self.m // 2, self.s // 2)

    def arctan2(self, x: Any) -> Dim:
        self._sum(x, "over")
        return NUMBER

    def sign(self) -> Dim:
        return NUMBER

    def _pure(self, name: str) -> Dim:
        if self != NUMBER:
            raise DimensionError(f"{name}({self}): the argument should be a pure number")
        return self


NUMBER, KILOGRAM, METRE, SECOND = Dim(), Dim(kg=1), Dim(m=1), Dim(s=1)


def _dimension(x: Any) -> Dim | None:
    """The dimension of a scalar; None for what is not a scalar."""
    if isinstance(x, Dim):
        return x
    return NUMBER if isinstance(x, Real) else None
