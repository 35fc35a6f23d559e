"""Findings about single joints: limits, their units, home, friction."""

from __future__ import annotations

import math

from momentarm.formats.numbers import looks_like_degrees
from momentarm.model import Link, Mechanism
from momentarm.model.alignment import length
from momentarm.model.joints import JOINT_TYPES
from momentarm.model.problem import Problems

LONG = 20.0  # m; arms and rails are shorter, the same numbers in millimetres are not
FAST = 60.0  # rad/s; faster than the joints of arms, slower than 60 degrees a second is written


def check_joints(m: Mechanism, problems: Problems) -> None:
    """Every joint that moves; of a follower its lengths alone, as its leader drives it."""
    for _, link in m.outward():
        joint = link.joint
        _check_length(link, problems)
        if joint.nv != 1:
            continue
        turns = JOINT_TYPES[joint.kind].unit == "rad"
        if turns:
            _check_degrees(link, problems)
        else:
            _check_travel(link, problems)
        if joint.name in m.coordinates:
            _check_range(link, problems)
            _check_drive(link, turns, problems)


def _check_length(link: Link, problems: Problems) -> None:
    far = length(link.placement.origin)
    if far > LONG and link.joint.kind != "free":
        problems.warning("length-large", link.at("placement"), f"joint {link.joint.name!r} is "
                         f"{far:.4g} m from its parent", "lengths are in metres; is it in mm?",
                         far, f"{LONG:g} m or less")  # fmt: skip


def are_degrees(lower: float | None, upper: float | None) -> bool:
    """Whether limits in radians can only be degrees: round ones, of more than three turns."""
    given = [x for x in (lower, upper) if x is not None]
    return (bool(given) and max(map(abs, given)) >= 20
            and all(x == 0 or looks_like_degrees(x) for x in given))  # fmt: skip


def _check_degrees(link: Link, problems: Problems) -> None:
    limits = link.joint.limits
    if are_degrees(limits.lower, limits.upper):
        low, high = (x if x is not None else math.inf for x in (limits.lower, limits.upper))
        problems.warning("limit-degrees", link.at("limits"), f"joint {link.joint.name!r}: its "
                         f"limits {low:g} and {high:g} rad look like degrees",
                         "limits of a turning joint are in radians", max(abs(low), abs(high)),
                         f"{math.radians(low):.4g} and {math.radians(high):.4g}")  # fmt: skip


def _check_travel(link: Link, problems: Problems) -> None:
    limits = link.joint.limits
    far = max((abs(x) for x in (limits.lower, limits.upper) if x is not None), default=0)
    if LONG < far < 1e5:
        problems.warning("length-large", link.at("limits"), f"joint {link.joint.name!r} slides up "
                         f"to {far:.4g} m", "lengths are in metres; is it in mm?", far,
                         f"{LONG:g} m or less")  # fmt: skip


def _check_range(link: Link, problems: Problems) -> None:
    """An empty range, and zero outside of it."""
    name, low, high = link.joint.name, link.joint.limits.lower, link.joint.limits.upper
    where = link.at("limits")
    if low is not None and low == high:
        problems.warning("limit-equal", where, f"joint {name!r}: lower and upper limit are both "
                         f"{low:g}; it cannot move", "make it fixed, or give its range",
                         low, "lower < upper")  # fmt: skip
    elif (low is not None and low > 0) or (high is not None and high < 0):
        nearest = low if low is not None and low > 0 else high
        problems.note("home-outside", where, f"joint {name!r}: zero is outside its limits; home is "
                      f"{nearest:g}", "q_home and random_q keep to the limits", 0.0,
                      f"{low if low is not None else -math.inf:g} to "
                      f"{high if high is not None else math.inf:g}")  # fmt: skip


def _check_drive(link: Link, turns: bool, problems: Problems) -> None:
    """Velocity and effort limits, and friction that they would not overcome."""
    joint, where = link.joint, link.at("limits")
    for what in ("velocity", "effort"):
        value = getattr(joint.limits, what)
        if value is not None and value <= 0:
            kind = "zero" if value == 0 else "negative"
            problems.warning(f"limit-{kind}", where, f"joint {joint.name!r}: its {what} limit is "
                             f"{value:g}; taken by the word it cannot move",
                             "leave it out where it is not known", value,
                             "more than 0")  # fmt: skip
    speed, effort = joint.limits.velocity, joint.limits.effort
    if turns and speed is not None and FAST <= speed <= 1e4:
        problems.note("velocity-large", where, f"joint {joint.name!r}: {speed:g} rad/s, "
                      f"{speed * 30 / math.pi:.0f} turns a minute",
                      "is it in degrees a second, or rpm?", speed,
                      f"less than {FAST:g}")  # fmt: skip
    friction = joint.actuator.friction
    if effort is not None and 0 < effort <= friction:
        problems.warning("friction-large", link.at("dynamics"), f"joint {joint.name!r}: its dry "
                         f"friction {friction:g} is no less than its effort limit {effort:g}; it "
                         "cannot move", "check both", friction,
                         f"less than {effort:g}")  # fmt: skip
