"""From the robot's coordinates to those of each joint and back: q_joint = G u + b.

Mimic joints, gears and non-unit screws are this one linear map around the algorithms: positions
and rates go through G, efforts come back through Gᵀ. Inside, every joint is its own. A joint of
several coordinates drives itself alone, so that G and b leave it as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from momentarm.model.mechanism import Joint, Link, Mechanism
from momentarm.spatial import Scalar, Transform

PerLink = dict[int, tuple[Scalar, ...]]
Places = dict[int, range]


def index(m: Mechanism) -> Places:
    """For each link, which elements of q̇ drive it."""
    return _places(m, {name: link.joint.nv for name, link in _own(m).items()})


def places(m: Mechanism) -> Places:
    """For each link, which elements of q drive it."""
    return _places(m, {name: link.joint.nq for name, link in _own(m).items()})


def _own(m: Mechanism) -> dict[str, Link]:
    """The links whose joints have coordinates of their own, by the joint's name."""
    return {k.joint.name: k for k in m.links if k.joint.nv and k.joint.drive.joint == k.joint.name}


def _places(m: Mechanism, sizes: Mapping[str, int]) -> Places:
    where, start = {}, 0
    for name, size in sizes.items():
        where[name] = range(start, start + size)
        start += size
    return {i: where.get(link.joint.drive.joint, range(0)) for i, link in m.outward()}


def positions(m: Mechanism, q: Sequence[Scalar]) -> PerLink:
    """Each joint's own coordinates, ratio · q + offset."""
    own: PerLink = {}
    for i, at in places(m).items():
        drive = m.links[i].joint.drive
        own[i] = tuple(drive.ratio * q[k] + drive.offset for k in at)
    return own


def rates(m: Mechanism, qd: Sequence[Scalar]) -> PerLink:
    """Each joint's own velocities or accelerations, ratio · q̇."""
    return {i: tuple(m.links[i].joint.drive.ratio * qd[k] for k in at)
            for i, at in index(m).items()}  # fmt: skip


def efforts(m: Mechanism, own: Mapping[int, tuple[Scalar, ...]]) -> list[Scalar]:
    """τ = Gᵀ τ_joint."""
    tau: list[Scalar] = [0] * m.n
    for i, at in index(m).items():
        for k, effort in zip(at, own[i], strict=True):
            tau[k] = tau[k] + m.links[i].joint.drive.ratio * effort
    return tau


def tangents(m: Mechanism, q: Sequence[Scalar]) -> list[dict[int, Scalar]]:
    """For each element of q̇, how fast it moves the elements of q: 1 but for quaternions."""
    return [dict(zip(at, column, strict=True)) for joint, at, _ in _ranges(m)
            for column in joint.row.tangents(tuple(q[k] for k in at))]  # fmt: skip


def moved(m: Mechanism, q: Sequence[Scalar], u: Sequence[Scalar]) -> list[Scalar]:
    """The coordinates to which rates u lead from q in one second."""
    return [x for joint, at, by in _ranges(m) for x in joint.row.moved(
        tuple(q[k] for k in at), tuple(u[k] for k in by))]  # fmt: skip


def between(m: Mechanism, q: Sequence[Scalar], p: Sequence[Scalar]) -> list[Scalar]:
    """The rates that lead from q to p in one second."""
    return [x for joint, at, _ in _ranges(m) for x in joint.row.between(
        tuple(q[k] for k in at), tuple(p[k] for k in at))]  # fmt: skip


def _ranges(m: Mechanism) -> Iterator[tuple[Joint, range, range]]:
    """The joints with coordinates of their own, and where these and their rates are."""
    start_q = start_v = 0
    for link in _own(m).values():
        joint = link.joint
        yield joint, range(start_q, start_q + joint.nq), range(start_v, start_v + joint.nv)
        start_q, start_v = start_q + joint.nq, start_v + joint.nv


def transforms(m: Mechanism, q: Sequence[Scalar]) -> dict[int, Transform]:
    """X[i] = X_ip(q): from the coordinates of link i's parent to those of link i."""
    own = positions(m, q)
    return {i: link.joint.row.at(link.placement, own[i]) for i, link in m.outward()}
