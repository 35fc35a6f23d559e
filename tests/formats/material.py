"""Robot texts that the tests of the formats share, and poses computed without the library."""

from typing import Any

import numpy as np

import momentarm.formats as formats
from momentarm.model import BASE, Mechanism

ARM = """\
<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0.1 0 0.02" rpy="0 0 0.3"/>
      <mass value="2.5"/>
      <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.025"/>
    </inertial>
  </link>
  <link name="lower">
    <inertial>
      <mass value="1"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <link name="slide">
    <inertial>
      <mass value="0.5"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <origin xyz="0 0 0.4" rpy="0 1.5707963267948966 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/>
    <child link="lower"/>
    <origin xyz="0.3 0 0" rpy="0.1 0.2 0.3"/>
    <axis xyz="0.6 0 0.8"/>
  </joint>
  <joint name="extend" type="prismatic">
    <parent link="lower"/>
    <child link="slide"/>
    <axis xyz="-1 0 0"/>
    <limit lower="0" upper="0.2" effort="10" velocity="2"/>
    <mimic joint="shoulder" multiplier="0.1" offset="0.05"/>
  </joint>
  <joint name="mount" type="fixed">
    <parent link="slide"/>
    <child link="tool"/>
    <origin xyz="0.05 0 0" rpy="0 0.4 0"/>
  </joint>
</robot>
"""

NATIVE = """\
format = "momentarm robot 1"
name = "arm"
tip = "tool"

[[link]]
name = "base"

[[link]]
name = "upper"
mass = 2.5
com = [0.1, 0, 0.02]
inertia = [0.02, 0.03, 0.025, 0.001, 0, 0]

[[link]]
name = "slide"
mass = 1

[[joint]]
name = "shoulder"
type = "revolute"
parent = "base"
child = "upper"
xyz = [0, 0, 0.4]
rpy = [0, "90 deg", 0]
limits = { lower = "-pi/2", upper = 1.5 }
damping = 0.1

[[joint]]
name = "extend"
type = "prismatic"
parent = "upper"
child = "slide"
rotation = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
axis = [1, 0, 0]
mimic = { joint = "shoulder", ratio = 0.1 }

[[frame]]
name = "tool"
parent = "slide"
xyz = [0.05, 0, 0]
"""


def chain(n: int) -> str:
    """A URDF chain of n joints."""
    inertial = (
        '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
        "</inertial>"
    )
    links = [f'<link name="l{i}">{inertial}</link>' for i in range(n + 1)]
    joints = [
        f'<joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/>'
        "</joint>"
        for i in range(n)
    ]
    return f'<robot name="chain">{"".join(links + joints)}</robot>'


def changed(text: str, old: str, new: str) -> str:
    """`text` with the one place `old` replaced."""
    assert text.count(old) >= 1, f"{old!r} is not in the text"
    return text.replace(old, new, 1)


def attempt(text: str | bytes, format: str, name: str) -> tuple[Any, tuple[Any, ...]]:
    """The mechanism, or None, and the problems."""
    try:
        return formats.loads(text, format, name)
    except formats.RobotFileError as e:
        return None, e.problems


def frame_pose(mechanism: Mechanism, frame: str, q: Any) -> np.ndarray:
    """The pose of a named frame in the base, by 4x4 matrices of the joint table."""
    values = dict(zip(mechanism.coordinates, q, strict=True))
    place = mechanism.frames[frame]
    T, i = np.array(place.X.matrix, dtype=float), place.link
    while i != BASE:
        link = mechanism.links[i]
        drive = link.joint.drive
        own = (drive.ratio * values[drive.joint] + drive.offset,) if link.joint.nv else ()
        T = np.array(link.joint.row.at(link.placement, own).matrix, dtype=float) @ T
        i = link.parent
    return T
