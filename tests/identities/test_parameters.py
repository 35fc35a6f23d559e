"""The dynamics as a function of parameters, exact on random trees of all joint types."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from identities.matrices import times
from momentarm.algorithms import energy, newton_euler, regressor
from momentarm.model import changes, parameters
from momentarm.model.parameters import KINDS, body_of, by_body, phi
from momentarm.spatial import Vec3
from trees import MATRIX, is_exact, rational, state

every_tree = pytest.mark.parametrize("tree", MATRIX)


def numbers(kind, m):
    return KINDS[kind].values(m)


def drawn(count):
    rng = Random(count)
    return [rational(rng) for _ in range(count)]


@every_tree
def test_regressor_times_parameters_is_newton_euler(tree):
    """Y φ, with φ of each link at its own frame, is what Newton and Euler give, exactly."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    Y = regressor.regressor(by_body(m), x.q, x.qd, x.qdd)
    tau = times(Y, numbers("inertia", m))
    assert is_exact(tau)
    assert tau == newton_euler.rigid_efforts(m, x.q, x.qd, x.qdd)


@every_tree
def test_columns_belong_to_single_parameters(tree):
    """For any numbers φ, physical or not, Y φ is Newton and Euler of the robot with these φ."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    other = drawn(len(numbers("inertia", m)))
    Y = regressor.regressor(by_body(m), x.q, x.qd, x.qdd)
    changed = KINDS["inertia"].applied(m, other)
    assert times(Y, other) == newton_euler.rigid_efforts(changed, x.q, x.qd, x.qdd)


@every_tree
def test_drives_are_linear_in_their_parameters(tree):
    """Armature, damping and friction times their columns are what the drives add to rigid bodies,
    for the robot's own numbers and any others."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    Y, rigid = regressor.drive_regressor(m, x.qd, x.qdd), newton_euler.rigid_efforts
    for values in (numbers("drives", m), drawn(len(numbers("drives", m)))):
        driven = KINDS["drives"].applied(m, values)
        tau = newton_euler.inverse_dynamics(driven, x.q, x.qd, x.qdd)
        added = [a - b for a, b in zip(tau, rigid(m, x.q, x.qd, x.qdd), strict=True)]
        assert times(Y, values) == added


@every_tree
@pytest.mark.parametrize("kind", ["inertia", "drives", "gravity"])
def test_numbers_read_and_put_back_change_nothing(tree, kind):
    """A mechanism with its own numbers of a kind has the same efforts, and there is a name each."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    values, names = numbers(kind, m), KINDS[kind].names(m)
    assert len(set(names)) == len(names) == len(values)
    same = KINDS[kind].applied(m, values)
    assert newton_euler.inverse_dynamics(same, x.q, x.qd, x.qdd) == newton_euler.inverse_dynamics(
        m, x.q, x.qd, x.qdd)  # fmt: skip


@every_tree
def test_a_payload_is_a_body_carried(tree):
    """Ten numbers as payload change energy as a body fixed in the tip's frame does."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    ten = drawn(10)
    carried = changes.carrying(m, m.frames[m.tip], body_of(ten))
    loaded = KINDS["payload"].applied(m, ten)
    assert energy.lagrangian(loaded, x.q, x.qd) == energy.lagrangian(carried, x.q, x.qd)


def test_ten_numbers_are_a_body():
    """A body of point masses has φ = (Σm, Σm p, Σm (p² − p pᵀ)) and comes back from it."""
    rng = Random(5)
    points = [(abs(rational(rng)), Vec3(*(rational(rng) for _ in range(3)))) for _ in range(4)]
    m = sum(k for k, _ in points)
    first = [sum(k * [*p][a] for k, p in points) for a in range(3)]

    def second(a, b):
        return sum(k * ((p.dot(p) if a == b else 0) - [*p][a] * [*p][b]) for k, p in points)

    expected = [m, *first, second(0, 0), second(0, 1), second(1, 1), second(0, 2), second(1, 2),
                second(2, 2)]  # fmt: skip
    assert phi(body_of(expected)) == expected
    assert body_of(expected).E.xx == sum(k * p.x * p.x for k, p in points)


def test_frames_that_are_no_links_are_left_out():
    """by_body has one frame a link, on that link, whatever the file's frames are called."""
    m = MATRIX["mixed_tree_1"]
    m = replace(m, frames={**m.frames, m.links[1].name: m.frames[m.tip]})
    for i, (name, place) in enumerate(by_body(m).frames.items()):
        assert (name, place.link) == (m.links[i].name, i)


def test_turned_is_the_product_of_three_turns():
    """Rz(yaw) Ry(pitch) Rx(roll) by half-angle tangents equals the product of the three turns."""
    from identities.matrices import product
    from momentarm.spatial import Angle

    r, p, y = (Angle.half_tangent(Fraction(k, 7)) for k in (2, -3, 5))
    X = [[1, 0, 0], [0, r.c, -r.s], [0, r.s, r.c]]
    Y = [[p.c, 0, p.s], [0, 1, 0], [-p.s, 0, p.c]]
    Z = [[y.c, -y.s, 0], [y.s, y.c, 0], [0, 0, 1]]
    assert [[*row] for row in parameters.turned(r, p, y)] == product(product(Z, Y), X)
