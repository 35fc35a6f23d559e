"""Vectors in other libraries' orders, against those libraries; models of theirs as robots."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import momentarm as ma
import momentarm.formats as formats
from momentarm.adapters import angular_first, linear_first
from oracles.mjcf import Peer, random_mjcf
from oracles.peers import CLOSE, acceleration_limit, peer
from oracles.reference import error
from oracles.test_peers import FILES

pytestmark = pytest.mark.peers


def without_friction(arm):
    """Pinocchio's algorithms leave damping and friction out, and know the armature."""
    drives = [replace(k.joint.actuator, damping=0, friction=0) for k in arm.mechanism.links]
    links = [replace(k, joint=replace(k.joint, actuator=drive))
             for k, drive in zip(arm.mechanism.links, drives, strict=True)]  # fmt: skip
    return ma.Robot(arm.mechanism.with_links(links))


def full(half):
    half = np.triu(half)
    return half + np.triu(half, 1).T


def compare(arm, model, seed=0):
    """Torques, mass matrix, gravity and accelerations in Pinocchio's vectors."""
    pin, data = peer("pinocchio"), model.createData()
    arm, rng = without_friction(arm), np.random.default_rng(seed)
    order = arm.order_for(model)
    q = arm.random_q(rng)
    qd, qdd = rng.uniform(-1, 1, (2, arm.n))
    there, v, a = order.q_to(q), order.v_to(q, qd), order.a_to(q, qd, qdd)
    tau = np.array(pin.rnea(model, data, there, v, a))
    assert error(arm.inverse_dynamics(q, qd, qdd), order.tau_from(q, tau)) < CLOSE
    M = order.M_from(q, full(pin.crba(model, data, there)))
    assert error(arm.mass_matrix(q), M) < CLOSE
    g = np.array(pin.computeGeneralizedGravity(model, data, there))
    assert error(arm.gravity_forces(q), order.tau_from(q, g)) < CLOSE
    condition = np.linalg.cond(M)
    if arm.n <= 20 and condition < 1e11 and not list(getattr(model, "mimicking_joints", [])):
        found = order.a_from(q, qd, np.array(pin.aba(model, data, there, v, tau)))
        limit = acceleration_limit(M) * (1 + np.linalg.norm(tau) / np.linalg.norm(M, 2))
        assert error(arm.forward_dynamics(q, qd, order.tau_from(q, tau)), found) < limit


def model_of(name, floating=False, mimic=False):
    pin, text = peer("pinocchio"), Path(FILES[name]).read_text(encoding="utf-8")
    if floating:
        return pin.buildModelFromXML(text, pin.JointModelFreeFlyer(), mimic=mimic)
    return pin.buildModelFromXML(text, mimic=mimic)


MODELS = [(name, False) for name in FILES] + [(name, True) for name in list(FILES)[::5]]


@pytest.mark.parametrize("name, floating", MODELS)
def test_models_of_pinocchio_have_its_dynamics(name, floating):
    """Every model that Pinocchio builds of example-robot-data, some of them floating, gives as a
    robot Pinocchio's torques, mass matrix and gravity to 1e-12 and, up to twenty joints, its
    accelerations within κ(M)."""
    try:
        model = model_of(name, floating)
    except ValueError:
        return  # Pinocchio refuses the file
    arm = ma.Robot.from_pinocchio(model)
    if arm.n:
        assert arm.n == model.nv
        compare(arm, model)


MIMICS = [name for name in FILES if any(k in name for k in ("panda.urdf", "baxter", "tiago_pro"))]


@pytest.mark.parametrize("name", MIMICS)
def test_mimics_of_pinocchio_are_mimics(name):
    """A model built with mimic joints gives a robot with as many freedoms and the same dynamics,
    and one built without maps its followers' efforts to those they follow, τ = Bᵀ τ'."""
    model = model_of(name, mimic=True)
    arm = ma.Robot.from_pinocchio(model)
    assert arm.n == model.nv < arm.n + len(model.mimicking_joints)
    compare(arm, model)
    compare(ma.load(FILES[name]), model_of(name))


@pytest.mark.parametrize("name", [name for name in FILES if "anymal" in name or "ur5_r" in name])
def test_a_loaded_urdf_goes_by_the_order_of_pinocchio(name):
    """A URDF that we load with a floating base, and Pinocchio with its free flyer of another name,
    agree in each other's vectors."""
    compare(ma.load(FILES[name], base="floating"), model_of(name, floating=True), seed=2)


def every_joint():
    """A model with each of Pinocchio's joints, one after another."""
    pin = peer("pinocchio")
    axis = np.array([0.6, 0, 0.8])
    composite = pin.JointModelComposite()
    composite.addJoint(pin.JointModelRX())
    composite.addJoint(pin.JointModelPZ(), pin.SE3(np.eye(3), np.array([0.1, 0.2, 0.3])))
    kinds = {
        "rx": pin.JointModelRX(), "ru": pin.JointModelRevoluteUnaligned(axis),
        "ub": pin.JointModelRUBZ(),
        "px": pin.JointModelPX(), "pu": pin.JointModelPrismaticUnaligned(axis),
        "hx": pin.JointModelHX(0.2), "hu": pin.JointModelHelicalUnaligned(axis, -0.3),
        "plane": pin.JointModelPlanar(), "ball": pin.JointModelSpherical(),
        "zyx": pin.JointModelSphericalZYX(), "move": pin.JointModelTranslation(),
        "cross": pin.JointModelUniversal(np.array([0, 1.0, 0]), axis), "whole": composite,
        "free": pin.JointModelFreeFlyer(),
    }  # fmt: skip
    model, rng = pin.Model(), np.random.default_rng(4)
    model.name, parent = "every joint", 0
    for name, kind in kinds.items():
        place = pin.SE3(pin.rpy.rpyToMatrix(*rng.uniform(-1, 1, 3)), rng.uniform(-0.3, 0.3, 3))
        parent = model.addJoint(parent, kind, place, name)
        I = rng.uniform(-1, 1, (3, 3))
        body = pin.Inertia(rng.uniform(0.5, 2), rng.uniform(-0.2, 0.2, 3), I @ I.T + np.eye(3))
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
    model.armature = np.zeros(model.nv)
    return model


def test_every_joint_of_pinocchio():
    """A model with each type of Pinocchio's joints, among them planar, unbounded, helical, Euler
    angles and composite, gives as a robot its dynamics, rates and accelerations included."""
    model = every_joint()
    arm = ma.Robot.from_pinocchio(model)
    assert arm.n == model.nv
    compare(arm, model)


@pytest.mark.parametrize("name", ["", *(k for k in FILES if "ur5_r" in k or "talos_reduced" in k)])
def test_models_of_pinocchio_round_trip_through_native_text(name):
    """A robot from a model, saved as native TOML and read again, is the same bit for bit."""
    arm = ma.Robot.from_pinocchio(model_of(name, floating=True) if name else every_joint())
    again, _ = formats.loads(formats.dumps(arm.mechanism), "toml")
    assert again == arm.mechanism


def test_a_joint_without_its_like_is_refused():
    """A joint that moves on an ellipsoid is refused by its name and type."""
    pin = peer("pinocchio")
    model = pin.Model()
    model.addJoint(0, pin.JointModelEllipsoid(1.0, 2.0, 3.0), pin.SE3.Identity(), "egg")
    with pytest.raises(ma.RobotFileError, match="'egg' is a JointModelEllipsoid"):
        ma.Robot.from_pinocchio(model)


def test_rates_of_pinocchio_are_those_of_its_configurations():
    """Pinocchio's own step along v_to(q, q̇) leads, to second order, where ours leads along q̇."""
    pin, model = peer("pinocchio"), every_joint()
    arm = ma.Robot.from_pinocchio(model)
    order, rng, dt = arm.order_for(model), np.random.default_rng(1), 1e-5
    q, qd = arm.random_q(rng), rng.uniform(-1, 1, arm.n)
    theirs = pin.integrate(model, order.q_to(q), order.v_to(q, qd) * dt)
    ours = order.q_to(arm.integrate(q, qd, dt))
    assert np.abs(theirs - ours).max() < 10 * dt * dt


def test_jacobians_with_linear_rows_first_are_pinocchios():
    """linear_first of our body Jacobian, its columns by M_to's law, is Pinocchio's LOCAL one, and
    angular_first undoes it."""
    pin, name = peer("pinocchio"), next(name for name in FILES if "ur5_robot" in name)
    model = model_of(name)
    arm = ma.Robot.from_pinocchio(model)
    q = arm.random_q(0)
    order = arm.order_for(model)
    frame = model.frames[-1].name
    data, local = model.createData(), pin.ReferenceFrame.LOCAL
    found = pin.computeFrameJacobian(model, data, order.q_to(q), model.getFrameId(frame), local)
    J = arm.jacobian(q, frame=frame)
    assert np.abs(linear_first(order.tau_to(q, J), axis=-2) - found).max() < CLOSE
    assert np.array_equal(angular_first(linear_first(J, axis=-2), axis=-2), J)


@pytest.mark.parametrize("seed", range(3))
def test_rates_of_mujoco_are_those_of_its_positions(seed):
    """MuJoCo's own step along v_to(q, q̇) leads where ours leads along q̇, to second order, and
    a_to is how v_to changes along the motion."""
    mujoco, text, dt = peer("mujoco"), random_mjcf(seed, floating=True), 1e-5
    model = Peer.of(text).model
    arm = ma.Robot.from_mujoco(model)
    order, rng = arm.order_for(model), np.random.default_rng(seed)
    q = arm.random_q(rng)
    qd, qdd = rng.uniform(-1, 1, (2, arm.n))
    theirs = order.q_to(q)
    mujoco.mj_integratePos(model, theirs, order.v_to(q, qd), dt)
    assert np.abs(theirs - order.q_to(arm.integrate(q, qd, dt))).max() < 10 * dt * dt
    ahead, behind = (
        order.v_to(arm.integrate(q, qd + t * qdd / 2, t), qd + t * qdd) for t in (dt, -dt)
    )
    assert np.abs((ahead - behind) / (2 * dt) - order.a_to(q, qd, qdd)).max() < 1e-8


def orders():
    """A robot and its order for each library, all kinds of joints, free ones included."""
    model = every_joint()
    yield ma.Robot.from_pinocchio(model), model
    model = Peer.of(random_mjcf(5, floating=True)).model
    yield ma.Robot.from_mujoco(model), model


def test_ways_there_and_back_are_inverse():
    """q, q̇, q̈, τ and M come back from either library's order to 1e-14, batches as single states,
    and coordinates that are only reordered come back bit for bit."""
    for arm, model in orders():
        order, rng = arm.order_for(model), np.random.default_rng(2)
        q = arm.random_q(rng, (4, 3))
        qd, qdd, tau = rng.uniform(-1, 1, (3, 4, 3, arm.n))
        back = order.q_from(order.q_to(q), near=q)
        plain = [k for k, name in enumerate(arm.q_names) if name not in ("ub", "plane.theta")]
        assert np.array_equal(back[..., plain], q[..., plain])
        assert np.abs(back - q).max() < 1e-14
        assert np.abs(order.v_from(q, order.v_to(q, qd)) - qd).max() < 1e-14
        assert np.abs(order.a_from(q, qd, order.a_to(q, qd, qdd)) - qdd).max() < 1e-14
        assert np.abs(order.tau_from(q, order.tau_to(q, tau)) - tau).max() < 1e-14
        M = arm.mass_matrix(q)
        assert np.abs(order.M_from(q, order.M_to(q, M)) - M).max() < 1e-13 * np.abs(M).max()
        single = order.a_to(q[1, 2], qd[1, 2], qdd[1, 2])
        assert np.abs(order.a_to(q, qd, qdd)[1, 2] - single).max() < 1e-15


def test_power_is_the_same_in_every_order():
    """τ · q̇ is τ' · v' in either library's vectors."""
    for arm, model in orders():
        order, rng = arm.order_for(model), np.random.default_rng(3)
        q = arm.random_q(rng)
        qd, tau = rng.uniform(-1, 1, (2, arm.n))
        there = order.tau_to(q, tau) @ order.v_to(q, qd)
        assert there == pytest.approx(tau @ qd, rel=1e-13)


def test_turns_are_kept_near_what_they_were():
    """An angle that Pinocchio has as (cos, sin) comes back within ±π, or beside the one before."""
    model = every_joint()
    arm = ma.Robot.from_pinocchio(model)
    order, k = arm.order_for(model), arm.q_names.index("ub")
    q = arm.state({"ub": 7.0})
    assert order.q_from(order.q_to(q))[k] == pytest.approx(7 - 2 * np.pi, abs=1e-14)
    near = arm.state({"ub": 6.5})
    assert order.q_from(order.q_to(q), near=near)[k] == pytest.approx(7, abs=1e-14)


def test_joints_that_differ_are_named():
    """A model with other joints is refused with the names on both sides; joints that only the model
    has may be ignored and stay at its reference."""
    hand = '<body name="h"><joint name="hand" ref="0.25"/><geom size="0.1"/></body>'
    one = '<mujoco><compiler angle="radian"/><worldbody><body name="a"><joint name="arm"/>'
    one += '<geom size="0.1"/>{}</body></worldbody></mujoco>'
    both, arm = Peer.of(one.format(hand)).model, ma.Robot.from_mujoco(Peer.of(one.format("")).model)
    with pytest.raises(ValueError, match=r"only there: hand.*ignore_extra=True"):
        arm.order_for(both)
    assert arm.order_for(both, ignore_extra=True).q_to([1]).tolist() == [1, 0.25]
    with pytest.raises(ValueError, match="not in the MuJoCo model: hand"):
        ma.Robot.from_mujoco(both).order_for(Peer.of(one.format("")).model)
    with pytest.raises(TypeError, match=r"pinocchio\.Model or a mujoco\.MjModel"):
        arm.order_for(object())


@pytest.mark.parametrize("name", [k for k in FILES if "talos_reduced" in k or "ur5_r" in k])
def test_frames_of_pinocchio_are_where_it_has_them(name):
    """Every frame of a robot from a model, its links and the world's among them, has Pinocchio's
    pose, and every body and frame of the model is a frame, to 1e-12."""
    pin, model = peer("pinocchio"), model_of(name, floating=True)
    arm, data = ma.Robot.from_pinocchio(model), model.createData()
    q = arm.random_q(1)
    pin.framesForwardKinematics(model, data, arm.order_for(model).q_to(q))
    poses = dict(zip(arm.frames, arm.link_poses(q), strict=True))
    bodies = [k for k, frame in enumerate(model.frames) if frame.type == pin.FrameType.BODY]
    for k, frame in enumerate(model.frames):
        if k in bodies or frame.name not in {model.frames[b].name for b in bodies}:
            assert np.abs(poses[frame.name] - data.oMf[k].homogeneous).max() < CLOSE


@pytest.mark.parametrize("name", [k for k in FILES if "ur5_r" in k or "panda.urdf" in k])
def test_models_of_pinocchio_have_the_limits_and_drives_of_the_file(name):
    """A robot from Pinocchio's model of a URDF has the limits, damping, friction, masses and
    gravity that our own reader of the file finds."""
    model = model_of(name, mimic=True)
    ours, theirs = ma.load(FILES[name]), ma.Robot.from_pinocchio(model)
    assert ours.joint_names == theirs.joint_names
    assert ours.limits == theirs.limits
    assert np.array_equal(ours.gravity, theirs.gravity)
    drives = [{k.joint.name: k.joint.actuator for k in arm.mechanism.links
               if k.joint.name in arm.joint_names} for arm in (ours, theirs)]  # fmt: skip
    assert drives[0] == drives[1]
    total = [sum(k.inertia.m for k in arm.mechanism.links) + arm.mechanism.base_inertia.m
             for arm in (ours, theirs)]  # fmt: skip
    assert total[0] == pytest.approx(total[1], rel=1e-12)
