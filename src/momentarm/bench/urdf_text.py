"""A mechanism as URDF text for other libraries: the same numbers, as exactly as roll, pitch and
yaw can say them.

Rule 1  Link frames are joint frames, joints turn about or slide along z, nothing is fixed.
Rule 2  For chains and trees of revolute and prismatic joints without friction or coupling; what
        else a mechanism has is refused, never left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from momentarm.model import BASE, Link, Mechanism
from momentarm.model.canonical import merged
from momentarm.spatial import Mat3

KINDS = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}


def urdf_text(mechanism: Mechanism) -> str:
    """The text; gravity is not in it, as URDF has no word for it."""
    m = merged(mechanism)
    if m.is_coupled or any(not k.joint.actuator.is_ideal or k.joint.kind not in KINDS
                           or k.joint.drive.offset != 0 for k in m.links):  # fmt: skip
        raise ValueError(f"{m.name}: expected ideal, uncoupled revolute or prismatic joints")
    return "\n".join([f'<robot name="{m.name}">', '<link name="base"/>', *_links(m), "</robot>"])


def _links(m: Mechanism) -> Iterable[str]:
    for i, link in m.outward():
        I, com = link.inertia.I_com, link.inertia.com
        moments = (I.xx, I.xy, I.xz, I.yy, I.yz, I.zz)
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        tensor = " ".join(f'{k}="{float(x)!r}"' for k, x in zip(names, moments, strict=True))
        yield f'<link name="link{i}"><inertial><origin xyz="{_row(com)}"/>'
        yield f'<mass value="{float(link.inertia.m)!r}"/><inertia {tensor}/></inertial></link>'
        yield from _joint(i, link)


def _joint(i: int, link: Link) -> Iterable[str]:
    parent = "base" if link.parent == BASE else f"link{link.parent}"
    rpy = roll_pitch_yaw(link.placement.R.matrix)
    yield f'<joint name="{link.joint.name}" type="{KINDS[link.joint.kind]}">'
    yield f'<origin xyz="{_row(link.placement.origin)}" rpy="{_row(rpy)}"/><axis xyz="0 0 1"/>'
    yield f'<parent link="{parent}"/><child link="link{i}"/>'
    yield '<limit lower="-1e3" upper="1e3" effort="1e9" velocity="1e9"/></joint>'


def roll_pitch_yaw(R: Mat3) -> tuple[float, float, float]:
    """The angles about x, y and z of the fixed axes; with pitch ±π/2 the yaw is zero.

    >>> from momentarm.spatial import IDENTITY
    >>> roll_pitch_yaw(IDENTITY)
    (0.0, 0.0, 0.0)
    """
    across = math.hypot(R.cx.x, R.cx.y)
    pitch = math.atan2(-R.cx.z, across)
    if across < 1e-14:
        return math.atan2(-R.cz.y, R.cy.y), pitch, 0.0
    return math.atan2(R.cy.z, R.cz.z), pitch, math.atan2(R.cx.y, R.cx.x)


def _row(numbers: Iterable[float]) -> str:
    return " ".join(repr(float(x)) for x in numbers)
