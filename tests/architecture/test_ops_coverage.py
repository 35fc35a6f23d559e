"""One op table: every operation in it has a spelling in every backend, and nothing else has."""

import re
from pathlib import Path

import numpy as np
import pytest

from momentarm.backends import c, llvm
from momentarm.backends import numpy as numpy_backend
from momentarm.backends import sympy as sympy_backend
from momentarm.graph import OPS, Expr, Program, Tape

FOLDER = Path(__file__).parents[2] / "src" / "momentarm"
TOGETHER = {"sin", "cos"}  # written by one function in C and LLVM


def tape_of(name: str) -> Program:
    """One operation on inputs, truth values where it takes them, with one number as its result."""
    op, tape = OPS[name], Tape()
    x = [tape.input("x", k) for k in range(3)]
    truth = tape.node("lt", x[0], x[1])
    i = tape.node(name, *(truth if k in op.of_bool else x[k] for k in range(op.arity)))
    result = tape.node("select", i, x[0], x[1]) if op.is_bool else i
    return Program(tape, {"x": (3,)}, {"y": ()}, (result,))


def llvm_text(program: Program) -> str:
    from momentarm.backends import scalar

    return scalar.one_function(program, llvm.Lanes())


WRITERS = {
    "llvm": llvm_text,
    "c": lambda program: c.source(program, "f", {}),
    "numpy": lambda program: numpy_backend.function(program)(np.ones(3)),
    "sympy": sympy_backend.expressions,
}


@pytest.mark.parametrize("backend", WRITERS)
@pytest.mark.parametrize("name", OPS)
def test_every_backend_spells_every_operation(backend, name):
    """A program of one operation, for each row of the op table, is taken by each backend."""
    WRITERS[backend](tape_of(name))


def test_every_backend_file_is_asked():
    """Each file of backends/ that spells operations out stands in the list of this test."""
    spelling = {
        path.stem
        for path in (FOLDER / "backends").glob("*.py")
        if len(set(re.findall(r'"(select|sqrt|sign|not)"', path.read_text()))) == 4
    }
    assert spelling == set(WRITERS)


def test_tables_name_no_operation_that_does_not_exist():
    """The spelling tables of C and NumPy hold the rows of the op table and nothing besides."""
    assert set(c.SPELLING) | TOGETHER == set(OPS)
    assert set(numpy_backend.MEANING) == set(OPS)


def test_unknown_operations_are_refused():
    """A node whose operation is in no table is an error in every backend, not wrong code."""
    tape = Tape()
    program = Program(tape, {"x": (3,)}, {"y": ()}, (tape.node("cube", tape.input("x", 0)),))
    for write in WRITERS.values():
        with pytest.raises(KeyError, match="cube"):
            write(program)


def test_an_expression_reaches_every_operation():
    """Every operation but fma, which only passes place, comes out of arithmetic on expressions."""
    from momentarm.graph import where

    def f(x):
        a, b, c = x
        total = a + b - c * a / b
        total = where(((a < b) | (b <= c)) & ~a.equals(b), -total, total.sqrt())
        return total + abs(a) + c.sign() + a.sin() * b.cos() - where(a < c, a, -b)

    used = set(Program.trace(f, {"x": (3,)}).tape.ops) - {"const", "input"}
    assert used == set(OPS) - {"fma"}


def test_rows_are_consistent():
    """Arity, truth values and commutativity of a row agree with what its Python meaning does."""
    for name, op in OPS.items():
        assert name == op.name
        assert op.meaning.__code__.co_argcount == op.arity if hasattr(op.meaning, "__code__") else 1
        args = [k in op.of_bool or 0.5 + k for k in range(op.arity)]
        assert isinstance(op.meaning(*args), bool) == op.is_bool
        if op.commutes:
            pairs = [(True, False)] if op.of_bool else [(0.25, -3.0), (2.0, 2.0)]
            assert all(op.meaning(a, b) == op.meaning(b, a) for a, b in pairs)


def test_operators_of_an_expression_mean_what_they_say():
    """Each operator of Expr appends the operation that Python's own operator names."""
    tape = Tape()
    a, b = (Expr(tape, tape.input("x", k)) for k in range(2))
    found = {
        "a + b": a + b, "a - b": a - b, "a * b": a * b, "a / b": a / b, "-a": -a, "abs(a)": abs(a),
        "a < b": a < b, "a <= b": a <= b, "a > b": a > b, "a >= b": a >= b,
    }  # fmt: skip
    for text, expression in found.items():
        program = Program(tape, {"x": (2,)}, {"y": ()}, (expression.i,))
        for x in ((2.5, -1.5), (-1.5, 2.5), (2.0, 2.0)):
            values = dict(enumerate(x))
            for i in program.live():
                op, args = tape.ops[i], tape.args[i]
                if op != "input":
                    values[i] = OPS[op].meaning(*(values[j] for j in args))
            assert values[expression.i] == eval(text, {"a": x[0], "b": x[1], "abs": abs}), text
