"""`momentarm bench`: the report is whole, says what is missing, and compares like with like.

What is slow is not run, and no time is judged: times belong to the machine they were measured on.
"""

import json
import os
import sys

import numpy as np
import pytest

import momentarm as ma
from momentarm.bench import run
from momentarm.bench.accuracy import in_numbers
from momentarm.bench.bits import differing
from momentarm.bench.chains import exponent
from momentarm.bench.clock import Contender, one_core, times
from momentarm.bench.norm import normwise
from momentarm.bench.report import Report, Row, Spread
from momentarm.bench.subjects import body, bundled, general_arm, states
from momentarm.bench.targets import TARGETS
from momentarm.bench.urdf_text import urdf_text
from momentarm.quantities import QUANTITIES

RACES = ("id_batch", "fd_batch", "m_batch", "id_call", "fd_call", "id_derivatives_batch")
BOOK = ("book_call", "book_trajectory", "coriolis_call", "christoffel_call")
HUMANOID = [key for key in TARGETS if key.startswith("humanoid_")]
COUNTS = [key for key in TARGETS if key.startswith("ops_")]
EXACT = [key for key in TARGETS if key.startswith(("bits_", "error_", "round_"))]


@pytest.fixture(scope="module")
def heard():
    return []


@pytest.fixture(scope="module")
def report(heard):
    return run(peers=False, quick=True, progress=heard.append)


# --- the report ---


def test_the_report_has_every_row_once_and_in_order(report, heard):
    """A run has exactly the rows of the targets, in their order, and tells of each when done."""
    assert [row.key for row in report.rows] == list(TARGETS)
    assert len(heard) == len(TARGETS)


def test_a_row_without_a_number_says_why(report):
    """Without peers and slow rows exactly the races, the large batches and the chains lack a
    number, and each says why in a few words."""
    missing = {row.key: row.verdict for row in report.rows if row.value is None}
    slow = {"id_large", "id_threads", "compile_id", "compile_fd", *HUMANOID}
    assert missing.keys() - {"bits_c"} == {*RACES, *BOOK} | slow
    assert {missing[key] for key in (*RACES, *BOOK)} == {"peer not asked for"}
    assert all("skipped" in missing[key] for key in slow)


def test_the_report_is_plain_data(report):
    """What `as_dict` gives survives JSON unchanged, with no NaN and no infinity."""
    data = report.as_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert {row["key"] for row in data["rows"]} == set(TARGETS)


def test_the_table_says_everything(report):
    """The table names every row, its verdict, the processor and all versions, and no line ends in
    blanks."""
    text = report.table()
    for row in report.rows:
        assert row.target.what in text
        assert row.verdict in text
    assert report.machine["processor"] in text
    assert all(version in text for version in report.machine["versions"].values())
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("key", COUNTS)
def test_operation_counts_keep_their_promise(report, key):
    """Each counted program needs at most the operations that were promised."""
    assert report[key].verdict in ("must", "aim"), report[key].note


@pytest.mark.parametrize("key", EXACT)
def test_accuracy_keeps_its_promise(report, key):
    """Errors to 50 digits, round trips and differing bits stay within what was promised, where
    mpmath and a C compiler are there to tell."""
    assert report[key].verdict in ("must", "aim") or report[key].value is None, report[key].note


def test_the_cores_of_this_process_are_given_back():
    """Within `one_core` a process may use one core, after it those from before, errors or not."""
    if not hasattr(os, "sched_getaffinity"):
        return
    before = os.sched_getaffinity(0)
    seen = []

    def fails():
        with one_core() as core:
            seen.append(os.sched_getaffinity(0) == {core})
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert seen == [True]
    assert os.sched_getaffinity(0) == before


# --- verdicts and arithmetic, against numbers worked by hand ---


@pytest.mark.parametrize(
    ("key", "value", "bits", "verdict"),
    [
        ("id_batch", 39.9, 512, "missed"),
        ("id_batch", 40, 512, "must"),
        ("id_batch", 60, 512, "aim"),
        ("id_batch", 20, 256, "must"),
        ("id_call", 4.9, 256, "missed"),
        ("ops_6r_id", 726, 512, "missed"),
        ("ops_6r_id", 650, 512, "aim"),
        ("bits_c", 1, 512, "missed"),
        ("bits_c", 0, 512, "must"),
        ("id_large", 17, 512, "for information"),
    ],
)
def test_verdicts(key, value, bits, verdict):
    """A value is judged by its target from the right side, batches in proportion to the vectors."""
    assert Row(TARGETS[key], value, vector_bits=bits).verdict == verdict


def test_a_missed_promise_is_seen_in_the_table():
    """One operation too many turns the row's verdict in the table to "missed"."""
    table = Report({}, (Row(TARGETS["ops_ur5"], 291),)).table()
    assert table.splitlines()[-1].endswith("missed")


def test_spread_of_five_times():
    """Of 1, 2, 3, 4, 100 the least is 1, the median 3 and the middle half from 2 to 4."""
    assert Spread.of([100, 3, 1, 4, 2]) == Spread(1, 3, 2, 4, 5)


@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_the_exponent_is_that_of_the_law(p):
    """Times of 3 nᵖ have the exponent p."""
    assert exponent({n: 3 * n**p for n in (50, 100, 500)}) == pytest.approx(p, abs=1e-9)


def test_contenders_take_turns():
    """Contenders are timed turn and turn about, each as often, and per state."""
    order = []
    both = {k: Contender(f"note({k!r}); sleep(0.003)", {"note": order.append, "sleep": slept})
            for k in "ab"}  # fmt: skip
    found = times(both, 4)
    assert "".join(order[-8:]) == "abababab"
    assert [len(x) for x in found.values()] == [4, 4]


def slept(seconds):
    import time

    time.sleep(seconds)


def test_one_flipped_bit_is_counted():
    """The sign of a zero and the last bit of a number each count as one difference."""
    a = np.array([0.0, 1.0, 2.0])
    b = np.array([-0.0, np.nextafter(1.0, 2.0), 2.0])
    assert differing(a, b) == (2, 3)


def test_the_fifty_digits_leave_no_float_behind():
    """A mechanism read into other numbers has no float left in its links."""
    from fractions import Fraction

    text = repr(in_numbers(Fraction, bundled("panda").mechanism).links)
    assert "Fraction(" in text
    assert "." not in text.replace("momentarm.", "").split("Limits")[0]


# --- the same physics on both sides ---


@pytest.mark.parametrize("name", ["panda", "ur5", "stanford", "two_arms", "general"])
def test_the_urdf_given_to_peers_is_the_same_robot(name, tmp_path):
    """The URDF text written for other libraries, read by our own reader, has the torques and mass
    matrix of the robot it was made of, to 1e-12."""
    robot = general_arm(6) if name == "general" else bundled(name)
    file = tmp_path / "robot.urdf"
    file.write_text(urdf_text(robot.mechanism), encoding="utf-8")
    again = ma.load(file).with_gravity(robot.gravity)
    q, qd, qdd = states(robot, 20)
    order = [again.joint_names.index(k) for k in robot.joint_names]
    back = np.argsort(order)
    tau = again.inverse_dynamics(q[:, back], qd[:, back], qdd[:, back])[:, order]
    assert normwise(tau, robot.inverse_dynamics(q, qd, qdd)) < 1e-12
    M = again.mass_matrix(q[:, back])[:, order][:, :, order]
    assert normwise(M, robot.mass_matrix(q)) < 1e-12


def test_what_urdf_cannot_say_is_refused():
    """A robot with mimic joints is not written for peers but refused by name."""
    with pytest.raises(ValueError, match="gripper: expected ideal, uncoupled"):
        urdf_text(bundled("gripper").mechanism)


def test_bodies_of_general_arms_are_physical():
    """The general arm's inertias are positive and keep the triangle inequality, as no general arm
    may be easier than a real one."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        moments = np.linalg.eigvalsh(np.array(body(rng)["inertia"]))
        assert moments[0] > 0
        assert moments[0] + moments[1] > moments[2]


def test_general_arms_are_general():
    """No number of the general 6R arm but those of its first joint's place is zero or repeated."""
    first, *rest = general_arm(6).mechanism.links
    assert first.placement.origin == type(first.placement.origin)(0, 0, 0)
    numbers = [x for link in rest for row in link.placement.matrix[:3] for x in row[3:]]
    numbers += [link.inertia.m for link in (first, *rest)]
    assert len({*numbers}) == len(numbers)
    assert 0 not in numbers


def test_without_the_peer_its_rows_say_so(monkeypatch):
    """Where Pinocchio cannot be imported the report's races say "peer not installed" and give our
    own times."""
    from momentarm.bench import large, speed

    monkeypatch.setitem(sys.modules, "pinocchio", None)
    rows = {row.key: row for room in (speed, large) for row in room.rows(peers=True, quick=True)}
    assert {rows[key].verdict for key in RACES} == {"peer not installed"}
    assert all(rows[key].details["ours"]["least"] > 0 for key in RACES)


def test_without_the_book_its_rows_say_so(monkeypatch):
    """Where the book's package and the toolbox cannot be imported their rows say so."""
    from momentarm.bench import book

    for name in book.PEERS.values():
        monkeypatch.setitem(sys.modules, name, None)
    rows = {row.key: row for row in book.rows(peers=True, quick=True)}
    assert {key: row.verdict for key, row in rows.items()} == dict.fromkeys(
        BOOK, "peer not installed")  # fmt: skip


@pytest.mark.peers
@pytest.mark.parametrize("key", BOOK)
def test_both_sides_of_a_race_with_the_book_compute_the_same(key, monkeypatch):
    """With the peer there, both sides of each race with it agree to 1e-12, and were the limit below
    their difference an error would name the race."""
    from momentarm.bench import book
    from momentarm.bench.peer import Disagreement

    needed = {"coriolis_call": "coriolis_matrix", "christoffel_call": "christoffel"}.get(key)
    if needed is None or needed in QUANTITIES:
        peer = book.imported(book.PEERS[key])
        ours, _ = book.sides(key, peer)
        assert ours.statement.startswith("f(")
        monkeypatch.setattr(book, "AGREE", -1.0)
        with pytest.raises(Disagreement, match=f"{key}: results differ"):
            book.sides(key, peer)


@pytest.mark.peers
def test_ratios_compare_the_same_physics():
    """Pinocchio, given the URDF text, agrees with us on torques, mass matrix and accelerations to
    1e-12, the last over the condition of the mass matrix."""
    from momentarm.bench.peer import Pinocchio

    for robot in (bundled("panda"), general_arm(6)):
        assert max(Pinocchio.of(robot).differences(robot).values()) < 1e-12


@pytest.mark.peers
def test_another_robot_is_not_raced(monkeypatch):
    """If the text given to Pinocchio is that of another robot, nothing is timed and an error says
    so."""
    from momentarm.bench import peer

    def heavier(mechanism):
        return urdf_text(mechanism).replace('mass value="', 'mass value="1')

    monkeypatch.setattr(peer, "urdf_text", heavier)
    with pytest.raises(peer.Disagreement, match="panda: results differ"):
        peer.Pinocchio.of(bundled("panda"))


@pytest.mark.peers
def test_both_sides_of_a_race_compute_the_same():
    """With the peer there, what the timed statements of each race return agrees to 1e-10, on the
    very arrays that are timed."""
    from momentarm.bench import speed
    from momentarm.bench.peer import Pinocchio

    robot = bundled("panda")
    peer = Pinocchio.of(robot)
    for key in RACES[:2] + RACES[3:5]:
        ours, theirs = speed.sides(key, robot, peer)
        mine, other = result(ours), result(theirs)
        assert normwise(mine, other.T if other.ndim == 2 else other) < 1e-10


def result(contender):
    """What a timed statement computes: into `out`, or as its value."""
    names = dict(contender.names)
    value = eval(contender.statement, names)
    return np.array(names["out"] if value is None else value)


def test_without_its_file_the_humanoid_says_so(monkeypatch):
    """Where example-robot-data is not installed the humanoid's rows say that, and have no value."""
    from momentarm.bench import large

    monkeypatch.setattr(large, "urdf", lambda: None)
    *_, a, b, c, d = large.rows(peers=False, quick=False)
    assert {row.why for row in (a, b, c, d)} == {"example-robot-data not installed"}
    assert [row.key for row in (a, b, c, d)] == HUMANOID


@pytest.mark.peers
def test_both_sides_have_the_same_humanoid():
    """What is timed of the humanoid on both sides are the same torques and accelerations of the
    same states, to 1e-10, elements of both in the order of the other."""
    from momentarm.bench.large import Humanoid, urdf

    both = Humanoid.of(urdf())
    peer = both.peer()
    assert both.robot.n == 38
    _, at_v = both.order(peer)
    for key in ("humanoid_id", "humanoid_fd"):
        mine, other = result(both.ours(key)), result(both.theirs(key, peer))
        assert normwise(mine, (other.T if len(other) == 38 else other)[:, at_v]) < 1e-10
