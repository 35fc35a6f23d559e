"""Joint states by name, as ROS publishes them: any order, more joints, fewer values.

Rule 1  Nothing of ROS is imported: a message is whatever has name, position, velocity, effort.
Rule 2  Names decide. A joint that is missing is an error, one too many is, unless ignored.
Rule 3  A joint that follows another is checked against it where it comes, and computed where it
        goes: its position is ratio · q + offset, its effort is passed on, τ = Gᵀ τ_joint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from momentarm.adapters.places import Here, here
from momentarm.model.mechanism import Mechanism
from momentarm.model.problem import listed, unknown

Array = NDArray[np.float64]
FIELDS = ("position", "velocity", "effort")


class State(NamedTuple):
    """What a message says, in our order; None for a field it leaves empty."""

    q: Array | None
    qd: Array | None
    tau: Array | None


@dataclass(frozen=True, slots=True)
class JointState:
    """A message's fields; `position`, `velocity` and `effort` are (…, names), empty where not said.

    A `sensor_msgs/JointState` is filled with `msg.name = state.name`,
    `msg.position = state.position.tolist()` and so on.
    """

    name: list[str]
    position: Array
    velocity: Array
    effort: Array


def read(m: Mechanism, message: Any, values: Sequence[ArrayLike | None], rest: Any,
         ignore_extra: bool, mimic_tolerance: float | None) -> State:  # fmt: skip
    """Our vectors from a message, or from names and values."""
    names, columns = _fields(message, values)
    joints = here(m)
    _check_names(joints, names, rest is not None, ignore_extra)
    place = {name: k for k, name in enumerate(names)}
    rests = _rest(rest, m)
    found: list[Array | None] = []
    for field, column, base, size in zip(FIELDS, columns, rests, (m.nq, m.n, m.n)):
        if column is None:
            found.append(None)
            continue
        if base is None and not _all_said(joints, place):
            raise ValueError(f"from_joint_state: {field} is given, but rest says nothing of it")
        vector = np.zeros((*column.shape[:-1], size))
        vector[...] = 0 if base is None else base
        for name, joint in joints.items():
            if name in place and not joint.follows:
                vector[..., joint.q if field == "position" else joint.v] = _one(column, place[name])
        found.append(vector)
    if mimic_tolerance is not None:
        _follow(joints, place, columns, found, mimic_tolerance)
    return State(*found)


def written(m: Mechanism, q: ArrayLike | None, qd: ArrayLike | None, tau: ArrayLike | None,
            names: Sequence[str] | None) -> JointState:  # fmt: skip
    """A message's fields from our vectors, those that follow included."""
    joints = {name: joint for name, joint in here(m).items() if joint.joint.nv == 1}
    chosen = list(joints) if names is None else list(names)
    for name in chosen:
        if name not in joints:
            raise ValueError(f"to_joint_state(names): {unknown('joint', name, joints)}")
    position, velocity, effort = [], [], []
    for name in chosen:
        joint, drive = joints[name], joints[name].joint.drive
        ratio, offset = (drive.ratio, drive.offset) if joint.follows else (1, 0)
        if q is not None:
            position.append(_ours("q", q, m.nq)[..., joint.q.start] * ratio + offset)
        if qd is not None:
            velocity.append(_ours("qd", qd, m.n)[..., joint.v.start] * ratio)
        if tau is not None:
            own = _ours("tau", tau, m.n)[..., joint.v.start]
            effort.append(np.zeros_like(own) if joint.follows else own)
    return JointState(chosen, *(np.stack(column, -1) if column else np.empty(0)
                                for column in (position, velocity, effort)))  # fmt: skip


def _fields(message: Any, values: Sequence[ArrayLike | None]) -> tuple[list[str], list[Any]]:
    """Names, and (…, names) for each field that is there."""
    where = "from_joint_state"
    if all(value is None for value in values):
        get = message.get if isinstance(message, Mapping) else partial(_attribute, message)
        names, values = get("name"), [get(field) for field in FIELDS]
        if names is None:
            raise TypeError(f"{where}: expected something with name, position, velocity and "
                            f"effort, or names and values, got {type(message)}")  # fmt: skip
    else:
        names = [message] if isinstance(message, str) else message
    names = [str(name) for name in names]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"{where}: named twice: {', '.join(sorted(twice))}")
    columns: list[Any] = []
    for field, value in zip(FIELDS, values):
        column = None if value is None else np.asarray(value, float)
        if column is not None and names and column.shape[-1:] == (0,):
            column = None  # what ROS leaves empty is not said
        if column is not None and column.shape[-1:] != (len(names),):
            raise ValueError(f"{where}({field}): expected (..., {len(names)}), one for each name, "
                             f"got {column.shape}")  # fmt: skip
        columns.append(column)
    if all(column is None for column in columns):
        raise ValueError(f"{where}: the message has no position, velocity or effort")
    return names, columns


def _attribute(message: Any, name: str) -> Any:
    return getattr(message, name, None)


def _check_names(joints: Mapping[str, Here], names: Sequence[str], rest: bool,
                 ignore_extra: bool) -> None:  # fmt: skip
    """All that lead are named, unless the rest is given, and no others, unless ignored."""
    lead = [name for name, joint in joints.items() if not joint.follows]
    missing = [] if rest else [name for name in lead if name not in names]
    extra = [] if ignore_extra else [name for name in names if name not in joints]
    wide = [name for name in names if name in joints and joints[name].joint.nv > 1]
    if wide:
        raise ValueError(f"from_joint_state: joint {wide[0]!r} is {joints[wide[0]].joint.kind}; a "
                         "joint state holds one number a joint; give it in rest")  # fmt: skip
    if not missing and not extra:
        return
    said = [f"missing: {listed(missing)}"] * bool(missing)
    said += [f"not of this robot: {listed(extra)}"] * bool(extra)
    hints = {joints[name].joint.nv for name in missing}
    hint = "rest=(q, qd, tau) gives what is not named" if missing else "ignore_extra=True"
    if hints - {1}:
        hint = "joints of several coordinates are not in a joint state; " + hint
    raise ValueError(f"from_joint_state: {'; '.join(said)}; the robot has {listed(lead)} ({hint})")


def _all_said(joints: Mapping[str, Here], place: Mapping[str, int]) -> bool:
    return all(joint.follows or name in place for name, joint in joints.items())


def _rest(rest: Any, m: Mechanism) -> list[Array | None]:
    """What `rest` says of q, qd and tau."""
    given = () if rest is None else tuple(rest)
    if rest is not None and (len(given) > 3 or np.ndim(given[0] if given else 0) == 0):
        raise TypeError("from_joint_state(rest): expected (q, qd, tau), each an array or None")
    given += (None,) * (3 - len(given))
    sizes = (m.nq, m.n, m.n)
    return [None if x is None else _ours(f"rest: {k}", x, size)
            for k, x, size in zip(("q", "qd", "tau"), given, sizes)]  # fmt: skip


def _follow(joints: Mapping[str, Here], place: Mapping[str, int], columns: Sequence[Any],
            found: Sequence[Array | None], tolerance: float) -> None:  # fmt: skip
    """Check the positions of joints that follow, and add what their efforts pass on."""
    q, _, tau = found
    for name, joint in joints.items():
        if not joint.follows or name not in place:
            continue
        ratio, offset, leader = joint.joint.drive.ratio, joint.joint.drive.offset, joint.v.start
        if q is not None:
            expected = ratio * q[..., joint.q.start] + offset
            off = np.abs(columns[0][..., place[name]] - expected)
            if np.any(off > tolerance):
                raise ValueError(
                    f"from_joint_state: joint {name!r} follows {joint.joint.drive.joint!r} and is "
                    f"off by {np.nanmax(off):.3g}, more than mimic_tolerance {tolerance:g}; None "
                    "leaves it unread"
                )
        if tau is not None:
            tau[..., leader] += ratio * columns[2][..., place[name]]


def _one(column: Any, k: int) -> Any:
    return column[..., k : k + 1]


def _ours(what: str, x: ArrayLike, size: int) -> Array:
    array = np.asarray(x, float)
    if array.shape[-1:] != (size,):
        raise ValueError(f"{what}: expected (..., {size}), got {array.shape}")
    return array
