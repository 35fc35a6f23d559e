"""All URDFs of example-robot-data, against Pinocchio's reader."""

from dataclasses import replace
from importlib.metadata import files
from pathlib import Path

import numpy as np
import pytest

import momentarm.formats as formats
from formats.material import attempt, frame_pose

pytestmark = pytest.mark.peers

REFUSED = {
    "alex_psyonic_hands.urdf": "mimic-unknown",  # its mimics name joints without their prefix
    "ur3.urdf": "no-links",  # an empty wrapper
}


def paths():
    try:
        found = files("example-robot-data") or []
    except ModuleNotFoundError:
        return []
    return sorted((Path(f.locate()) for f in found if f.suffix == ".urdf"), key=lambda p: p.name)


@pytest.mark.parametrize("path", paths(), ids=lambda p: p.name)
def test_real_robot_loads_and_survives_writing(path):
    """A real URDF loads, or is refused for its known reason, and survives writing bit for bit."""
    mechanism, problems = attempt(path.read_bytes(), "urdf", path.name)
    errors = {p.code for p in problems if p.severity == "error"}
    assert errors == ({REFUSED[path.name]} if path.name in REFUSED else set())
    if mechanism is None:
        return
    assert repr(formats.loads(formats.dumps(mechanism), "toml")[0]) == repr(mechanism)


@pytest.mark.parametrize("path", paths(), ids=lambda p: p.name)
def test_frames_where_pinocchio_has_them(path):
    """Every link of a real URDF is, at zero and mimicking nothing, where Pinocchio puts it."""
    import pinocchio as pin  # here: collecting the tests needs no peer

    if path.name in REFUSED:
        return
    mechanism, _ = formats.load(path)
    model = pin.buildModelFromUrdf(str(path))
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin.neutral(model))
    if mechanism.is_coupled:
        mechanism = mechanism.with_links([_uncoupled(link) for link in mechanism.links])
    for name in mechanism.frames:
        T = data.oMf[model.getFrameId(name, pin.FrameType.BODY)].homogeneous
        zero = np.zeros(mechanism.n)
        assert frame_pose(mechanism, name, zero) == pytest.approx(T, abs=1e-12), name
    assert pin.computeTotalMass(model) + model.inertias[0].mass == pytest.approx(
        sum(link.inertia.m for link in mechanism.links) + mechanism.base_inertia.m
    )


def _uncoupled(link):
    return replace(link, joint=replace(link.joint, coupling=None))
