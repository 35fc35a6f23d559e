"""A compiled MuJoCo model, told as a description: `mjcf` and `Robot.from_mujoco` make it.

Rule 1  A link's axes are its body's, with the origin on the body's last joint. Where a body has
        several joints, massless links stand between them, in MuJoCo's order.
Rule 2  q is qpos, joint by joint: a reference position is the joint's offset.
Rule 3  Physics that has no place here is a warning that names it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from momentarm.formats.mujoco_leftovers import joint_of, note_leftovers, on
from momentarm.formats.numbers import Turns
from momentarm.model.description import (
    HERE,
    FrameDescription,
    JointDescription,
    LinkDescription,
    Pose,
    RobotDescription,
)
from momentarm.model.mechanism import Coupling, Limits
from momentarm.model.problem import Problems
from momentarm.spatial import EZ, ZERO, Sym3, Vec3

Where = Callable[[str, int], str]
WORLD = "world"


def description(mujoco: Any, model: Any, name: str, problems: Problems, where: Where, *,
                snap_angles: bool = False) -> RobotDescription:  # fmt: skip
    """What a compiled model says; `mujoco` is the package, `where` tells places."""
    reader = _Reader(mujoco, model, problems, where, Turns(snap_angles))
    reader.read()
    note_leftovers(mujoco, model, problems, where)
    gravity = Vec3(*model.opt.gravity.tolist()) if on(mujoco, model, "GRAVITY") else ZERO
    return RobotDescription(name, tuple(reader.links), tuple(reader.joints), tuple(reader.frames),
                            gravity, where=where("model", 0))  # fmt: skip


@dataclass(slots=True)
class _Reader:
    mujoco: Any
    model: Any
    problems: Problems
    where: Where
    turns: Turns
    links: list[LinkDescription] = field(default_factory=list)
    joints: list[JointDescription] = field(default_factory=list)
    frames: list[FrameDescription] = field(default_factory=list)
    taken: dict[str, set[str]] = field(default_factory=dict)
    bodies: list[str] = field(default_factory=list)  # names, by number
    names: list[str] = field(default_factory=list)  # of joints, by number
    follows: dict[int, tuple[int, float, float]] = field(default_factory=dict)
    origins: list[Vec3] = field(default_factory=list)  # of their links' axes

    def read(self) -> None:
        m = self.model
        self.bodies = body_names(m)
        self.names = joint_names(m)
        self.taken = {"link": set(self.bodies), "joint": set(self.names)}
        self.follows = followers(self.mujoco, m, self.problems, self.where)
        self.links.append(LinkDescription(self.bodies[0], where=self.where("body", 0)))
        self.origins.append(ZERO)
        for b in range(1, m.nbody):
            self.body(b)
        for s in range(m.nsite):
            self.site(s)

    def fresh(self, kind: str, name: str) -> str:
        """The name, with underscores where it is taken."""
        name = unlike(self.taken[kind], name)
        self.taken[kind].add(name)
        return name

    def pose(self, place: Any, quaternion: Any, where: str) -> Pose:
        w, x, y, z = (float(a) for a in quaternion)
        before = self.turns.marks
        R = self.turns.quaternion(x, y, z, w)
        self.turns.tell(before, where, "quat", self.problems)
        return Pose(R, vector(place))

    # ------------------------------------------------------------ bodies

    def body(self, b: int) -> None:
        m, name, where = self.model, self.bodies[b], self.where("body", b)
        up = int(m.body_parentid[b])
        place = self.pose(m.body_pos[b], m.body_quat[b], where)
        start = Pose(place.R, place.p - self.origins[up])
        first = int(m.body_jntadr[b])
        numbers = range(first, first + int(m.body_jntnum[b]))
        parent, at = self.bodies[up], ZERO
        for j in numbers:
            origin, last = self.anchor(j), j == numbers[-1]
            child = name if last else self.fresh("link", self.names[j])
            step = HERE if self.kind(j) == "free" else start @ Pose(p=origin - at)
            self.joints.append(self.joint(j, parent, child, step))
            if not last:
                self.links.append(LinkDescription(child, 0.0, where=where))
            parent, start, at = child, HERE, origin
        if not numbers:
            self.joints.append(JointDescription(self.fresh("joint", name), "fixed", parent, name,
                                                start, where=where))  # fmt: skip
        self.origins.append(at)
        self.links.append(self.link(b, at, where))

    def link(self, b: int, origin: Vec3, where: str) -> LinkDescription:
        m = self.model
        pose = self.pose(m.body_ipos[b], m.body_iquat[b], where)
        xx, yy, zz = (float(x) for x in m.body_inertia[b])
        I = Sym3(xx, yy, zz, 0.0, 0.0, 0.0)
        frame = HERE if origin == ZERO else Pose(p=-origin)
        return LinkDescription(self.bodies[b], float(m.body_mass[b]), pose.p - origin, I, pose.R,
                               frame=frame, where=where)  # fmt: skip

    def site(self, s: int) -> None:
        m, where = self.model, self.where("site", s)
        if not m.site(s).name:
            return
        b = int(m.site_bodyid[s])
        pose = self.pose(m.site_pos[s], m.site_quat[s], where)
        self.frames.append(FrameDescription(
            self.fresh("link", m.site(s).name), self.bodies[b],
            Pose(pose.R, pose.p - self.origins[b]), where))  # fmt: skip

    # ------------------------------------------------------------ joints

    def kind(self, j: int) -> str:
        kinds = self.mujoco.mjtJoint
        kind = int(self.model.jnt_type[j])
        if kind == int(kinds.mjJNT_HINGE):
            return "revolute" if self.model.jnt_limited[j] else "continuous"
        names = {"FREE": "free", "BALL": "spherical", "SLIDE": "prismatic"}
        return next(ours for word, ours in names.items()
                    if kind == int(getattr(kinds, f"mjJNT_{word}")))  # fmt: skip

    def anchor(self, j: int) -> Vec3:
        """What the joint turns about, in its body; nothing for those that slide."""
        turns = self.kind(j) in ("revolute", "continuous", "spherical")
        return vector(self.model.jnt_pos[j]) if turns else ZERO

    def joint(self, j: int, parent: str, child: str, placement: Pose) -> JointDescription:
        m, kind, where = self.model, self.kind(j), self.where("joint", j)
        name, single = self.names[j], kind in ("revolute", "continuous", "prismatic")
        reference = float(m.qpos0[m.jnt_qposadr[j]])
        joint = JointDescription(
            name, kind, parent, child, placement, vector(m.jnt_axis[j]) if single else EZ,
            limits=self.limits(j) if single else Limits(), where=where,
            **self.drive(j, kind, where))  # fmt: skip
        if not single:
            return joint
        if j not in self.follows:
            return replace(joint, offset=-reference)
        leader, ratio, offset = self.follows[j]
        if leader not in self.follows:  # its coordinate is qpos; a follower's is from the reference
            offset -= ratio * float(m.qpos0[m.jnt_qposadr[leader]])
        return replace(joint, mimic=Coupling(self.names[leader], ratio, offset))

    def limits(self, j: int) -> Limits:
        m = self.model
        lower, upper = (float(x) for x in m.jnt_range[j]) if m.jnt_limited[j] else (None, None)
        effort = None
        if m.jnt_actfrclimited[j]:
            effort = float(abs(m.jnt_actfrcrange[j]).max())
        return Limits(lower, upper, None, effort)

    def drive(self, j: int, kind: str, where: str) -> dict[str, Any]:
        """Armature, damping and friction; those of a joint's several freedoms are equal."""
        m, d = self.model, int(self.model.jnt_dofadr[j])
        terms = {"armature": float(m.dof_armature[d]) + self.driven("armature", j)}
        if on(self.mujoco, m, "DAMPER"):
            terms["damping"] = float(m.dof_damping[d]) + self.driven("damping", j)
        if on(self.mujoco, m, "FRICTIONLOSS"):
            terms["friction"] = float(m.dof_frictionloss[d])
        if kind != "free":
            return terms
        if any(terms.values()):
            said = ", ".join(f"{term} {value:g}" for term, value in terms.items() if value)
            self.problems.warning("drive-ignored", where, f"joint {self.names[j]!r} is free: "
                                  f"{said} not carried over")  # fmt: skip
        return {}

    def driven(self, term: str, j: int) -> float:
        """What the actuators of a joint add through their gears: ratio squared."""
        m, terms = self.model, getattr(self.model, f"actuator_{term}", None)
        if terms is None:
            return 0.0
        own = (i for i in range(m.nu) if terms[i] and joint_of(self.mujoco, m, i) == j)
        return float(sum(terms[i] * m.actuator_gear[i][0] ** 2 for i in own))


def unlike(taken: set[str], name: str) -> str:
    while name in taken:
        name += "_"
    return name


def body_names(m: Any) -> list[str]:
    """Names of the bodies by number; those without one are numbered."""
    names = [m.body(b).name for b in range(m.nbody)]
    names[0] = names[0] or WORLD
    return [name or unlike(set(names), f"body{b}") for b, name in enumerate(names)]


def joint_names(m: Any) -> list[str]:
    """Names of the joints by number; one without has its body's, numbered if there are several."""
    bodies, names = body_names(m), [m.joint(j).name for j in range(m.njnt)]
    taken = {name for name in names if name}
    for j, name in enumerate(names):
        if not name:
            b = int(m.jnt_bodyid[j])
            number = j - int(m.body_jntadr[b]) + 1
            own = bodies[b] if int(m.body_jntnum[b]) == 1 else f"{bodies[b]}.{number}"
            names[j] = unlike(taken, own)
            taken.add(names[j])
    return names


def vector(numbers: Any) -> Vec3:
    return Vec3(*(float(x) for x in numbers))


def followers(mujoco: Any, m: Any, problems: Problems,
              where: Where) -> dict[int, tuple[int, float, float]]:  # fmt: skip
    """Joints that follow others by linear equalities: {number: (leader, ratio, offset)}.

    A follower is off its reference by offset + ratio times what the leader is off its own.
    """
    leaders: dict[int, tuple[int, float, float]] = {}
    for e in range(m.neq if on(mujoco, m, "EQUALITY") else 0):
        if not m.eq_active0[e]:
            continue
        follower, leader = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
        c = [float(x) for x in m.eq_data[e][:5]]
        reason, hint = "is not carried over", ""
        if int(m.eq_type[e]) == int(mujoco.mjtEq.mjEQ_JOINT):
            if leader < 0:
                reason = f"holds joint {m.joint(follower).name!r} still, which is not carried over"
                hint = "lock it: arm.lock({joint: value})"
            elif any(c[2:]):
                reason = "is not linear and not carried over"
            elif follower in leaders or follower in _chain(leaders, leader):
                reason = "would have a joint follow two, which is not carried over"
            else:
                leaders[follower] = leader, c[1], c[0]
                continue
        problems.warning("equality-ignored", where("equality", e),
                         f"equality {m.equality(e).name or e} {reason}", hint)  # fmt: skip
    return leaders


def _chain(leaders: dict[int, tuple[int, float, float]], joint: int) -> list[int]:
    """The joint and what it follows, directly or not."""
    chain = [joint]
    while chain[-1] in leaders:
        chain.append(leaders[chain[-1]][0])
    return chain
