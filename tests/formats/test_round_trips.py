"""What is written is read back the same, bit for bit."""

import dataclasses
import random

import numpy as np
import pytest

import momentarm.formats as formats
from formats.material import ARM, NATIVE, chain, frame_pose
from momentarm.formats.dh import from_dh
from momentarm.formats.screws import from_screws
from momentarm.model.assemble import assemble
from momentarm.model.describe import describe
from momentarm.model.problem import Problems


def back(mechanism):
    return formats.loads(formats.dumps(mechanism), "toml")[0]


def dh_rows(rng, n=4):
    return [
        {
            "a": rng.uniform(-1, 1),
            "alpha": rng.uniform(-3, 3),
            "d": rng.uniform(-1, 1),
            "theta": rng.uniform(-3, 3),
            "type": rng.choice(["revolute", "prismatic"]),
            "mass": rng.uniform(0.1, 2),
            "com": [rng.uniform(-1, 1) for _ in range(3)],
            "inertia": [0.1, 0.11, 0.12, 0.01, -0.02, 0.03],
            "damping": rng.random(),
        }
        for _ in range(n)
    ]


def screw_lists(rng):
    home = [[1, 0, 0, 0.3], [0, 0, -1, 0.1], [0, 1, 0, 0.2], [0, 0, 0, 1]]
    body = [[0.1 * (i == j) for j in range(6)] for i in range(6)]
    for i in range(3, 6):
        body[i][i] = 1.7
    S = [[rng.uniform(-2, 2) for _ in range(3)] for _ in range(6)]
    return [home] * 4, [body] * 3, S


@pytest.mark.parametrize("text", [ARM, NATIVE, chain(50)], ids=["urdf", "native", "chain"])
def test_text_round_trip(text):
    """A mechanism read from URDF or native text, written and read again, has the same bits."""
    format = "toml" if text is NATIVE else "urdf"
    mechanism, _ = formats.loads(text, format)
    again = back(mechanism)
    assert again == mechanism
    assert repr(again) == repr(mechanism)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_dh_round_trip(seed, convention):
    """A mechanism from any DH table, written and read again, has the same bits."""
    mechanism, _ = from_dh(dh_rows(random.Random(seed)), convention)
    assert repr(back(mechanism)) == repr(mechanism)


@pytest.mark.parametrize("seed", range(5))
def test_screws_round_trip(seed):
    """A mechanism from general screws of any length, written and read again, has the same bits."""
    mechanism, _ = from_screws(*screw_lists(random.Random(seed)))
    assert repr(back(mechanism)) == repr(mechanism)


def test_written_text_is_stable():
    """Writing, reading and writing again gives the same text."""
    text = formats.dumps(formats.loads(ARM, "urdf")[0])
    assert formats.dumps(formats.loads(text, "toml")[0]) == text


def test_written_text_is_what_it_was(golden):
    """The native text of the small arm is the stored one."""
    golden("native_arm.toml", formats.dumps(formats.loads(ARM, "urdf")[0]))


def test_describe_undoes_assemble():
    """Describing a mechanism and assembling the description gives an equal mechanism."""
    mechanism, _ = formats.loads(ARM, "urdf")
    assert assemble(describe(mechanism), Problems("again")) == mechanism


def test_moments_are_written_where_no_inertia_gives_them():
    """An inertia that no mass, centre and tensor reproduce bit for bit survives as moments."""
    mechanism, _ = formats.loads(ARM, "urdf")
    link = mechanism.links[0]
    E = dataclasses.replace(link.inertia.E, xx=-1e-3, yy=1e-19)
    odd = dataclasses.replace(link.inertia, h=link.inertia.h * 1e-9, E=E)
    links = [dataclasses.replace(link, inertia=odd), *mechanism.links[1:]]
    assert back(mechanism.with_links(links)).links[0].inertia == odd


@pytest.mark.parametrize("name", ["a b", 'quote " and \\', "tab\u00e9 \u5173\u8282", "x" * 500])
def test_names_survive(name):
    """Any printable name of a link comes back from the written text."""
    mechanism, _ = formats.loads(NATIVE.replace('"upper"', repr_toml(name)), "toml")
    assert name in back(mechanism).frames


def repr_toml(name):
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def test_save_and_load(tmp_path):
    """A saved mechanism loads from its file without a warning and is equal."""
    mechanism, _ = formats.loads(ARM, "urdf")
    formats.save(mechanism, tmp_path / "arm.toml")
    assert formats.load(tmp_path / "arm.toml") == (mechanism, ())


def test_world_origin_and_gravity_survive():
    """The place of the base in the world and gravity come back from the written text."""
    text = NATIVE.replace(
        'tip = "tool"', 'gravity = [0, 1.62, 0]\norigin = { xyz = [1, 2, 3], rpy = [0, 0, "pi"] }'
    )
    mechanism, _ = formats.loads(text, "toml")
    again = back(mechanism)
    assert (again.origin, again.gravity) == (mechanism.origin, mechanism.gravity)
    assert mechanism.origin.matrix[0] == [-1, 0, 0, 1]
    assert tuple(mechanism.gravity) == (0, 1.62, 0)


def test_aligning_an_axis_moves_no_frame():
    """Turning link frames so that the axis is z leaves the poses of the file's frames alone."""
    text = NATIVE.replace('rpy = [0, "90 deg", 0]', 'rpy = [0, "90 deg", 0]\naxis = [0, 1, 0]')
    mechanism, _ = formats.loads(text, "toml")
    at_home = [[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0.35], [0, 0, 0, 1]]
    assert frame_pose(mechanism, "tool", [0.0]) == pytest.approx(np.array(at_home), abs=1e-15)
    quarter = [[-1, 0, 0, -0.05 - 0.05 * np.pi], [0, 1, 0, 0], [0, 0, -1, 0.4], [0, 0, 0, 1]]
    assert frame_pose(mechanism, "tool", [np.pi / 2]) == pytest.approx(np.array(quarter), abs=1e-15)
