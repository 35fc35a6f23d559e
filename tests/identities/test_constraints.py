"""Laws of constrained motion, on random trees of all joint types, without tolerance."""

from fractions import Fraction

import pytest

from identities.jets import DELTA, along, moved, part, unit
from identities.matrices import product, rotation_and_place, times, transposed
from identities.test_task_space import independent_rows
from momentarm.algorithms import (
    composite,
    constrained,
    constraints,
    kinematics,
    newton_euler,
    task_space,
)
from momentarm.spatial import ROWS
from trees import MATRIX, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)


def frames_of(m):
    """The tip and a frame against which it moves, if possible not the base's."""
    q, inner = state(m).q, [k for k, f in m.frames.items() if f.link >= 0]
    moves = (k for k in (*inner, "base")
             if any(map(any, constraints.closure(m, q, frame=m.tip, on=k, rows=ROWS))))  # fmt: skip
    return m.tip, next(moves)


def closing(tree):
    """Mechanism, state, A and Ȧ q̇ of independent rows between two frames, at least one too few."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    frame, on = frames_of(m)
    A = constraints.closure(m, x.q, frame=frame, on=on, rows=ROWS)
    rows = independent_rows(A)[: m.n - 1]
    b = constraints.closure_bias(m, x.q, x.qd, frame=frame, on=on, rows=rows)
    return m, x, [A[ROWS.index(k)] for k in rows], b


def relative_pose(m, q, frame, on):
    """R and d of a frame as seen from another, from homogeneous matrices."""
    (R, p), (S, o) = (rotation_and_place(kinematics.forward_kinematics(m, q, frame=k))
                      for k in (frame, on))  # fmt: skip
    back = transposed(S)
    return product(back, R), times(back, [a - b for a, b in zip(p, o, strict=True)])


@every_tree
def test_rows_of_a_loop_are_derivatives_of_the_relative_pose(tree):
    """A's lower rows are the jet of d, seen from the other frame, and ω of its upper ones turns R:
    Ṙ = [ω] R, along any rates and for any two frames."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    step = moved(x.q, along(x.qd, DELTA), m)
    for frame, on in (frames_of(m), ("base", m.tip), (m.tip, "origin")):
        rates = times(constraints.closure(m, x.q, frame=frame, on=on, rows=ROWS), x.qd)
        R, d = relative_pose(m, step, frame, on)
        wx, wy, wz = rates[:3]
        assert part(d, DELTA) == rates[3:]
        R_now = relative_pose(m, x.q, frame, on)[0]
        assert part(R, DELTA) == product([[0, -wz, wy], [wz, 0, -wx], [-wy, wx, 0]], R_now)


@every_tree
def test_bias_of_a_loop_is_the_derivative_of_its_rows(tree):
    """Ȧ q̇ from the frames' accelerations is the jet of A along q̇, times q̇."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    step = moved(x.q, along(x.qd, DELTA), m)
    for frame, on in (frames_of(m), ("base", m.tip)):
        options = {"frame": frame, "on": on, "rows": ROWS}
        rate = part(constraints.closure(m, step, **options), DELTA)
        assert constraints.closure_bias(m, x.q, x.qd, **options) == times(rate, x.qd)


@every_tree
def test_errors_of_a_loop_are_places_and_small_turns(tree):
    """Lower errors of a loop are d itself; errors of a turn are 0 where the frames agree, and near
    there change as A says: about all axes, and about two where the third is free."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    frame, on = frames_of(m)
    options = {"frame": frame, "on": on}
    errors = constraints.closure_errors(m, x.q, rows=ROWS, **options)
    assert errors[3:] == relative_pose(m, x.q, frame, on)[1]
    at = kinematics.forward_kinematics(m, x.q, frame=frame)
    step = moved(x.q, along(x.qd, DELTA), m)
    for rows in (ROWS, ("rx", "ry", "z"), ("x", "rz", "ry"), ("rx", "rz"), ("y",)):
        held = {"frame": frame, "at": at, "rows": rows}
        assert not any(constraints.holding_errors(m, x.q, **held))
        slope = part(constraints.holding_errors(m, step, **held), DELTA)
        assert slope == times(constraints.holding(m, x.q, **held), x.qd)


def test_one_turning_row_has_no_error():
    """A row of turning about a single axis is no rate of a place: its error is 0 far away, too."""
    m = MATRIX["revolute_chain_1"]
    x, far = state(m), state(m, 1)
    at = kinematics.forward_kinematics(m, far.q, frame=m.tip)
    errors = constraints.holding_errors(m, x.q, frame=m.tip, at=at, rows=("rz", "x"))
    assert errors[0] == 0
    assert errors[1] != 0


@every_tree
def test_constrained_forward_dynamics_solves_both_equations(tree):
    """q̈ and λ satisfy M q̈ + h + friction + Aᵀ λ = τ (8.93), with Newton and Euler's efforts, and
    A q̈ + Ȧ q̇ = 0 (8.95), exactly."""
    m, x, A, b = closing(tree)
    qdd, lam, pivot = constrained.forward_dynamics(m, A, b, x.q, x.qd, x.tau)
    assert is_exact([*qdd, *lam])
    needed = newton_euler.inverse_dynamics(m, x.q, x.qd, qdd)
    pressed = times(transposed(A), lam)
    assert [a + c for a, c in zip(needed, pressed, strict=True)] == x.tau
    assert [a + c for a, c in zip(times(A, qdd), b, strict=True)] == [0] * len(A)
    assert 0 < pivot <= 1


@every_tree
def test_constrained_inverse_and_forward_dynamics_are_inverses(tree):
    """Efforts of an allowed q̈ and any λ give both back."""
    m, x, A, b = closing(tree)
    qdd, _ = constrained.allowed_accelerations(m, A, b, x.q, x.qdd)
    lam = x.tip_wrench[: len(A)]
    tau = constrained.inverse_dynamics(m, A, x.q, x.qd, qdd, lam)
    assert constrained.forward_dynamics(m, A, b, x.q, x.qd, tau)[:2] == (qdd, lam)


@every_tree
def test_allowed_accelerations_are_the_nearest(tree):
    """A q̈' + Ȧ q̇ = 0, an allowed q̈ stays, and M (q̈ − q̈') is at right angles to every rate that
    the constraints allow: the least constraint of Gauss."""
    m, x, A, b = closing(tree)
    allowed, _ = constrained.allowed_accelerations(m, A, b, x.q, x.qdd)
    assert not any(constrained.violation(A, b, allowed))
    assert constrained.allowed_accelerations(m, A, b, x.q, allowed)[0] == allowed
    _, P_qdd, _ = constrained.projectors(m, A, x.q)
    away = [u - v for u, v in zip(x.qdd, allowed, strict=True)]
    push = times(composite.mass_matrix(m, x.q), away)
    assert times(transposed(P_qdd), push) == [0] * m.n


@every_tree
def test_projectors_are_the_books(tree):
    """P² = P, P Aᵀ = 0, A P_q̈ = 0, M P_q̈ = P M (8.102), and P's rank, its trace, is n − k."""
    m, x, A, _ = closing(tree)
    P, P_qdd, _ = constrained.projectors(m, A, x.q)
    M, k = composite.mass_matrix(m, x.q), len(A)
    assert product(P, P) == P
    assert product(P, transposed(A)) == [[0] * k] * m.n
    assert product(A, P_qdd) == [[0] * m.n] * k
    assert product(M, P_qdd) == product(P, M)
    assert sum(P[i][i] for i in range(m.n)) == m.n - k
    assert transposed(P) == P_qdd


@every_tree
def test_projected_dynamics_hold(tree):
    """P τ = P (M q̈ + h + friction) (8.99) for the motion under τ, and λ drops out of it."""
    m, x, A, b = closing(tree)
    qdd, _, _ = constrained.forward_dynamics(m, A, b, x.q, x.qd, x.tau)
    P, _, _ = constrained.projectors(m, A, x.q)
    assert times(P, x.tau) == times(P, newton_euler.inverse_dynamics(m, x.q, x.qd, qdd))


@every_tree
def test_the_two_parts_of_efforts_do_one_thing_each(tree):
    """τ is the sum of its parts; the moving one alone gives the same q̈, and the other changes λ
    alone: without it λ is what no efforts at all against the constraints leave."""
    m, x, A, b = closing(tree)
    moving, against, _ = constrained.split_efforts(m, A, x.q, x.tau)
    P, _, _ = constrained.projectors(m, A, x.q)
    assert moving == times(P, x.tau)
    assert [u + v for u, v in zip(moving, against, strict=True)] == x.tau
    whole = constrained.forward_dynamics(m, A, b, x.q, x.qd, x.tau)
    without = constrained.forward_dynamics(m, A, b, x.q, x.qd, moving)
    assert without[0] == whole[0]
    idle = constrained.forward_dynamics(m, A, b, x.q, x.qd, [0] * m.n)
    assert without[1] == idle[1]


@every_tree
def test_constraints_do_no_work(tree):
    """λᵀ A q̇ = 0 for every rate P_q̈ q̇, whatever λ is."""
    m, x, A, _ = closing(tree)
    _, P_qdd, _ = constrained.projectors(m, A, x.q)
    pressed = times(transposed(A), x.tip_wrench[: len(A)])
    assert sum(a * v for a, v in zip(pressed, times(P_qdd, x.qd), strict=True)) == 0


@every_tree
def test_wrench_of_a_held_frame_is_its_multipliers(tree):
    """Where A is some rows of J, the wrench with Jᵀ F = Aᵀ λ has λ in these rows and 0 in the
    others, and λ comes back from it."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    J = kinematics.jacobian(m, x.q, frame=m.tip, reference="world")
    rows = independent_rows(J)
    task = {"frame": m.tip, "reference": "world", "rows": rows}
    held = rows[: max(1, len(rows) // 2)]
    A, lam = [J[ROWS.index(k)] for k in held], x.tip_wrench[: len(held)]
    forces, _ = constrained.constraint_wrench(m, A, x.q, lam, **task)
    assert forces == lam + [0] * (len(rows) - len(held))
    assert constrained.multipliers_of(m, A, x.q, forces, **task)[0] == lam


@every_tree
def test_a_fixed_frame_held_is_a_loop_with_the_base(tree):
    """Rows of a frame seen from one on the base are its body Jacobian's, turned into those axes,
    and their Ȧ q̇ follows: two sources of rows agree."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    rows = ("rx", "ry", "rz", "x", "y", "z")
    base = kinematics.forward_kinematics(m, x.q, frame="base")
    back = transposed(rotation_and_place(base)[0])
    J = kinematics.world_jacobian(m, x.q, frame=m.tip)
    turned = [*product(back, J[:3]), *product(back, J[3:])]
    assert constraints.closure(m, x.q, frame=m.tip, on="base", rows=rows) == turned
    drift = task_space.task_drift(m, x.q, x.qd, frame=m.tip, reference="world")
    expected = [*times(back, drift[:3]), *times(back, drift[3:])]
    found = constraints.closure_bias(m, x.q, x.qd, frame=m.tip, on="base", rows=rows)
    assert found == expected


@every_tree
def test_a_frame_held_at_a_pose_is_a_loop_with_a_frame_there(tree):
    """A, Ȧ q̇ and φ of a frame held at the pose of the base's frame, in the axes of that, are those
    of the loop that both frames close."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    held = {"frame": m.tip, "at": kinematics.forward_kinematics(m, x.q, frame="base")}
    loop = {"frame": m.tip, "on": "base"}
    for rows in (ROWS, ("rx", "z", "ry"), ("y",)):
        A = constraints.holding(m, x.q, rows=rows, **held)
        assert constraints.closure(m, x.q, rows=rows, **loop) == A
        bias = constraints.holding_bias(m, x.q, x.qd, rows=rows, **held)
        assert bias == constraints.closure_bias(m, x.q, x.qd, rows=rows, **loop)
        phi = constraints.holding_errors(m, x.q, rows=rows, **held)
        assert phi == constraints.closure_errors(m, x.q, rows=rows, **loop)


def test_stabilized_errors_obey_their_oscillator():
    """With decay (α, β) the constrained q̈ makes A q̈ + Ȧ q̇ exactly −2 α A q̇ − β² φ."""
    m, x, A, b = closing("mixed_tree_1")
    phi = x.tip_wrench[: len(A)]
    c = constrained.stabilized(A, b, phi, x.qd, Fraction(3), Fraction(2))
    qdd, _, _ = constrained.forward_dynamics(m, A, c, x.q, x.qd, x.tau)
    expected = [-6 * rate - 4 * f for rate, f in zip(times(A, x.qd), phi, strict=True)]
    assert constrained.violation(A, b, qdd) == expected


def test_trees_have_room_for_constraints():
    """Random loops have from one row to as many as leave one freedom, and some leave more."""
    sizes = [(len(closing(k)[2]), MATRIX[k].n) for k in MATRIX]
    assert all(1 <= k < n for k, n in sizes)
    assert any(k == n - 1 for k, n in sizes)
    assert any(k < n - 1 for k, n in sizes)


def test_unit_vectors_are_rows():
    """A constraint on one coordinate, A = e_k, stops it and gives its actuator's effort as λ."""
    m = MATRIX["revolute_chain_1"]
    x = state(m)
    A, qd = [unit(m.n, 1, Fraction(1))], [*x.qd]
    qdd, lam, pivot = constrained.forward_dynamics(m, A, [0], x.q, qd, x.tau)
    needed = newton_euler.inverse_dynamics(m, x.q, qd, qdd)
    assert (qdd[1], pivot) == (0, 1)
    assert x.tau[1] - needed[1] == lam[0]
