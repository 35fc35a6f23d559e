"""The tape: an append-only list of operations in which equal expressions are one node.

Rule 1  A node is an index; its arguments have smaller indices. Passes are loops, nothing recurses.
Rule 2  What is folded on arrival keeps IEEE results for finite numbers, up to the sign of a zero:
        numbers, 0 and 1, signs, the order of two. x·0, x − x and 0/x are structural zeros,
        whatever x is. Nothing here reassociates.
Rule 3  Signs travel outward: a product or sum never holds a `neg`, a product no negative constant.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from momentarm.graph.ops import OPS

Node = int


class TooLong(Exception):
    """A tape has grown beyond what its maker allowed."""


@dataclass(slots=True)
class Tape:
    ops: list[str] = field(default_factory=list)
    args: list[tuple[Any, ...]] = field(default_factory=list)
    names: dict[Node, str] = field(default_factory=dict)  # what a reader calls a node
    longest: float = math.inf  # more nodes than this are refused
    by_identity: bool = True  # whether == of expressions may ask for the same node
    _memo: dict[tuple[Any, ...], Node] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.ops)

    def node(self, op: str, *args: Any) -> Node:
        """The node for `op(args)`, made if it is new. No folding: see the methods below."""
        key = (op, *args)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = len(self.ops)
            if found >= self.longest:
                raise TooLong
            self.ops.append(op)
            self.args.append(args)
        return found

    def const(self, value: float) -> Node:
        return self.node("const", float(value) + 0.0)  # -0.0 is 0.0

    def input(self, name: str, element: int) -> Node:
        return self.node("input", name, element)

    def value(self, i: Node) -> float | None:
        """The number a node holds, None if it is not a constant."""
        return self.args[i][0] if self.ops[i] == "const" else None

    def is_bool(self, i: Node) -> bool:
        """Whether a node is a truth value."""
        return self.ops[i] in OPS and OPS[self.ops[i]].is_bool

    def neg(self, a: Node) -> Node:
        op = self.ops[a]
        if op == "const":
            return self.const(-self.args[a][0])
        if op == "neg":
            return self.args[a][0]
        if op == "sub" and ("sub", *reversed(self.args[a])) in self._memo:
            return self.node("sub", *reversed(self.args[a]))
        return self.node("neg", a)

    def add(self, a: Node, b: Node) -> Node:
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(x + y)
        if x == 0:
            return b
        if y == 0:
            return a
        if self.ops[a] == "neg":
            return self.sub(b, self.args[a][0])
        if self.ops[b] == "neg":
            return self.sub(a, self.args[b][0])
        return self.node("add", a, b) if a <= b else self.node("add", b, a)

    def sub(self, a: Node, b: Node) -> Node:
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(x - y)
        if y == 0:
            return a
        if x == 0:
            return self.neg(b)
        if a == b:
            return self.const(0)
        if self.ops[b] == "neg":
            return self.add(a, self.args[b][0])
        if self.ops[a] == "neg":
            return self.neg(self.add(self.args[a][0], b))
        if ("sub", b, a) in self._memo:
            return self.node("neg", self.node("sub", b, a))
        return self.node("sub", a, b)

    def mul(self, a: Node, b: Node) -> Node:
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None:
            return self.const(x * y)
        if y is not None:
            a, b, x, y = b, a, y, x
        if x is not None:
            if x == 0:
                return a
            if x == 1:
                return b
            if x < 0:
                return self.neg(self.mul(self.const(-x), b))
        negative = self.ops[a] == "neg", self.ops[b] == "neg"
        if any(negative):
            product = self.mul(self.args[a][0] if negative[0] else a,
                               self.args[b][0] if negative[1] else b)  # fmt: skip
            return product if all(negative) else self.neg(product)
        return self.node("mul", a, b) if a <= b else self.node("mul", b, a)

    def div(self, a: Node, b: Node) -> Node:
        x, y = self.value(a), self.value(b)
        if x is not None and y is not None and y != 0:
            return self.const(x / y)
        if y is not None and y != 0 and _is_power_of_two(y):
            return self.mul(a, self.const(1 / y))
        if x == 0:
            return a
        if self.ops[a] == "neg":
            return self.neg(self.div(self.args[a][0], b))
        if self.ops[b] == "neg":
            return self.neg(self.div(a, self.args[b][0]))
        return self.node("div", a, b)

    def fma(self, a: Node, b: Node, c: Node) -> Node:
        """a·b + c in one rounding; the backends take negated arguments for free."""
        return self.node("fma", a, b, c) if a <= b else self.node("fma", b, a, c)

    def call(self, op: str, *args: Node) -> Node:
        """Any operation, folded as far as is exact."""
        own = _FOLDED.get(op)
        if own is not None:
            return own(self, *args)
        values = [self.value(i) for i in args]
        if None not in values and not OPS[op].is_bool:
            return self.const(OPS[op].meaning(*values))
        if op in ("sin", "cos", "abs", "sign") and self.ops[args[0]] == "neg":
            inner = self.call(op, self.args[args[0]][0])
            return inner if op in ("cos", "abs") else self.neg(inner)
        if op == "select" and args[1] == args[2]:
            return args[1]
        return self.node(op, *args)


_FOLDED: dict[str, Callable[..., Node]] = {
    "add": Tape.add,
    "sub": Tape.sub,
    "mul": Tape.mul,
    "neg": Tape.neg,
    "div": Tape.div,
    "fma": Tape.fma,
}


def _is_power_of_two(x: float) -> bool:
    if not math.isfinite(x):
        return False
    numerator, denominator = abs(x).as_integer_ratio()
    return numerator & (numerator - 1) == 0 and denominator.bit_length() < 1000
