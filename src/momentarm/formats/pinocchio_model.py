"""A `pinocchio.Model`, read as data: every joint, placement, inertia and frame it holds.

Rule 1  The library is not imported: a model's own attributes say all.
Rule 2  A joint of Pinocchio that is several of ours (planar, Euler angles, composite …) becomes
        these, massless links between.
Rule 3  Damping and friction are carried over, although Pinocchio's own dynamics leave them out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from momentarm.formats.numbers import Turns, upright
from momentarm.model.assemble import assemble
from momentarm.model.description import (
    HERE,
    FrameDescription,
    JointDescription,
    LinkDescription,
    Pose,
    RobotDescription,
)
from momentarm.model.mechanism import Coupling, Limits, Mechanism
from momentarm.model.problem import Problem, Problems
from momentarm.spatial import EX, EY, EZ, IDENTITY, Mat3, Sym3, Vec3

UNLIMITED = 1e300
SEVERAL = {  # joints with axes of their own: our joints in their order
    "Translation": (("x", "prismatic", EX), ("y", "prismatic", EY), ("z", "prismatic", EZ)),
    "SphericalZYX": (("rz", "revolute", EZ), ("ry", "revolute", EY), ("rx", "revolute", EX)),
}
WHOLE = {"FreeFlyer": ("free", 7, 6), "Spherical": ("spherical", 4, 3), "Planar": ("planar", 4, 3)}
SIZES = {"continuous": (2, 1)}


@dataclass(frozen=True, slots=True)
class Part:
    """One of our joints in one of Pinocchio's: its sizes there, its place after the one before."""

    name: str
    kind: str
    axis: Vec3 = EZ
    pitch: float = 0
    placement: Pose = HERE
    nq: int = 1
    nv: int = 1


def parts(joint: Any, name: str) -> Iterator[Part]:
    """What one of Pinocchio's joints is made of."""
    word = joint.shortname().removeprefix("JointModel")
    if word in WHOLE:
        kind, nq, nv = WHOLE[word]
        yield Part(name, kind, nq=nq, nv=nv)
    elif word in SEVERAL:
        for suffix, kind, axis in SEVERAL[word]:
            yield Part(f"{name}.{suffix}", kind, axis)
    elif word == "Composite":
        whole = joint.extract() if hasattr(joint, "extract") else joint
        for k, (inner, place) in enumerate(zip(whole.joints, whole.jointPlacements), 1):
            for i, part in enumerate(parts(inner, f"{name}.{k}")):
                yield _placed(part, pose(place)) if i == 0 else part
    elif word == "Universal":
        own = joint.extract() if hasattr(joint, "extract") else joint
        for k, axis in enumerate((own.axis1, own.axis2), 1):
            yield Part(f"{name}.{k}", "revolute", vector(axis))
    else:
        yield _single(joint, name, word)


def _placed(part: Part, place: Pose) -> Part:
    return Part(part.name, part.kind, part.axis, part.pitch, place, part.nq, part.nv)


def _single(joint: Any, name: str, word: str) -> Part:
    """A joint of one freedom, by its axis."""
    pattern = r"(R|RUB|P|H)[XYZ]|(Revolute|RevoluteUnbounded|Prismatic|Helical)Unaligned|Mimic"
    if not re.fullmatch(pattern, word):
        raise LookupError(f"joint {name!r} is a JointModel{word}, which has no like here")
    data = joint.createData()
    if word.startswith("H"):  # its S is only there once it has moved
        joint.calc(data, np.zeros(joint.idx_q + 1))
    S = [float(x) for x in getattr(data.S, "ravel", lambda: data.S)()]
    linear, angular = Vec3(*S[:3]), Vec3(*S[3:])
    if not any(angular):
        return Part(name, "prismatic", linear)
    if any(linear):
        return Part(name, "helical", angular, linear.dot(angular) / angular.dot(angular))
    if word.startswith("RUB") or "Unbounded" in word:
        return Part(name, "continuous", angular, nq=2)
    return Part(name, "revolute", angular)


def from_pinocchio(model: Any, *, name: str | None = None,
                   strict: bool = False) -> tuple[Mechanism, tuple[Problem, ...]]:  # fmt: skip
    """The mechanism of a `pinocchio.Model`."""
    wanted = ("joints", "jointPlacements", "inertias", "parents", "frames", "gravity")
    if missing := [k for k in wanted if not hasattr(model, k)]:
        raise TypeError(f"from_pinocchio(model): expected a pinocchio.Model, got {type(model)}, "
                        f"which has no {missing[0]}")  # fmt: skip
    problems = Problems("from_pinocchio", strict)
    return assemble(_Reader(model, problems).described(name), problems), problems.ordered()


@dataclass(slots=True)
class _Reader:
    model: Any
    problems: Problems
    links: list[LinkDescription] = field(default_factory=list)
    joints: list[JointDescription] = field(default_factory=list)
    frames: list[FrameDescription] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # of the link of each joint
    taken: set[str] = field(default_factory=set)

    def described(self, name: str | None) -> RobotDescription:
        m = self.model
        self.names = self.link_names()
        self.taken = set(self.names)
        self.links.append(self.link(0, self.names[0]))
        mimics = dict(zip(list(m.mimicking_joints), list(m.mimicked_joints))) if hasattr(
            m, "mimicking_joints") else {}  # fmt: skip
        for i in range(1, m.njoints):
            self.joint(i, mimics)
        self.named_frames()
        self.note_rotors()
        gravity = vector(m.gravity.linear)
        return RobotDescription(name or m.name or "robot", tuple(self.links), tuple(self.joints),
                                tuple(self.frames), gravity, where="from_pinocchio")  # fmt: skip

    def link_names(self) -> list[str]:
        """A link is called as the first body that stands in its joint's frame, or as the joint."""
        named: dict[int, str] = {}
        for frame in self.model.frames:
            if _is(frame, "BODY") and _at_home(frame.placement):
                named.setdefault(_parent(frame), frame.name)
        names: list[str] = []
        for i, joint in enumerate(self.model.names):
            name = named.get(i, joint)
            while name in names:
                name += "_"
            names.append(name)
        return names

    def link(self, i: int, name: str) -> LinkDescription:
        body = self.model.inertias[i]
        I = body.inertia
        tensor = Sym3(*(float(I[r][c]) for r, c in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2),
                                                    (1, 2))))  # fmt: skip
        where = f"from_pinocchio: {name}"
        if not body.mass and not any(tensor):
            return LinkDescription(name, 0.0 if i else None, where=where)
        return LinkDescription(name, float(body.mass), vector(body.lever), tensor, where=where)

    def joint(self, i: int, mimics: Mapping[int, int]) -> None:
        m, parent = self.model, self.names[self.model.parents[i]]
        where, placement = f"from_pinocchio: {m.names[i]}", pose(m.jointPlacements[i])
        joint, v, q = m.joints[i], m.joints[i].idx_v, m.joints[i].idx_q
        try:
            own = list(parts(joint, m.names[i]))
        except LookupError as e:
            self.problems.stop("joint-type", where, str(e))
        for part in own:
            last = part is own[-1]
            child = self.names[i] if last else self.fresh(part.name)
            step, placement = placement @ part.placement, HERE
            law = self.mimic(i, mimics, part) if i in mimics else {
                **self.drive(part, v, where), "limits": self.limits(part, q, v),
                "axis": part.axis, "pitch": part.pitch}  # fmt: skip
            self.joints.append(JointDescription(part.name, part.kind, parent, child, step,
                                                where=where, **law))  # fmt: skip
            if not last:
                self.links.append(LinkDescription(child, 0.0, where=where))
            parent, q, v = child, q + part.nq, v + part.nv
        self.links.append(self.link(i, self.names[i]))

    def mimic(self, i: int, mimics: Mapping[int, int], part: Part) -> dict[str, Any]:
        """The axis of a follower is scaled by its ratio."""
        own = self.model.joints[i].extract()
        ratio, offset = float(own.scaling), float(own.offset)
        leader = self.model.names[mimics[i]]
        axis = Vec3(*(x / ratio for x in part.axis)) if ratio else part.axis
        return {"axis": axis, "pitch": part.pitch, "mimic": Coupling(leader, ratio, offset)}

    def drive(self, part: Part, v: int, where: str) -> dict[str, float]:
        terms = {"armature": "armature", "damping": "damping", "friction": "friction"}
        if hasattr(self.model, "upperDryFrictionLimit"):
            terms["friction"] = "upperDryFrictionLimit"
        found: dict[str, float] = {}
        for term, attribute in terms.items():
            values = {float(x) for x in list(getattr(self.model, attribute))[v : v + part.nv]}
            if len(values) == 1 and (part.kind != "free" or values == {0.0}):
                found[term] = values.pop()
            else:
                said = ", ".join(f"{x:g}" for x in sorted(values))
                self.problems.warning("drive-ignored", where, f"joint {part.name!r} is {part.kind}:"
                                      f" its {term} {said} is not carried over")  # fmt: skip
        return found

    def limits(self, part: Part, q: int, v: int) -> Limits:
        m = self.model
        if part.nv > 1:
            return Limits()
        low, high = m.lowerPositionLimit[q], m.upperPositionLimit[q]
        effort = m.upperEffortLimit if hasattr(m, "upperEffortLimit") else m.effortLimit
        speed = m.upperVelocityLimit if hasattr(m, "upperVelocityLimit") else m.velocityLimit
        return Limits(_bound(low), _bound(high), _bound(speed[v]), _bound(effort[v]))

    def fresh(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def named_frames(self) -> None:
        """Bodies first, then the other frames whose names are not taken."""
        frames = sorted(self.model.frames, key=lambda frame: not _is(frame, "BODY"))
        for frame in frames:
            if frame.name not in self.taken and frame.name != "universe":
                self.taken.add(frame.name)
                self.frames.append(FrameDescription(frame.name, self.names[_parent(frame)],
                                                    pose(frame.placement)))  # fmt: skip

    def note_rotors(self) -> None:
        if any(self.model.rotorInertia):
            self.problems.warning("gear-ignored", "from_pinocchio", "rotorInertia is not used, as "
                                  "in Pinocchio's dynamics", "armature is: rotorInertia times "
                                  "rotorGearRatio squared")  # fmt: skip


def _parent(frame: Any) -> int:
    return int(frame.parentJoint if hasattr(frame, "parentJoint") else frame.parent)


def _is(frame: Any, kind: str) -> bool:
    return str(frame.type).rpartition(".")[2] == kind


def _at_home(place: Any) -> bool:
    return pose(place) == HERE


def _bound(x: Any) -> float | None:
    return float(x) if abs(x) < UNLIMITED else None


def vector(numbers: Any) -> Vec3:
    return Vec3(*(float(x) for x in numbers))


def pose(place: Any) -> Pose:
    """An SE3 of Pinocchio."""
    rows = Mat3.rows([[float(x) for x in row] for row in place.rotation])
    R = Turns().matrix(upright(rows, _refuse))
    return Pose(IDENTITY if R == IDENTITY else R, vector(place.translation))


def _refuse(complaint: str) -> None:
    raise ValueError(f"from_pinocchio: a placement {complaint}")
