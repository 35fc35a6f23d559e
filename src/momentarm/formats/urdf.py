"""URDF: what moves and what it weighs. https://wiki.ros.org/urdf/XML

Rule 1  Reads links' inertials and joints; pictures and collisions are passed over in silence, what
        belongs to other programs is noted, whatever else is unknown is named once per kind.
Rule 2  The file's words keep their URDF meaning: `damping` is viscous, `friction` is dry.
Rule 3  Knows no meshes, sensors and transmissions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from momentarm.formats.numbers import NumberError, Turns, number, numbers
from momentarm.formats.xml import Element, check_expanded, parse
from momentarm.model.description import (
    HERE,
    JointDescription,
    LinkDescription,
    Pose,
    RobotDescription,
)
from momentarm.model.mechanism import Coupling, Limits
from momentarm.model.problem import Problems
from momentarm.spatial import EX, IDENTITY, ZERO, ZERO_SYM, Mat3, Sym3, Vec3

T = TypeVar("T")

READ = {  # elements whose children and attributes are read: (children, attributes)
    "robot": (("link", "joint"), ("name", "version")),
    "link": (("inertial",), ("name", "type")),
    "inertial": (("origin", "mass", "inertia"), ()),
    "joint": (("origin", "parent", "child", "axis", "limit", "dynamics", "mimic"),
              ("name", "type")),
    "origin": ((), ("xyz", "rpy")),
    "mass": ((), ("value",)),
    "inertia": ((), ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")),
    "parent": ((), ("link",)),
    "child": ((), ("link",)),
    "axis": ((), ("xyz",)),
    "limit": ((), ("lower", "upper", "velocity", "effort")),
    "dynamics": ((), ("damping", "friction")),
    "mimic": ((), ("joint", "multiplier", "offset")),
}  # fmt: skip

TYPES = {
    **{kind: kind for kind in ("revolute", "continuous", "prismatic", "fixed", "planar")},
    "floating": "free",
    "spherical": "spherical",
}

NOT_DYNAMICS = frozenset(
    ("visual", "collision", "material", "transmission", "gazebo", "sensor", "contact", "verbose",
     "self_collision_checking", "safety_controller", "calibration", "hardwareInterface",
     "joint_properties", "ros2_control", "capsule", "group", "disable_collisions")
)  # fmt: skip


FOR_OTHERS = {  # of these, what they may say about dynamics
    "transmission": "motors and gears: give rotor inertia as armature, in native TOML",
    "gazebo": "a simulator's settings: its damping, springs and fixed-joint rules do not count",
    "safety_controller": "soft limits of a controller; <limit> counts",
    "calibration": "where a reference switch is; it moves no coordinate",
    "joint_properties": "damping and friction are read from <dynamics>",
    "ros2_control": "interfaces of a driver; <limit> counts",
    "contact": "contact is not modelled",
}


@dataclass(slots=True)
class _Reader:
    problems: Problems
    turns: Turns
    seen_unknown: set[tuple[str, str]] = field(default_factory=set)

    # ------------------------------------------------------------ attributes and children

    def read(self, element: Element, name: str, as_: Callable[[str], T], default: T) -> T:
        """An attribute, or the default where it is absent or wrong (then with a problem)."""
        text = element.attributes.get(name)
        if text is None:
            return default
        try:
            return as_(text)
        except NumberError as e:
            self.problems.error("number", element.where, f"<{element.tag}> {name}: {e}", e.hint)
            return default

    def required(self, element: Element, name: str, as_: Callable[[str], T], default: T) -> T:
        if name not in element.attributes:
            found, text = ", ".join(element.attributes) or "none", element.text.strip()[:20]
            self.problems.error("attribute-missing", element.where, f"<{element.tag}> needs the "
                                f"attribute {name!r}; it has: {found}",
                                f"write it as an attribute, {name}=..., not as text {text!r}"
                                if text else "")  # fmt: skip
        return self.read(element, name, as_, default)

    def child(self, element: Element, tag: str) -> Element | None:
        """The one child of that kind; a second one is odd and is not read."""
        found = element.all(tag)
        if len(found) > 1:
            self.problems.warning("element-repeated", found[1].where, f"a second <{tag}> in "
                                  f"{_label(element)}; the first one counts")  # fmt: skip
        if found:
            self.note_unknown(found[0])
        return found[0] if found else None

    def needed(self, element: Element, tag: str) -> Element | None:
        found = self.child(element, tag)
        if found is None:
            self.problems.error("element-missing", element.where,
                                f"{_label(element)} has no <{tag}>", f"add <{tag}>")  # fmt: skip
        return found

    def note_unknown(self, element: Element) -> None:
        """Warn, once per kind, of what is not read and is not known to be no dynamics."""
        tags, attributes = READ[element.tag]
        for child in element.children:
            if child.tag not in tags and child.tag not in NOT_DYNAMICS:
                self._unknown(element, f"<{child.tag[:40]}>", child.where, child.tag, tags)
        for name in element.attributes:
            if name not in attributes and ":" not in name:
                self._unknown(element, f"attribute {name[:40]!r}", element.where, name, attributes)

    def _unknown(self, element: Element, what: str, where: str, name: str,
                 known: tuple[str, ...]) -> None:  # fmt: skip
        if (element.tag, what) not in self.seen_unknown:
            self.seen_unknown.add((element.tag, what))
            self.problems.warning("ignored", where, f"{what} in <{element.tag}> is not read",
                                  self.problems.suggestion(name, known))  # fmt: skip

    # ------------------------------------------------------------ what URDF describes

    def pose(self, element: Element) -> Pose:
        origin = self.child(element, "origin")
        if origin is None:
            return HERE
        xyz = self.read(origin, "xyz", vector, ZERO)
        rpy = self.read(origin, "rpy", vector, ZERO)
        return Pose(self.rotation(rpy, origin.where), xyz)

    def rotation(self, rpy: Vec3, where: str) -> Mat3:
        before = self.turns.marks
        R = self.turns.rpy(*rpy) if rpy != ZERO else IDENTITY
        self.turns.tell(before, where, "rpy", self.problems)
        return R

    def link(self, element: Element) -> LinkDescription:
        self.note_unknown(element)
        name = element.attributes.get("name", "")
        inertial = self.child(element, "inertial")
        if inertial is None:
            return LinkDescription(name, where=element.where)
        pose = self.pose(inertial)
        mass, inertia = self.needed(inertial, "mass"), self.needed(inertial, "inertia")
        m = 0.0 if mass is None else self.required(mass, "value", number, 0.0)
        I = ZERO_SYM
        if inertia is not None:
            I = Sym3(*(self.required(inertia, f"i{ij}", number, 0.0)
                       for ij in ("xx", "yy", "zz", "xy", "xz", "yz")))  # fmt: skip
        places = {"mass": _where(mass, inertial), "inertia": _where(inertia, inertial)}
        places["com"] = _where(next(iter(inertial.all("origin")), None), inertial)
        return LinkDescription(name, m, pose.p, I, pose.R, where=element.where, places=places)

    def joint(self, element: Element) -> JointDescription:
        self.note_unknown(element)
        name = element.attributes.get("name", "")
        kind = self.required(element, "type", str, "fixed")
        if kind not in TYPES:
            self.problems.error("joint-type", element.where, f"joint {name!r}: type {kind!r} is "
                                f"not supported; the types are {', '.join(TYPES)}",
                                self.problems.near(kind, TYPES))  # fmt: skip
            kind = "continuous"
        parent, child = self.needed(element, "parent"), self.needed(element, "child")
        axis, dynamics = self.child(element, "axis"), self.child(element, "dynamics")
        limit, mimic = self.child(element, "limit"), self.child(element, "mimic")
        damping, friction = self.dynamics(dynamics)
        placement, origin = self.pose(element), element.all("origin")
        return JointDescription(
            name,
            TYPES[kind],
            "" if parent is None else self.required(parent, "link", str, ""),
            "" if child is None else self.required(child, "link", str, ""),
            placement,
            EX if axis is None else self.required(axis, "xyz", vector, EX),
            limits=self.limits(element, limit, kind),
            damping=damping,
            friction=friction,
            mimic=self.mimic(mimic),
            where=element.where,
            places={
                "parent": _where(parent, element),
                "child": _where(child, element),
                "axis": _where(axis, element),
                "limits": _where(limit, element),
                "dynamics": _where(dynamics, element),
                "mimic": _where(mimic, element),
                "placement": origin[0].where if origin else element.where,
            },
        )

    def dynamics(self, element: Element | None) -> tuple[float, float]:
        if element is None:
            return 0.0, 0.0
        damping = self.read(element, "damping", number, 0.0)
        return damping, self.read(element, "friction", number, 0.0)

    def limits(self, joint: Element, limit: Element | None, kind: str) -> Limits:
        """Of lower and upper, URDF takes an absent one for zero; we do so if the other is there."""
        bounded = kind in ("revolute", "prismatic")
        if limit is None:
            lower = upper = velocity = effort = None
        else:
            lower, upper, velocity, effort = (
                self.read(limit, name, _optional, None) for name in READ["limit"][1]
            )
        if bounded and lower is None and upper is None:
            self.problems.warning("no-limit", _where(limit, joint), f"{_label(joint)} is {kind} "
                                  "but has no lower and upper limit; it is taken as unlimited",
                                  "add <limit>, or make it continuous")  # fmt: skip
        elif bounded:
            lower, upper = lower or 0.0, upper or 0.0
        return Limits(lower, upper, velocity, effort)

    def note_others(self, root: Element) -> None:
        """What is there for other programs, once per kind: it may hold dynamics of its own."""
        places: dict[str, list[str]] = {}
        for element in (root, *root.all("link"), *root.all("joint")):
            for child in element.children:
                if child.tag in FOR_OTHERS:
                    places.setdefault(child.tag, []).append(child.where)
        for tag, where in places.items():
            times = f" (the first of {len(where)})" if len(where) > 1 else ""
            self.problems.note("not-read", where[0], f"<{tag}>{times} is not read",
                               FOR_OTHERS[tag], len(where))  # fmt: skip

    def mimic(self, element: Element | None) -> Coupling | None:
        if element is None:
            return None
        joint = self.required(element, "joint", str, "")
        ratio = self.read(element, "multiplier", number, 1.0)
        return Coupling(joint, ratio, self.read(element, "offset", number, 0.0))

    def note_gears(self, root: Element) -> None:
        """URDF's gear ratios are mostly placeholders and no rotor inertia comes with them."""
        gears = [gear for transmission in root.all("transmission") for part in transmission.children
                 for gear in (part, *part.children)
                 if gear.tag == "mechanicalReduction" and not _is_one(gear.text)]  # fmt: skip
        if gears:
            self.problems.warning("gear-ignored", gears[0].where, "mechanicalReduction "
                                  f"{gears[0].text.strip()[:20]} (one of {len(gears)}) is not "
                                  "used: a URDF gives no rotor inertia")  # fmt: skip


def vector(text: str) -> Vec3:
    return Vec3(*numbers(text, 3))


def _optional(text: str) -> float | None:
    return number(text)


def _where(element: Element | None, otherwise: Element) -> str:
    return otherwise.where if element is None else element.where


def _label(element: Element) -> str:
    name = element.attributes.get("name")
    return f"{element.tag} {name!r}" if name else f"<{element.tag}>"


def _is_one(text: str) -> bool:
    try:
        return abs(number(text.strip())) == 1
    except NumberError:
        return False


def describe(
    text: str | bytes, problems: Problems, *, snap_angles: bool = False
) -> RobotDescription:
    """What a URDF says."""
    root = parse(text, problems)
    check_expanded(root, problems)
    if root.tag != "robot":
        hint = {"mujoco": "this is MJCF; name the file .xml or .mjcf",
                "sdf": "SDF is not read"}.get(root.tag, "")  # fmt: skip
        problems.stop("root", root.where, f"the root is <{root.tag[:40]}>, not <robot>", hint)
    reader = _Reader(problems, Turns(snap_angles))
    reader.note_unknown(root)
    reader.note_gears(root)
    reader.note_others(root)
    links = tuple(reader.link(element) for element in root.all("link"))
    joints = tuple(reader.joint(element) for element in root.all("joint"))
    name = root.attributes.get("name", "robot")
    return RobotDescription(name, links, joints, where=root.where)
