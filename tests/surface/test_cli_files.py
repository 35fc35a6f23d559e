"""The command line: files that are kept, tables with more in them, and what is missing."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import momentarm as ma
from surface.tables import HEAD, ODD, columns_of, python, states, two_joint_table, write_csv

pytestmark = pytest.mark.usefixtures("folder")


def test_exported_c_is_two_files_that_are_not_overwritten(run, folder):
    """export writes robot_quantity.c and .h once; the second time it needs --force."""
    line = ("export", "planar_2r", "gravity_forces", "--out", "c")
    source, header = map(Path, run(*line).out.split())
    assert (source.as_posix(), header) == ("c/planar_2r_gravity_forces.c", source.with_suffix(".h"))
    header.write_text("mine")
    assert run(*line).code == 3
    assert header.read_text() == "mine"
    assert run(*line, "--force").code == 0
    assert "const double q[2]" in header.read_text()


def test_exported_c_is_named_after_its_options(run):
    """Frame, reference, wrench and float32 give files, functions and heads of their own."""
    line = ("export", "panda", "jacobian", "--out", "c", "--frame", "panda_link4")
    source, header = map(Path, run(*line, "--reference", "world", "--dtype", "float32").out.split())
    assert source.stem == header.stem == "panda_jacobian_panda_link4_world_f32"
    for row in ("frame       panda_link4", "reference   world", "precision   float32"):
        assert row in header.read_text()
    assert f"void {source.stem}(const float q[7]" in header.read_text()
    assert run(*line).code == run(*line, "--name", "J4").code == 0
    assert run(*line, "--name", "4J").code == 2
    wrench = run("export", "panda", "inverse_dynamics", "--out", "c", "--tip-wrench")
    assert "panda_inverse_dynamics_with_tip_wrench.c" in wrench.out


def test_derivatives_are_shown_and_exported(run):
    """--by q,qd derives by q and then by q̇: files, function and array are called so; an argument
    that is not there is a mistake of usage."""
    line = ("ur5", "kinetic_energy", "--by", "q,qd")
    source, _ = map(Path, run("export", *line, "--out", "c").out.split())
    assert source.stem == "ur5_kinetic_energy_D_q_D_qd"
    assert "const double qd[6], double T_D_q_D_qd[36])" in source.read_text()
    assert run("show", *line).out.startswith("T_D_q_D_qd = kinetic_energy_D_q_D_qd(q[6], qd[6])")
    assert run("show", *line[:3], "q,qdd").code == 2


def test_tables_are_not_overwritten(run, folder):
    """id writes neither over its own input, nor, without --force, over any file."""
    table = two_joint_table(f"{HEAD}\n0,1,2,3,4,5,6\n")
    (folder / "m.csv").write_text(table)
    (folder / "linked.csv").symlink_to("m.csv")
    for out in ("m.csv", "./m.csv", "linked.csv"):
        assert run("id", "planar_2r", "m.csv", out, "--force").code == 2
    assert (folder / "m.csv").read_text() == table
    assert run("id", "planar_2r", "m.csv", "t.csv").code == 0
    (folder / "t.csv").write_text("mine")
    assert run("id", "planar_2r", "m.csv", "t.csv").code == 3
    assert (folder / "t.csv").read_text() == "mine"
    assert run("id", "planar_2r", "m.csv", "t.csv", "--force").code == 0
    assert (folder / "t.csv").read_text() != "mine"


@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_extra_columns_are_left_out_when_asked(kind, run, folder):
    """With --ignore-extra, unknown columns, text or numbers, change nothing; without, they stop."""
    arm = ma.robots.planar_2r()
    columns = columns_of(arm, states(arm, 5))
    write_csv(folder / "plain.csv", columns)
    expected = run("id", "planar_2r", "plain.csv").out
    if kind == "csv":
        lines = (folder / "plain.csv").read_text().splitlines()
        more = ["mode,temperature", *["auto,21.5"] * 5]
        text = "\n".join(f"{a},{b}" for a, b in zip(lines, more, strict=True))
        (folder / "more.csv").write_text(text)
    else:
        np.savez("more.npz", mode=np.array(["auto"] * 5), temperature=np.zeros((5, 2)), **columns)
    refused = run("id", "planar_2r", f"more.{kind}")
    assert (refused.code, "--ignore-extra" in refused.err) == (3, True)
    found = run("id", "planar_2r", f"more.{kind}", "--ignore-extra")
    assert (found.code, found.out) == (0, expected)


def test_check_goes_on_after_a_missing_file(run, folder):
    """check of a missing and an odd file reports both, and ends with 3."""
    (folder / "odd.urdf").write_text(ODD)
    found = run("check", "nothing.urdf", "odd.urdf", "--json")
    first, second = json.loads(found.out)["files"]
    assert [p["code"] for p in first["problems"]] == ["unreadable"]
    assert [p["code"] for p in second["problems"]] == ["inertia-triangle"]
    assert found.code == 3


def test_an_unexpected_error_is_code_70(run, monkeypatch):
    """A bug ends with 70, its traceback and a request to report it, not with 1."""
    monkeypatch.setattr(ma.Robot, "kernel", lambda *_, **__: {}["lost"])
    found = run("show", "planar_2r", "mass_matrix")
    assert found.code == 70
    assert "KeyError: 'lost'" in found.err
    assert "please report it" in found.err


@pytest.mark.skipif(not shutil.which("bash"), reason="the closing is written for bash")
@pytest.mark.parametrize("closing, said", [
    ("- <&-", "standard input is closed"), ("- < in.csv >&-", "standard output is closed"),
    ("in.csv out.csv <&- >&- 2>&-", ""),
])  # fmt: skip
def test_closed_streams_are_said(closing, said, folder):
    """A closed stream that is needed ends with 3 and a message, one that is not with 0."""
    (folder / "in.csv").write_text(two_joint_table(f"{HEAD}\n0,1,2,3,4,5,6\n"))
    line = f"{shlex.quote(sys.executable)} -m momentarm id planar_2r {closing}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == ((3, f"momentarm: {said}\n") if said else (0, ""))


def test_without_llvmlite_it_is_said(folder):
    """Without llvmlite a kernel warns once and says NumPy, and stage llvm ends with 3."""
    code = (
        "import sys; sys.modules['llvmlite'] = None\n"
        "import momentarm as ma; from momentarm.cli import main\n"
        "arm = ma.robots.planar_2r(); arm.gravity_forces([0, 0]); arm.mass_matrix([0, 0])\n"
        "assert 'NumPy' in repr(arm.kernel('mass_matrix'))\n"
        "sys.exit(main(['show', 'planar_2r', 'mass_matrix', '--stage', 'llvm']))"
    )
    with python("-W", "always", "-c", code) as process:
        _, said = process.communicate()
    assert process.returncode == 3, said
    assert said.decode().count("RuntimeWarning: without llvmlite") == 1
    assert b"--stage llvm: machine code needs llvmlite" in said


@pytest.mark.parametrize("missing", ["cyclopts", "rich"])
def test_without_its_libraries_the_command_names_them(missing, folder):
    """Without cyclopts or rich the command ends with 3 and says what to install."""
    code = (f"import sys; sys.modules['{missing}'] = None\n"
            "from momentarm.__main__ import main; sys.exit(main())")  # fmt: skip
    with python("-c", code, "robots") as process:
        _, said = process.communicate()
    if process.returncode:  # rich is needed only for help and terminals
        assert (process.returncode, said) == (
            3, f"momentarm needs {missing}: pip install cyclopts rich\n".encode())  # fmt: skip
    assert process.returncode or missing == "rich"
