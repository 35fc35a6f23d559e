"""Denavit–Hartenberg frames for any tree: the same robot to 1e-13. Floats, as they need roots."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

import trees
from momentarm.algorithms import composite, forward_dynamics, kinematics, newton_euler
from momentarm.model import IDEAL, Frame, Joint, Link, Mechanism
from momentarm.model.canonical import aligned, canonical, merged
from momentarm.spatial import Matrix, Rotation, TiltTurn, Transform, TurnX, TurnZ, Vec3
from trees import MATRIX, as_float, in_floats, mapped

TOLERANCE = 1e-13  # of the largest number of each answer


@dataclass(frozen=True)
class Geometry:
    """How each joint's axis lies to the one before it: placement, kind of joint, parent."""

    placement: Callable[[Random], Transform]
    kinds: tuple[str, ...] = ("revolute",)
    branching: float = 0


def vector(rng: Random, size: float = 1) -> Vec3:
    return Vec3(*(rng.uniform(-size, size) for _ in range(3)))


def turn(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)


def rotation(rng: Random, tilt: float | None = None) -> Rotation:
    """Any, or one that tilts the axis by a given angle."""
    first, last = rng.uniform(-3, 3), rng.uniform(-3, 3)
    tilt = rng.uniform(-3, 3) if tilt is None else tilt
    parts = Rotation.of(TurnZ(*turn(first)), TurnX(*turn(tilt)), TurnZ(*turn(last)))
    return Rotation.of(Matrix(parts.matrix))


def tilted(angle: float) -> Callable[[Random], Transform]:
    return lambda rng: Transform(rotation(rng, angle), vector(rng))


def quarter(rng: Random) -> Transform:
    """Axes at right angles or parallel, in whole numbers, offset along one of three directions."""
    place = Vec3(*(rng.choice((0, 0.4)) for _ in range(3)))
    return Transform(Rotation.of(TurnX(*rng.choice(((0, 1), (0, -1), (-1, 0), (1, 0))))), place)


GEOMETRIES = {
    "general": Geometry(lambda rng: Transform(rotation(rng), vector(rng), rng.uniform(-1, 1))),
    "parallel": Geometry(tilted(0)),
    "antiparallel": Geometry(tilted(math.pi)),
    "intersecting": Geometry(lambda rng: Transform(rotation(rng))),
    "collinear": Geometry(lambda rng: Transform(rotation(rng, 0), Vec3(0, 0, rng.random()))),
    "quarter turns": Geometry(quarter),
    **{f"tilted by {a:g}": Geometry(tilted(a)) for a in (1e-3, 1e-6, 1e-9, 1e-12, 1e-14, 1e-15)},
    "nearly antiparallel": Geometry(tilted(math.pi - 1e-9)),
    "long links": Geometry(lambda rng: Transform(rotation(rng), vector(rng, 300))),
    "tiny links": Geometry(lambda rng: Transform(rotation(rng), vector(rng, 1e-4))),
    "prismatic": Geometry(tilted(0.7), trees.PRISMATIC),
    "parallel prismatic": Geometry(tilted(0), ("prismatic", "revolute")),
    "helical": Geometry(tilted(0.4), trees.SCREWS),
    "branching": Geometry(lambda rng: Transform(rotation(rng), vector(rng)), trees.SCREWS, 0.8),
    "parallel branches": Geometry(tilted(0), ("revolute", "prismatic"), 0.8),
    "with fixed links": Geometry(tilted(0.4), trees.MIXED, 0.5),
    "with free links": Geometry(tilted(0.4), trees.FREED, 0.5),
}


def robot(geometry: Geometry, seed: int, n: int = 6) -> Mechanism:
    rng = Random(f"{geometry.kinds} {seed}")
    links: list[Link] = []
    for i in range(n):
        kind = geometry.kinds[(i + seed) % len(geometry.kinds)]
        pitch = rng.uniform(-1, 1) if kind == "helical" else 0
        drive = IDEAL if kind == "free" else mapped(trees.actuator(rng), as_float)
        joint = Joint(f"j{i}", kind, pitch, actuator=drive)
        parent = rng.randrange(-1, i) if rng.random() < geometry.branching else i - 1
        body = mapped(trees.body(trees.points(rng)), as_float)
        links.append(Link(f"l{i}", parent, joint, geometry.placement(rng), body))
    frames = {f"f{i}": Frame(i, Transform(rotation(rng), vector(rng))) for i in range(-1, n)}
    return Mechanism(f"{seed}", tuple(links), vector(rng, 9.81), frames, tip=f"f{n - 1}",
                     origin=Transform(rotation(rng), vector(rng)))  # fmt: skip


def moving(m: Mechanism, seed: int) -> trees.State:
    rng = Random(seed)
    q, qd, qdd, tau = ([rng.uniform(-2, 2) for _ in range(k)] for k in (m.nq, m.n, m.n, m.n))
    return trees.State(q, qd, qdd, tau, [rng.uniform(-2, 2) for _ in range(6)])


def numbers(value: Any) -> Iterator[float]:
    if isinstance(value, list):
        for part in value:
            yield from numbers(part)
    else:
        yield value


def distance(a: Any, b: Any) -> float:
    """Largest difference over the largest number."""
    a, b = list(numbers(a)), list(numbers(b))
    size = max(1e-300, *(abs(x) for x in b))
    return max(abs(x - y) for x, y in zip(a, b, strict=True)) / size


def efforts(m: Mechanism, x: trees.State) -> dict[str, Any]:
    return {
        "tau": newton_euler.inverse_dynamics(m, x.q, x.qd, x.qdd, x.tip_wrench),
        "g": newton_euler.gravity_forces(m, x.q),
        "M": composite.mass_matrix(m, x.q),
    }


def geometry(m: Mechanism, x: trees.State) -> dict[str, Any]:
    """Of all named frames together: what is small beside the robot is as exact as the robot."""
    poses = kinematics.link_poses(m, x.q)
    found: dict[str, Any] = {
        "axes": [row[:3] for T in poses for row in T],
        "places": [row[3] for T in poses for row in T[:3]],
    }
    for J in (kinematics.body_jacobian, kinematics.space_jacobian, kinematics.world_jacobian):
        rows = [J(m, x.q, frame=name) for name in m.frames]
        found[f"{J.__name__}, angular"] = [r[:3] for r in rows]
        found[f"{J.__name__}, linear"] = [r[3:] for r in rows]
    return found


def physical(m: Mechanism) -> Mechanism:
    return aligned(merged(m))


def disagreements(a: dict[str, Any], b: dict[str, Any], tolerance: float) -> dict[str, float]:
    errors = {name: distance(a[name], b[name]) for name in b}
    return {name: error for name, error in errors.items() if not error < tolerance}


every_geometry = pytest.mark.parametrize("name", GEOMETRIES)
every_seed = pytest.mark.parametrize("seed", range(3))


@every_geometry
@every_seed
def test_aligned_frames_keep_efforts_and_mass_matrix(name, seed):
    """τ with friction and tip wrench, g and M in Denavit–Hartenberg frames, with physical and with
    regrouped inertias, agree with the robot as given to 1e-13 of the largest element."""
    m = robot(GEOMETRIES[name], seed)
    x = moving(m, seed)
    for form in (physical, canonical):
        wrong = disagreements(efforts(form(m), x), efforts(m, x), TOLERANCE)
        assert not wrong, form.__name__


@every_geometry
@every_seed
def test_aligned_frames_keep_accelerations(name, seed):
    """The efforts, of the robot as given, of the accelerations found in canonical frames by every
    route are the efforts asked for, to 1e-13 of the largest term of them."""
    m = robot(GEOMETRIES[name], seed)
    x, form = moving(m, seed), canonical(m)
    for route in (forward_dynamics.by_mass_matrix, forward_dynamics.by_articulated_bodies):
        qdd = route(form, x.q, x.qd, x.tau)
        tau = newton_euler.inverse_dynamics(m, x.q, x.qd, qdd)
        M = composite.mass_matrix(m, x.q)
        terms = max(abs(M[i][j] * qdd[j]) for i in range(m.n) for j in range(m.n))
        size = max(terms, *map(abs, newton_euler.bias_forces(m, x.q, x.qd)))
        error = max(abs(a - b) for a, b in zip(tau, x.tau, strict=True))
        assert error < 10 * TOLERANCE * size, route.__name__


@every_geometry
@every_seed
def test_aligned_frames_keep_named_frames_where_they_are(name, seed):
    """Poses and the three Jacobians of all named frames agree to 1e-13 of the largest element."""
    m = robot(GEOMETRIES[name], seed)
    x = moving(m, seed)
    assert not disagreements(geometry(physical(m), x), geometry(m, x), TOLERANCE)


@pytest.mark.parametrize("tree", [name for name in MATRIX if "coupled" in name])
def test_aligned_frames_keep_coupled_joints(tree):
    """Joints that follow another's coordinate, at any ratio and offset, do so in canonical frames:
    τ and M agree with the robot as given."""
    m = in_floats(MATRIX[tree])
    x = moving(m, 1)
    assert not disagreements(efforts(canonical(m), x), efforts(m, x), TOLERANCE)


@every_seed
def test_aligned_steps_are_two_axial_screws(seed):
    """In a chain of general axes every step but the first is one tilt about x, one turn about z and
    an offset along each: four numbers of Denavit and Hartenberg."""
    for link in aligned(robot(GEOMETRIES["general"], seed)).links[1:]:
        assert (link.placement.p.y, link.placement.p.z) == (0, 0)
        assert len(link.placement.R.parts) == 1
        assert isinstance(link.placement.R.parts[0], TurnX | TiltTurn)
