"""What is decided about MJCF before MuJoCo is asked; none of it needs the package."""

import sys

import pytest

import momentarm as ma
import momentarm.formats as formats
from momentarm.formats import xml_format
from momentarm.formats.includes import Folder, whole
from momentarm.formats.xml import parse
from momentarm.model.problem import Problems, RobotFileError

MODEL = '<mujoco><worldbody><body name="a"><joint/><geom size="1"/></body></worldbody></mujoco>'


def problem_of(text, name="robot.xml", format="mjcf"):
    with pytest.raises(RobotFileError) as e:
        formats.loads(text, format, name)
    return e.value.problems[-1]


@pytest.mark.parametrize("text, format", [
    (b"<mujoco/>", "mjcf"),
    (b"<mujoco model='a'><worldbody/></mujoco>", "mjcf"),
    (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <robot> -->\n <mujoco>", "mjcf"),
    (b"<mujocoinclude/>", "mjcf"),
    (b"<robot><mujoco/></robot>", "urdf"),
    (b"<!-- <mujoco> --><robot/>", "urdf"),
    (b"<mujocos/>", "urdf"),
    (b"<!-- a -->" * 10_000 + b"<robot/>", "urdf"),
    (b"", "urdf"),
])  # fmt: skip
def test_the_root_element_decides(text, format):
    """XML text is MJCF where its root element is <mujoco> or <mujocoinclude>, whatever comments and
    declarations come before, and else URDF."""
    assert xml_format(text) == format


def test_suffixes_of_mjcf(tmp_path, monkeypatch):
    """A .xml file with the root <mujoco> and a .mjcf file are read as MJCF, a .xml file with the
    root <robot> as URDF; without the package the two ask for the extra, the URDF loads."""
    monkeypatch.setitem(sys.modules, "mujoco", None)
    for name, text in (("a.xml", MODEL), ("a.mjcf", MODEL)):
        (tmp_path / name).write_text(text)
        with pytest.raises(RobotFileError, match=r"pip install momentarm\[mujoco\]"):
            ma.load(tmp_path / name)
    (tmp_path / "b.xml").write_text('<robot name="r"><link name="a"/></robot>')
    assert ma.load(tmp_path / "b.xml").name == "r"


def test_without_mujoco_the_extra_is_named(monkeypatch):
    """Where the package cannot be imported, the problem has its code, the root's place and the
    command that installs it."""
    monkeypatch.setitem(sys.modules, "mujoco", None)
    problem = problem_of(MODEL)
    assert (problem.code, problem.where) == ("mujoco-missing", "robot.xml:1:1")
    assert problem.hint == "pip install momentarm[mujoco]"


@pytest.mark.parametrize("text, code, where", [
    ("<!DOCTYPE mujoco><mujoco/>", "doctype", "robot.xml:1:17"),
    ("<mujoco>\n<worldbody></mujoco>", "xml", "robot.xml:2:14"),
    ("<robot/>", "root", "robot.xml:1:1"),
    ("\n<mujocoinclude/>", "root", "robot.xml:2:1"),
    ('<mujoco model="${name}"/>', "xacro", "robot.xml:1:1"),
    ("<mujoco>" + "<body>" * 300 + "</body>" * 300 + "</mujoco>", "too-deep", "robot.xml:1:1209"),
])  # fmt: skip
def test_texts_that_are_refused_before_mujoco_sees_them(text, code, where, monkeypatch):
    """DOCTYPE, broken XML, other roots, xacro and too deep nesting are problems with a place,
    whether MuJoCo is installed or not."""
    monkeypatch.setitem(sys.modules, "mujoco", None)
    problem = problem_of(text)
    assert (problem.code, problem.where) == (code, where)


def read_whole(file):
    problems = Problems(str(file))
    return whole(parse(file.read_bytes(), problems), Folder(str(file)), problems)


def test_includes_are_put_in_place(tmp_path):
    """The whole text has the included elements where the include stood, one a line, and each line
    the file, line and column in which its element stands."""
    (tmp_path / "part.xml").write_text('<x>\n<a n="&lt;&quot;"/><b><c/></b></x>')
    file = tmp_path / "robot.xml"
    file.write_text('<mujoco>\n  <include file="part.xml"/>\n<d/></mujoco>')
    source = read_whole(file)
    assert source.text.split("\n") == ["<mujoco>", "<a n='&lt;\"'></a>", "<b>", "<c></c></b>",
                                       "<d></d></mujoco>"]  # fmt: skip
    places = [element.where.removeprefix(str(tmp_path)) for element in source.elements]
    assert places == ["/robot.xml:1:1", "/part.xml:2:1", "/part.xml:2:20", "/part.xml:2:23",
                      "/robot.xml:3:1"]  # fmt: skip
    assert source.place(4) == source.elements[3].where


REFUSED = {
    "absent.xml": "which is not there",
    "/etc/hostname": "from its own folder",
    "http://example.org/a.xml": "from its own folder",
    "../../secret.xml": "lies outside",
    "robot.xml": "more than 100 files",
}


@pytest.mark.parametrize("name", REFUSED)
def test_includes_that_are_refused(name, tmp_path):
    """A part that is absent, absolute, an address, outside the robot's folders, or the file itself
    is refused in the include's place."""
    (tmp_path / "secret.xml").write_text("<secret/>")
    folder = tmp_path / "robots" / "arm"
    folder.mkdir(parents=True)
    file = folder / "robot.xml"
    file.write_text(f'<mujoco>\n<include file="{name}"/></mujoco>')
    with pytest.raises(RobotFileError, match=REFUSED[name]) as e:
        read_whole(file)
    assert e.value.problems[0].where == f"{file}:2:1"


def test_a_link_out_of_the_folders_is_refused(tmp_path):
    """A symbolic link that leads out of the robot's folders does not carry an include with it."""
    folder = tmp_path / "robots" / "arm"
    folder.mkdir(parents=True)
    (tmp_path / "secret.xml").write_text("<secret/>")
    (folder / "part.xml").symlink_to(tmp_path / "secret.xml")
    (folder / "robot.xml").write_text('<mujoco><include file="part.xml"/></mujoco>')
    with pytest.raises(RobotFileError, match="lies outside"):
        read_whole(folder / "robot.xml")


def test_text_alone_includes_nothing():
    """Text that is no file has no folder, so that its includes are refused."""
    problems = Problems("<mjcf>")
    root = parse('<mujoco><include file="a.xml"/></mujoco>', problems)
    with pytest.raises(RobotFileError, match="without a folder"):
        whole(root, Folder("<mjcf>"), problems)
