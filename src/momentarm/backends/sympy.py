"""A program as SymPy expressions, for equations on paper. Needs the extra `symbolic`.

>>> from momentarm.graph import Program
>>> p = Program.trace(lambda q, m: 0.5 * m * q[1] ** 2 + q[0].sin(), {"q": (2,), "m": ()})
>>> expressions(p)
{'y': m*q2**2/2 + sin(q1)}
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from momentarm.graph.program import Program
from momentarm.graph.tape import Node


def expressions(program: Program) -> dict[str, Any]:
    """Each result: an expression, a matrix (a column for a vector) or an array of higher rank.

    The inputs are the real symbols q1, q2, …, M1_1, …
    """
    import sympy

    meaning, values = _meaning(sympy), dict[Node, Any]()
    for i in program.live():
        op, args = program.tape.ops[i], program.tape.args[i]
        if op == "const":
            values[i] = _number(sympy, args[0])
        elif op == "input":
            name = symbol_name(args[0], args[1], program.inputs[args[0]])
            values[i] = sympy.Symbol(name, real=True)
        else:
            values[i] = meaning[op](*(values[j] for j in args))
    results = iter(program.results)
    made = {name: [values[next(results)] for _ in range(math.prod(shape))]
            for name, shape in program.outputs.items()}  # fmt: skip
    return {name: _shaped(sympy, made[name], shape) for name, shape in program.outputs.items()}


def _shaped(sympy: Any, elements: list[Any], shape: tuple[int, ...]) -> Any:
    if len(shape) > 2:
        return sympy.Array(elements, shape)
    return sympy.Matrix(*(*shape, 1)[:2], elements) if shape else elements[0]


def symbol_name(name: str, element: int, shape: tuple[int, ...]) -> str:
    """q3 for q[2], M1_2 for M[0,1], counted from one as on paper."""
    index: list[str] = []
    for size in reversed(shape):
        element, k = divmod(element, size)
        index.insert(0, str(k + 1))
    return name + "_".join(index)


def _number(sympy: Any, x: float) -> Any:
    """Short binary fractions as such, so that ½ is not 0.5; other numbers as floats."""
    short = abs(x) < 1e15 and Fraction(x).denominator <= 1024
    return sympy.Rational(*x.as_integer_ratio()) if short else sympy.Float(x)


def _meaning(sympy: Any) -> dict[str, Callable[..., Any]]:
    return {
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "neg": operator.neg,
        "fma": lambda a, b, c: a * b + c,
        "div": operator.truediv,
        "sqrt": sympy.sqrt,
        "sin": sympy.sin,
        "cos": sympy.cos,
        "abs": sympy.Abs,
        "sign": sympy.sign,
        "lt": sympy.Lt,
        "le": sympy.Le,
        "eq": sympy.Eq,
        "and": sympy.And,
        "or": sympy.Or,
        "not": sympy.Not,
        "select": lambda c, a, b: sympy.Piecewise((a, c), (b, True)),
    }
