"""Laws between algorithms of dynamics, on random trees of all joint types, without tolerance."""

from dataclasses import replace

import pytest

from identities.jets import unit
from identities.matrices import difference, leading_minors, times, transposed
from momentarm.algorithms import composite, forward_dynamics, kinematics, meeting, newton_euler
from momentarm.model import BASE, coordinates
from momentarm.spatial import ZERO
from momentarm.textbook import screws
from trees import INDEPENDENT, MATRIX, element_names, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)
every_independent_tree = pytest.mark.parametrize("tree", INDEPENDENT)


@every_tree
def test_inverse_dynamics_undoes_the_mass_matrix_route(tree):
    """Solving M q̈ = τ − h for the Newton–Euler efforts τ of a motion, with friction, armature and
    a tip wrench, gives its accelerations back exactly, wherever M's axes and forces meet."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    tau = newton_euler.inverse_dynamics(m, x.q, x.qd, x.qdd, x.tip_wrench)
    assert is_exact(tau)
    assert forward_dynamics.by_mass_matrix(m, x.q, x.qd, tau, x.tip_wrench) == x.qdd
    assert forward_dynamics.by_mass_matrix_halfway(m, x.q, x.qd, tau, x.tip_wrench) == x.qdd


@every_independent_tree
def test_inverse_dynamics_undoes_articulated_bodies(tree):
    """Newton–Euler efforts, with friction, armature and a tip wrench, of the accelerations that
    articulated bodies give for efforts τ are τ exactly."""
    m, x = INDEPENDENT[tree], state(INDEPENDENT[tree])
    qdd = forward_dynamics.by_articulated_bodies(m, x.q, x.qd, x.tau, x.tip_wrench)
    assert is_exact(qdd)
    assert newton_euler.inverse_dynamics(m, x.q, x.qd, qdd, x.tip_wrench) == x.tau


@every_tree
def test_columns_of_the_mass_matrix_are_efforts_of_unit_accelerations(tree):
    """Column j of M from composite bodies, wherever axes and forces meet, is what Newton–Euler
    needs for q̈ = e_j at rest without gravity."""
    m, q = replace(MATRIX[tree], gravity=ZERO), state(MATRIX[tree]).q
    rest = [0] * m.n
    columns = [newton_euler.inverse_dynamics(m, q, rest, unit(m.n, j)) for j in range(m.n)]
    X = coordinates.transforms(m, q)
    for inner in range(max(meeting.depths(m).values()) + 1):
        assert composite.mass_matrix_at(m, X, inner) == transposed(columns)


@every_tree
def test_mass_matrix_is_positive(tree):
    """All leading minors of M, by Gauss's elimination, are greater than zero."""
    m = MATRIX[tree]
    minors = leading_minors(composite.mass_matrix(m, state(m).q))
    assert len(minors) == m.n
    assert min(minors) > 0


@every_tree
def test_solution_satisfies_the_system(tree):
    """M times the x that LᵀDL solves for is the right-hand side, by plain matrix product."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    M = composite.mass_matrix(m, x.q)
    assert times(M, composite.solve(m, M, x.tau)) == x.tau


@every_tree
def test_screw_form_equals_classical_form(tree):
    """The book's recursion with twists (8.50)-(8.54) gives the same efforts as the classical one
    with ω, ω̇ and a in the links' frames."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    tau = screws.inverse_dynamics(m, x.q, x.qd, x.qdd)
    assert is_exact(tau)
    assert tau == newton_euler.rigid_efforts(m, x.q, x.qd, x.qdd)


@every_tree
def test_efforts_are_the_sum_of_their_named_parts(tree):
    """One pass of Newton–Euler equals M q̈ of composite bodies + Coriolis + gravity + friction +
    tip forces, each computed alone."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    parts = (
        times(composite.mass_matrix(m, x.q), x.qdd),
        newton_euler.coriolis_forces(m, x.q, x.qd),
        newton_euler.gravity_forces(m, x.q),
        newton_euler.friction_forces(m, x.qd),
        newton_euler.tip_forces(m, x.q, x.tip_wrench),
    )
    tau = newton_euler.inverse_dynamics(m, x.q, x.qd, x.qdd, x.tip_wrench)
    assert tau == [sum(terms) for terms in zip(*parts, strict=True)]


@every_tree
def test_tip_forces_are_the_transposed_jacobian(tree):
    """Jᵀ F with the body Jacobian's columns equals the inward recursion of the tip's wrench."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    J = kinematics.body_jacobian(m, x.q, frame=m.tip)
    assert newton_euler.tip_forces(m, x.q, x.tip_wrench) == times(transposed(J), x.tip_wrench)


@every_tree
def test_wrenches_on_frames_are_transposed_jacobians(tree):
    """Wrenches on two frames lower the efforts by Jᵀ W of each, and forward dynamics under them
    gives the accelerations back."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    frames, wrenches = (m.tip, list(m.frames)[1]), (x.tip_wrench, x.tip_wrench[::-1])
    outside = {"wrenches": wrenches, "wrench_frames": frames}
    tau = newton_euler.inverse_dynamics(m, x.q, x.qd, x.qdd, **outside)
    expected = newton_euler.inverse_dynamics(m, x.q, x.qd, x.qdd)
    for frame, wrench in zip(frames, wrenches, strict=True):
        J = kinematics.body_jacobian(m, x.q, frame=frame)
        expected = difference(expected, times(transposed(J), wrench))
    assert tau == expected
    assert forward_dynamics.by_mass_matrix(m, x.q, x.qd, tau, **outside) == x.qdd
    if not m.is_coupled:
        assert forward_dynamics.by_articulated_bodies(m, x.q, x.qd, tau, **outside) == x.qdd


@every_tree
def test_friction_opposes_by_sign_and_size(tree):
    """Friction is Σ ratio · (damping · rate + dry · sgn(rate)) over the joints of a coordinate."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    given, expected = {}, {}
    for (joint, part), rate in zip(element_names(m, "v_names"), x.qd, strict=True):
        given[joint.name, part], expected[joint.name, part] = rate, 0
    for joint in (link.joint for link in m.links if link.joint.kind != "fixed"):
        for part in joint.row.v_names:
            at, drive = (joint.drive.joint, part), joint.actuator
            rate = joint.drive.ratio * given[at]
            dry = drive.friction * ((rate > 0) - (rate < 0))
            expected[at] += joint.drive.ratio * (drive.damping * rate + dry)
    assert newton_euler.friction_forces(m, x.qd) == list(expected.values())


@every_tree
def test_efforts_add_over_the_links(tree):
    """Newton–Euler is linear in the inertias: the efforts of the robot are the sum of those of
    robots that have one of its bodies only."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    total = [0] * m.n
    for i in range(len(m.links)):
        bodies = (
            link if k == i else replace(link, inertia=link.inertia - link.inertia)
            for k, link in m.outward()
        )
        tau = newton_euler.rigid_efforts(m.with_links(bodies), x.q, x.qd, x.qdd)
        total = [a + b for a, b in zip(total, tau, strict=True)]
    assert total == newton_euler.rigid_efforts(m, x.q, x.qd, x.qdd)


@every_tree
def test_whole_first_moment_is_the_sum_over_the_bodies(tree):
    """The composite inertia at the base has the mass and first moment that links' poses place."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    X = coordinates.transforms(m, x.q)
    whole = composite.composite_inertias(m, X)[BASE]
    pose = kinematics.world_poses(replace(m, origin=type(m.origin)()), X)
    h = ZERO
    for i, link in m.outward():
        h = h + pose[i].p * link.inertia.m + pose[i].R @ link.inertia.h
    assert whole.h == h
    assert whole.m == sum(link.inertia.m for link in m.links)
