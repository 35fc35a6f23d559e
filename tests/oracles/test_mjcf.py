"""MJCF read through the library against MuJoCo's own dynamics of the same text."""

import random
import re
import struct

import numpy as np
import pytest

import momentarm as ma
import momentarm.formats as formats
from oracles.mjcf import Peer, random_mjcf
from oracles.peers import CLOSE, acceleration_limit, peer
from oracles.reference import error

pytestmark = pytest.mark.peers

HINGE = '<joint name="{0}" axis="0 1 0"/><inertial mass="1" pos="0 0 0.1" diaginertia="1 1 1"/>'


def loaded(text):
    return ma.Robot(*formats.loads(text, "mjcf", "robot.xml"))


def codes(arm):
    return [problem.code for problem in arm.warnings]


def mujoco_text(inside, before="", after=""):
    return f"<mujoco>\n{before}\n<worldbody>\n{inside}\n</worldbody>\n{after}\n</mujoco>"


def one_body(extra="", joint="", before="", after=""):
    body = (f'<body name="b"><joint name="j" {joint}/>'
            f'<inertial mass="1" pos="0.1 0 0" diaginertia="1 1 1"/>{extra}</body>')
    return mujoco_text(body, before, after)


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_random_mjcf_has_the_dynamics_of_mujoco(seed, floating):
    """Random MJCF texts of all joint types, anchors, references and shapes give MuJoCo's mass
    matrix and torques to 1e-12 and its accelerations within the condition of M."""
    text = random_mjcf(seed, floating=floating, degrees=seed % 2 == 0)
    arm, theirs = loaded(text), Peer.of(text)
    order, rng = arm.order_for(theirs.model), np.random.default_rng(seed)
    q = arm.random_q(rng)
    qd, qdd = rng.uniform(-1, 1, (2, arm.n))
    there, rates = order.q_to(q), order.v_to(q, qd)
    M = order.M_from(q, theirs.mass_matrix(there))
    assert error(arm.mass_matrix(q), M) < CLOSE
    tau = theirs.inverse_dynamics(there, rates, order.a_to(q, qd, qdd))
    assert error(arm.inverse_dynamics(q, qd, qdd), order.tau_from(q, tau)) < CLOSE
    found = order.a_from(q, qd, theirs.forward_dynamics(there, rates, tau))
    limit = acceleration_limit(M) * (1 + np.linalg.norm(tau))
    assert error(arm.forward_dynamics(q, qd, order.tau_from(q, tau)), found) < limit


@pytest.mark.parametrize("seed", range(4))
def test_bodies_and_sites_are_where_mujoco_has_them(seed):
    """Every body and site of a random MJCF text is a frame with MuJoCo's pose, to 1e-12."""
    text = random_mjcf(seed, floating=seed % 2 == 1)
    arm, theirs = loaded(text), Peer.of(text)
    q = arm.random_q(seed)
    there = arm.order_for(theirs.model).q_to(q)
    for kind, count in (("body", 6), ("site", 6)):
        for i in range(count):
            name = f"{kind[0]}{i}"
            found = arm.forward_kinematics(q, frame=name)
            assert np.abs(found - theirs.pose(kind, name, there)).max() < CLOSE


def test_several_joints_of_a_body_move_it_in_the_order_of_the_file():
    """A body with a slide and two hinges is three links, two of them massless and called as the
    joints, and q is qpos, whatever the references."""
    joints = ('<joint name="x" type="slide" axis="1 0 0" ref="0.5"/>'
              '<joint name="y" axis="0 1 0" pos="0.1 0 0"/><joint name="z" pos="0 0.2 0"/>')
    text = mujoco_text(f'<body name="b" pos="1 2 3">{joints}<geom size="0.1"/></body>')
    arm, theirs = loaded(text), Peer.of(text)
    assert arm.joint_names == ("x", "y", "z")
    assert [link.name for link in arm.mechanism.links] == ["x", "y", "b"]
    q = np.array([0.7, 0.3, -0.4])
    assert np.array_equal(arm.order_for(theirs.model).q_to(q), q)
    assert np.abs(arm.forward_kinematics(q, frame="b") - theirs.pose("body", "b", q)).max() < CLOSE


@pytest.mark.parametrize("reference", [0.0, 0.2])
def test_linear_equalities_of_joints_are_mimics(reference):
    """Joints that follow another by linear equalities, directly or not, have the position and,
    with G the derivative of MuJoCo's constraint, the mass matrix Gᵀ M G."""
    inner = f'<body name="c">{HINGE.format("c")}</body>'
    inner = f'<body name="b" pos="0 0 0.3">{HINGE.format("b")}{inner}</body>'
    text = mujoco_text(
        f'<body name="a">{HINGE.format("a")}{inner}</body>'.replace(
            'name="a" axis', f'name="a" ref="{reference}" axis'),
        '<compiler angle="radian"/>',
        '<equality><joint joint1="c" joint2="b" polycoef="0.1 -2 0 0 0"/>'
        '<joint joint1="b" joint2="a" polycoef="0.3 0.5 0 0 0"/></equality>',
    )  # fmt: skip
    arm, theirs = loaded(text), Peer.of(text)
    assert arm.joint_names == ("a",)
    b = 0.3 + 0.5 * (0.7 - reference)
    there = np.array([0.7, b, 0.1 - 2 * b])
    order, G = arm.order_for(theirs.model), np.array([[1.0], [0.5], [-1.0]])
    assert np.abs(order.q_to([0.7]) - there).max() < 1e-15
    assert error(arm.mass_matrix([0.7]), G.T @ theirs.mass_matrix(there) @ G) < CLOSE


def test_meshes_are_not_needed_where_inertias_are_given():
    """A file whose mesh, texture, height field and skin files do not exist loads, because its body
    has an inertial; the body's mass is that one."""
    assets = ('<asset><mesh name="m" file="no.stl"/><texture name="t" type="2d" file="no.png"/>'
              '<material name="k" texture="t"/><hfield name="h" file="no.png" '
              'size="1 1 1 1"/></asset>')
    shapes = '<geom type="mesh" mesh="m" material="k"/>'
    text = one_body(shapes, before=assets)
    assert loaded(text).mechanism.links[0].inertia.m == 1
    with pytest.raises(ValueError, match=r"no\.stl"):
        Peer.of(text)


def tetrahedron(scale=1):
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32) * scale
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    triangles = b"".join(np.float32([[0, 0, 0], *corners[list(f)]]).tobytes() + b"\0\0"
                         for f in faces)
    return bytes(80) + struct.pack("<I", 4) + triangles


def test_meshes_are_read_where_inertia_is_theirs(tmp_path):
    """A body without inertial has the mass of its mesh; without the file, the problem names the
    mesh, its place and the remedy."""
    assets = '<compiler meshdir="../meshes"/><asset><mesh name="m" file="m.stl"/></asset>'
    text = mujoco_text('<body name="b"><joint/><geom type="mesh" mesh="m"/></body>', assets)
    (tmp_path / "robot").mkdir()
    (tmp_path / "meshes").mkdir()
    file = tmp_path / "robot" / "robot.xml"
    file.write_text(text)
    with pytest.raises(ma.RobotFileError) as e:
        ma.load(file)
    (problem,) = e.value.problems
    assert (problem.code, problem.where) == ("mesh-missing", f"{file}:2:39")
    assert "m.stl" in problem.message
    assert "<inertial>" in problem.hint
    (tmp_path / "meshes" / "m.stl").write_bytes(tetrahedron())
    assert ma.load(file).mechanism.links[0].inertia.m == pytest.approx(1000 / 6, rel=1e-6)


def test_meshes_of_one_name_in_two_folders_are_two_meshes(tmp_path):
    """Two meshes whose files have the same name in different folders give each body its own mass,
    and a geometry may call a mesh by the name of its file."""
    for folder, scale in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.stl").write_bytes(tetrahedron(scale))
    assets = '<asset><mesh file="a/m.stl"/><mesh name="n" file="b/m.stl"/></asset>'
    shapes = ('<body><joint/><geom type="mesh" mesh="m"/><body><joint/>'
              '<geom type="mesh" mesh="n"/></body></body>')
    (tmp_path / "robot.xml").write_text(mujoco_text(shapes, assets))
    masses = [link.inertia.m for link in ma.load(tmp_path / "robot.xml").mechanism.links]
    assert masses == pytest.approx([1000 / 6, 8000 / 6], rel=1e-6)


def test_points_of_a_flex_move_without_elasticity():
    """A flex loads as its free points, with a warning that names what is lost."""
    flex = ('<flexcomp name="f" type="grid" count="2 2 1" spacing="0.1 0.1 0.1" dim="2" mass="1">'
            '<edge equality="true"/></flexcomp>')
    arm = loaded(mujoco_text(flex))
    assert arm.n == 12
    assert "flex-ignored" in codes(arm)


def test_unnamed_bodies_and_joints_get_names():
    """Bodies without names are numbered, their joints called as they are, and the order for the
    compiled model of the same text finds each of them."""
    inner = '<body name="j"><joint/><joint type="slide"/><geom size="1"/></body>'
    text = mujoco_text(f'<body><joint/><geom size="1"/>{inner}</body>')
    arm, theirs = loaded(text), Peer.of(text)
    assert arm.joint_names == ("body1", "j.1", "j.2")
    assert arm.order_for(theirs.model).q_to([1, 2, 3]).tolist() == [1, 2, 3]


WARNED = {
    "spring-ignored": {"joint": 'stiffness="3" springref="10"'},
    "damping-ignored": {"joint": 'damping="1 2"'},
    "gravcomp-ignored": {"extra": '<body gravcomp="1"><geom size="0.1"/></body>'},
    "fluid-ignored": {"before": '<option density="1.2"/>'},
    "tendon-ignored": {"after": '<tendon><fixed stiffness="2"><joint joint="j" coef="1"/></fixed>'
                                "</tendon>"},
    "equality-ignored": {"after": '<equality><connect body1="b" anchor="0 0 0"/></equality>'},
    "ignored": {"after": '<actuator><motor joint="j"/></actuator>'},
    "mujoco-says": {"before": '<compiler settotalmass="3"/>'},
}  # fmt: skip


@pytest.mark.parametrize("code", WARNED)
def test_what_is_left_out_is_a_warning(code):
    """Springs, curved damping, compensated gravity, fluids, tendons with physics, loops, actuators
    and what MuJoCo itself warns of are each a warning of their own code, and errors when strict."""
    text = one_body(**WARNED[code])
    assert code in codes(loaded(text))
    with pytest.raises(ma.RobotFileError, match=code):
        formats.loads(text, "mjcf", strict=True)


def test_armature_and_damping_of_actuators_come_through_their_gears():
    """What actuators have on a joint, gear squared, is in the robot's mass matrix and torques as it
    is in MuJoCo's; on a tendon it is a warning."""
    after = ('<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon><actuator>'
             '<motor joint="j" gear="3" armature="0.1" damping="0.2"/>'
             '<motor joint="j" gear="-2" armature="0.5"/></actuator>')  # fmt: skip
    text = one_body(joint='armature="0.01" damping="0.3"', after=after)
    arm, theirs = loaded(text), Peer.of(text)
    assert error(arm.mass_matrix([0.3]), theirs.mass_matrix([0.3])) < CLOSE
    tau = theirs.inverse_dynamics([0.3], [0.7], [0.2])
    assert error(arm.inverse_dynamics([0.3], [0.7], [0.2]), tau) < CLOSE
    assert "actuator-ignored" not in codes(arm)
    on_tendon = text.replace('joint="j" gear="-2"', 'tendon="t" gear="-2"')
    assert "actuator-ignored" in codes(loaded(on_tendon))


def test_a_free_joint_loses_its_drive_with_a_warning():
    """Damping and armature that a default class gives a free joint are named in a warning; a plain
    robot of hinges has none."""
    joint = '<joint name="j" type="free" damping="2" armature="0.5"/>'
    arm = loaded(mujoco_text(f'<body>{joint}<geom size="0.1" contype="0" conaffinity="0"/></body>'))
    assert codes(arm) == ["drive-ignored"]
    assert "armature 0.5, damping 2" in arm.warnings[0].message
    assert codes(loaded(one_body())) == []


@pytest.mark.parametrize("equality", [
    '<joint joint1="b" joint2="a" polycoef="0 1 1 0 0"/>',
    '<joint joint1="b"/>',
    '<joint joint1="b" joint2="a"/><joint joint1="a" joint2="b"/>',
])  # fmt: skip
def test_equalities_that_are_no_mimics_are_warnings(equality):
    """A curved equality, one that holds a joint and one that closes a ring are warnings; those that
    are not active are nothing."""
    text = mujoco_text(f'<body>{HINGE.format("a")}<body>{HINGE.format("b")}</body></body>',
                       after=f"<equality>{equality}</equality>")
    assert codes(loaded(text)) == ["equality-ignored"]
    off = text.replace("joint1", 'active="false" joint1')
    assert codes(loaded(off)) == []


def test_dry_friction_damping_armature_limits_and_gravity_are_carried_over():
    """The numbers of a hinge and the gravity of <option> are the robot's, degrees as radians."""
    joint = ('damping="0.5" armature="0.2" frictionloss="0.3" range="-90 45" '
             'actuatorfrcrange="-7 5" axis="0 2 0"')
    arm = loaded(one_body(joint=joint, before='<option gravity="1 2 3"/>'))
    hinge = arm.mechanism.links[0].joint
    drive = hinge.actuator
    assert (drive.damping, drive.armature, drive.friction) == (0.5, 0.2, 0.3)
    limits = (hinge.limits.lower, hinge.limits.upper, hinge.limits.effort)
    assert limits == pytest.approx((-np.pi / 2, np.pi / 4, 7), rel=1e-15)
    assert arm.gravity.tolist() == [1, 2, 3]
    off = '<option gravity="1 2 3"><flag gravity="disable"/></option>'
    assert loaded(one_body(before=off)).gravity.tolist() == [0, 0, 0]


def test_includes_are_read_from_the_robots_folders(tmp_path):
    """Parts in the folder and beside it are read, in the places of the elements that include them;
    a problem in a part names the part's line."""
    (tmp_path / "robot").mkdir()
    (tmp_path / "parts").mkdir()
    part = '<mujocoinclude>\n<geom size="0.1"/>\n<include file="inner.xml"/></mujocoinclude>'
    (tmp_path / "parts" / "body.xml").write_text(part)
    inner = tmp_path / "parts" / "inner.xml"
    inner.write_text('<mujoco>\n<joint name="turn"/></mujoco>')
    file = tmp_path / "robot" / "robot.xml"
    file.write_text(mujoco_text('<body name="b"><include file="../parts/body.xml"/></body>'))
    assert ma.load(file).joint_names == ("turn",)
    inner.write_text('<mujoco>\n<joint name="turn" type="hing"/></mujoco>')
    with pytest.raises(ma.RobotFileError, match=r"inner\.xml:2:1: error\[mujoco\]: .*'hing'"):
        ma.load(file)


def test_a_compiled_model_is_the_same_robot():
    """Robot.from_mujoco of the model that MuJoCo compiles of a text is the robot of that text."""
    text = random_mjcf(3)
    arm = ma.Robot.from_mujoco(peer("mujoco").MjModel.from_xml_string(text))
    assert arm.name == "random 3"
    assert arm == loaded(text)


@pytest.mark.parametrize("seed", range(3))
def test_mjcf_round_trips_through_native_text(seed):
    """A robot from MJCF, saved as native TOML and read again, is the same bit for bit."""
    mechanism, _ = formats.loads(random_mjcf(seed, floating=seed == 1), "mjcf")
    again, problems = formats.loads(formats.dumps(mechanism), "toml")
    assert again == mechanism
    assert problems == ()


def test_quarter_turns_are_exact():
    """Quaternions and Euler angles of quarter turns give rotations of 0 and ±1; rounded ones do so
    when angles are snapped, with a warning."""
    def placement(turn, **options):
        text = mujoco_text(f'<body {turn}><joint/><geom size="0.1"/></body>')
        mechanism, problems = formats.loads(text, "mjcf", **options)
        exact = all(x in (0, 1, -1) for row in mechanism.links[0].placement.R.matrix for x in row)
        return exact, [p.code for p in problems]

    for turn in ('euler="90 0 -90"', 'quat="0.5 -0.5 0.5 0.5"', 'quat="1 1 0 0"'):
        assert placement(turn) == (True, ["ignored"])
    rounded = 'axisangle="1 0 0 90.0001"'
    assert placement(rounded)[0] is False
    assert placement(rounded, snap_angles=True) == (True, ["ignored", "angle-snapped"])


@pytest.mark.parametrize("inside, code", [
    ('<body><joint/><geom size="nan"/></body>', "number"),
    ('<body><joint/><geom size="1"/><include file="part.xml"/></body>', "include"),
])  # fmt: skip
def test_what_mujoco_would_open_or_log_is_refused(inside, code, tmp_path):
    """A nan, and in an included part too an element other than a mesh or a picture that names a
    file, are refused before MuJoCo sees them."""
    (tmp_path / "part.xml").write_text('<x><flexcomp name="f" type="mesh" file="a.obj"/></x>')
    file = tmp_path / "robot.xml"
    file.write_text(mujoco_text(inside))
    with pytest.raises(ma.RobotFileError) as e:
        ma.load(file)
    assert [problem.code for problem in e.value.problems] == [code]


def test_mujoco_writes_no_log(tmp_path, monkeypatch):
    """Reading a file of which MuJoCo warns leaves nothing in the working directory."""
    monkeypatch.chdir(tmp_path)
    loaded(one_body(before='<compiler settotalmass="3"/>'))
    assert list(tmp_path.iterdir()) == []


WORDS = ("nan", "-1", "0", "1e300", "", "1 2 3", "0 0 0", "mesh", "ball", "free", "auto", "plane")
TAGS = ("body", "joint", "geom", "site", "inertial", "freejoint", "include", "frame", "tendon")
DAMAGE = ((r'(?<==")[^"]*', WORDS), (r"(?<=<)\w+(?=[^<>]*/>)", TAGS))


@pytest.mark.parametrize("seed", range(40))
def test_damaged_mjcf_is_read_or_explained(seed):
    """A text with attributes or elements replaced at random loads, or is refused by RobotFileError
    with a place for each problem, and by nothing else."""
    rng = random.Random(seed)
    for _ in range(5):
        text = random_mjcf(rng.randrange(50), floating=rng.random() < 0.5)
        for _ in range(rng.randint(1, 3)):
            pattern, words = rng.choice(DAMAGE)
            place = rng.choice(list(re.finditer(pattern, text)))
            text = text[: place.start()] + rng.choice(words) + text[place.end() :]
        try:
            _, problems = formats.loads(text, "mjcf", "robot.xml")
        except ma.RobotFileError as refusal:
            problems = refusal.problems
            assert problems
        assert all(re.fullmatch(r"robot\.xml:\d+:\d+", problem.where) for problem in problems)
