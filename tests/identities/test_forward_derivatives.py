"""Derivatives of forward dynamics are those of jets, exactly."""

import pytest

from identities.jets import DELTA, gradient, moved, part, unit
from identities.matrices import transposed
from identities.test_derivatives import dryless
from momentarm.algorithms import composite, derivatives, forward_dynamics
from trees import MATRIX, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)


def case(tree):
    m, x = dryless(MATRIX[tree]), state(MATRIX[tree])
    tau = [3 * a - b for a, b in zip(x.qdd, x.qd, strict=True)]
    return m, x, tau


@every_tree
def test_displacements_change_accelerations_as_jets_say(tree):
    """∂q̈/∂q, along the rates, is the first part of forward dynamics by LᵀDL on jets of q."""
    m, x, tau = case(tree)
    D_q, _, _ = derivatives.forward_dynamics_derivatives(m, x.q, x.qd, tau)
    slope = gradient(lambda q: forward_dynamics.by_mass_matrix(m, q, x.qd, tau), x.q, m)
    assert is_exact(D_q)
    assert transposed(slope) == D_q


@every_tree
def test_rates_change_accelerations_as_jets_say(tree):
    """∂q̈/∂q̇ is the first part of forward dynamics, by articulated bodies where no joint follows
    another, on jets of q̇."""
    m, x, tau = case(tree)
    _, D_qd, _ = derivatives.forward_dynamics_derivatives(m, x.q, x.qd, tau)
    ways = forward_dynamics.by_articulated_bodies, forward_dynamics.by_mass_matrix
    way = ways[m.is_coupled]
    columns = [
        part(way(m, x.q, moved(x.qd, unit(m.n, k, DELTA)), tau), DELTA) for k in range(m.n)
    ]
    assert transposed(columns) == D_qd


@every_tree
def test_efforts_change_accelerations_by_the_inverse_of_the_mass_matrix(tree):
    """∂q̈/∂τ is symmetric, and times M of composite bodies it is 1."""
    m, x, tau = case(tree)
    _, _, inverse = derivatives.forward_dynamics_derivatives(m, x.q, x.qd, tau)
    assert transposed(inverse) == inverse
    M = composite.mass_matrix(m, x.q)
    product = [[sum(a * b for a, b in zip(row, column, strict=True)) for column in inverse]
               for row in M]  # fmt: skip
    assert product == [unit(m.n, k) for k in range(m.n)]
