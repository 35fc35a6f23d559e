"""Uniform bodies against the integrals (8.24): by SymPy (exercise 8.1), by quadrature, by peers."""

import math

import numpy as np
import pytest
import sympy

import momentarm as ma
from momentarm.spatial import shapes
from oracles.peers import peer

SIZES = {
    "cuboid": (0.3, 0.2, 0.5), "cylinder": (0.3, 0.2, 0.1), "ellipsoid": (0.3, 0.2, 0.5),
    "sphere": (0.3, 0.1), "hemisphere": (0.3,), "capsule": (0.3, 0.2), "cone": (0.3, 0.2),
    "plate": (0.3, 0.2), "disc": (0.3, 0.1), "tube": (0.3, 0.2), "spherical_shell": (0.3,),
    "rod": (0.3,), "ring": (0.3,),
}  # fmt: skip
CLOSE = 1e-14


# -- exercise 8.1

h, l, w, a, b, c, r, u, v, t = sympy.symbols("h l w a b c r u v t", positive=True)
SOLIDS = {  # the point (x, y, z), the ranges of what it depends on
    "cuboid": ((l, w, h), (u, v, t), ((u, -l / 2, l / 2), (v, -w / 2, w / 2), (t, -h / 2, h / 2))),
    "cylinder": ((r, h), (u * sympy.cos(v), u * sympy.sin(v), t),
                 ((u, 0, r), (v, 0, 2 * sympy.pi), (t, -h / 2, h / 2))),
    "ellipsoid": ((a, b, c), (a * u * sympy.sin(v) * sympy.cos(t),
                              b * u * sympy.sin(v) * sympy.sin(t), c * u * sympy.cos(v)),
                  ((u, 0, 1), (v, 0, sympy.pi), (t, 0, 2 * sympy.pi))),
}  # fmt: skip
PRINTED = {  # Fig. 8.5: volume, I_xx, I_yy, I_zz per kilogram
    "cuboid": (h * l * w, (w**2 + h**2) / 12, (l**2 + h**2) / 12, (l**2 + w**2) / 12),
    "cylinder": (sympy.pi * r**2 * h, (3 * r**2 + h**2) / 12, (3 * r**2 + h**2) / 12, r**2 / 2),
    "ellipsoid": (4 * sympy.pi * a * b * c / 3, (b**2 + c**2) / 5, (a**2 + c**2) / 5,
                  (a**2 + b**2) / 5),
}  # fmt: skip


def integrated(name):
    """Volume and the ten moments, by SymPy's integrals over the body."""
    _, (x, y, z), ranges = SOLIDS[name]
    dV = sympy.Matrix([x, y, z]).jacobian([u, v, t]).det()
    weights = (1, x, y, z, y * y + z * z, x * x + z * z, x * x + y * y, x * y, x * z, y * z)
    return [sympy.simplify(sympy.integrate(sympy.expand(k * dV), *ranges)) for k in weights]


@pytest.mark.parametrize("name", SOLIDS)
def test_exercise_8_1(name):
    """Volume and inertia of the three bodies of Fig. 8.5, with symbols for their sizes, are the
    printed formulas and SymPy's integrals (8.24)."""
    shape = getattr(shapes, name)(*SOLIDS[name][0])
    volume, *moments = integrated(name)
    I = shape.of_one.I
    ours = (shape.content * (sympy.pi if shape.is_round else 1), I.xx, I.yy, I.zz)
    theirs = (volume, *(x / volume for x in moments[3:6]))
    for found, integral, printed in zip(ours, theirs, PRINTED[name], strict=True):
        assert sympy.simplify(found - printed) == 0
        assert sympy.simplify(integral - printed) == 0
    assert not any(moments[:3] + moments[6:])
    assert not any((*shape.of_one.h, I.xy, I.xz, I.yz))


# -- every shape, by points and weights that integrate polynomials exactly


def gauss(low, high, n=12):
    x, k = np.polynomial.legendre.leggauss(n)
    return low + (x + 1) / 2 * (high - low), k * (high - low) / 2


def circle(n=12):
    return np.arange(n) * 2 * math.pi / n, np.full(n, 2 * math.pi / n)


def cloud(place, *rules):
    """Weighted points: place(u, v, …) gives (x, y, z, what the weight is multiplied with)."""
    grids = np.meshgrid(*(x for x, _ in rules), indexing="ij")
    weight = math.prod(np.meshgrid(*(k for _, k in rules), indexing="ij"))
    x, y, z, size = np.broadcast_arrays(*place(*grids))
    return np.stack([x, y, z], -1).reshape(-1, 3), (weight * size).ravel()


def ball(radius, inner=0, low=-1, high=1):
    def place(q, cos, phi):
        sin = np.sqrt(1 - cos * cos)
        return q * sin * np.cos(phi), q * sin * np.sin(phi), q * cos, q * q

    return cloud(place, gauss(inner, radius), gauss(low, high), circle())


def round_bar(radius, length, inner=0, at=0):
    return cloud(lambda q, phi, z: (q * np.cos(phi), q * np.sin(phi), z + at, q),
                 gauss(inner, radius), circle(), gauss(-length / 2, length / 2))  # fmt: skip


def ellipsoid(*axes):
    points, weights = ball(1)
    return points * axes, weights * math.prod(axes)


def capsule(radius, length):
    parts = [round_bar(radius, length)]
    for side in (-1, 1):
        points, weights = ball(radius, 0, *sorted((0, side)))
        parts.append((points + [0, 0, side * length / 2], weights))
    return tuple(map(np.concatenate, zip(*parts)))


def on_circle(radius, z):
    def place(phi, z):
        return radius * np.cos(phi), radius * np.sin(phi), z, radius

    return cloud(place, circle(), z)


CLOUDS = {
    "cuboid": lambda *s: cloud(lambda x, y, z: (x, y, z, 1), *(gauss(-k / 2, k / 2) for k in s)),
    "cylinder": round_bar,
    "ellipsoid": ellipsoid,
    "sphere": ball,
    "hemisphere": lambda R: ball(R, 0, 0, 1),
    "capsule": capsule,
    "cone": lambda R, H: cloud(
        lambda q, phi, z: (q * (1 - z / H) * np.cos(phi), q * (1 - z / H) * np.sin(phi), z,
                           q * (1 - z / H) ** 2),
        gauss(0, R), circle(), gauss(0, H)),
    "plate": lambda *s: cloud(lambda x, y: (x, y, 0, 1), *(gauss(-k / 2, k / 2) for k in s)),
    "disc": lambda R, r: cloud(lambda q, phi: (q * np.cos(phi), q * np.sin(phi), 0, q),
                               gauss(r, R), circle()),
    "tube": lambda R, L: on_circle(R, gauss(-L / 2, L / 2)),
    "spherical_shell": lambda R: cloud(
        lambda cos, phi: (R * np.sqrt(1 - cos**2) * np.cos(phi),
                          R * np.sqrt(1 - cos**2) * np.sin(phi), R * cos, R * R),
        gauss(-1, 1), circle()),
    "rod": lambda L: cloud(lambda z: (0, 0, z, 1), gauss(-L / 2, L / 2)),
    "ring": lambda R: on_circle(R, (np.zeros(1), np.ones(1))),
}  # fmt: skip


def phi_of(points, weights):
    """m, m c and the inertia about the origin as φ has them, by sums over points."""
    I = sum(k * (p @ p * np.eye(3) - np.outer(p, p)) for p, k in zip(points, weights, strict=True))
    return [weights.sum(), *(weights @ points), *I[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]]


@pytest.mark.parametrize("name", SIZES)
def test_every_shape_is_its_integral(name):
    """Of density 700 or of 3 kg, each shape has the ten moments that a quadrature which is exact
    for them gives, to 1e-14 of the largest."""
    points, weights = CLOUDS[name](*SIZES[name])
    make = getattr(ma.bodies, name)
    by_density, by_mass = make(*SIZES[name], density=700), make(*SIZES[name], mass=3)
    for body, scale in ((by_density, 700), (by_mass, 3 / weights.sum())):
        phi = np.array(phi_of(points, weights * scale))
        assert np.abs(body.phi - phi).max() <= CLOSE * max(1, np.abs(phi).max())
    assert by_mass.mass == 3


def test_every_shape_has_a_case():
    """Each shape of momentarm.bodies is compared with its integral here, or with its own test."""
    assert {*SIZES} == {*ma.bodies.__all__} - {"polyhedron", "point_mass"}


def test_a_fine_polyhedron_is_nearly_round():
    """A prism of 400 sides has the inertia of a cylinder within the share of area it lacks."""
    n, radius, length = 400, 0.3, 0.5
    phi = np.arange(n) * 2 * np.pi / n
    rim = np.stack([radius * np.cos(phi), radius * np.sin(phi)], -1)
    corners = [[*p, z] for z in (-length / 2, length / 2) for p in rim]
    corners += [[0, 0, -length / 2], [0, 0, length / 2]]
    k, after = np.arange(n), (np.arange(n) + 1) % n
    faces = np.concatenate([np.stack(t, -1) for t in (
        (k, after, after + n), (k, after + n, k + n), (after, k, 0 * k + 2 * n),
        (k + n, after + n, 0 * k + 2 * n + 1))])  # fmt: skip
    prism = ma.bodies.polyhedron(corners, faces, density=1000)
    cylinder = ma.bodies.cylinder(radius, length, density=1000)
    lacking = (2 * np.pi / n) ** 2 / 6
    assert prism.mass == pytest.approx(cylinder.mass * (1 - lacking), rel=1e-8)
    assert np.abs(prism.inertia - cylinder.inertia).max() < 2.1 * lacking * cylinder.inertia.max()


# -- numbers of the book


def dumbbell():
    iron = {"density": 7500}
    ball = ma.bodies.sphere(0.1, **iron)
    bar = ma.bodies.cylinder(0.02, 0.2, **iron)
    return bar + ball.shifted([0, 0, 0.2]) + ball.shifted([0, 0, -0.2])


def test_the_dumbbell_of_exercise_8_2():
    """The cast-iron dumbbell weighs 64.716809 kg and has I_b = diag(2.7710732, 2.7710732,
    0.2517044) kg m² about its centre, z along the bar, and G_b = diag(I_b, m 1)."""
    body, expected = dumbbell(), [2.7710732, 2.7710732, 0.2517044]
    assert round(body.mass, 6) == 64.716809
    assert body.inertia.round(7).tolist() == np.diag(expected).tolist()
    G = body.spatial_inertia
    assert np.diag(G)[:3].round(7).tolist() == expected
    assert np.array_equal(G, np.diag(np.diag(G)))
    assert np.array_equal(np.diag(G)[3:], [body.mass] * 3)
    found = body.principal()
    assert found.moments.round(7).tolist() == expected
    assert np.array_equal(found.axes, np.eye(3))


def test_ad_of_the_book():
    """[ad] of the twist (1, 2, 3, 4, 5, 6) is the matrix that Modern Robotics prints."""
    assert ma.Twist.of([1, 2, 3, 4, 5, 6]).ad.tolist() == [
        [0, -3, 2, 0, 0, 0], [3, 0, -1, 0, 0, 0], [-2, 1, 0, 0, 0, 0],
        [0, -6, 5, 0, -3, 2], [6, 0, -4, 3, 0, -1], [-5, 4, 0, -2, 1, 0],
    ]  # fmt: skip


# -- peers


PINOCCHIO = {"cuboid": "FromBox", "cylinder": "FromCylinder", "ellipsoid": "FromEllipsoid",
             "sphere": "FromSphere", "capsule": "FromCapsule"}  # fmt: skip


@pytest.mark.peers
@pytest.mark.parametrize("name", PINOCCHIO)
def test_shapes_agree_with_pinocchio(name):
    """Of 3 kg, the five shapes that Pinocchio knows have its inertia, by linear rows first."""
    sizes = SIZES[name][: 1 if name == "sphere" else 2 if name in ("cylinder", "capsule") else 3]
    theirs = getattr(peer("pinocchio").Inertia, PINOCCHIO[name])(3, *sizes)
    ours = getattr(ma.bodies, name)(*sizes, mass=3)
    order = [3, 4, 5, 0, 1, 2]
    assert np.abs(ours.spatial_inertia - theirs.matrix()[np.ix_(order, order)]).max() < 1e-14


@pytest.mark.peers
def test_moved_bodies_and_their_dynamics_agree_with_pinocchio():
    """A body placed anywhere, its momentum and its wrench (8.43) are those of Pinocchio's inertia,
    acted on by the same placement and moving alike."""
    pin, rng = peer("pinocchio"), np.random.default_rng(0)
    order = [3, 4, 5, 0, 1, 2]
    for _ in range(5):
        T = pin.SE3.Random()
        body = ma.bodies.cone(0.3, 0.2, mass=3).moved(T.homogeneous)
        cone = ma.bodies.cone(0.3, 0.2, mass=3)
        theirs = T.act(pin.Inertia(3, cone.com, cone.inertia))
        assert np.abs(body.spatial_inertia - theirs.matrix()[np.ix_(order, order)]).max() < 1e-12
        V, Vd = rng.normal(size=(2, 6))
        motion, rate = (pin.Motion(x[order]) for x in (V, Vd))
        wrench = (theirs * rate + motion.cross(theirs * motion)).vector[order]
        assert np.abs(body.wrench(V, Vd) - wrench).max() < 1e-12
        assert np.abs(body.acceleration(V, wrench) - Vd).max() < 1e-12


@pytest.mark.peers
@pytest.mark.parametrize("geometry", ["box", "sphere", "capsule", "cylinder", "ellipsoid"])
def test_densities_agree_with_mujoco(geometry):
    """Of 700 kg/m³, five shapes have the mass and principal moments that MuJoCo gives them."""
    x, y, z = 0.15, 0.1, 0.25
    iron = {"density": 700}
    size, body = {
        "box": ((x, y, z), ma.bodies.cuboid(2 * x, 2 * y, 2 * z, **iron)),
        "sphere": ((x,), ma.bodies.sphere(x, **iron)),
        "capsule": ((x, y), ma.bodies.capsule(x, 2 * y, **iron)),
        "cylinder": ((x, y), ma.bodies.cylinder(x, 2 * y, **iron)),
        "ellipsoid": ((x, y, z), ma.bodies.ellipsoid(x, y, z, **iron)),
    }[geometry]
    xml = (f"<mujoco><worldbody><body><freejoint/><geom type='{geometry}' density='700' "
           f"size='{' '.join(map(str, size))}'/></body></worldbody></mujoco>")  # fmt: skip
    model = peer("mujoco").MjModel.from_xml_string(xml)
    assert model.body_mass[1] == pytest.approx(body.mass, rel=1e-14)
    assert sorted(model.body_inertia[1]) == pytest.approx(sorted(np.diag(body.inertia)), rel=1e-12)
