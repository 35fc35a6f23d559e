"""The numbers of a mechanism as vectors: read, named, and replaced by any other scalars.

Rule 1  A kind of parameters is a row of `KINDS`; each is Mechanism -> numbers and back.
Rule 2  `inertia` is φ, ten numbers a link of the file at its own frame: m, m·c (x, y, z), I_xx,
        I_xy, I_yy, I_xz, I_yz, I_zz. Efforts, M, momenta and energies are linear in it.
Rule 3  Replaced numbers may be expressions: what is traced then takes them as arguments.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from momentarm.model.actuator import Actuator
from momentarm.model.mechanism import BASE, Frame, Link, Mechanism
from momentarm.spatial import (
    Inertia,
    Mat3,
    Scalar,
    Sym3,
    Transform,
    Vec3,
    cos,
    second_moments,
    sin,
)

BODY = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
DRIVE = ("armature", "damping", "friction")
ORIGIN = ("x", "y", "z", "roll", "pitch", "yaw")
Scalars = Sequence[Scalar]


def phi(body: Inertia) -> list[Scalar]:
    """The ten numbers of a body."""
    I = body.I
    return [body.m, *body.h, I.xx, I.xy, I.yy, I.xz, I.yz, I.zz]


def body_of(phi: Scalars) -> Inertia:
    """The body with these ten numbers."""
    m, x, y, z, xx, xy, yy, xz, yz, zz = phi
    return Inertia(m, Vec3(x, y, z), second_moments(Sym3(xx, yy, zz, xy, xz, yz)))


def by_body(m: Mechanism) -> Mechanism:
    """With the links' own frames, as files mean them, for all its frames."""
    return replace(m, frames={link.name: own_frame(m, i) for i, link in m.outward()})


def own_frame(m: Mechanism, i: int) -> Frame:
    """The frame of a link that its file means."""
    place = m.frames.get(m.links[i].name, Frame(i)) if i != BASE else Frame(BASE)
    return place if place.link == i else Frame(i)


@dataclass(frozen=True, slots=True)
class Kind:
    """What the numbers are called, which they are, and the mechanism with others."""

    names: Callable[[Mechanism], list[str]]
    values: Callable[[Mechanism], list[Scalar]]
    applied: Callable[[Mechanism, Scalars], Mechanism]


def _inertias(m: Mechanism) -> list[Scalar]:
    bodies = (own_frame(m, i).X.inverse().T @ link.inertia for i, link in m.outward())
    return [x for body in bodies for x in phi(body)]


def _with_inertias(m: Mechanism, values: Scalars) -> Mechanism:
    links = []
    for (i, link), ten in zip(m.outward(), _rows(values, len(BODY)), strict=True):
        body = own_frame(m, i).X.T @ body_of(ten)
        links.append(replace(link, inertia=body, has_inertia=True))
    return m.with_links(links)


def _driven(m: Mechanism) -> list[Link]:
    return [link for link in m.links if link.joint.nv]


def _drives(m: Mechanism) -> list[Scalar]:
    drives = [link.joint.actuator for link in _driven(m)]
    return [getattr(drive, k) for drive in drives for k in DRIVE]


def _with_drives(m: Mechanism, values: Scalars) -> Mechanism:
    given = {link.joint.name: Actuator(*row)
             for link, row in zip(_driven(m), _rows(values, len(DRIVE)), strict=True)}  # fmt: skip
    return m.with_links([
        replace(link, joint=replace(link.joint, actuator=given[link.joint.name]))
        if link.joint.nv else link for link in m.links
    ])  # fmt: skip


def _with_gravity(m: Mechanism, values: Scalars) -> Mechanism:
    return replace(m, gravity=Vec3(*values))


def _with_payload(m: Mechanism, values: Scalars) -> Mechanism:
    """With one more body in the tip's frame."""
    if m.tip is None:
        return m
    place = m.frames[m.tip]
    links = list(m.links)
    if place.link != BASE:
        link = links[place.link]
        extra = place.X.T @ body_of(values)
        links[place.link] = replace(link, inertia=link.inertia + extra, has_inertia=True)
    return m.with_links(links)


def _origins(m: Mechanism) -> list[Scalar]:
    """Where each link's own frame is in its parent's, all joints at zero: xyz and rpy."""
    found: list[Scalar] = []
    for i, link in m.outward():
        parent = own_frame(m, link.parent).X.inverse()
        step = own_frame(m, i).X @ (link.placement @ parent)
        R = step.R.matrix
        pitch = math.atan2(-R.cx.z, math.hypot(R.cx.x, R.cx.y))
        angles = math.atan2(R.cy.z, R.cz.z), pitch, math.atan2(R.cx.y, R.cx.x)
        found += [*step.origin, *angles]
    return found


def _with_origins(m: Mechanism, values: Scalars) -> Mechanism:
    links = []
    for (i, link), row in zip(m.outward(), _rows(values, len(ORIGIN)), strict=True):
        step = Transform.pose(turned(*row[3:]), Vec3(*row[:3]))
        placement = own_frame(m, i).X.inverse() @ (step @ own_frame(m, link.parent).X)
        links.append(replace(link, placement=Transform.pose(placement.R.matrix, placement.origin)))
    return m.with_links(links)


def turned(roll: Scalar, pitch: Scalar, yaw: Scalar) -> Mat3:
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, sr), (cp, sp), (cy, sy) = ((cos(a), sin(a)) for a in (roll, pitch, yaw))
    return Mat3.rows((
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    ))  # fmt: skip


def _rows(values: Scalars, width: int) -> Iterator[Scalars]:
    return (values[k : k + width] for k in range(0, len(values), width))


def _named(parts: Sequence[str], owners: Callable[[Mechanism], list[str]]) -> Callable[
        [Mechanism], list[str]]:  # fmt: skip
    return lambda m: [f"{owner}.{part}" for owner in owners(m) for part in parts]


def _link_names(m: Mechanism) -> list[str]:
    return [link.name for link in m.links]


KINDS = {
    "inertia": Kind(_named(BODY, _link_names), _inertias, _with_inertias),
    "drives": Kind(_named(DRIVE, lambda m: [k.joint.name for k in _driven(m)]), _drives,
                   _with_drives),
    "gravity": Kind(lambda m: ["gravity.x", "gravity.y", "gravity.z"], lambda m: [*m.gravity],
                    _with_gravity),
    "payload": Kind(_named(BODY, lambda m: ["payload"]), lambda m: [0] * len(BODY),
                    _with_payload),
    "origins": Kind(_named(ORIGIN, _link_names), _origins, _with_origins),
}  # fmt: skip
