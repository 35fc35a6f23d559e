"""The library against other robotics libraries, and the 50-digit oracle against them too.

Pinocchio judges every URDF of example-robot-data; MuJoCo, random trees; modern_robotics, screws;
the Robotics Toolbox, Denavit-Hartenberg tables. Joints are matched by name. Peers know no friction
here, so `arm.ideal` is compared. A peer that is not installed is a failure, not a skip: these tests
are chosen with `-m peers`.
"""

import functools
import importlib.metadata
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import momentarm as ma
from oracles.descriptions import (
    dh_robot,
    random_dh,
    random_robot,
    random_state,
    read_urdf,
    write_urdf,
)
from oracles.peers import (
    CLOSE,
    STATES,
    MuJoCo,
    Outcome,
    Pinocchio,
    acceleration_limit,
    compare,
    ideal_toolbox_robot,
    peer,
    toolbox_robot,
)
from oracles.reference import FLOAT, Dynamics, error, floats, screws

pytestmark = pytest.mark.peers


def load_quietly(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ma.load(path).ideal


# --- Pinocchio on example-robot-data ---


def urdf_files():
    """Every URDF of the installed example-robot-data, by its path below robots/."""
    try:
        listed = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    paths = [str(entry.locate()) for entry in listed if entry.suffix == ".urdf"]
    return {re.split(r"[/\\]robots[/\\]", path, maxsplit=1)[1]: path for path in sorted(paths)}


FILES = urdf_files()


@functools.cache
def outcome_of(name):
    """Load one file on both sides and compare."""
    result, path = Outcome(), Path(FILES[name])
    text = path.read_text(encoding="utf-8")
    try:
        peer("pinocchio").buildModelFromXML(text)
    except ValueError:
        result.peer = "refuses"
    try:
        arm = load_quietly(path)
    except ValueError as refusal:
        result.ours = str(refusal)
        place = rf"(\S*[/\\])?{re.escape(path.name)}:\d+:\d+: "
        result.located = re.match(place, str(refusal)) is not None
        return result
    if result.peer == "loads":
        robot = read_urdf(text)
        result.joints = arm.n
        assert list(arm.joint_names) == robot.joint_names
        if arm.n:
            compare(arm, Pinocchio(text, robot), result)
    return result


def readable(name):
    """Whether the oracle's reader and Pinocchio both make a tree of one-freedom joints of it."""
    text = Path(FILES[name]).read_text(encoding="utf-8")
    try:
        read_urdf(text)
        peer("pinocchio").buildModelFromXML(text)
    except (ValueError, KeyError):
        return False
    return True


@pytest.mark.parametrize("name", FILES)
def test_every_urdf_agrees_with_pinocchio_or_says_why(name):
    """Each URDF of example-robot-data gives Pinocchio's torques, mass matrix and gravity to 1e-12
    and its accelerations within the condition of M, or an error that names file, line, column."""
    outcome = outcome_of(name)
    assert outcome.located, f"a refusal without file:line:column: {outcome.ours}"
    assert all(value <= CLOSE for value in outcome.errors.values()), outcome.row(name)


def test_every_sound_urdf_is_accepted(record_property):
    """Every file that both Pinocchio and the oracle's own reader understand loads and is compared;
    no fewer than sixty of them have joints."""
    outcomes = {name: outcome_of(name) for name in FILES}
    record_property("table", "\n".join(outcome.row(name) for name, outcome in outcomes.items()))
    refused = [name for name in FILES if readable(name) and outcomes[name].ours != "loads"]
    assert refused == []
    agreeing = [
        name
        for name, outcome in outcomes.items()
        if outcome.errors and max(outcome.errors.values()) <= CLOSE
    ]
    assert len(agreeing) >= 60


def test_a_mimic_of_nothing_is_refused_by_name():
    """The file whose mimic joints follow joints that it does not have, as its XML says to whoever
    searches it, is refused with their names; Pinocchio drops the coupling in silence."""
    for name in (name for name in FILES if "psyonic" in name):
        text = Path(FILES[name]).read_text(encoding="utf-8")
        assert 'joint = "index_q1"' in text
        assert 'name="index_q1"' not in text.replace(" ", "")
        assert "index_q1" in outcome_of(name).ours


@pytest.mark.parametrize("name", FILES)
def test_the_oracle_agrees_with_pinocchio(name):
    """The oracle's reader and world-frame laws give Pinocchio's torques, mass matrix and gravity to
    1e-13 on every sound URDF: two independent readings, before either judges the library."""
    if not readable(name):
        return
    text = Path(FILES[name]).read_text(encoding="utf-8")
    robot = read_urdf(text)
    if robot.n == 0:
        return
    ours, theirs = Dynamics(robot, FLOAT), Pinocchio(text, robot)
    q, qd, qdd = random_state(np.random.default_rng(1), robot.n)
    expected = theirs.inverse_dynamics(q, qd, qdd)
    assert error(ours.inverse_dynamics(q, qd, qdd), expected) < 1e-13
    assert error(ours.mass_matrix(q), theirs.mass_matrix(q)) < 1e-13
    assert error(ours.gravity_forces(q), theirs.gravity_forces(q)) < 1e-13


MIMICS = [name for name in FILES if re.search("panda.urdf|baxter|pr2.urdf|tiago_pro", name)]


@pytest.mark.parametrize("name", MIMICS)
def test_mimic_joints_agree_with_pinocchio(name):
    """Files with mimic joints give the torques and mass matrix of Pinocchio's own mimic model,
    which couples joints inside its algorithms instead of around them."""
    path = Path(FILES[name])
    text = path.read_text(encoding="utf-8")
    robot, arm = read_urdf(text), load_quietly(path)
    theirs = Pinocchio(text, robot, mimic=True)
    assert theirs.model.nv == arm.n
    for seed in range(STATES):
        q, qd, qdd = random_state(np.random.default_rng(seed), arm.n)
        tau = theirs.inverse_dynamics(q, qd, qdd)
        assert error(arm.inverse_dynamics(q, qd, qdd), tau) <= CLOSE
        assert error(arm.mass_matrix(q), theirs.mass_matrix(q)) <= CLOSE


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_agree_with_pinocchio(tmp_path, seed):
    """Random trees of all URDF joint types give Pinocchio's torques, mass matrix, gravity,
    accelerations and body Jacobian of the deepest link, coupled joints included."""
    kinds = ("revolute", "revolute", "prismatic", "fixed")
    robot = random_robot(seed, 12, kinds=kinds, branching=0.4, aligned=0.3, mimics=0.2)
    path = tmp_path / "random.urdf"
    path.write_text(write_urdf(robot))
    arm, theirs, outcome = ma.load(path), Pinocchio(write_urdf(robot), robot), Outcome()
    compare(arm, theirs, outcome, seed)
    assert max(outcome.errors.values()) <= CLOSE, outcome.row("random")
    q, _, _ = random_state(np.random.default_rng(seed), arm.n)
    leaf = max(robot.leaves, key=lambda name: len(Dynamics(robot).path(robot.index(name))))
    expected = theirs.jacobian(q, leaf)
    assert error(arm.jacobian(q, frame=leaf, reference="body"), expected) <= CLOSE


# --- MuJoCo ---


def tree(seed):
    kinds = ("revolute", "prismatic", "revolute", "fixed")
    return random_robot(50 + seed, 10, kinds=kinds, branching=0.4, aligned=0.4)


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_agree_with_mujoco(tmp_path, seed):
    """Random trees give MuJoCo's mass matrix, bias, torques and accelerations, the robot being
    described to it in its own format."""
    robot = tree(seed)
    path = tmp_path / "random.urdf"
    path.write_text(write_urdf(robot))
    arm, theirs, outcome = ma.load(path), MuJoCo(robot), Outcome()
    compare(arm, theirs, outcome, seed)
    assert max(outcome.errors.values()) <= CLOSE, outcome.row("random")
    q, qd, _ = random_state(np.random.default_rng(seed), arm.n)
    assert error(arm.bias_forces(q, qd), theirs.bias_forces(q, qd)) <= CLOSE


@pytest.mark.parametrize("seed", range(6))
def test_the_oracle_agrees_with_mujoco(seed):
    """The oracle's torques, bias and mass matrix are MuJoCo's to 1e-13 on random trees."""
    robot = tree(seed)
    ours, theirs = Dynamics(robot, FLOAT), MuJoCo(robot)
    q, qd, qdd = random_state(np.random.default_rng(seed), robot.n)
    expected = theirs.inverse_dynamics(q, qd, qdd)
    assert error(ours.inverse_dynamics(q, qd, qdd), expected) < 1e-13
    assert error(ours.bias_forces(q, qd), theirs.bias_forces(q, qd)) < 1e-13
    assert error(ours.mass_matrix(q), theirs.mass_matrix(q)) < 1e-13


# --- modern_robotics ---


def pose(rows, position):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = rows, position
    return T


FACING, TURNED = np.eye(3), [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]

# The UR5 of the book: link frames at the centres of mass, published masses and lengths.
UR5_M = [
    pose(FACING, (0, 0, 0.089159)),
    pose(TURNED, (0.28, 0.13585, 0)),
    pose(FACING, (0, -0.1197, 0.395)),
    pose(TURNED, (0, 0, 0.14225)),
    pose(FACING, (0, 0.093, 0)),
    pose(FACING, (0, 0, 0.09465)),
    pose([[1, 0, 0], [0, 0, 1], [0, -1, 0]], (0, 0.0823, 0)),
]
UR5_G = [
    np.diag((*moments, mass, mass, mass))
    for *moments, mass in (
        (0.010267495893, 0.010267495893, 0.00666, 3.7),
        (0.22689067591, 0.22689067591, 0.0151074, 8.393),
        (0.049443313556, 0.049443313556, 0.004095, 2.275),
        (0.111172755531, 0.111172755531, 0.21942, 1.219),
        (0.111172755531, 0.111172755531, 0.21942, 1.219),
        (0.0171364731454, 0.0171364731454, 0.033822, 0.1879),
    )
]
UR5_S = np.array(
    [
        (0, 0, 1, 0, 0, 0),
        (0, 1, 0, -0.089159, 0, 0),
        (0, 1, 0, -0.089159, 0, 0.425),
        (0, 1, 0, -0.089159, 0, 0.81725),
        (0, 0, -1, -0.10915, 0.81725, 0),
        (0, 1, 0, 0.005491, 0, 0.81725),
    ]
).T
UR5 = (UR5_M, UR5_G, UR5_S)

# Three links with axes that are no unit screws: the example in the documentation of
# modern_robotics, with the torques it prints.
THREE = (
    [*UR5_M[:3], pose(FACING, (0, 0, 0.14225))],
    [
        np.diag((0.010267, 0.010267, 0.00666, 3.7, 3.7, 3.7)),
        np.diag((0.22689, 0.22689, 0.0151074, 8.393, 8.393, 8.393)),
        np.diag((0.0494433, 0.0494433, 0.004095, 2.275, 2.275, 2.275)),
    ],
    np.array([(1, 0, 1, 0, 1, 0), (0, 1, 0, -0.089, 0, 0), (0, 1, 0, -0.089, 0, 0.425)]).T,
)

HELICAL = ("revolute", "prismatic", "helical")
SCREWS = {
    "ur5": UR5,
    "three": THREE,
    "random_6": screws(random_robot(60, 6)),
    "random_7_helical": screws(random_robot(61, 7, kinds=HELICAL)),
    "random_4_slides": screws(random_robot(62, 4, kinds=("prismatic", "revolute"))),
}
GRAVITY = (0.5, -1.0, -9.8)


@pytest.mark.parametrize("name", SCREWS)
def test_screws_agree_with_modern_robotics(name):
    """Robots given as (M, G, S) lists have the torques, forces, mass matrix and accelerations of
    the book's own package, the wrench at the tip included."""
    mr, lists = peer("modern_robotics"), SCREWS[name]
    arm = ma.Robot.from_screws(*lists).with_gravity(GRAVITY)
    rng, g = np.random.default_rng(7), np.array(GRAVITY)
    for _ in range(STATES):
        (q, qd, qdd), wrench = random_state(rng, arm.n), rng.uniform(-5, 5, size=6)
        tau = mr.InverseDynamics(q, qd, qdd, g, wrench, *lists)
        assert error(arm.inverse_dynamics(q, qd, qdd, tip_wrench=wrench), tau) <= CLOSE
        M = mr.MassMatrix(q, *lists)
        assert error(arm.mass_matrix(q), M) <= CLOSE
        assert error(arm.gravity_forces(q), mr.GravityForces(q, g, *lists)) <= CLOSE
        quadratic = mr.VelQuadraticForces(q, qd, *lists)
        assert error(arm.coriolis_forces(q, qd), quadratic) <= CLOSE
        assert error(arm.tip_forces(q, wrench), mr.EndEffectorForces(q, wrench, *lists)) <= CLOSE
        expected = mr.ForwardDynamics(q, qd, tau, g, wrench, *lists)
        found = arm.forward_dynamics(q, qd, tau, tip_wrench=wrench)
        assert error(found, expected) <= acceleration_limit(M)


@pytest.mark.parametrize("name", ["random_6", "random_7_helical", "random_4_slides"])
def test_the_oracle_agrees_with_modern_robotics(name):
    """The oracle's torques, mass matrix and screw lists are consistent with modern_robotics to
    1e-13, helical joints included."""
    mr, lists = peer("modern_robotics"), SCREWS[name]
    robot = {
        "random_6": random_robot(60, 6),
        "random_7_helical": random_robot(61, 7, kinds=HELICAL),
        "random_4_slides": random_robot(62, 4, kinds=("prismatic", "revolute")),
    }[name]
    ours, tip = Dynamics(robot, FLOAT), robot.leaves[0]
    rng, g = np.random.default_rng(8), np.array(robot.gravity)
    (q, qd, qdd), wrench = random_state(rng, robot.n), rng.uniform(-5, 5, size=6)
    found = ours.inverse_dynamics(q, qd, qdd, tip, wrench)
    assert error(found, mr.InverseDynamics(q, qd, qdd, g, wrench, *lists)) < 1e-13
    assert error(ours.mass_matrix(q), mr.MassMatrix(q, *lists)) < 1e-13
    home = functools.reduce(np.matmul, lists[0])
    assert error(ours.forward_kinematics(q, tip), mr.FKinSpace(home, lists[2], q)) < 1e-13
    assert error(ours.jacobian(q, tip, "space"), mr.JacobianSpace(lists[2], q)) < 1e-13


def test_the_printed_example_of_modern_robotics():
    """The three-link example of modern_robotics' documentation gives the torques printed there."""
    arm = ma.Robot.from_screws(*THREE).with_gravity((0, 0, -9.8))
    q, qd, qdd = np.full(3, 0.1), np.array([0.1, 0.2, 0.3]), np.array([2.0, 1.5, 1.0])
    tau = arm.inverse_dynamics(q, qd, qdd, tip_wrench=np.ones(6))
    np.testing.assert_allclose(tau, [74.69616155, -33.06766016, -3.23057314], atol=5e-9)


# --- Robotics Toolbox ---


def check_toolbox(arm, theirs, seed):
    rng = np.random.default_rng(seed)
    for _ in range(STATES):
        q, qd, qdd = random_state(rng, arm.n)
        tau = np.asarray(theirs.rne(q, qd, qdd)).ravel()
        M = np.asarray(theirs.inertia(q))
        assert error(arm.inverse_dynamics(q, qd, qdd), tau) <= CLOSE
        assert error(arm.mass_matrix(q), M) <= CLOSE
        assert error(arm.gravity_forces(q), np.asarray(theirs.gravload(q)).ravel()) <= CLOSE
        assert error(arm.forward_kinematics(q)[:3, :3], theirs.fkine(q).R) <= CLOSE
        expected = np.asarray(theirs.accel(q, qd, tau)).ravel()
        assert error(arm.forward_dynamics(q, qd, tau), expected) <= acceleration_limit(M)


def test_puma_agrees_with_the_robotics_toolbox():
    """The bundled PUMA 560 has the torques, mass matrix, gravity load and hand orientation of Corke
    and Armstrong's published model in the Robotics Toolbox."""
    theirs = ideal_toolbox_robot(peer("roboticstoolbox").models.DH.Puma560())
    check_toolbox(ma.robots.puma560().ideal, theirs, 3)


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize("seed", range(3))
def test_dh_tables_agree_with_the_robotics_toolbox(convention, seed):
    """Random Denavit-Hartenberg tables give the torques, mass matrix, gravity load, accelerations
    and hand orientation of the Robotics Toolbox, by the convention named."""
    rows = random_dh(70 + seed, 6)
    arm = ma.Robot.from_dh(rows, convention=convention)
    check_toolbox(arm, toolbox_robot(rows, convention), seed)


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize("seed", range(3))
def test_the_oracle_agrees_with_the_robotics_toolbox(convention, seed):
    """The oracle's reading of a Denavit-Hartenberg table gives the Toolbox's torques, mass matrix
    and gravity load to 1e-13."""
    rows = random_dh(70 + seed, 6)
    ours, theirs = Dynamics(dh_robot(rows, convention), FLOAT), toolbox_robot(rows, convention)
    q, qd, qdd = random_state(np.random.default_rng(seed), 6)
    expected = np.asarray(theirs.rne(q, qd, qdd)).ravel()
    assert error(ours.inverse_dynamics(q, qd, qdd), expected) < 1e-13
    assert error(floats(ours.mass_matrix(q)), np.asarray(theirs.inertia(q))) < 1e-13
    assert error(ours.gravity_forces(q), np.asarray(theirs.gravload(q)).ravel()) < 1e-13
