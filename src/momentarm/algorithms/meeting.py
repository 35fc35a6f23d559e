"""Where the axes of joints meet the forces of links beyond them.

A matrix of the dynamics has an element for two joints on one path to the base: something of the
inner one's axis times something of the outer one's force. They may meet in any frame between.
Axes travel outward as far as depth `inner` of the tree, forces inward down to it; with 0 the
forces go all the way, and meet each axis at home, where it is a coordinate axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import Force, Motion, Scalar

Axis = tuple[int, int]  # a link and which of its joint's axes
Motions = tuple[Motion, ...]  # what travels with an axis
Forces = tuple[Force, ...]  # what travels with a force
AtLink = dict[int, dict[Axis, Motions]]


@dataclass(frozen=True, slots=True)
class Meeting:
    """`own`: each link's axes at home; `axes`: in links up to depth `inner`, all axes up to it."""

    m: Mechanism
    own: AtLink
    axes: AtLink
    inward: Callable[[int, Forces], Forces]  # from a link to its parent

    @classmethod
    def of(cls, m: Mechanism, X: Any, own: AtLink, inner: int,
           outward: Callable[[int, Motions], Motions] | None = None,
           inward: Callable[[int, Forces], Forces] | None = None) -> Meeting:  # fmt: skip
        """Carried by X and Xᵀ, where nothing else is said."""
        out = outward or (lambda i, x: tuple(X[i] @ S for S in x))
        back = inward or (lambda i, x: tuple(X[i].T @ f for f in x))
        depth, axes = depths(m), AtLink({BASE: {}})
        for i, link in m.outward():
            if depth[i] <= inner:
                axes[i] = {at: out(i, x) for at, x in axes[link.parent].items()} | own[i]
        return cls(m, own, axes, back)

    def __call__(self, k: int, forces: Forces) -> Iterator[tuple[Axis, Motions, Forces]]:
        """Every axis from link k to the base, with the forces of link k in the same coordinates."""
        while k not in self.axes:
            for at, motions in self.own[k].items():
                yield at, motions, forces
            forces, k = self.inward(k, forces), self.m.links[k].parent
        for at, motions in self.axes[k].items():
            yield at, motions, forces


def drives(m: Mechanism) -> dict[Axis, tuple[int, Scalar]]:
    """For each axis the element of q̇ that drives it, and at which ratio."""
    return {(i, a): (k, m.links[i].joint.drive.ratio)
            for i, at in coordinates.index(m).items() for a, k in enumerate(at)}  # fmt: skip


def depths(m: Mechanism) -> dict[int, int]:
    """How many links lie between each link and the base, itself counted."""
    depth = {BASE: 0}
    for i, link in m.outward():
        depth[i] = depth[link.parent] + 1
    return depth


def halfway(m: Mechanism) -> int:
    """The depth at which axes and forces have come equally far."""
    return (max(depths(m).values()) + 1) // 2


def midway(m: Mechanism) -> int:
    """A little beyond half the way: forces have more to carry than axes."""
    return max(depths(m).values()) // 2 + 1
