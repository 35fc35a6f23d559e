"""Derivatives against Pinocchio's, with a fixed and with a floating base.

Pinocchio's free flyer has rates (v, ω) where ours has (ω, v), both in the axes of the link; its
joints are found by name. What is not installed is a failure, not a skip: see `test_peers.py`.
"""

import numpy as np
import pytest

import momentarm as ma
from oracles.peers import CLOSE, acceleration_limit, peer
from oracles.reference import error
from oracles.test_peers import FILES, load_quietly

pytestmark = pytest.mark.peers
NAMES = ("talos_reduced", "solo12", "anymal", "ur5_robot")
ROBOTS = {path.rpartition("/")[2].removesuffix(".urdf"): path for path in FILES}


class Both:
    """One URDF read by both sides, and where our coordinates and rates are in Pinocchio's."""

    def __init__(self, name, floats):
        self.pin = pin = peer("pinocchio")
        path = FILES[ROBOTS[name]]
        self.arm = load_quietly(path) if not floats else ma.load(path, base="floating").ideal
        self.model = (pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if floats
                      else pin.buildModelFromUrdf(path))  # fmt: skip
        self.data = self.model.createData()
        self.q, self.v = [], []
        for joint in self.arm.joint_names:
            at = self.model.joints[self.model.getJointId(
                "root_joint" if joint == "floating_base" else joint)]  # fmt: skip
            assert (at.nq, at.nv) in ((1, 1), (7, 6)), joint
            rates = range(at.idx_v, at.idx_v + at.nv)
            self.q += range(at.idx_q, at.idx_q + at.nq)
            self.v += [*rates[3:], *rates[:3]] if at.nv == 6 else rates

    def states(self, count=3):
        """q, q̇ and q̈ as rows."""
        rng = np.random.default_rng(7)
        return self.arm.random_q(rng, count), *rng.uniform(-2, 2, (2, count, self.arm.n))

    def theirs(self, function, results, q, *rates):
        full, (qd, x) = np.empty(self.model.nq), np.empty((2, self.model.nv))
        full[self.q], qd[self.v], x[self.v] = q, *rates
        getattr(self.pin, function)(self.model, self.data, full, qd, x)
        square = np.ix_(self.v, self.v)
        return [np.array(getattr(self.data, k))[square] for k in results]


@pytest.mark.parametrize("floats", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("name", NAMES)
def test_derivatives_of_inverse_dynamics(name, floats):
    """∂τ/∂q and ∂τ/∂q̇ are `computeRNEADerivatives`, to 1e-12 of the largest."""
    both = Both(name, floats)
    states = both.states()
    ours = both.arm.inverse_dynamics_derivatives(*states)
    for k, state in enumerate(zip(*states, strict=True)):
        theirs = both.theirs("computeRNEADerivatives", ("dtau_dq", "dtau_dv"), *state)
        for a, b in zip(ours, theirs, strict=False):
            assert error(a[k], b) < CLOSE


@pytest.mark.parametrize("floats", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("name", NAMES)
def test_derivatives_of_forward_dynamics(name, floats):
    """∂q̈/∂q, ∂q̈/∂q̇ and M⁻¹ are `computeABADerivatives`, within the condition of M."""
    both = Both(name, floats)
    q, qd, qdd = both.states()
    tau, M = both.arm.inverse_dynamics(q, qd, qdd), both.arm.mass_matrix(q)
    ours = both.arm.forward_dynamics_derivatives(q, qd, tau)
    for k, state in enumerate(zip(q, qd, tau, strict=True)):
        theirs = both.theirs("computeABADerivatives", ("ddq_dq", "ddq_dv", "Minv"), *state)
        for a, b in zip(ours, theirs, strict=True):
            assert error(a[k], b) < acceleration_limit(M[k])
