"""The robot as ẋ = f(x, u), at the user's edge."""

import numpy as np
import pandas as pd
import pytest

import momentarm as ma

RNG = np.random.default_rng(9)
ROBOTS = {
    "panda": lambda: ma.robots.panda(),
    "gripper": lambda: ma.robots.gripper(),
    "two_arms": lambda: ma.robots.two_arms(),
    "floating ur5": lambda: ma.load(ma.robots.path("ur5"), base="floating"),
}


def case(name, count=20):
    arm = ROBOTS[name]()
    return arm, arm.random_q(3, count), *RNG.normal(size=(2, count, arm.n))


@pytest.mark.parametrize("name", ROBOTS)
def test_the_state_changes_as_the_motion_does(name):
    """The second half of ẋ is forward dynamics, the first, by central differences of `integrate`,
    how fast constant rates move the coordinates."""
    arm, q, qd, tau = case(name)
    xd = arm.state_rate(np.hstack([q, qd]), tau)
    qdd = arm.forward_dynamics(q, qd, tau)
    assert np.allclose(xd[:, arm.nq :], qdd, rtol=1e-9, atol=1e-9)
    h = 1e-5
    slope = (arm.integrate(q, qd, h) - arm.integrate(q, qd, -h)) / (2 * h)
    assert np.allclose(xd[:, : arm.nq], slope, atol=1e-8)
    assert np.array_equal(arm.state_rate(np.hstack([q, qd])[0], tau[0]), xd[0])


def test_wrenches_act_on_the_state():
    """A tip wrench and the opposite one from the surroundings cancel in ẋ, and one alone is that of
    forward dynamics."""
    arm, q, qd, tau = case("panda", 3)
    x, F = np.hstack([q, qd]), ma.Wrench([1, 2, 3], [4, 5, 6])
    both = arm.state_rate(x, tau, tip_wrench=F, wrenches={arm.tip: F})
    assert np.allclose(both, arm.state_rate(x, tau), rtol=1e-9, atol=1e-9)
    one = arm.state_rate(x, tau, tip_wrench=F)[:, arm.nq :]
    assert np.allclose(one, arm.forward_dynamics(q, qd, tau, tip_wrench=F), rtol=1e-9, atol=1e-9)


def test_columns_are_matched_by_name():
    """A DataFrame with the columns q.joint and qd.joint in any order gives ẋ of its rows."""
    arm, q, qd, tau = case("panda", 4)
    x = np.hstack([q, qd])
    names = [f"{k}.{joint}" for k in ("q", "qd") for joint in arm.joint_names]
    table = pd.DataFrame(x, columns=names)
    assert np.array_equal(arm.state_rate(table[names[::-1]], tau), arm.state_rate(x, tau))


def test_a_wrong_state_is_explained():
    """A state of another length is refused with the expected one and the names of its elements."""
    said = r"state_rate\(x\): expected \(4,\).*got \(2,\).*q.joint1, q.joint2, qd.joint1"
    with pytest.raises(ValueError, match=said):
        ma.robots.planar_2r().state_rate([0, 0], [0, 0])
