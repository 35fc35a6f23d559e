"""Denavit–Hartenberg tables, standard or modified; there is no default, for both are in use.

standard   frame i at the far end of link i, joint i along z of frame i−1:
           Rz(theta) Tz(d) Tx(a) Rx(alpha)
modified   frame i at joint i, joint i along z of frame i:
           Rx(alpha) Tx(a) Rz(theta) Tz(d)

A row's mass, com and inertia (about the com) are those of link i in its frame i.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from momentarm.formats.numbers import Turns
from momentarm.formats.table import Table, given_gravity
from momentarm.model.assemble import assemble
from momentarm.model.description import (
    HERE,
    JointDescription,
    LinkDescription,
    Pose,
    RobotDescription,
    product,
)
from momentarm.model.mechanism import Limits, Mechanism
from momentarm.model.problem import Problem, Problems
from momentarm.spatial import Mat3, Vec3

CONVENTIONS = ("standard", "modified")
KEYS = ("a", "alpha", "d", "theta", "type", "name", "link", "mass", "com", "inertia", "limits",
        "damping", "friction", "armature")  # fmt: skip
TYPES = ("revolute", "continuous", "prismatic")


def from_dh(rows: Iterable[Mapping[str, Any]], convention: str, *, name: str = "robot",
            gravity: Iterable[float] = (0, 0, -9.81), strict: bool = False,
            snap_angles: bool = False) -> tuple[Mechanism, tuple[Problem, ...]]:  # fmt: skip
    """A chain from DH rows: mappings with a, alpha, d, theta and, as known, the other `KEYS`."""
    if convention not in CONVENTIONS:
        raise ValueError(f"convention is {convention!r}; expected 'standard' or 'modified'")
    problems = Problems("from_dh", strict)
    turns, rows = Turns(snap_angles), list(rows)
    for i, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise TypeError(f"from_dh: row {i} is {row!r}; expected a mapping, such as "
                            "{'a': 0, 'alpha': 0, 'd': 0, 'theta': 0}")  # fmt: skip
    tables = [_table(i, row, problems, turns) for i, row in enumerate(rows, 1)]
    links = [LinkDescription("base", where="from_dh")]
    joints = [_joint(i, table, convention) for i, table in enumerate(tables, 1)]
    ends = {}
    for i, table in enumerate(tables, 1):
        links.append(link := _link(i, table))
        joints[i - 1] = replace(joints[i - 1], parent=links[i - 1].name, child=link.name)
        if convention == "standard":
            ends[link.name] = standard_step(table)
    robot = RobotDescription(name, tuple(links), tuple(joints), where="from_dh",
                             gravity=given_gravity(gravity, "from_dh", problems))  # fmt: skip
    return assemble(in_joint_axes(robot, ends), problems), problems.ordered()


def _table(i: int, row: Mapping[str, Any], problems: Problems, turns: Turns) -> Table:
    table = Table(row, f"row {i}", lambda key: f"from_dh: row {i}", problems, turns)
    table.only(*KEYS)
    return table


def _joint(i: int, table: Table, convention: str) -> JointDescription:
    kind = table.string("type", "revolute") or "revolute"
    if kind not in TYPES:
        table.complain("type", f"type is {kind!r}, expected one of {', '.join(TYPES)}", "",
                       "joint-type")  # fmt: skip
        kind = "revolute"
    pair = table.values.get("limits")
    limits = table.limits(kind) if pair is None or isinstance(pair, Mapping) else _pair(table)
    placement = modified_step(table) if convention == "modified" else HERE
    return JointDescription(
        table.string("name", f"joint{i}") or "",
        kind,
        "",
        "",
        placement,
        limits=limits,
        damping=table.number("damping"),
        friction=table.number("friction"),
        armature=table.number("armature"),
        where=table.place("name"),
    )


def _pair(table: Table) -> Limits:
    """(lower, upper)."""
    return Limits(*(table.row("limits", 2, angular=True) or ()))


def _link(i: int, table: Table) -> LinkDescription:
    name = table.string("link", f"link{i}") or ""
    if not table.values.keys() & {"mass", "com", "inertia"}:
        return LinkDescription(name, where=table.place("link"))
    return body(name, table)


def body(name: str, table: Table) -> LinkDescription:
    """A link with mass, com and inertia."""
    return LinkDescription(name, table.number("mass"), table.vector("com"),
                           table.symmetric("inertia"), where=table.place("mass"))  # fmt: skip


def _turns(table: Table) -> tuple[tuple[float, float], tuple[float, float]]:
    """(cos, sin) of theta and of alpha."""
    theta, alpha = table.number("theta", angular=True), table.number("alpha", angular=True)
    turn: tuple[float, float] = table.turned("theta", lambda: table.turns.cos_sin(theta))
    tilt: tuple[float, float] = table.turned("alpha", lambda: table.turns.cos_sin(alpha))
    return turn, tilt


def standard_step(table: Table) -> Pose:
    """Frame i in the frame of joint i: Rz(theta) Tz(d) Tx(a) Rx(alpha)."""
    (c, s), (ca, sa) = _turns(table)
    a, d = table.number("a"), table.number("d")
    return Pose(Mat3.rows(((c, -s * ca, s * sa), (s, c * ca, -c * sa), (0, sa, ca))),
                Vec3(a * c, a * s, d))  # fmt: skip


def modified_step(table: Table) -> Pose:
    """Frame i in frame i−1: Rx(alpha) Tx(a) Rz(theta) Tz(d)."""
    (c, s), (ca, sa) = _turns(table)
    a, d = table.number("a"), table.number("d")
    return Pose(Mat3.rows(((c, -s, 0), (s * ca, c * ca, -sa), (s * sa, c * sa, ca))),
                Vec3(a, -d * sa, d * ca))  # fmt: skip


def in_joint_axes(robot: RobotDescription, ends: Mapping[str, Pose]) -> RobotDescription:
    """Links whose data are in a frame `ends[name]` of the joint's, described in the joint's."""
    if not ends:
        return robot
    links = tuple(_moved(link, ends[link.name]) if link.name in ends else link
                  for link in robot.links)  # fmt: skip
    joints = tuple(
        replace(joint, placement=ends.get(joint.parent, HERE) @ joint.placement)
        for joint in robot.joints
    )
    frames = tuple(replace(frame, pose=ends.get(frame.parent, HERE) @ frame.pose)
                   for frame in robot.frames)  # fmt: skip
    return replace(robot, links=links, joints=joints, frames=frames)


def _moved(link: LinkDescription, end: Pose) -> LinkDescription:
    com = (end @ Pose(p=link.com)).p
    turn = product(end.R, link.inertial_rotation)
    return replace(link, com=com, inertial_rotation=turn, frame=end @ link.frame)
