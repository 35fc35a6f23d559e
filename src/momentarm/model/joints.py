"""The joint table: what each type of joint does to motions and forces.

Rule 1  A joint moves along or about the z-axis of its link's frame; formats see to that.
Rule 2  Everything an algorithm may ask of a joint is a method of its row. To add a type, add a row.
Rule 3  A row owns its way outward (motions) and inward (efforts); the loops know no types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from momentarm.spatial import (
    EX,
    EY,
    EZ,
    NO_INERTIA,
    ZERO,
    ZERO_SYM,
    BodyMotion,
    Force,
    Inertia,
    Motion,
    Scalar,
    Sym3,
    Transform,
    TurnZ,
    Vec3,
    amount,
    cos,
    sin,
)
from momentarm.spatial.motion import accelerations
from momentarm.spatial.quaternion import conjugate, exponential, logarithm, swept, times, unswept
from momentarm.spatial.rotation import Rotation

Coordinates = tuple[Scalar, ...]


class JointRow(Protocol):
    """What a type of joint answers; `q`, `qd`, `qdd` are tuples of its own coordinates."""

    @property
    def q_names(self) -> tuple[str, ...]:
        """What its coordinates are called; one alone is called as its joint is."""

    @property
    def v_names(self) -> tuple[str, ...]:
        """What its rates are called."""

    @property
    def home(self) -> Coordinates:
        """The coordinates at which the link is where its placement says."""

    @property
    def holds(self) -> str:
        """What its motion fixes of the link's frame: the "line" of z, its "direction", "all"."""

    def at(self, placement: Transform, q: Coordinates) -> Transform:
        """X_ip(q): parent coordinates to link coordinates."""

    def tangents(self, q: Coordinates) -> tuple[Coordinates, ...]:
        """For each rate, how fast it moves the coordinates."""

    def moved(self, q: Coordinates, u: Coordinates) -> Coordinates:
        """Where a displacement u leads: rates u kept for one second."""

    def between(self, q: Coordinates, p: Coordinates) -> Coordinates:
        """The displacement that leads from q to p, the shortest if there are several."""

    def axes(self) -> tuple[Motion, ...]:
        """The columns S of the joint's motion, in link coordinates; they do not depend on q."""

    def outward(self, X: Transform, parent: BodyMotion, q: Coordinates, qd: Coordinates,
                qdd: Coordinates) -> BodyMotion:  # fmt: skip
        """The link's motion from its parent's."""

    def efforts(self, f: Force) -> Coordinates:
        """Sᵀ f: the joint's share of the wrench it transmits."""

    def on_axis(self, inertia: Inertia) -> Inertia:
        """The part of the link's inertia that this joint cannot tell from its parent's."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """No motion: the link is a part of its parent."""

    q_names: tuple[str, ...] = ()
    v_names: tuple[str, ...] = ()
    home: Coordinates = ()
    holds: str = "all"

    def at(self, placement: Transform, q: Coordinates) -> Transform:
        return placement

    def tangents(self, q: Coordinates) -> tuple[Coordinates, ...]:
        return ()

    def moved(self, q: Coordinates, u: Coordinates) -> Coordinates:
        return ()

    def between(self, q: Coordinates, p: Coordinates) -> Coordinates:
        return ()

    def axes(self) -> tuple[Motion, ...]:
        return ()

    def outward(self, X: Transform, parent: BodyMotion, q: Coordinates, qd: Coordinates,
                qdd: Coordinates) -> BodyMotion:  # fmt: skip
        return _carried(X, parent, 0, 0, 0, 0)

    def efforts(self, f: Force) -> Coordinates:
        return ()

    def on_axis(self, inertia: Inertia) -> Inertia:
        return inertia


@dataclass(frozen=True, slots=True)
class Screw:
    """One coordinate: turns by `turns`·q about z and slides by `slides`·q along z.

    A revolute joint is (1, 0), a prismatic one (0, 1), a helical one (1, pitch in m/rad).
    """

    turns: int
    slides: Scalar
    q_names: tuple[str, ...] = ("",)
    v_names: tuple[str, ...] = ("",)
    home: Coordinates = (0,)

    @property
    def holds(self) -> str:
        return "line" if self.turns else "direction"

    def at(self, placement: Transform, q: Coordinates) -> Transform:
        turn = Rotation((TurnZ(cos(q[0]), sin(q[0])),)) if self.turns else Rotation()
        slide = amount(q[0]) * self.slides if self.slides else 0
        return placement.screwed(Transform(turn, slide=slide))

    def tangents(self, q: Coordinates) -> tuple[Coordinates, ...]:
        return ((1,),)

    def moved(self, q: Coordinates, u: Coordinates) -> Coordinates:
        return (q[0] + u[0],)

    def between(self, q: Coordinates, p: Coordinates) -> Coordinates:
        return (p[0] - q[0],)

    def axes(self) -> tuple[Motion, ...]:
        return (Motion(EZ * self.turns, EZ * self.slides),)

    def outward(self, X: Transform, parent: BodyMotion, q: Coordinates, qd: Coordinates,
                qdd: Coordinates) -> BodyMotion:  # fmt: skip
        return _carried(X, parent, self.turns * qd[0], self.turns * qdd[0],
                        self.slides * qd[0], self.slides * qdd[0])  # fmt: skip

    def efforts(self, f: Force) -> Coordinates:
        return (self.turns * f.ang.z + self.slides * f.lin.z,)

    def on_axis(self, inertia: Inertia) -> Inertia:
        m, h, E = inertia.m, inertia.h, inertia.E
        if not self.turns:  # no rotation: all second moments stay what they are for the parent
            return Inertia(0, ZERO, E)
        # E_zz is free; where E_xx = E_yy the choice E_zz = -E_xx leaves no moment from ω̇x, ω̇y
        along = Sym3(0, 0, E.zz + E.xx if E.xx == E.yy else E.zz, 0, 0, 0)
        if self.slides:  # the link slides: only moments that no translation changes
            return Inertia(0, ZERO, along)
        return Inertia(m, Vec3(0, 0, h.z), along)


def _carried(X: Transform, parent: BodyMotion, turn: Scalar, turn_acc: Scalar, slip: Scalar,
             slip_acc: Scalar) -> BodyMotion:  # fmt: skip
    """The motion of a link that turns about and slips along its z-axis relative to the parent."""
    w = X.R.T @ parent.w
    across = Vec3(w.y, -w.x, 0)  # ω × z
    wd = X.R.T @ parent.wd + across * turn + EZ * turn_acc
    w = w + EZ * turn
    U = accelerations(w, wd)
    a = X.R.T @ (parent.a + parent.U @ X.p) + U.cz * X.slide
    return BodyMotion(w, wd, a + across * (2 * slip) + EZ * slip_acc, U)


ROTATION, TWIST = ("wx", "wy", "wz"), ("wx", "wy", "wz", "vx", "vy", "vz")
QUATERNION, POSE = ("qx", "qy", "qz", "qw"), ("x", "y", "z", "qx", "qy", "qz", "qw")


@dataclass(frozen=True, slots=True)
class Ball:
    """Turns any way about its origin: q is a quaternion (x, y, z, w), q̇ stands for ω in the link.

    The quaternion may have any length between 1e-150 and 1e150.
    """

    q_names: tuple[str, ...] = QUATERNION
    v_names: tuple[str, ...] = ROTATION
    home: Coordinates = (0, 0, 0, 1)
    holds: str = "all"

    def at(self, placement: Transform, q: Coordinates) -> Transform:
        return Transform(placement.R @ Rotation.from_quaternion(*q), placement.origin)

    def tangents(self, q: Coordinates) -> tuple[Coordinates, ...]:
        return _turning(*q)

    def moved(self, q: Coordinates, u: Coordinates) -> Coordinates:
        return times(q, exponential(Vec3(*u)))

    def between(self, q: Coordinates, p: Coordinates) -> Coordinates:
        return tuple(logarithm(times(conjugate(q), p)))

    def axes(self) -> tuple[Motion, ...]:
        return tuple(Motion(e, ZERO) for e in (EX, EY, EZ))

    def outward(self, X: Transform, parent: BodyMotion, q: Coordinates, qd: Coordinates,
                qdd: Coordinates) -> BodyMotion:  # fmt: skip
        return _freed(X, parent, Motion(Vec3(*qd), ZERO), Motion(Vec3(*qdd), ZERO))

    def efforts(self, f: Force) -> Coordinates:
        return tuple(f.ang)

    def on_axis(self, inertia: Inertia) -> Inertia:
        return Inertia(inertia.m, ZERO, ZERO_SYM)  # a mass in the centre of the ball


@dataclass(frozen=True, slots=True)
class Free:
    """Moves any way: q is the place of the link's origin and a quaternion, q̇ the link's twist.

    The place is in the axes of the joint at home, the twist (ω, v) in the link's own.
    """

    q_names: tuple[str, ...] = POSE
    v_names: tuple[str, ...] = TWIST
    home: Coordinates = (0, 0, 0, 0, 0, 0, 1)
    holds: str = "all"

    def at(self, placement: Transform, q: Coordinates) -> Transform:
        origin = placement.origin + placement.R @ Vec3(*q[:3])
        return Transform(placement.R @ Rotation.from_quaternion(*q[3:]), origin)

    def tangents(self, q: Coordinates) -> tuple[Coordinates, ...]:
        R = Rotation.from_quaternion(*q[3:])
        turns = ((0, 0, 0, *turn) for turn in _turning(*q[3:]))
        slides = ((*(R @ e), 0, 0, 0, 0) for e in (EX, EY, EZ))
        return (*turns, *slides)

    def moved(self, q: Coordinates, u: Coordinates) -> Coordinates:
        turn, slip = Vec3(*u[:3]), Vec3(*u[3:])
        step = Rotation.from_quaternion(*q[3:]) @ swept(turn, slip)
        return (*(Vec3(*q[:3]) + step), *times(q[3:], exponential(turn)))

    def between(self, q: Coordinates, p: Coordinates) -> Coordinates:
        turn = logarithm(times(conjugate(q[3:]), p[3:]))
        step = Rotation.from_quaternion(*q[3:]).T @ (Vec3(*p[:3]) - Vec3(*q[:3]))
        return (*turn, *unswept(turn, step))

    def axes(self) -> tuple[Motion, ...]:
        basis = (EX, EY, EZ)
        return (*(Motion(e, ZERO) for e in basis), *(Motion(ZERO, e) for e in basis))

    def outward(self, X: Transform, parent: BodyMotion, q: Coordinates, qd: Coordinates,
                qdd: Coordinates) -> BodyMotion:  # fmt: skip
        return _freed(X, parent, Motion.of(qd), Motion.of(qdd))

    def efforts(self, f: Force) -> Coordinates:
        return tuple(f)

    def on_axis(self, inertia: Inertia) -> Inertia:
        return NO_INERTIA  # it feels all of it


def _turning(x: Scalar, y: Scalar, z: Scalar, w: Scalar) -> tuple[Coordinates, ...]:
    """½ (x, y, z, w) times i, j and k: a quaternion's rates as its frame turns about its axes."""
    x, y, z, w = x / 2, y / 2, z / 2, w / 2
    return (w, z, -y, -x), (-z, w, x, -y), (y, -x, w, -z)


def _freed(X: Transform, parent: BodyMotion, twist: Motion, rate: Motion) -> BodyMotion:
    """The motion of a link that moves with a twist, given in its own axes, from its parent."""
    carried = X.R.T @ parent.w
    w = carried + twist.ang
    wd = X.R.T @ parent.wd + carried.cross(twist.ang) + rate.ang
    a = X.R.T @ (parent.a + parent.U @ X.p) + (w + carried).cross(twist.lin) + rate.lin
    return BodyMotion.of(w, wd, a)


REVOLUTE = Screw(1, 0)
PRISMATIC = Screw(0, 1)
FIXED = Fixed()
BALL, FREE = Ball(), Free()


def _never_pitched(row: JointRow) -> Callable[[Scalar], JointRow]:
    return lambda pitch: row


def _only_in_parts(pitch: Scalar) -> JointRow:
    raise ValueError("a planar or universal joint is several joints; `expand` makes them")


@dataclass(frozen=True, slots=True)
class JointType:
    """One line of the table: a joint's name in files, its unit, and the row for its pitch.

    `parts`: a type that is several joints in a row, (name, type, axis), massless links between.
    """

    name: str
    unit: str
    row: Callable[[Scalar], JointRow]
    meaning: str
    has_axis: bool = True
    parts: tuple[tuple[str, str, Vec3], ...] = ()

    @property
    def is_single(self) -> bool:
        """Whether it has one coordinate, that others may follow."""
        return self.has_axis and not self.parts


PLANAR = (("x", "prismatic", EX), ("y", "prismatic", EY), ("theta", "continuous", EZ))
UNIVERSAL = (("rx", "continuous", EX), ("ry", "continuous", EY))
JOINT_TYPES = {
    kind.name: kind
    for kind in (
        JointType("revolute", "rad", _never_pitched(REVOLUTE), "turns about z"),
        JointType("continuous", "rad", _never_pitched(REVOLUTE), "turns about z without limits"),
        JointType("prismatic", "m", _never_pitched(PRISMATIC), "slides along z"),
        JointType("helical", "rad", lambda pitch: Screw(1, pitch),
                  "turns about z and slides `pitch` metres per radian"),
        JointType("planar", "", _only_in_parts, "slides along x and y, then turns about z",
                  parts=PLANAR),
        JointType("universal", "", _only_in_parts, "turns about x, then about y", False, UNIVERSAL),
        JointType("spherical", "", _never_pitched(BALL), "turns any way about its origin", False),
        JointType("free", "", _never_pitched(FREE), "moves any way", False),
        JointType("fixed", "", _never_pitched(FIXED), "does not move", False),
    )
}  # fmt: skip
