"""Our order and that of a `mujoco.MjModel`: qpos, qvel, qacc, qfrc.

MuJoCo's quaternions are (w, x, y, z); the rates of its free joints are the velocity of the body's
origin in the world's axes, then ω in the body's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from momentarm.adapters.blocks import Block, Ranges, following, scalar_first, world_velocity
from momentarm.adapters.order import Order
from momentarm.adapters.places import Here, here, matched
from momentarm.formats.mujoco_model import joint_names
from momentarm.model.mechanism import Mechanism

FREE, BALL = 0, 1  # mujoco.mjtJoint
SIZES = {FREE: (7, 6), BALL: (4, 3)}


def mujoco_order(m: Mechanism, model: Any, ignore_extra: bool) -> Order:
    """The joints of ours that the compiled model has, by name."""
    kinds = [int(kind) for kind in model.jnt_type]
    names = joint_names(model)
    free = [name for name, kind in zip(names, kinds) if kind == FREE]
    found = matched(here(m), names, "MuJoCo", free, ignore_extra)
    blocks = tuple(_block(model, j, found[name], kinds[j])
                   for j, name in enumerate(names) if name in found)  # fmt: skip
    return Order("MuJoCo", m.nq, m.n, np.array(model.qpos0), int(model.nv), blocks)


def _block(model: Any, j: int, ours: Here, kind: int) -> Block:
    q, v = int(model.jnt_qposadr[j]), int(model.jnt_dofadr[j])
    nq, nv = SIZES.get(kind, (1, 1))
    at = Ranges(ours.q, ours.v, slice(q, q + nq), slice(v, v + nv))
    name, drive = ours.joint.name, ours.joint.drive
    if (ours.joint.nq, ours.joint.nv) != (nq, nv):
        raise ValueError(f"order_for: joint {name!r} is {ours.joint.kind} here and has {nq} "
                         "coordinates in MuJoCo")  # fmt: skip
    if ours.follows:
        return following(at, float(drive.ratio), float(drive.offset + model.qpos0[q]))
    make = {FREE: world_velocity, BALL: scalar_first}.get(kind, Block)
    return make(at)
