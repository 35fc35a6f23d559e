"""A mechanism: frozen data about a tree of links, and nothing else.

Rule 1  A link's parent has a smaller index than the link; -1 is the base.
Rule 2  A joint moves along or about the z-axis of its own link's frame. User frames (the link
        frames of the file included) are named places on links: `frames`.
Rule 3  Any number in here may be any scalar. No parsing, no algorithms.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from momentarm.model.actuator import IDEAL, Actuator
from momentarm.model.joints import JOINT_TYPES, JointRow
from momentarm.model.problem import Problem
from momentarm.spatial import (
    NO_INERTIA,
    NO_TRANSFORM,
    Inertia,
    Scalar,
    Transform,
    Vec3,
)

BASE = -1


@dataclass(frozen=True, slots=True)
class Limits:
    """What a joint may do; None where nothing is said. Same units as q, q̇ and τ."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None


@dataclass(frozen=True, slots=True)
class Coupling:
    """A joint's own coordinate, `ratio` · q[`joint`] + `offset` (mimic joints, non-unit screws)."""

    joint: str
    ratio: Scalar = 1
    offset: Scalar = 0


@dataclass(frozen=True, slots=True)
class Joint:
    name: str
    kind: str  # a name in JOINT_TYPES
    pitch: Scalar = 0  # m/rad, helical joints only
    limits: Limits = Limits()
    actuator: Actuator = IDEAL
    coupling: Coupling | None = None  # None: its coordinate is its own, as it is

    @property
    def row(self) -> JointRow:
        return JOINT_TYPES[self.kind].row(self.pitch)

    @property
    def nq(self) -> int:
        """How many coordinates it has."""
        return len(self.row.q_names)

    @property
    def nv(self) -> int:
        """How many rates it has: its degrees of freedom."""
        return len(self.row.v_names)

    @property
    def drive(self) -> Coupling:
        return self.coupling or Coupling(self.name)


@dataclass(frozen=True, slots=True)
class Link:
    """A body and the joint that carries it. `placement` is X_ip with the joint at zero."""

    name: str
    parent: int
    joint: Joint
    placement: Transform = NO_TRANSFORM
    inertia: Inertia = NO_INERTIA
    has_inertia: bool = True  # False where the file said nothing
    places: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)  # in a file

    def at(self, part: str) -> str:
        """Where its file says it, or what is meant: "mass", "inertia", "joint", "limits", …"""
        of_joint = part in ("joint", "axis", "limits", "dynamics", "mimic", "placement")
        named = f"joint {self.joint.name!r}" if of_joint else f"link {self.name!r}"
        return self.places.get(part) or named


@dataclass(frozen=True, slots=True)
class Frame:
    """A named place: link index (BASE for the base) and X, from link to frame coordinates."""

    link: int
    X: Transform = NO_TRANSFORM


@dataclass(frozen=True)
class Mechanism:
    name: str
    links: tuple[Link, ...]
    gravity: Vec3 = Vec3(0, 0, -9.81)
    frames: Mapping[str, Frame] = field(default_factory=dict)  # in file order, base first
    tip: str | None = None  # the frame that "the tip" means, if there is one
    base_inertia: Inertia = NO_INERTIA
    origin: Transform = NO_TRANSFORM  # from world coordinates to those of the base
    notes: tuple[Problem, ...] = field(default=(), compare=False, repr=False)  # of its reader

    def __post_init__(self) -> None:
        object.__setattr__(self, "frames", MappingProxyType(dict(self.frames)))
        for i, link in enumerate(self.links):
            if not BASE <= link.parent < i:
                raise ValueError(f"link {link.name!r} (number {i}) has parent {link.parent}; "
                                 "parents come first")  # fmt: skip

    def with_links(self, links: Iterator[Link] | list[Link]) -> Mechanism:
        return replace(self, links=tuple(links))

    def outward(self) -> Iterator[tuple[int, Link]]:
        """Links with their index, parents first."""
        return enumerate(self.links)

    def inward(self) -> Iterator[tuple[int, Link]]:
        """Links with their index, children first."""
        return reversed(list(enumerate(self.links)))

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the joints that have coordinates of their own, in order."""
        return tuple(
            link.joint.name
            for link in self.links
            if link.joint.nv and link.joint.drive.joint == link.joint.name
        )

    @cached_property
    def q_names(self) -> tuple[str, ...]:
        """What each element of q is called: as its joint, or `joint.part`."""
        return self._named("q_names")

    @cached_property
    def v_names(self) -> tuple[str, ...]:
        """What each element of q̇, q̈ and τ is called."""
        return self._named("v_names")

    def _named(self, kind: str) -> tuple[str, ...]:
        own = (k.joint for k in self.links if k.joint.drive.joint == k.joint.name)
        return tuple(f"{joint.name}.{part}" if part else joint.name
                     for joint in own for part in getattr(joint.row, kind))  # fmt: skip

    @property
    def nq(self) -> int:
        """Elements of q."""
        return len(self.q_names)

    @property
    def n(self) -> int:
        """Degrees of freedom: elements of q̇, q̈ and τ."""
        return len(self.v_names)

    @property
    def is_coupled(self) -> bool:
        """Whether a joint's coordinate is another's, or its own at another rate."""
        drives = ((link.joint.name, link.joint.drive) for link in self.links)
        return any(drive.joint != name or drive.ratio != 1 for name, drive in drives)

    def path(self, link: int) -> list[int]:
        """Indices of the links from `link` to the base."""
        path = []
        while link != BASE:
            path.append(link)
            link = self.links[link].parent
        return path
