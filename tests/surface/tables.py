"""Tables of states, an odd robot, and a Python of its own, for the tests of the command."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

import momentarm as ma

ODD = """<robot name="odd"><link name="a"/><link name="b"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""
HEAD = "time,q.j1,q.j2,qd.j1,qd.j2,qdd.j1,qdd.j2"


def states(arm, count=50, seed=1):
    rng = np.random.default_rng(seed)
    return {
        "time": np.arange(count) / 3,
        "q": arm.random_q(rng, count),
        "qd": rng.normal(size=(count, arm.n)),
        "qdd": rng.normal(size=(count, arm.n)),
    }


def columns_of(arm, parts):
    return {
        (name if name == "time" else f"{name}.{joint}"): (a if name == "time" else a[:, k])
        for name, a in parts.items()
        for k, joint in enumerate(["-"] if name == "time" else arm.joint_names)
    }


def write_csv(path, columns, shuffle=None):
    names = list(columns)
    if shuffle is not None:
        np.random.default_rng(shuffle).shuffle(names)
    rows = zip(*(columns[name].tolist() for name in names), strict=True)
    lines = [",".join(names), *(",".join(map(repr, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")


def read_csv(path):
    with open(path) as stream:
        names = stream.readline().rstrip("\n").split(",")
        return dict(zip(names, np.loadtxt(stream, delimiter=",", ndmin=2).T, strict=True))


def two_joint_table(text):
    """planar_2r's joints are spelt j1 and j2 in these tests."""
    for k, joint in enumerate(ma.robots.planar_2r().joint_names, 1):
        text = text.replace(f".j{k}", f".{joint}")
    return text


def python(*arguments):
    environment = os.environ | {"PYTHONPATH": str(Path(ma.__file__).parents[1])}
    return subprocess.Popen([sys.executable, *arguments], env=environment,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
