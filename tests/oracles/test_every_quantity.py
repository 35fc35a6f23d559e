"""Every quantity of every robot of example-robot-data against Pinocchio, on both kinds of base.

Each algorithm of the table of quantities runs on plain floats, in the form of the mechanism that
its kernel has, so that every route is judged and nothing waits for a compiler. That kernels give
what their algorithms give is tested here on a few robots. Pinocchio reads a file without mimicking;
the line q_full = G q + b of the oracle's reader couples its joints.
"""

import functools
import warnings
from pathlib import Path

import numpy as np
import pytest

import momentarm as ma
from momentarm.quantities import QUANTITIES
from oracles.descriptions import read_urdf
from oracles.peers import CLOSE, Pinocchio, acceleration_limit
from oracles.reference import error
from oracles.test_peers import FILES, readable

pytestmark = pytest.mark.peers
BASES = ("fixed", "floating")
LIMIT = 1e11  # of the condition of M, beyond which accelerations have no digits to compare


class Free(Pinocchio):
    """The same with a free joint before the base, whose rates Pinocchio has linear first."""

    def __init__(self, text, robot):
        super().__init__(text, robot)
        fixed, b = self.G, self.b
        self.model = self.pin.buildModelFromXML(text, self.pin.JointModelFreeFlyer())
        self.data = self.model.createData()
        nv, n = fixed.shape
        self.G, self.b = np.zeros((nv + 6, n + 6)), np.concatenate([np.zeros(6), b])
        self.G[:3, 3:6] = self.G[3:6, :3] = np.eye(3)
        self.G[6:, 6:] = fixed

    def position(self, q):
        result = np.zeros(self.model.nq)
        result[:7], full = q[:7], (self.G[6:, 6:] @ q[7:]) + self.b[6:]
        for joint in list(self.model.joints)[2:]:
            value = full[joint.idx_v - 6]
            at = slice(joint.idx_q, joint.idx_q + joint.nq)
            result[at] = (np.cos(value), np.sin(value)) if joint.nq == 2 else value
        return result


class Asked:
    """Our robot: every route of a quantity on plain floats."""

    def __init__(self, arm):
        self.arm = arm
        self.formed = functools.cache(lambda form: form(arm.mechanism))

    def barred(self, row):
        """The routes that its row says are not for this robot."""
        coupled, freed = self.arm.mechanism.is_coupled, self.arm.nq != self.arm.n
        return (*(row.uncoupled if coupled else ()), *(row.holonomic if freed else ()))

    def __call__(self, name, *arrays, **options):
        """The outputs of each route, as arrays."""
        row = QUANTITIES[name]
        given = {k: np.asarray(a).tolist() for (k, _), a in zip(row.inputs, arrays, strict=True)}
        for route in row.algorithms:
            if route not in self.barred(row):
                found = row.answer(self.formed(row.form), route, given, options)
                yield tuple(np.array(x, float) for x in found)


@functools.cache
def pair(name, base):
    """(our robot, the peer's) or None where there is nothing that moves."""
    path = Path(FILES[name])
    text = path.read_text(encoding="utf-8")
    robot = read_urdf(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arm = ma.load(path, base=base).ideal
    bodies = any(link.has_inertia for link in arm.mechanism.links)
    if arm.n == 0 or not bodies:
        return None
    return Asked(arm), (Free if base == "floating" else Pinocchio)(text, robot)


def state(ours, seed=5):
    """q with a unit quaternion, q̇, q̈ of moderate size."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1.5, 1.5, ours.arm.nq)
    if ours.arm.nq != ours.arm.n:
        q[3:7] /= np.linalg.norm(q[3:7])
    qd, qdd = rng.uniform(-1, 1, (2, ours.arm.n))
    return q, qd, qdd


SOUND = [pytest.param(k, base, id=f"{k}-{base}") for k in FILES if readable(k) for base in BASES]
every_robot = pytest.mark.parametrize("name, base", SOUND)


def compared(name, base, compare):
    """Run a comparison: (what, found, expected, limit), and what numbers of its size are there."""
    both = pair(name, base)
    if both is not None:
        for what, found, expected, limit, *terms in compare(*both, *state(both[0])):
            off = error(found, expected, *terms)
            assert off <= limit, f"{what}: {off:.1e}"


@every_robot
def test_efforts_and_masses(name, base):
    """Torques, bias, Coriolis and gravity forces and M are Pinocchio's to 1e-12, by every route."""

    def compare(ours, peer, q, qd, qdd):
        model, data, at, G = peer.model, peer.data, peer.position(q), peer.G
        rnea = peer.pin.rnea
        still, M = np.zeros(model.nv), peer.mass_matrix(q)
        expected = {
            "inverse_dynamics": (G.T @ rnea(model, data, at, G @ qd, G @ qdd), (q, qd, qdd)),
            "bias_forces": (G.T @ rnea(model, data, at, G @ qd, still), (q, qd)),
            "gravity_forces": (G.T @ rnea(model, data, at, still, still), (q,)),
            "mass_matrix": (M, (q,)),
        }
        C = peer.pin.computeCoriolisMatrix(model, data, at, G @ qd)
        expected["coriolis_forces"] = G.T @ (C @ (G @ qd)), (q, qd)
        for what, (answer, arrays) in expected.items():
            for (found,) in ours(what, *arrays):
                yield what, found, answer, CLOSE, M

    compared(name, base, compare)


@every_robot
def test_accelerations_and_inverse(name, base):
    """q̈ by every route and M⁻¹ are Pinocchio's within the condition of M."""

    def compare(ours, peer, q, qd, qdd):
        M = peer.mass_matrix(q)
        if np.linalg.cond(M) > LIMIT:
            return
        model, data, at, G = peer.model, peer.data, peer.position(q), peer.G
        tau, limit = qdd * 10, acceleration_limit(M)
        if G.shape[0] == G.shape[1]:
            back = np.linalg.inv(G)
            expected = back @ peer.pin.aba(model, data, at, G @ qd, back.T @ tau)
            half = np.triu(peer.pin.computeMinverse(model, data, at))
            inverse = back @ (half + np.triu(half, 1).T) @ back.T
        else:
            h = peer.inverse_dynamics(q, qd, 0 * qd)
            expected, inverse = np.linalg.solve(M, tau - h), np.linalg.inv(M)
        for (found,) in ours("forward_dynamics", q, qd, tau):
            yield "forward_dynamics", found, expected, limit
        for (found,) in ours("mass_matrix_inverse", q):
            yield "mass_matrix_inverse", found, inverse, limit

    compared(name, base, compare)


@every_robot
def test_jacobians_and_their_rates(name, base):
    """The Jacobian of the deepest link and its rate are Pinocchio's to 1e-12, in the link's axes
    and about the world's origin."""

    def compare(ours, peer, q, qd, qdd):
        pin, model, data, G = peer.pin, peer.model, peer.data, peer.G
        m = ours.arm.mechanism
        link = max(range(len(m.links)), key=lambda i: len(list(m.path(i))))
        frame = m.links[link].name
        at = model.getFrameId(frame, pin.FrameType.BODY)
        pin.computeJointJacobians(model, data, peer.position(q))
        pin.computeJointJacobiansTimeVariation(model, data, peer.position(q), G @ qd)
        for reference, theirs in (("body", pin.ReferenceFrame.LOCAL),
                                  ("space", pin.ReferenceFrame.WORLD)):  # fmt: skip
            J = pin.getFrameJacobian(model, data, at, theirs)
            Jd = pin.getFrameJacobianTimeVariation(model, data, at, theirs)
            options = {"frame": frame, "reference": reference}
            for (found,) in ours("jacobian", q, **options):
                yield f"jacobian, {reference}", found, np.vstack([J[3:], J[:3]]) @ G, CLOSE
            for (found,) in ours("jacobian_dot", q, qd, **options):
                expected = np.vstack([Jd[3:], Jd[:3]]) @ G
                yield f"jacobian_dot, {reference}", found, expected, CLOSE, J

    compared(name, base, compare)


@every_robot
def test_first_derivatives(name, base):
    """∂τ/∂q and ∂τ/∂q̇ are Pinocchio's to 1e-12, by every route."""

    def compare(ours, peer, q, qd, qdd):
        G = peer.G
        D_q, D_qd, _ = peer.pin.computeRNEADerivatives(
            peer.model, peer.data, peer.position(q), G @ qd, G @ qdd
        )
        for by_q, by_qd, M in ours("inverse_dynamics_derivatives", q, qd, qdd):
            yield "tau_D_q", by_q, G.T @ D_q @ G, CLOSE, M
            yield "tau_D_qd", by_qd, G.T @ D_qd @ G, CLOSE, M
            yield "M", M, peer.mass_matrix(q), CLOSE

    compared(name, base, compare)


@every_robot
def test_derivatives_of_accelerations(name, base):
    """∂q̈/∂q and ∂q̈/∂q̇ are Pinocchio's within twenty times the condition of M, where its joints
    are all their own."""

    def compare(ours, peer, q, qd, qdd):
        G, M = peer.G, peer.mass_matrix(q)
        if G.shape[0] != G.shape[1] or np.linalg.cond(M) > LIMIT:
            return
        back, tau = np.linalg.inv(G), qdd * 10
        D_q, D_qd, _ = peer.pin.computeABADerivatives(
            peer.model, peer.data, peer.position(q), G @ qd, back.T @ tau
        )
        limit = 20 * acceleration_limit(M)
        for by_q, by_qd, inverse in ours("forward_dynamics_derivatives", q, qd, tau):
            yield "qdd_D_q", by_q, back @ D_q @ G, limit, inverse
            yield "qdd_D_qd", by_qd, back @ D_qd @ G, limit, inverse

    compared(name, base, compare)


@every_robot
def test_regressor(name, base):
    """Y's columns of each link that a joint moves are Pinocchio's to 1e-12."""

    def compare(ours, peer, q, qd, qdd):
        G, model, m = peer.G, peer.model, ours.arm.mechanism
        Y = peer.pin.computeJointTorqueRegressor(
            model, peer.data, peer.position(q), G @ qd, G @ qdd
        )
        place = {link.joint.name: i for i, link in enumerate(m.links)}
        for (found,) in ours("regressor", q, qd, qdd):
            for k, joint in enumerate(model.names[1:]):
                i = place["floating_base" if joint == "root_joint" else joint]
                columns = found[:, 10 * i : 10 * i + 10]
                expected = G.T @ Y[:, 10 * k : 10 * k + 10]
                yield f"columns of {joint}", columns, expected, CLOSE

    compared(name, base, compare)


@every_robot
def test_centre_of_mass_and_momentum(name, base):
    """The centre of mass, its Jacobian and the centroidal momentum matrix are Pinocchio's to 1e-12;
    what does not move, the base of a fixed robot, is not part of them there."""

    def compare(ours, peer, q, qd, qdd):
        pin, model, data, G, at = peer.pin, peer.model, peer.data, peer.G, peer.position(q)
        com, J = pin.centerOfMass(model, data, at).copy(), pin.jacobianCenterOfMass(model, data, at)
        A = pin.computeCentroidalMap(model, data, at)
        expected = {
            "center_of_mass": com,
            "center_of_mass_jacobian": J @ G,
            "centroidal_momentum_matrix": np.vstack([A[3:], A[:3]]) @ G,
        }
        for what, answer in expected.items():
            for (found,) in ours(what, q):
                yield what, found, answer, CLOSE

    compared(name, base, compare)


def test_enough_robots_are_compared():
    """At least sixty robots are compared on each base, humanoids of over 35 joints among them."""
    for base in BASES:
        sizes = [both[0].arm.n for k in FILES if readable(k) and (both := pair(k, base))]
        assert len(sizes) >= 60
        assert max(sizes) > 35


COMPILED = {"ur5": ("ur_description/urdf/ur5_robot.urdf", "fixed"),
            "solo": ("solo_description/robots/solo12.urdf", "floating")}  # fmt: skip


@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("robot", COMPILED)
def test_kernels_compute_what_algorithms_say(robot, quantity):
    """The kernel of every quantity gives for each of three states what its algorithm gives on
    floats, to 1e-12, accelerations within the condition of M."""
    ours, peer = pair(*COMPILED[robot])
    arm = ours.arm.with_tip(ours.arm.frames[-1])
    if quantity == "christoffel" and arm.nq != arm.n:
        return
    rng = np.random.default_rng(3)
    kernel = arm.kernel(quantity)
    arrays = {k: rng.uniform(-1, 1, (3, *shape)) for k, shape in kernel.recipe.inputs.items()}
    arrays |= {"dt": np.full(3, 0.01)} if "dt" in arrays else {}
    found = kernel(*arrays.values())
    found = found if isinstance(found, tuple) else (found,)
    whole = [np.eye(arm.n)] if quantity == "null_space_projector" else []  # 1 less what is near 1
    for i in range(3):
        limit = acceleration_limit(peer.mass_matrix(arrays["q"][i])) if "q" in arrays else CLOSE
        state = [a[i] for a in arrays.values()]
        for expected in Asked(arm)(quantity, *state, **kernel.recipe.options):
            for x, y in zip(found, expected, strict=True):
                assert error(x[i], y, *whole) <= limit
