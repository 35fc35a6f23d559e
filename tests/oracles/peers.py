"""Other robotics libraries, asked in our words: the adapters that the peer tests use.

Coordinates, joint order, spatial order and units are those of `descriptions.py`; what a peer does
otherwise (cos and sin for a continuous joint, linear rows first) is undone here.
"""

import importlib
import warnings
from dataclasses import dataclass, field

import numpy as np

from oracles.descriptions import Robot, random_state
from oracles.reference import FLOAT, error, rotation, symmetric

EPSILON = np.finfo(float).eps
CLOSE = 1e-12
STATES = 3


def peer(name):
    """A peer library; what it warns about on import is its own affair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def acceleration_limit(M):
    """Both sides solve with M, so each may be off by its condition number."""
    return 8 * np.linalg.cond(M) * EPSILON + CLOSE


class Pinocchio:
    """A model read by Pinocchio, asked in the coordinates of the joints that mimic nothing.

    Pinocchio reads it without mimicking: the full tree. The line q_full = G q + b, from the
    oracle's reader, couples its joints.
    """

    def __init__(self, text, robot: Robot, mimic=False):
        self.pin = peer("pinocchio")
        self.model = self.pin.buildModelFromXML(text, mimic=mimic)
        self.data = self.model.createData()
        self.G, self.b = np.zeros((self.model.nv, robot.n)), np.zeros(self.model.nv)
        self.robot = robot
        place = {body.joint: i for i, body in enumerate(robot.bodies)}
        for name, joint in zip(self.model.names[1:], list(self.model.joints)[1:], strict=True):
            column, multiplier, offset = robot.law(place[name])
            if mimic and robot.bodies[place[name]].mimic:
                continue
            self.G[joint.idx_v, column], self.b[joint.idx_v] = multiplier, offset

    def position(self, q):
        """Pinocchio's configuration: a continuous joint is a (cos, sin) pair there."""
        full, result = self.G @ q + self.b, np.zeros(self.model.nq)
        for joint in list(self.model.joints)[1:]:
            value = full[joint.idx_v]
            if joint.nq == 2:
                result[joint.idx_q : joint.idx_q + 2] = np.cos(value), np.sin(value)
            elif joint.nv == 1:
                result[joint.idx_q] = value
        return result

    def inverse_dynamics(self, q, qd, qdd):
        found = self.pin.rnea(self.model, self.data, self.position(q), self.G @ qd, self.G @ qdd)
        return self.G.T @ found

    def mass_matrix(self, q):
        half = np.triu(self.pin.crba(self.model, self.data, self.position(q)))
        return self.G.T @ (half + np.triu(half, 1).T) @ self.G

    def gravity_forces(self, q):
        found = self.pin.computeGeneralizedGravity(self.model, self.data, self.position(q))
        return self.G.T @ found

    def forward_dynamics(self, q, qd, tau):
        if self.model.nv == self.robot.n:
            found = self.pin.aba(self.model, self.data, self.position(q), self.G @ qd, self.G @ tau)
            return self.G.T @ found
        free = tau - self.inverse_dynamics(q, qd, np.zeros(len(q)))
        return np.linalg.solve(self.mass_matrix(q), free)

    def jacobian(self, q, frame):
        """In the axes of the frame, at its origin, angular rows first."""
        frame_id = self.model.getFrameId(frame, self.pin.FrameType.BODY)
        found = self.pin.computeFrameJacobian(
            self.model, self.data, self.position(q), frame_id, self.pin.ReferenceFrame.LOCAL
        )
        return np.vstack([found[3:], found[:3]]) @ self.G


@dataclass
class Outcome:
    """What became of one file: loaded or refused by each side, and the differences found."""

    peer: str = "loads"
    ours: str = "loads"
    joints: int = 0
    condition: float = 0.0
    errors: dict[str, float] = field(default_factory=dict)
    located: bool = True

    def row(self, name):
        if self.peer != "loads" or self.ours != "loads":
            return f"{name:66} Pinocchio {self.peer}; here: {self.ours}"[:200]
        shown = "  ".join(f"{key} {value:.1e}" for key, value in self.errors.items())
        return f"{name:66} {self.joints:4d}  {shown or 'nothing moves'}"


def compare(arm, oracle, outcome, seed=0):
    """Fill in the largest differences over a few random states."""
    rng = np.random.default_rng(seed)
    for _ in range(STATES):
        q, qd, qdd = random_state(rng, arm.n)
        M = oracle.mass_matrix(q)
        tau = oracle.inverse_dynamics(q, qd, qdd)
        found = {
            "tau": error(arm.inverse_dynamics(q, qd, qdd), tau),
            "M": error(arm.mass_matrix(q), M),
            "g": error(arm.gravity_forces(q), oracle.gravity_forces(q)),
        }
        condition = float(np.linalg.cond(M))
        outcome.condition = max(outcome.condition, condition)
        if condition < 1e11:
            expected = oracle.forward_dynamics(q, qd, tau)
            difference = error(arm.forward_dynamics(q, qd, tau), expected)
            found["qdd/k"] = difference * CLOSE / acceleration_limit(M)
        for key, value in found.items():
            outcome.errors[key] = max(outcome.errors.get(key, 0.0), value)


def quaternion(rpy):
    """w, x, y, z of Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(np.array(rpy) / 2), np.sin(np.array(rpy) / 2)
    return (
        cr * cp * cy + sr * sp * sy,
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
    )


def words(values):
    return " ".join(repr(float(value)) for value in values)


def mjcf(robot: Robot):
    """The same robot in MuJoCo's own language."""

    def element(i):
        body = robot.bodies[i]
        R = rotation(FLOAT, body.inertia_rpy)
        I = R @ symmetric(FLOAT, body.inertia) @ R.T
        full = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        kind = {"revolute": "hinge", "prismatic": "slide"}.get(body.kind)
        motion = f'<joint name="{body.joint}" type="{kind}" axis="{words(body.axis)}"/>'
        place = f'pos="{words(body.xyz)}" quat="{words(quaternion(body.rpy))}"'
        inertial = f'mass="{body.mass!r}" pos="{words(body.com)}" fullinertia="{words(full)}"'
        return "".join(
            [
                f'<body name="{body.name}" {place}><inertial {inertial}/>',
                motion if kind else "",
                *(element(k) for k, other in enumerate(robot.bodies) if other.parent == i),
                "</body>",
            ]
        )

    ground = "".join(element(k) for k, body in enumerate(robot.bodies) if body.parent == 0)
    gravity = f'<option gravity="{words(robot.gravity)}"/>'
    return f'<mujoco><compiler angle="radian"/>{gravity}<worldbody>{ground}</worldbody></mujoco>'


class MuJoCo:
    """A model compiled and evaluated by MuJoCo."""

    def __init__(self, robot: Robot):
        self.mujoco = peer("mujoco")
        self.model = self.mujoco.MjModel.from_xml_string(mjcf(robot))
        self.data = self.mujoco.MjData(self.model)

    def at(self, q, qd):
        self.data.qpos[:], self.data.qvel[:] = q, qd
        self.mujoco.mj_forward(self.model, self.data)
        return self.data

    def mass_matrix(self, q):
        data, M = self.at(q, np.zeros(len(q))), np.zeros((len(q), len(q)))
        try:
            self.mujoco.mj_fullM(self.model, data, M)
        except TypeError:  # MuJoCo 3
            self.mujoco.mj_fullM(self.model, M, data.qM)
        return M

    def bias_forces(self, q, qd):
        return self.at(q, qd).qfrc_bias.copy()

    def gravity_forces(self, q):
        return self.bias_forces(q, np.zeros(len(q)))

    def inverse_dynamics(self, q, qd, qdd):
        self.at(q, qd).qacc[:] = qdd
        self.mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse.copy()

    def forward_dynamics(self, q, qd, tau):
        self.data.qfrc_applied[:] = tau
        found = self.at(q, qd).qacc.copy()
        self.data.qfrc_applied[:] = 0
        return found


def ideal_toolbox_robot(robot):
    """Without friction and without motor inertia."""
    robot = robot.nofriction(coulomb=True, viscous=True)
    for link in robot.links:
        link.Jm = 0
    return robot


def toolbox_robot(rows, convention):
    rtb = peer("roboticstoolbox")
    kind = {
        ("revolute", "standard"): rtb.RevoluteDH,
        ("prismatic", "standard"): rtb.PrismaticDH,
        ("revolute", "modified"): rtb.RevoluteMDH,
        ("prismatic", "modified"): rtb.PrismaticMDH,
    }
    links = []
    for row in rows:
        variable = "theta" if row["type"] == "revolute" else "d"
        geometry = {key: row[key] for key in ("a", "alpha", "d", "theta") if key != variable}
        body = {"m": row["mass"], "r": row["com"], "I": np.array(row["inertia"])}
        make = kind[row["type"], convention]
        links.append(make(**geometry, **body, offset=row[variable]))
    return rtb.DHRobot(links)
