"""Other robots from one: joints locked, a body carried. Mechanism -> Mechanism."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from momentarm.model.mechanism import BASE, Frame, Joint, Mechanism
from momentarm.spatial import Inertia, Scalar, Transform


def locked(m: Mechanism, values: Mapping[str, Sequence[Scalar]]) -> Mechanism:
    """With some joints (and those that mimic them) fixed where these coordinates put them."""
    links = []
    for link in m.links:
        drive = link.joint.drive
        if link.joint.nv and drive.joint in values:
            own = tuple(drive.ratio * x + drive.offset for x in values[drive.joint])
            X = link.joint.row.at(link.placement, own)
            placement = Transform.pose(X.R.matrix, X.origin)  # as files write it
            link = replace(link, joint=Joint(link.joint.name, "fixed"), placement=placement)
        links.append(link)
    return m.with_links(links)


def carrying(m: Mechanism, place: Frame, body: Inertia) -> Mechanism:
    """With a further body fixed in a frame."""
    extra = place.X.T @ body
    if place.link == BASE:
        return replace(m, base_inertia=m.base_inertia + extra)
    links = list(m.links)
    old = links[place.link]
    links[place.link] = replace(old, inertia=old.inertia + extra, has_inertia=True)
    return m.with_links(links)


def leaves(m: Mechanism) -> list[str]:
    """Named frames on links that carry no other link."""
    parents = {link.parent for link in m.links}
    return [name for name, f in m.frames.items() if f.link not in parents]
