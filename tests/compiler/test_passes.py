"""Folding and passes keep values: random programs in exact rational numbers, before and after.

Sine and cosine have no rational values: an odd and an even rational function stand for them.
"""

import random
from fractions import Fraction

import numpy as np
import pytest

from compiler import material
from momentarm.graph import OPS, Program, where
from momentarm.kernels import pipeline
from momentarm.passes.factor import factor
from momentarm.passes.fuse import fuse

NUMBERS = (0, 1, -1, 2, -2, 0.5, -0.25, 3)
STAND_IN = {"sin": lambda x: x / (1 + x * x), "cos": lambda x: 1 / (1 + x * x)}
MEANING = {name: op.meaning for name, op in OPS.items()} | STAND_IN
INPUTS = 5


class Exact:
    """A rational number with the methods of an `Expr`: the second path."""

    def __init__(self, value):
        self.value = Fraction(value)

    def sin(self):
        return Exact(STAND_IN["sin"](self.value))

    def cos(self):
        return Exact(STAND_IN["cos"](self.value))

    def sign(self):
        return Exact((self.value > 0) - (self.value < 0))


def lifted(operation):
    def method(self, *others):
        values = (x.value if isinstance(x, Exact) else Fraction(x) for x in others)
        result = operation(self.value, *values)
        return np.bool_(result) if isinstance(result, bool) else Exact(result)

    return method


for _name in ("add", "sub", "mul", "truediv", "neg", "abs", "lt", "le", "gt", "ge",
              "radd", "rsub", "rmul", "rtruediv"):  # fmt: skip
    setattr(Exact, f"__{_name}__", lifted(getattr(Fraction, f"__{_name}__")))
Exact.equals = lifted(Fraction.__eq__)

LINEAR = {
    "add": lambda a, b, c: a + b,
    "sub": lambda a, b, c: a - b,
    "mul": lambda a, b, c: a * b,
    "neg": lambda a, b, c: -a,
    "square": lambda a, b, c: a * a,
    "products": lambda a, b, c: a * b - a * c,
    "sum of products": lambda a, b, c: (a * b + c) + (b * c - a * b),
}
ANY = LINEAR | {
    "div": lambda a, b, c: a / (b * b + 1),
    "half": lambda a, b, c: a / 2,
    "sine": lambda a, b, c: (a + b * b).sin(),
    "cosine": lambda a, b, c: (a - b).cos() * c,
    "abs": lambda a, b, c: abs(a - b),
    "sign": lambda a, b, c: (a * b).sign(),
    "less": lambda a, b, c: where(a < b, c, a),
    "at most": lambda a, b, c: where(a <= b, a * b, b),
    "equal": lambda a, b, c: where((a * a).equals(b * b), a, c),
    "within": lambda a, b, c: where(~((a > b) | (b > c)) & (a <= c), a, b),
    "or": lambda a, b, c: where((a >= b) | (b < c), a, b - c),
}
INEXACT = {"div", "half", "sine", "cosine"}  # of numbers: floats cannot fold these exactly


def random_function(seed, steps, length):
    """A straight-line function, the same for any scalar: lists of steps and places of operands."""
    rng = random.Random(seed)
    places = len(NUMBERS) + INPUTS
    plan = []
    for k in range(length):
        name = rng.choice(list(steps))
        lowest = len(NUMBERS) if name in INEXACT else 0
        recent = [rng.randrange(lowest, places + k) for _ in range(3)]
        plan.append((steps[name], recent))

    def f(x):
        values = [*(x[0] * 0 + v for v in NUMBERS), *x]
        for step, operands in plan:
            values.append(step(*(values[k] for k in operands)))
        return values[-6:]

    return f


def point(seed):
    """Arguments from a small set, so that equal ones and zeros are met."""
    rng = random.Random(seed)
    return [Fraction(rng.randint(-4, 4), rng.choice((1, 2, 3))) for _ in range(INPUTS)]


def value(program, x):
    return material.interpreted(program, {"x": x}, MEANING)


def traced(seed, steps=ANY, length=18):
    return Program.trace(random_function(seed, steps, length), {"x": (INPUTS,)})


def inexact(program):
    """Whether numbers met that floats cannot hold exactly, such as the sine of a number."""
    tape = program.tape
    consts = [tape.args[i][0] for i in program.live() if tape.ops[i] == "const"]
    return any(Fraction(x).denominator > 2**20 or abs(x) > 2**40 for x in consts)


@pytest.mark.parametrize("block", range(8))
def test_folding_keeps_values(block):
    """What the tape folds on arrival has the value that plain rational arithmetic gives."""
    compared = 0
    for seed in range(40 * block, 40 * block + 40):
        program = traced(seed)
        if inexact(program):
            continue
        f = random_function(seed, ANY, 18)
        for k in range(3):
            x = point(1000 * seed + k)
            expected = [v.value for v in f([Exact(v) for v in x])]
            assert value(program, x) == expected, (seed, str(program))
            compared += 1
    assert compared > 60


PASSES = {"factor": factor, "fuse": fuse, "both": lambda p: fuse(factor(p)),
          "pipeline": lambda p: pipeline.scheduled(pipeline.simplified(p))}  # fmt: skip


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize("steps", [LINEAR, ANY], ids=["polynomials", "all operations"])
def test_passes_keep_values(name, steps):
    """A pass leaves the exact rational values of the untouched program as they were."""
    compared = 0
    for seed in range(150):
        before = traced(seed, steps)
        if inexact(before):
            continue
        after = PASSES[name](before)
        for k in range(2):
            x = point(seed + 7919 * k)
            assert value(after, x) == value(before, x), f"{seed}\n{before}\n{after}"
            compared += 1
    assert compared > 150


@pytest.mark.parametrize("name", PASSES)
def test_sums_of_few_numbers_keep_their_value(name):
    """Sums and differences in which the same numbers stand several times, x + x − x, are exact."""
    for seed in range(400):
        rng = random.Random(f"sums {seed}")
        plan = [(rng.choice((1, -1)), rng.randrange(3), rng.randrange(3)) for _ in range(6)]

        def f(x, plan=plan):
            values = [x[0], x[1], x[0] * x[1]]
            for sign, i, j in plan:
                a, b = values[-1 - i], values[j]
                values.append(a + b if sign > 0 else a - b)
            return values[-3:]

        before = Program.trace(f, {"x": (2,)})
        x = [Fraction(3, 7), Fraction(-5, 11)]
        assert value(PASSES[name](before), x) == f(x) == value(before, x), f"{seed}\n{before}"


@pytest.mark.parametrize("name", PASSES)
def test_passes_add_no_operation(name):
    """No pass makes a random program longer, counted by `Program.counts` before and after."""
    for seed in range(150):
        before = traced(seed, LINEAR)
        if not inexact(before):
            assert PASSES[name](before).counts.total <= before.counts.total, seed


BEFORE_AND_AFTER = {
    "a shared factor": (
        factor,
        lambda a, b, c, d: a * b + a * c,
        """
        %4 = add(b, c)
        %5 = mul(a, %4)
        y = %5
        """,
    ),
    "signs of a shared factor": (
        factor,
        lambda a, b, c, d: a * b - d - a * c,
        """
        %5 = sub(b, c)
        %6 = mul(a, %5)
        %7 = sub(%6, d)
        y = %7
        """,
    ),
    "a term taken twice and off once": (
        factor,
        lambda a, b, c, d: a * b + a * b - a * b,
        """
        %2 = mul(a, b)
        y = %2
        """,
    ),
    "a product with two uses stays": (
        factor,
        lambda a, b, c, d: (a * b + a * c) * (a * b),
        """
        %3 = mul(a, b)
        %4 = mul(a, c)
        %6 = add(%3, %4)
        %7 = mul(%3, %6)
        y = %7
        """,
    ),
    "a sum": (fuse, lambda a, b, c, d: a * b + c, "%3 = fma(a, b, c)\ny = %3"),
    "minus a product": (
        fuse,
        lambda a, b, c, d: a - b * c,
        """
        %3 = neg(b)
        %4 = fma(c, %3, a)
        y = %4
        """,
    ),
    "a product less something": (
        fuse,
        lambda a, b, c, d: a * b - c,
        """
        %3 = neg(c)
        %4 = fma(a, b, %3)
        y = %4
        """,
    ),
    "two products: the last one": (
        fuse,
        lambda a, b, c, d: a * b + c * d,
        """
        %4 = mul(a, b)
        %5 = fma(c, d, %4)
        y = %5
        """,
    ),
}


@pytest.mark.parametrize("case", BEFORE_AND_AFTER)
def test_passes_write_what_is_expected(case):
    """The printed program after a pass is the text that a person wrote down for it."""
    rewrite, f, expected = BEFORE_AND_AFTER[case]
    program = rewrite(Program.trace(f, dict.fromkeys("abcd", ())))
    found = [line.strip() for line in program.lines()][1:]
    assert found == [line.strip() for line in expected.strip().splitlines()]


FOLDED = {
    "0 + x": (lambda x, y: 0 + x, "x"),
    "x - 0": (lambda x, y: x - 0, "x"),
    "0 - x": (lambda x, y: 0 - x, "neg(x)"),
    "x - x": (lambda x, y: x - x, "0.0"),
    "1 * x": (lambda x, y: 1 * x, "x"),
    "x * 0": (lambda x, y: x * 0, "0.0"),
    "-1 * x": (lambda x, y: -1 * x, "neg(x)"),
    "0 - (-x)": (lambda x, y: 0 - (-x), "x"),
    "x / 4": (lambda x, y: x / 4, "mul(x, 0.25)"),
    "x / 3 stays a division": (lambda x, y: x / 3, "div(x, 3.0)"),
    "(-x) * (-y)": (lambda x, y: (-x) * (-y), "mul(x, y)"),
    "x + (-y)": (lambda x, y: x + (-y), "sub(x, y)"),
    "y * x is x * y": (lambda x, y: (x * y) - (y * x), "0.0"),
    "cos(-x)": (lambda x, y: (-x).cos(), "cos(x)"),
    "abs(-x)": (lambda x, y: abs(-x), "abs(x)"),
    "x where a < b, else x": (lambda x, y: where(x < y, x, x), "x"),
}


@pytest.mark.parametrize("case", FOLDED)
def test_the_tape_folds(case):
    """The tape holds the simplest form, as a person wrote it down, and nothing besides."""
    f, expected = FOLDED[case]
    *operations, result = list(Program.trace(f, {"x": (), "y": ()}).lines())[1:]
    if operations:
        assert len(operations) == 1
        assert operations[0].partition(" = ")[2] == expected
    else:
        assert result.partition(" = ")[2] == expected


MIXED = {
    "a condition times a number": lambda x, y: (x > 0) * y,
    "a condition as a result": lambda x, y: x > 0,
    "a number as a condition": lambda x, y: where(x, 1, 2),
    "numbers joined by and": lambda x, y: where(x & y, 1, 2),
    "a choice between conditions": lambda x, y: where(x > 0, x > y, y > 0),
    "a choice between arrays": lambda x, y: where(x > 0, np.ones(2), np.zeros(2)),
    "text": lambda x, y: x + "3",
}


@pytest.mark.parametrize("case", MIXED)
def test_truth_values_are_no_numbers(case):
    """What mixes numbers with conditions, arrays or text is a TypeError while it is traced."""
    with pytest.raises(TypeError):
        Program.trace(MIXED[case], {"x": (), "y": ()})


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan])
def test_any_number_may_divide(number):
    """x / inf and x / nan stay divisions."""
    assert Program.trace(lambda x: x / number, {"x": ()}).counts.div == 1


def test_signs_travel_outward():
    """No random product or sum has a negated argument, no product a negative constant."""
    for seed in range(200):
        tape = traced(seed, LINEAR).tape
        for i, op in enumerate(tape.ops):
            if op in ("mul", "add"):
                assert not any(tape.ops[j] == "neg" for j in tape.args[i]), seed
            if op == "mul":
                assert all((tape.value(j) or 0) >= 0 for j in tape.args[i]), seed
