"""The book's closed form in stacked matrices is the recursion's dynamics, without tolerance."""

from dataclasses import replace

import pytest

from identities.jets import EPSILON, along, moved, part
from identities.matrices import times
from momentarm.algorithms import composite, newton_euler
from momentarm.model import IDEAL
from momentarm.textbook import stacked
from trees import MATRIX, state

every_tree = pytest.mark.parametrize("tree", [name for name in MATRIX if name.endswith("_1")])


def bare(m):
    """Without armature, which stands on the diagonal of M."""
    return m.with_links([replace(k, joint=replace(k.joint, actuator=IDEAL)) for k in m.links])


@every_tree
def test_stacked_mass_matrix_is_that_of_composite_bodies(tree):
    """𝒜ᵀℒᵀ𝒢ℒ𝒜 of (8.78) equals M of composite bodies."""
    m, x = bare(MATRIX[tree]), state(MATRIX[tree])
    assert stacked.mass_matrix(m, x.q) == composite.mass_matrix(m, x.q)


@every_tree
def test_stacked_forces_are_those_of_newton_and_euler(tree):
    """(8.79), (8.80) and 𝒜ᵀℒᵀℱ equal the Coriolis, gravity and tip forces of the recursion."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    assert stacked.coriolis_forces(m, x.q, x.qd) == newton_euler.coriolis_forces(m, x.q, x.qd)
    assert stacked.gravity_forces(m, x.q) == newton_euler.gravity_forces(m, x.q)
    tip = stacked.tip_forces(m, x.q, x.tip_wrench)
    assert tip == newton_euler.tip_forces(m, x.q, x.tip_wrench)


@every_tree
def test_carrying_twists_is_nilpotent(tree):
    """𝒲 to the number of links is zero, so that (1 − 𝒲) ℒ = 1 with the finite series of (8.76)."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    s = stacked.Stacked.of(m, x.q)
    for j in range(len(s.L)):
        column = [row[j] for row in s.L]
        carried = times(s.W, column)
        assert [a - b for a, b in zip(column, carried, strict=True)] == [
            1 if i == j else 0 for i in range(len(column))
        ]


@every_tree
def test_closed_form_of_the_mass_matrix_rate_is_its_derivative(tree):
    """Ṁ of exercise 8.7 is the first part of composite bodies' M on jets along the motion."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    M_dot = part(composite.mass_matrix(m, moved(x.q, along(x.qd, EPSILON), m)), EPSILON)
    assert stacked.mass_matrix_dot(m, x.q, x.qd) == M_dot
