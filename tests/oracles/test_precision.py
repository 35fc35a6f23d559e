"""The library against 50-digit textbook mechanics (`reference.py`), on random robots.

Errors are norm-wise: largest difference over largest exact magnitude. States and robot numbers are
exact in both arithmetics, so what is measured is the library's own rounding and nothing else.
"""

import functools
from dataclasses import replace

import numpy as np
import pytest

import momentarm as ma
from oracles.descriptions import (
    Robot,
    dh_robot,
    random_dh,
    random_robot,
    random_state,
    read_urdf,
    write_urdf,
)
from oracles.reference import EXACT, FLOAT, Dynamics, error, floats, screws

EPSILON = np.finfo(float).eps
STATES = 6
MIXED = ("revolute", "prismatic")
ALL = ("revolute", "revolute", "prismatic", "fixed")

ROBOTS: dict[str, Robot] = {
    "general_6r": random_robot(1, 6),
    "aligned_7r": random_robot(2, 7, aligned=0.8),
    "chain_8_mixed": random_robot(3, 8, kinds=MIXED, aligned=0.4),
    "chain_9_with_fixed": random_robot(4, 9, kinds=ALL, aligned=0.3),
    "tree_10": random_robot(5, 10, branching=0.5),
    "tree_14_all_types": random_robot(6, 14, kinds=ALL, branching=0.4, aligned=0.3, mimics=0.3),
    "chain_10_mimic": random_robot(7, 10, kinds=MIXED, mimics=0.5),
    "tree_24": random_robot(8, 24, kinds=MIXED, branching=0.25, aligned=0.5),
    "one_joint": random_robot(9, 1),
}
SERIAL = ["general_6r", "aligned_7r", "chain_8_mixed"]

every_robot = pytest.mark.parametrize("name", ROBOTS)
every_serial_robot = pytest.mark.parametrize("name", SERIAL)


@pytest.fixture(scope="module")
def load(tmp_path_factory):
    """The library's robot for a name of ROBOTS, read from a URDF file."""
    folder = tmp_path_factory.mktemp("robots")

    @functools.cache
    def loaded(name):
        path = folder / f"{name}.urdf"
        path.write_text(write_urdf(ROBOTS[name]))
        return ma.load(path)

    return loaded


def states(name, count=STATES):
    """Seeded states of one robot, the same in every test."""
    rng = np.random.default_rng(sum(map(ord, name)))
    return [random_state(rng, ROBOTS[name].n) for _ in range(count)]


def exact(name):
    return Dynamics(ROBOTS[name], EXACT)


def single(*arrays):
    return [array.astype(np.float32) for array in arrays]


# --- the oracle itself, before it judges anything ---


@every_robot
def test_the_oracle_satisfies_lagrange(name):
    """Newton-Euler at 50 digits equals Lagrange's equations (8.8) by 50-digit differencing of the
    oracle's own energies to 1e-12, which share no line with its forces."""
    dynamics = exact(name)
    q, qd, qdd = (EXACT.array(x) for x in states(name, 1)[0])
    step = EXACT.number(2.0**-60)

    def energy_gradient(i, position):
        ahead, behind = position.copy(), position.copy()
        ahead[i], behind[i] = position[i] + step, position[i] - step
        kinetic = dynamics.kinetic_energy(ahead, qd) - dynamics.kinetic_energy(behind, qd)
        potential = dynamics.potential_energy(ahead) - dynamics.potential_energy(behind)
        return (kinetic - potential) / (2 * step)

    gradient = np.array([energy_gradient(i, q) for i in range(len(q))])
    later = dynamics.mass_matrix(q + qd * step) @ (qd + qdd * step)
    earlier = dynamics.mass_matrix(q - qd * step) @ (qd - qdd * step)
    lagrange = (later - earlier) / (2 * step) - gradient
    assert error(lagrange, dynamics.inverse_dynamics(q, qd, qdd)) < 1e-12


@every_robot
def test_the_oracle_agrees_with_its_own_pieces(name):
    """At 50 digits M qdd + c + g equals Newton-Euler, and half qd'M qd equals the summed energies
    of the bodies, both to 1e-40."""
    dynamics = exact(name)
    q, qd, qdd = (EXACT.array(x) for x in states(name, 1)[0])
    M = dynamics.mass_matrix(q)
    assembled = M @ qdd + dynamics.coriolis_forces(q, qd) + dynamics.gravity_forces(q)
    assert error(assembled, dynamics.inverse_dynamics(q, qd, qdd)) < 1e-40
    assert abs(qd @ M @ qd / 2 / dynamics.kinetic_energy(q, qd) - 1) < 1e-40


@every_robot
def test_the_oracle_reads_what_it_writes(name):
    """A description written as URDF and read back by the oracle's reader gives torques equal to 45
    digits."""
    q, qd, qdd = states(name, 1)[0]
    again = Dynamics(read_urdf(write_urdf(ROBOTS[name])), EXACT)
    assert again.robot.joint_names == ROBOTS[name].joint_names
    exactly = exact(name).inverse_dynamics(q, qd, qdd)
    assert error(again.inverse_dynamics(q, qd, qdd), exactly) < 1e-45


# --- the library ---


@every_robot
def test_joint_order_is_depth_first(load, name):
    """The library's joints are those that mimic nothing, depth-first in file order, as the oracle's
    own reader finds them."""
    assert list(load(name).joint_names) == ROBOTS[name].joint_names
    assert load(name).n == ROBOTS[name].n


@every_robot
def test_clean_robots_load_without_a_warning(load, name):
    """A robot that the oracle generated with physical inertias, unit axes and limits gives the
    library nothing to warn about."""
    assert list(load(name).warnings) == []


@every_robot
def test_inverse_dynamics(load, name):
    """Compiled inverse dynamics is within 1e-14 of world-frame Newton-Euler at 50 digits."""
    arm = load(name)
    for q, qd, qdd in states(name):
        exactly = exact(name).inverse_dynamics(q, qd, qdd)
        assert error(arm.inverse_dynamics(q, qd, qdd), exactly) <= 1e-14


@every_robot
def test_inverse_dynamics_of_many_states(load, name):
    """A batch of states gives torques within 1e-14 of 50-digit Newton-Euler, state by state."""
    rows = states(name)
    tau = load(name).inverse_dynamics(*(np.array(x) for x in zip(*rows, strict=True)))
    for found, (q, qd, qdd) in zip(tau, rows, strict=True):
        assert error(found, exact(name).inverse_dynamics(q, qd, qdd)) <= 1e-14


@every_robot
def test_derivatives_of_inverse_dynamics(load, name):
    """Compiled ∂τ/∂q and ∂τ/∂q̇ are within 1e-14 of symmetric differences of world-frame
    Newton-Euler at 50 digits, whose step of 2^-50 leaves an error of 1e-30."""
    arm, step = load(name), EXACT.number(2.0**-50)
    for q, qd, qdd in states(name, 2):
        found = arm.inverse_dynamics_derivatives(q, qd, qdd)
        for which in (0, 1):
            columns = []
            for k in range(arm.n):
                ends = [[EXACT.array(x) for x in (q, qd)] for _ in range(2)]
                ends[0][which][k] += step
                ends[1][which][k] -= step
                upper, lower = (exact(name).inverse_dynamics(*x, qdd) for x in ends)
                columns.append((upper - lower) / (2 * step))
            assert error(found[which], np.array(columns).T) <= 1e-14


@every_robot
def test_mass_matrix(load, name):
    """The compiled mass matrix is within 1e-14 of the sum of m Jv'Jv + Jw'I Jw at 50 digits, and
    symmetric bit for bit."""
    for q, _, _ in states(name):
        M = load(name).mass_matrix(q)
        assert error(M, exact(name).mass_matrix(q)) <= 1e-14
        assert np.array_equal(M, M.T)


@every_robot
def test_gravity_forces(load, name):
    """Compiled gravity forces are within 1e-14 of the 50-digit potential gradient by Jacobians."""
    for q, _, _ in states(name):
        assert error(load(name).gravity_forces(q), exact(name).gravity_forces(q)) <= 1e-14


@every_robot
def test_velocity_forces(load, name):
    """Compiled Coriolis and bias forces are within 1e-14 of 50-digit Newton-Euler at zero
    acceleration, without and with gravity."""
    arm = load(name)
    for q, qd, _ in states(name):
        assert error(arm.coriolis_forces(q, qd), exact(name).coriolis_forces(q, qd)) <= 1e-14
        assert error(arm.bias_forces(q, qd), exact(name).bias_forces(q, qd)) <= 1e-14


@every_robot
def test_forward_dynamics(load, name):
    """Compiled forward dynamics is within 4 k(M) eps + 1e-14 of solving M qdd + h = tau at 50
    digits, relative to the largest of qdd and its parts from tau and from h."""
    arm = load(name)
    for q, qd, qdd in states(name):
        tau = floats(exact(name).inverse_dynamics(q, qd, qdd))
        exactly = exact(name).forward_dynamics(q, qd, tau)
        M = floats(exact(name).mass_matrix(q))
        h = floats(exact(name).bias_forces(q, qd))
        limit = 4 * np.linalg.cond(M) * EPSILON + 1e-14
        parts = np.linalg.solve(M, tau), np.linalg.solve(M, h)
        assert error(arm.forward_dynamics(q, qd, tau), exactly, *parts) <= limit


@every_robot
def test_round_trip(load, name):
    """The exact torques (50-digit Newton-Euler) of the accelerations that the library computed
    from tau are tau to 1e-13 of the largest of tau and the bias forces, whatever the condition
    of M; so are the library's own."""
    arm, rng = load(name), np.random.default_rng(5)
    for q, qd, _ in states(name):
        tau = rng.uniform(-50, 50, size=arm.n)
        qdd = arm.forward_dynamics(q, qd, tau)
        h = floats(exact(name).bias_forces(q, qd))
        assert error(exact(name).inverse_dynamics(q, qd, qdd), tau, h) <= 1e-13
        assert error(arm.inverse_dynamics(q, qd, qdd), tau, h) <= 1e-13


@every_robot
@pytest.mark.parametrize("reference", ["body", "space", "world"])
def test_jacobian(load, name, reference):
    """The Jacobian of every leaf is within 1e-14 of geometric 50-digit columns, in all three
    references, angular rows first."""
    q, _, _ = states(name, 1)[0]
    for leaf in ROBOTS[name].leaves:
        found = load(name).jacobian(q, frame=leaf, reference=reference)
        assert error(found, exact(name).jacobian(q, leaf, reference)) <= 1e-14


@every_robot
def test_forward_kinematics(load, name):
    """The pose of every link is within 1e-14 of a product of 50-digit rotations and shifts."""
    q, _, _ = states(name, 1)[0]
    for body in ROBOTS[name].bodies:
        found = load(name).forward_kinematics(q, frame=body.name)
        assert error(found, exact(name).forward_kinematics(q, body.name)) <= 1e-14


@every_robot
def test_energies(load, name):
    """Kinetic energy is within 1e-14 of the summed 50-digit body energies; a difference of
    potential energies, of that of the summed 50-digit heights, on the scale of all weights."""
    arm, dynamics = load(name), exact(name)
    (q, qd, _), (other, _, _) = states(name, 2)
    assert error(arm.kinetic_energy(q, qd), dynamics.kinetic_energy(q, qd)) <= 1e-14
    found = arm.potential_energy(q) - arm.potential_energy(other)
    exactly = dynamics.potential_energy(q) - dynamics.potential_energy(other)
    weights = sum(body.mass for body in ROBOTS[name].bodies) * 9.81 * len(ROBOTS[name].bodies)
    assert abs(float(EXACT.number(found) - exactly)) <= 1e-14 * weights


@every_serial_robot
def test_tip_wrench(load, name):
    """A wrench that the tip applies adds J'F of 50-digit columns to the torques, and takes it from
    the torques available to accelerate, to 1e-14."""
    arm, dynamics, rng = load(name), exact(name), np.random.default_rng(11)
    (tip,) = ROBOTS[name].leaves
    for q, qd, qdd in states(name, 3):
        wrench = rng.uniform(-20, 20, size=6)
        forces = dynamics.tip_forces(q, tip, wrench)
        assert error(arm.tip_forces(q, wrench), forces) <= 1e-14
        exactly = dynamics.inverse_dynamics(q, qd, qdd, tip, wrench)
        assert error(arm.inverse_dynamics(q, qd, qdd, tip_wrench=wrench), exactly) <= 1e-14
        found = arm.forward_dynamics(q, qd, floats(exactly), tip_wrench=wrench)
        condition = np.linalg.cond(floats(dynamics.mass_matrix(q)))
        assert error(found, qdd) <= 8 * condition * EPSILON + 1e-14


@every_robot
def test_gravity_in_any_direction(load, name):
    """A robot given another gravity vector has the 50-digit gravity forces of that vector."""
    gravity = (1.5, -3.25, 0.75)
    q, _, _ = states(name, 1)[0]
    turned = Dynamics(replace(ROBOTS[name], gravity=gravity), EXACT)
    found = load(name).with_gravity(gravity).gravity_forces(q)
    assert error(found, turned.gravity_forces(q)) <= 1e-14


@every_robot
def test_single_precision(load, name):
    """float32 input gives float32 torques, mass matrix and gravity forces within 5e-6 of 50-digit
    arithmetic on the same numbers."""
    arm, dynamics = load(name), exact(name)
    for q, qd, qdd in states(name):
        tau = arm.inverse_dynamics(*single(q, qd, qdd))
        M = arm.mass_matrix(*single(q))
        g = arm.gravity_forces(*single(q))
        assert tau.dtype == M.dtype == g.dtype == np.float32
        assert error(tau, dynamics.inverse_dynamics(q, qd, qdd)) <= 5e-6
        assert error(M, dynamics.mass_matrix(q)) <= 5e-6
        assert error(g, dynamics.gravity_forces(q)) <= 5e-6


@pytest.mark.parametrize("shift", [2 * np.pi, 100.0, -1000.0])
def test_far_angles(load, shift):
    """Joint angles far outside a turn cost no accuracy: 1e-14 against 50 digits up to 1e3 rad."""
    arm, dynamics = load("general_6r"), exact("general_6r")
    for q, qd, qdd in states("general_6r", 3):
        exactly = dynamics.inverse_dynamics(q + shift, qd, qdd)
        assert error(arm.inverse_dynamics(q + shift, qd, qdd), exactly) <= 1e-14


@pytest.mark.parametrize("seed", range(3))
def test_screws_of_any_pitch(seed):
    """A robot given as screw axes, helical ones among them, has the torques, mass matrix and
    accelerations of world-frame mechanics in which a turn slides by its pitch (float64 there)."""
    robot = random_robot(20 + seed, 6, kinds=("revolute", "prismatic", "helical", "helical"))
    arm = ma.Robot.from_screws(*screws(robot))
    dynamics, tip = Dynamics(robot, FLOAT), robot.leaves[0]
    q, qd, qdd = random_state(np.random.default_rng(seed), 6)
    tau = dynamics.inverse_dynamics(q, qd, qdd)
    M = dynamics.mass_matrix(q)
    assert error(arm.inverse_dynamics(q, qd, qdd), tau) <= 1e-13
    assert error(arm.mass_matrix(q), M) <= 1e-13
    assert error(arm.forward_kinematics(q), dynamics.forward_kinematics(q, tip)) <= 1e-13
    condition = np.linalg.cond(M)
    found = arm.forward_dynamics(q, qd, tau)
    assert error(found, qdd) <= 8 * condition * EPSILON + 1e-13


@pytest.mark.parametrize("scale", [2.0, -0.5])
def test_screws_of_any_length(scale):
    """Scaling a screw axis by k scales that joint's torque by k at the same motion of the bodies,
    the unscaled 50-digit robot being the judge."""
    robot = random_robot(30, 4)
    M_list, G_list, S_list = screws(robot)
    stretch = np.array([1.0, scale, 1.0, 1.0])
    arm = ma.Robot.from_screws(M_list, G_list, S_list * stretch)
    q, qd, qdd = random_state(np.random.default_rng(3), 4)
    exactly = floats(Dynamics(robot).inverse_dynamics(q, qd, qdd)) * stretch
    found = arm.inverse_dynamics(q / stretch, qd / stretch, qdd / stretch)
    assert error(found, exactly) <= 1e-13


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize("seed", range(3))
def test_denavit_hartenberg_tables(convention, seed):
    """A Denavit-Hartenberg table gives the torques, mass matrix and hand pose of 50-digit mechanics
    in frames built from its rows, by the convention named, to 1e-13."""
    rows = random_dh(40 + seed, 5)
    arm = ma.Robot.from_dh(rows, convention=convention)
    dynamics = Dynamics(dh_robot(rows, convention))
    q, qd, qdd = random_state(np.random.default_rng(seed), 5)
    assert error(arm.inverse_dynamics(q, qd, qdd), dynamics.inverse_dynamics(q, qd, qdd)) <= 1e-13
    assert error(arm.mass_matrix(q), dynamics.mass_matrix(q)) <= 1e-13
    hand = dynamics.forward_kinematics(q, "frame4")
    assert error(arm.forward_kinematics(q), hand) <= 1e-13
