"""From the robot's coordinates to those of each joint and back: q_joint = G u + b.

Mimic joints, gears and non-unit screws are this one linear map around the algorithms: positions
and rates go through G, efforts come back through Gᵀ. Inside, every joint is its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from momentarm.model.mechanism import Mechanism
from momentarm.spatial import Scalar, Transform

PerLink = dict[int, tuple[Scalar, ...]]


def index(m: Mechanism) -> dict[int, int]:
    """For each link that moves, which of the robot's coordinates drives it."""
    number = {name: k for k, name in enumerate(m.coordinates)}
    return {i: number[link.joint.drive.joint] for i, link in m.outward() if link.joint.row.nv}


def positions(m: Mechanism, q: Sequence[Scalar]) -> PerLink:
    """Each joint's own coordinate, ratio · q + offset."""
    own: PerLink = dict.fromkeys(range(len(m.links)), ())
    for i, k in index(m).items():
        drive = m.links[i].joint.drive
        own[i] = (drive.ratio * q[k] + drive.offset,)
    return own


def rates(m: Mechanism, qd: Sequence[Scalar]) -> PerLink:
    """Each joint's own velocity or acceleration, ratio · q̇."""
    own: PerLink = dict.fromkeys(range(len(m.links)), ())
    for i, k in index(m).items():
        own[i] = (m.links[i].joint.drive.ratio * qd[k],)
    return own


def efforts(m: Mechanism, own: Mapping[int, tuple[Scalar, ...]]) -> list[Scalar]:
    """τ = Gᵀ τ_joint."""
    tau: list[Scalar] = [0] * m.n
    for i, k in index(m).items():
        tau[k] = tau[k] + m.links[i].joint.drive.ratio * own[i][0]
    return tau


def transforms(m: Mechanism, q: Sequence[Scalar]) -> dict[int, Transform]:
    """X[i] = X_ip(q): from the coordinates of link i's parent to those of link i."""
    own = positions(m, q)
    return {i: link.joint.row.at(link.placement, own[i]) for i, link in m.outward()}
