"""What the doctor finds in ill robots, and that sound ones are left in peace."""

import json
import math
import pickle
import re
from importlib.metadata import files
from pathlib import Path

import numpy as np
import pytest

import momentarm as ma
from doctor.material import NATIVE, SOUND, URDF, cases, changed, codes, native, robot
from momentarm.doctor import condition, mending
from momentarm.model.joints import JOINT_TYPES

CASES = cases()
UNREAD = ("alex_psyonic_hands.urdf", "ur3.urdf")  # these have errors
MEANT = {"panda": {"home-outside"}, "stanford": {"home-outside"}, "cart_pole": {
    "inertia-placeholder"}, "seven_r": {"inertia-placeholder"}, "two_arms": {
    "inertia-placeholder"}}  # fmt: skip
UNITS = {"length-large", "inertia-large", "com-far", "limit-degrees", "angle-degrees",
         "gravity-size", "gravity-up", "limit-negative"}  # fmt: skip


def test_ill_robots_get_their_stored_report(golden):
    """Every ill robot of the table gets exactly its stored findings, with place, number and fix."""
    found = [f"# {name}\n{chr(10).join(map(str, arm.check()))}\n" for name, arm in CASES.items()]
    golden("doctor.txt", "\n".join(found))


def test_every_code_of_the_doctor_has_its_patient():
    """Every code that stands in the doctor's sources is found in a robot of the table."""
    found = {p.code for arm in CASES.values() for p in arm.check()}
    assert codes("doctor") - {"encoding"} <= found  # of a repair: see test_repair


def test_a_sound_robot_has_no_findings():
    """The robot that the table makes ill has no finding, read from URDF and from native text."""
    for text, name in ((SOUND, "arm.urdf"), (native([]), "arm.toml")):
        report = robot(text, name).check()
        assert report.problems == ()
        assert report.is_sound
        assert report.summary == "no problems"


@pytest.mark.parametrize("name", ma.robots.names())
def test_bundled_robots_are_sound(name):
    """A bundled robot has no error and no warning, and no note but those known to be true."""
    report = getattr(ma.robots, name)().check()
    assert report.is_sound
    assert set(report.codes) == MEANT.get(name, set())


@pytest.mark.parametrize("name", [*URDF, *NATIVE])
def test_findings_have_a_place_in_the_file(name):
    """A finding about a link or joint of a file names file, line and column, where a tag stands."""
    text = native(NATIVE[name]) if name in NATIVE else changed(SOUND, URDF[name])
    for problem in CASES[name].check():
        if problem.where.startswith("robot "):
            continue
        file, line, column = problem.where.rsplit(":", 2)
        assert file == ("arm.toml" if name in NATIVE else "arm.urdf")
        assert text.splitlines()[int(line) - 1][int(column) - 1 :].strip()


def test_without_a_file_the_part_is_named():
    """A pickled robot keeps all findings but on its file's digits, links and joints as places."""
    lasting = codes("doctor") - {"angles-cost"}
    for arm in CASES.values():
        again = pickle.loads(pickle.dumps(arm)).check()
        own = [p for p in arm.check() if p.code in lasting]
        kept = [p for p in again if p.code in lasting]
        assert {p.code for p in own} == {p.code for p in kept}
        assert all(re.match(r"(link|joint|robot) '|.*:\d+:\d+$", p.where) for p in kept)


def test_the_same_robot_has_the_same_report():
    """Two checks of a robot give equal reports, the condition of M to the last bit."""
    for arm in (CASES["two joints on one axis"], ma.robots.panda()):
        assert arm.check() == arm.check()


def test_strict_makes_warnings_errors_and_leaves_notes():
    """With strict, each warning is an error of the same text and each note stays a note."""
    arm = CASES["denser than osmium"]
    plain, strict = arm.check(), arm.check(strict=True)
    turned = {"warning": "error", "note": "note"}
    assert [turned[p.severity] for p in plain] == [p.severity for p in strict]
    assert [p.message for p in plain] == [p.message for p in strict]


def test_a_report_is_data():
    """A report is JSON with code, severity, where, message, hint, found and expected of each."""
    report = CASES["limits in degrees"].check()
    data = json.loads(json.dumps(report.as_dict()))
    (problem,) = data["problems"]
    assert set(problem) == {"code", "severity", "where", "message", "hint", "found", "expected"}
    assert problem["found"] == 170
    assert problem["expected"] == "-2.967 and 2.967"
    assert data["condition"]["number"] == report.condition.number
    assert len(report) == 1 == len(list(report))


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_no_body_is_denser_than_osmium(factor):
    """A ball of osmium by I = 2/5 m R² and m = 4/3 π ρ R³ passes; a little smaller, it is found."""
    R = 0.05
    m, I = 4 / 3 * math.pi * 22_590 * R**3, f"{2 / 5 * 4 / 3 * math.pi * 22_590 * R**5 * factor}"
    text = changed(SOUND, [('mass value="1.2"', f'mass value="{m}"'), (
        'ixx="0.001" ixy="0" ixz="0" iyy="0.006" iyz="0" izz="0.0065"',
        f'ixx="{I}" ixy="0" ixz="0" iyy="{I}" iyz="0" izz="{I}"')])  # fmt: skip
    assert ("inertia-dense" in robot(text).check().codes) == (factor < 1)


def test_the_condition_is_that_of_the_closed_form():
    """κ of the planar 2R arm is that of its closed-form M at the same states, diagonal scaled."""
    arm = ma.robots.planar_2r()
    states = [arm.q_home, *arm.random_q(0, 32)]
    numbers = []
    for _, b in states:
        c = math.cos(b)
        M = np.array([[3 + 2 * c, 1 + c], [1 + c, 1]])
        d = 1 / np.sqrt(np.diag(M))
        numbers.append(np.linalg.cond(M * np.outer(d, d)))
    assert arm.check().condition.number == pytest.approx(max(numbers), rel=1e-9)


def test_the_condition_does_not_depend_on_units():
    """With lengths in millimetres and inertias to match, κ and its joint are the same."""
    number = r'"(-?[\d.e-]+)"'
    scaled = re.sub(rf"(i[xyz][xyz])={number}", lambda m: f'{m[1]}="{float(m[2]) * 1e6!r}"', SOUND)
    scaled = re.sub(r'xyz="([^"]+)"/?(?=[ />])', _in_mm, scaled)
    scaled = scaled.replace('upper="0.2"', 'upper="200"')
    a, b = robot(SOUND).check().condition, robot(scaled).check().condition
    assert b.number == pytest.approx(a.number, rel=1e-9)
    assert b.joint == a.joint


def _in_mm(m):
    values = [float(x) for x in m[1].split()]
    is_axis = sorted(map(abs, values)) == [0, 0, 1]
    return m[0] if is_axis else m[0].replace(m[1], " ".join(repr(x * 1000) for x in values))


def test_forward_dynamics_is_as_good_as_the_condition_says():
    """Without gravity, q̈ of a well- and an ill-conditioned robot is off by at most 10 κ ε."""
    for name in ("two joints on one axis", "rounded rpy"):
        arm = CASES[name].ideal.with_gravity([0, 0, 0])
        expected, q = arm.check().condition, arm.random_q(1, 20)
        qdd = np.random.default_rng(2).normal(size=(20, arm.n))
        found = arm.forward_dynamics(q, 0 * qdd, arm.inverse_dynamics(q, 0 * qdd, qdd))
        size = np.sqrt(np.einsum("kii->ki", arm.mass_matrix(q)))  # the scale of each joint
        off = np.linalg.norm(size * (found - qdd), axis=1) / np.linalg.norm(size * qdd, axis=1)
        assert off.max() <= 10 * expected.error


def test_every_joint_type_is_judged_by_its_units():
    """Each rate of each joint type of the table is in radians or metres as its axis says."""
    arm = ma.robots.two_arms()
    assert condition._units(arm.mechanism) == ["rad"] * arm.n
    assert condition._units(ma.robots.stanford().mechanism)[2] == "m"
    for name, kind in JOINT_TYPES.items():
        if kind.parts or name == "fixed":
            continue
        units = ["rad" if any(S.ang) else "m" for S in kind.row(0).axes()]
        assert len(units) == len(kind.row(0).v_names)


def paths():
    try:
        found = files("example-robot-data") or []
    except ModuleNotFoundError:
        return []
    return sorted((Path(f.locate()) for f in found if f.suffix == ".urdf"), key=lambda p: p.name)


@pytest.mark.peers
@pytest.mark.parametrize("path", paths(), ids=lambda p: p.name)
def test_real_robots_are_mended(path):
    """A mended real URDF has no rounded angle left, is at rest, and moves its links by no 4 mm."""
    if path.name in UNREAD:
        return
    text, changes = mending.mended_urdf(path.read_bytes(), path.name)
    arm, again = ma.load(path), robot(text.decode(), path.name)
    assert mending.mended_urdf(text, path.name) == (text, ())
    assert not {"angle-rounded", "angles-cost", "axis-not-unit"} & set(again.check().codes)
    assert bool(changes) == ("angle-rounded" in arm.check().codes)
    q = arm.random_q(0, 5)
    np.testing.assert_allclose(again.link_poses(q), arm.link_poses(q), atol=4e-3)


@pytest.mark.peers
@pytest.mark.parametrize("path", paths(), ids=lambda p: p.name)
def test_real_robots_are_not_suspected_of_wrong_units(path):
    """No real URDF, all of them being in SI units, is suspected of another unit."""
    if path.name in UNREAD:
        return
    assert not UNITS & set(ma.load(path).check().codes)
