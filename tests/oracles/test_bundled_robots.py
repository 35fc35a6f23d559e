"""The bundled robots against closed forms, the textbook oracle, and the files they came from.

The TOML is read here a second time, by a few lines that know nothing of the library's reader.
"""

import importlib.metadata
import math
import re
import tomllib
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest

import momentarm as ma
from oracles.descriptions import Body, Robot, random_state, read_urdf
from oracles.peers import Pinocchio, peer
from oracles.reference import Dynamics, error

NAMES = ma.robots.names()
TURNS = {"3.14159265359": repr(math.pi), "1.57079632679": repr(math.pi / 2)}


def table(name):
    return tomllib.loads(ma.robots.path(name).read_text(encoding="utf-8"))


def angle(value):
    """A number, "90 deg", "pi" or "-pi/2"."""
    if not isinstance(value, str):
        return float(value)
    if value.endswith("deg"):
        return float(value[:-3]) * math.pi / 180
    top, _, bottom = value.partition("/")
    return {"pi": math.pi, "-pi": -math.pi}[top] / float(bottom or 1)


def triple(values):
    x, y, z = (angle(value) for value in values)
    return x, y, z


def body(link, parent, joint=None):
    xx, yy, zz, xy, xz, yz = (float(x) for x in link.get("inertia", [0] * 6))
    found = Body(
        link["name"],
        parent,
        mass=float(link.get("mass", 0)),
        com=triple(link.get("com", (0, 0, 0))),
        inertia=(xx, xy, xz, yy, yz, zz),
    )
    if joint is None:
        return found
    kind = {"continuous": "revolute"}.get(joint["type"], joint["type"])
    return replace(
        found,
        joint=joint["name"],
        kind=kind,
        rpy=triple(joint.get("rpy", (0, 0, 0))),
        xyz=triple(joint.get("xyz", (0, 0, 0))),
        axis=triple(joint.get("axis", (0, 0, 1))),
    )


def oracle(name):
    """The robot of a native file, depth-first; its extra frames are bodies without mass, last."""
    file = table(name)
    links = {link["name"]: link for link in file["link"]}
    bodies = [body(links[file["base"]], -1)]
    waiting = [(0, joint) for joint in reversed(file["joint"]) if joint["parent"] == file["base"]]
    while waiting:
        parent, joint = waiting.pop()
        found = body(links[joint["child"]], parent, joint)
        if "mimic" in joint:
            leader = [other.joint for other in bodies].index(joint["mimic"]["joint"])
            law = (leader, float(joint["mimic"]["ratio"]), float(joint["mimic"]["offset"]))
            found = replace(found, mimic=law)
        bodies.append(found)
        here = len(bodies) - 1
        waiting += [(here, j) for j in reversed(file["joint"]) if j["parent"] == joint["child"]]
    for frame in file.get("frame", ()):
        parent = [other.name for other in bodies].index(frame["parent"])
        place = {"xyz": frame["xyz"], "rpy": frame.get("rpy", (0, 0, 0))}
        place = {key: triple(value) for key, value in place.items()}
        bodies.append(Body(frame["name"], parent, joint=f"to {frame['name']}", **place))
    return Robot(name, tuple(bodies), triple(file.get("gravity", (0, 0, -9.81))))


def state(name, n):
    return random_state(np.random.default_rng([ord(letter) for letter in name]), n)


def near(found, expected, tolerance=1e-12):
    """Largest difference over largest expected magnitude."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    assert found.shape == expected.shape
    difference = np.max(np.abs(found - expected))
    return difference <= tolerance * max(np.max(np.abs(expected)), 1e-300)


# --- all of them ---


@pytest.mark.parametrize("name", NAMES)
def test_says_where_its_numbers_come_from(name):
    """Every bundled robot has a description, a source and a licence, and stands in the README."""
    file = table(name)
    assert file["format"] == "momentarm robot 1"
    assert file["name"] == name
    assert all(file[key].strip() for key in ("description", "source", "license"))
    readme = ma.robots.path(name).with_name("README.md").read_text(encoding="utf-8")
    assert f"| `{name}` | {oracle(name).n} |" in readme


@pytest.mark.parametrize("name", NAMES)
def test_bodies_are_physical(name):
    """No link of a bundled robot has negative mass or moments that no mass distribution has."""
    for link in table(name)["link"]:
        xx, yy, zz, xy, xz, yz = link.get("inertia", [0] * 6)
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=float)
        spread = np.trace(tensor) / 2 * np.eye(3) - tensor  # second moments about the centre
        assert link.get("mass", 0) >= 0
        assert np.min(np.linalg.eigvalsh(spread)) >= -1e-12 * np.trace(spread)


@pytest.mark.parametrize("name", NAMES)
def test_loads_without_warnings(name):
    """Every bundled robot loads without a warning, with the joints of its file in file order."""
    arm = getattr(ma.robots, name)()
    assert not arm.warnings
    assert list(arm.joint_names) == oracle(name).joint_names
    assert arm.n == oracle(name).n


@pytest.mark.parametrize("name", NAMES)
def test_dynamics_of_its_numbers(name):
    """τ and M of every bundled robot without friction are Newton's and Euler's for its TOML numbers
    read apart, to 1e-13 of the largest element, and M is positive definite."""
    arm, dynamics = getattr(ma.robots, name)().ideal, Dynamics(oracle(name))
    q, qd, qdd = state(name, arm.n)
    tau, M = arm.inverse_dynamics(q, qd, qdd), arm.mass_matrix(q)
    assert error(tau, dynamics.inverse_dynamics(q, qd, qdd)) <= 1e-13
    assert error(M, dynamics.mass_matrix(q)) <= 1e-13
    assert np.min(np.linalg.eigvalsh(M)) > 0


@pytest.mark.parametrize("name", [name for name in NAMES if "tip" in table(name)])
def test_tip_is_where_the_file_says(name):
    """The default frame of forward kinematics is the tip named in the file, placed as the oracle
    places it."""
    arm, dynamics = getattr(ma.robots, name)(), Dynamics(oracle(name))
    q, _, _ = state(name, arm.n)
    pose = dynamics.forward_kinematics(q, table(name)["tip"])
    assert error(arm.forward_kinematics(q), pose) <= 1e-14


def test_unknown_name_is_answered_with_the_nearest():
    """A misspelt robot is an AttributeError, or a ValueError of path, that names the right one."""
    with pytest.raises(AttributeError, match="did you mean 'puma560'"):
        _ = ma.robots.puma650
    with pytest.raises(ValueError, match="did you mean 'panda'"):
        ma.robots.path("pandas")
    assert set(NAMES) < set(dir(ma.robots))


# --- closed forms ---


def test_planar_2r_has_the_numbers_of_the_book():
    """The planar 2R has M = [[3,1],[1,1]] at 90° (S1), [[1.2679492,0.1339746],[0.1339746,1]] at
    150° (S2), and the gravity forces of (8.10) with L = m = 1, g = 9.81 along −y."""
    arm, (q, _, _) = ma.robots.planar_2r(), state("planar_2r", 2)
    M = arm.mass_matrix(np.array([[0.3, math.pi / 2], [-1.0, math.radians(150)]]))
    assert near(M[0], [[3, 1], [1, 1]])
    assert near(M[1], [[1.2679492, 0.1339746], [0.1339746, 1]], 5e-8)
    c1, c12 = math.cos(q[0]), math.cos(q[0] + q[1])
    assert near(arm.gravity_forces(q), [9.81 * (2 * c1 + c12), 9.81 * c12])


def test_cart_pole_equations():
    """The cart-pole obeys (M+m)ẍ + ml(θ̈ cosθ − θ̇² sinθ) = F, 4/3 ml²θ̈ + ml(ẍ cosθ − g sinθ) = 0
    with M = 1, m = 0.1, l = 0.5, g = 9.8."""
    q, qd, qdd = state("cart_pole", 2)
    s, c, m, l = math.sin(q[1]), math.cos(q[1]), 0.1, 0.5
    force = 1.1 * qdd[0] + m * l * (qdd[1] * c - qd[1] ** 2 * s)
    torque = 4 / 3 * m * l**2 * qdd[1] + m * l * (qdd[0] * c - 9.8 * s)
    assert near(ma.robots.cart_pole().inverse_dynamics(q, qd, qdd), [force, torque])


def test_furuta_at_rest():
    """At θ1 = θ2 = π/4 and rest the Furuta pendulum needs τ = (0, −10√2) when upright at zero, and
    M = [[11, −√2], [−√2, 6]] (exercise 8.4, numbers as printed there)."""
    arm, q, zero = ma.robots.furuta(), np.full(2, math.pi / 4), np.zeros(2)
    root = math.sqrt(2)
    assert near(arm.inverse_dynamics(q, zero, zero), [0, -10 * root])
    assert near(arm.mass_matrix(q), [[11, -root], [-root, 6]])


def test_scara_weight_rests_on_the_slide():
    """Gravity loads no joint of the SCARA but the slide, which carries the 2 kg beyond it."""
    arm = ma.robots.scara()
    assert near(arm.gravity_forces(state("scara", 4)[0]), [0, 0, 2 * 9.81, 0])


def test_gripper_fingers_share_a_coordinate():
    """The gripper has three coordinates, and its third one moves two fingers of 0.05 kg each."""
    arm = ma.robots.gripper()
    assert arm.n == 3
    assert abs(arm.mass_matrix(state("gripper", 3)[0])[2, 2] - 0.1) <= 1e-15


def test_two_arms_are_mirror_images():
    """Mirroring a motion of two_arms in the plane y = 0 mirrors its torques: left and right change
    places, the waist changes sign."""
    arm = ma.robots.two_arms()
    swap = np.zeros((7, 7))
    swap[0, 0] = -1
    swap[1:4, 4:7] = swap[4:7, 1:4] = np.eye(3)
    motion = state("two_arms", 7)
    mirrored = (swap @ x for x in motion)
    assert near(arm.inverse_dynamics(*mirrored), swap @ arm.inverse_dynamics(*motion))


# --- the files and tables they came from ---


def example_robot(end):
    (file,) = (f for f in importlib.metadata.files("example-robot-data") if str(f).endswith(end))
    return file.locate().read_text(encoding="utf-8")


def with_exact_quarter_turns(text):
    """URDF with its decimals of pi and pi/2 at full length."""
    return re.sub(rf"({'|'.join(TURNS)})(?![0-9])", lambda match: TURNS[match[0]], text)


def with_fixed(text, names):
    """URDF with some of its joints fixed at zero."""
    root = ElementTree.fromstring(text)
    for joint in (joint for joint in root.iter("joint") if joint.get("name") in names):
        joint.set("type", "fixed")
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
    return ElementTree.tostring(root, encoding="unicode")


def same_as_pinocchio(arm, text):
    pinocchio, motion = Pinocchio(text, read_urdf(text)), state("urdf", arm.n)
    tau, M = pinocchio.inverse_dynamics(*motion), pinocchio.mass_matrix(motion[0])
    return near(arm.inverse_dynamics(*motion), tau) and near(arm.mass_matrix(motion[0]), M)


@pytest.mark.peers
def test_panda_is_the_franka_urdf():
    """τ and M of the bundled Panda are Pinocchio's for panda.urdf of example-robot-data with the
    fingers fixed at zero, to 1e-12."""
    text = example_robot("panda_description/urdf/panda.urdf")
    text = with_fixed(text, ["panda_finger_joint1", "panda_finger_joint2"])
    assert same_as_pinocchio(ma.robots.panda().ideal, text)


@pytest.mark.peers
def test_ur5_is_the_ros_urdf():
    """τ and M of the bundled UR5 are Pinocchio's for ur5_robot.urdf of example-robot-data with its
    quarter turns made exact, to 1e-12."""
    text = with_exact_quarter_turns(example_robot("ur_description/urdf/ur5_robot.urdf"))
    assert same_as_pinocchio(ma.robots.ur5().ideal, text)


@pytest.mark.peers
def test_puma560_motors_are_the_toolbox_motors():
    """Armature, damping and friction of the bundled PUMA 560 are G² Jm, G² B and |G| times the mean
    Coulomb value of the Robotics Toolbox's Puma560, to six digits."""
    links = peer("roboticstoolbox").models.DH.Puma560().links
    for joint, link in zip(table("puma560")["joint"], links, strict=True):
        G, (forth, back) = abs(link.G), np.abs(link.Tc)
        at_joint = {"armature": G**2 * link.Jm, "damping": G**2 * link.B}
        at_joint["friction"] = G * (forth + back) / 2
        for term, value in at_joint.items():
            assert joint[term] == pytest.approx(value, rel=5e-6), (joint["name"], term)


STANFORD = (  # DH row; mass, centre of mass, moments about the DH origin
    ({"d": 0.412, "alpha": -math.pi / 2}, 9.29, (0, 0.0175, -0.1105), (0.276, 0.255, 0.071)),
    ({"d": 0.154, "alpha": math.pi / 2}, 5.01, (0, -0.1054, 0), (0.108, 0.018, 0.100)),
    ({"theta": -math.pi / 2}, 4.25, (0, 0, -0.6447), (2.51, 2.51, 0.006)),
    ({"alpha": -math.pi / 2}, 1.08, (0, 0.0092, -0.0054), (0.002, 0.001, 0.001)),
    ({"alpha": math.pi / 2}, 0.63, (0, 0, 0.0566), (0.003, 0.003, 0.0004)),
    ({"d": 0}, 0.51, (0, 0, 0.1554), (0.013, 0.013, 0.0003)),
)


@pytest.mark.peers
def test_stanford_is_its_table():
    """τ, M and the tip of the bundled Stanford arm are the Robotics Toolbox's for its DH table, the
    moments about DH origins moved to the centres of mass by Steiner's theorem, to 1e-12."""
    rtb, links = peer("roboticstoolbox"), []
    for row, mass, centre, moments in STANFORD:
        r = np.array(centre, dtype=float)
        I = np.diag(moments) - mass * (r @ r * np.eye(3) - np.outer(r, r))
        kind = rtb.PrismaticDH if "theta" in row else rtb.RevoluteDH
        links.append(kind(m=mass, r=r, I=I, **row))
    toolbox = rtb.DHRobot(links, tool=peer("spatialmath").SE3(0, 0, 0.263))
    arm, motion = ma.robots.stanford().ideal, state("stanford", 6)
    assert near(arm.inverse_dynamics(*motion), toolbox.rne(*motion))
    assert near(arm.mass_matrix(motion[0]), toolbox.inertia(motion[0]))
    assert near(arm.forward_kinematics(motion[0]), toolbox.fkine(motion[0]).A)
