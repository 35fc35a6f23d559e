"""The dimensional reading of constrained dynamics, whose rows come beside the mechanism."""

import pytest

from momentarm.algorithms import constrained, kinematics, task_space
from units.quantities import (
    DRIFT,
    NEWTON,
    NUMBER,
    ROWS,
    accelerations,
    effort_ratios,
    efforts,
    inputs,
    listed,
    per,
)
from units.test_dimensions import TREES, fits, measured

TASK = {"reference": "body", **ROWS}


@pytest.mark.parametrize("tree", TREES)
def test_constrained_algorithms_answer_in_their_units(tree):
    """With two rows of places held, run on units alone: q̈ in its units, λ and wrenches in N,
    projectors in ratios of efforts and of rates, efforts in theirs, pivots as pure numbers."""
    m, plain = measured(TREES[tree]), TREES[tree]
    given = inputs(plain)
    q, qd, qdd, tau = (given[k] for k in ("q", "qd", "qdd", "tau"))
    A = kinematics.jacobian(m, q, frame=m.tip, **TASK)
    b = task_space.task_drift(m, q, qd, frame=m.tip, **TASK)
    lam, u = [NEWTON] * 2, given["qdd"]
    found = {
        "forward": constrained.forward_dynamics(m, A, b, q, qd, tau),
        "inverse": constrained.inverse_dynamics(m, A, q, qd, qdd, lam),
        "allowed": constrained.allowed_accelerations(m, A, b, q, qdd),
        "violation": constrained.violation(A, b, qdd),
        "scale": constrained.violation_scale(A, b, qdd),
        "projectors": constrained.projectors(m, A, q),
        "split": constrained.split_efforts(m, A, q, tau),
        "wrench": constrained.constraint_wrench(m, A, q, lam, frame=m.tip, **TASK),
    }
    expected = {
        "forward": [accelerations(plain), lam, NUMBER],
        "inverse": efforts(plain),
        "allowed": [accelerations(plain), NUMBER],
        "violation": [DRIFT] * 2,
        "scale": [DRIFT] * 2,
        "projectors": [effort_ratios(plain)[0], per(u, u), NUMBER],
        "split": [efforts(plain), efforts(plain), NUMBER],
        "wrench": [lam, NUMBER],
    }
    assert [k for k in found if not fits(listed(found[k]), expected[k])] == []
