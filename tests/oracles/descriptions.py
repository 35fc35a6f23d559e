"""Robots as plain floats, so that any arithmetic can take them up without rounding.

Three ways in: URDF text (own reader, the standard library's XML), a Denavit-Hartenberg table, a
seed. One way out: URDF text that says exactly the same. Joint coordinates are those of the joints
that mimic nothing, depth-first in file order. No physics here, and nothing of the library that is
judged; limits, friction and geometry are not read.
"""

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Triple = tuple[float, float, float]

ZERO: Triple = (0.0, 0.0, 0.0)
KINDS = ("fixed", "revolute", "prismatic", "helical")


@dataclass(frozen=True)
class Body:
    """One body, the joint that carries it, and where that joint sits on the parent body.

    `rpy`, `xyz`: the joint frame in the parent's link frame (fixed roll, pitch, yaw; metres).
    `axis`: a direction in the joint frame, of any length. `pitch`: metres per radian.
    `inertia`: xx, xy, xz, yy, yz, zz about `com`, in axes turned by `inertia_rpy` from the link's.
    `mimic`: (body whose joint is followed, multiplier, offset).
    """

    name: str
    parent: int
    kind: str = "fixed"
    joint: str = ""
    rpy: Triple = ZERO
    xyz: Triple = ZERO
    axis: Triple = (1.0, 0.0, 0.0)
    pitch: float = 0.0
    mass: float = 0.0
    com: Triple = ZERO
    inertia_rpy: Triple = ZERO
    inertia: tuple[float, ...] = (0.0,) * 6
    mimic: tuple[int, float, float] | None = None


@dataclass(frozen=True)
class Robot:
    """Bodies, each after its parent, the first one being the ground."""

    name: str
    bodies: tuple[Body, ...]
    gravity: Triple = (0.0, 0.0, -9.81)

    @property
    def free(self) -> list[int]:
        """The bodies whose joints are coordinates."""
        return [
            i for i, body in enumerate(self.bodies) if body.kind != "fixed" and body.mimic is None
        ]

    @property
    def n(self) -> int:
        return len(self.free)

    @property
    def joint_names(self) -> list[str]:
        return [self.bodies[i].joint for i in self.free]

    @property
    def leaves(self) -> list[str]:
        parents = {body.parent for body in self.bodies}
        return [body.name for i, body in enumerate(self.bodies) if i not in parents]

    def index(self, name: str) -> int:
        return [body.name for body in self.bodies].index(name)

    def law(self, i: int) -> tuple[int, float, float]:
        """(coordinate, multiplier, offset) of the joint that carries body i, mimics resolved."""
        mimic = self.bodies[i].mimic
        if mimic is None:
            return self.free.index(i), 1.0, 0.0
        column, multiplier, offset = self.law(mimic[0])
        return column, mimic[1] * multiplier, mimic[1] * offset + mimic[2]


def _six(tensor: Any) -> tuple[float, ...]:
    """xx, xy, xz, yy, yz, zz of a symmetric matrix."""
    return tuple(float(tensor[i][j]) for i in range(3) for j in range(i, 3))


def dh_robot(rows: Sequence[dict[str, Any]], convention: str) -> Robot:
    """The chain of a Denavit-Hartenberg table; `com`, `inertia` (3x3 about it) in the row's frame.

    A row is Rz(theta) Tz(d) Tx(a) Rx(alpha), by the modified convention Rx Tx Rz Tz; the joint's
    variable is added to theta or d. The last body is the last frame.
    """
    bodies, at, angles = [Body("ground", -1)], ZERO, ZERO
    for i, row in enumerate(rows):
        a, alpha, d, theta = (float(row[key]) for key in ("a", "alpha", "d", "theta"))
        if convention == "modified":
            at, angles = (a, 0.0, 0.0), (alpha, 0.0, 0.0)
        joint = Body(f"turn{i}", len(bodies) - 1, row["type"], f"j{i}", angles, at, (0, 0, 1))
        at, angles = (a * math.cos(theta), a * math.sin(theta), d), (alpha, 0.0, theta)
        if convention == "modified":
            at, angles = (0.0, 0.0, d), (0.0, 0.0, theta)
        frame = Body(f"frame{i}", len(bodies), "fixed", f"f{i}", angles, at)
        frame = replace(
            frame, mass=row["mass"], com=tuple(row["com"]), inertia=_six(row["inertia"])
        )
        bodies += [joint, frame]
        at, angles = ZERO, ZERO
    return Robot("dh", tuple(bodies))


# --- URDF, in and out ---


def _triple(element: Any, key: str, default: Triple = ZERO) -> Triple:
    text = element.get(key) if element is not None else None
    if text is None:
        return default
    x, y, z = (float(word) for word in text.split())
    return x, y, z


def _body(link: Any, parent: int, joint: Any = None) -> Body:
    """The body of one <link> carried by one <joint>."""
    body = Body(link.get("name"), parent)
    inertial = link.find("inertial")
    if inertial is not None:
        origin, tensor = inertial.find("origin"), inertial.find("inertia")
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        body = replace(
            body,
            mass=float(inertial.find("mass").get("value")),
            com=_triple(origin, "xyz"),
            inertia_rpy=_triple(origin, "rpy"),
            inertia=tuple(float(tensor.get(name, "0")) for name in names),
        )
    if joint is None:
        return body
    kind = {"continuous": "revolute"}.get(joint.get("type"), joint.get("type"))
    if kind not in KINDS:
        raise ValueError(f"joint {joint.get('name')}: {kind} has no one-freedom form here")
    origin = joint.find("origin")
    axis = _triple(joint.find("axis"), "xyz", (1.0, 0.0, 0.0))
    return replace(
        body,
        joint=joint.get("name"),
        kind=kind,
        rpy=_triple(origin, "rpy"),
        xyz=_triple(origin, "xyz"),
        axis=axis if any(axis) else (1.0, 0.0, 0.0),
    )


def read_urdf(text: str, gravity: Triple = (0.0, 0.0, -9.81)) -> Robot:
    """A fixed-base tree of revolute, continuous, prismatic, fixed and mimic joints."""
    root = ElementTree.fromstring(text)
    links = {link.get("name"): link for link in root.findall("link")}
    joints = root.findall("joint")
    children = {joint.find("child").get("link") for joint in joints}
    (base,) = [name for name in links if name not in children]
    bodies: list[Body] = []
    follows: dict[str, Any] = {}

    def visit(name: str, parent: int, joint: Any) -> None:
        here = len(bodies)
        bodies.append(_body(links[name], parent, joint))
        if joint is not None and joint.find("mimic") is not None:
            follows[joint.get("name")] = joint.find("mimic")
        for next_one in joints:
            if next_one.find("parent").get("link") == name:
                visit(next_one.find("child").get("link"), here, next_one)

    visit(base, -1, None)
    number = {body.joint: i for i, body in enumerate(bodies)}
    for i, body in enumerate(bodies):
        if body.joint in follows and body.kind != "fixed":
            mimic = follows[body.joint]
            multiplier = float(mimic.get("multiplier", "1"))
            law = (number[mimic.get("joint")], multiplier, float(mimic.get("offset", "0")))
            bodies[i] = replace(body, mimic=law)
    return Robot(root.get("name"), tuple(bodies), gravity)


def _words(values: Iterable[float]) -> str:
    return " ".join(repr(float(value)) for value in values)


def write_urdf(robot: Robot) -> str:
    """URDF text that says exactly what the description says (no helical joints there)."""
    lines = [f'<robot name="{robot.name}">']
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    for body in robot.bodies:
        lines.append(f'  <link name="{body.name}">')
        if body.mass:
            tensor = " ".join(f'{k}="{v!r}"' for k, v in zip(names, body.inertia, strict=True))
            origin = f'<origin xyz="{_words(body.com)}" rpy="{_words(body.inertia_rpy)}"/>'
            lines.append(f'    <inertial>{origin}<mass value="{body.mass!r}"/>')
            lines.append(f"      <inertia {tensor}/></inertial>")
        lines.append("  </link>")
    for body in robot.bodies[1:]:
        lines.append(f'  <joint name="{body.joint}" type="{body.kind}">')
        lines.append(f'    <parent link="{robot.bodies[body.parent].name}"/>')
        lines.append(f'    <child link="{body.name}"/>')
        lines.append(f'    <origin xyz="{_words(body.xyz)}" rpy="{_words(body.rpy)}"/>')
        if body.kind != "fixed":
            lines.append(f'    <axis xyz="{_words(body.axis)}"/>')
            lines.append('    <limit lower="-4" upper="4" effort="100" velocity="10"/>')
        if body.mimic is not None:
            i, multiplier, offset = body.mimic
            law = f'multiplier="{multiplier!r}" offset="{offset!r}"'
            lines.append(f'    <mimic joint="{robot.bodies[i].joint}" {law}/>')
        lines.append("  </joint>")
    return "\n".join([*lines, "</robot>", ""])


# --- random robots ---


def physical_inertia(rng: np.random.Generator, mass: float) -> Any:
    """Inertia of a random cloud of mass: positive, and no moment above the sum of the others."""
    A = np.linalg.qr(rng.normal(size=(3, 3)))[0] * rng.uniform(0.03, 0.2, size=3)
    spread = mass * A @ A.T
    tensor = np.trace(spread) * np.eye(3) - spread
    return (tensor + tensor.T) / 2


def _random_axis(rng: np.random.Generator, aligned: bool) -> Triple:
    if aligned:
        axis = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
    else:
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
    return float(axis[0]), float(axis[1]), float(axis[2])


def _random_angles(rng: np.random.Generator, aligned: bool) -> Triple:
    if aligned:
        angles = rng.integers(-1, 3, size=3) * (np.pi / 2)
    else:
        angles = rng.uniform(-np.pi, np.pi, size=3)
    return float(angles[0]), float(angles[1]), float(angles[2])


def random_robot(
    seed: int,
    joints: int,
    *,
    kinds: Sequence[str] = ("revolute",),
    branching: float = 0.0,
    aligned: float = 0.0,
    mimics: float = 0.0,
) -> Robot:
    """A seeded chain or tree; numbers are plain floats, inertias those of real bodies.

    `branching`, `aligned`, `mimics`: probabilities that a body starts at an earlier one, has its
    axis and frame along the parent's, follows an earlier joint. The first joint moves.
    """
    rng = np.random.default_rng(seed)
    bodies = [Body("ground", -1)]
    for i in range(1, joints + 1):
        parent = int(rng.integers(i)) if i > 1 and rng.random() < branching else i - 1
        straight = rng.random() < aligned
        mass = float(rng.uniform(0.2, 4.0))
        body = Body(
            f"link{i}",
            parent,
            kind=str(rng.choice([kind for kind in kinds if i > 1 or kind != "fixed"])),
            joint=f"joint{i}",
            rpy=_random_angles(rng, straight),
            xyz=tuple(float(x) for x in rng.uniform(-0.4, 0.4, size=3)),
            axis=_random_axis(rng, straight),
            pitch=float(rng.uniform(-0.3, 0.3)),
            mass=mass,
            com=tuple(float(x) for x in rng.uniform(-0.15, 0.15, size=3)),
            inertia_rpy=_random_angles(rng, straight),
            inertia=_six(physical_inertia(rng, mass)),
        )
        earlier = [k for k, b in enumerate(bodies) if b.kind == body.kind and b.mimic is None]
        if body.kind != "fixed" and earlier and rng.random() < mimics:
            law = (int(rng.choice(earlier)), float(rng.uniform(-2, 2)), float(rng.uniform(-1, 1)))
            body = replace(body, mimic=law)
        bodies.append(body)
    return _depth_first(Robot(f"random_{seed}", tuple(bodies)))


def random_dh(seed: int, joints: int) -> list[dict[str, Any]]:
    """A seeded Denavit-Hartenberg table, one joint in three prismatic, some twists right angles."""
    rng, rows = np.random.default_rng(seed), []
    for _ in range(joints):
        mass = float(rng.uniform(0.2, 4.0))
        twists = (0.0, np.pi / 2, -np.pi / 2, float(rng.uniform(-3, 3)))
        row = {key: float(rng.uniform(-0.5, 0.5)) for key in ("a", "d", "theta")}
        row |= {
            "alpha": float(rng.choice(twists)),
            "type": str(rng.choice(["revolute", "revolute", "prismatic"])),
            "mass": mass,
            "com": [float(x) for x in rng.uniform(-0.2, 0.2, size=3)],
            "inertia": physical_inertia(rng, mass).tolist(),
        }
        rows.append(row)
    return rows


def _depth_first(robot: Robot) -> Robot:
    """The same robot with its bodies in the order in which a reader of its file meets them."""
    order: list[int] = []

    def visit(i: int) -> None:
        order.append(i)
        for k, body in enumerate(robot.bodies):
            if body.parent == i:
                visit(k)

    visit(0)
    place = {old: new for new, old in enumerate(order)}
    bodies = []
    for old in order:
        body = robot.bodies[old]
        parent = place[body.parent] if body.parent >= 0 else -1
        mimic = body.mimic and (place[body.mimic[0]], *body.mimic[1:])
        bodies.append(replace(body, parent=parent, mimic=mimic))
    return replace(robot, bodies=tuple(bodies))


def random_state(rng: np.random.Generator, n: int) -> tuple[Any, Any, Any]:
    """Position, velocity, acceleration that are the same numbers in float32 and float64."""
    spans = (np.pi, 2.0, 5.0)
    q, qd, qdd = (rng.uniform(-s, s, size=n).astype(np.float32).astype(float) for s in spans)
    return q, qd, qdd
