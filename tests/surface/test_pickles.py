"""Robots and kernels travel between processes as text."""

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import momentarm as ma

STATES = np.random.default_rng(3).uniform(-1, 1, (3, 50, 6))


def torques(thing):
    return (thing.inverse_dynamics if isinstance(thing, ma.Robot) else thing)(*STATES)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_give_the_same_bits(copied):
    """A deep copy and an unpickled pickle of a robot and of its kernel compute, bit for bit, what
    the original computes."""
    arm = ma.robots.ur5()
    assert (torques(copied(arm)) == torques(arm)).all()
    assert (torques(copied(arm.kernel("inverse_dynamics"))) == torques(arm)).all()


DERIVED = {
    "locked": lambda arm: arm.lock({"elbow_joint": 0.3}),
    "loaded": lambda arm: arm.with_payload(2.5, [0.1, 0.2, 0.3], [1, 2, 2.5, 0.1, 0.2, 0.3]),
    "under another gravity": lambda arm: arm.with_gravity([1, 2, 3]),
    "ideal": lambda arm: arm.ideal,
}


@pytest.mark.parametrize("change", DERIVED)
def test_derived_robots_survive(change):
    """An unpickled pickle of a robot made from another has the very same mechanism."""
    arm = DERIVED[change](ma.robots.ur5())
    assert pickle.loads(pickle.dumps(arm)).mechanism == arm.mechanism


def test_pickles_are_small():
    """The pickle of a seven-joint robot that has computed is below 100 kB: it holds no code."""
    arm = ma.robots.panda()
    arm.inverse_dynamics(np.zeros(7), np.zeros(7), np.zeros(7))
    assert len(pickle.dumps(arm)) < 100_000


def test_another_process_gives_the_same_bits():
    """A freshly started process that unpickles the robot computes the same bits."""
    arm = ma.robots.ur5()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert (pool.submit(torques, arm).result() == torques(arm)).all()


@pytest.mark.parametrize("has_run", [False, True])
def test_methods_travel(has_run):
    """A robot's method pickles with its robot, before its first call and after, once each."""
    arm, q = ma.robots.ur5(), np.ones(6)
    expected = ma.robots.ur5().gravity_forces(q)
    if has_run:
        arm.gravity_forces(q)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for result in pool.map(arm.gravity_forces, [q, [1] * 6], timeout=60):
            assert (result == expected).all()
    again, method = pickle.loads(pickle.dumps((arm, arm.gravity_forces)))
    assert (method(q) == expected).all()
    assert method.__self__ is again


def test_kernels_of_own_functions_say_why_they_stay():
    """Pickling the kernel of a user's own function is a TypeError that says what to do."""
    kernel = ma.kernel(lambda arm, q: q @ q, ma.robots.ur5())
    with pytest.raises(TypeError, match="send the robot and make it there"):
        pickle.dumps(kernel)
