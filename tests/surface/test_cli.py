"""The command line: exit codes, tables in and out, what is said about mistakes."""

import inspect
import io
import json
import os
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import momentarm as ma
from momentarm import cli
from momentarm.cli import outcome, talk
from momentarm.cli.csv_file import CsvReader, CsvWriter
from surface.tables import (
    HEAD,
    ODD,
    columns_of,
    python,
    read_csv,
    states,
    two_joint_table,
    write_csv,
)

pytestmark = pytest.mark.usefixtures("folder")

NAN, INF = float("nan"), float("inf")
BROKEN = """<robot name="broken"><link name="a"/><link name="b"><inertial><mass value="-1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolutte"><parent link="a"/><child link="c"/></joint></robot>"""
MASSLESS = """<robot name="ghost"><link name="a"/><link name="b"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint></robot>"""


# what the examples in the help need


def prepare(folder):
    panda = ma.robots.panda()
    parts = states(panda)
    write_csv(folder / "motion.csv", columns_of(panda, parts))
    tau = panda.inverse_dynamics(parts["q"], parts["qd"], parts["qdd"])
    write_csv(folder / "states.csv", columns_of(panda, {**parts, "tau": tau}))
    (folder / "arm.urdf").write_text(ODD)


VERBS = [(name, verb) for name, verb, *_ in cli.VERBS if name not in ("bench", "demo")]
VERBS += [(f"cache {name}", verb) for name, verb in cli.CACHE_VERBS]


@pytest.mark.parametrize("verb", [verb for _, verb in VERBS], ids=[name for name, _ in VERBS])
def test_examples_in_the_help_run(verb, run, folder):
    """Every line below "Try:" in a verb's help runs and ends with 0, or 1 for check."""
    prepare(folder)
    examples = inspect.getdoc(verb).partition("Try:\n")[2].splitlines()
    assert examples
    for line in examples:
        out = b""
        for command in line.split("|"):
            words, _, file = command.partition("<")
            out = (folder / file.strip()).read_bytes() if file else out
            result = run(*words.split()[1:], stdin=out)
            out = result.out.encode()
            assert result.code in ((0, 1) if "check" in words else (0,)), (command, result.err)


def test_every_verb_helps_and_names_the_exit_codes(run):
    """The help of every verb has its usage, an example, --json and its own exit codes."""
    for name in [*(row[0] for row in cli.VERBS), *(name for name, _ in VERBS if " " in name)]:
        result = run(*name.split(), "--help")
        assert result.code == 0
        for expected in ("Usage: momentarm", f"momentarm {name}", "Try:", "--json"):
            assert expected in result.out, (name, expected)
        codes = result.out.partition("Exit codes:\n")[2].strip().splitlines()
        expected = outcome.exit_codes(*cli.CODES.get(name, ())).splitlines()[1:]
        assert [line.strip() for line in codes] == [line.strip() for line in expected], name


@pytest.mark.parametrize("arguments", [
    ["info", "planar_2r"], ["check", "planar_2r"], ["robots"], ["cache", "info"],
    ["cache", "verify"], ["show", "planar_2r", "mass_matrix"],
    ["export", "planar_2r", "mass_matrix", "--out", "c"], ["id", "planar_2r", "m.csv", "o.csv"],
], ids=" ".join)  # fmt: skip
def test_json_is_all_of_standard_output(arguments, run, folder):
    """With --json, standard output is one JSON document."""
    (folder / "m.csv").write_text(two_joint_table(f"{HEAD}\n0,1,2,3,4,5,6\n"))
    result = run(*arguments, "--json")
    assert result.code == 0
    assert json.loads(result.out)


# tables


@pytest.mark.parametrize("kind", ["csv", "npz", "npz by column"])
def test_torques_are_those_of_the_library(kind, run, folder):
    """id of columns in any order, CSV or NPZ, equals Robot.inverse_dynamics to the bit."""
    arm = ma.robots.panda()
    parts = states(arm, 500)
    expected = arm.inverse_dynamics(parts["q"], parts["qd"], parts["qdd"])
    if kind == "csv":
        write_csv(folder / "in.csv", columns_of(arm, parts), shuffle=3)
    elif kind == "npz":
        turned = {k: v if k == "time" else v[:, ::-1] for k, v in parts.items()}
        np.savez("in.npz", joints=arm.joint_names[::-1], **turned)
    else:
        np.savez("in.npz", **columns_of(arm, parts))
    assert run("id", "panda", f"in.{kind[:3]}", "out.csv").code == 0
    found = read_csv("out.csv")
    assert list(found) == ["time", *(f"tau.{joint}" for joint in arm.joint_names)]
    assert np.array_equal(found["time"], parts["time"])
    assert np.array_equal(np.stack(list(found.values())[1:], axis=1), expected)


def test_motion_comes_back_through_a_pipe(run, folder):
    """id --keep into fd gives the accelerations back to 1e-9, also in ideal and as NPZ."""
    arm = ma.robots.ur5()
    parts = states(arm)
    write_csv(folder / "in.csv", columns_of(arm, parts))
    for option in ([], ["--ideal"]):
        torques = run("id", "ur5", "in.csv", "--keep", *option)
        back = ("fd", "ur5", "-", "b.npz", "--force", *option)
        assert run(*back, stdin=torques.out.encode()).code == 0
        with np.load("b.npz") as back:
            assert list(back["joints"]) == list(arm.joint_names)
            assert np.abs(back["qdd"] - parts["qdd"]).max() < 1e-9


def test_float32_is_computed_and_written_in_float32(run, folder):
    """--dtype float32 gives the library's float32 result, which its text holds exactly."""
    arm = ma.robots.ur5()
    parts = states(arm)
    write_csv(folder / "in.csv", columns_of(arm, parts))
    assert run("id", "ur5", "in.csv", "out.csv", "--dtype", "float32").code == 0
    found = read_csv("out.csv")
    expected = arm.inverse_dynamics(parts["q"], parts["qd"], parts["qdd"], dtype=np.float32)
    assert np.array_equal(np.float32(list(found.values())[1:]).T, expected)


def test_long_files_are_cut_without_a_seam(run, folder, monkeypatch):
    """Reading in blocks of a few rows gives the same bytes as reading at once."""
    arm = ma.robots.planar_2r()
    write_csv(folder / "in.csv", columns_of(arm, states(arm, 300)))
    whole = run("id", "planar_2r", "in.csv")
    monkeypatch.setattr("momentarm.cli.csv_file.BLOCK", 500)
    assert run("id", "planar_2r", "in.csv").out == whole.out
    assert whole.out.count("\n") == 301


@pytest.mark.parametrize("change", [
    lambda text: "\N{BYTE ORDER MARK}" + text,
    lambda text: text.replace("\n", "\r\n"),
    lambda text: text.replace("\n", "\n\n") + "\n \n",
    lambda text: text.replace("time", '"time"').replace("0.5", '"0.5"'),
    lambda text: text.replace(",", " , "),
    lambda text: text.removesuffix("\n"),
    lambda text: text.replace("0.5", "+.5e0"),
], ids=["BOM", "CRLF", "blank lines", "quotes", "spaces", "no last line end", "signs"])  # fmt: skip
def test_harmless_dirt_changes_nothing(change, run):
    """BOM, CRLF, blank lines, quotes, spaces and signs give the same result."""
    clean = two_joint_table(f"{HEAD}\n0,1,2,3,4,5,6\n0.5,1,2,3,4,0.5,6\n")
    expected = run("id", "planar_2r", "-", stdin=clean.encode())
    found = run("id", "planar_2r", "-", stdin=change(clean).encode())
    assert (found.code, found.out) == (0, expected.out) != (0, "")


def test_a_header_alone_is_a_table_without_states(run):
    """A table of no rows gives a table of no rows."""
    found = run("id", "planar_2r", "-", stdin=two_joint_table(HEAD).encode())
    assert (found.code, found.out) == (0, two_joint_table("time,tau.j1,tau.j2\n"))
    assert "no states" in found.err


@given(st.lists(st.floats(), min_size=1, max_size=30))
def test_numbers_come_back_bit_for_bit(tmp_path_factory, numbers):
    """What CsvWriter writes, CsvReader reads back bit for bit, NaN as NaN."""
    file = tmp_path_factory.mktemp("bits") / "t.csv"
    with open(file, "wb") as stream:
        writer = CsvWriter(stream, {"tau": ("j",)})
        writer.rows({"tau": np.array(numbers)[:, None]})
        writer.close()
    reader = CsvReader(str(file))
    found = np.concatenate(list(reader.blocks()))[:, 0]
    reader.close()
    assert np.array_equal(found.view("u8")[~np.isnan(found)],
                          np.array(numbers).view("u8")[~np.isnan(numbers)])  # fmt: skip
    assert np.array_equal(np.isnan(found), np.isnan(numbers))


def test_missing_numbers_pass_with_a_warning(run):
    """NaN, inf and empty cells make only their own state's result non-finite, and are counted."""
    rows = ["0,1,2,3,4,5,6", "1,nan,2,3,4,5,6", "2,1,2,3,4,5,", "3,1,2,3,4,inf,6", "4,1,2,3,4,5,6"]
    table = two_joint_table("\n".join([HEAD, *rows]))
    found = run("id", "planar_2r", "-", stdin=table.encode())
    assert found.code == 0
    sound = [np.isfinite([float(x) for x in row.split(",")]).all() for row in
             found.out.splitlines()[1:]]  # fmt: skip
    assert sound == [True, False, False, False, True]
    assert two_joint_table("3 of 5 states") in found.err
    assert two_joint_table("<stdin>:3 (q.j1)") in found.err


def test_json_lines_hold_the_states(run):
    """id --json to standard output gives a JSON object a state, null where not finite."""
    table = two_joint_table(f"{HEAD}\n0,0,0,0,0,0,0\n1,nan,0,0,0,0,0\n")
    lines = run("id", "planar_2r", "-", "--json", stdin=table.encode()).out.splitlines()
    first, second = map(json.loads, lines)
    names = ["time", *(f"tau.{joint}" for joint in ma.robots.planar_2r().joint_names)]
    assert list(first.values()) == pytest.approx([0, 29.43, 9.81])
    assert list(second) == names
    assert None in second.values()


# mistakes

TABLES = {
    "empty": "",
    "blank header": "\n0,1\n",
    "semicolons": f"{HEAD}\n0,1,2,3,4,5,6\n".replace(",", ";"),
    "tabs": f"{HEAD}\n0,1,2,3,4,5,6\n".replace(",", "\t"),
    "short and long rows": f"{HEAD}\n0,1,2\n0,1,2,3,4,5,6\n0,1,2,3,4,5,6,7\n",
    "decimal commas": f"{HEAD}\n0,1,2,3,4,5,6\n0,5;1;2;3;4;5;6\n",
    "not a number": f"{HEAD}\n0,1,2,3,4,5,6\n0,1,x,3,1_0,٣,0x1\n",
    "unknown and missing": "time,q.j1,q.j3,qd.j1,qd.j2,qdd.j1,ddq.j2,temperature\n",
    "another robot": "time,q.a,q.b,qd.a,qd.b,qdd.a,qdd.b\n",
    "twice": f"{HEAD},q.j1\n",
    "not text": "\x89PNG\0\n",
    "open quote": f'"{HEAD}\n',
    "overflow": f"{HEAD}\n0,0,0,0,0,0,0\n1,0,1,1e200,1e200,0,0\n",
}


def test_mistakes_are_explained(run, folder, golden):
    """Each broken table, file and robot gives its stored message and exit code."""
    files = {"broken.urdf": BROKEN, "odd.urdf": ODD, "massless.urdf": MASSLESS, "a.txt": "x",
             "latin.csv": "é", "no.npz": "not a zip"}  # fmt: skip
    for name, text in files.items():
        (folder / name).write_bytes(text.encode("latin-1" if name == "latin.csv" else "utf-8"))
    (folder / "folder.csv").mkdir()
    (folder / "there").mkdir()
    (folder / "there" / "planar_2r_mass_matrix.c").write_text("mine")
    np.savez("nameless.npz", q=np.zeros((3, 2)))
    np.savez("uneven.npz", **{"q.a": np.zeros(3), "qd.a": np.zeros(2)})
    np.savez("flat.npz", q=np.zeros(3), joints=["a", "b"])
    np.savez("unequal.npz", q=np.zeros((4, 2)), qd=np.zeros((5, 2)), joints=["a", "b"])
    np.savez("unknown.npz", foo=np.zeros((4, 2)))
    np.savez("objects.npz", time=np.array([None, 1]))
    commands = [
        "info pandas", "info nothing.urdf", "info a.txt", "info broken.urdf", "info -",
        "check broken.urdf", "check odd.urdf", "check --strict odd.urdf", "check nothing.urdf",
        "fd massless.urdf a.csv", "show planar_2r mass", "show two_arms jacobian",
        "show panda jacobian --frame link4",
        "show panda mass_matrix --frame panda_link4", "show panda mass_matrix --reference world",
        "show panda mass_matrix --tip-wrench", "show panda task_dynamics --tip-wrench",
        "show two_arms inverse_dynamics --tip-wrench", "info", "info panda ur5",
        "export planar_2r mass_matrix --out there", "export planar_2r mass_matrix --out a.txt",
        "id - -", "id planar_2r a.txt", "id planar_2r nothing.csv", "id planar_2r folder.csv",
        "id planar_2r latin.csv", "id planar_2r no.npz", "id planar_2r nameless.npz",
        "id planar_2r uneven.npz", "id planar_2r unequal.npz", "id planar_2r unknown.npz",
        "id planar_2r flat.npz", "id planar_2r objects.npz",
        "id planar_2r - nowhere/o.csv", "id planar_2r - folder.csv",
    ]  # fmt: skip
    (folder / "a.csv").write_text("q.j,qd.j,tau.j\n0,0,0\n")
    good = two_joint_table(f"{HEAD}\n0,1,2,3,4,5,6\n").encode()
    said = [shown(c, run(*c.split(), stdin=good if " - " in c else b"")) for c in commands]
    for name, text in TABLES.items():
        result = run("id", "planar_2r", "-", stdin=two_joint_table(text).encode())
        said.append(shown(f"id planar_2r - < {name}", result))
    golden("cli_messages.txt", "\n".join(said))


def shown(command, result):
    assert "Traceback" not in result.err
    out = f"{result.out}" if command.startswith("check") else ""
    return f"$ momentarm {command}\n{out}{result.err}exit code {result.code}\n"


@pytest.mark.parametrize("arguments", [
    ["inof", "panda"], ["info"], ["info", "panda", "--jsno"],
    ["id", "panda", "-", "--threads", "0"], ["id", "panda", "-", "--dtype", "float16"],
    ["show", "panda", "mass_matrix", "--stage", "x"], ["export", "panda", "mass_matrix"],
    ["cache", "verfy"],
], ids=" ".join)  # fmt: skip
def test_a_wrong_command_line_is_code_2(arguments, run):
    """A wrong verb, option or value ends with 2, a message and where to read more."""
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("momentarm: ")
    assert "\nsee: momentarm" in result.err


def test_exit_codes_of_success_and_of_each_failure(run, folder, monkeypatch):
    """0, 1, 2, 3, 4 and 130 come from success, check, usage, file, numbers and an interrupt."""
    (folder / "broken.urdf").write_text(BROKEN)
    good = two_joint_table(f"{HEAD}\n0,1,2,3,4,5,6\n").encode()
    huge = two_joint_table(TABLES["overflow"]).encode()
    codes = [run("robots").code, run("check", "broken.urdf").code, run("nonsense").code,
             run("info", "broken.urdf").code, run("id", "planar_2r", "-", "o.csv", stdin=huge).code]

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(ma.Robot, "inverse_dynamics", interrupt)
    codes.append(run("id", "planar_2r", "-", "o.csv", stdin=good).code)
    assert codes == [0, 1, 2, 3, 4, 130]
    assert os.listdir() == ["broken.urdf"]


def test_a_full_disk_leaves_the_old_file(run, folder):
    """Where the output does not fit, the old file stays as it was, nothing else is left, code 3."""
    resource = pytest.importorskip("resource")
    arm = ma.robots.planar_2r()
    write_csv(folder / "in.csv", columns_of(arm, states(arm, 2000)))
    for out in ("out.csv", "out.npz"):
        assert run("id", "planar_2r", "in.csv", "-").code == 0  # the kernel is in the cache now
        (folder / out).write_text("old")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
        try:
            result = run("id", "planar_2r", "in.csv", out, "--force")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert result.code == 3, result.err
        assert result.err.startswith(f"momentarm: {out}: cannot be written")
        assert (folder / out).read_text() == "old"
    assert sorted(os.listdir()) == ["in.csv", "out.csv", "out.npz"]


def test_what_is_no_file_is_not_replaced(run):
    """/dev/null and a full device are written to, not renamed over."""
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full on this system")
    good = two_joint_table(f"{HEAD}\n0,1,2,3,4,5,6\n").encode()
    assert run("id", "planar_2r", "-", "/dev/null", stdin=good).code == 0
    assert run("id", "planar_2r", "-", "/dev/full", stdin=good).code == 3
    assert not os.path.isfile("/dev/null")


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_reader_that_leaves_is_no_noise(folder):
    """When the reader of a pipe goes away, the command ends with 141 and says nothing."""
    arm = ma.robots.planar_2r()
    write_csv(folder / "in.csv", columns_of(arm, states(arm, 20_000)))
    for option in ([], ["--keep"], ["--json"]):
        with python("-m", "momentarm", "id", "planar_2r", "in.csv", "-", *option) as process:
            process.stdout.read(10)
            process.stdout.close()
            assert (process.wait(), process.stderr.read()) == (141, b"")


def test_heavy_libraries_wait_for_their_verb(folder):
    """`momentarm --help` and `momentarm info` import no matplotlib, sympy, bench or demo."""
    code = (
        "import sys; from momentarm.cli import main\n"
        "main(['--help']); main(['info', 'planar_2r'])\n"
        "bad = {'matplotlib', 'sympy', 'momentarm.bench', 'momentarm.demo', 'rich.progress'}\n"
        "sys.exit(str(bad & set(sys.modules)) if bad & set(sys.modules) else 0)"
    )
    with python("-c", code) as process:
        _, said = process.communicate()
    assert process.returncode == 0, said


# talk


class Terminal(io.StringIO):
    def isatty(self):
        return True


def bar(monkeypatch, patience):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(talk, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    with talk.Progress("work", 10) as progress:
        for k in range(10):
            progress.at(k)
    return terminal.getvalue()


def test_a_bar_is_for_long_work_on_terminals(monkeypatch, run, folder):
    """A bar is drawn on a terminal after the patience is over, not before, and never to a file."""
    assert "work" in bar(monkeypatch, 0)
    assert bar(monkeypatch, 60) == ""
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(talk, "PATIENCE", 0)
    good = two_joint_table(f"{HEAD}\n0,1,2,3,4,5,6\n").encode()
    assert run("id", "planar_2r", "-", stdin=good).err == ""


def test_colour_is_for_terminals_that_want_it(monkeypatch):
    """Talk is coloured on a terminal, and plain with NO_COLOR or into a file."""
    terminal, plain = Terminal(), Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stderr", terminal)
    talk.error("no [such] file")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stderr", plain)
    talk.error("no [such] file")
    assert "\x1b[" in terminal.getvalue()
    assert plain.getvalue() == "momentarm: no [such] file\n"
