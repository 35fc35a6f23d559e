"""From a mechanism back to a description that `assemble` makes the very same mechanism of.

Rule 1  Exact first, readable second: a link is described in the axes its file used where they
        are a quarter turn away from the mechanism's, otherwise in the mechanism's own.
Rule 2  Mass, centre of mass and inertia are given where they reproduce the moments bit for bit,
        in the fewest digits that do; otherwise the moments themselves.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from momentarm.model.alignment import QUARTER_TURNS
from momentarm.model.description import (
    HERE,
    FrameDescription,
    JointDescription,
    LinkDescription,
    Moments,
    Pose,
    RobotDescription,
    applied,
    product,
)
from momentarm.model.joints import JOINT_TYPES
from momentarm.model.mechanism import BASE, Frame, Link, Mechanism
from momentarm.spatial import (
    EZ,
    IDENTITY,
    NO_INERTIA,
    Inertia,
    Mat3,
    Rotation,
    Sym3,
    Transform,
    Vec3,
)

DIGITS = (3, 5, 7, 9, 11, 13, 14, 15, 16, 17)
_TURNS_BACK = [(A.T, A) for A in QUARTER_TURNS.values()]


def describe(mechanism: Mechanism) -> RobotDescription:
    """The inverse of `assemble`."""
    base = next((name for name, f in mechanism.frames.items() if f.link == BASE), "base")
    names = [base, *(link.name for link in mechanism.links)]
    turns = [_turn(link, mechanism.frames.get(link.name)) for link in mechanism.links]
    turns.append(IDENTITY)  # the base is number -1
    bodies = {link.name: _link(link, A, mechanism) for link, A in
              zip(mechanism.links, turns, strict=False)}  # fmt: skip
    bodies[base] = _base(base, mechanism)
    in_file = [name for name in mechanism.frames if name in bodies]
    ordered = in_file + [name for name in names if name not in mechanism.frames]
    return RobotDescription(
        mechanism.name,
        tuple(bodies[name] for name in ordered),
        tuple(_joint(i, mechanism, turns, names) for i in range(len(mechanism.links))),
        tuple(
            FrameDescription(name, names[f.link + 1], _seen(turns[f.link], f.X))
            for name, f in mechanism.frames.items()
            if name not in bodies
        ),
        mechanism.gravity,
        tip=mechanism.tip,
        origin=_pose(mechanism.origin),
    )


def _turn(link: Link, frame: Frame | None) -> Mat3:
    """A: from the link's described axes to the mechanism's, a quarter turn or none."""
    has_axis = JOINT_TYPES[link.joint.kind].has_axis
    if frame is None or not has_axis or not _at_origin(frame.X):
        return IDENTITY
    R = frame.X.R.matrix
    return next((A for back, A in _TURNS_BACK if back == R), IDENTITY)


def _at_origin(X: Transform) -> bool:
    return tuple(X.origin) == (0, 0, 0)


def _pose(X: Transform) -> Pose:
    return Pose(X.R.matrix, X.origin)


def _seen(A: Mat3, X: Transform) -> Pose:
    """A place on a link, from its described axes."""
    return Pose(product(A, X.R.matrix), applied(A, X.origin))


def _joint(i: int, mechanism: Mechanism, turns: list[Mat3], names: list[str]) -> JointDescription:
    link = mechanism.links[i]
    joint, parent, A = link.joint, turns[link.parent], turns[i]
    place = _pose(link.placement)
    placement = Pose(product(product(parent, place.R), A.T), applied(parent, place.p))
    own = joint.coupling if joint.coupling and joint.coupling.joint == joint.name else None
    return JointDescription(
        joint.name,
        joint.kind,
        names[link.parent + 1],
        link.name,
        placement,
        A @ EZ,
        joint.pitch,
        own.ratio if own else 1,
        own.offset if own else 0,
        joint.limits,
        joint.actuator.damping,
        joint.actuator.friction,
        joint.actuator.armature,
        None if own else joint.coupling,
    )


def _link(link: Link, A: Mat3, mechanism: Mechanism) -> LinkDescription:
    frame = mechanism.frames.get(link.name)
    pose = _seen(A, frame.X) if frame is not None else HERE
    body = _described(link.name, link.inertia, A, link.has_inertia)
    return LinkDescription(body.name, body.mass, body.com, body.inertia, moments=body.moments,
                           frame=pose)  # fmt: skip


def _base(name: str, mechanism: Mechanism) -> LinkDescription:
    body = mechanism.base_inertia
    return _described(name, body, IDENTITY, body != NO_INERTIA)


def _described(name: str, body: Inertia, A: Mat3, said: bool) -> LinkDescription:
    if not said:
        return LinkDescription(name)
    R = Rotation.from_matrix(A)
    for com, I in _candidates(body):
        if Inertia.about_com(body.m, com, I) == body:
            return LinkDescription(name, body.m, applied(A, com), R @ I)
    return LinkDescription(name, body.m, moments=Moments(applied(A, body.h), R @ body.E))


def _candidates(body: Inertia) -> Iterator[tuple[Vec3, Sym3]]:
    """Centres of mass and inertias near the body's, in few digits first, then neighbours."""
    if body.m == 0:
        yield from ((Vec3(0, 0, 0), I) for I in _shorter(body.I))
        return
    coms = [list(_factors(h, body.m)) for h in body.h]
    if not all(coms):
        return
    for com in (Vec3(*c) for c in itertools.islice(itertools.product(*coms), 8)):
        shift = Sym3.outer(com) * body.m
        E = body.E - shift
        yield from ((com, I) for I in _shorter(Inertia(0, com, E).I))


def _shorter(I: Sym3) -> Iterator[Sym3]:
    """`I` in more and more digits, then with its principal elements an ulp or two away."""
    for digits in DIGITS:
        yield Sym3(*(float(f"{x:.{digits}g}") for x in I))
    steps = (0, 1, -1, 2, -2)
    for a, b, c in itertools.product(steps, steps, steps):
        yield Sym3(I.xx + a * math.ulp(I.xx), I.yy + b * math.ulp(I.yy), I.zz + c * math.ulp(I.zz),
                   I.xy, I.xz, I.yz)  # fmt: skip


def _factors(product: float, m: float) -> Iterator[float]:
    """Numbers c with c m = `product` exactly as floats, short ones first."""
    c = product / m
    ulp = math.ulp(c)
    tried = [float(f"{c:.{digits}g}") for digits in DIGITS] + [c + k * ulp for k in (-2, -1, 1, 2)]
    yield from dict.fromkeys(x for x in tried if x * m == product)
