"""A robot with a joint locked is the same robot where it does not move; floats, as locking is."""

from random import Random

import pytest

from momentarm.algorithms import composite, kinematics, newton_euler
from momentarm.model.canonical import merged
from momentarm.model.changes import locked
from trees import HOLONOMIC, in_floats

TOLERANCE = 1e-13  # of the largest element of each answer
every_tree = pytest.mark.parametrize("tree", HOLONOMIC)


def flat(x):
    return [z for y in x for z in flat(y)] if isinstance(x, list) else [x]


def agree(a, b):
    a, b = flat(a), flat(b)
    size = max([1.0, *map(abs, b)])
    return all(abs(x - y) <= TOLERANCE * size for x, y in zip(a, b, strict=True))


@every_tree
@pytest.mark.parametrize("form", [lambda m: m, merged], ids=["as_given", "merged"])
def test_locking_a_joint_strikes_its_row_and_column(tree, form):
    """With one joint and its followers locked, M is the whole robot's M without that row and
    column, τ is the whole robot's without that entry, and every frame is where it was."""
    whole, rng = in_floats(HOLONOMIC[tree]), Random(tree)
    for k, name in enumerate(whole.coordinates):
        q, qd, qdd = ([rng.uniform(-2, 2) for _ in range(whole.n)] for _ in range(3))
        qd[k] = qdd[k] = 0
        m = form(locked(whole, {name: [q[k]]}))
        kept = [j for j in range(whole.n) if j != k]
        short = [[x[j] for j in kept] for x in (q, qd, qdd)]
        assert [whole.coordinates[j] for j in kept] == list(m.coordinates)
        M, tau = composite.mass_matrix(whole, q), newton_euler.inverse_dynamics(whole, q, qd, qdd)
        assert agree(composite.mass_matrix(m, short[0]), [[M[i][j] for j in kept] for i in kept])
        assert agree(newton_euler.inverse_dynamics(m, *short), [tau[j] for j in kept])
        assert agree(kinematics.link_poses(m, short[0]), kinematics.link_poses(whole, q))
