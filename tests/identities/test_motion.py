"""Displacements: what `integrate` and `difference` say of coordinates, against poses.

Poses come from the joints' own placements, displacements of poses from power series of matrices.
Over `Fraction` where no quaternion needs a sine, else in floats.
"""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from momentarm.algorithms import motion, newton_euler
from momentarm.model import coordinates
from momentarm.spatial import NO_MOTION
from trees import HOLONOMIC, MATRIX, in_floats, rational

FREED = {name: m for name, m in MATRIX.items() if m.nq > m.n}
SIZES = (0.0, 1e-12, 1e-5, 0.3, 1.7)  # of displacements, rad or m an element


def exponential(A):
    """e^A by its power series, halved five times before and squared as often after."""
    A = A / 32
    total = term = np.eye(4)
    for k in range(1, 25):
        term = term @ A / k
        total = total + term
    for _ in range(5):
        total = total @ total
    return total


def hat(S):
    (a, b, c), (x, y, z) = S.ang, S.lin
    return np.array([[0, -c, b, x], [c, 0, -a, y], [-b, a, 0, z], [0, 0, 0, 0]], float)


def poses(m, q):
    """Of each link in its parent."""
    return {i: np.array(X.matrix, float) for i, X in coordinates.transforms(m, q).items()}


def random_state(m, tree, size=1.0):
    """Coordinates of any length of quaternions, and a displacement of about a size."""
    rng = Random(f"{tree} {size}")
    q = [rng.uniform(-2, 2) for _ in range(m.nq)]
    return q, [size * rng.uniform(-1, 1) for _ in range(m.n)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tree", MATRIX)
def test_a_displacement_turns_and_slides_each_link_by_its_axes(tree, size):
    """After q ⊕ u dt each link is where e^{[S u dt]} takes it from where it was, in its own axes,
    for every type of joint, coupled ones too, to 1e-13."""
    m = in_floats(MATRIX[tree])
    (q, u), dt = random_state(m, tree, size), 0.7
    before, after = poses(m, q), poses(m, motion.integrate(m, q, u, dt))
    rates = coordinates.rates(m, u)
    for i, link in m.outward():
        S = NO_MOTION
        for axis, rate in zip(link.joint.row.axes(), rates[i], strict=True):
            S = S + axis * (rate * dt)
        assert np.abs(after[i] - before[i] @ exponential(hat(S))).max() < 1e-13


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tree", MATRIX)
def test_difference_undoes_integrate(tree, size):
    """q ⊕ u ⊖ q is u, whatever the lengths of quaternions, while turns stay below a half, to 2e-15
    of the largest element and of what the coordinates themselves round."""
    m = in_floats(MATRIX[tree])
    q, u = random_state(m, tree, size)
    back = motion.difference(m, q, motion.integrate(m, q, u, 1))
    assert np.abs(np.array(back) - u).max() <= 2e-15 * max(1, np.abs(q).max())


@pytest.mark.parametrize("tree", MATRIX)
def test_integrate_undoes_difference(tree):
    """q ⊕ (p ⊖ q) puts every link where p puts it, for any two states, to 1e-13."""
    m = in_floats(MATRIX[tree])
    q, p = random_state(m, tree)[0], random_state(m, tree, 2.0)[0]
    reached = poses(m, motion.integrate(m, q, motion.difference(m, q, p), 1))
    for i, T in poses(m, p).items():
        assert np.abs(reached[i] - T).max() < 1e-13


@pytest.mark.parametrize("tree", HOLONOMIC)
def test_coordinates_without_quaternions_add_up_exactly(tree):
    """Where no joint has a quaternion, q ⊕ q̇ dt is q + q̇ dt and p ⊖ q is p − q in fractions."""
    m, rng = HOLONOMIC[tree], Random(tree)
    q, p, u = ([rational(rng) for _ in range(m.n)] for _ in range(3))
    dt = Fraction(2, 3)
    assert motion.integrate(m, q, u, dt) == [a + b * dt for a, b in zip(q, u, strict=True)]
    assert motion.difference(m, q, p) == [b - a for a, b in zip(q, p, strict=True)]


@pytest.mark.parametrize("tree", FREED)
def test_lengths_of_quaternions_are_kept(tree):
    """`integrate` leaves the length of every quaternion as it was, to 1e-15 of it."""
    m = in_floats(FREED[tree])
    q, u = random_state(m, tree, 1.7)
    there, start = motion.integrate(m, q, u, 1), 0
    for joint in (k.joint for k in m.links if k.joint.name in m.coordinates):
        if joint.nq > joint.nv:
            end = start + joint.nq
            before, after = (np.linalg.norm(x[end - 4 : end]) for x in (q, there))
            assert after == pytest.approx(before, rel=1e-15)
        start += joint.nq


def of_length(m, q, length):
    """The same state with quaternions of a length."""
    q, start = np.array(q), 0
    for joint in (k.joint for k in m.links if k.joint.name in m.coordinates):
        if joint.nq > joint.nv:
            end = start + joint.nq
            q[end - 4 : end] *= length / np.linalg.norm(q[end - 4 : end])
        start += joint.nq
    return q.tolist()


@pytest.mark.parametrize("length", (1e-60, 1e-8, 1e60))
@pytest.mark.parametrize("tree", FREED)
def test_differences_do_not_see_the_lengths_of_quaternions(tree, length):
    """p ⊖ q of quaternions of length 1e-60, 1e-8 or 1e60 is that of unit ones, to 1e-13."""
    m = in_floats(FREED[tree])
    q, p = random_state(m, tree)[0], random_state(m, tree, 2.0)[0]
    unit = motion.difference(m, of_length(m, q, 1), of_length(m, p, 1))
    found = motion.difference(m, of_length(m, q, length), of_length(m, p, length))
    assert np.abs(np.array(found) - unit).max() < 1e-13


@pytest.mark.parametrize("tree", MATRIX)
def test_rates_of_coordinates_are_the_beginning_of_displacements(tree):
    """The rates of the coordinates are the central difference of q ⊕ q̇ t in t, to 1e-9."""
    m, h = in_floats(MATRIX[tree]), 1e-5
    q, qd = random_state(m, tree)
    ahead, behind = (np.array(motion.integrate(m, q, qd, t)) for t in (h, -h))
    assert np.abs((ahead - behind) / (2 * h) - motion.coordinate_rates(m, q, qd)).max() < 1e-9


@pytest.mark.parametrize("tree", HOLONOMIC)
def test_one_euler_step_is_two_products(tree):
    """Euler's step is q + q̇ dt and q̇ + q̈ dt with the q̈ that inverse dynamics turns into the
    given efforts, to 1e-9 of the largest acceleration."""
    m, dt = in_floats(HOLONOMIC[tree]), 0.01
    q, qd = random_state(m, tree)
    tau = random_state(m, tree, 3.0)[1]
    q_to, qd_to = motion.by_mass_matrix(m, q, qd, tau, dt, method="euler")
    assert q_to == [a + b * dt for a, b in zip(q, qd, strict=True)]
    qdd = [(b - a) / dt for a, b in zip(qd, qd_to, strict=True)]
    needed = newton_euler.inverse_dynamics(m, q, qd, qdd)
    assert np.abs(np.array(needed) - tau).max() < 1e-9 * (1 + np.abs(qdd).max())


@pytest.mark.parametrize("method", ["euler", "rk4"])
@pytest.mark.parametrize("tree", [name for name in MATRIX if not MATRIX[name].is_coupled])
def test_both_routes_take_the_same_step(tree, method):
    """A step by articulated bodies and one by the mass matrix lead to the same state, to 1e-9."""
    m = in_floats(MATRIX[tree])
    q, qd = random_state(m, tree)
    args = q, qd, random_state(m, tree, 3.0)[1], 0.01
    routes = [np.concatenate(step(m, *args, method=method))
              for step in (motion.by_articulated_bodies, motion.by_mass_matrix)]  # fmt: skip
    assert np.abs(routes[0] - routes[1]).max() < 1e-9 * (1 + np.abs(routes[1]).max())
