"""Dynamics of M, G, S lists against paths of their own: Lagrange's equations with exponentials by
power series in 60 digits, closed forms, and the robot compiled from the same lists."""

import numpy as np
import pytest
from mpmath import mp

import momentarm as ma
import momentarm.modern_robotics as mr
from momentarm.bench.norm import normwise
from screw_lists import chain

CLOSE = 1e-12
RIGID = {f"{n}_{unit}": chain(n + 10 * unit, n, unit=unit) for n in (1, 2, 3, 6, 7)
         for unit in (False, True)}  # fmt: skip
ANY = {n: chain(20 + n, n, rigid=False) for n in (1, 2, 3)}
every_rigid_chain = pytest.mark.parametrize("name", RIGID)


@pytest.fixture(autouse=True)
def digits():
    with mp.workdps(60):
        yield


# -- the robot of the same lists -------------------------------------------------------------------


def robot_of(c):
    return ma.Robot.from_screws(*c.lists, gravity=c.g)


@every_rigid_chain
def test_efforts_are_those_of_the_robot_of_the_lists(name):
    """Inverse dynamics on lists gives to 1e-12 what the robot made of them gives, whose joints are
    turns, slides and helices with ratios in frames of its own."""
    c, arm = RIGID[name], robot_of(RIGID[name])
    tau = mr.InverseDynamics(c.theta, c.dtheta, c.ddtheta, c.g, c.Ftip, *c.lists)
    expected = arm.inverse_dynamics(c.theta, c.dtheta, c.ddtheta, tip_wrench=c.Ftip)
    assert normwise(tau, expected) <= CLOSE


@every_rigid_chain
def test_the_mass_matrix_is_that_of_composite_bodies(name):
    """Σ JᵀGJ on lists is to 1e-12 the mass matrix that the robot has from composite bodies."""
    c = RIGID[name]
    assert normwise(mr.MassMatrix(c.theta, *c.lists), robot_of(c).mass_matrix(c.theta)) <= CLOSE


@every_rigid_chain
def test_parts_of_the_efforts_are_the_robots(name):
    """Velocity, gravity and tip forces on lists are to 1e-12 the robot's."""
    c, arm = RIGID[name], robot_of(RIGID[name])
    largest = np.abs(arm.inverse_dynamics(c.theta, c.dtheta, 0 * c.theta)).max()
    for found, expected in (
        (mr.VelQuadraticForces(c.theta, c.dtheta, *c.lists),
         arm.coriolis_forces(c.theta, c.dtheta)),
        (mr.GravityForces(c.theta, c.g, *c.lists), arm.gravity_forces(c.theta)),
        (mr.EndEffectorForces(c.theta, c.Ftip, *c.lists), arm.tip_forces(c.theta, c.Ftip)),
    ):  # fmt: skip
        assert np.abs(found - expected).max() <= CLOSE * (1 + largest)


@every_rigid_chain
def test_accelerations_are_those_of_the_robot_of_the_lists(name):
    """Forward dynamics by elimination on lists gives what the robot's own route gives, to 1e-14
    times the condition of M."""
    c, arm = RIGID[name], robot_of(RIGID[name])
    found = mr.ForwardDynamics(c.theta, c.dtheta, c.tau, c.g, c.Ftip, *c.lists)
    expected = arm.forward_dynamics(c.theta, c.dtheta, c.tau, tip_wrench=c.Ftip)
    limit = 1e-14 * max(10, np.linalg.cond(arm.mass_matrix(c.theta)))
    assert normwise(found, expected) <= limit


@every_rigid_chain
def test_poses_and_jacobians_are_the_robots(name):
    """The product of exponentials, J_s and J_b are to 1e-12 the robot's tip pose and Jacobians,
    with body screws that are the space screws seen from the tip's home."""
    c, arm = RIGID[name], robot_of(RIGID[name])
    home = np.linalg.multi_dot([*c.Mlist, np.eye(4)])
    B = mr.Adjoint(mr.TransInv(home)) @ c.Slist
    pose = arm.forward_kinematics(c.theta)
    assert normwise(mr.FKinSpace(home, c.Slist, c.theta), pose) <= CLOSE
    assert normwise(mr.FKinBody(home, B, c.theta), pose) <= CLOSE
    J_s, J_b = (arm.jacobian(c.theta, reference=k) for k in ("space", "body"))
    assert normwise(mr.JacobianSpace(c.Slist, c.theta), J_s) <= CLOSE
    assert normwise(mr.JacobianBody(B, c.theta), J_b) <= CLOSE


@pytest.mark.parametrize("name", [*RIGID, *ANY])
def test_inverse_dynamics_undoes_forward_dynamics(name):
    """Efforts of the accelerations that efforts cause are those efforts to 1e-12, with any
    positive matrices as inertias."""
    c = (RIGID | ANY)[name]
    qdd = mr.ForwardDynamics(c.theta, c.dtheta, c.tau, c.g, c.Ftip, *c.lists)
    tau = mr.InverseDynamics(c.theta, c.dtheta, qdd, c.g, c.Ftip, *c.lists)
    largest = np.abs(mr.MassMatrix(c.theta, *c.lists)).max() * np.abs(qdd).max()
    assert np.abs(tau - c.tau).max() <= CLOSE * (1 + largest)


@every_rigid_chain
def test_a_computed_torque_gives_the_acceleration_that_was_asked_for(name):
    """Under the efforts of (11.35) forward dynamics accelerates by θ̈_d + Kp e + Ki (Σ + e) + Kd ė,
    each joint with gains of its own, to 1e-13 times the condition of M."""
    c, rng = RIGID[name], np.random.default_rng(0)
    total, wanted, rates, accelerations, *gains = rng.normal(size=(7, c.n))
    tau = mr.ComputedTorque(c.theta, c.dtheta, total, c.g, *c.lists, wanted, rates, accelerations,
                            *gains)  # fmt: skip
    found = mr.ForwardDynamics(c.theta, c.dtheta, tau, c.g, np.zeros(6), *c.lists)
    e, (Kp, Ki, Kd) = wanted - c.theta, gains
    expected = accelerations + Kp * e + Ki * (total + e) + Kd * (rates - c.dtheta)
    limit = 1e-13 * max(10, np.linalg.cond(mr.MassMatrix(c.theta, *c.lists)))
    assert normwise(found, expected) <= limit


# -- Lagrange, in 60 digits ------------------------------------------------------------------------


def kinetic_energy(c, theta, rates):
    """½ Σ VᵀGV, each V from a difference of products of exponentials."""
    h = mp.mpf(10) ** -20
    at, ahead, behind = (link_poses(c, [t + k * h * v for t, v in zip(theta, rates, strict=True)])
                         for k in (0, 1, -1))  # fmt: skip
    total = mp.mpf(0)
    for T, T1, T0, G in zip(at, ahead, behind, c.Glist, strict=True):
        W = T**-1 * (T1 - T0) / (2 * h)
        V = mp.matrix([W[2, 1], W[0, 2], W[1, 0], W[0, 3], W[1, 3], W[2, 3]])
        total += (V.T * mp.matrix(G.tolist()) * V)[0] / 2
    return total


def link_poses(c, theta):
    """T_i = e^{[S_1]θ_1} … e^{[S_i]θ_i} M_01 … M_{i−1,i}, exponentials by power series."""
    turned, home, poses = mp.eye(4), mp.eye(4), []
    for M, S, t in zip(c.Mlist, c.Slist.T, theta, strict=False):
        home = home * mp.matrix(M.tolist())
        turned = turned * mp.expm(hat([x * t for x in map(mp.mpf, S.tolist())]), method="taylor")
        poses.append(turned * home)
    return poses


def hat(S):
    a, b, c, x, y, z = S
    return mp.matrix([[0, -c, b, x], [c, 0, -a, y], [-b, a, 0, z], [0, 0, 0, 0]])


def slope(f, x, i, h):
    ahead, behind = ([y + (k == i) * d for k, y in enumerate(x)] for d in (h, -h))
    return (f(ahead) - f(behind)) / (2 * h)


@pytest.mark.parametrize("n", ANY)
def test_efforts_are_lagranges_for_any_inertia(n):
    """Without gravity and wrench the efforts are d/dt ∂T/∂θ̇ − ∂T/∂θ to 1e-12 where inertias are
    any positive matrices, T by power series in 60 digits."""
    c, h = ANY[n], mp.mpf(10) ** -10
    theta, rates, accelerations = (
        [*map(mp.mpf, x.tolist())] for x in (c.theta, c.dtheta, c.ddtheta))  # fmt: skip
    expected = []
    for i in range(n):
        momenta = []
        for t in (h, -h):
            moved = [a + v * t for a, v in zip(theta, rates, strict=True)]
            faster = [v + a * t for v, a in zip(rates, accelerations, strict=True)]
            momenta.append(slope(lambda v, q=moved: kinetic_energy(c, q, v), faster, i, mp.mpf(1)))
        force = slope(lambda q: kinetic_energy(c, q, rates), theta, i, h)
        expected.append(float((momenta[0] - momenta[1]) / (2 * h) - force))
    tau = mr.InverseDynamics(c.theta, c.dtheta, c.ddtheta, [0, 0, 0], [0] * 6, *c.lists)
    assert normwise(tau, np.array(expected)) <= CLOSE


@pytest.mark.parametrize("n", ANY)
def test_the_mass_matrix_is_twice_the_energy_of_unit_rates(n):
    """θ̇ᵀMθ̇/2 is the kinetic energy of every unit rate and every sum of two, T by power series in
    60 digits, to 1e-12."""
    c, M = ANY[n], mr.MassMatrix(ANY[n].theta, *ANY[n].lists)
    theta = [*map(mp.mpf, c.theta.tolist())]
    for i in range(n):
        for j in range(n):
            rates = np.eye(n)[i] + np.eye(n)[j]
            T = float(kinetic_energy(c, theta, [*map(mp.mpf, rates.tolist())]))
            assert abs(rates @ M @ rates / 2 - T) <= CLOSE * np.abs(M).max()


SIZES = (0, 1e-300, 1e-160, 1e-30, 1e-12, 1e-8, 1e-7, 1e-5, 1e-3, 0.5, 1, 3)


@pytest.mark.parametrize("turn", SIZES)
@pytest.mark.parametrize("theta", [0, 1e-9, 0.7, 3.1])
def test_exponentials_of_all_sizes(turn, theta):
    """The exponential of a screw that turns by any size, tiny and none included, is that of the
    power series in 60 digits to 1e-15 of its largest number, and never NaN."""
    S = np.array([0.6 * turn, 0, -0.8 * turn, 0.3, -0.7, 0.2])
    exact = mp.expm(hat([mp.mpf(x) for x in (S * theta).tolist()]), method="taylor")
    expected = np.array(exact.tolist(), float)
    assert normwise(mr.MatrixExp6(mr.VecTose3(S * theta)), expected) <= 1e-15


@pytest.mark.parametrize("turn", [1e-12, 1e-8, 1e-5, 1e-3])
def test_screws_that_hardly_turn_lose_no_digits(turn):
    """A chain with a screw that turns by as little as 1e-12 rad per m has the pose of the power
    series in 60 digits to 1e-15, where 1 − cos would have lost half of the digits."""
    S = np.array([[0, turn, 0, 1.0, 0, 0.5]]).T
    exact = mp.expm(hat([mp.mpf(x) * mp.mpf("0.9") for x in S[:, 0].tolist()]), method="taylor")
    found = mr.FKinSpace(np.eye(4), S, [0.9])
    assert normwise(found, np.array(exact.tolist(), float)) <= 1e-15


@pytest.mark.parametrize("theta", [0.0, 0.4])
def test_a_screw_of_nothing_moves_nothing(theta):
    """A joint whose screw is zero has no effort and no inertia, and the others have those of the
    chain in which its link is fixed."""
    c = RIGID["3_True"]
    S = c.Slist.copy()
    S[:, 1] = 0
    q, qd, qdd = (np.array([x[0], theta, x[2]]) for x in (c.theta, c.dtheta, c.ddtheta))
    tau = mr.InverseDynamics(q, qd, qdd, c.g, c.Ftip, c.Mlist, c.Glist, S)
    M = mr.MassMatrix(q, c.Mlist, c.Glist, S)
    assert tau[1] == 0
    assert not M[1].any()
    X = np.linalg.inv(mr.Adjoint(c.Mlist[1]))  # link 2 is carried by link 1
    lumped = [c.Glist[0] + X.T @ c.Glist[1] @ X, c.Glist[2]]
    frames = [c.Mlist[0], c.Mlist[1] @ c.Mlist[2], c.Mlist[3]]
    fewer = mr.InverseDynamics(q[::2], qd[::2], qdd[::2], c.g, c.Ftip, frames, lumped, S[:, ::2])
    assert normwise(tau[::2], fewer) <= CLOSE


# -- closed forms ----------------------------------------------------------------------------------


def test_ad_of_one_to_six():
    """ad of (1, …, 6) is the matrix printed in the book."""
    assert mr.ad([1, 2, 3, 4, 5, 6]).tolist() == [
        [0, -3, 2, 0, 0, 0],
        [3, 0, -1, 0, 0, 0],
        [-2, 1, 0, 0, 0, 0],
        [0, -6, 5, 0, -3, 2],
        [6, 0, -4, 3, 0, -1],
        [-5, 4, 0, -2, 1, 0],
    ]


def test_planar_arm_on_lists_is_the_printed_equation():
    """The 2R arm with point masses has the M, c and g of (8.9) and (8.10), by hand, to 1e-14."""
    m1, m2, L1, L2, g = 1.5, 0.7, 0.8, 0.6, 9.81
    M = np.tile(np.eye(4), (3, 1, 1))
    M[0, 0, 3], M[1, 0, 3] = L1, L2
    G = [np.diag([0, 0, 0, m, m, m]) for m in (m1, m2)]
    S = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, -L1, 0]]).T
    (t1, t2), (v1, v2) = q, qd = np.array([0.4, -1.1]), np.array([0.9, -0.5])
    c2, s2, c1, c12 = np.cos(t2), np.sin(t2), np.cos(t1), np.cos(t1 + t2)
    corner, across = m2 * (L1 * L2 * c2 + L2**2), m2 * L1 * L2 * s2
    mass = [[m1 * L1**2 + m2 * (L1**2 + 2 * L1 * L2 * c2 + L2**2), corner], [corner, m2 * L2**2]]
    weights = [(m1 + m2) * L1 * g * c1 + m2 * g * L2 * c12, m2 * g * L2 * c12]
    lists = M, G, S
    assert normwise(mr.MassMatrix(q, *lists), np.array(mass)) <= 1e-14
    quadratic = np.array([-across * (2 * v1 * v2 + v2**2), across * v1**2])
    assert normwise(mr.VelQuadraticForces(q, qd, *lists), quadratic) <= 1e-14
    assert normwise(mr.GravityForces(q, [0, -g, 0], *lists), np.array(weights)) <= 1e-14


def test_adjoint_carries_brackets():
    """Ad of a pose carries the bracket of two twists to the bracket of the carried ones, and Ad of
    the inverse is the inverse of Ad."""
    rng = np.random.default_rng(3)
    V, W = rng.normal(size=(2, 6))
    T = chain(1, 1).Mlist[0]
    Ad = mr.Adjoint(T)
    assert np.abs(Ad @ mr.ad(V) @ W - mr.ad(Ad @ V) @ Ad @ W).max() < 1e-13
    assert np.abs(mr.Adjoint(mr.TransInv(T)) @ Ad - np.eye(6)).max() < 1e-14
