"""A robot as a table for people: what `print(arm)` shows."""

from __future__ import annotations

from collections.abc import Sequence

from momentarm.model.actuator import IDEAL
from momentarm.model.coordinates import index
from momentarm.model.joints import JOINT_TYPES
from momentarm.model.mechanism import Limits, Mechanism
from momentarm.model.problem import Problem

COLUMNS = ("joint", "type", "link", "mass kg", "limits", "velocity", "effort", "damping",
           "friction", "armature")  # fmt: skip
UNITS = {"rad": "rad/s, N m, N m s/rad, N m, kg m²", "m": "m/s, N, N s/m, N, kg"}


def robot_table(m: Mechanism, warnings: Sequence[Problem] = ()) -> str:
    """Joints with limits, masses and drives; which terms are active; warnings."""
    places = index(m)
    rows = [("", *COLUMNS)]
    for i, link in m.outward():
        joint, drive = link.joint, link.joint.actuator
        leader, at = joint.drive, places[i]
        mimic = f" = {leader.ratio:g} {leader.joint}" if leader.joint != joint.name else ""
        mass = f"{link.inertia.m:.4g}" if link.has_inertia else "none"
        own = _places(at) if leader.joint == joint.name else ""
        rows.append((
            own, joint.name, joint.kind + mimic, link.name, mass,
            _range(joint.kind, joint.limits), _plain(joint.limits.velocity),
            _plain(joint.limits.effort), _plain(drive.damping), _plain(drive.friction),
            _plain(drive.armature),
        ))  # fmt: skip
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
             for row in rows]  # fmt: skip
    gravity = ", ".join(f"{g:g}" for g in m.gravity)
    mass = m.base_inertia.m + sum(link.inertia.m for link in m.links)
    head = (f"{m.name}: {counted(m.n, 'degree')} of freedom, {counted(len(m.links), 'link')} and "
            f"the base, {_plain(mass, '0')} kg, tip {m.tip or 'not unique'}, gravity ({gravity}) "
            "m/s²")  # fmt: skip
    return "\n".join([head, *lines, *_units(m), _active(m), *(str(w) for w in warnings)])


def counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _units(m: Mechanism) -> list[str]:
    """What the columns after the limits are in, for the kinds of joint that are there."""
    there = dict.fromkeys(JOINT_TYPES[link.joint.kind].unit for link in m.links)
    units = "; ".join(f"{UNITS[k]} for a joint in {k}" for k in there if k)
    return [f"velocity, effort, damping, friction, armature in {units}"] if units else []


def _places(at: range) -> str:
    """Which elements of q̇ a joint has."""
    if len(at) < 2:
        return str(at.start) if at else ""
    return f"{at.start}–{at.stop - 1}"


def _active(m: Mechanism) -> str:
    drives = [k.joint.actuator for k in m.links if k.joint.nv]
    terms = [term for term in ("armature", "damping", "friction")
             if any(getattr(d, term) != 0 for d in drives)]  # fmt: skip
    if all(d == IDEAL for d in drives):
        return "active terms: rigid bodies only"
    return f"active terms: rigid bodies, {', '.join(terms)} (ideal: rigid bodies only)"


def _range(kind: str, limits: Limits) -> str:
    if limits.lower is None and limits.upper is None:
        return ""
    low, high = (_plain(x, "∞") for x in (limits.lower, limits.upper))
    return f"[{low}, {high}] {JOINT_TYPES[kind].unit}"


def _plain(x: object, nothing: str = "") -> str:
    if x is None:
        return nothing
    return f"{x:.4g}" if x else ("0" if nothing else "")
