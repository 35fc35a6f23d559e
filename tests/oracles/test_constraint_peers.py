"""Constrained motion against Pinocchio's constrained dynamics, on random trees."""

from dataclasses import replace

import numpy as np
import pytest

import momentarm as ma
from momentarm.model import Frame
from momentarm.spatial import Mat3, Transform, Vec3
from oracles.descriptions import random_robot, random_state, write_urdf
from oracles.peers import Pinocchio, acceleration_limit
from oracles.reference import Dynamics, error

pytestmark = pytest.mark.peers
LOOP = {"point": "CONTACT_3D", "pose": "CONTACT_6D"}


def robots(tmp_path, seed, joints, branching):
    robot = random_robot(90 + seed, joints, kinds=("revolute", "prismatic"), branching=branching)
    path = tmp_path / "random.urdf"
    path.write_text(write_urdf(robot))
    return robot, ma.load(path), Pinocchio(write_urdf(robot), robot)


def with_loop(arm, robot, q):
    """The robot with frames `here` and `there` on two links that coincide in the state q."""
    leaf = max(robot.leaves, key=lambda k: len(Dynamics(robot).path(robot.index(k))))
    other = robot.bodies[2].name
    T_leaf, T_other = (arm.forward_kinematics(q, frame=k) for k in (leaf, other))
    here = np.eye(4)
    here[:3, 3] = 0.1, -0.2, 0.3
    there = np.linalg.inv(T_other) @ T_leaf @ here
    frames = dict(arm.mechanism.frames)
    for name, link, T in (("here", leaf, here), ("there", other, there)):
        at = frames[link]
        X = Transform.pose(Mat3.rows(T[:3, :3].tolist()), Vec3(*T[:3, 3].tolist()))
        frames[name] = Frame(at.link, X @ at.X)
    return ma.Robot(replace(arm.mechanism, frames=frames)), leaf, other, here, there


def constrained_acceleration(theirs, kind, links, places, q, qd, tau):
    """Pinocchio's q̈ under one closed loop of a kind."""
    pin, model = theirs.pin, theirs.model
    data, (a, b) = model.createData(), (model.getBodyId(k) for k in links)
    parts = []
    for frame, T in zip((a, b), places, strict=True):
        at = model.frames[frame]
        parts += [at.parentJoint, at.placement * pin.SE3(T)]
    contact = pin.RigidConstraintModel(getattr(pin.ContactType, LOOP[kind]), model, *parts,
                                       pin.ReferenceFrame.LOCAL)  # fmt: skip
    contacts = pin.StdVec_RigidConstraintModel()
    contacts.append(contact)
    datas = pin.StdVec_RigidConstraintData()
    datas.append(contact.createData())
    pin.initConstraintDynamics(model, data, contacts, datas)
    settings = pin.ProximalSettings(1e-14, 0.0, 100)
    return pin.constraintDynamics(model, data, theirs.position(q), qd, tau, contacts, datas,
                                  settings)  # fmt: skip


@pytest.mark.parametrize("kind", LOOP)
@pytest.mark.parametrize("seed", range(4))
def test_closed_loops_agree_with_pinocchio(tmp_path, seed, kind):
    """Trees of 12 joints with two links pinned together or welded, moving along the loop,
    accelerate as Pinocchio's constrained dynamics say."""
    robot, arm, theirs = robots(tmp_path, seed, 12, 0.2)
    q, qd, tau = random_state(np.random.default_rng(seed), arm.n)
    looped, leaf, other, here, there = with_loop(arm, robot, q)
    held = looped.with_constraints(ma.close("here", "there", rows=kind))
    qd = held.projectors(q)[1] @ qd
    found, _, pivot = held.forward_dynamics(q, qd, tau)
    expected = constrained_acceleration(theirs, kind, (other, leaf), (there, here), q, qd, tau)
    assert pivot > 1e-9
    limit = acceleration_limit(arm.mass_matrix(q)) / pivot
    assert error(found, expected) <= limit
