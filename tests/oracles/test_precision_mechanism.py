"""Rates of M and J, Γ and C, wrenches and momenta against 50-digit mechanics and differencing.

Differences over 2⁻⁶⁰ leave more than 30 digits. Errors are norm-wise, as in `test_precision.py`.
"""

import numpy as np
import pytest

import momentarm as ma
from oracles.descriptions import random_robot, random_state, write_urdf
from oracles.reference import EXACT, Dynamics, cross, error

MIXED = ("revolute", "prismatic")
ROBOTS = {
    "general_6r": random_robot(1, 6),
    "aligned_7r": random_robot(2, 7, aligned=0.8),
    "tree_9": random_robot(5, 9, kinds=(*MIXED, "fixed"), branching=0.5),
    "chain_8_mimic": random_robot(7, 8, kinds=MIXED, mimics=0.5),
}
STEP = EXACT.number(2.0**-60)


@pytest.fixture(params=ROBOTS)
def case(request, tmp_path):
    """A robot from a file, the oracle of it, and a state."""
    robot = ROBOTS[request.param]
    path = tmp_path / "robot.urdf"
    path.write_text(write_urdf(robot))
    state = random_state(np.random.default_rng(len(request.param)), robot.n)
    return ma.load(path), Dynamics(robot, EXACT), state


def slope(f, q, along):
    """df/dt for q moving along a direction, to 30 digits."""
    q, step = EXACT.array(q), EXACT.array(along) * STEP
    return (f(q + step) - f(q - step)) / (2 * STEP)


def test_rates_of_matrices(case):
    """Ṁ, and J̇ of the last link in all three references, are within 1e-14 of 50-digit differences
    of M and of geometric Jacobians; V̇ is within 1e-14 of the difference of J q̇."""
    arm, exact, (q, qd, qdd) = case
    assert error(arm.mass_matrix_dot(q, qd), slope(exact.mass_matrix, q, qd)) <= 1e-14
    leaf = exact.robot.bodies[-1].name
    for reference in ("body", "space", "world"):
        option = {"frame": leaf, "reference": reference}
        J = exact.jacobian(q, leaf, reference)
        J_dot = slope(lambda x, by=reference: exact.jacobian(x, leaf, by), q, qd)
        rates, gains = EXACT.array(qd), EXACT.array(qdd)
        assert error(arm.jacobian_dot(q, qd, **option), J_dot) <= 1e-14
        assert error(arm.frame_velocity(q, qd, **option), J @ rates) <= 1e-14
        found = arm.frame_acceleration(q, qd, qdd, **option)
        assert error(found, J @ gains + J_dot @ rates) <= 1e-14


def test_symbols_and_coriolis_matrix(case):
    """Γ is within 1e-14 of (8.17) with 50-digit differences of M, and C of the product of
    that with q̇."""
    arm, exact, (q, qd, _) = case
    n = range(arm.n)
    D = np.array([slope(exact.mass_matrix, q, np.eye(arm.n)[k]) for k in n])
    half = EXACT.number(0.5)
    Gamma = np.array([[[half * (D[k, i, j] + D[j, i, k] - D[i, j, k]) for k in n] for j in n]
                      for i in n])  # fmt: skip
    assert error(arm.christoffel(q), Gamma) <= 1e-14
    assert error(arm.coriolis_matrix(q, qd), Gamma @ EXACT.array(qd)) <= 1e-14


def test_momenta_and_wrenches(case):
    """Momentum and centre of mass are within 1e-14 of sums over bodies at 50 digits, and the
    wrench at each root joint of the sum of what its subtree's bodies need."""
    arm, exact, (q, qd, qdd) = case
    bodies = [(i, body) for i, body in enumerate(exact.robot.bodies)
              if any(exact.robot.bodies[k].kind != "fixed" for k in exact.path(i))]  # fmt: skip
    at, N = exact.motions(q, qd, qdd), EXACT
    mass = sum(N.number(body.mass) for _, body in bodies)
    p, moments = N.zeros(6), N.zeros(3)
    for i, body in bodies:
        Jw, Jv = exact.jacobian_of_point(at, i, at[i].c)
        lin = Jv @ N.array(qd) * N.number(body.mass)
        p[3:] += lin
        p[:3] += exact.world_inertia(at, i) @ Jw @ N.array(qd) + cross(at[i].c, lin)
        moments += at[i].c * N.number(body.mass)
    assert error(arm.momentum(q, qd), p) <= 1e-14
    assert error(arm.center_of_mass(q), moments / mass) <= 1e-14
    F = arm.link_wrenches(q, qd, qdd)
    for row, name in zip(F, arm.link_names, strict=True):
        k = exact.robot.index(name)
        total = N.zeros(6)
        for i, body in enumerate(exact.robot.bodies):
            if k in exact.path(i):
                I, s = exact.world_inertia(at, i), at[i]
                force = (s.ac - N.array(exact.robot.gravity)) * N.number(body.mass)
                moment = I @ s.alpha + cross(s.w, I @ s.w)
                total[:3] += moment + cross(s.c - at[k].p, force)
                total[3:] += force
        R = at[k].R
        assert error(row, np.concatenate([R.T @ total[:3], R.T @ total[3:]])) <= 1e-14
