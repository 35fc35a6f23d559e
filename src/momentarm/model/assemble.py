"""From what a file says to a mechanism: one place for all formats.

Rule 1  Everything is checked first (`soundness`); a mechanism is built only from a sound robot.
Rule 2  Each link's frame is turned so that its joint's axis is z; the frame the file meant is
        kept under its name in `Mechanism.frames`. Fixed joints stay links here.
Rule 3  `describe` undoes `assemble` bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from momentarm.model.actuator import IDEAL, Actuator
from momentarm.model.alignment import alignment, plain_matrix, plain_vector, zeroed
from momentarm.model.description import (
    HERE,
    JointDescription,
    LinkDescription,
    Pose,
    RobotDescription,
    applied,
    product,
)
from momentarm.model.expand import expanded
from momentarm.model.joints import JOINT_TYPES
from momentarm.model.mechanism import BASE, Coupling, Frame, Joint, Limits, Link, Mechanism
from momentarm.model.problem import Problems
from momentarm.model.soundness import (
    check_bodies,
    check_joint,
    check_link,
    check_names,
    check_size,
    couplings,
    tree_order,
)
from momentarm.spatial import (
    IDENTITY,
    NO_INERTIA,
    NO_TRANSFORM,
    Inertia,
    Mat3,
    Rotation,
    Sym3,
    Transform,
)


def assemble(robot: RobotDescription, problems: Problems) -> Mechanism:
    """The mechanism a description means; raises `RobotFileError` with all problems at once."""
    check_names(robot, problems)
    check_size("gravity", robot.at("gravity"), robot.gravity, problems)
    check_size("origin", robot.at("origin"), robot.origin.p, problems)
    order = tree_order(robot, problems)
    for link in robot.links:
        check_link(link, problems)
    for joint in robot.joints:
        check_joint(joint, problems)
    follow = couplings(robot, problems)
    if not problems.broken:
        check_bodies(robot, order, problems)
    problems.raise_errors()
    whole = expanded(robot)
    order = order if whole is robot else tree_order(whole, problems)
    return replace(_built(whole, order, follow), notes=tuple(problems.notes))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a described link went: its index, and its axes seen from the mechanism's frame."""

    index: int
    turn: Mat3  # Aᵀ


def _built(robot: RobotDescription, order: list[JointDescription],
           follow: dict[str, Coupling]) -> Mechanism:  # fmt: skip
    described = {link.name: link for link in robot.links}
    base = next(iter(described.keys() - {joint.child for joint in order}))
    places = {base: _Place(BASE, IDENTITY)}
    links: list[Link] = []
    for joint in order:
        A = alignment(joint.axis) if JOINT_TYPES[joint.kind].has_axis else IDENTITY
        parent, turn = places[joint.parent], A.T if A is not IDENTITY else A
        places[joint.child] = _Place(len(links), turn)
        R = product(product(parent.turn, joint.placement.R), A)
        placement = transform(Pose(R, applied(parent.turn, joint.placement.p)))
        link = described[joint.child]
        links.append(Link(link.name, parent.index, _joint(joint, follow), placement,
                          _inertia(link, turn), link.mass is not None,
                          _where(link, joint)))  # fmt: skip
    return Mechanism(
        robot.name,
        tuple(links),
        plain_vector(robot.gravity),
        _frames(robot, base, places),
        robot.tip if robot.tip is not None else _only_leaf(order, base),
        _inertia(described[base], IDENTITY),
        transform(robot.origin),
    )


def _where(link: LinkDescription, joint: JointDescription) -> dict[str, str]:
    """The places of a link and its joint, by part."""
    joints = ("axis", "limits", "dynamics", "mimic", "placement")
    places = {"link": link.where, "joint": joint.where}
    places |= {part: link.at(part) for part in ("mass", "inertia", "com")}
    return places | {part: joint.at(part) for part in joints}


def transform(pose: Pose) -> Transform:
    if pose is HERE:
        return NO_TRANSFORM
    return Transform.pose(plain_matrix(pose.R), plain_vector(pose.p))


def _joint(joint: JointDescription, follow: dict[str, Coupling]) -> Joint:
    """Without what has no meaning for its type."""
    limits = joint.limits
    drive = Actuator(*map(zeroed, (joint.armature, joint.damping, joint.friction)))
    if joint.kind in ("fixed", "free"):
        limits, drive = Limits(), IDEAL
    elif joint.kind == "continuous":
        limits = Limits(None, None, limits.velocity, limits.effort)
    pitch = zeroed(joint.pitch) if joint.kind == "helical" else 0
    return Joint(joint.name, joint.kind, pitch, limits, drive, follow.get(joint.name))


def _inertia(link: LinkDescription, turn: Mat3) -> Inertia:
    """The body in the mechanism's frame, which `turn` leads to from the link's axes."""
    if link.mass is None:
        return NO_INERTIA
    if link.moments is not None:
        h, E = link.moments.h, link.moments.E
        return Inertia(zeroed(link.mass), plain_vector(applied(turn, h)), turned(turn, E))
    com = applied(turn, link.com)
    I = turned(product(turn, link.inertial_rotation), link.inertia)
    body = Inertia.about_com(zeroed(link.mass), com, I)
    return Inertia(body.m, plain_vector(body.h), Sym3(*map(zeroed, body.E)))


def turned(R: Mat3, S: Sym3) -> Sym3:
    """R S Rᵀ, exactly where R is a signed permutation."""
    result: Sym3 = Rotation.from_matrix(R) @ S
    return Sym3(*map(zeroed, result))


def _frames(robot: RobotDescription, base: str, places: dict[str, _Place]) -> dict[str, Frame]:
    """Base first, then links in file order, then the file's further frames."""
    frames: dict[str, Frame] = {base: Frame(BASE)}
    named = [(link.name, link.name, link.frame) for link in robot.links]
    named += [(frame.name, frame.parent, frame.pose) for frame in robot.frames]
    for name, link, pose in named:
        place = places[link]
        X = Pose(product(place.turn, pose.R), applied(place.turn, pose.p))
        frames[name] = Frame(place.index, transform(X))
    return frames


def _only_leaf(order: list[JointDescription], base: str) -> str | None:
    inner = {joint.parent for joint in order}
    leaves = [joint.child for joint in order if joint.child not in inner]
    if not order:
        return base
    return leaves[0] if len(leaves) == 1 else None
