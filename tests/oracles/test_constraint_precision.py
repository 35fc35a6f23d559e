"""Task space and constraints against 50-digit mechanics: one LU solve of the bordered system.

[[M, Aᵀ], [A, 0]] (q̈, λ) = (τ − h, −Ȧ q̇): no mobility, no factor of M, no shared line. Rows are
the places of a leaf in world axes.
"""

import numpy as np
import pytest

import momentarm as ma
from oracles.descriptions import write_urdf
from oracles.reference import EXACT, error
from oracles.test_precision import EPSILON, ROBOTS, exact, states

NAMES = ["general_6r", "aligned_7r", "chain_8_mixed", "tree_10", "chain_10_mimic", "tree_24"]
every_robot = pytest.mark.parametrize("name", NAMES)


@pytest.fixture
def loaded(name, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(write_urdf(ROBOTS[name]))
    return ma.load(path)


def leaf_of(name):
    """The end of the longest branch."""
    robot, oracle = ROBOTS[name], exact(name)
    return max(robot.leaves, key=lambda k: len(oracle.path(robot.index(k))))


def bordered(M, A):
    k = len(A)
    return np.vstack([np.hstack([M, A.T]), np.hstack([A, EXACT.zeros(k, k)])])


def rows_of(name, q, qd):
    """The twist's Jacobian in world axes, and J̇ q̇, of the leaf."""
    oracle, leaf = exact(name), leaf_of(name)
    body = oracle.motions(q, qd, np.zeros(len(q)))[ROBOTS[name].index(leaf)]
    return oracle.jacobian(q, leaf, "world"), np.concatenate([body.alpha, body.a])


@every_robot
def test_constrained_motion(name, loaded):
    """With a leaf held at its place, compiled q̈ and λ are those of the 50-digit solve, within its
    condition: 40 κ(M) ε over the smallest pivot."""
    oracle, held = exact(name), loaded.with_constraints(ma.hold(leaf_of(name), rows="point"))
    for q, qd, tau in states(name, 3):
        J, drift = rows_of(name, q, qd)
        M, free = oracle.mass_matrix(q), EXACT.array(tau) - oracle.bias_forces(q, qd)
        solution = EXACT.solve(bordered(M, J[3:]), np.concatenate([free, -drift[3:]]))
        qdd, lam, pivot = held.forward_dynamics(q, qd, tau)
        limit = 40 * EPSILON * np.linalg.cond(loaded.mass_matrix(q)) / pivot + 1e-14
        assert error(qdd, solution[: loaded.n]) <= limit
        assert error(lam, solution[loaded.n :]) <= limit
        assert limit < 1e-6


@every_robot
def test_task_dynamics(name, loaded):
    """Λ and η of a leaf's places are columns of the bordered system's 50-digit solutions, for unit
    accelerations of a still robot without forces, and for none of the moving one."""
    oracle, n = exact(name), loaded.n
    options = {"frame": leaf_of(name), "reference": "world", "rows": ("x", "y", "z")}
    for q, qd, _ in states(name, 3):
        J, drift = rows_of(name, q, qd)
        K = bordered(oracle.mass_matrix(q), -J[3:])
        mass, eta, pivot = loaded.task_dynamics(q, qd, **options)
        limit = 40 * EPSILON * np.linalg.cond(loaded.mass_matrix(q)) / pivot + 1e-14
        h = oracle.bias_forces(q, qd)
        assert error(eta, EXACT.solve(K, np.concatenate([-h, drift[3:]]))[n:]) <= limit
        for k in range(3):
            wanted = EXACT.zeros(n + 3)
            wanted[n + k] = EXACT.number(-1)
            assert error(mass[:, k], EXACT.solve(K, wanted)[n:], mass) <= limit
