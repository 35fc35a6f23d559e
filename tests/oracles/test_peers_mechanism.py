"""Coriolis matrices, rates of Jacobians, momenta and joint wrenches against other libraries.

Pinocchio has linear rows first and a free joint's rates as (v, ω); both are turned here.
"""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import momentarm as ma
from oracles.descriptions import random_dh, random_robot, random_state, write_urdf
from oracles.peers import CLOSE, STATES, acceleration_limit, peer, toolbox_robot
from oracles.reference import error

pytestmark = pytest.mark.peers
KINDS = ("revolute", "prismatic", "revolute")
SIX = [3, 4, 5, 0, 1, 2]  # (linear, angular) to (angular, linear) and back


def with_heavy_ground(robot):
    """Its ground has a body too, which counts where the robot floats."""
    ground = replace(robot.bodies[0], mass=3.0, com=(0.1, -0.2, 0.3),
                     inertia=(0.3, 0.01, 0.02, 0.4, -0.03, 0.5))  # fmt: skip
    return replace(robot, bodies=(ground, *robot.bodies[1:]))


class Both:
    """One random tree here and in Pinocchio, on the ground or free."""

    def __init__(self, path, seed, floating):
        self.pin, robot = peer("pinocchio"), random_robot(90 + seed, 6, kinds=KINDS, branching=0.3)
        path.write_text(write_urdf(with_heavy_ground(robot)))
        root = [self.pin.JointModelFreeFlyer()] if floating else []
        self.model = self.pin.buildModelFromXML(path.read_text(), *root)
        self.data = self.model.createData()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.arm = ma.load(path, base="floating" if floating else "fixed")
        self.v = [*SIX, *range(6, self.arm.n)] if floating else list(range(self.arm.n))
        self.frame = robot.bodies[-1].name
        self.rng, self.floating = np.random.default_rng(seed), floating

    def states(self):
        """(q, q̇, q̈) as here; Pinocchio takes the same q and rates in the order `v`."""
        for _ in range(STATES):
            _, qd, qdd = random_state(self.rng, self.arm.n)
            yield self.arm.random_q(self.rng), qd, qdd

    def matrix(self, A):
        """A matrix in Pinocchio's rates, in ours."""
        return A[np.ix_(self.v, self.v)]


@pytest.fixture(params=[(seed, floating) for seed in range(3) for floating in (False, True)])
def both(request, tmp_path):
    return Both(tmp_path / "tree.urdf", *request.param)


def test_coriolis_matrix_is_pinocchios(both):
    """C and Ṁ = C + Cᵀ of random trees, fixed and floating, are Pinocchio's to 1e-12, and M⁻¹
    within the condition of M."""
    pin, arm = both.pin, both.arm
    for q, qd, _ in both.states():
        pin.computeCoriolisMatrix(both.model, both.data, q, qd[both.v])
        C = both.matrix(both.data.C)
        assert error(arm.coriolis_matrix(q, qd), C) <= CLOSE
        assert error(arm.mass_matrix_dot(q, qd), C + C.T) <= CLOSE
        half = np.triu(pin.computeMinverse(both.model, both.data, q))
        inverse = both.matrix(half + np.triu(half, 1).T)
        limit = acceleration_limit(arm.mass_matrix(q))
        assert error(arm.mass_matrix_inverse(q), inverse) <= limit


REFERENCES = {"body": "LOCAL", "space": "WORLD", "world": "LOCAL_WORLD_ALIGNED"}


@pytest.mark.parametrize("reference", REFERENCES)
def test_frames_move_as_in_pinocchio(both, reference):
    """J̇, the twist and, in the frame's axes, its derivative, of a frame on a random tree, fixed or
    floating, are Pinocchio's to 1e-12."""
    pin, arm = both.pin, both.arm
    frame = both.model.getFrameId(both.frame, pin.FrameType.BODY)
    theirs = getattr(pin.ReferenceFrame, REFERENCES[reference])
    option = {"frame": both.frame, "reference": reference}
    for q, qd, qdd in both.states():
        pin.computeJointJacobiansTimeVariation(both.model, both.data, q, qd[both.v])
        pin.updateFramePlacements(both.model, both.data)
        J = pin.getFrameJacobianTimeVariation(both.model, both.data, frame, theirs)
        assert error(arm.jacobian_dot(q, qd, **option), J[np.ix_(SIX, both.v)]) <= CLOSE
        pin.forwardKinematics(both.model, both.data, q, qd[both.v], qdd[both.v])
        V = pin.getFrameVelocity(both.model, both.data, frame, theirs).vector
        assert error(arm.frame_velocity(q, qd, **option), V[SIX]) <= CLOSE
        if reference == "world":
            A = pin.getFrameClassicalAcceleration(both.model, both.data, frame, theirs).vector
        else:
            A = pin.getFrameAcceleration(both.model, both.data, frame, theirs).vector
        assert error(arm.frame_acceleration(q, qd, qdd, **option), A[SIX]) <= CLOSE


def test_momenta_are_pinocchios(both):
    """Centre of mass, its Jacobian, the centroidal momentum matrix and its bias are Pinocchio's to
    1e-12, angular rows first."""
    pin, arm = both.pin, both.arm
    for q, qd, _ in both.states():
        com = pin.centerOfMass(both.model, both.data, q, qd[both.v])
        assert error(arm.center_of_mass(q), com) <= CLOSE
        assert error(arm.center_of_mass_velocity(q, qd), both.data.vcom[0]) <= CLOSE
        J = pin.jacobianCenterOfMass(both.model, both.data, q)[:, both.v]
        assert error(arm.center_of_mass_jacobian(q), J) <= CLOSE
        pin.dccrba(both.model, both.data, q, qd[both.v])
        A, A_dot = (both.data.Ag[SIX][:, both.v], both.data.dAg[SIX][:, both.v])
        assert error(arm.centroidal_momentum_matrix(q), A) <= CLOSE
        assert error(arm.centroidal_momentum_bias(q, qd), A_dot @ qd) <= CLOSE
        p = A @ qd
        p[:3] += np.cross(com, p[3:])
        assert error(arm.momentum(q, qd), p) <= CLOSE


def test_joints_transmit_what_pinocchio_says(both):
    """ℱ of every moving link is the wrench of Pinocchio's recursion in the joint's frame."""
    pin, arm = both.pin, both.arm
    for q, qd, qdd in both.states():
        pin.rnea(both.model, both.data, q, qd[both.v], qdd[both.v])
        F = arm.ideal.link_wrenches(q, qd, qdd)
        links = arm.mechanism.links
        place = {k.joint.name: i for i, k in enumerate(links)}
        for joint, name in enumerate(both.model.names):
            key = "floating_base" if name == "root_joint" else name
            if key in place:
                theirs = both.data.f[joint].vector[SIX]
                assert error(F[place[key]], theirs) <= CLOSE


@pytest.mark.parametrize("seed", range(3))
def test_coriolis_matrix_is_the_toolboxs(seed):
    """For random Denavit–Hartenberg tables C is the Robotics Toolbox's, which makes it of n² calls
    of its recursion, to 1e-11, and J̇ q̇ is its own."""
    rows = random_dh(70 + seed, 6)
    arm, theirs = ma.Robot.from_dh(rows, convention="standard"), toolbox_robot(rows, "standard")
    q, qd, _ = random_state(np.random.default_rng(seed), 6)
    assert error(arm.coriolis_matrix(q, qd), np.asarray(theirs.coriolis(q, qd))) <= 10 * CLOSE
    J_dot = np.asarray(theirs.jacob0_dot(q, qd))[SIX]
    assert error(arm.jacobian_dot(q, qd, reference="world"), J_dot) <= 10 * CLOSE
