"""Repaired copies: what changes is listed, lawful and minimal; everything else stays as it was."""

import itertools
import json
import math
import re

import numpy as np
import pytest

import momentarm as ma
from doctor.material import ELBOW, SOUND, UPPER, changed, diagonal, native, robot
from momentarm import RobotFileError, formats
from momentarm.cli import main
from momentarm.doctor import mending, repair
from momentarm.model.soundness import principal_moments
from momentarm.spatial import Sym3

ROUNDED = diagonal(0.011, 0.012, 0.024)  # 0.0115 + 0.0125 = 0.024: rounding alone
DIRTY = [
    ("0 1.5707963267948966 0", "0 1.5708 0"),
    ("0 0 0.3", "-3.1416 0 0.3"),
    (UPPER, ROUNDED),
    ('<axis xyz="0 1 0"/>', "<axis xyz='0 2 0'/>"),
    (ELBOW, 'upper = "-2.5"\n lower="2.5" effort="30" velocity="3"'),
    ('lower="-1.5" upper="1.5"', 'lower="-85" upper="170"'),
]
CHANGES = 9  # two rpy, ixx and iyy, an axis, two pairs of limits
FIXABLE = {"angle-rounded", "inertia-triangle", "axis-not-unit", "limit-degrees", "limits-order"}


def mended(text, name="arm.urdf"):
    return mending.mended_urdf(text.encode(), name)


def test_repaired_text_checks_clean_and_says_every_change():
    """The repaired URDF has none of the mendable findings, and a second repair changes nothing."""
    text, changes = mended(changed(SOUND, DIRTY))
    assert {c.code for c in changes} == FIXABLE
    assert robot(text.decode()).check().problems == ()
    assert mending.mended_urdf(text, "arm.urdf") == (text, ())


def test_all_but_the_listed_numbers_stays_byte_for_byte():
    """Putting the old words back at the changed places gives the file that was repaired."""
    dirty = changed(SOUND, DIRTY)
    text, changes = mended(dirty)
    written = text.decode()
    assert len(changes) == CHANGES
    for change in changes:
        line, attribute = int(change.where.split(":")[1]), change.what.split()[-1]
        lines = written.splitlines(keepends=True)
        head, rest = "".join(lines[: line - 1]), "".join(lines[line - 1 :])
        at = re.search(rf"\b{attribute}\s*=\s*[\"']{re.escape(change.after)}", rest).end()
        written = head + rest[: at - len(change.after)] + change.before + rest[at:]
    assert written == dirty


def test_white_space_between_numbers_stays():
    """Of three numbers the rounded one is mended; tab, spaces and line end around them stay."""
    dirty = changed(SOUND, [("0 1.5707963267948966 0", " 0\t1.5708\n  0")])
    text, (change,) = mended(dirty)
    assert (change.before, change.after) == ("0 1.5708 0", "0 1.5707963267948966 0")
    assert text.decode() == dirty.replace("1.5708", "1.5707963267948966")


def test_the_repaired_robot_is_otherwise_the_same():
    """Masses and poses of the repaired robot are the dirty one's within what rounding had moved."""
    dirty = changed(SOUND, [d for d in DIRTY if "upper =" not in d[1] and "85" not in d[1]])
    before, after = robot(dirty), robot(mended(dirty)[0].decode())
    q = before.random_q(3, 20)
    np.testing.assert_allclose(after.mass_matrix(q), before.mass_matrix(q), atol=1e-3)
    np.testing.assert_allclose(after.link_poses(q), before.link_poses(q), atol=2e-5)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_survive(codec, end):
    """Umlauts before and on the lines of mended numbers, in any encoding, stay as they are."""
    head = {"latin-1": "ISO-8859-1", "cp1252": "windows-1252"}.get(codec, "UTF-8")
    dirty = changed(SOUND, [*DIRTY, ('<?xml version="1.0"?>', f'<?xml version="1.0" '
                                     f'encoding="{head}"?><!-- Prüfling -->')])  # fmt: skip
    dirty = dirty.replace("    <axis xyz='0 2 0'/>", "<!-- ö --><axis xyz='0 2 0'/><!-- ü -->")
    raw = dirty.replace("\n", end).encode(codec)
    text, changes = mending.mended_urdf(raw, "arm.urdf")
    assert len(changes) == CHANGES
    assert text.count(end.encode()) == raw.count(end.encode())
    assert "<!-- ö --><axis xyz='0 1 0'/><!-- ü -->" in text.decode(codec)
    plain_text, _ = mended(changed(SOUND, DIRTY))
    assert formats.loads(text, "urdf")[0] == formats.loads(plain_text, "urdf")[0]


def test_what_is_not_plainly_written_is_left():
    """A number spelt with a character reference is not changed, and not listed as changed."""
    dirty = changed(SOUND, [('<axis xyz="0 1 0"/>', '<axis xyz="0 &#50; 0"/>')])
    assert mended(dirty) == (dirty.encode(), ())


def test_unknown_encoding_is_refused():
    """A text that claims an encoding it does not have is refused as `encoding`."""
    with pytest.raises(RobotFileError) as e:
        mending.mended_urdf(SOUND.encode().replace(b'version="1.0"', b'version="1.0" encoding='
                                                   b'"klingon"'), "arm.urdf")  # fmt: skip
    assert {p.code for p in e.value.problems} <= {"encoding", "xml"}


@pytest.mark.parametrize("bad", [
    diagonal(0.01, 0.01, 0.05), diagonal(-0.001, 0.02, 0.02), diagonal(1, 1, 2.5),
    diagonal(0.1, 0.1, 0.3),
])  # fmt: skip
def test_an_inertia_that_is_wrong_by_more_than_rounding_stays(bad):
    """No inertia is invented: a tensor beyond its last digit, or by over five percent, is left."""
    dirty = changed(SOUND, [(UPPER, bad)])
    assert mended(dirty) == (dirty.encode(), ())


@pytest.mark.parametrize("seed", range(5))
def test_the_mended_inertia_is_the_nearest_lawful_one(seed):
    """No lawful tensor among thousands near the mended one has second moments nearer the given."""
    rng = np.random.default_rng(seed)
    A = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    I = (A @ np.diag([0.0110, 0.0120, 0.02304]) @ A.T).round(4)
    given = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    found = repair.inertia(given)
    if found is None:
        assert _least(given) >= -1e-6
        return
    a, b, c = principal_moments(Sym3(*found))
    assert 0 <= a + b - c <= 1e-5 * c
    best = np.linalg.norm(_second(found) - _second(given))
    for _ in range(2000):
        other = np.array(found) + rng.normal(size=6) * 10 ** rng.uniform(-8, -4)
        if np.linalg.eigvalsh(_second(other))[0] >= 0:
            assert np.linalg.norm(_second(other) - _second(given)) >= best - 1e-7


def _second(I):
    xx, yy, zz, xy, xz, yz = I
    M = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.trace(M) / 2 * np.eye(3) - M


def _least(I):
    return float(np.linalg.eigvalsh(_second(I))[0])


@pytest.mark.parametrize("limits, mendable", [
    ((-170, 170), True), ((0, 90), True), ((-100, 100), False), ((-1000, 1000), False),
    ((-6.28, 6.28), False), ((-25, 33.3), False), ((-1e16, 1e16), False), ((-720, 720), True),
])  # fmt: skip
def test_limits_become_radians_only_beyond_doubt(limits, mendable):
    """Round numbers above three turns become radians; bounds like ±100 and odd numbers stay."""
    found = repair.limits("revolute", *limits)
    assert found == (tuple(map(math.radians, limits)) if mendable else None)
    assert repair.limits("prismatic", *limits) is None


@pytest.mark.parametrize("a", [1.5708, -1.57, 3.14159, 3.1416, 4.712, -6.2832, 6.283185])
def test_quarter_turns_are_those_of_the_reader(a):
    """A mended angle is the multiple of pi/2 nearest to it, which the reader takes as exact."""
    exact = repair.quarter_turn(a)
    assert exact == round(a / (math.pi / 2)) * math.pi / 2
    assert repair.quarter_turn(exact) is None


def test_native_text_is_mended_as_urdf_is():
    """The same faults in native text give the same robot as mending the URDF does, to an ulp."""
    text = native([])
    clean, _ = formats.loads(text, "toml")
    dirty = re.sub(r"axis = .*", "axis = [0, 3, 0]", text, count=1)
    dirty = re.sub(r"limits = \{ lower = -2.5, upper = 2.5", "limits = { lower = 2.5, upper = -2.5",
                   dirty)  # fmt: skip
    assert dirty.count("lower = 2.5") == 1
    done, changes = mending.mended(dirty.encode(), "arm.toml", "toml", "toml")
    again, problems = formats.loads(done, "toml")
    assert {c.code for c in changes} >= {"limits-order"}
    assert problems == ()
    assert again.links[1].joint.limits == clean.links[1].joint.limits


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dirty.urdf").write_text(changed(SOUND, DIRTY))
    return tmp_path


def test_fix_writes_what_it_says(folder, capsys):
    """check --fix ends with 0 where nothing is left, lists the changes, and the copy loads."""
    assert main(["check", "dirty.urdf", "--fix", "clean.urdf"]) == 0
    said = capsys.readouterr()
    assert said.out.count("fixed[") == CHANGES
    assert "error[limits-order]" in said.out
    assert "clean.urdf: 9 changes; left: no problems" in said.err
    assert ma.load("clean.urdf").check().is_sound


def test_fix_to_native_text_is_the_same_robot(folder, capsys):
    """The copy as native text is the robot of the copy as URDF, bit for bit."""
    for out in ("clean.urdf", "clean.toml"):
        assert main(["check", "dirty.urdf", "--fix", out]) == 0
    assert ma.load("clean.urdf") == ma.load("clean.toml")
    capsys.readouterr()


def test_fix_takes_urdf_in_an_xml_file(folder, capsys):
    """A URDF that is called .xml is mended to the same bytes as one that is called .urdf."""
    (folder / "dirty.xml").write_bytes((folder / "dirty.urdf").read_bytes())
    for name in ("dirty.urdf", "dirty.xml"):
        assert main(["check", name, "--fix", name.replace("dirty", "clean")]) == 0
    assert (folder / "clean.xml").read_bytes() == (folder / "clean.urdf").read_bytes()
    capsys.readouterr()


@pytest.mark.parametrize("out", ["out.urdf", "out.toml", "out.mjcf"])
def test_mjcf_is_not_mended(out, folder, capsys):
    """check --fix of an MJCF, or to one, is a mistake of the command line; nothing is written."""
    (folder / "arm.xml").write_text("<mujoco><worldbody/></mujoco>")
    assert main(["check", "arm.xml", "--fix", out]) == 2
    assert not (folder / out).exists()
    assert "--fix" in capsys.readouterr().err


def test_fix_is_data_for_programs(folder, capsys):
    """With --json, standard output is the findings, the changes before and after, what is left."""
    assert main(["check", "dirty.urdf", "--fix", "clean.urdf", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["fix"]["written"] is True
    assert data["fix"]["left"] == []
    changes = [c for c in data["fix"]["changes"] if c["code"] == "limit-degrees"]
    assert [c["before"] for c in changes] == ["-85", "170"]
    assert "condition" in data["files"][0]


@pytest.mark.parametrize("arguments, code", [
    (["dirty.urdf", "--fix", "dirty.urdf"], 2), (["dirty.urdf", "--fix", "dirty.urdf", "--force"],
    2), (["dirty.urdf", "panda", "--fix", "out.urdf"], 2), (["panda", "--fix", "out.urdf"], 2),
    (["dirty.urdf", "--fix", "out.json"], 2), (["dirty.urdf", "--fix", "there.urdf"], 3),
    (["nothing.urdf", "--fix", "out.urdf"], 3),
    (["muj.xml", "--fix", "out.toml"], 2), (["muj.mjcf", "--fix", "out.urdf"], 2),
    (["dirty.urdf", "--fix", "out.urdf", "--cross"], 2),
])  # fmt: skip
def test_fix_replaces_nothing_unasked(arguments, code, folder, capsys):
    """Its own input, an existing file, two inputs, MJCF, no known format, a comparison besides:
    refused, nothing is written."""
    (folder / "there.urdf").write_text("mine")
    for name in ("muj.xml", "muj.mjcf"):
        (folder / name).write_text("<mujoco/>")
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    assert main(["check", *arguments]) == code
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before
    capsys.readouterr()


def test_fix_replaces_when_forced(folder, capsys):
    """With --force an existing file is replaced, whole."""
    (folder / "there.urdf").write_text("mine")
    assert main(["check", "dirty.urdf", "--fix", "there.urdf", "--force"]) == 0
    assert ma.load("there.urdf").n == 3
    capsys.readouterr()


def test_what_cannot_be_mended_is_not_written(folder, capsys):
    """A file with an error of another kind is reported, ends with 1, and leaves no copy."""
    (folder / "bad.urdf").write_text(changed(SOUND, [('child link="slide"', 'child link="slid"')]))
    assert main(["check", "bad.urdf", "--fix", "out.urdf"]) == 1
    assert "not written" in capsys.readouterr().err
    assert not (folder / "out.urdf").exists()


def test_the_exit_code_is_about_the_copy(folder, capsys):
    """With --strict, a warning that no repair takes away makes check --fix end with 1."""
    text = changed(SOUND, [*DIRTY, ('effort="40"', 'effort="0"')])
    (folder / "weak.urdf").write_text(text)
    codes = [main(["check", "weak.urdf", "--fix", f"{k}.urdf", *options])
             for k, options in enumerate(([], ["--strict"]))]  # fmt: skip
    assert codes == [0, 1]
    capsys.readouterr()


def test_every_combination_of_faults_is_mended():
    """Any subset of the six faults is mended to a robot without findings."""
    for count in range(len(DIRTY) + 1):
        for some in itertools.combinations(DIRTY, count):
            text, _ = mended(changed(SOUND, list(some)))
            assert robot(text.decode()).check().problems == ()
