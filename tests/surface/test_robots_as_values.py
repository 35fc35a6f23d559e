"""Robots as values: equality, states, and what is said of wrong arguments."""

import copy
import pickle

import numpy as np
import pytest

import momentarm as ma
from momentarm import quantities
from momentarm.constrained import robot as constrained

ARM = ma.robots.planar_2r()
HELD = ARM.with_constraints(ma.hold("tip", rows=["x"]))


@pytest.fixture(scope="module")
def arm():
    return ma.robots.panda()


def test_robots_of_one_mechanism_are_equal(arm):
    """A copy, a pickle, a second load and the usual gravity give an equal robot of equal hash."""
    same = (copy.deepcopy(arm), pickle.loads(pickle.dumps(arm)), ma.robots.panda(),
            arm.with_gravity([0, 0, -9.81]))  # fmt: skip
    assert all(other == arm and hash(other) == hash(arm) for other in same)
    others = (arm.with_gravity([0, 0, -9.8]), arm.with_tip("panda_link4"), arm.ideal, "panda")
    assert all(other != arm for other in others)


def test_kernels_are_copied_as_themselves(arm):
    """copy and deepcopy of a kernel, of a function of one's own too, give the kernel."""
    for kernel in (arm.kernel("mass_matrix"), ma.kernel(lambda arm, q: q, arm)):
        assert copy.copy(kernel) is copy.deepcopy(kernel) is kernel


def test_representations_are_short(arm):
    """A robot, a kernel and its program show themselves in one line."""
    kernel = arm.kernel("mass_matrix")
    for thing in (arm, kernel, kernel.program):
        assert len(repr(thing)) < 200
        assert "\n" not in repr(thing)
    assert repr(arm.lock(arm.joint_names[1:])) == "<Robot panda: 1 joint>"


def test_random_states_have_any_shape(arm):
    """random_q of a shape is random_q of as many states; without a seed two differ."""
    assert arm.random_q(0, (2, 3)).shape == (2, 3, 7)
    assert np.array_equal(arm.random_q(0, (2, 3)).reshape(6, 7), arm.random_q(0, 6))
    assert (arm.random_q() != arm.random_q()).any()


def test_one_joint_is_locked_by_its_name(arm):
    """lock of a name alone is lock of a list of it."""
    assert arm.lock("panda_joint3") == arm.lock(["panda_joint3"])


@pytest.mark.parametrize(
    ("arm", "name", "place"),
    [(ARM, "mass_matrix", quantities), (HELD, "projectors", constrained)],
    ids=["free", "constrained"],
)
def test_of_two_kernels_made_at_once_the_first_stays(arm, name, place, monkeypatch):
    """A kernel that another thread has made and planted meanwhile stays the robot's own, as the
    planted function runs its code."""
    make, first = place.kernel, []

    def late(*args, **options):  # another thread is faster
        monkeypatch.setattr(place, "kernel", make)
        first.append(arm.kernel(name))
        return make(*args, **options)

    monkeypatch.setattr(place, "kernel", late)
    assert arm.kernel(name) is first[0]


MISTAKES = {
    "state of a list": (lambda arm: arm.state([1] * 7), r"state\(values\): expected {joint"),
    "com of two": (lambda arm: arm.with_payload(2, com=[0, 0]), r"with_payload\(com\): expected 3"),
    "gravity of two": (lambda arm: arm.with_gravity([0, 0]), r"\(gravity\): expected 3 finite"),
    "rows of numbers": (lambda arm: ma.Robot.from_dh([[1, 0, 0, 0]], "standard"), "row 1 is"),
    "bundled name": (lambda arm: ma.load("panda"), r"ma\.robots\.panda\(\)"),
    "folder": (lambda arm: ma.load("/"), "this is a folder"),
    "no suffix": (lambda arm: ma.load("nothing"), "this is no file"),
    "text": (lambda arm: ma.load("<robot name='x'/>"), "this is text"),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_wrong_arguments_are_explained(arm, case):
    """A wrong argument of a robot's method, or of load, is named with what was expected."""
    call, said = MISTAKES[case]
    with pytest.raises((TypeError, ValueError), match=said):
        call(arm)


def test_tables_name_their_units():
    """print(arm) counts the base, sums the mass and gives units for what turns and what slides."""
    text = str(ma.robots.gripper())
    assert "4 links and the base, 1.4 kg" in text
    assert "N m s/rad, N m, kg m² for a joint in rad; m/s, N, N s/m" in text
