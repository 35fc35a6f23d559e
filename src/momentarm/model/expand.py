"""Joints that are several joints in a row: planar and universal ones, and a base that floats.

Description -> description. What stands between the parts is massless; parts and the links between
them are called `joint.x`, `joint.y`, …
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from momentarm.model.alignment import alignment
from momentarm.model.description import HERE, JointDescription, LinkDescription, RobotDescription
from momentarm.model.joints import JOINT_TYPES
from momentarm.model.mechanism import Limits

WORLD, FLOATING = "world", "floating_base"


def expanded(robot: RobotDescription) -> RobotDescription:
    """With every joint of one type of the table, none of several parts."""
    if not any(JOINT_TYPES[joint.kind].parts for joint in robot.joints):
        return robot
    links, joints = list(robot.links), list[JointDescription]()
    for joint in robot.joints:
        parts = list(_parts(joint))
        links += [LinkDescription(part.child, 0.0) for part in parts[:-1]]
        joints += parts
    return replace(robot, links=tuple(links), joints=tuple(joints))


def _parts(joint: JointDescription) -> Iterator[JointDescription]:
    kind = JOINT_TYPES[joint.kind]
    if not kind.parts:
        yield joint
        return
    A = alignment(joint.axis)
    parent, placement = joint.parent, joint.placement
    for k, (name, type, axis) in enumerate(kind.parts, 1):
        own = f"{joint.name}.{name}"
        child = joint.child if k == len(kind.parts) else own
        yield replace(joint, name=own, kind=type, parent=parent, child=child, placement=placement,
                      axis=A @ axis, limits=Limits())  # fmt: skip
        parent, placement = child, HERE


def floated(robot: RobotDescription) -> RobotDescription:
    """With its base link on a free joint from a new link, `world`."""
    children = {joint.child for joint in robot.joints}
    roots = [link.name for link in robot.links if link.name not in children]
    taken = {link.name for link in robot.links} | {joint.name for joint in robot.joints}
    world, floating = (name + "_" * (name in taken) for name in (WORLD, FLOATING))
    if len(roots) != 1:
        return robot  # no tree: the checks will say so
    joint = JointDescription(floating, "free", world, roots[0], where=robot.where)
    return replace(robot, links=(LinkDescription(world), *robot.links),
                   joints=(joint, *robot.joints), base=None,
                   tip=robot.tip)  # fmt: skip
