"""What is said when a kernel is given something it cannot take; the texts are golden."""

import numpy as np
import pytest

import momentarm as ma

ZERO = np.zeros(7)
BAD = {
    "too short": (np.zeros(6), ZERO, ZERO),
    "too long, second argument": (ZERO, np.zeros(8), ZERO),
    "transposed": (np.zeros((7, 5)), ZERO, ZERO),
    "a number": (0.5, ZERO, ZERO),
    "a column": (np.zeros((7, 1)), ZERO, ZERO),
    "batches that do not match": (np.zeros((3, 7)), np.zeros((4, 7)), ZERO),
    "truth values": (ZERO, ZERO, ZERO > 0),
    "complex numbers": (ZERO + 0j, ZERO, ZERO),
    "long doubles": (ZERO.astype(np.longdouble), ZERO, ZERO),
    "objects": (ZERO.astype(object), ZERO, ZERO),
    "text": (ZERO, np.array(["1"] * 7), ZERO),
    "a list of text": (["1"] * 7, ZERO, ZERO),
    "dates": (ZERO.astype("datetime64[s]"), ZERO, ZERO),
    "records": (np.zeros(7, [("x", float)]), ZERO, ZERO),
    "a ragged list": ([[0] * 7, [0] * 6], ZERO, ZERO),
    "a list with None": ([0, 0, 0, None, 0, 0, 0], ZERO, ZERO),
    "None": (ZERO, None, ZERO),
    "a dictionary": ({"joint": 1}, ZERO, ZERO),
    "a set": (ZERO, ZERO, {1, 2}),
    "one argument too few": (ZERO, ZERO),
    "one argument too many": (ZERO, ZERO, ZERO, ZERO),
}
BAD_OPTIONS = {
    "out too small": {"out": np.zeros(6)},
    "out of integers": {"out": np.zeros(7, int)},
    "out without a batch": {"out": np.zeros(7), "batch": 3},
    "out that is read-only": {"out": np.broadcast_to(0.0, (7,))},
    "out that is a list": {"out": [0.0] * 7},
    "dtype of integers": {"dtype": int},
    "dtype half": {"dtype": np.float16},
    "no threads": {"threads": 0},
    "half a thread": {"threads": 0.5},
    "true threads": {"threads": True},
}


@pytest.fixture(scope="module")
def arm():
    return ma.robots.panda()


def said(call, *args, **options) -> str:
    with pytest.raises((TypeError, ValueError)) as caught:
        call(*args, **options)
    return f"{caught.type.__name__}: {caught.value}"


def test_bad_arguments_of_a_kernel(arm, golden):
    """Each bad argument raises the reviewed text that names the argument, expected and got."""
    kernel = arm.kernel("inverse_dynamics")
    golden("arguments.txt", "\n".join(f"{case}\n    {said(kernel, *BAD[case])}" for case in BAD))


@pytest.mark.parametrize("case", [case for case in BAD if "one argument" not in case])
def test_the_robot_says_the_same(arm, case):
    """The quantity of a robot says of bad arrays what its kernel says, compiled call or not."""
    expected = said(arm.kernel("inverse_dynamics"), *BAD[case])
    assert said(arm.inverse_dynamics, *BAD[case]) == expected
    arm.inverse_dynamics(ZERO, ZERO, ZERO)
    assert said(arm.inverse_dynamics, *BAD[case]) == expected


def test_bad_options(arm, golden):
    """Each bad option raises the reviewed text that names the option, expected and got."""
    kernel, lines = arm.kernel("inverse_dynamics"), []
    for case, given in BAD_OPTIONS.items():
        options = dict(given)
        first = np.zeros((options.pop("batch"), 7)) if "batch" in options else ZERO
        lines.append(f"{case}\n    {said(kernel, first, ZERO, ZERO, **options)}")
    golden("options.txt", "\n".join(lines))


def test_a_wrench_has_six_numbers(arm):
    """A tip wrench of another length is refused with the order that is expected of its six."""
    text = said(arm.inverse_dynamics, ZERO, ZERO, ZERO, tip_wrench=np.zeros(3))
    assert "tip_wrench" in text
    assert "(6,)" in text
    assert "moment first, then force" in text


def test_nothing_is_written_on_error(arm):
    """After a refused call `out` holds what it held before."""
    out = np.full((3, 7), 5.0)
    for bad in (np.zeros((3, 6)), np.zeros((3, 7)) > 0, np.zeros((4, 7))):
        said(arm.inverse_dynamics, bad, ZERO, ZERO, out=out)
        assert (out == 5).all()


def test_nan_and_infinity_are_numbers(arm):
    """NaN and infinities pass without an error, and NaN reaches what it goes into."""
    q = ZERO.copy()
    q[6] = np.nan
    assert np.isnan(arm.mass_matrix(q)[6, 0])
    assert np.isfinite(arm.inverse_dynamics(ZERO, ZERO, ZERO)).all()
    assert np.isnan(arm.inverse_dynamics(ZERO, ZERO + np.inf, ZERO)).any()
