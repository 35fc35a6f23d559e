"""The demo: its motion, the way back, its data and its picture."""

import json
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

import momentarm as ma
from momentarm import cli, demo
from momentarm.demo import motion, timing


@pytest.fixture(scope="module")
def tour():
    with pytest.MonkeyPatch.context() as quick:
        quick.setattr(timing, "REPEATS", 1)
        quick.setattr(timing, "SLICE", 0.001)
        yield demo.run()


@pytest.fixture(scope="module")
def made(tour, tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    said = []
    files = demo.write(tour, folder, said.append)
    return SimpleNamespace(folder=folder, files=files, said=said)


def read(path):
    names = path.read_text().partition("\n")[0].split(",")
    return dict(zip(names, np.loadtxt(path, delimiter=",", skiprows=1).T, strict=True))


def test_the_motion_is_smooth_and_allowed(tour):
    """q̇ and q̈ are the differences of q, and q, q̇ and τ are within the limits."""
    along, limits = tour.motion, tour.arm.limits.values()
    assert np.abs(np.gradient(along.q, along.t, axis=0) - along.qd).max() < 1e-4
    smooth = np.arange(len(along.t)) % round(motion.LEG / motion.STEP) > 1  # q̈ has corners
    error = np.abs(np.gradient(along.qd, along.t, axis=0) - along.qdd)
    assert error[smooth].max() < 1e-4
    for k, limit in enumerate(limits):
        assert limit.lower < along.q[:, k].min() < along.q[:, k].max() < limit.upper
        assert np.abs(along.qd[:, k]).max() < limit.velocity
        assert np.abs(along.tau[:, k]).max() < limit.effort


def test_the_motion_comes_back(tour):
    """Accelerations return to 1e-11 rad/s², and a second of integration to 1 mrad."""
    assert tour.recovery.acceleration_error < 1e-11
    assert tour.recovery.position_error < 1e-3


def test_integration_of_a_constant_acceleration_is_a_parabola():
    """For one joint without gravity under constant torque, q(t) = q + q̇ t + τ/M t²/2 to 1e-12."""
    arm = ma.robots.planar_2r().with_gravity([0, 0, 0]).lock({"joint2": 0.3})
    q, qd, tau = np.array([0.4]), np.array([-0.2]), np.full((201, 1), 1.5)
    path = motion.integrated(arm, q, qd, tau)
    t = np.arange(201)[:, None] * motion.STEP
    assert np.allclose(path, q + qd * t + 1.5 / arm.mass_matrix(q) * t**2 / 2, rtol=0, atol=1e-12)


def test_the_table_of_states_is_what_id_and_fd_read(made, monkeypatch):
    """id of trajectory.csv gives its own torques to the bit, fd its accelerations to 1e-11."""
    monkeypatch.chdir(made.folder)
    assert cli.main(["id", "panda", "trajectory.csv", "tau.csv"]) == 0
    assert cli.main(["fd", "panda", "trajectory.csv", "qdd.csv"]) == 0
    files = (made.folder / f"{name}.csv" for name in ("trajectory", "tau", "qdd"))
    given, torques, back = map(read, files)
    assert all(np.array_equal(given[name], torques[name]) for name in torques)
    assert max(np.abs(given[name] - back[name]).max() for name in back) < 1e-11


def without_timings(path):
    facts = json.loads(path.read_text())
    for quantity in facts["quantities"]:
        assert all(ns > 0 for ns in quantity.pop("nanoseconds").values())
    return facts


def test_the_data_are_the_same_on_every_run(tour, made, tmp_path, monkeypatch):
    """A second run writes the same bytes, in table.json all but the nanoseconds."""
    monkeypatch.setattr(timing, "REPEATS", 1)
    monkeypatch.setattr(timing, "SLICE", 0.001)
    again = demo.written.data(demo.run(), tmp_path)
    assert again[0].read_bytes() == made.files[0].read_bytes()
    assert without_timings(again[1]) == without_timings(made.files[1])


def test_the_picture_is_drawn_twice(made):
    """demo.png has 2000 by 1200 pixels or more, demo.svg is well-formed and full of paths."""
    png, svg = (made.folder / name for name in ("demo.png", "demo.svg"))
    head = png.read_bytes()[:24]
    width, height = (int.from_bytes(head[k : k + 4], "big") for k in (16, 20))
    assert head.startswith(b"\x89PNG")
    assert width >= 2000
    assert height >= 1200
    root = ElementTree.parse(svg).getroot()
    assert root.tag.endswith("svg")
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) > 100


def test_without_matplotlib_the_data_are_written(tour, tmp_path, monkeypatch):
    """Where matplotlib is missing, both data files are written and the way to get it is said."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = []
    files = demo.write(tour, tmp_path, said.append)
    assert [file.name for file in files] == ["trajectory.csv", "table.json"]
    assert any("pip install 'momentarm[plot]'" in line for line in said)


def test_the_command_prints_its_table(tour, tmp_path, capsys, monkeypatch):
    """`momentarm demo` prints the kernels' counts, with --json a document naming the files."""
    monkeypatch.setattr(demo, "run", lambda say: tour)
    assert cli.main(["demo", "--out", str(tmp_path)]) == 0
    table = capsys.readouterr().out
    for quantity in timing.QUANTITIES:
        ops = tour.arm.kernel(quantity).ops
        assert [quantity, str(ops.mul), str(ops.add)] in [row.split()[:3] for row in
                                                          table.splitlines()]  # fmt: skip
    assert cli.main(["demo", "--json", "--out", str(tmp_path)]) == 0
    assert len(json.loads(capsys.readouterr().out)["files"]) == 4
    (tmp_path / "file").write_text("")
    assert cli.main(["demo", "--out", str(tmp_path / "file")]) == 3
