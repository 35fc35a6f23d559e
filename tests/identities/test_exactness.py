"""Rational numbers in, rational numbers out: nothing in the physics turns them into floats."""

from dataclasses import replace
from fractions import Fraction

import pytest

import trees
from momentarm.algorithms import composite, energy, forward_dynamics, kinematics, newton_euler
from momentarm.model import Joint, Link, Mechanism
from momentarm.spatial import Angle, Rotation, Transform, TurnX, TurnZ, Vec3
from momentarm.textbook import screws
from trees import MATRIX, is_exact, state


def every_answer(m, x):
    return [
        newton_euler.inverse_dynamics(m, x.q, x.qd, x.qdd, x.tip_wrench),
        newton_euler.tip_forces(m, x.q, x.tip_wrench),
        screws.inverse_dynamics(m, x.q, x.qd, x.qdd),
        composite.mass_matrix(m, x.q),
        composite.mass_matrix_halfway(m, x.q),
        forward_dynamics.by_mass_matrix(m, x.q, x.qd, x.tau),
        [] if m.is_coupled else forward_dynamics.by_articulated_bodies(m, x.q, x.qd, x.tau),
        energy.kinetic_energy(m, x.q, x.qd),
        energy.potential_energy(m, x.q),
        kinematics.link_poses(m, x.q),
        kinematics.body_jacobian(m, x.q, frame=m.tip),
        kinematics.world_jacobian(m, x.q, frame=m.tip),
    ]


@pytest.mark.parametrize("tree", MATRIX)
def test_no_float_appears(tree):
    """Every algorithm answers a rational state of a rational robot in int and Fraction only."""
    assert is_exact(every_answer(MATRIX[tree], state(MATRIX[tree])))


@pytest.mark.parametrize("quarter", [(0, 1), (0, -1), (-1, 0)])
def test_quarter_turns_in_whole_numbers_stay_exact(quarter):
    """A quarter turn about x in whole numbers, as formats write it, followed by a rational turn
    about z gives rational coordinates."""
    angle = Angle.half_tangent(Fraction(1, 2))
    R = Rotation.of(TurnX(*quarter), TurnZ(angle.c, angle.s))
    assert is_exact([*(R @ Vec3(1, 2, 3)), *(R.T @ Vec3(1, 2, 3))])


def screw(pitch) -> Mechanism:
    joint = Joint("j", "helical", pitch)
    body = trees.body([(Fraction(2), Vec3(1, 2, 3)), (Fraction(1), Vec3(0, 1, 0))])
    turned = Transform(Rotation.of(TurnX(Fraction(3, 5), Fraction(4, 5))), Vec3(1, 0, 2))
    link = Link("l", -1, joint, turned, body)
    return Mechanism("screw", (link,), frames={"l": trees.Frame(0)}, tip="l",
                     gravity=Vec3(1, 2, 3))  # fmt: skip


@pytest.mark.parametrize("pitch", [Fraction(2), 1, Fraction(1)])
def test_screw_of_any_pitch_slides_by_a_number(pitch):
    """A screw answers a rational angle in rational numbers, whatever its metres per radian."""
    m = screw(pitch)
    q = [Angle.half_tangent(Fraction(1, 3), Fraction(5, 7))]
    assert is_exact(every_answer(m, replace(state(m), q=q)))
