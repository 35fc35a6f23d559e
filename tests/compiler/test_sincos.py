"""Our sine and cosine against mpmath, which computes to any number of digits."""

import math
from functools import cache

import mpmath
import numpy as np
import pytest

from compiler import material
from momentarm.backends import elementary
from momentarm.kernels import engine

KINDS = ("double", "float")
NEAR = {"double": 2.3e-16, "float": 1.2e-7}  # absolute error up to 1e5
FAR = {"double": 5e-16, "float": 2.5e-7}  # and beyond: what reduction rounds comes on top
BITS = 1100 + 200  # enough to reduce any finite double


@cache
def code(kind: str, is_vector: bool) -> material.Runner:
    width = engine.host().vector_bits // (64 if kind == "double" else 32)
    if is_vector:
        return material.llvm_vector(material.sine_and_cosine(), kind, width)
    return material.llvm_scalar(material.sine_and_cosine(), kind)


def circular(kind: str, x: np.ndarray, is_vector: bool = True) -> tuple[np.ndarray, np.ndarray]:
    sine, cosine = code(kind, is_vector)(np.asarray(x, material.DTYPES[kind])[:, None])
    return sine[:, 0], cosine[:, 0]


def errors(kind: str, x: np.ndarray) -> np.ndarray:
    """The absolute error of sine and of cosine at every x, from exact x by mpmath."""
    x = np.asarray(x, material.DTYPES[kind])
    found = circular(kind, x)
    with mpmath.workprec(BITS if np.abs(x).max() > 1e6 else 160):
        true = [mpmath.cos_sin(mpmath.mpf(float(v))) for v in x]
        pairs = zip(*found, true, strict=True)
        return np.array([[abs(s - S), abs(c - C)] for s, c, (C, S) in pairs], float)


def around(kind: str, centres) -> np.ndarray:
    """Numbers, their neighbours, and all of them with the other sign."""
    x = np.asarray(centres, material.DTYPES[kind])
    up, down = np.nextafter(x, x.dtype.type(np.inf)), np.nextafter(x, x.dtype.type(0))
    every = np.concatenate([x, up, down])
    return np.concatenate([every, -every])


@pytest.mark.parametrize("kind", KINDS)
def test_many_random_angles(kind):
    """At random |x| ≤ 1e5 of all sizes sine and cosine differ from mpmath's by half a unit of 1."""
    rng = np.random.default_rng(2)
    x = np.concatenate([
        rng.uniform(-1e5, 1e5, 6000),
        rng.uniform(-4, 4, 6000),
        rng.choice((-1, 1), 3000) * 10.0 ** rng.uniform(-12, 5, 3000),
    ])  # fmt: skip
    assert errors(kind, x).max() <= NEAR[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_multiples_of_a_quarter_turn(kind):
    """At k·π/4 and its neighbours up to 1e5, where results vanish or switch, mpmath agrees."""
    most = int(1e5 / (math.pi / 4))
    k = np.unique(np.concatenate([np.arange(200), np.geomspace(200, most, 800).astype(int)]))
    x = around(kind, k * (math.pi / 4))
    assert errors(kind, x[np.abs(x) <= 1e5]).max() <= NEAR[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_smallest_angles(kind):
    """Of ±0 and denormals the sine equals x (that of −0 is +0) and the cosine 1, by definition."""
    limits = np.finfo(material.DTYPES[kind])
    sizes = np.array([0, limits.smallest_subnormal, 5 * limits.smallest_subnormal,
                      limits.tiny / 2, limits.tiny], limits.dtype)  # fmt: skip
    x = np.concatenate([sizes, -sizes])
    sine, cosine = circular(kind, x)
    material.assert_same_bits(sine, x + 0)
    material.assert_same_bits(cosine, np.ones_like(x))


@pytest.mark.parametrize("kind", KINDS)
def test_relative_error_near_zero(kind):
    """For |x| ≤ π/4 the sine differs from mpmath's by less than one unit in its last place."""
    x = np.random.default_rng(3).choice((-1, 1), 2000) * np.geomspace(1e-30, math.pi / 4, 2000)
    x = x.astype(material.DTYPES[kind])
    assert (errors(kind, x)[:, 0] <= np.spacing(np.abs(np.sin(x)))).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_edge_of_the_short_reduction(kind):
    """Just below and just above 1e5, where another reduction begins, mpmath agrees."""
    x = 1e5 + np.arange(-200, 201) * 0.37
    x = np.concatenate([around(kind, [1e5]), around(kind, x)])
    assert errors(kind, x).max() <= FAR[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_far_angles(kind):
    """Beyond 1e5, up to the largest number, mpmath with 1300 bits agrees."""
    rng = np.random.default_rng(4)
    most = float(np.finfo(material.DTYPES[kind]).max)
    powers = 2.0 ** np.arange(17, math.floor(math.log2(most)), 3)
    sizes = np.exp(rng.uniform(math.log(1e5), math.log(most) - 1e-6, 200))
    known = [most] if kind == "float" else [most, 1e22, 1e300, 6381956970095103 * 2.0**797]
    assert errors(kind, around(kind, [*powers[:-1], *sizes])).max() <= FAR[kind]
    assert errors(kind, np.concatenate([known, np.negative(known)])).max() <= FAR[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_angle(kind):
    """Sine and cosine of infinities and of NaN are NaN, as IEEE 754 recommends."""
    for result in circular(kind, np.array([np.inf, -np.inf, np.nan])):
        assert np.isnan(result).all()


@pytest.mark.parametrize("kind", KINDS)
def test_symmetry(kind):
    """Sine is odd and cosine even to the last bit: f(−x) is set against f(x)."""
    rng = np.random.default_rng(5)
    x = np.concatenate([rng.uniform(0, 1e5, 3000), 10 ** rng.uniform(5, 38, 1000)])
    x = x.astype(material.DTYPES[kind])
    (sine, cosine), (minus, same) = circular(kind, x), circular(kind, -x)
    material.assert_same_bits(minus, -sine)
    material.assert_same_bits(same, cosine)


@pytest.mark.parametrize("kind", KINDS)
def test_an_angle_does_not_see_its_neighbours(kind):
    """One far, infinite or NaN lane leaves the bits of the others as scalar code has them."""
    rng = np.random.default_rng(6)
    x = rng.uniform(-10, 10, 400).astype(material.DTYPES[kind])
    x[rng.choice(400, 60)] = np.resize([1e30, np.nan, -np.inf, 123456.0], 60)
    alone = circular(kind, x, is_vector=False)
    for found, expected in zip(circular(kind, x), alone, strict=True):
        material.assert_same_bits(found, expected)


def test_the_table_of_turns():
    """The words of the far reduction are 64 zero bits and the bits of 1/(2π) as mpmath has them."""
    words = len(elementary.TURNS) - 1
    with mpmath.workprec(64 * words + 64):
        digits = int(mpmath.floor(mpmath.ldexp(1 / (2 * mpmath.pi), 64 * words)))
    expected = [(digits >> 64 * (words - 1 - k)) % 2**64 for k in range(words)]
    assert list(elementary.TURNS) == [0, *expected]


def test_the_constants_of_reduction():
    """The parts of π/2 add up to it, and 2/π and 2π/2⁶⁴ are rounded from what mpmath gives."""
    for table, bits in ((elementary.DOUBLE, 53), (elementary.SINGLE, 24)):
        with mpmath.workprec(300):
            parts = sum(mpmath.mpf(float.fromhex(part)) for part in table.quarter)
            assert abs(parts / (mpmath.pi / 2) - 1) < mpmath.mpf(2) ** (1 - 2 * bits)
            quarters = 2 / mpmath.pi
        with mpmath.workprec(bits):
            assert float.fromhex(table.per_quarter) == float(+quarters)
    assert float.fromhex(elementary.TURN) == float(mpmath.ldexp(mpmath.pi, -63))
