"""Programs as SymPy expressions, for paper: their values are those of machine code."""

import numpy as np
import pytest

import momentarm as ma
from compiler import material
from momentarm.backends import sympy as sympy_backend
from momentarm.graph import OPS, Program

sympy = pytest.importorskip("sympy", reason="the extra `symbolic` is not installed")
CASES = [("planar_2r", "inverse_dynamics"), ("cart_pole", "mass_matrix"),
         ("planar_2r", "kinetic_energy"), ("furuta", "bias_forces")]  # fmt: skip


def numbers(program, args):
    """{symbol: number} for arguments in order."""
    found = {}
    for (name, shape), a in zip(program.inputs.items(), args, strict=True):
        for k, x in enumerate(np.ravel(a)):
            symbol = sympy.Symbol(sympy_backend.symbol_name(name, k, shape), real=True)
            found[symbol] = sympy.Float(float(x), 40)
    return found


@pytest.mark.parametrize("robot, quantity", CASES)
def test_expressions_have_the_values_of_the_kernel(robot, quantity):
    """At a random state the expressions, evaluated to 40 digits, are what the kernel computes."""
    kernel = getattr(ma.robots, robot)().kernel(quantity)
    rng = np.random.default_rng(18)
    args = [rng.standard_normal(shape) for shape in kernel.recipe.inputs.values()]
    at = numbers(kernel.program, args)
    ((name, made),) = sympy_backend.expressions(kernel.program).items()
    shape = kernel.recipe.outputs[name]
    elements = list(made) if shape else [made]
    values = np.array([float(e.evalf(40, subs=at)) for e in elements]).reshape(shape)
    np.testing.assert_allclose(values, kernel(*args), rtol=1e-12, atol=1e-13)
    assert {str(s) for e in elements for s in e.free_symbols} <= {str(s) for s in at}


def test_shapes_and_names():
    """Numbers, vectors, matrices and higher arrays come as Expr, Matrix, Matrix and Array."""
    program = Program.trace(
        lambda q, m: (q[0], [q[1], q[2]], m, [[[q[0]], [q[1]]]]), {"q": (3,), "m": (2, 2)},
        {"a": (), "b": (2,), "c": (2, 2), "d": (1, 2, 1)},
    )  # fmt: skip
    found = sympy_backend.expressions(program)
    assert list(found) == ["a", "b", "c", "d"]
    assert str(found["a"]) == "q1"
    assert str(found["b"]) == "Matrix([[q2], [q3]])"
    assert str(found["c"]) == "Matrix([[m1_1, m1_2], [m2_1, m2_2]])"
    assert found["d"].shape == (1, 2, 1)


@pytest.mark.parametrize("name", OPS)
def test_every_operation(name):
    """Each operation as an expression has the value that the op table gives at ordinary numbers."""
    program = material.every_operation()
    expression = sympy_backend.expressions(program)["y"][list(OPS).index(name)]
    for x in ((0.5, 2.25, -1.5), (3.5, -0.75, 2.0), (2.0, 2.0, 0.0)):
        op = OPS[name]
        args = [x[k] > 0 if k in op.of_bool else x[k] for k in range(op.arity)]
        value = expression.subs(numbers(program, [x]))
        assert float(value) == pytest.approx(float(op.meaning(*args)), abs=1e-15)
