"""The scalar that records: arithmetic on an `Expr` appends to its tape.

`==` is identity, as equal expressions are the same node: algorithms ask it of their constants. A
function of a user's would mean the numbers, which are not known while tracing; its tape is not
`by_identity`, and there `==` refuses, as `bool()` does everywhere, and says what to write.
"""

from __future__ import annotations

from typing import Any, NoReturn

from momentarm.graph.arctangent import arctan2
from momentarm.graph.ops import OPS
from momentarm.graph.tape import Node, Tape

NO_NUMBER = "a condition is no number; write ma.where(condition, 1, 0)"


class Expr:
    """A handle to a node of a tape."""

    __slots__ = ("i", "tape")
    def __init__(self, tape: Tape, i: Node) -> None:
        self.tape, self.i = tape, i

    def _node(self, other: Any) -> Node | None:
        if isinstance(other, Expr):
            if other.tape is not self.tape:
                raise ValueError("these expressions belong to different traces")
            return other.i
        if getattr(other, "ndim", 0) or isinstance(other, str | bytes):
            return None  # an array does its elements itself
        try:
            return self.tape.const(float(other))
        except TypeError:
            return None

    def _binary(self, op: str, other: Any, swapped: bool = False) -> Any:
        j = self._node(other)
        if j is None:
            return NotImplemented
        return self._called(op, *((j, self.i) if swapped else (self.i, j)))

    def _unary(self, op: str) -> Expr:
        return self._called(op, self.i)

    def _called(self, op: str, *nodes: Node) -> Expr:
        for k, i in enumerate(nodes):
            wanted = k in OPS[op].of_bool
            if self.tape.is_bool(i) != wanted:
                raise TypeError(f"{op}: expected a condition, such as x > 0, got a number" if wanted
                                else f"{op}: {NO_NUMBER}")  # fmt: skip
        return Expr(self.tape, self.tape.call(op, *nodes))

    def __add__(self, other: Any) -> Any:
        return self._binary("add", other)

    def __radd__(self, other: Any) -> Any:
        return self._binary("add", other, swapped=True)

    def __sub__(self, other: Any) -> Any:
        return self._binary("sub", other)

    def __rsub__(self, other: Any) -> Any:
        return self._binary("sub", other, swapped=True)

    def __mul__(self, other: Any) -> Any:
        return self._binary("mul", other)

    def __rmul__(self, other: Any) -> Any:
        return self._binary("mul", other, swapped=True)

    def __truediv__(self, other: Any) -> Any:
        return self._binary("div", other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._binary("div", other, swapped=True)

    def __neg__(self) -> Expr:
        return self._unary("neg")

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return self._unary("abs")

    def __pow__(self, k: Any) -> Expr:
        """Whole powers by repeated squaring, and one half by the root."""
        if not isinstance(k, Expr) and k == 0.5:
            return self.sqrt()
        if isinstance(k, Expr) or k != int(k):
            raise TypeError(f"an Expr has whole powers and the square root, not ** {k!r}")
        base, power, k = (self if k >= 0 else 1 / self), None, abs(int(k))
        while k:
            if k & 1:
                power = base if power is None else power * base
            base, k = base * base, k >> 1
        return power if power is not None else Expr(self.tape, self.tape.const(1))

    def sqrt(self) -> Expr:
        return self._unary("sqrt")

    def sin(self) -> Expr:
        return self._unary("sin")

    def cos(self) -> Expr:
        return self._unary("cos")

    def tan(self) -> Expr:
        return self.sin() / self.cos()

    def arctan2(self, x: Any) -> Any:
        """The angle of the direction (x, self)."""
        other = Expr(self.tape, j) if (j := self._node(x)) is not None else None
        return NotImplemented if other is None else arctan2(self, other, where)

    def sign(self) -> Expr:
        return self._unary("sign")

    def __lt__(self, other: Any) -> Any:
        return self._binary("lt", other)

    def __le__(self, other: Any) -> Any:
        return self._binary("le", other)

    def __gt__(self, other: Any) -> Any:
        return self._binary("lt", other, swapped=True)

    def __ge__(self, other: Any) -> Any:
        return self._binary("le", other, swapped=True)

    def equals(self, other: Any) -> Any:
        """The condition that both numbers are equal, for `where`; `==` asks for the same node."""
        return self._binary("eq", other)

    def __and__(self, other: Expr) -> Any:
        return self._binary("and", other)

    def __or__(self, other: Expr) -> Any:
        return self._binary("or", other)

    def __invert__(self) -> Expr:
        return self._unary("not")

    def __eq__(self, other: object) -> Any:
        if self.tape.by_identity:
            return isinstance(other, Expr) and other.tape is self.tape and other.i == self.i
        j = self._node(other)
        if j is None:
            return NotImplemented
        if j != self.i:
            raise TypeError(
                "whether traced numbers are equal is not known until the kernel runs; instead of "
                "a == b write the condition a.equals(b), as in ma.where(a.equals(b), 1, 2)"
            )
        return True

    def __hash__(self) -> int:
        return hash((id(self.tape), self.i))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a traced number has no truth value: which branch runs would depend on the input; "
            "write ma.where(condition, a, b) instead of if, ma.minimum instead of min, & | ~ "
            "instead of and, or, not"
        )

    def __float__(self) -> float:
        value = self.tape.value(self.i)
        if value is None:
            raise TypeError("a traced number is not known until the kernel runs; write np.sin, not "
                            "math.sin, and a list or np.zeros(n, object), not np.zeros(n)")
        return value

    def __repr__(self) -> str:
        return self.tape.names.get(self.i) or f"%{self.i}"


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds, else `b`; for plain numbers an ordinary choice."""
    if not isinstance(condition, Expr):
        return a if condition else b
    i, j = condition._node(a), condition._node(b)
    if i is None or j is None:
        raise TypeError("where: expected two numbers; choose between arrays element by element")
    return condition._called("select", condition.i, i, j)
