"""What a described robot must satisfy: names, numbers, tree, couplings, bodies.

Rule 1  Checks record problems and never raise; the caller raises once.
Rule 2  One fault, one problem: what only follows from a reported fault is not reported.
Rule 3  Nothing recurses: a chain of a thousand links is a loop.
"""

from __future__ import annotations

from collections.abc import Iterable

from momentarm.model.alignment import length, zeroed
from momentarm.model.description import JointDescription, LinkDescription, RobotDescription
from momentarm.model.joints import JOINT_TYPES
from momentarm.model.mechanism import Coupling
from momentarm.model.principal import principal
from momentarm.model.problem import Problems, listed
from momentarm.spatial import Inertia, Sym3

MAX_LINKS = 5000
HUGE = 1e60  # products of three such numbers are still finite
TOLERANCE = 1e-6  # relative; what rounded decimals in a file may cost
SPECK = 1e-15  # m²; the inertia of a kilogram within 30 nm is no more than rounding
CUT_LOOP = "a robot is a tree: a link has one parent; a closed loop is cut at one joint"

NO_TREE = ("name-missing", "name-duplicate", "link-unknown", "two-parents")


def check_names(robot: RobotDescription, problems: Problems) -> None:
    """Links, frames and joints are there, have names, and no two have the same."""
    if not robot.links:
        problems.error("no-links", robot.where, "the robot has no link",
                       "a robot is at least one link")  # fmt: skip
    if len(robot.links) > MAX_LINKS:
        problems.error("too-large", robot.where,
                       f"{len(robot.links)} links; at most {MAX_LINKS} are read")  # fmt: skip
    bodies = [("link", link) for link in robot.links]
    _check_unique([*bodies, *(("frame", frame) for frame in robot.frames)], problems)
    _check_unique([("joint", joint) for joint in robot.joints], problems)


def _check_unique(things: Iterable[tuple[str, object]], problems: Problems) -> None:
    seen: dict[str, str] = {}
    for what, thing in things:
        name, where = thing.name, thing.where  # type: ignore[attr-defined]
        if not name and where in problems.broken:
            continue
        if not name:
            problems.error("name-missing", where, f"a {what} without a name",
                           f"give the {what} a unique name")  # fmt: skip
        elif any(ord(char) < 32 for char in name):
            problems.error("name-missing", where, f"{what} name {name!r} has control characters")
        elif name in seen:
            problems.error("name-duplicate", where, f"{what} {name!r} is already defined "
                           f"at {seen[name]}", "names must be unique; rename one")  # fmt: skip
        else:
            seen[name] = where


def tree_order(robot: RobotDescription, problems: Problems) -> list[JointDescription]:
    """The joints parents first, depth first, in file order; [] where there is no tree."""
    if not _references_hold(robot, problems) or problems.has(NO_TREE) or not robot.links:
        return []
    children: dict[str, list[JointDescription]] = {link.name: [] for link in robot.links}
    for joint in robot.joints:
        children[joint.parent].append(joint)
    below = {joint.child for joint in robot.joints}
    roots = [link for link in robot.links if link.name not in below]
    order: list[JointDescription] = []
    for root in roots:
        stack = list(reversed(children[root.name]))
        while stack:
            joint = stack.pop()
            order.append(joint)
            stack.extend(reversed(children[joint.child]))
    if len(order) < len(robot.joints):
        _report_cycle(robot, {joint.name for joint in order}, problems)
    elif len(roots) > 1:
        problems.error("roots", roots[1].where, "links without a parent joint: "
                       f"{_listed(link.name for link in roots)}; a robot has one base",
                       "connect all but one of them by a joint, or remove them")  # fmt: skip
    elif robot.base not in (None, roots[0].name):
        problems.error("base", robot.at("base"), f"base is {robot.base!r}, but the link without a "
                       f"parent joint is {roots[0].name!r}")  # fmt: skip
    return order


def _listed(names: Iterable[str]) -> str:
    return listed(map(repr, names))


def _references_hold(robot: RobotDescription, problems: Problems) -> bool:
    """Whether joints and frames are on links that exist, no link being the child of two joints."""
    names = {link.name: None for link in robot.links}
    parents: dict[str, JointDescription] = {}
    for joint in robot.joints:
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in names and (link or joint.at(role) not in problems.broken):
                problems.error("link-unknown", joint.at(role), f"joint {joint.name!r}: {role} link "
                               f"{link!r} does not exist",
                               problems.suggestion(link, names))  # fmt: skip
        if joint.child in parents and joint.child:
            first = parents[joint.child]
            problems.error("two-parents", joint.at("child"), f"link {joint.child!r} is the child "
                           f"of joint {joint.name!r} and of joint {first.name!r} ({first.where})",
                           CUT_LOOP)  # fmt: skip
        parents.setdefault(joint.child, joint)
    for frame in robot.frames:
        if frame.parent not in names:
            problems.error("link-unknown", frame.where, f"frame {frame.name!r}: parent link "
                           f"{frame.parent!r} does not exist",
                           problems.suggestion(frame.parent, names))  # fmt: skip
    places = {frame.name: None for frame in robot.frames} | names
    if robot.tip is not None and robot.tip not in places:
        problems.error("link-unknown", robot.at("tip"), f"tip {robot.tip!r} is no link or frame",
                       problems.suggestion(robot.tip, places))  # fmt: skip
    return all(joint.parent in names and joint.child in names for joint in robot.joints)


def _report_cycle(robot: RobotDescription, reached: set[str], problems: Problems) -> None:
    """Name the joints of one cycle among those that no root reaches."""
    into = {joint.child: joint for joint in robot.joints if joint.name not in reached}
    joint = next(iter(into.values()))
    seen: dict[str, int] = {}
    path: list[JointDescription] = []
    while joint.name not in seen:
        seen[joint.name] = len(path)
        path.append(joint)
        joint = into[joint.parent]
    cycle = list(reversed(path[seen[joint.name]:]))  # fmt: skip
    problems.error("cycle", cycle[0].where, f"joints {_listed(j.name for j in cycle)} form a cycle",
                   CUT_LOOP)  # fmt: skip


def check_joint(joint: JointDescription, problems: Problems) -> None:
    """Type, axis, limits and drive of one joint."""
    name, low, high = joint.name, joint.limits.lower, joint.limits.upper
    if joint.kind not in JOINT_TYPES:
        problems.error("joint-type", joint.where, f"joint {name!r}: type {joint.kind!r} is not "
                       f"supported; the types are {', '.join(JOINT_TYPES)}",
                       problems.near(joint.kind, JOINT_TYPES))  # fmt: skip
    elif JOINT_TYPES[joint.kind].has_axis:
        _check_axis(joint, problems)
    if low is not None and high is not None and low > high:
        problems.error("limits-order", joint.at("limits"), f"joint {name!r}: lower limit {low:g} "
                       f"is above upper limit {high:g}", "swap them")  # fmt: skip
    for term in ("damping", "friction", "armature"):
        value = getattr(joint, term)
        if value < 0:
            problems.error(f"{term}-negative", joint.at("dynamics"), f"joint {name!r}: {term} "
                           f"{value:g} is negative; it would feed energy in",
                           "drop the sign")  # fmt: skip
    check_size(f"joint {name!r}", joint.where, (
        *joint.placement.p, *joint.axis, joint.pitch, joint.ratio, joint.offset, joint.damping,
        joint.friction, joint.armature), problems)  # fmt: skip


def _check_axis(joint: JointDescription, problems: Problems) -> None:
    n = length(joint.axis)
    x, y, z = joint.axis
    if n == 0:
        problems.error("axis-zero", joint.at("axis"), f"joint {joint.name!r}: its axis is 0 0 0",
                       "give a direction, e.g. 0 0 1, or make the joint fixed")  # fmt: skip
    elif abs(n - 1) > TOLERANCE:
        problems.warning("axis-not-unit", joint.at("axis"), f"joint {joint.name!r}: axis "
                         f"{x:g} {y:g} {z:g} has length {n:.6g}; it was normalised")  # fmt: skip


def check_size(what: str, where: str, numbers: Iterable[float], problems: Problems) -> None:
    for x in numbers:
        if not abs(x) <= HUGE:
            problems.error("number-huge", where, f"{what}: {x:g} is beyond any robot "
                           f"(limit {HUGE:g})", "check the units")  # fmt: skip
            return


def check_link(link: LinkDescription, problems: Problems) -> None:
    """Mass and inertia of one link."""
    if link.mass is None:
        return
    if link.mass < 0:
        problems.error("mass-negative", link.at("mass"), f"link {link.name!r}: mass {link.mass:g} "
                       "is negative", "a mass is zero or more")  # fmt: skip
        return
    given = (*link.moments.h, *link.moments.E) if link.moments else (*link.com, *link.inertia)
    before = len(problems.found)
    check_size(f"link {link.name!r}", link.where, (link.mass, *given, *link.frame.p), problems)
    if len(problems.found) == before and link.at("inertia") not in problems.broken:
        what, where = f"link {link.name!r}", link.at("inertia")
        if link.moments is None:
            check_moments(what, where, link.mass, link.inertia, 0, problems)
        else:
            body = Inertia(link.mass, link.moments.h, link.moments.E)
            check_inertia(what, where, body, problems)


def check_inertia(what: str, where: str, body: Inertia, problems: Problems) -> None:
    """The same for a body whose central moments are a difference."""
    check_moments(what, where, body.m, body.I_com, 1e-12 * abs(body.I.trace), problems)


def check_moments(what: str, where: str, mass: float, central: Sym3, noise: float,
                  problems: Problems) -> None:  # fmt: skip
    """Principal moments about the centre of mass: none negative, none above the others' sum."""
    a, b, c = principal_moments(central)
    shown = (0.0 if abs(x) < 1e-9 * abs(c) else x for x in (a, b, c))
    moments = f"{what}: principal moments {', '.join(f'{x:.4g}' for x in shown)} kg m^2"
    slack = TOLERANCE * max(abs(a), abs(c)) + SPECK * mass + noise
    if a < -slack:
        problems.warning("inertia-negative", where, f"{moments}: the least is "
                         "negative; no rigid body has this inertia",
                         "check the signs of ixy, ixz, iyz and all magnitudes", a,
                         "0 or more")  # fmt: skip
    elif a + b < c - slack:
        problems.warning("inertia-triangle", where, f"{moments} break A + B >= C "
                         f"(short by {c - a - b:.3g}); no rigid body has this inertia",
                         "check the units; the tensor is about the centre of mass", c,
                         f"{a + b:.4g} or less")  # fmt: skip


def principal_moments(S: Sym3) -> tuple[float, float, float]:
    """The eigenvalues of a symmetric matrix, ascending.

    >>> from momentarm.spatial import Sym3
    >>> [round(x, 12) for x in principal_moments(Sym3(2, 2, 4, 1, 0, 0))]
    [1.0, 3.0, 4.0]
    """
    low, middle, high = sorted(principal(S)[0])
    return low, middle, high


def check_bodies(robot: RobotDescription, order: list[JointDescription],
                 problems: Problems) -> None:  # fmt: skip
    """Moving links that carry no mass: nothing then resists their joint."""
    links = {link.name: link for link in robot.links}
    body = {name: link.mass or 0 for name, link in links.items()}
    said = {name: link.mass is not None for name, link in links.items()}
    subtree = dict(body)
    for joint in reversed(order):
        subtree[joint.parent] += subtree[joint.child]
        if joint.kind == "fixed":
            body[joint.parent] += body[joint.child]
            said[joint.parent] |= said[joint.child]
    for joint in order:
        if joint.kind == "fixed" or joint.mimic is not None or joint.armature > 0:
            continue
        link = links[joint.child]
        if subtree[link.name] == 0:
            problems.warning("massless", link.where, f"link {link.name!r} and all it carries have "
                             f"no mass, yet joint {joint.name!r} moves it: no forward dynamics",
                             "give the link an inertia or the joint an armature")  # fmt: skip
        elif body[link.name] == 0 and not said[link.name]:
            problems.warning("no-inertia", link.where, f"link {link.name!r} moves but its inertia "
                             "is not given; it is taken as zero",
                             "give the link an inertia")  # fmt: skip


def couplings(robot: RobotDescription, problems: Problems) -> dict[str, Coupling]:
    """For each joint that is not simply its own: the independent joint it follows, and how."""
    joints = {joint.name: joint for joint in robot.joints}
    direct: dict[str, Coupling] = {}
    for joint in robot.joints:
        if joint.kind == "fixed" or joint.kind not in JOINT_TYPES:
            continue
        if not JOINT_TYPES[joint.kind].is_single:
            _check_uncoupled(joint, problems)
        elif joint.mimic is None:
            if (joint.ratio, joint.offset) != (1, 0):
                direct[joint.name] = Coupling(joint.name, joint.ratio, joint.offset)
        elif _mimics_something(joint, joints, problems):
            direct[joint.name] = joint.mimic
    return _composed(direct, joints, problems)


def _check_uncoupled(joint: JointDescription, problems: Problems) -> None:
    if joint.mimic is not None or (joint.ratio, joint.offset) != (1, 0):
        problems.error("mimic-several", joint.at("mimic"), f"joint {joint.name!r} is {joint.kind}: "
                       "a joint of several coordinates has no mimic, ratio or offset",
                       "remove it")  # fmt: skip


def _mimics_something(joint: JointDescription, joints: dict[str, JointDescription],
                      problems: Problems) -> bool:  # fmt: skip
    mimic, name, where = joint.mimic, joint.name, joint.at("mimic")
    assert mimic is not None
    target = mimic.joint
    if (joint.ratio, joint.offset) != (1, 0):
        problems.error("mimic-ratio", where, f"joint {name!r} mimics {target!r} and has a ratio "
                       "or offset of its own", "put both into mimic")  # fmt: skip
    check_size(f"mimic of joint {name!r}", where, (mimic.ratio, mimic.offset), problems)
    if target == name:
        problems.error("mimic-self", where, f"joint {name!r} mimics itself", "name another joint")
    elif target not in joints and not target and where in problems.broken:
        pass  # its reader has said so
    elif target not in joints:
        problems.error("mimic-unknown", where, f"joint {name!r} mimics {target!r}, which does not "
                       "exist", problems.suggestion(target, joints))  # fmt: skip
    elif joints[target].kind == "fixed":
        problems.error("mimic-fixed", where, f"joint {name!r} mimics {target!r}, which is fixed",
                       "mimic a joint that moves, or make this one fixed")  # fmt: skip
    elif joints[target].kind in JOINT_TYPES and not JOINT_TYPES[joints[target].kind].is_single:
        problems.error("mimic-several", where, f"joint {name!r} mimics {target!r}, which has "
                       "several coordinates", "mimic a joint of one coordinate")  # fmt: skip
    else:
        return True
    return False


def _composed(direct: dict[str, Coupling], joints: dict[str, JointDescription],
              problems: Problems) -> dict[str, Coupling]:  # fmt: skip
    """Mimics of mimics, followed to the joint that has a coordinate of its own."""
    whole: dict[str, Coupling] = {}
    followers = {name for name in direct if joints[name].mimic is not None}
    for name in direct:
        path: dict[str, None] = {}
        while name not in whole and name not in path:
            path[name] = None
            if direct[name].joint not in followers:
                break
            name = direct[name].joint
        else:
            if name in path:
                _report_ring(list(path)[list(path).index(name) :], joints, problems)
        for follower in reversed(path):
            link = direct[follower]
            leads = link.joint not in followers or link.joint not in whole
            beyond = Coupling(link.joint) if leads else whole[link.joint]
            ratio, offset = link.ratio * beyond.ratio, link.ratio * beyond.offset + link.offset
            if not (abs(ratio) <= HUGE and abs(offset) <= HUGE):
                problems.error("number-huge", joints[follower].at("mimic"), f"joint {follower!r}: "
                               f"its mimic ratios multiply to {ratio:g}")  # fmt: skip
            whole[follower] = Coupling(beyond.joint, zeroed(ratio), zeroed(offset))
    return whole


def _report_ring(ring: list[str], joints: dict[str, JointDescription],
                 problems: Problems) -> None:  # fmt: skip
    first = ring.index(min(ring))
    ring = ring[first:] + ring[: first + 1]
    problems.error("mimic-cycle", joints[ring[0]].at("mimic"), "joints mimic each other in a ring: "
                   f"{_listed(ring)}", "one of them must lead")  # fmt: skip
