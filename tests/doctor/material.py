"""A robot in good health, the ways to make it ill, and the codes that stand in the sources."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import momentarm as ma
from momentarm import formats

ROOT = Path(ma.__file__).parents[2]
SOUND = """\
<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="left_upper">
    <inertial>
      <origin xyz="0.15 0 0.01" rpy="0 0 0.1"/>
      <mass value="2.5"/>
      <inertia ixx="0.003" ixy="0.0001" ixz="0" iyy="0.021" iyz="0" izz="0.022"/>
    </inertial>
  </link>
  <link name="lower">
    <inertial>
      <origin xyz="0.1 0 0"/>
      <mass value="1.2"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.006" iyz="0" izz="0.0065"/>
    </inertial>
  </link>
  <link name="slide">
    <inertial>
      <origin xyz="0.02 0 0"/>
      <mass value="0.4"/>
      <inertia ixx="0.0004" ixy="0" ixz="0" iyy="0.0005" iyz="0" izz="0.0006"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 0.4" rpy="0 1.5707963267948966 0"/>
    <parent link="base"/>
    <child link="left_upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="60" velocity="3"/>
    <dynamics damping="0.5" friction="0.2"/>
  </joint>
  <joint name="elbow" type="revolute">
    <origin xyz="0.3 0 0" rpy="0 0 0.3"/>
    <parent link="left_upper"/>
    <child link="lower"/>
    <axis xyz="0 1 0"/>
    <limit lower="-2.5" upper="2.5" effort="30" velocity="3"/>
  </joint>
  <joint name="extend" type="prismatic">
    <origin xyz="0.2 0 0"/>
    <parent link="lower"/>
    <child link="slide"/>
    <axis xyz="1 0 0"/>
    <limit lower="0" upper="0.2" effort="40" velocity="1"/>
  </joint>
</robot>
"""
UPPER = 'ixx="0.003" ixy="0.0001" ixz="0" iyy="0.021" iyz="0" izz="0.022"'
LOWER = 'ixx="0.001" ixy="0" ixz="0" iyy="0.006" iyz="0" izz="0.0065"'
SLIDE = 'ixx="0.0004" ixy="0" ixz="0" iyy="0.0005" iyz="0" izz="0.0006"'
ELBOW = 'lower="-2.5" upper="2.5" effort="30" velocity="3"'
LIGHT = 'ixx="1e-12" ixy="0" ixz="0" iyy="1e-12" iyz="0" izz="1e-12"'
BODY = '<origin xyz="0.02 0 0"/><mass value="0.4"/><inertia ' + SLIDE + "/>"


def diagonal(xx: float, yy: float, zz: float) -> str:
    return f'ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"'


def link(name: str, inertial: str, parent: str = "slide", kind: str = "fixed") -> str:
    """One more link and its joint."""
    return (f'<link name="{name}"><inertial>{inertial}</inertial></link><joint name="to_{name}" '
            f'type="{kind}"><parent link="{parent}"/><child link="{name}"/></joint></robot>')


Changes = list[tuple[str, str]]
URDF: dict[str, Changes] = {  # name: what is replaced, by what
    "inertia in kg mm²": [(UPPER, diagonal(3000, 21000, 22000))],
    "inertia in kg cm²": [(UPPER, diagonal(30, 210, 220))],
    "mass in grams": [('value="2.5"', 'value="2500"')],
    "denser than osmium": [(SLIDE, diagonal(1e-6, 1e-6, 1e-6))],
    "identity": [(UPPER, diagonal(1, 1, 1))],
    "a power of ten": [(UPPER, diagonal(0.01, 0.01, 0.01))],
    "a point mass": [(SLIDE, diagonal(0, 0, 0))],
    "negative moment": [(UPPER, diagonal(-0.003, 0.021, 0.022))],
    "triangle broken": [(UPPER, diagonal(0.003, 0.021, 0.032))],
    "centre of mass in mm": [('xyz="0.15 0 0.01"', 'xyz="150 0 10"')],
    "lengths in mm": [('xyz="0.3 0 0" rpy="0 0 0.3"', 'xyz="300 0 0"')],
    "travel in mm": [('upper="0.2"', 'upper="200"')],
    "limits in degrees": [(ELBOW, 'lower="-170" upper="170" effort="30" velocity="3"')],
    "rpy in degrees": [("0 0 0.3", "0 0 90")],
    "rounded rpy": [("0 1.5707963267948966 0", "0 1.5708 0"), ("0 0 0.3", "1.5708 0 0")],
    "equal limits": [(ELBOW, 'lower="0" upper="0" effort="30" velocity="3"')],
    "no velocity": [(ELBOW, 'lower="-2" upper="2" effort="30" velocity="0"')],
    "negative effort": [(ELBOW, 'lower="-2" upper="2" effort="-30" velocity="3"')],
    "home outside": [(ELBOW, 'lower="-2" upper="-0.5" effort="30" velocity="3"')],
    "rpm": [(ELBOW, 'lower="-2.5" upper="2.5" effort="30" velocity="180"')],
    "stuck by friction": [('friction="0.2"', 'friction="80"')],
    "too weak": [('effort="60"', 'effort="1"')],
    "massless tip": [("</robot>", '<link name="tool"/><joint name="turn" type="continuous"><parent '
                      'link="slide"/><child link="tool"/></joint></robot>')],
    "next to massless tip": [("</robot>", link("tool", f'<mass value="1e-6"/><inertia {LIGHT}/>',
                                               kind="continuous"))],
    "two joints on one axis": [("</robot>", link("tool", BODY, "thin", "continuous")), (
        "</robot>", '<link name="thin"><inertial><mass value="1e-9"/><inertia ' + diagonal(
            1e-16, 1e-16, 1e-16) + '/></inertial></link><joint name="twin" type="continuous">'
        '<parent link="slide"/><child link="thin"/></joint></robot>')],
    "M not positive": [("</robot>", link("tool", BODY, "thin", "continuous")), (
        "</robot>", '<link name="thin"/><joint name="twin" type="continuous"><parent link="slide"/>'
        '<child link="thin"/></joint></robot>')],
    "copies": [("</robot>", link("a", BODY)), ("</robot>", link("b", BODY, "a"))],
    "sides differ": [("</robot>", link("right_upper", BODY, "base"))],
    "for others": [("</robot>", '<transmission name="t1"/><transmission name="t2"/><gazebo '
                    'reference="lower"/></robot>')],
    "no inertials": [(f"<inertial>{part}</inertial>", "") for part in re.findall(
        "<inertial>(.*?)</inertial>", SOUND, re.DOTALL)],
}  # fmt: skip

NATIVE: dict[str, Changes] = {  # what only native text can say
    "gravity in mm/s²": [("gravity = [0.0, 0.0, -9.81]", "gravity = [0.0, 0.0, -9810.0]")],
    "gravity upwards": [("gravity = [0.0, 0.0, -9.81]", "gravity = [0.0, 0.0, 9.81]")],
}


def changed(text: str, changes: Changes) -> str:
    for old, new in changes:
        assert old in text, f"{old!r} is not in the text"
        text = text.replace(old, new, 1)
    return text


def robot(text: str, name: str = "arm.urdf") -> ma.Robot:
    format = "toml" if name.endswith(".toml") else "urdf"
    return ma.Robot(*formats.loads(text, format, name))


def native(changes: Changes) -> str:
    text = formats.dumps(robot(SOUND).mechanism)
    if "gravity" not in text:
        text = text.replace("\n\n", "\ngravity = [0.0, 0.0, -9.81]\n\n", 1)
    return changed(text, changes)


def cases() -> dict[str, ma.Robot]:
    """Every ill robot by the name of its illness."""
    found = {name: robot(changed(SOUND, changes)) for name, changes in URDF.items()}
    return found | {name: robot(native(changes), "arm.toml") for name, changes in NATIVE.items()}


FILLED = {"-negative": ("damping-negative", "friction-negative", "armature-negative"),
          "limit-": ("limit-zero", "limit-negative")}  # fmt: skip


def codes(*rooms: str) -> set[str]:
    """The codes of problems that the sources of some rooms can give."""
    return {code for code, _ in severities(*rooms)}


def severities(*rooms: str) -> set[tuple[str, str]]:
    """The same with the severity of each."""
    found: set[tuple[str, str]] = set()
    for room in rooms:
        for path in sorted((ROOT / "src" / "momentarm" / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                found.update(_codes_of(node))
    return found


def _codes_of(node: ast.AST) -> Iterator[tuple[str, str]]:
    """problems.error("code", …), complain(…, "code"), _Refused("code", …), UNREADABLE = "code"."""
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "UNREADABLE":
        yield node.value.value, "error"
    if not isinstance(node, ast.Call):
        return
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    severity = called if called in ("warning", "note") else "error"
    of_problems = called in ("error", "warning", "note", "stop") and len(node.args) > 2
    if of_problems or called == "_Refused":
        code = node.args[0]
        if isinstance(code, ast.Constant):
            yield code.value, severity
        elif isinstance(code, ast.JoinedStr):
            fixed = "".join(x.value for x in code.values if isinstance(x, ast.Constant))
            yield from ((full, severity) for full in FILLED[fixed])
    if called == "complain":
        given = [k.value for k in node.keywords if k.arg == "code"] + node.args[3:4]
        yield (given[0].value if given else "value"), "error"
