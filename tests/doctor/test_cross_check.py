"""The cross-check agrees on sound robots, and says so where a formulation is made wrong."""

import json
from dataclasses import replace

import numpy as np
import pytest

import momentarm as ma
import trees
from momentarm.algorithms import composite, newton_euler
from momentarm.answers.options import settled
from momentarm.cli import main
from momentarm.doctor import crossing, laws
from momentarm.doctor.cross import Subject, apart
from momentarm.kernels.kernel import Kernel
from momentarm.quantities import QUANTITIES
from momentarm.spatial import NO_INERTIA

SMALL = {
    "mixed": trees.mechanism(1, ("continuous", "prismatic", "fixed", "helical"), 4, 0.6),
    "free": trees.mechanism(2, ("free", "revolute"), 2),
    "spherical": trees.mechanism(3, ("spherical", "prismatic"), 2),
    "coupled": trees.mechanism(1, ("revolute", "helical"), 4, 0, trees.couple),
}


@pytest.mark.parametrize("name", SMALL)
def test_random_trees_agree(name):
    """On trees of every joint type all formulations agree, each quantity in at least two ways."""
    arm = ma.Robot(trees.in_floats(SMALL[name]))
    found = arm.cross_check(states=2)
    assert found.agrees, str(found)
    compared = {row.quantity for row in found.rows if row.error is not None}
    refused = {row.quantity for row in found.rows if row.error is None}
    assert compared | refused == set(QUANTITIES)
    singular = {row.name for row in QUANTITIES.values() if "pivot" in dict(row.outputs)}
    assert refused <= {"christoffel", *singular}  # with quaternions; of a tip that cannot turn


@pytest.mark.parametrize("name", ["scara", "gripper"])
def test_bundled_robots_agree(name):
    """On bundled robots all agree, and a kernel's batch has the bits of its single calls."""
    found = getattr(ma.robots, name)().cross_check(states=3)
    assert found.agrees, str(found)
    assert {row.error for row in found.rows if row.unit == "bits"} == {0.0}


def disagreeing(arm, **options):
    return {(row.quantity, row.right) for row in arm.cross_check(states=2, **options).rows
            if not row.agrees}  # fmt: skip


def tilted(function, factor=1 + 1e-9):
    """The same function, all of its numbers a little too large."""
    def wrong(*args, **named):
        result = function(*args, **named)
        return [[x * factor for x in row] if isinstance(row, list) else row * factor
                for row in result]  # fmt: skip

    return wrong


def test_a_wrong_route_is_caught(monkeypatch):
    """A second route to M that is off by 1e-9 disagrees with the first, as what is made of it."""
    _, route = QUANTITIES["mass_matrix"].algorithms
    function = QUANTITIES["mass_matrix"].algorithms[route].partition(".")[2]
    monkeypatch.setattr(composite, function, tilted(getattr(composite, function)))
    arm = ma.robots.planar_3r().with_payload(0.125)  # kernels of no other test
    found = disagreeing(arm)
    assert ("mass_matrix", route) in found
    assert {quantity for quantity, _ in found} <= {"mass_matrix", "mass_matrix_inverse"}


def test_a_wrong_textbook_is_caught(monkeypatch):
    """A textbook formulation that is off by 1e-9 disagrees with the quantity it gives."""
    book = laws._book(tilted(composite.mass_matrix), "mass_matrix", "q")
    rows = tuple(replace(row, error=book) if row.right == laws.STACKED and
                 row.quantity == "mass_matrix" else row for row in laws.LAWS)  # fmt: skip
    monkeypatch.setattr(crossing, "LAWS", rows)
    assert disagreeing(ma.robots.planar_2r()) == {("mass_matrix", laws.STACKED)}


def test_a_wrong_algorithm_is_caught_by_the_laws(monkeypatch):
    """Gravity with its sign turned, in algorithm and kernel alike, breaks ∂V/∂q and the book."""
    right = newton_euler.gravity_forces
    monkeypatch.setattr(newton_euler, "gravity_forces", tilted(right, -1))
    arm = ma.robots.planar_2r().with_payload(0.25)
    found = {row for row in disagreeing(arm) if row[0] == "gravity_forces"}
    assert found == {("gravity_forces", "∂V/∂q"), ("gravity_forces", laws.STACKED)}


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: f"{law.quantity}: {law.right}")
def test_every_law_holds_and_may_break(law, monkeypatch):
    """Each law holds at a state of an arm, and breaks where the quantity it is about is off by a
    thousandth or more, each element by another share."""
    arm, rng, right = ma.robots.planar_3r(), np.random.default_rng(1), Subject.value
    m = arm.mechanism
    s = Subject(m, [crossing._state(m, arm.random_q(rng), rng)], lambda k: settled(k, {}, arm))
    slack = crossing.allowed(law.unit, m, crossing._condition(s)[0])
    assert law.worst(s) <= slack

    def value(self, name, *args, **named):
        first, *rest = right(self, name, *args, **named)
        shares = 1e-3 * np.arange(1, first.size + 1).reshape(first.shape)
        return [first * (1 + shares) if name == law.quantity else first, *rest]

    monkeypatch.setattr(Subject, "value", value)
    assert law.worst(s) > slack


def test_a_wrong_compiler_is_caught(monkeypatch):
    """Machine code whose results are off by 1e-9 disagrees with the algorithm run in floats."""
    right = Kernel.builtin

    def builtin(self, general, signature=""):
        function = right(self, general, signature)
        return lambda *args: _scaled(function(*args))

    monkeypatch.setattr(Kernel, "builtin", builtin)
    found = disagreeing(ma.robots.planar_2r())
    assert {("inverse_dynamics", "its kernel"), ("inverse_dynamics", "batch kernel")} <= found
    assert {right for _, right in found} == {"its kernel", "batch kernel"}


def _scaled(result):
    if isinstance(result, tuple):
        return tuple(x * (1 + 1e-9) for x in result)
    return result * (1 + 1e-9)


def test_an_unsteady_batch_is_caught(monkeypatch):
    """A batch that differs from single calls in its last bit disagrees, by bits alone."""
    right = Kernel.__call__

    def call(self, *args, **named):
        result = right(self, *args, **named)
        return np.nextafter(result, np.inf) if self.recipe.name == "gravity_forces" else result

    monkeypatch.setattr(Kernel, "__call__", call)
    assert disagreeing(ma.robots.planar_2r()) == {("gravity_forces", "batch kernel")}


def test_a_singular_robot_is_left_out_with_the_reason():
    """Forward dynamics of a robot with a massless mover is left out, all else is compared."""
    m = ma.robots.planar_2r().mechanism
    last = replace(m.links[-1], inertia=NO_INERTIA)
    found = ma.Robot(m.with_links([*m.links[:-1], last])).cross_check(states=2)
    left_out = {row.quantity: row.reason for row in found.rows if row.error is None}
    assert set(left_out.values()) == {"M is singular or not positive"}
    assert {"forward_dynamics", "step"} <= set(left_out)
    assert found.agrees
    assert "left out" in str(found)


def test_the_difference_is_relative_to_what_is_compared():
    """apart is |a − b| over the largest number, never of nothing, infinite for a lone NaN."""
    assert apart([1, 2], [1, 4]) == 0.5
    assert apart([0, 0], [0, 0]) == 0
    assert apart([1e-16], [0], size=10) == pytest.approx(1e-17)
    assert apart([np.nan], [1]) == np.inf
    assert apart([], []) == 0


def test_cross_is_a_flag_of_check(capsys):
    """check --cross prints the table and ends with 0; with --json it is data; a fault gives 1."""
    assert main(["check", "planar_2r", "--cross"]) == 0
    assert "all agree" in capsys.readouterr().out
    assert main(["check", "planar_2r", "--cross", "--json"]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert file["cross"]["agrees"] is True
    assert {"quantity", "left", "right", "error", "allowed"} <= set(file["cross"]["rows"][0])


def test_a_disagreement_is_exit_code_1(monkeypatch, capsys):
    """check --cross ends with 1 where formulations disagree, and names the row."""
    monkeypatch.setattr(crossing, "ROUNDING", -1.0)
    assert main(["check", "planar_2r", "--cross"]) == 1
    assert "DISAGREE" in capsys.readouterr().out
