"""Every operation of the table on every backend, against its meaning, bit for bit."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from compiler import material
from momentarm.backends import numpy as numpy_backend
from momentarm.graph import OPS

KINDS = ("double", "float")
ROUNDED_OTHERWISE = ("sin", "cos")  # our own polynomials: test_sincos says how good they are


def arguments(kind: str) -> np.ndarray:
    """All pairs of hard numbers, and random triples of them and of ordinary ones."""
    rng, values = np.random.default_rng(1), material.nasty(kind)
    pairs = [(a, b, a) for a, b in itertools.product(values, values)]
    ordinary = rng.standard_normal((400, 3)) * 10.0 ** rng.integers(-6, 6, (400, 3))
    rows = [np.array(pairs), rng.choice(values, (1500, 3)), ordinary]
    return np.concatenate(rows).astype(material.DTYPES[kind])


def meant(name: str, kind: str, row: np.ndarray) -> float:
    """What the table says of three Python floats, rounded once to the format."""
    op, x = OPS[name], [float(v) for v in row]
    args = [x[k] > 0 if k in op.of_bool else x[k] for k in range(op.arity)]
    if name == "fma" and all(map(math.isfinite, x)):
        exact = op.meaning(*map(Fraction, x))
        return material.nearest(exact, kind) if exact else op.meaning(*args)
    return float(op.meaning(*args))


@pytest.fixture(scope="module", params=KINDS)
def results(request, tmp_path_factory):
    """The kind, the arguments, and the results of each backend."""
    kind, program = request.param, material.every_operation()
    rows = arguments(kind)
    backends = {"scalar": material.llvm_scalar(program, kind)}
    for width in material.WIDTHS[kind]:
        backends[f"{width} lanes"] = material.llvm_vector(program, kind, width)
    found = {name: run(rows)[0] for name, run in backends.items()}
    folder = tmp_path_factory.mktemp("operations")
    return kind, rows, found, program, folder


@pytest.mark.parametrize("name", [n for n in OPS if n not in ROUNDED_OTHERWISE])
def test_scalar_code_does_what_the_table_says(results, name):
    """LLVM scalar code gives, bit for bit, the meaning that the op table states in Python."""
    kind, rows, found, _, _ = results
    with np.errstate(all="ignore"):
        expected = np.array([meant(name, kind, row) for row in rows], material.DTYPES[kind])
    material.assert_same_bits(found["scalar"][:, list(OPS).index(name)], expected, name)


def test_lanes_do_what_scalar_code_does(results):
    """Vector code of every width gives the bits of LLVM scalar code for every operation."""
    _, _, found, _, _ = results
    for backend, y in found.items():
        for k, name in enumerate(OPS):
            material.assert_same_bits(y[:, k], found["scalar"][:, k], f"{name}, {backend}")


def test_c_does_what_scalar_code_does(results):
    """Exported C, compiled by a C compiler, gives the bits of LLVM scalar code for every op."""
    kind, rows, found, program, folder = results
    (y,) = material.exported(program, kind, folder, name=f"every_{kind}")(rows)
    for k, name in enumerate(OPS):
        material.assert_same_bits(y[:, k], found["scalar"][:, k], name)


def test_numpy_does_what_scalar_code_does(results):
    """The NumPy backend gives LLVM's bits but for fma, sin and cos, and those nearly."""
    _, rows, found, program, _ = results
    y, expected = numpy_backend.function(program)(rows), found["scalar"]
    for k, name in enumerate(OPS):
        if name not in (*ROUNDED_OTHERWISE, "fma"):
            material.assert_same_bits(y[:, k], expected[:, k], name)
    ordinary = np.abs(rows).max(axis=1) < 1e4
    eps = np.finfo(y.dtype).eps
    for name in ("fma", *ROUNDED_OTHERWISE):
        k, size = list(OPS).index(name), np.abs(rows[ordinary]).max(axis=1) ** 2 + 1
        error = np.abs(y[ordinary, k] - expected[ordinary, k]) / size
        assert error.max() <= 2 * eps, name


@pytest.mark.parametrize("name", ROUNDED_OTHERWISE)
def test_sine_and_cosine_are_those_of_the_table(results, name):
    """LLVM's sine and cosine differ from Python's by rounding alone, up to 1e5."""
    kind, rows, found, _, _ = results
    small = np.abs(rows[:, 0]) <= 1e5
    expected = [OPS[name].meaning(float(x)) for x in rows[small, 0]]
    error = np.abs(found["scalar"][small, list(OPS).index(name)] - np.array(expected))
    assert error.max() <= (2.3e-16 if kind == "double" else 1.2e-7)
    outside = ~np.isfinite(rows[:, 0])
    assert np.isnan(found["scalar"][outside, list(OPS).index(name)]).all()
