"""Functions of one's own as kernels: choices, limits, and what is said when something is no use."""

import math

import numpy as np
import pytest

import momentarm as ma

Q = np.array([[0.5, -2.0], [-3.0, 0.25], [0.0, 1.0], [np.nan, 1.0], [1.0, np.nan]])
LOW, HIGH = np.array([-1.0, 0.0]), np.array([0.4, 2.0])


@pytest.fixture(scope="module")
def arm():
    return ma.robots.planar_2r()


CHOICES = {
    "where": lambda q: (ma.where(q > 0, q, -q), np.where(q > 0, q, -q)),
    "np.where": lambda q: (np.where(q <= 0.25, 1, q), np.where(q <= 0.25, 1, q)),
    "masks": lambda q: (ma.where((q >= 0) & ~(q < 0.5), 1, 0), np.where(q >= 0.5, 1, 0)),
    "where equal": lambda q: (ma.where(q == 1, 7, q), np.where(q == 1, 7, q)),
    "where unequal": lambda q: (ma.where(q != 1, 7, 2), np.where(q != 1, 7, 2)),
    "swapped": lambda q: (ma.where(np.less(LOW, q), q, 9), np.where(np.less(LOW, q), q, 9)),
    "minimum": lambda q: (ma.minimum(q, 0.25), np.minimum(q, 0.25)),
    "maximum": lambda q: (np.maximum(LOW, q), np.maximum(LOW, q)),
    "clip": lambda q: (ma.clip(q, LOW, HIGH), np.clip(q, LOW, HIGH)),
    "np.clip": lambda q: (np.clip(q, LOW, HIGH), np.clip(q, LOW, HIGH)),
}  # fmt: skip


@pytest.mark.parametrize("case", CHOICES)
def test_choices_between_arrays_are_numpys(arm, case):
    """where, minimum, maximum, clip and comparisons in a kernel give NumPy's result, NaN too."""
    found = ma.kernel(lambda arm, q: CHOICES[case](q)[0], arm)(Q)
    assert np.array_equal(found, CHOICES[case](Q)[1], equal_nan=True)


def test_choices_of_plain_numbers_are_numpys():
    """Outside of kernels where, minimum, maximum and clip take numbers and arrays."""
    assert ma.where(True, 1, 2) == 1
    assert np.array_equal(ma.where(Q > 0, Q, 0), np.where(Q > 0, Q, 0))
    assert np.array_equal(ma.clip(Q, -1, 1), np.clip(Q, -1, 1), equal_nan=True)
    assert (ma.minimum(1, 2), ma.maximum(1, 2)) == (1, 2)


def test_facts_of_the_robot_are_there(arm):
    """Limits, home and names are readable on the traced robot."""
    panda = ma.robots.panda()
    low = [k.lower for k in panda.limits.values()]
    f = ma.kernel(lambda arm, q: q - [k.lower for k in arm.limits.values()] + arm.q_home, panda)
    assert np.array_equal(f(np.zeros(7)), 0 - np.array(low) + panda.q_home)


def test_defaults_are_no_inputs(arm):
    """A parameter with a default is an input only if its shape is given, also behind a star."""
    def f(arm, q, k=2.0, *, offset=1.0):
        return k * q + offset

    assert np.array_equal(ma.kernel(f, arm)([1, 2]), [3, 5])
    assert np.array_equal(ma.kernel(f, arm, offset=2)([1, 2], [10, 20]), [12, 24])


def into_zeros(arm, q):
    out = np.zeros(2)
    out[0] = q[0]
    return out


MISTAKES = {
    "linalg.solve": lambda arm, q: np.linalg.solve(arm.mass_matrix(q), q),
    "linalg.inv": lambda arm, q: np.linalg.inv(arm.mass_matrix(q)),
    "np.zeros": into_zeros,
    "math.sin": lambda arm, q: math.sin(q[0]),
    "arctan2 of numbers": lambda arm, q: np.hypot(q[0], q[1]),
    "arctan2 of arrays": lambda arm, q: np.hypot(q, q),
    "exp of a number": lambda arm, q: np.exp(q[0]),
    "exp of an array": lambda arm, q: np.exp(q),
    "power": lambda arm, q: q**q,
    "remainder": lambda arm, q: q % 2,
    "index": lambda arm, q: q[int(q[0])],
    "if": lambda arm, q: q if q[0] > 0 else -q,
    "max": lambda arm, q: max(q[0], q[1]),
    "ragged": lambda arm, q: [q[0], [q[1], q[0]]],
    "any arguments": lambda arm, *arrays: arrays[0],
    "no such fact": lambda arm, q: arm.colour,
    "wrenches in a list": lambda arm, q: arm.inverse_dynamics(q, q, q, wrenches=[[0] * 6]),
}


def test_mistakes_are_explained(arm, golden):
    """Each common mistake in a function of one's own gives its reviewed message."""
    cases = {case: (f, arm, {}) for case, f in MISTAKES.items()}
    cases |= {
        "swapped": (arm, into_zeros, {}),
        "a quantity": ("mass_matrix", arm, {}),
        "shape as text": (lambda arm, q, x: x, arm, {"x": "7"}),
        "negative shape": (lambda arm, q, x: x, arm, {"x": (-1,)}),
        "another q": (lambda arm, q: q, arm, {"q": 3}),
    }
    said = []
    for case, (f, robot, shapes) in cases.items():
        with pytest.raises((TypeError, ValueError, AttributeError)) as caught:
            ma.kernel(f, robot, **shapes)
        text = str(caught.value).partition("<function")
        said.append(f"{case}\n    {caught.type.__name__}: {''.join(text[:2])}")
    golden("own_kernels.txt", "\n".join(said))
