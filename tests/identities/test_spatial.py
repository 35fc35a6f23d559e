"""The spatial algebra against its definitions: matrices, point masses, identities of Lie."""

from fractions import Fraction
from random import Random

import pytest

import trees
from identities.matrices import adjoint, dot, rotation_and_place, times, transposed
from momentarm.algorithms.articulated import ArticulatedInertia
from momentarm.spatial import BodyMotion, Force, Inertia, Motion, Rotation, Sym3, second_moments

SEEDS = range(12)
every_seed = pytest.mark.parametrize("seed", SEEDS)


def motion(rng):
    return Motion(trees.vector(rng), trees.vector(rng))


def force(rng):
    return Force(trees.vector(rng), trees.vector(rng))


def symmetric(rng):
    return Sym3(*(trees.rational(rng) for _ in range(6)))


def rows(A):
    return [list(row) for row in A]


def pose_adjoint(X):
    """[Ad_T] of the pose of b in a, by its 4x4 matrix: b-twists to a-twists."""
    return adjoint(*rotation_and_place(X.matrix))


@every_seed
def test_rotation_parts_equal_their_matrix(seed):
    """A chain of turns, applied part by part, does to vectors, symmetric and general matrices what
    its 3x3 matrix does, forward and back."""
    rng = Random(seed)
    R, v, S = trees.rotation(rng), trees.vector(rng), symmetric(rng)
    A = Rotation.from_matrix(R.matrix).matrix
    assert R @ v == A @ v
    assert R.T @ v == A.T @ v
    assert (R @ S).matrix == A @ S.matrix @ A.T
    general = S.matrix @ A
    assert rows(R @ general) == rows(A @ general @ A.T)


@every_seed
def test_rotations_multiply_as_matrices(seed):
    """The matrix of a product of rotations is the product of their matrices."""
    rng = Random(seed)
    A, B = trees.rotation(rng), trees.rotation(rng)
    assert (A @ B).matrix == A.matrix @ B.matrix


@every_seed
def test_bracket_obeys_jacobi(seed):
    """a × (b × c) + b × (c × a) + c × (a × b) = 0 for twists, exercise 8.5."""
    rng = Random(seed)
    a, b, c = motion(rng), motion(rng), motion(rng)
    total = a.cross(b.cross(c)) + b.cross(c.cross(a)) + c.cross(a.cross(b))
    assert list(total) == [0] * 6


@every_seed
def test_cross_with_a_force_is_dual_to_the_bracket(seed):
    """(v × x)·f = −x·(v ×* f): the two crosses do the same work."""
    rng = Random(seed)
    v, x, f = motion(rng), motion(rng), force(rng)
    assert v.cross(x).dot(f) == -x.dot(v.cross(f))


@every_seed
def test_transform_of_a_motion_is_the_adjoint(seed):
    """X_ba v_a, carried back by the 6x6 adjoint of the pose of b in a, is v_a."""
    rng = Random(seed)
    X, v = trees.placement(rng), motion(rng)
    assert times(pose_adjoint(X), list(X @ v)) == list(v)


@every_seed
def test_transform_of_a_force_is_the_transposed_map(seed):
    """X_baᵀ f_b does the work of f_b and is what the transposed 6x6 map of motions gives."""
    rng = Random(seed)
    X, v, f = trees.placement(rng), motion(rng), force(rng)
    assert v.dot(X.T @ f) == (X @ v).dot(f)
    assert times(transposed(pose_adjoint(X)), list(X.T @ f)) == list(f)


@every_seed
def test_transforms_compose_and_invert_as_matrices(seed):
    """X_cb X_ba carries motions as the two do in turn, and the inverse undoes it."""
    rng = Random(seed)
    X_cb, X_ba, v = trees.placement(rng), trees.placement(rng), motion(rng)
    assert (X_cb @ X_ba) @ v == X_cb @ (X_ba @ v)
    assert X_ba.inverse() @ (X_ba @ v) == v


@every_seed
def test_inertia_moves_as_its_points_do(seed):
    """X_baᵀ I of a body equals the inertia of its point masses placed in a by the pose of b."""
    rng = Random(seed)
    X, masses = trees.placement(rng), trees.points(rng)
    moved = [(m, X.origin + X.R @ p) for m, p in masses]
    assert X.T @ trees.body(masses) == trees.body(moved)


@every_seed
def test_momentum_is_the_sum_over_points(seed):
    """G V is Σ (p × m ṗ, m ṗ) with ṗ = v + ω × p over the body's point masses, (8.30)."""
    rng = Random(seed)
    masses, V = trees.points(rng), motion(rng)
    velocities = [(m, p, V.lin + V.ang.cross(p)) for m, p in masses]
    h = [Force(p.cross(v * m), v * m) for m, p, v in velocities]
    assert list(trees.body(masses) @ V) == [sum(x) for x in zip(*h, strict=True)]


@every_seed
def test_net_wrench_is_newtons_law_over_points(seed):
    """Newton's and Euler's equations of a body are Σ (p × m p̈, m p̈) with
    p̈ = a + ω̇ × p + ω × (ω × p) over its point masses, (8.22)-(8.25)."""
    rng = Random(seed)
    masses = trees.points(rng)
    w, wd, a = trees.vector(rng), trees.vector(rng), trees.vector(rng)
    wrenches = []
    for m, p in masses:
        f = (a + wd.cross(p) + w.cross(w.cross(p))) * m
        wrenches.append(Force(p.cross(f), f))
    net = trees.body(masses) @ BodyMotion.of(w, wd, a)
    assert list(net) == [sum(x) for x in zip(*wrenches, strict=True)]


@every_seed
def test_inertia_about_the_centre_of_mass_is_steiners(seed):
    """An inertia built from mass, centre and I_com is that of the points, where I_com is the sum of
    m (p·p 1 − p pᵀ) about the centre, (8.24)-(8.28)."""
    rng = Random(seed)
    masses = trees.points(rng)
    body = trees.body(masses)
    c = body.h * (1 / body.m)
    I_com = Sym3(0, 0, 0, 0, 0, 0)
    for m, p in masses:
        r = p - c
        I_com = I_com + (Sym3.diagonal(1, 1, 1) * r.dot(r) - Sym3.outer(r)) * m
    assert Inertia.about_com(body.m, c, I_com) == body
    assert body.com == c
    assert body.I_com == I_com
    assert second_moments(body.I) == body.E


@every_seed
def test_kinetic_energy_of_points_is_positive(seed):
    """V·(G V) is Σ m ṗ·ṗ over the point masses."""
    rng = Random(seed)
    masses, V = trees.points(rng), motion(rng)
    velocities = [(m, V.lin + V.ang.cross(p)) for m, p in masses]
    assert V.dot(trees.body(masses) @ V) == sum(m * v.dot(v) for m, v in velocities)


@every_seed
def test_articulated_inertia_of_a_body_moves_as_the_body(seed):
    """Xᵀ A X of a rigid body's 6x6 matrix is the 6x6 matrix of the moved rigid body."""
    rng = Random(seed)
    X, body, v = trees.placement(rng), trees.body(trees.points(rng)), motion(rng)
    carried = ArticulatedInertia.of(body).seen_from_parent(X)
    assert carried @ v == (X.T @ body) @ v


@every_seed
def test_articulated_inertia_without_an_axis_does_not_resist_it(seed):
    """A − U Uᵀ/D is symmetric and gives no wrench for the axis S, where U = A S and D = S·U."""
    rng = Random(seed)
    A = ArticulatedInertia.of(trees.body(trees.points(rng)))
    S, x, y = motion(rng), motion(rng), motion(rng)
    U = A @ S
    free = A.without(U, 1 / S.dot(U))
    assert list(free @ S) == [0] * 6
    assert x.dot(free @ y) == y.dot(free @ x)
    assert x.dot(free @ y) == x.dot(A @ y) - x.dot(U) * y.dot(U) / S.dot(U)


@every_seed
def test_half_tangents_give_points_of_the_circle(seed):
    """A rational angle's sine and cosine have squares that sum to one, and double as half tangents
    do: tan θ = 2t/(1 − t²)."""
    t = trees.half_tangent(Random(seed)) + Fraction(1, 7)
    angle = trees.Angle.half_tangent(t)
    assert dot([angle.sin(), angle.cos()], [angle.sin(), angle.cos()]) == 1
    assert angle.sin() * (1 - t * t) == angle.cos() * 2 * t


@pytest.mark.parametrize(
    "wrong",
    [
        lambda v, f: v.dot(v),
        lambda v, f: v + f,
        lambda v, f: v.cross(v.ang),
        lambda v, f: trees.body([(1, v.ang)]) @ f,
        lambda v, f: trees.Transform() @ f,
        lambda v, f: trees.Transform().T @ v,
    ],
    ids=["motion.motion", "motion+force", "motion x vector", "I f", "X f", "X.T v"],
)
def test_wrong_physics_raises(wrong):
    """Motions and forces in each other's place raise TypeError instead of giving a number."""
    rng = Random(1)
    with pytest.raises(TypeError):
        wrong(motion(rng), force(rng))
