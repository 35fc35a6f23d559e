"""Joint states by name: any order, more joints and fewer values; nothing of ROS is needed."""

from types import SimpleNamespace

import numpy as np
import pytest

import momentarm as ma
import momentarm.formats as formats
from formats.material import ARM
from momentarm.adapters import angular_first, linear_first


@pytest.fixture(scope="module")
def gripper():
    """An arm in which joint `extend` follows `shoulder`, 0.1 q + 0.05."""
    return ma.Robot(*formats.loads(ARM, "urdf"))


def message(**fields):
    usual = {"name": [], "position": [], "velocity": [], "effort": []}
    return SimpleNamespace(**(usual | fields))


@pytest.mark.parametrize("seed", range(5))
def test_any_order_gives_the_same_state(seed):
    """A shuffled message gives the vectors of the unshuffled one, bit for bit."""
    arm, rng = ma.robots.panda(), np.random.default_rng(seed)
    q = arm.random_q(rng)
    qd, tau = rng.uniform(-1, 1, (2, arm.n))
    state = arm.to_joint_state(q, qd, tau)
    mixed = rng.permutation(len(state.name))
    shuffled = message(name=[state.name[k] for k in mixed], position=list(state.position[mixed]),
                       velocity=list(state.velocity[mixed]), effort=tuple(state.effort[mixed]))
    found = arm.from_joint_state(shuffled)
    assert all(map(np.array_equal, found, (q, qd, tau)))


def test_batches_go_by_name(gripper):
    """Positions of many states, (…, names), give (…, nq) and come back bit for bit."""
    q = gripper.random_q(0, (3, 4))
    names = ["elbow", "shoulder"]
    state = gripper.to_joint_state(q, names=names)
    assert state.position.shape == (3, 4, 2)
    found = gripper.from_joint_state(names, state.position)
    assert np.array_equal(found.q, q)
    assert found.qd is found.tau is None


def test_joints_that_follow_are_said_and_checked(gripper):
    """A message holds the joints that follow others at ratio · q + offset; where they are off by
    more than the tolerance the message is refused, unless they are not to be read."""
    state = gripper.to_joint_state([0.4, 1.0], [2.0, 0.0])
    value = dict(zip(state.name, state.position, strict=True))
    assert value["extend"] == 0.1 * 0.4 + 0.05
    assert dict(zip(state.name, state.velocity, strict=True))["extend"] == 0.2
    off = [value["shoulder"], value["elbow"], value["extend"] + 0.01]
    names = ["shoulder", "elbow", "extend"]
    with pytest.raises(ValueError, match=r"'extend' follows 'shoulder' and is off by 0\.01"):
        gripper.from_joint_state(names, off)
    for options in ({"mimic_tolerance": 0.02}, {"mimic_tolerance": None}):
        assert gripper.from_joint_state(names, off, **options).q.tolist() == [0.4, 1.0]


def test_efforts_of_joints_that_follow_are_passed_on(gripper):
    """The effort of a follower comes to the joint that it follows times its ratio."""
    found = gripper.from_joint_state(["elbow", "extend", "shoulder"], effort=[1, 10, 2])
    assert found.tau.tolist() == [2 + 0.1 * 10, 1]


def test_missing_and_further_joints_are_named(gripper):
    """A message without a joint, or with one too many, is refused with both lists; further joints
    may be ignored, and `rest` says what is missing."""
    with pytest.raises(ValueError, match=r"missing: elbow; not of this robot: wheel.*shoulder"):
        gripper.from_joint_state(["wheel", "shoulder"], [1, 2])
    found = gripper.from_joint_state(["wheel", "elbow", "shoulder"], [1, 2, 0.5], ignore_extra=True)
    assert found.q.tolist() == [0.5, 2]
    rest = (np.array([0.1, 0.2]), np.array([0.3, 0.4]))
    found = gripper.from_joint_state(["elbow"], [9], [8], rest=rest)
    assert (found.q.tolist(), found.qd.tolist()) == ([0.1, 9], [0.3, 8])
    with pytest.raises(ValueError, match="effort is given, but rest says nothing of it"):
        gripper.from_joint_state(["elbow"], effort=[1], rest=rest)


def test_a_floating_base_is_in_rest():
    """Joints of several coordinates are not in a joint state: without rest their absence is an
    error that says so, with it they come from there."""
    arm = ma.Robot(*formats.loads(ARM, "urdf", base="floating"))
    with pytest.raises(ValueError, match=r"missing: floating_base.*joints of several coordinates"):
        arm.from_joint_state(["shoulder", "elbow"], [0.1, 0.2])
    found = arm.from_joint_state(["elbow", "shoulder"], [0.2, 0.1], rest=(arm.q_home,))
    assert found.q.tolist() == [0, 0, 0, 0, 0, 0, 1, 0.1, 0.2]
    assert "floating_base" not in arm.to_joint_state(arm.q_home).name
    with pytest.raises(ValueError, match="give it in rest"):
        arm.from_joint_state(["floating_base"], [0.1], rest=(arm.q_home,))


@pytest.mark.parametrize("given, complaint", [
    ((["shoulder", "shoulder"], [1, 2]), "named twice: shoulder"),
    ((["shoulder", "elbow"], [1]), r"expected \(..., 2\), one for each name, got \(1,\)"),
    ((message(name=["shoulder", "elbow"]),), "no position, velocity or effort"),
])  # fmt: skip
def test_broken_messages_are_refused(gripper, given, complaint):
    """Names that come twice, fields of another length and messages without any are refused."""
    with pytest.raises(ValueError, match=complaint):
        gripper.from_joint_state(*given)


def test_what_is_no_message_is_refused(gripper):
    """An object without names raises TypeError; a mapping with the fields is a message."""
    with pytest.raises(TypeError, match="expected something with name, position"):
        gripper.from_joint_state(3)
    found = gripper.from_joint_state({"name": ["elbow", "shoulder"], "position": [1, 0.5]})
    assert found.q.tolist() == [0.5, 1]


def test_nan_passes(gripper):
    """NaN in a message is NaN in the vector, and in no other element."""
    found = gripper.from_joint_state(["shoulder", "elbow"], [0.5, np.nan])
    assert np.array_equal(found.q, [0.5, np.nan], equal_nan=True)


def test_unknown_names_are_refused(gripper):
    """A joint state of a joint that is not there is refused with the likely name."""
    with pytest.raises(ValueError, match="did you mean 'shoulder'"):
        gripper.to_joint_state([0, 0], names=["sholder"])


def test_halves_change_places():
    """Vectors, rows of Jacobians and both axes of 6x6 matrices change halves, as a permutation
    matrix P does: P x, P J and P G Pᵀ; other sizes are refused."""
    P = np.roll(np.eye(6), 3, 0)
    rng = np.random.default_rng(0)
    J, G = rng.uniform(size=(2, 6, 4)), rng.uniform(size=(6, 6))
    assert np.array_equal(linear_first(J[..., 0]), J[..., 0] @ P.T)
    assert np.array_equal(linear_first(J, axis=-2), P @ J)
    assert np.array_equal(angular_first(G, axis=(-2, -1)), P @ G @ P.T)
    with pytest.raises(ValueError, match=r"six elements along axis -1, got \(2, 6, 4\)"):
        angular_first(J)
