"""Broken and dirty files: each gives its stored text, or loads with its stored warning."""

import json
import pickle

import pytest

import momentarm.formats as formats
from formats.material import ARM, NATIVE, attempt, chain, changed
from momentarm.formats import RobotFileError

UPPER_INERTIA = 'ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.025"'
LIMIT = '<limit lower="-1" upper="1" effort="10" velocity="2"/>'
TOOL = '<link name="tool"/>'

URDF = {  # name: (what is replaced, by what)
    "cut off in the middle": (ARM[len(ARM) // 2:], ""),
    "wrong closing tag": ("</inertial>", "</inertia>"),
    "doctype": ('<robot name="arm">', '<!DOCTYPE robot [<!ENTITY a "b">]><robot name="arm">'),
    "other root": ('<robot name="arm">', '<mujoco><robot name="arm">'),
    "xacro number": ('value="2.5"', 'value="${m}"'),
    "xacro macro": (TOOL, '<xacro:link name="tool"/>'),
    "decimal comma": ('value="2.5"', 'value="2,5"'),
    "nan": ('value="2.5"', 'value="nan"'),
    "infinite": ('value="2.5"', 'value="-inf"'),
    "overflow": ('value="2.5"', 'value="1e400"'),
    "hexadecimal": ('value="2.5"', 'value="0x10"'),
    "underscore": ('value="2.5"', 'value="2_5"'),
    "empty number": ('value="2.5"', 'value=""'),
    "absurd size": ('value="2.5"', 'value="1e200"'),
    "angle as text": ('rpy="0.1 0.2 0.3"', 'rpy="0.1 pi/2 0.3"'),
    "comma between numbers": ('xyz="0.3 0 0"', 'xyz="0.3, 0, 0"'),
    "text for an attribute": ('<mass value="2.5"/>', "<mass>2.5</mass>"),
    "ampersand": ('name="elbow"', 'name="el&bow"'),
    "blank line before all": ("<?xml", "\n<?xml"),
    "no XML": ("<?xml", "version 1 <?xml"),
    "SDF": ('<robot name="arm">', '<sdf><robot name="arm">'),
    "two of three": ('xyz="0.1 0 0.02"', 'xyz="0.1 0"'),
    "four of three": ('xyz="0 0 0.4"', 'xyz="0 0 0.4 0"'),
    "two links of one name": (TOOL, TOOL + '<link name="upper"/>'),
    "two joints of one name": ('name="elbow"', 'name="shoulder"'),
    "link without a name": (TOOL, TOOL + "<link/>"),
    "joint without a name": ('joint name="elbow" ', "joint "),
    "joint without a type": (' type="continuous"', ""),
    "unknown parent": ('<parent link="upper"/>', '<parent link="uper"/>'),
    "unknown child": ('<child link="lower"/>', '<child link="forearm"/>'),
    "no parent element": ('<parent link="upper"/>', ""),
    "parent without link": ('<parent link="upper"/>', '<parent name="upper"/>'),
    "two parents": ('<parent link="lower"/>\n    <child link="slide"/>',
                    '<parent link="slide"/>\n    <child link="lower"/>'),
    "cycle": ('<parent link="base"/>', '<parent link="slide"/>'),
    "its own parent": ('<parent link="slide"/>', '<parent link="tool"/>'),
    "two roots": (TOOL, TOOL + '<link name="camera"/>'),
    "no link": (ARM[ARM.index("  <link"):], "</robot>"),
    "unknown type": ('type="continuous"', 'type="revolut"'),
    "helical": ('type="continuous"', 'type="helical"'),
    "mimic of several": ('joint name="shoulder" type="revolute"',
                         'joint name="shoulder" type="floating"'),
    "zero axis": ('xyz="0 1 0"', 'xyz="0 0 0"'),
    "lower above upper": ('lower="-1" upper="1"', 'lower="1" upper="-1"'),
    "negative mass": ('value="2.5"', 'value="-2.5"'),
    "negative damping": ('damping="0.1"', 'damping="-0.1"'),
    "negative friction": ('friction="0.2"', 'friction="-0.2"'),
    "inertial without mass": ('<mass value="2.5"/>', ""),
    "inertia without iyy": (' iyy="0.03"', ""),
    "mimic of nothing": ('mimic joint="shoulder"', 'mimic joint="sholder"'),
    "mimic of itself": ('mimic joint="shoulder"', 'mimic joint="extend"'),
    "mimic of a fixed joint": ('mimic joint="shoulder"', 'mimic joint="mount"'),
    "mimics in a ring": ('<axis xyz="0.6 0 0.8"/>', '<mimic joint="extend"/>'),
    "triangle broken": (UPPER_INERTIA, 'ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.05"'),
    "moment negative": ('ixy="0.001"', 'ixy="0.05"'),
    "axis not unit": ('xyz="0.6 0 0.8"', 'xyz="3 0 4"'),
    "no limit": (LIMIT, ""),
    "moving link without inertial": ('<parent link="base"/>', '<parent link="stem"/>'),
    "massless mover": ('<mass value="0.5"/>', '<mass value="0"/>'),
    "misspelt element": ("<dynamics damping", "<dynamic damping"),
    "misspelt attribute": ('friction="0.2"', 'fricton="0.2"'),
    "two origins": ('<axis xyz="0 1 0"/>', '<origin xyz="1 1 1"/><axis xyz="0 1 0"/>'),
    "gear": ("</robot>", '<transmission><actuator name="m"><mechanicalReduction>160'
             "</mechanicalReduction></actuator></transmission></robot>"),
    "several faults at once": ('<mass value="1"/>\n      <inertia ixx="0.01"',
                               '<mass value="-1"/>\n      <inertia ixx="o.01"'),
}  # fmt: skip

MORE = {  # faults that need a second change
    "other root": ("</robot>", "</robot></mujoco>"),
    "SDF": ("</robot>", "</robot></sdf>"),
    "massless mover": ('<mimic joint="shoulder" multiplier="0.1" offset="0.05"/>', ""),
    "mimics in a ring": ('mimic joint="shoulder"', 'mimic joint="elbow"'),
    "moving link without inertial": (TOOL, TOOL + '<link name="stem"/><joint name="turn" '
                                     'type="continuous"><parent link="base"/>'
                                     '<child link="stem"/></joint>'),
    "several faults at once": ('xyz="0 1 0"', 'xyz="0 1"'),
}  # fmt: skip

TOML = {
    "not TOML": ("mass = 2.5", "mass = = 2.5"),
    "no mark": ('format = "momentarm robot 1"\n', ""),
    "other version": ("robot 1", "robot 9"),
    "misspelt key": ("damping = 0.1", "dampin = 0.1"),
    "unknown table": ("[[frame]]", "[[frames]]"),
    "number in quotes": ("mass = 2.5", 'mass = "2.5"'),
    "nan": ("mass = 2.5", "mass = nan"),
    "true": ("mass = 2.5", "mass = true"),
    "huge integer": ("mass = 2.5", "mass = 1" + "0" * 400),
    "short vector": ("com = [0.1, 0, 0.02]", "com = [0.1, 0]"),
    "no mass": ("mass = 2.5\n", ""),
    "no name": ('name = "shoulder"\n', ""),
    "no parent": ('parent = "base"\n', ""),
    "bad angle": ('"90 deg"', '"90 degrees"'),
    "zero division": ('"90 deg"', '"pi/0"'),
    "angle for a slide": ("axis = [1, 0, 0]", 'axis = [1, 0, 0]\nlimits = { upper = "90 deg" }'),
    "no rotation": ("[[1, 0, 0], [0, 1, 0]", "[[1, 0, 0], [0, 2, 0]"),
    "left-handed": ("[[1, 0, 0], [0, 1, 0]", "[[1, 0, 0], [0, -1, 0]"),
    "rpy and rotation": ("axis = [1, 0, 0]", "rpy = [0, 0, 0]"),
    "unknown tip": ('tip = "tool"', 'tip = "tol"'),
    "wrong base": ('tip = "tool"', 'base = "upper"'),
    "frame on nothing": ('parent = "slide"', 'parent = "slider"'),
    "frame named as a link": ('name = "tool"', 'name = "slide"'),
    "limits of another shape": ("{ lower", "[1, 2] # { lower"),
    "pitch of a hinge": ("damping = 0.1", "pitch = 0.1"),
    "unknown limit": ("lower = ", "low = "),
    "dh without convention": ("xyz = [0, 0, 0.4]\nrpy", "dh = { a = 1, d = 0.1 }\n#"),
    "dh beside xyz": ("rpy = [0", 'dh = { convention = "modified" } # [0'),
    "mimic without joint": ('mimic = { joint = "shoulder", ', "mimic = { "),
    "not a list": ("[[frame]]", "[frame]"),
}  # fmt: skip


def outcome(text, format, name):
    """The problems of a text, as lines."""
    mechanism, problems = attempt(text, format, name)
    assert all(p.where.startswith(name) and p.where.count(":") == 2 for p in problems)
    return "\n".join([*(["loads"] if mechanism else []), *(str(p) for p in problems)])


def urdf_case(name):
    text = changed(ARM, *URDF[name])
    return changed(text, *MORE[name]) if name in MORE else text


def test_urdf_texts_are_what_they_were(golden):
    """Every broken or dirty URDF of the table gives exactly its stored problems."""
    found = [f"# {name}\n{outcome(urdf_case(name), 'urdf', 'arm.urdf')}\n" for name in URDF]
    golden("broken_urdf.txt", "\n".join(found))


def test_native_texts_are_what_they_were(golden):
    """Every broken native file of the table gives exactly its stored problems."""
    found = [
        f"# {name}\n{outcome(changed(NATIVE, *TOML[name]), 'toml', 'arm.toml')}\n" for name in TOML
    ]
    golden("broken_toml.txt", "\n".join(found))


def test_sound_texts_have_no_problems():
    """The texts that the tables break are without any problem themselves."""
    assert formats.loads(ARM, "urdf")[1] == formats.loads(NATIVE, "toml")[1] == ()


@pytest.mark.parametrize("name", ["triangle broken", "no limit", "misspelt element"])
def test_strict_makes_warnings_errors(name):
    """What loads with a warning is refused with the same code when strict."""
    _, problems = formats.loads(urdf_case(name), "urdf")
    with pytest.raises(RobotFileError) as e:
        formats.loads(urdf_case(name), "urdf", strict=True)
    assert [p.code for p in e.value.problems] == [p.code for p in problems]
    assert {p.severity for p in e.value.problems} == {"error"}


def test_all_problems_at_once():
    """A file with three separate faults is refused once, with all three in the order of lines."""
    with pytest.raises(RobotFileError) as e:
        formats.loads(urdf_case("several faults at once"), "urdf", "arm.urdf")
    assert [p.code for p in e.value.problems] == ["mass-negative", "number", "number"]
    assert str(e.value).startswith("arm.urdf:13:7: error[mass-negative]: ")
    assert str(e.value).count("error[") == 3


def test_problem_as_data():
    """A problem is JSON by its fields, and its exception survives pickling."""
    with pytest.raises(RobotFileError) as e:
        formats.loads(urdf_case("negative mass"), "urdf", "arm.urdf")
    (problem,) = e.value.problems
    assert json.loads(json.dumps(problem.as_dict()))["code"] == "mass-negative"
    again = pickle.loads(pickle.dumps(e.value))
    assert (again.problems, str(again)) == (e.value.problems, str(e.value))


LIMITS = {
    "too-large": "<robot>" + "<link/>" * 20_001 + "</robot>",
    "too-deep": "<robot>" + "<visual>" * 300 + "</visual>" * 300 + "</robot>",
}


@pytest.mark.parametrize("code", LIMITS)
def test_limits_hold(code):
    """Too many elements and too deep nesting are refused by their code, with a place."""
    with pytest.raises(RobotFileError) as e:
        formats.loads(LIMITS[code], "urdf", "big.urdf")
    assert [p.code for p in e.value.problems] == [code]


def test_long_attribute_and_long_file_are_refused():
    """An attribute above 64 KB and a text above 32 MB are refused as too large."""
    for text in (f'<robot name="{"x" * 70_000}"/>', "<robot>" + " " * 2**25 + "</robot>"):
        with pytest.raises(RobotFileError) as e:
            formats.loads(text, "urdf")
        assert e.value.problems[0].code == "too-large"


def test_deep_toml_is_refused():
    """A TOML value nested a hundred thousand deep is a problem, not a crash."""
    with pytest.raises(RobotFileError) as e:
        formats.loads("a = " + "[" * 100_000, "toml")
    assert e.value.problems[0].code in ("too-deep", "toml")


@pytest.mark.parametrize("bomb", ["entity", "external"])
def test_entities_are_never_expanded(bomb):
    """An entity, internal or external, is refused before it is used."""
    entity = '"lol"' if bomb == "entity" else 'SYSTEM "file:///etc/hostname"'
    text = f'<!DOCTYPE robot [<!ENTITY a {entity}>]><robot><link name="&a;"/></robot>'
    with pytest.raises(RobotFileError) as e:
        formats.loads(text, "urdf")
    assert [p.code for p in e.value.problems] == ["doctype"]


def test_a_chain_of_a_thousand_links():
    """A thousand links in a chain load, in order, each on the one before."""
    mechanism, problems = formats.loads(chain(1000), "urdf")
    assert [link.parent for link in mechanism.links] == list(range(-1, 999))
    assert problems == ()


def test_mimic_of_a_mimic_is_composed():
    """A joint that mimics a mimic follows the leading joint by product and shifted offset."""
    mimic = '<mimic joint="extend" multiplier="3" offset="1"/>'
    text = changed(ARM, '<axis xyz="0.6 0 0.8"/>', mimic)
    mechanism, _ = formats.loads(text, "urdf")
    drive = mechanism.links[1].joint.drive
    assert (drive.joint, drive.ratio, drive.offset) == ("shoulder", 3 * 0.1, 3 * 0.05 + 1)
    assert mechanism.coordinates == ("shoulder",)


def chain_of_mimics(follow, n):
    """TOML of n joints one after another, joint k with the keys that `follow(k)` gives."""
    lines = ['format = "momentarm robot 1"', "[[link]]", 'name = "l0"']
    for k in range(n):
        lines += ["[[link]]", f'name = "l{k + 1}"', "[[joint]]", f'name = "j{k}"', follow(k),
                  'type = "continuous"', f'parent = "l{k}"', f'child = "l{k + 1}"']  # fmt: skip
    return "\n".join(lines)


def test_long_chains_of_mimics_are_composed():
    """Of 3000 joints, each -1 times the next plus one, joint k follows the last, geared one."""

    def follow(k):
        return (
            "ratio = 5"
            if k == 2999
            else f'mimic = {{ joint = "j{k + 1}", ratio = -1, offset = 1 }}'
        )

    mechanism, _ = formats.loads(chain_of_mimics(follow, 3000), "toml")
    drives = [link.joint.drive for link in mechanism.links]
    assert {(d.joint, d.ratio, d.offset) for d in drives[0::2]} == {("j2999", -1, 1)}
    assert {(d.joint, d.ratio, d.offset) for d in drives[1:-1:2]} == {("j2999", 1, 0)}
    assert (drives[-1].joint, drives[-1].ratio) == ("j2999", 5)


def test_a_long_ring_of_mimics_is_told_once():
    """A ring of 3000 mimics, with a tail that leads into it, is one problem."""

    def follow(k):
        return f'mimic = {{ joint = "j{(k + 1) % 3000 if k < 3000 else 7}" }}'

    with pytest.raises(formats.RobotFileError) as caught:
        formats.loads(chain_of_mimics(follow, 3002), "toml")
    assert [problem.code for problem in caught.value.problems] == ["mimic-cycle"]
    assert "'j0', 'j1', 'j2'" in str(caught.value)


@pytest.mark.parametrize("suffix", [".xacro", ".sdf", ""])
def test_unknown_suffix(tmp_path, suffix):
    """A file of another suffix is refused with the list of known ones, before it is opened."""
    with pytest.raises(RobotFileError, match=r"\.urdf, \.xml, \.mjcf, \.toml"):
        formats.load(tmp_path / f"robot{suffix}")


def test_bytes_of_other_encodings(tmp_path):
    """URDF in UTF-16 loads; TOML that is not UTF-8 is refused with its line."""
    (tmp_path / "a.urdf").write_bytes(ARM.replace("1.0", "1.0", 1).encode("utf-16"))
    assert formats.load(tmp_path / "a.urdf")[0].n == 2
    (tmp_path / "a.toml").write_bytes(b'format = "momentarm robot 1"\nname = "\xff"\n')
    with pytest.raises(RobotFileError, match=r"a\.toml:2:1: error\[encoding\]"):
        formats.load(tmp_path / "a.toml")
