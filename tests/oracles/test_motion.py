"""Motion in time against closed forms: a pendulum's elliptic functions, a top without torque,
energy that stays, and displacements of other libraries."""

import numpy as np
import pytest
from mpmath import mp

import momentarm as ma
from momentarm.bench.norm import normwise
from oracles.peers import peer

TOP = """<robot name="top"><link name="body"><inertial><mass value="2"/>
<inertia ixx="0.3" iyy="0.3" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
ROUGH, FINE = 0.02, 0.01


def pendulum():
    """A mass of 2 kg on a rod of 0.7 m that hangs at θ = 0."""
    home = np.array([np.eye(4), np.eye(4)])
    home[0, 0, 3] = 0.7
    return ma.Robot.from_screws(home, [np.diag([0, 0, 0, 2, 2, 2])], np.eye(6)[:, 2:3],
                                gravity=[9.81, 0, 0])  # fmt: skip


def swing(theta, t):
    """Where the pendulum is, let go at θ: sin(θ/2) = k cd(ω t, k) with k = sin(θ_0/2)."""
    k = mp.sin(mp.mpf(theta) / 2)
    omega = mp.sqrt(mp.mpf(9.81) / mp.mpf(0.7))
    return float(2 * mp.asin(k * mp.ellipfun("cd", omega * mp.mpf(t), m=k * k)))


@pytest.fixture(scope="module")
def top(tmp_path_factory):
    file = tmp_path_factory.mktemp("top") / "top.urdf"
    file.write_text(TOP)
    return ma.load(file, base="floating").with_gravity([0, 0, 0])


def errors(method):
    """Of the pendulum after a second, by the length of a step."""
    exact, off = swing(2.0, 1.0), []
    for dt in (ROUGH, FINE):
        count = round(1 / dt) + 1
        q, _ = pendulum().forward_dynamics_trajectory([2.0], [0.0], np.zeros((count, 1)), dt,
                                                      method=method)  # fmt: skip
        off.append(abs(float(q[-1, 0]) - exact))
    return off


@pytest.mark.parametrize(("method", "ratio", "limit"), [("euler", 2, 0.5), ("rk4", 16, 1e-5)])
def test_half_the_step_is_nearer_by_the_order_of_the_method(method, ratio, limit):
    """A pendulum let go at 2 rad is after a second nearer to its elliptic function with half the
    step: twice for Euler's method, sixteen times for that of order four, to a fifth."""
    rough, fine = errors(method)
    assert rough < limit
    assert rough / fine == pytest.approx(ratio, rel=0.2)


def test_a_pendulum_swings_as_its_elliptic_function():
    """Over two seconds in steps of a millisecond the pendulum is at every hundredth of a second
    within 1e-10 rad of the closed form."""
    q, _ = pendulum().forward_dynamics_trajectory([2.0], [0.0], np.zeros((201, 1)), 0.01,
                                                  substeps=10)  # fmt: skip
    exact = [swing(2.0, 0.01 * k) for k in range(0, 201, 10)]
    assert np.abs(q[::10, 0] - exact).max() < 1e-10


def spun(top, dt, time=1.0, method="rk4"):
    q = np.array([0, 0, 0, 0.1, -0.2, 0.3, 0.9])
    qd = np.array([1.5, 0, 4, 0.3, -0.4, 0.5])
    tau = np.zeros((round(time / dt) + 1, 6))
    return top.forward_dynamics_trajectory(q, qd, tau, dt, method=method)


def test_a_top_without_torque_precesses(top):
    """A free body of revolution turns in its own axes by (a cos nt, a sin nt, b), n = (C/A − 1) b,
    half the step sixteen times nearer, to a fifth."""
    n = (0.5 / 0.3 - 1) * 4
    off = []
    for dt in (0.04, 0.02):
        _, qd = spun(top, dt)
        t = dt * np.arange(len(qd))
        exact = np.array([1.5 * np.cos(n * t), 1.5 * np.sin(n * t), 4 + 0 * t]).T
        off.append(np.abs(qd[:, :3] - exact).max())
    assert off[0] < 1e-4
    assert off[0] / off[1] == pytest.approx(16, rel=0.2)


def test_a_free_body_keeps_its_course_and_its_spin(top):
    """A body without torque or force moves on a straight line at constant speed and keeps its
    angular momentum in the world, in steps of a millisecond to 1e-10."""
    q, qd = spun(top, 1e-3)
    R = top.forward_kinematics(q, frame="body")[:, :3, :3]
    spin = (R @ (np.array([0.3, 0.3, 0.5]) * qd[:, :3])[..., None])[..., 0]
    assert np.abs(spin - spin[0]).max() < 1e-10
    course = R[0] @ qd[0, 3:]
    t = 1e-3 * np.arange(len(q))[:, None]
    assert np.abs(q[:, :3] - t * course).max() < 1e-10


def test_energy_stays():
    """The energy of a frictionless two-link arm under gravity changes in two seconds by less than
    1e-3 of its largest kinetic part, and with half the step at least 14 times less."""
    arm, drift = ma.robots.planar_2r(), []
    for dt in (ROUGH, FINE):
        tau = np.zeros((round(2 / dt) + 1, 2))
        q, qd = arm.forward_dynamics_trajectory([0.3, 0.2], [0, 1], tau, dt)
        T, V = arm.kinetic_energy(q, qd), arm.potential_energy(q)
        drift.append(np.abs(T + V - T[0] - V[0]).max() / T.max())
    assert drift[0] < 1e-3
    assert drift[0] / drift[1] > 14


def sampled(arm, dt):
    """A motion of sines with its rates and accelerations, for a second."""
    t = np.arange(0, 1 + dt / 2, dt)[:, None]
    a, w = np.linspace(0.5, 1, arm.n), np.linspace(1, 2, arm.n)
    return a * np.sin(w * t), a * w * np.cos(w * t), -a * w * w * np.sin(w * t)


@pytest.mark.parametrize("name", ["planar_2r", "stanford", "panda"])
def test_efforts_from_positions_alone(name):
    """Exercise 8.14: efforts from positions alone are those of the exact rates and accelerations,
    four times nearer with half the time between positions, to a fifth, the ends included."""
    arm, off = getattr(ma.robots, name)().ideal, []
    for dt in (ROUGH, FINE):
        q, qd, qdd = sampled(arm, dt)
        exact = arm.inverse_dynamics(q, qd, qdd)
        found = arm.inverse_dynamics_trajectory(q, dt)
        off.append(normwise(found, exact))
        assert normwise(arm.inverse_dynamics_trajectory(q, dt, qd, qdd), exact) == 0
        assert normwise(arm.inverse_dynamics_trajectory(q, dt, qd), exact) < 1e-2
    assert off[0] / off[1] == pytest.approx(4, rel=0.2)


def test_efforts_from_poses_of_a_free_body(top):
    """Of a body without torque the efforts found from its poses alone vanish, four times faster
    with half the time between poses, to a fifth, whatever the quaternion's sign in each row."""
    off = []
    for dt in (ROUGH, FINE):
        q, _ = spun(top, dt)
        q[::3, 3:] *= -1
        off.append(np.abs(top.inverse_dynamics_trajectory(q, dt)[2:-2]).max())
    assert off[0] < 0.05
    assert off[0] / off[1] == pytest.approx(4, rel=0.2)


@pytest.mark.peers
@pytest.mark.parametrize("size", [1e-9, 1e-3, 1.0, 2.0])
def test_displacements_are_pinocchios(top, size):
    """q ⊕ u and p ⊖ q of a free joint are those of Pinocchio, reordered, to 1e-13, small
    displacements and turns near a half included."""
    pin = peer("pinocchio")
    model, rng = pin.Model(), np.random.default_rng(int(size * 1e3))
    model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "free")
    for _ in range(20):
        q, u = rng.normal(size=7), size * rng.uniform(-1, 1, 6)
        q[3:] /= np.linalg.norm(q[3:])
        theirs = pin.integrate(model, q, np.r_[u[3:], u[:3]])
        ours = top.integrate(q, u, 1.0)
        ours[3:] *= np.sign(ours[6] * theirs[6])  # of the two quaternions of a turn
        assert np.abs(ours - theirs).max() < 1e-13
        back = pin.difference(model, q, theirs)
        assert np.abs(top.difference(q, theirs) - np.r_[back[3:], back[:3]]).max() < 1e-13
