"""Changes of form that leave the dynamics alone: each is Mechanism -> Mechanism.

`merged`     fixed links become part of what carries them.
`aligned`    Denavit–Hartenberg frames (modified convention) for any tree: a link's x-axis is the
             common normal to the axis of the child that carries most, so that a step costs one tilt
             about x and one turn about z. Links of joints that hold their whole frame, and frames
             given by name, stay where they are.
             What has an expression for a number is left as it is.
`regrouped`  inertia that a joint cannot tell from its parent's is given to the parent. Efforts,
             M and q̈ stay; momenta and link wrenches do not, and V gains a constant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from numbers import Real

from momentarm.model.alignment import length
from momentarm.model.mechanism import BASE, Frame, Link, Mechanism
from momentarm.spatial import (
    EX,
    EZ,
    NO_TRANSFORM,
    ZERO,
    Inertia,
    Mat3,
    Rotation,
    Scalar,
    Sym3,
    Transform,
    TurnX,
    TurnZ,
    Vec3,
)

ROUNDING = 2e-15  # what is smaller, of sines or relative to the robot's size, is rounding
PARALLEL = 1e-14  # sine of the angle below which two axes count as parallel
FAR = 10  # in sizes of the link: a common normal farther off costs more digits than it is worth


def canonical(m: Mechanism) -> Mechanism:
    """The form in which efforts, M and q̈ cost least."""
    return regrouped(aligned(m))


def merged(m: Mechanism) -> Mechanism:
    """Without fixed joints."""
    links: list[Link] = []
    base_inertia = m.base_inertia
    where = {BASE: Frame(BASE)}  # old link -> new link, and X from new to old coordinates
    for i, link in m.outward():
        parent = where[link.parent]
        X = link.placement @ parent.X if parent.X != NO_TRANSFORM else link.placement
        if link.joint.nv:
            where[i] = Frame(len(links))
            links.append(replace(link, parent=parent.link, placement=X))
        elif parent.link == BASE:
            where[i] = Frame(BASE, X)
            base_inertia = base_inertia + X.T @ link.inertia
        else:
            where[i] = Frame(parent.link, X)
            body = links[parent.link]
            links[parent.link] = replace(body, inertia=body.inertia + X.T @ link.inertia)
    frames = {
        name: Frame(where[f.link].link, f.X @ where[f.link].X) for name, f in m.frames.items()
    }
    return replace(m, links=tuple(links), frames=frames, base_inertia=base_inertia)


def regrouped(m: Mechanism) -> Mechanism:
    """With each link's inertia reduced to what its joint can feel."""
    links = list(m.links)
    for i, link in m.inward():
        if not _are_numbers(links[i].inertia):
            continue
        inertia = _without_rounding(links[i].inertia)
        moved = link.joint.row.on_axis(inertia)
        links[i] = replace(links[i], inertia=inertia - moved)
        if link.parent != BASE:
            parent = links[link.parent]
            links[link.parent] = replace(parent, inertia=parent.inertia + link.placement.T @ moved)
    return m.with_links(links)


def aligned(m: Mechanism) -> Mechanism:
    """In modified Denavit–Hartenberg frames, without fixed joints; placements must be numbers."""
    m = merged(m)
    if not m.links or not all(_are_numbers(_elements(link.placement)) for link in m.links):
        return m
    heirs = _heirs(m)
    seats: dict[int, Transform] = {}  # pose of each new frame in the link's old one
    links: list[Link] = []
    for i, link in m.outward():
        heir = m.links[heirs[i]] if i in heirs and link.joint.row.holds != "all" else None
        if BASE not in seats:  # the first joint's frame at zero is the base's new frame
            seats[i] = _seat(link, link.placement.inverse(), heir)
            seats[BASE] = _posed(link.placement, seats[i])
        else:
            parent = _posed(link.placement.inverse(), seats[link.parent])
            seats[i] = _seat(link, parent, heir)
        step = _step(_relative(seats, i, link))
        if heir is None and link.joint.row.holds != "all":
            # nothing to align with: zero of the joint where the parent's x is
            seats[i] = _posed(seats[i], Transform(Rotation((TurnZ(step.last.c, -step.last.s),))))
            step = replace(step, last=TurnZ(1, 0))
        inertia = seats[i].inverse().T @ link.inertia
        links.append(_placed(replace(link, inertia=inertia), step))
    inverse = {i: pose.inverse() for i, pose in seats.items()}
    frames = {name: Frame(f.link, _posed(inverse[f.link], f.X)) for name, f in m.frames.items()}
    gravity = seats[BASE].R.T @ m.gravity
    if _are_numbers(gravity):
        gravity = _tidy(gravity, length(m.gravity))
    return replace(m, links=tuple(links), frames=frames, gravity=gravity,
                   origin=_posed(m.origin, seats[BASE]))  # fmt: skip


def _heirs(m: Mechanism) -> dict[int, int]:
    """For each link the child that its x-axis is aligned with: the one that carries most."""
    carried = [1] * len(m.links)
    for i, link in m.inward():
        if link.parent != BASE:
            carried[link.parent] += carried[i]
    heirs: dict[int, int] = {}
    for i, link in m.outward():
        rival = heirs.get(link.parent)
        if link.joint.row.holds == "all":
            continue
        if link.parent != BASE and (rival is None or carried[i] > carried[rival]):
            heirs[link.parent] = i
    return heirs


def _posed(a: Transform, b: Transform) -> Transform:
    """The pose of c in a, from the pose of b in a and that of c in b, as a plain matrix."""
    R = a.R.matrix @ b.R.matrix
    return Transform.pose(R, a.origin + a.R @ b.origin)


def _relative(seats: dict[int, Transform], i: int, link: Link) -> Transform:
    """The pose of link i's new frame in its parent's new frame."""
    return _posed(seats[link.parent].inverse(), _posed(link.placement, seats[i]))


def _seat(link: Link, parent: Transform, heir: Link | None) -> Transform:
    """The new frame on the joint's axis; `parent` is the parent's new frame, seen from here.

    An axis along which a link only slides may be anywhere: it goes through the parent's origin.
    A joint that holds all of its link's frame leaves nothing to choose.
    """
    if link.joint.row.holds == "all":
        return NO_TRANSFORM
    o, slides = parent.origin, link.joint.row.holds == "direction"
    axis = Vec3(o.x, o.y, 0) if slides else ZERO
    height = o.z
    if not slides:
        foot = _foot(o, parent.R @ EZ)
        height = foot if abs(foot) <= FAR * length(o) else o.z
    x = EX
    if heir is not None:
        u, point = heir.placement.R @ EZ, heir.placement.origin - axis
        normal, free = EZ.cross(u), heir.joint.row.holds == "direction"
        if length(normal) < PARALLEL:
            across = Vec3(point.x, point.y, 0)
            x = EX if free or length(across) <= ROUNDING * length(point) else across
        elif free:
            x = normal
        else:
            foot = _foot(point, u)
            if abs(foot - height) <= FAR * length(point - EZ * height):
                height, x = foot, normal if normal.dot(point) >= 0 else -normal
    c, s = _tidy_turn(x.x, x.y)
    turn = Mat3.rows([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return Transform.pose(turn, axis + EZ * height)


def _foot(b: Vec3, u: Vec3) -> float:
    """Height on the z-axis of the common normal to the line through b along u; inf if parallel."""
    across = u.x * u.x + u.y * u.y
    if math.sqrt(across) < PARALLEL:
        return math.inf
    return b.z - u.z * (b.x * u.x + b.y * u.y) / across


def _are_numbers(values: Iterable[Scalar]) -> bool:
    """Whether none of them is an expression, an argument of what is traced."""
    return all(isinstance(x, Real) for x in values)


def _elements(X: Transform) -> Iterator[Scalar]:
    for column in (*X.R.matrix, X.origin):
        yield from column


def _without_rounding(b: Inertia) -> Inertia:
    """The same body with elements that are only rounding made exact zeros or equals."""
    E = b.E
    tiny = ROUNDING * max(abs(x) for x in E)
    yy = E.xx if abs(E.xx - E.yy) < ROUNDING * max(abs(E.xx), abs(E.yy)) else E.yy
    off = (0 if abs(x) < tiny else x for x in (E.xy, E.xz, E.yz))
    return Inertia(b.m, _tidy(b.h, max(abs(x) for x in b.h)), Sym3(E.xx, yy, E.zz, *off))


@dataclass(frozen=True, slots=True)
class _Step:
    """A pose as turns z(γ), x(α), z(θ), a place p in the parent and a slide along the link's z."""

    first: TurnZ
    tilt: TurnX
    last: TurnZ
    p: Vec3
    slide: float


def _step(pose: Transform) -> _Step:
    """γ = 0 and p = (d, 0, 0) where the x-axes are common normals."""
    R, p = pose.R.matrix, pose.origin
    w = R.cz
    if abs(w.x) <= ROUNDING:
        first, tilt = TurnZ(1, 0), TurnX(*_tidy_turn(w.z, -w.y))
    else:
        first = TurnZ(*_tidy_turn(-w.y, w.x))
        tilt = TurnX(*_tidy_turn(w.z, math.hypot(w.x, w.y)))
    x = Rotation.of(first, tilt).T @ R.cx
    last = TurnZ(*_tidy_turn(x.x, x.y))
    slide, size = p.dot(w), length(p)
    rest = p - w * slide
    if abs(w.x) <= ROUNDING and math.hypot(rest.y, rest.z) <= ROUNDING * size:
        return _Step(first, tilt, last, _tidy(Vec3(rest.x, 0, 0), size), _tidied(slide, size))
    return _Step(first, tilt, last, _tidy(p, size), 0)


def _placed(link: Link, step: _Step) -> Link:
    """The link after this step. Constant turns stay turns: an angle added to q would lose bits."""
    R = Rotation.of(step.first, step.tilt, step.last)
    return replace(link, placement=Transform(R, step.p, step.slide))


def _tidy_turn(c: float, s: float) -> tuple[float, float]:
    """(cos, sin) of the direction (c, s), exact where it is a quarter turn."""
    r = math.hypot(c, s)
    c, s = c / r, s / r
    if abs(s) < ROUNDING:
        return (1 if c > 0 else -1), 0
    if abs(c) < ROUNDING:
        return 0, (1 if s > 0 else -1)
    return c, s


def _tidied(x: float, scale: float) -> float:
    return 0 if abs(x) <= ROUNDING * scale else x


def _tidy(v: Vec3, scale: float) -> Vec3:
    return Vec3(*(_tidied(x, scale) for x in v))
