"""What a robot file says, whatever its format, as plain frozen data with places.

Rule 1  A link's axes are the frame of its joint with the joint at zero; everything on the link
        (inertia, further joints, frames) is given in them.
Rule 2  The frame that bears the link's name is the link's axes, unless `frame` puts it elsewhere.
Rule 3  Nothing is checked or computed in here: `assemble` does that, for all formats alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from momentarm.model.mechanism import Coupling, Limits
from momentarm.spatial import EZ, IDENTITY, ZERO, ZERO_SYM, Mat3, Sym3, Vec3


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a frame is: the matrix of its axes and the place of its origin."""

    R: Mat3 = IDENTITY
    p: Vec3 = ZERO

    def __matmul__(self, b: Pose) -> Pose:
        return Pose(product(self.R, b.R), self.p + applied(self.R, b.p))


HERE = Pose()
EARTH = Vec3(0, 0, -9.81)


def product(A: Mat3, B: Mat3) -> Mat3:
    """A B, untouched where one of them is the identity."""
    if A == IDENTITY:
        return B
    return A if B == IDENTITY else A @ B


def applied(A: Mat3, v: Vec3) -> Vec3:
    return v if A == IDENTITY else A @ v


@dataclass(frozen=True, slots=True)
class Moments:
    """First and second moments about the origin of the link's axes, as `Inertia` keeps them."""

    h: Vec3
    E: Sym3


@dataclass(frozen=True, slots=True)
class LinkDescription:
    name: str
    mass: float | None = None  # None: the file says nothing of inertia
    com: Vec3 = ZERO
    inertia: Sym3 = ZERO_SYM  # about the centre of mass, in the axes `inertial_rotation`
    inertial_rotation: Mat3 = IDENTITY
    moments: Moments | None = None  # instead of com and inertia
    frame: Pose = HERE
    where: str = ""
    places: Mapping[str, str] = field(default_factory=dict)

    def at(self, part: str) -> str:
        return self.places.get(part, self.where)


@dataclass(frozen=True, slots=True)
class JointDescription:
    name: str
    kind: str
    parent: str
    child: str
    placement: Pose = HERE  # in the parent link's axes
    axis: Vec3 = EZ  # in the child link's axes
    pitch: float = 0
    ratio: float = 1  # the joint's coordinate is ratio · q + offset
    offset: float = 0
    limits: Limits = Limits()
    damping: float = 0
    friction: float = 0
    armature: float = 0
    mimic: Coupling | None = None
    where: str = ""
    places: Mapping[str, str] = field(default_factory=dict)

    def at(self, part: str) -> str:
        return self.places.get(part, self.where)


@dataclass(frozen=True, slots=True)
class FrameDescription:
    name: str
    parent: str
    pose: Pose = HERE  # in the parent link's axes
    where: str = ""


@dataclass(frozen=True, slots=True)
class RobotDescription:
    name: str
    links: tuple[LinkDescription, ...]
    joints: tuple[JointDescription, ...] = ()
    frames: tuple[FrameDescription, ...] = ()
    gravity: Vec3 = EARTH
    base: str | None = None  # None: the link that is no joint's child
    tip: str | None = None  # None: the only leaf
    origin: Pose = HERE  # of the base in the world
    about: Mapping[str, str] = field(default_factory=dict)  # description, source, license
    where: str = ""
    places: Mapping[str, str] = field(default_factory=dict)

    def at(self, part: str) -> str:
        return self.places.get(part, self.where)
