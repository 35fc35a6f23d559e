"""Laws of the task space and of mobility, on random trees of all joint types, without tolerance."""

from fractions import Fraction

import pytest

from identities.jets import DELTA, along, moved, part, unit
from identities.matrices import difference, product, times, transposed
from momentarm.algorithms import composite, kinematics, newton_euler, symmetric, task_space
from momentarm.spatial import ROWS
from trees import MATRIX, is_exact, state

ONE, REFERENCES = Fraction(1), ("body", "space", "world")
every_tree = pytest.mark.parametrize("tree", MATRIX)


def identity(n):
    return [unit(n, k) for k in range(n)]


def independent_rows(J):
    """As many of the six rows as are independent, by elimination in exact numbers."""
    kept, chosen = [], []
    for name, row in zip(ROWS, J, strict=True):
        rest = list(row)
        for pivot, other in kept:
            rest = [x - rest[pivot] / other[pivot] * y for x, y in zip(rest, other, strict=True)]
        if any(rest):
            kept.append((next(k for k, x in enumerate(rest) if x), rest))
            chosen.append(name)
    return tuple(chosen)


def task(tree, reference="body"):
    """Mechanism, state, options with rows that are independent, and J of these rows."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    J = kinematics.jacobian(m, x.q, frame=m.tip, reference=reference)
    rows = independent_rows(J)
    options = {"frame": m.tip, "reference": reference, "rows": rows}
    return m, x, options, [J[ROWS.index(k)] for k in rows]


@every_tree
@pytest.mark.parametrize("reference", REFERENCES)
def test_drift_is_the_jacobians_derivative_times_rates(tree, reference):
    """J̇ q̇ from accelerations at q̈ = 0 is the jet of J along q̇, times q̇, in every reference."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    step = moved(x.q, along(x.qd, DELTA), m)
    for frame in (m.tip, list(m.frames)[1], "base"):
        rate = part(kinematics.jacobian(m, step, frame=frame, reference=reference), DELTA)
        found = task_space.task_drift(m, x.q, x.qd, frame=frame, reference=reference)
        assert found == times(rate, x.qd)


@every_tree
def test_task_mass_undoes_the_mobility_of_unit_forces(tree):
    """Λ times J M⁻¹ Jᵀ, its columns solved by LᵀDL of M, is exactly 1, and Λ is symmetric."""
    m, x, options, J = task(tree)
    mass, _, pivot = task_space.task_dynamics(m, x.q, x.qd, **options)
    M = composite.mass_matrix(m, x.q)
    gives = [times(J, composite.solve(m, M, row)) for row in J]
    assert is_exact(mass)
    assert product(mass, gives) == identity(len(J))
    assert mass == transposed(mass)
    assert 0 < pivot <= 1


@every_tree
@pytest.mark.parametrize("reference", REFERENCES)
def test_forces_of_the_task_are_those_of_the_joints(tree, reference):
    """Under efforts Jᵀ F + N τ₀ the joint-space equation of motion gives J q̈ + J̇ q̇ = 𝒱̇ with
    F = Λ 𝒱̇ + η (8.89), whatever τ₀ is."""
    m, x, options, J = task(tree, reference)
    mass, eta, _ = task_space.task_dynamics(m, x.q, x.qd, **options)
    N, _ = task_space.null_space_projector(m, x.q, **options)
    wanted = x.tip_wrench[: len(J)]
    forces = [a + b for a, b in zip(times(mass, wanted), eta, strict=True)]
    through = task_space.task_efforts(m, x.q, forces, **options)
    tau = [a + b for a, b in zip(through, times(N, x.tau), strict=True)]
    free = difference(tau, newton_euler.bias_forces(m, x.q, x.qd))
    qdd = composite.solve(m, composite.mass_matrix(m, x.q), free)
    drift = task_space.task_drift(m, x.q, x.qd, **options)
    assert [a + b for a, b in zip(times(J, qdd), drift, strict=True)] == wanted


@every_tree
def test_consistent_inverse_is_a_right_inverse(tree):
    """J J̄ = 1 exactly, and M J̄ = Jᵀ Λ: q̇ = J̄ 𝒱 has no part that J does not see."""
    m, x, options, J = task(tree)
    J_bar, _ = task_space.dynamically_consistent_inverse(m, x.q, **options)
    mass, _, _ = task_space.task_dynamics(m, x.q, x.qd, **options)
    assert product(J, J_bar) == identity(len(J))
    assert product(composite.mass_matrix(m, x.q), J_bar) == product(transposed(J), mass)


@every_tree
def test_null_space_does_not_accelerate_the_task(tree):
    """N² = N, J M⁻¹ N = 0 and N Jᵀ = 0 exactly, and the trace of N is n less the rows."""
    m, x, options, J = task(tree)
    N, _ = task_space.null_space_projector(m, x.q, **options)
    M = composite.mass_matrix(m, x.q)
    zero = [[0] * m.n for _ in J]
    assert product(N, N) == N
    assert [times(J, composite.solve(m, M, c)) for c in transposed(N)] == transposed(zero)
    assert product(N, transposed(J)) == transposed(zero)
    assert sum(N[k][k] for k in range(m.n)) == m.n - len(J)


@every_tree
def test_task_forces_undo_task_efforts(tree):
    """J̄ᵀ Jᵀ F = F, and J̄ᵀ of efforts of the null space is 0."""
    m, x, options, J = task(tree)
    forces = x.tip_wrench[: len(J)]
    tau = task_space.task_efforts(m, x.q, forces, **options)
    N, _ = task_space.null_space_projector(m, x.q, **options)
    assert task_space.task_forces(m, x.q, tau, **options)[0] == forces
    assert task_space.task_forces(m, x.q, times(N, x.tau), **options)[0] == [0] * len(J)


@every_tree
def test_power_is_the_same_in_both_spaces(tree):
    """F·(J q̇) = τ·q̇ for τ = Jᵀ F (the principle of virtual work)."""
    m, x, options, J = task(tree)
    forces = x.tip_wrench[: len(J)]
    tau = task_space.task_efforts(m, x.q, forces, **options)
    power = sum(f * v for f, v in zip(forces, times(J, x.qd), strict=True))
    assert power == sum(t * v for t, v in zip(tau, x.qd, strict=True))


@pytest.mark.parametrize("tree", [k for k in MATRIX if "revolute" in k])
def test_nonredundant_task_mass_is_the_books(tree):
    """With as many rows as joints, Jᵀ Λ J = M exactly, which is Λ = J⁻ᵀ M J⁻¹ (8.90)."""
    m, x, options, J = task(tree)
    mass, _, _ = task_space.task_dynamics(m, x.q, x.qd, **options)
    if len(J) == m.n:
        assert product(transposed(J), product(mass, J)) == composite.mass_matrix(m, x.q)
    else:
        assert len(J) < m.n


def test_some_task_is_not_redundant():
    """Among the revolute trees there are tasks with as many independent rows as joints."""
    sizes = [(len(J), m.n) for m, _, _, J in (task(k) for k in MATRIX if "revolute" in k)]
    assert any(a == b for a, b in sizes)
    assert any(a < b for a, b in sizes)


@every_tree
def test_damping_is_added_to_the_mobility(tree):
    """Λ⁻¹ with damping λ less Λ⁻¹ without is λ² 1, by exact products, for all six rows of any
    tree: damping makes singular tasks solvable."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    mass, _, pivot = task_space.task_dynamics(m, x.q, x.qd, 2, frame=m.tip)
    J, M = kinematics.body_jacobian(m, x.q, frame=m.tip), composite.mass_matrix(m, x.q)
    gives = [times(J, composite.solve(m, M, row)) for row in J]
    damped = [[w + 4 * (i == j) for j, w in enumerate(row)] for i, row in enumerate(gives)]
    assert product(mass, damped) == identity(6)
    assert pivot > 0


def test_factors_solve_and_invert():
    """L D Lᵀ of a symmetric matrix solves and inverts it exactly, and the smallest pivot is the
    least ratio of neighbouring leading minors over the diagonal, worked out by hand."""
    A = [[4, 2, 0], [2, 5, 2], [0, 2, 3]]
    F = symmetric.factored([[ONE * x for x in row] for row in A])
    assert product(A, F.inverse()) == identity(3)
    assert times(A, F.solved([1, 2, 3])) == [1, 2, 3]
    assert F.smallest_pivot == ONE * 2 / 3  # pivots 4, 4, 2 over 4, 5, 3
    assert symmetric.factored([[ONE * 9, 3], [3, 2]]).smallest_pivot == ONE / 2
