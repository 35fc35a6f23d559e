"""A program: a tape with the shapes of its arguments and results. What passes and backends take.

>>> p = Program.trace(lambda x: x[0] * x[1] + x[0], {"x": (2,)}, {"y": ()})
>>> print(p)
y = program(x[2])
  %2 = mul(x[0], x[1])
  %3 = add(x[0], %2)
  y = %3
>>> p.counts.mul, p.counts.add
(1, 1)
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from momentarm.graph.expr import NO_NUMBER, Expr
from momentarm.graph.ops import OPS
from momentarm.graph.tape import Node, Tape

Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Counts:
    """Operations: a fused multiply-add counts as one `mul` and one `add`; sign changes are free."""

    mul: int
    add: int
    fma: int
    div: int
    sqrt: int
    sincos: int

    @property
    def total(self) -> int:
        """Multiplications, additions and divisions."""
        return self.mul + self.add + self.div

    def __str__(self) -> str:
        parts = [f"{self.mul} mul + {self.add} add"]
        parts += [f"{n} {k}" for k in ("div", "sqrt", "sincos") if (n := getattr(self, k))]
        return ", ".join(parts) + (f" ({self.fma} fused)" if self.fma else "")


@dataclass(frozen=True)
class Program:
    tape: Tape
    inputs: dict[str, tuple[int, ...]]
    outputs: dict[str, tuple[int, ...]]
    results: tuple[Node, ...]  # all elements of all outputs, in order
    name: str = "program"

    @classmethod
    def trace(cls, f: Callable[..., Any], inputs: Shapes, outputs: Shapes | None = None,
              name: str = "program", longest: float = math.inf,
              tape: Tape | None = None) -> Program:  # fmt: skip
        """Run `f` on expressions, one nested list for each input; with its results as a tape."""
        tape = Tape(longest=longest) if tape is None else tape
        arguments = []
        for argument, shape in inputs.items():
            elements = [Expr(tape, tape.input(argument, k)) for k in range(math.prod(shape))]
            arguments.append(nested(elements, shape))
        values = f(*arguments)
        if outputs is None:
            if isinstance(values, dict):
                names, values = list(values), tuple(values.values())
            else:
                values = values if isinstance(values, tuple) else (values,)
                names = [f"y{k}" if k else "y" for k in range(len(values))]
            outputs = dict(zip(names, map(shape_of, values), strict=True))
        else:
            values = values if len(outputs) > 1 else (values,)
        results = []
        for value, shape in zip(values, outputs.values(), strict=True):
            flat = list(flattened(value))
            if wrong := [x for x in flat if not isinstance(x, Expr) and not _is_real(x)]:
                raise TypeError(f"{name}: a result is {wrong[0]!r}; expected numbers, arrays of "
                                "numbers, or a tuple or dict of them")  # fmt: skip
            if len(flat) != math.prod(shape):
                raise ValueError(f"{name}: a result has {len(flat)} numbers, expected {shape}")
            results += [x.i if isinstance(x, Expr) else tape.const(x) for x in flat]
            if any(map(tape.is_bool, results)):
                raise TypeError(f"{name}: a result is a condition; {NO_NUMBER}")
        return cls(tape, dict(inputs), dict(outputs), tuple(results), name)

    @property
    def nodes(self) -> dict[str, tuple[Node, ...]]:
        """The elements of each output."""
        results = iter(self.results)
        return {name: tuple(islice(results, math.prod(shape)))
                for name, shape in self.outputs.items()}  # fmt: skip

    def live(self) -> list[Node]:
        """The nodes that the results need, in order. One backward loop."""
        ops, args = self.tape.ops, self.tape.args
        needed = bytearray(len(self.tape))
        for i in self.results:
            needed[i] = 1
        for i in range(len(ops) - 1, -1, -1):
            if needed[i] and ops[i] not in ("const", "input"):
                for j in args[i]:
                    needed[j] = 1
        return [i for i, is_needed in enumerate(needed) if is_needed]

    def onto(self, tape: Tape, given: Callable[[str, int], Node] | None = None) -> dict[Node, Node]:
        """Put all live nodes on another tape, with what is given for the inputs: old to new."""
        at: dict[Node, Node] = {}
        for i in self.live():
            op, args = self.tape.ops[i], self.tape.args[i]
            if op in ("const", "input"):
                at[i] = given(*args) if given and op == "input" else tape.node(op, *args)
            else:
                at[i] = tape.call(op, *(at[j] for j in args))
            if i in self.tape.names:
                tape.names.setdefault(at[i], self.tape.names[i])
        return at

    @property
    def counts(self) -> Counts:
        live = self.live()
        kinds = Counter(OPS[op].cost for i in live if (op := self.tape.ops[i]) in OPS)
        angles = {self.tape.args[i] for i in live if self.tape.ops[i] in ("sin", "cos")}
        fma = kinds["fma"]
        return Counts(kinds["mul"] + fma, kinds["add"] + fma, fma, kinds["div"],
                      kinds["sqrt"], len(angles))  # fmt: skip

    @property
    def digest(self) -> str:
        """SHA-256 of what the program computes, names apart."""
        live = self.live()
        new = {i: k for k, i in enumerate(live)}
        h = hashlib.sha256(repr((self.inputs, self.outputs)).encode())
        for i in live:
            op, args = self.tape.ops[i], self.tape.args[i]
            leaf = op in ("const", "input")
            text = args[0].hex() if op == "const" else args if leaf else [new[j] for j in args]
            h.update(f"{op}{text}\n".encode())
        h.update(repr([new[i] for i in self.results]).encode())
        return h.hexdigest()

    def label(self, i: Node) -> str:
        op, args = self.tape.ops[i], self.tape.args[i]
        if op == "const":
            return repr(args[0])
        if op == "input":
            return element_name(args[0], args[1], self.inputs[args[0]])
        if op in ("sin", "cos") and self.tape.ops[args[0]] == "input":
            return f"{op[0]}.{self.label(args[0])}"
        return self.tape.names.get(i) or f"%{i}"

    def lines(self) -> Iterable[str]:
        """One line an operation, as `print` shows it."""
        shapes = (f"{name}[{','.join(map(str, shape))}]" for name, shape in self.inputs.items())
        yield f"{', '.join(self.outputs)} = {self.name}({', '.join(shapes)})"
        for i in self.live():
            op, args = self.tape.ops[i], self.tape.args[i]
            if op in OPS:
                yield f"  {self.label(i)} = {op}({', '.join(map(self.label, args))})"
        k = 0
        for name, shape in self.outputs.items():
            for element in range(math.prod(shape)):
                result, value = element_name(name, element, shape), self.label(self.results[k])
                if result != value:
                    yield f"  {result} = {value}"
                k += 1

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<program {self.name}: {self.counts}>"


def element_name(name: str, element: int, shape: tuple[int, ...]) -> str:
    """How an element of an array is written: tau[2], M[0,1], or just V for a number."""
    index = []
    for size in reversed(shape):
        element, k = divmod(element, size)
        index.append(str(k))
    return f"{name}[{','.join(reversed(index))}]" if index else name


def nested(elements: list[Any], shape: tuple[int, ...]) -> Any:
    """A flat list as nested lists of a shape; one number for the shape ()."""
    if not shape:
        return elements[0]
    step = math.prod(shape[1:])
    return [nested(elements[k * step : (k + 1) * step], shape[1:]) for k in range(shape[0])]


def _is_real(x: Any) -> bool:
    return hasattr(x, "__float__") and not isinstance(x, str | bool)


def flattened(value: Any) -> Iterable[Any]:
    """The numbers in nested lists, tuples or arrays, in order."""
    if hasattr(value, "__iter__") and not isinstance(value, str):
        for part in value:
            yield from flattened(part)
    else:
        yield value


def shape_of(value: Any) -> tuple[int, ...]:
    """The shape of nested lists."""
    if not hasattr(value, "__iter__") or isinstance(value, str):
        return ()
    parts = list(value)
    return (len(parts), *(shape_of(parts[0]) if parts else ()))
