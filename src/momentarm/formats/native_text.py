"""Writes a mechanism as native TOML.

Rule 1  Reading the text gives the same mechanism bit for bit.
Rule 2  What has its default is not written; quarter turns are written in degrees.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from momentarm.formats.numbers import Turns
from momentarm.model.alignment import plain_matrix
from momentarm.model.describe import describe
from momentarm.model.description import (
    HERE,
    FrameDescription,
    JointDescription,
    LinkDescription,
    Pose,
    RobotDescription,
)
from momentarm.model.mechanism import Coupling, Limits, Mechanism
from momentarm.spatial import EZ, IDENTITY, ZERO, Mat3

MARK = "momentarm robot 1"

_QUARTERS = (0, 90, -90, 180)


def dumps(mechanism: Mechanism) -> str:
    return "\n".join(_lines(describe(mechanism)))


def _lines(robot: RobotDescription) -> Iterable[str]:
    yield f"format = {text(MARK)}"
    yield f"name = {text(robot.name)}"
    if tuple(robot.gravity) != (0, 0, -9.81):
        yield f"gravity = {row(robot.gravity)}"
    if robot.tip is not None:
        yield f"tip = {text(robot.tip)}"
    if robot.origin != HERE:
        yield f"origin = {{ {', '.join(_pose(robot.origin))} }}"
    for link in robot.links:
        yield from ("", "[[link]]", *_link(link))
    for joint in robot.joints:
        yield from ("", "[[joint]]", *_joint(joint))
    for frame in robot.frames:
        yield from ("", "[[frame]]", *_frame(frame))
    yield ""


def _link(link: LinkDescription) -> Iterable[str]:
    yield f"name = {text(link.name)}"
    if link.mass is not None:
        yield f"mass = {real(link.mass)}"
        if link.moments is not None:
            yield f"first_moments = {row(link.moments.h)}"
            yield f"second_moments = {row(link.moments.E)}"
        else:
            if tuple(link.com) != (0, 0, 0):
                yield f"com = {row(link.com)}"
            if any(link.inertia):
                yield f"inertia = {row(link.inertia)}"
    if link.frame != HERE:
        yield f"frame = {{ {', '.join(_pose(link.frame))} }}"


def _joint(joint: JointDescription) -> Iterable[str]:
    yield f"name = {text(joint.name)}"
    yield f"type = {text(joint.kind)}"
    yield f"parent = {text(joint.parent)}"
    yield f"child = {text(joint.child)}"
    yield from _pose(joint.placement)
    if joint.axis != EZ:
        yield f"axis = [{', '.join(str(int(x)) for x in joint.axis)}]"
    if joint.limits != Limits():
        yield f"limits = {_limits(joint.limits)}"
    for name, usual in (("pitch", 0), ("ratio", 1), ("offset", 0), ("damping", 0),
                        ("friction", 0), ("armature", 0)):  # fmt: skip
        if getattr(joint, name) != usual:
            yield f"{name} = {real(getattr(joint, name))}"
    if joint.mimic is not None:
        yield f"mimic = {_mimic(joint.mimic)}"


def _frame(frame: FrameDescription) -> Iterable[str]:
    yield f"name = {text(frame.name)}"
    yield f"parent = {text(frame.parent)}"
    yield from _pose(frame.pose)


def _limits(limits: Limits) -> str:
    said = [(name, getattr(limits, name)) for name in limits.__slots__]
    return f"{{ {', '.join(f'{name} = {real(x)}' for name, x in said if x is not None)} }}"


def _mimic(mimic: Coupling) -> str:
    offset = f", offset = {real(mimic.offset)}" if mimic.offset else ""
    return f"{{ joint = {text(mimic.joint)}, ratio = {real(mimic.ratio)}{offset} }}"


def _pose(pose: Pose) -> Iterable[str]:
    if pose.p != ZERO:
        yield f"xyz = {row(pose.p)}"
    if pose.R != IDENTITY:
        angles = _quarter_angles(pose.R) or _angles(pose.R)
        rows = ", ".join(row(r) for r in pose.R)
        yield f"rpy = [{', '.join(angles)}]" if angles else f"rotation = [{rows}]"


def _quarter_angles(R: Mat3) -> list[str] | None:
    """Roll, pitch and yaw in degrees where all three are quarter turns."""
    if any(x not in (0, 1, -1) for column in (R.cx, R.cy, R.cz) for x in column):
        return None
    for angles in itertools.product(_QUARTERS, (0, 90, -90), _QUARTERS):
        if Turns().rpy(*map(math.radians, angles)) == R:
            return [f'"{a} deg"' if a else "0" for a in angles]
    return None


def _angles(R: Mat3) -> list[str] | None:
    """Roll, pitch and yaw that give exactly this matrix, if a few digits do."""
    roll = math.atan2(R.cy.z, R.cz.z)
    pitch = math.atan2(-R.cx.z, math.hypot(R.cx.x, R.cx.y))
    yaw = math.atan2(R.cx.y, R.cx.x)
    for digits in (4, 6, 8, 10, 12, 14, 15, 16, 17):
        angles = [float(f"{a:.{digits}g}") for a in (roll, pitch, yaw)]
        if plain_matrix(Turns().rpy(*angles)) == R:
            return [real(a) for a in angles]
    return None


def row(numbers: Iterable[float]) -> str:
    return f"[{', '.join(real(x) for x in numbers)}]"


def real(x: object) -> str:
    """The shortest decimal that reads back as the same float."""
    if isinstance(x, bool) or not isinstance(x, int | float) or not math.isfinite(x):
        raise TypeError(f"a robot file holds finite numbers, not {x!r}")
    return repr(int(x)) if x == int(x) and abs(x) < 1e15 else repr(float(x))


def text(value: str) -> str:
    """A TOML basic string."""
    plain = value.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in plain) + '"'
