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
    EZ,
    ZERO,
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
from momentarm.spatial.rotation import Rotation

Coordinates = tuple[Scalar, ...]


class JointRow(Protocol):
    """What a type of joint answers; `q`, `qd`, `qdd` are tuples of its own coordinates."""

    @property
    def nv(self) -> int:
        """Number of coordinates."""

    def at(self, placement: Transform, q: Coordinates) -> Transform:
        """X_ip(q): parent coordinates to link coordinates."""

    def axes(self) -> tuple[Motion, ...]:
        """The columns S of the joint's motion, in link coordinates."""

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

    nv: int = 0

    def at(self, placement: Transform, q: Coordinates) -> Transform:
        return placement

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
    nv: int = 1

    def at(self, placement: Transform, q: Coordinates) -> Transform:
        turn = Rotation((TurnZ(cos(q[0]), sin(q[0])),)) if self.turns else Rotation()
        slide = amount(q[0]) * self.slides if self.slides else 0
        return placement.screwed(Transform(turn, slide=slide))

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


REVOLUTE = Screw(1, 0)
PRISMATIC = Screw(0, 1)
FIXED = Fixed()


def _never_pitched(row: JointRow) -> Callable[[Scalar], JointRow]:
    return lambda pitch: row


@dataclass(frozen=True, slots=True)
class JointType:
    """One line of the table: a joint's name in files, its unit, and the row for its pitch."""

    name: str
    unit: str
    row: Callable[[Scalar], JointRow]
    meaning: str


JOINT_TYPES = {
    kind.name: kind
    for kind in (
        JointType("revolute", "rad", _never_pitched(REVOLUTE), "turns about z"),
        JointType("continuous", "rad", _never_pitched(REVOLUTE), "turns about z without limits"),
        JointType("prismatic", "m", _never_pitched(PRISMATIC), "slides along z"),
        JointType("helical", "rad", lambda pitch: Screw(1, pitch),
                  "turns about z and slides `pitch` metres per radian"),
        JointType("fixed", "", _never_pitched(FIXED), "does not move"),
    )
}  # fmt: skip
