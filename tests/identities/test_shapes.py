"""Uniform bodies and their motion in exact fractions: no tolerance."""

from fractions import Fraction
from random import Random

import pytest

import trees
from identities.matrices import adjoint, product, rotation_and_place, times, transposed
from momentarm.spatial import (
    NO_INERTIA,
    ZERO,
    BodyMotion,
    Force,
    Inertia,
    Motion,
    Rotation,
    Sym3,
    Transform,
    TurnX,
    Vec3,
    shapes,
)
from momentarm.spatial.dimension import KILOGRAM, METRE, Dim

SEEDS = range(8)
every_seed = pytest.mark.parametrize("seed", SEEDS)
SIZES = {
    "cuboid": 3, "cylinder": 2, "ellipsoid": 3, "sphere": 1, "hemisphere": 1, "capsule": 2,
    "cone": 2, "plate": 2, "disc": 1, "tube": 2, "spherical_shell": 1, "rod": 1, "ring": 1,
}  # fmt: skip
DIMENSION = {"plate": 2, "disc": 2, "tube": 2, "spherical_shell": 2, "rod": 1, "ring": 1}


def whole(shape):
    """Of density one, in multiples of π where it is round."""
    return shape.of_one.scaled(shape.content)


def motion(rng):
    return Motion(trees.vector(rng), trees.vector(rng))


def box(x, y, z):
    """The corners and the twelve triangles of a cuboid about the origin."""
    corners = [Vec3(x * i, y * j, z * k) * Fraction(1, 2)
               for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]  # fmt: skip
    squares = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return corners, [t for a, b, c, d in squares for t in ((a, b, c), (a, c, d))]


@every_seed
def test_triangles_enclose_a_cuboid(seed):
    """Twelve triangles have exactly the volume and the moments of the cuboid they enclose, in any
    frame."""
    rng = Random(seed)
    x, y, z = (trees.positive(rng) for _ in range(3))
    X = trees.placement(rng)
    corners, faces = box(x, y, z)
    assert shapes.polyhedron(corners, faces) == shapes.cuboid(x, y, z)
    moved = shapes.polyhedron([X.origin + X.R @ p for p in corners], faces)
    assert moved == shapes.cuboid(x, y, z).placed(X)


@every_seed
def test_a_tetrahedron_is_its_four_parts(seed):
    """Four tetrahedra around a point anywhere, within or without, sum to the one they divide."""
    rng = Random(seed)
    corners = [Vec3(0, 0, 0), *(trees.vector(rng) for _ in range(3)), trees.vector(rng)]
    a, b, c = corners[1:4]
    if a.dot(b.cross(c)) == 0:
        corners[1] = a + b.cross(c)

    def parts(faces):
        total = NO_INERTIA
        for face in faces:
            own = [(face[0], face[2], face[1])]
            own += [(face[k - 1], face[k], 4) for k in range(3)]
            volume = corner_volume([corners[k] for k in (*face, 4)])
            if volume:
                total = total + whole(shapes.polyhedron(corners, own))
        return total

    faces = ((1, 2, 3), (0, 2, 1), (0, 3, 2), (0, 1, 3))
    one = whole(shapes.polyhedron(corners, faces))
    assert one in (parts(faces), NO_INERTIA - parts(faces))


def corner_volume(points):
    a, b, c = (p - points[3] for p in points[:3])
    return a.dot(b.cross(c))


@every_seed
def test_a_capsule_is_its_three_parts(seed):
    """A capsule is a cylinder and two half balls at its ends, and without a length a ball."""
    rng = Random(seed)
    r, l = trees.positive(rng), trees.positive(rng)
    up = Transform(p=Vec3(0, 0, l / 2))
    down = Transform(Rotation.of(TurnX(-1, 0)), Vec3(0, 0, -l / 2))
    parts = [shapes.cylinder(r, l), *(shapes.hemisphere(r).placed(X) for X in (up, down))]
    assert whole(shapes.capsule(r, l)) == sum((whole(k) for k in parts[1:]), whole(parts[0]))
    assert shapes.capsule(r, Fraction(0)) == shapes.sphere(r)


@every_seed
@pytest.mark.parametrize("name", ["sphere", "cylinder", "disc"])
def test_hollow_is_the_outside_less_the_inside(name, seed):
    """A hole of radius r leaves the moments of the whole less those of what was in it."""
    rng = Random(seed)
    r = trees.positive(rng)
    R = r + trees.positive(rng)
    rest = [trees.positive(rng)] * (SIZES[name] - 1)
    shape = getattr(shapes, name)
    assert whole(shape(R, *rest, r)) == whole(shape(R, *rest)) - whole(shape(r, *rest))


@every_seed
@pytest.mark.parametrize(("thick", "thin"), [("sphere", "spherical_shell"), ("cylinder", "tube"),
                                             ("disc", "ring")])  # fmt: skip
def test_a_wall_without_thickness_is_the_thin_shape(thick, thin, seed):
    """With inner = radius the moments of one kilogram are those of the surface or line."""
    rng = Random(seed)
    sizes = [trees.positive(rng) for _ in range(SIZES[thin])]
    hollow = getattr(shapes, thick)(*sizes, sizes[0])
    assert hollow.content == 0
    assert hollow.of_one == getattr(shapes, thin)(*sizes).of_one


@pytest.mark.parametrize("name", SIZES)
def test_shapes_have_their_units(name):
    """Run on metres, a shape's content is a length, area or volume, and one kilogram of it has
    second moments in square metres."""
    shape = getattr(shapes, name)(*[METRE] * SIZES[name])
    assert shape.content == METRE ** DIMENSION.get(name, 3)
    body = shape.of_one.scaled(KILOGRAM)
    for numbers, unit in ((body.h, KILOGRAM * METRE), (body.E, KILOGRAM * METRE**2)):
        assert all(x == unit if isinstance(x, Dim) else x == 0 for x in numbers)


@every_seed
def test_steiner_and_turns(seed):
    """Seen from q, with turned axes, a body's inertia is Rᵀ (I_c + m (q·q 1 − q qᵀ)) R, (8.26) and
    (8.27), and about a parallel axis at distance d it grows by m d², (8.28)."""
    rng = Random(seed)
    sizes = [trees.positive(rng) for _ in range(3)]
    body = shapes.cuboid(*sizes).of_one.scaled(trees.positive(rng))
    q, R = trees.vector(rng), trees.rotation(rng).matrix
    square = (Sym3.diagonal(1, 1, 1) * q.dot(q) - Sym3.outer(q)) * body.m
    moved = body.shifted(-q)
    about_q = body.I + square
    assert [*moved.I] == [*about_q]
    assert moved.I.zz == body.I.zz + body.m * (q.x * q.x + q.y * q.y)
    turned = Transform.pose(R.T, Vec3(0, 0, 0)).T @ moved
    assert turned.I.matrix == R.T @ moved.I.matrix @ R


@every_seed
def test_spatial_inertia_in_another_frame(seed):
    """𝒢_a = [Ad(T_ba)]ᵀ 𝒢_b [Ad(T_ba)] as 6x6 matrices, (8.42)."""
    rng = Random(seed)
    X_ba, body = trees.placement(rng), trees.body(trees.points(rng))
    ad_ba = adjoint(*rotation_and_place(X_ba.inverse().matrix))
    moved = product(transposed(ad_ba), product(body.matrix, ad_ba))
    assert (X_ba.T @ body).matrix == moved


@every_seed
def test_spatial_inertia_times_a_twist_is_momentum(seed):
    """The 6x6 matrix of a body times the six numbers of a twist is its momentum, (8.34)."""
    rng = Random(seed)
    body, V = trees.body(trees.points(rng)), motion(rng)
    assert times(body.matrix, [*V]) == [*(body @ V)]


@every_seed
def test_twist_form_is_newton_and_euler(seed):
    """𝒢𝒱̇ − adᵀ𝒢𝒱, (8.40), equals Newton's and Euler's equations with a = v̇ + ω × v, (8.22) and
    (8.23), about any origin."""
    rng = Random(seed)
    body, V, Vd = trees.body(trees.points(rng)), motion(rng), motion(rng)
    classical = BodyMotion.of(V.ang, Vd.ang, Vd.lin + V.ang.cross(V.lin))
    assert body.wrench(V, Vd) == body.net_wrench(classical)


@every_seed
def test_eulers_equation_about_principal_axes(seed):
    """Turned about principal axes through its centre of mass, a cuboid needs the moment of (8.25),
    I_xx ω̇_x + (I_zz − I_yy) ω_y ω_z and so on round, whatever its velocity, and the force
    m (v̇ + ω × v) of (8.22)."""
    rng = Random(seed)
    body = shapes.cuboid(*(trees.positive(rng) for _ in range(3))).of_one.scaled(3)
    V, Vd = motion(rng), motion(rng)
    (x, y, z), (xd, yd, zd), I = V.ang, Vd.ang, body.I
    moment = (I.xx * xd + (I.zz - I.yy) * y * z, I.yy * yd + (I.xx - I.zz) * x * z,
              I.zz * zd + (I.yy - I.xx) * x * y)  # fmt: skip
    assert body.wrench(V, Vd) == Force(Vec3(*moment), (Vd.lin + V.ang.cross(V.lin)) * 3)


@every_seed
def test_dynamics_in_another_frame(seed):
    """ℱ_a of (8.43), with 𝒢_a and the twist in a, is the wrench of (8.40) in b carried to a."""
    rng = Random(seed)
    X_ba, body = trees.placement(rng), trees.body(trees.points(rng))
    V, Vd = motion(rng), motion(rng)
    in_b = body.wrench(X_ba @ V, X_ba @ Vd)
    assert (X_ba.T @ body).wrench(V, Vd) == X_ba.T @ in_b


@every_seed
def test_energy_and_power_are_the_same_in_every_frame(seed):
    """𝒱·𝒢𝒱 and 𝒱·ℱ do not depend on the frame, (8.33)."""
    rng = Random(seed)
    X_ba, body, V = trees.placement(rng), trees.body(trees.points(rng)), motion(rng)
    f = Force(trees.vector(rng), trees.vector(rng))
    assert V.dot((X_ba.T @ body) @ V) == (X_ba @ V).dot(body @ (X_ba @ V))
    assert V.dot(X_ba.T @ f) == (X_ba @ V).dot(f)


@every_seed
def test_power_is_the_rate_of_kinetic_energy(seed):
    """𝒱·ℱ with ℱ of (8.40) is 𝒱·𝒢𝒱̇, the derivative of ½ 𝒱ᵀ𝒢𝒱: no work is done by adᵀ𝒢𝒱."""
    rng = Random(seed)
    body, V, Vd = trees.body(trees.points(rng)), motion(rng), motion(rng)
    assert V.dot(body.wrench(V, Vd)) == Vd.dot(body @ V)


def test_the_dumbbell_in_fractions():
    """Exercise 8.2 in multiples of π: m = 7500 · 103/37500 π and I_xx, I_zz are what the parallel
    axes of two balls at ±20 cm give."""
    cm = Fraction(1, 100)
    bar, ball = shapes.cylinder(2 * cm, 20 * cm), shapes.sphere(10 * cm)
    ends = [ball.placed(Transform(p=Vec3(0, 0, z))) for z in (-20 * cm, 20 * cm)]
    body = whole(bar + ends[0] + ends[1]).scaled(7500)
    m, M = 7500 * bar.content, 7500 * ball.content
    assert body.m == m + 2 * M == Fraction(103, 5)
    across = m * (3 * 4 + 400) * cm**2 / 12 + 2 * M * (Fraction(2, 5) * 100 + 400) * cm**2
    along = m * 4 * cm**2 / 2 + 2 * M * Fraction(2, 5) * 100 * cm**2
    assert body == Inertia.about_com(body.m, ZERO, Sym3.diagonal(across, across, along))
