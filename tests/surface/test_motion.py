"""Steps and trajectories as they are asked for: rows, functions, batches, wrenches, mistakes."""

import numpy as np
import pytest

import momentarm as ma

ARM = ma.robots.panda()
RNG = np.random.default_rng(1)
Q, QD = ARM.random_q(1), RNG.normal(size=7)
TAU, DT = RNG.normal(size=(6, 7)), 0.002
HIDDEN = np.ma.masked_less(TAU, 0)  # some numbers of it


@pytest.mark.parametrize("method", ["rk4", "euler"])
def test_a_trajectory_is_its_steps(method):
    """Row k + 1 of a simulated motion has the very bits of one `step` from row k under its efforts,
    and the last row's efforts are for none."""
    q, qd = ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, method=method)
    other = TAU.copy()
    other[-1] = np.nan
    for k in range(5):
        ahead = ARM.step(q[k], qd[k], TAU[k], DT, method=method)
        assert np.array_equal(ahead, (q[k + 1], qd[k + 1]))
    again = ARM.forward_dynamics_trajectory(Q, QD, other, DT, method=method)
    assert np.array_equal(again, (q, qd))


def test_a_controller_is_asked_at_each_time():
    """A function tau(t, q, qd) is called once a step with time and state, and gives the motion that
    its answers give as rows."""
    asked = []

    def tau(t, q, qd):
        asked.append((t, q.copy()))
        return TAU[round(t / DT)]

    q, qd = ARM.forward_dynamics_trajectory(Q, QD, tau, DT, steps=5)
    assert np.array_equal((q, qd), ARM.forward_dynamics_trajectory(Q, QD, TAU, DT))
    assert np.allclose([t for t, _ in asked], DT * np.arange(5))
    assert np.array_equal([at for _, at in asked], q[:-1])


def test_substeps_divide_the_time():
    """Every fourth row of a motion in quarter steps is the motion of four substeps, bit for bit."""
    rows = np.repeat(TAU, 4, axis=0)[:-3]
    fine = ARM.forward_dynamics_trajectory(Q, QD, rows, DT / 4)
    whole = ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, substeps=4)
    assert np.array_equal([x[::4] for x in fine], whole)


def test_many_motions_at_once():
    """Three motions simulated together are three motions simulated apart, bit for bit, also where
    they differ in their start or their efforts only."""
    q, tau = ARM.random_q(2, 3), RNG.normal(size=(3, 6, 7))
    both = ARM.forward_dynamics_trajectory(q, QD, tau, DT)
    starts = ARM.forward_dynamics_trajectory(q, QD, TAU, DT)
    efforts = ARM.forward_dynamics_trajectory(Q, QD, tau, DT)
    for k in range(3):
        for found, args in ((both, (q[k], QD, tau[k])), (starts, (q[k], QD, TAU)),
                            (efforts, (Q, QD, tau[k]))):  # fmt: skip
            alone = ARM.forward_dynamics_trajectory(*args, DT)
            assert np.array_equal([x[k] for x in found], alone)


def test_a_wrench_may_change_with_time():
    """A constant wrench at the tip and the same wrench in every row lead to the same motion, which
    is that of the steps under it, and one row of another changes what follows only."""
    wrench = np.array([1.0, 2, 3, 4, 5, 6])
    rows = np.tile(wrench, (6, 1))
    q, qd = ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, tip_wrench=wrench)
    assert np.array_equal((q, qd), ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, tip_wrench=rows))
    assert np.array_equal(ARM.step(q[0], qd[0], TAU[0], DT, tip_wrench=wrench), (q[1], qd[1]))
    rows[3] = 0
    changed, _ = ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, tip_wrench=rows)
    assert np.array_equal(changed[:4], q[:4])
    assert not np.array_equal(changed[4:], q[4:])


def test_inverse_dynamics_along_positions_takes_batches_and_wrenches():
    """Efforts along two motions at once are those of each alone, and a wrench at the tip adds what
    `tip_forces` says."""
    q = np.cumsum(RNG.normal(size=(2, 8, 7)) * 0.01, axis=1) + Q
    wrench = np.arange(6.0)
    tau = ARM.inverse_dynamics_trajectory(q, DT)
    for k in range(2):
        assert np.array_equal(tau[k], ARM.inverse_dynamics_trajectory(q[k], DT))
    pressed = ARM.inverse_dynamics_trajectory(q, DT, tip_wrench=wrench)
    assert np.abs(pressed - tau - ARM.tip_forces(q, wrench)).max() < 1e-8


def test_displacements_take_batches():
    """`integrate` over several times from one state, and `difference` back, are row by row those
    of single calls, with quaternions too."""
    for arm in (ARM, ma.robots.two_arms()):
        q, qd = arm.random_q(3), np.ones(arm.n)
        times = np.linspace(0, 1, 4)
        there = arm.integrate(q, qd, times)
        assert np.array_equal(there, [arm.integrate(q, qd, t) for t in times])
        assert np.abs(arm.difference(q, there) - times[:, None]).max() < 1e-14


def test_nothing_is_known_of_a_turn_from_a_quaternion_of_zeros():
    """With a quaternion of zeros at either end `difference` gives NaN for the turn, not none."""
    arm = ma.load(ma.robots.path("ur5"), base="floating")
    q, zeros = arm.random_q(1), arm.random_q(1)
    zeros[3:7] = 0
    for ends in ((q, zeros), (zeros, q), (zeros, zeros)):
        assert np.isnan(arm.difference(*ends)[:3]).all()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ARM.step(Q, QD, TAU[0], DT, method="rk5"), "no method 'rk5'; did you mean 'rk4'"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU, np.nan), "a finite dt"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, substeps=0), "substeps of 1 or"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU[:, :6], DT), r"\.\.\., T, 7\), T of "),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU[0], DT), "a row a time"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, steps=3), "how many steps is"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, print, DT), "how many steps is"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, tip_wrench=np.zeros((5, 6))),
         r"a row for each of 6 times, got \(5, 6\)"),
        (lambda: ARM.inverse_dynamics_trajectory(np.zeros((2, 7)), DT), "T of 3 or more"),
        (lambda: ARM.inverse_dynamics_trajectory(Q, DT), "T of 3 or more"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU, [DT, DT]), "a finite dt"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU, "DT"), "a finite dt .*got 'DT'"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, substeps=1.5), "got .* and 1.5"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, print, DT, steps=-1), "a whole number from "
         "0, got -1"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, print, DT, steps=2.7), "from 0, got 2.7"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU[:0], DT), r"T of 1 or more, a row a"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, HIDDEN, DT), r"\(tau\): some .* masked"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, lambda *_: HIDDEN[0], DT, steps=3),
         r"\(tau\): some numbers are masked"),
        (lambda: ARM.forward_dynamics_trajectory(Q * 1j, QD, TAU, DT), r"\(q\): .* complex"),
        (lambda: ARM.forward_dynamics_trajectory(Q, "abc", TAU, DT), r"\(qd\): .* got text"),
        (lambda: ARM.forward_dynamics_trajectory(Q, QD, TAU, DT, tip_wrench=HIDDEN[:, :6]),
         r"\(tip_wrench\): some numbers are masked"),
        (lambda: ARM.inverse_dynamics_trajectory(HIDDEN, DT), r"\(q\): some numbers are masked"),
        (lambda: ARM.inverse_dynamics_trajectory(TAU, DT, qd=HIDDEN), r"\(qd\): some numbers"),
        (lambda: ARM.inverse_dynamics_trajectory(TAU, 0), r"\(dt\): .* but 0, got 0"),
        (lambda: ARM.inverse_dynamics_trajectory(TAU, TAU), "a finite dt but 0, got"),
        (lambda: ARM.inverse_dynamics(Q, QD, QD, wrenches={"panda_hand": HIDDEN[0, :6]}),
         "some numbers are masked"),
        (lambda: ARM.difference(Q, Q[:6]), r"difference\(q_to\): expected \(7,\).*got \(6,\)"),
        (lambda: ARM.integrate(Q, QD[:6], 0.1), r"integrate\(qd\): expected \(7,\).*got \(6,\)"),
    ],
)  # fmt: skip
def test_mistakes_are_named(call, said):
    """Wrong shapes, times, methods and counts of steps raise errors that say what was expected."""
    with pytest.raises((ValueError, TypeError), match=said):
        call()
