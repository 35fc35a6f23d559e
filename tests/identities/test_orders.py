"""Other libraries' rates against the definition: how a body's place changes in time.

A body moves along `integrate`; what the block of its joint calls a rate or an acceleration is
compared with differences of poses and of rates. No other library is needed.
"""

import numpy as np
import pytest

import momentarm as ma
import momentarm.formats as formats
from momentarm.adapters import Order
from momentarm.adapters.blocks import (
    Ranges,
    circle,
    following,
    linear_twist,
    planar,
    scalar_first,
    world_velocity,
)

STEP = 1e-5
TEXT = """format = "momentarm robot 1"
[[link]]
name = "ground"
[[link]]
name = "body"
mass = 1
[[joint]]
name = "j"
parent = "ground"
child = "body"
type = """
CASES = {  # joint here, its block, its sizes there
    "free in MuJoCo": ("free", world_velocity, (7, 6)),
    "free in Pinocchio": ("free", linear_twist, (7, 6)),
    "spherical in MuJoCo": ("spherical", scalar_first, (4, 3)),
    "planar in Pinocchio": ("planar", planar, (4, 3)),
    "unlimited in Pinocchio": ("continuous", circle, (2, 1)),
}


def case(name):
    kind, block, (nq, nv) = CASES[name]
    arm = ma.Robot(*formats.loads(f'{TEXT}"{kind}"', "toml"))
    at = Ranges(slice(0, arm.nq), slice(0, arm.n), slice(0, nq), slice(0, nv))
    return arm, Order("there", arm.nq, arm.n, np.zeros(nq), nv, (block(at),))


def motion(arm, seed=0):
    """q(t), q̇(t) to second order about a random state, and q̈."""
    rng = np.random.default_rng(seed)
    q = arm.random_q(rng)
    qd, qdd = rng.uniform(-1, 1, (2, arm.n))
    return lambda t: (arm.integrate(q, qd + t * qdd / 2, t), qd + t * qdd), qdd


def expected_rates(name, pose):
    """The rates there, by differences of the 4x4 pose."""
    T, Td = pose(0), (pose(STEP) - pose(-STEP)) / (2 * STEP)
    W = T[:3, :3].T @ Td[:3, :3]
    turn, world = np.array([W[2, 1], W[0, 2], W[1, 0]]), Td[:3, 3]
    slip = T[:3, :3].T @ world
    return {
        "free in MuJoCo": [*world, *turn],
        "free in Pinocchio": [*slip, *turn],
        "spherical in MuJoCo": turn,
        "planar in Pinocchio": [*slip[:2], turn[2]],
        "unlimited in Pinocchio": turn[2:],
    }[name]


@pytest.mark.parametrize("name", CASES)
def test_rates_are_how_places_change(name):
    """v_to gives the velocity and the turning of the body's pose in the axes of each library."""
    arm, order = case(name)
    path, _ = motion(arm)
    expected = expected_rates(name, lambda t: arm.forward_kinematics(path(t)[0]))
    assert np.abs(order.v_to(*path(0)) - expected).max() < 1e-8


@pytest.mark.parametrize("name", CASES)
def test_accelerations_are_how_rates_change(name):
    """a_to is the difference of v_to along the motion, drift of the axes included."""
    arm, order = case(name)
    path, qdd = motion(arm, 1)
    expected = (order.v_to(*path(STEP)) - order.v_to(*path(-STEP))) / (2 * STEP)
    assert np.abs(order.a_to(*path(0), qdd) - expected).max() < 1e-8


@pytest.mark.parametrize("name", CASES)
def test_places_there_are_the_same_places(name):
    """q_from undoes q_to for batches, and power τ · q̇ is the same on both sides."""
    arm, order = case(name)
    q = arm.random_q(3, (2, 5))
    assert np.abs(order.q_from(order.q_to(q), near=q) - q).max() < 1e-15
    rng = np.random.default_rng(4)
    qd, tau = rng.uniform(-1, 1, (2, 2, 5, arm.n))
    power = np.sum(order.tau_to(q, tau) * order.v_to(q, qd), -1)
    assert np.abs(power - np.sum(tau * qd, -1)).max() < 1e-14


def test_followers_pass_their_efforts_on():
    """Of a joint and one that follows it at -2 q + 0.3, τ = Bᵀ τ' is τ₁ - 2 τ₂ and M is Bᵀ M' B;
    the follower's own inertia cannot be told back."""
    one, two = (Ranges(slice(0, 1), slice(0, 1), slice(2 * k, 2 * k + 2), slice(k, k + 1))
                for k in (0, 1))  # fmt: skip
    blocks = (circle(one), following(two, -2, 0.3, on_circle=True))
    order = Order("there", 1, 1, np.zeros(4), 2, blocks)
    there = order.q_to([0.4])
    assert there.tolist() == [np.cos(0.4), np.sin(0.4), np.cos(-0.5), np.sin(-0.5)]
    assert order.tau_from([0.4], [3, 5]).tolist() == [3 - 2 * 5]
    B = np.array([[1.0], [-2.0]])
    M = np.array([[2.0, 0.5], [0.5, 1.0]])
    assert order.M_from([0.4], M).tolist() == (B.T @ M @ B).tolist()
    assert order.tau_to([0.4], [7]).tolist() == [7, 0]
    with pytest.raises(ValueError, match="own inertia cannot be told"):
        order.M_to([0.4], [[1.0]])


@pytest.mark.parametrize("given, error", [
    (([[1.0, 2.0]],), ValueError), ((["a"],), TypeError), ((True,), TypeError),
])  # fmt: skip
def test_vectors_of_another_kind_are_refused(given, error):
    """A vector of another length, of text or of truth values is refused with its name."""
    _, order = case("unlimited in Pinocchio")
    with pytest.raises(error, match="q_to"):
        order.q_to(*given)
