"""`==` in a function of one's own: it never takes a branch by itself."""

import numpy as np
import pytest

import momentarm as ma

ASKED = {
    "a choice": lambda arm, q: ma.where(q[0] == 0, 1, 2),
    "a branch": lambda arm, q: 1 if q[0] == 0 else 1 / q[0],
    "another number": lambda arm, q: 1 if q[0] != q[1] else 2,
    "an array": lambda arm, q: np.sum((q == 0) * 1),
    "a number and an array": lambda arm, q: q[0] == np.zeros(2),
    "membership": lambda arm, q: 1 if q[0] in [0, 1] else 2,
    "after a quantity": lambda arm, q: 1 if arm.gravity_forces(q)[0] == 0 else 2,
}


@pytest.mark.parametrize("case", ASKED)
def test_equality_is_not_answered_while_tracing(case):
    """In a user's function == and != with another number raise a TypeError that says how."""
    said = r"a\.equals\(b\), as in ma\.where|a condition is no number"
    with pytest.raises(TypeError, match=said):
        ma.kernel(ASKED[case], ma.robots.planar_2r())


def test_what_is_known_is_answered():
    """A traced number equals itself, a folded one its value, and nothing that is no number."""
    known = []

    def f(arm, q):
        x = q[0]
        nothing = None
        known.append([x == q[0], 0 * x == 0, 0 * x == 0, x == "x", x == nothing, x != (x,)])
        return ma.where(x.equals(0), 1, 2)

    kernel = ma.kernel(f, ma.robots.planar_2r())
    assert (kernel(np.zeros(2)), kernel(np.ones(2))) == (1, 2)
    assert known == [[True, True, True, False, False, True]]
