"""First moments of velocity fields are sums over point masses, without tolerance."""

from random import Random

import pytest

import trees
from momentarm.spatial import ZERO, Flow, Force, Mat3, Motion

every_seed = pytest.mark.parametrize("seed", range(8))


def drawn(seed):
    """Point masses, their body, a twist of it and another one."""
    rng = Random(f"flow {seed}")
    masses = trees.points(rng)
    twists = [Motion(trees.vector(rng), trees.vector(rng)) for _ in range(2)]
    return rng, masses, trees.body(masses), *twists


def velocity(V, r):
    return V.lin + V.ang.cross(r)


def summed(masses, f):
    total = ZERO
    for m, r in masses:
        total = total + f(r) * m
    return total


def matrix(masses, f):
    """Σ m r f(r)ᵀ."""
    D = Mat3(ZERO, ZERO, ZERO)
    for m, r in masses:
        D = D + Mat3.outer(r, f(r) * m)
    return D


@every_seed
def test_a_bodys_flow_is_the_sum_over_its_points(seed):
    """l and D of a rigid body are Σ m u and Σ m r uᵀ with u = v + ω × r at its points."""
    _, masses, body, V, _ = drawn(seed)
    l = summed(masses, lambda r: velocity(V, r))
    assert Flow.of(body, V) == Flow(l, matrix(masses, lambda r: velocity(V, r)))


@every_seed
def test_a_flow_moves_as_its_points_do(seed):
    """Seen from the frame that X leads from, a flow is that of the same points and velocities, each
    placed and turned there."""
    rng, masses, body, V, _ = drawn(seed)
    X = trees.placement(rng)
    there = [(m, X.origin + X.R @ r) for m, r in masses]
    seen = {r_there: X.R @ velocity(V, r)
            for (_, r), (_, r_there) in zip(masses, there, strict=True)}  # fmt: skip
    expected = Flow(summed(there, seen.__getitem__), matrix(there, seen.__getitem__))
    assert X.T @ Flow.of(body, V) == expected


@every_seed
def test_momentum_and_inertia_rate_are_parts_of_a_flow(seed):
    """A body's flow has the momentum of its inertia times its twist; ḣ and Ė are Σ m u and
    Σ m (u rᵀ + r uᵀ)."""
    _, masses, body, V, _ = drawn(seed)
    flow = Flow.of(body, V)
    assert flow.momentum == body @ V
    rate = flow.inertia_rate
    D = matrix(masses, lambda r: velocity(V, r))
    assert rate.E.matrix == D + D.T
    assert (rate.m, rate.h) == (0, summed(masses, lambda r: velocity(V, r)))


@every_seed
def test_two_fields_meet_point_by_point(seed):
    """`turned` is the wrench of m ω × u at all points, `across` is Σ m u × (v' + ω' × r)."""
    _, masses, body, V, other = drawn(seed)
    flow, w = Flow.of(body, V), other.ang
    lin = summed(masses, lambda r: w.cross(velocity(V, r)))
    ang = summed(masses, lambda r: r.cross(w.cross(velocity(V, r))))
    assert flow.turned(w) == Force(ang, lin)
    across = summed(masses, lambda r: velocity(V, r).cross(velocity(other, r)))
    assert flow.across(other) == across
