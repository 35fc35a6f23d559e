"""Random mechanisms and states in exact rational numbers, the same ones in every run.

Every joint type of the table, chains and trees, general constant placements, physical inertias
(each body is a handful of point masses), drives with friction, gravity in any direction. An angle
is a half-angle tangent, so that its sine and cosine are rational. Knows no test.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

from momentarm.model import (
    BASE,
    IDEAL,
    Actuator,
    Coupling,
    Frame,
    Joint,
    Link,
    Mechanism,
)  # fmt: skip
from momentarm.spatial import (
    NO_INERTIA,
    NO_ROTATION,
    NO_TRANSFORM,
    ZERO,
    ZERO_SYM,
    Angle,
    Inertia,
    Matrix,
    Rotation,
    Sym3,
    Transform,
    TurnX,
    TurnZ,
    Vec3,
)

Scalars = list[Any]
TURNING = ("revolute", "continuous", "helical")
REVOLUTE, PRISMATIC = ("revolute",), ("prismatic",)
SCREWS = ("helical", "revolute", "helical", "prismatic")
FREED = ("spherical", "free", "revolute", "prismatic", "spherical")
MIXED = ("continuous", "prismatic", "fixed", "helical", "revolute", "fixed", "prismatic")


# -- numbers ---------------------------------------------------------------------------------------


def rational(rng: Random) -> Fraction:
    return Fraction(rng.randint(-6, 6), rng.randint(1, 4))


def positive(rng: Random) -> Fraction:
    return Fraction(rng.randint(1, 6), rng.randint(1, 4))


def vector(rng: Random) -> Vec3:
    return Vec3(rational(rng), rational(rng), rational(rng))


def half_tangent(rng: Random) -> Fraction:
    return rng.choice((-1, 1)) * Fraction(rng.randint(1, 5), rng.randint(1, 5))


@dataclass(frozen=True)
class Turn:
    """An exact angle that also has whole multiples and sums, for joints that follow one another.

    A `Fraction` is no multiple but a length per radian: the pitch of a screw.
    """

    value: Any
    s: Any
    c: Any

    @classmethod
    def half_tangent(cls, t: Fraction, value: Any) -> "Turn":
        return cls(value, 2 * t / (1 + t * t), (1 - t * t) / (1 + t * t))

    def sin(self) -> Any:
        return self.s

    def cos(self) -> Any:
        return self.c

    def __mul__(self, k: Any) -> Any:
        if not isinstance(k, int):
            return self.value * k
        turn = Turn(0, 0, 1)
        for _ in range(abs(k)):
            turn = turn + self
        return turn if k >= 0 else Turn(-turn.value, -turn.s, turn.c)

    def __add__(self, b: Any) -> "Turn":
        if not isinstance(b, Turn):
            return self + Turn(b, 0, 1) if b == 0 else NotImplemented
        return Turn(self.value + b.value, self.s * b.c + self.c * b.s, self.c * b.c - self.s * b.s)

    __rmul__ = __mul__


# -- parts -----------------------------------------------------------------------------------------


def cos_sin(rng: Random) -> tuple[Any, Any]:
    """Of a rational angle, or of a quarter turn."""
    if rng.random() < 0.25:
        c, s = rng.choice(((0, 1), (0, -1), (-1, 0)))
        return Fraction(c), Fraction(s)
    angle = Angle.half_tangent(half_tangent(rng))
    return angle.c, angle.s


def rotation(rng: Random) -> Rotation:
    """In each of the forms that a rotation is stored in."""
    tilt, turn, first = TurnX(*cos_sin(rng)), TurnZ(*cos_sin(rng)), TurnZ(*cos_sin(rng))
    forms: tuple[Callable[[], Rotation], ...] = (
        lambda: NO_ROTATION,
        lambda: Rotation.of(tilt),
        lambda: Rotation.of(turn),
        lambda: Rotation.of(tilt, turn),
        lambda: Rotation.of(first, tilt, turn),
        lambda: Rotation.of(Matrix(Rotation.of(first, tilt, turn).matrix)),
    )
    return rng.choice(forms)()


def placement(rng: Random) -> Transform:
    return Transform(rotation(rng), vector(rng), rng.choice((0, rational(rng))))


Points = list[tuple[Fraction, Vec3]]


def points(rng: Random) -> Points:
    """Point masses: anywhere, or in pairs about the z-axis so that E_xx = E_yy."""
    if rng.random() < 0.75:
        return [(positive(rng), vector(rng)) for _ in range(4)]
    m, a, z = positive(rng), positive(rng), rational(rng)
    ring = ((a, 0), (-a, 0), (0, a), (0, -a))
    return [(m, Vec3(x, y, z)) for x, y in ring] + [(positive(rng), Vec3(0, 0, rational(rng)))]


def body(masses: Points) -> Inertia:
    """Σ m, Σ m p, Σ m p pᵀ."""
    h, E = ZERO, ZERO_SYM
    for m, p in masses:
        h, E = h + p * m, E + Sym3.outer(p) * m
    return Inertia(sum(m for m, _ in masses), h, E)


def actuator(rng: Random) -> Actuator:
    some = Actuator(positive(rng), positive(rng), positive(rng))
    return rng.choice((some, IDEAL, Actuator(damping=positive(rng))))


# -- mechanisms ------------------------------------------------------------------------------------


def mechanism(
    seed: int, kinds: tuple[str, ...], n: int, branching: float = 0,
    change: Callable[[list[Link], Random], None] | None = None,
) -> Mechanism:  # fmt: skip
    """`n` links whose joints go round `kinds`; a link's parent is the last one or any before."""
    rng = Random(f"{seed} {kinds} {n} {branching} {change and change.__name__}")
    links: list[Link] = []
    for i in range(n):
        kind = kinds[(i + seed) % len(kinds)]
        pitch = Fraction(rng.randint(-4, 4) * 2 + 1, 2) if kind == "helical" else 0
        joint = Joint(f"j{i}", kind, pitch, actuator=IDEAL if kind == "free" else actuator(rng))
        parent = rng.randrange(BASE, i) if rng.random() < branching else i - 1
        light = kind == "revolute" and 0 < i < n - 1 and not branching and rng.random() < 0.25
        inertia = NO_INERTIA if light else body(points(rng))
        links.append(Link(f"l{i}", parent, joint, placement(rng), inertia))
    if change:
        change(links, rng)
    frames = {"base": Frame(BASE, placement(rng))}
    frames |= {link.name: Frame(i, placement(rng)) for i, link in enumerate(links)}
    frames["origin"] = Frame(n - 1, NO_TRANSFORM)
    return Mechanism(f"{'-'.join(kinds)} {seed}", tuple(links), vector(rng) + Vec3(0, 0, -10),
                     frames, tip=f"l{n - 1}", base_inertia=body(points(rng)),
                     origin=placement(rng))  # fmt: skip


def couple(links: list[Link], rng: Random) -> None:
    """Let every second moving joint follow another's coordinate or its own at another rate."""
    moving = [i for i, link in enumerate(links) if link.joint.kind != "fixed"]
    own = moving[::2]
    for i in moving[1::2] + own[:1]:
        turns = links[i].joint.kind in TURNING
        leaders = [k for k in own if not turns or links[k].joint.kind in TURNING]
        leader = i if i in own or not leaders else rng.choice(leaders)
        ratio = rng.choice((-2, -1, 1, 2)) if turns else half_tangent(rng)
        _drive(links, i, Coupling(links[leader].joint.name, ratio, offset(rng, turns)))


def shift(links: list[Link], rng: Random) -> None:
    """Let every joint's own coordinate have its zero elsewhere."""
    for i, link in enumerate(links):
        shifted = offset(rng, link.joint.kind in TURNING)
        _drive(links, i, Coupling(link.joint.name, 1, shifted))


def offset(rng: Random, turns: bool) -> Any:
    return Turn.half_tangent(half_tangent(rng), rational(rng)) if turns else rational(rng)


def _drive(links: list[Link], i: int, coupling: Coupling) -> None:
    links[i] = replace(links[i], joint=replace(links[i].joint, coupling=coupling))


FAMILIES: dict[str, tuple[Any, ...]] = {
    "revolute_chain": (REVOLUTE, 5),
    "prismatic_chain": (PRISMATIC, 3),
    "screw_chain": (SCREWS, 4),
    "shifted_chain": (SCREWS, 4, 0, shift),
    "mixed_chain": (MIXED, 7),
    "mixed_tree": (MIXED, 9, 0.6),
    "revolute_tree": (REVOLUTE, 6, 0.6),
    "freed_chain": (FREED, 4),
    "freed_tree": (FREED, 6, 0.6),
    "coupled_chain": (REVOLUTE + SCREWS, 6, 0, couple),
    "coupled_tree": (MIXED, 9, 0.6, couple),
}
SEEDS = (1, 2, 3)
MATRIX = {
    f"{name}_{seed}": mechanism(seed, *family)
    for name, family in FAMILIES.items()
    for seed in SEEDS
}
COUPLED = {name: m for name, m in MATRIX.items() if m.is_coupled}
INDEPENDENT = {name: m for name, m in MATRIX.items() if not m.is_coupled}
HOLONOMIC = {name: m for name, m in MATRIX.items() if m.nq == m.n}  # rates are those of q


# -- states ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """Coordinates, rates and accelerations, joint efforts and a wrench at the tip."""

    q: Scalars
    qd: Scalars
    qdd: Scalars
    tau: Scalars
    tip_wrench: Scalars


def own_joints(m: Mechanism) -> list[Joint]:
    """The joints that have coordinates of their own, in order."""
    return [k.joint for k in m.links if k.joint.name in m.coordinates]


def element_names(m: Mechanism, kind: str) -> list[tuple[Joint, str]]:
    """The joint of each element of q (`q_names`) or q̇ (`v_names`), and its part's name."""
    return [(joint, part) for joint in own_joints(m) for part in getattr(joint.row, kind)]


def state(m: Mechanism, seed: int = 0) -> State:
    """One zero rate where there is room, where dry friction is nothing. Quaternions of any size."""
    rng = Random(f"{m.name} {seed}")
    q: Scalars = []
    for joint, part in element_names(m, "q_names"):
        drives = [k.joint.drive for k in m.links if k.joint.drive.joint == joint.name]
        angle = Angle if all(d.ratio == 1 and d.offset == 0 for d in drives) else Turn
        t, value = half_tangent(rng), rational(rng)
        if part:
            q.append(positive(rng) * rng.choice((-1, 1)))
        else:
            q.append(angle.half_tangent(t, value) if joint.kind in TURNING else value)
    qd, qdd, tau, wrench = ([rational(rng) for _ in range(k)] for k in (m.n, m.n, m.n, 6))
    if m.n > 3:
        qd[rng.randrange(m.n)] = Fraction(0)
    return State(q, qd, qdd, tau, wrench)


# -- readings --------------------------------------------------------------------------------------

INDICES = ("parent", "link")  # whole numbers that are no scalars


def mapped(x: Any, f: Callable[[Any], Any]) -> Any:
    """The same mechanism, or part of one, with every number through `f`."""
    if isinstance(x, int | float | Fraction):
        return f(x)
    if isinstance(x, tuple | list):
        return type(x)(mapped(y, f) for y in x)
    if isinstance(x, Mapping):
        return {key: mapped(y, f) for key, y in x.items()}
    if not is_dataclass(x):
        return x
    values = {k.name: getattr(x, k.name) for k in fields(x)}
    skipped = INDICES + ("has_inertia",)
    return type(x)(**{k: y if k in skipped else mapped(y, f) for k, y in values.items()})


def as_float(x: Any) -> Any:
    """Whole numbers stay, as files give them."""
    return float(x) if isinstance(x, Fraction) else x


def in_floats(m: Mechanism) -> Mechanism:
    """The same robot in floats; an exact offset angle becomes its value."""
    links = []
    for link in m.links:
        drive = link.joint.coupling
        if drive is not None and isinstance(drive.offset, Turn):
            joint = replace(link.joint, coupling=replace(drive, offset=drive.offset.value))
            link = replace(link, joint=joint)
        links.append(link)
    return mapped(m.with_links(links), as_float)


def is_exact(x: Any) -> bool:
    """Whether all numbers in nested lists are rational: no float slipped in."""
    if isinstance(x, list | tuple):
        return all(map(is_exact, x))
    return isinstance(x, int | Fraction)
