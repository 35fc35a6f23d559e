"""Our order and that of a `pinocchio.Model`.

Pinocchio has (cos, sin) for a joint without limits, twists (v, ω) in the joint's axes, and its own
depth-first order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from momentarm.adapters.blocks import Block, Ranges, circle, following, linear_twist, planar
from momentarm.adapters.order import Order
from momentarm.adapters.places import Here, here, matched
from momentarm.formats.pinocchio_model import Part, parts
from momentarm.model.mechanism import Mechanism


@dataclass(frozen=True, slots=True)
class _There:
    """One of our joints as Pinocchio has it."""

    part: Part
    q: int
    v: int


def pinocchio_order(m: Mechanism, model: Any, ignore_extra: bool) -> Order:
    """The joints of ours that the model has, by name."""
    ours, theirs = here(m), {there.part.name: there for there in _theirs(model)}
    plane = {name: joint for name, joint in ours.items() if name.endswith(".theta")}
    ours |= {name.removesuffix(".theta"): _planar(name, joint, ours)
             for name, joint in plane.items()
             if name.removesuffix(".theta") in theirs}  # fmt: skip
    inner = {f"{name}.{axis}" for name, there in theirs.items() if there.part.kind == "planar"
             for axis in ("x", "y", "theta")}  # fmt: skip
    ours = {name: joint for name, joint in ours.items() if name not in inner}
    free = [name for name, there in theirs.items() if there.part.kind == "free"]
    found = matched(ours, theirs, "Pinocchio", free, ignore_extra)
    blocks = tuple(_block(theirs[name], joint) for name, joint in found.items())
    return Order("Pinocchio", m.nq, m.n, _home(model.nq, theirs.values()), int(model.nv), blocks)


def _theirs(model: Any) -> Iterator[_There]:
    """The single joints of the model that have coordinates."""
    for i, joint in enumerate(model.joints):
        if i == 0 or joint.nv == 0:
            continue
        q, v = joint.idx_q, joint.idx_v
        for part in parts(joint, model.names[i]):
            yield _There(part, q, v)
            q, v = q + part.nq, v + part.nv


def _planar(name: str, turn: Here, ours: dict[str, Here]) -> Here:
    """The joints x, y and theta as one."""
    stem = name.removesuffix(".theta")
    x = ours.get(f"{stem}.x", turn)
    joint = replace(turn.joint, name=stem)
    return Here(joint, slice(x.q.start, turn.q.stop), slice(x.v.start, turn.v.stop))


def _block(there: _There, ours: Here) -> Block:
    part, drive = there.part, ours.joint.drive
    at = Ranges(ours.q, ours.v, slice(there.q, there.q + part.nq),
                slice(there.v, there.v + part.nv))  # fmt: skip
    if at.v.stop - at.v.start != part.nv:
        raise ValueError(f"order_for: joint {ours.joint.name!r} is {ours.joint.kind} here and "
                         f"{part.kind} in Pinocchio")  # fmt: skip
    if ours.follows:
        return following(at, float(drive.ratio), float(drive.offset), on_circle=part.nq == 2)
    special = {"continuous": circle, "free": linear_twist, "planar": planar}
    return special.get(part.kind, Block)(at)


def _home(nq: int, theirs: Any) -> Any:
    """Pinocchio's neutral configuration."""
    home = np.zeros(nq)
    for there in theirs:
        one = {"continuous": 0, "planar": 2, "free": 6, "spherical": 3}.get(there.part.kind)
        if one is not None:
            home[there.q + one] = 1
    return home
