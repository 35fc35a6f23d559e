"""The grammar of numbers, exact quarter turns, and the turn that makes an axis z."""

import math
import random

import numpy as np
import pytest

import momentarm.formats as formats
from formats.material import ARM, changed
from momentarm.formats.numbers import NumberError, Turns, angle, number, numbers, upright
from momentarm.model.alignment import QUARTER_TURNS, alignment, unit
from momentarm.model.soundness import principal_moments
from momentarm.spatial import EZ, IDENTITY, Mat3, Sym3, Vec3


@pytest.mark.parametrize("text", ["0", "-1.5e-3", "+.5", "5.", "1e300", "007", "1E+2"])
def test_numbers_read_as_python_floats(text):
    """Every decimal of the grammar reads as the float Python makes of it."""
    assert number(text) == float(text)


@pytest.mark.parametrize(
    "text",
    ["", "nan", "inf", "-Infinity", "1e400", "1,5", "0x10", "1_0", "${m}", "1.5f", "\u0661", "1 2"],
)
def test_other_texts_are_no_numbers(text):
    """What is not a finite locale-free decimal is refused, even where Python's float takes it."""
    with pytest.raises(NumberError):
        number(text)


def test_vectors_split_at_any_white_space():
    """Numbers may be separated by spaces, tabs and newlines, and there must be as many as asked."""
    assert numbers(" 1\t2\n 3 ", 3) == (1.0, 2.0, 3.0)
    with pytest.raises(NumberError, match="expected 3 numbers, got 0"):
        numbers("", 3)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("90 deg", math.pi / 2),
        ("-45deg", -math.pi / 4),
        ("pi", math.pi),
        ("-pi/2", -math.pi / 2),
        ("3*pi/4", 3 * math.pi / 4),
        ("2pi", 2 * math.pi),
        ("0.25", 0.25),
    ],
)
def test_angle_texts(text, value):
    """Degrees and fractions of pi are the same angle as the float they stand for."""
    assert angle(text) == value


@pytest.mark.parametrize("text", ["pi/0", "90 degrees", "pi*2", "__import__('os')", "1/2", ""])
def test_other_texts_are_no_angles(text):
    """The grammar of angles is not an expression language."""
    with pytest.raises(NumberError):
        angle(text)


@pytest.mark.parametrize("k", range(-8, 9))
def test_quarter_turns_are_exact(k):
    """The float nearest to k quarter turns, and its neighbours, give sine and cosine 0 or ±1."""
    a = k * math.pi / 2
    expected = ((1, 0), (0, 1), (-1, 0), (0, -1))[k % 4]
    for near in (a, math.nextafter(a, 9), math.nextafter(a, -9)):
        assert Turns().cos_sin(near) == expected


def test_rounded_quarter_turns_stay_unless_asked():
    """1.5708 keeps its own sine and cosine by default, and becomes pi/2 with `snap`, named."""
    assert Turns().cos_sin(1.5708) == (math.cos(1.5708), math.sin(1.5708))
    turns = Turns(snap=True)
    assert turns.cos_sin(1.5708) == (0, 1)
    assert turns.snapped == [(1.5708, "pi/2")]


@pytest.mark.parametrize("a", [1.57, 1.571, 3.14, -3.1416, 3.1415, 4.712, 1.5707963, 1e-9])
def test_snapped_angles(a):
    """A quarter turn rounded or cut to two decimals or more is snapped on request."""
    c, s = Turns(snap=True).cos_sin(a)
    assert {abs(c), abs(s)} == {0, 1}


@pytest.mark.parametrize("a", [1.58, 1.56, 1.6, 3.1, 3.15, 0.01, 1.5, 0.7854, 2.0])
def test_angles_that_are_not_snapped(a):
    """An angle that is no rounded quarter turn is never snapped."""
    assert Turns(snap=True).cos_sin(a) == (math.cos(a), math.sin(a))


def test_snapping_is_a_warning_of_the_file():
    """Loading with `snap_angles` makes the rotation exact and warns with place, from and to."""
    text = changed(ARM, "1.5707963267948966", "1.5708")
    plain, none = formats.loads(text, "urdf")
    snapped, (problem,) = formats.loads(text, "urdf", "arm.urdf", snap_angles=True)
    assert none == ()
    assert plain != snapped == formats.loads(ARM, "urdf")[0]
    assert str(problem) == "arm.urdf:27:5: warning[angle-snapped]: rpy: 1.5708 to pi/2"


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("size", [-1 + 2**-53, -1 - 2**-52, -3.0, 1 - 2**-53, 7.0])
def test_an_axis_along_another_is_exact_whatever_its_rounding(place, size):
    """An axis along ±x, ±y, ±z whose length is an ulp off, with noise of an ulp beside it, is
    aligned by the same signed permutation as the exact one."""
    noisy = [1e-17, -2e-17, 1e-18]
    noisy[place] = size
    exact = [0, 0, 0]
    exact[place] = 1 if size > 0 else -1
    assert alignment(Vec3(*noisy)) == alignment(Vec3(*exact))



@pytest.mark.parametrize("axis", QUARTER_TURNS)
def test_alignment_with_coordinate_axes_is_a_signed_permutation(axis):
    """For an axis along ±x, ±y or ±z the alignment holds only the integers 0, 1 and -1."""
    A = alignment(Vec3(*(2.0 * x for x in axis)))
    assert tuple(A @ EZ) == axis
    assert all(type(x) is int for column in (A.cx, A.cy, A.cz) for x in column)
    assert A.cx.cross(A.cy) == A.cz


@pytest.mark.parametrize("seed", range(20))
def test_alignment_is_the_smallest_rotation(seed):
    """For any axis the alignment is a rotation from z to it about a line normal to both."""
    rng = random.Random(seed)
    axis = Vec3(rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1))
    if seed % 4 == 0:
        axis = Vec3(axis.x * 1e-9, axis.y * 1e-9, -1.0)
    a, A = unit(axis), alignment(axis)
    R = np.array([list(row) for row in A])
    assert pytest.approx(np.eye(3), abs=1e-15) == R @ R.T
    assert np.linalg.det(R) == pytest.approx(1)
    assert a == A @ EZ
    across = np.cross([0, 0, 1], list(a))
    assert R @ across == pytest.approx(across, abs=1e-15)


def test_unit_is_idempotent():
    """Normalising a normalised vector changes no bit."""
    rng = random.Random(1)
    for _ in range(1000):
        once = unit(Vec3(rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1)))
        assert unit(once) == once


@pytest.mark.parametrize("seed", range(10))
def test_principal_moments_against_numpy(seed):
    """The cosine formula gives NumPy's eigenvalues to 1e-13 of the largest."""
    A = np.random.default_rng(seed).normal(size=(3, 3))
    S = A @ A.T
    found = principal_moments(Sym3(S[0, 0], S[1, 1], S[2, 2], S[0, 1], S[0, 2], S[1, 2]))
    expected = np.linalg.eigvalsh(S)
    assert np.abs(np.array(found) - expected).max() <= 1e-13 * expected.max()


def test_sloppy_rotations_are_pulled_upright():
    """A matrix of six decimals becomes orthonormal to 1e-15; a far one is refused."""
    R = Turns().rpy(0.1, 0.2, 0.3)
    rounded = Mat3.rows([[round(x, 6) for x in row] for row in R])
    complaints = []
    A = np.array([list(row) for row in upright(rounded, complaints.append)])
    assert np.abs(A.T @ A - np.eye(3)).max() <= 1e-15
    assert complaints == []
    assert upright(R * 1.1, complaints.append) == IDENTITY
    assert len(complaints) == 1
