"""Changes of form that must not change the dynamics, on rational numbers without tolerance."""

from dataclasses import replace
from random import Random

import pytest

import trees
from identities.matrices import difference, product
from momentarm.algorithms import composite, energy, forward_dynamics, kinematics, newton_euler
from momentarm.model import BASE, Frame, Joint, Link, Mechanism, changes, coordinates
from momentarm.model.canonical import canonical, merged, regrouped
from momentarm.spatial import NO_INERTIA, NO_TRANSFORM, Inertia, Sym3, Vec3
from trees import MATRIX, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)
WITH_FIXED = [name for name in MATRIX if name.startswith(("mixed", "coupled_tree"))]
every_tree_with_fixed_joints = pytest.mark.parametrize("tree", WITH_FIXED)


def dynamics(m, x):
    """What must be the same in every form."""
    answers = {
        "tau": newton_euler.inverse_dynamics(m, x.q, x.qd, x.qdd, x.tip_wrench),
        "M": composite.mass_matrix(m, x.q),
        "qdd": forward_dynamics.by_mass_matrix(m, x.q, x.qd, x.tau, x.tip_wrench),
        "g": newton_euler.gravity_forces(m, x.q),
        "c": newton_euler.coriolis_forces(m, x.q, x.qd),
    }
    if not m.is_coupled:
        route = forward_dynamics.by_articulated_bodies
        answers["qdd by bodies"] = route(m, x.q, x.qd, x.tau, x.tip_wrench)
    assert all(map(is_exact, answers.values()))
    return answers


def geometry(m, x):
    """Poses and Jacobians of all named frames."""
    references = kinematics.body_jacobian, kinematics.space_jacobian, kinematics.world_jacobian
    jacobians = [[J(m, x.q, frame=name) for J in references] for name in m.frames]
    return kinematics.link_poses(m, x.q), jacobians


@every_tree_with_fixed_joints
def test_merging_fixed_joints_changes_nothing(tree):
    """The robot with fixed links made part of their parents has fewer links and the same efforts,
    M, accelerations, kinetic energy, poses and Jacobians as the robot that keeps them."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    short = merged(m)
    assert len(short.links) < len(m.links)
    assert all(link.joint.kind != "fixed" for link in short.links)
    assert dynamics(short, x) == dynamics(m, x)
    assert geometry(short, x) == geometry(m, x)
    assert energy.kinetic_energy(short, x.q, x.qd) == energy.kinetic_energy(m, x.q, x.qd)


@every_tree_with_fixed_joints
def test_merging_moves_potential_energy_by_the_base_only(tree):
    """Merging changes V by the same amount in every state: what became part of the base."""
    m, x, y = MATRIX[tree], state(MATRIX[tree]), state(MATRIX[tree], seed=1)
    V = [[energy.potential_energy(form, s.q) for s in (x, y)] for form in (m, merged(m))]
    assert difference(*V)[0] == difference(*V)[1]


@every_tree
def test_regrouping_changes_no_effort(tree):
    """Inertia given to the parent where the joint cannot tell leaves τ, M and q̈ by both routes
    exactly as they were with the physical inertias."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    assert dynamics(regrouped(m), x) == dynamics(m, x)


@every_tree
def test_regrouping_leaves_less_inertia(tree):
    """After regrouping every turning link has no mass and every sliding one no second moments: the
    parameters that its joint cannot tell are exact zeros; a free link has all that its children
    gave it."""
    for link in regrouped(MATRIX[tree]).links:
        b, kind = link.inertia, link.joint.kind
        if kind == "free":
            assert b.m > 0
        elif kind == "spherical":
            assert b.m == 0
        elif kind == "fixed":
            assert b == NO_INERTIA - NO_INERTIA
        elif kind == "prismatic":
            assert set(b.E) == {0}
        elif kind == "helical":
            assert b.E.zz == 0 or b.E.zz == -b.E.xx == -b.E.yy
        else:
            assert (b.m, b.h.z) == (0, 0)


@every_tree
def test_regrouping_shifts_potential_energy_by_a_constant(tree):
    """T of the regrouped links is T of the physical ones, and V differs by the same amount in every
    state: what was given to the base."""
    m, x, y = MATRIX[tree], state(MATRIX[tree]), state(MATRIX[tree], seed=1)
    T = [energy.kinetic_energy(form, x.q, x.qd) for form in (m, regrouped(m))]
    V = [[energy.potential_energy(form, s.q) for s in (x, y)] for form in (m, regrouped(m))]
    assert T[0] == T[1]
    assert difference(*V)[0] == difference(*V)[1]


def test_regrouping_changes_wrenches_of_links():
    """In every tree of revolute joints some link's wrench differs between regrouped and physical
    inertias, which is why what is told per link keeps the physical ones."""
    for m in (m for name, m in MATRIX.items() if name.startswith("revolute")):
        x, less = state(m), regrouped(m)
        X = coordinates.transforms(m, x.q)
        wrenches = [newton_euler.inertial_wrenches(form, X, x.q, x.qd, x.qdd) for form in (m, less)]
        assert wrenches[0] != wrenches[1]


@every_tree
def test_world_may_be_turned_and_moved(tree):
    """Seen from another world frame efforts, kinetic energy and body Jacobians are the same, and
    every pose is the old one times the 4x4 matrix between the worlds."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    X = trees.placement(Random(tree))  # from the coordinates of another world to the old one's
    other = replace(m, origin=m.origin @ X)
    assert dynamics(other, x) == dynamics(m, x)
    assert energy.kinetic_energy(other, x.q, x.qd) == energy.kinetic_energy(m, x.q, x.qd)
    poses = kinematics.link_poses(m, x.q)
    assert kinematics.link_poses(other, x.q) == [product(X.matrix, T) for T in poses]
    for name in m.frames:
        J = kinematics.body_jacobian(m, x.q, frame=name)
        assert kinematics.body_jacobian(other, x.q, frame=name) == J


@every_tree
def test_base_may_be_turned_and_moved(tree):
    """Turning gravity, first placements and frames of the base together changes no effort."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    X = trees.placement(Random(tree))  # from the new base's coordinates to the old one's
    links = (replace(k, placement=k.placement @ X) if k.parent == BASE else k for k in m.links)
    other = replace(m.with_links(links), gravity=X.R @ m.gravity)
    assert dynamics(other, x) == dynamics(m, x)


@every_tree
def test_payload_is_a_fixed_link(tree):
    """A body carried in a frame gives the same dynamics as one more link that is fixed there."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    body, place = trees.body(trees.points(Random(tree))), m.frames[m.tip]
    extra = Link("load", place.link, Joint("grip", "fixed"), place.X, body)
    assert dynamics(changes.carrying(m, place, body), x) == dynamics(
        m.with_links([*m.links, extra]), x
    )


@every_tree
def test_origin_may_move_into_the_first_joints(tree):
    """The pose of the base, written into the placements of the base's children and frames instead,
    gives the same dynamics, energies, poses and Jacobians."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    links = (
        replace(k, placement=k.placement @ m.origin) if k.parent == BASE else k for k in m.links
    )
    frames = {
        name: Frame(BASE, f.X @ m.origin) if f.link == BASE else f for name, f in m.frames.items()
    }
    other = replace(
        m.with_links(links), frames=frames, origin=NO_TRANSFORM, gravity=m.origin.R @ m.gravity
    )
    assert dynamics(other, x) == dynamics(m, x)
    assert geometry(other, x) == geometry(m, x)
    for f in (energy.kinetic_energy, energy.lagrangian):
        assert f(other, x.q, x.qd) == f(m, x.q, x.qd)


def test_a_point_mass_beside_its_axis_keeps_its_small_inertia():
    """A point 1e-8 beside its axis has M = 1e-16 in canonical frames: nothing doubles it."""
    body = Inertia.about_com(1, Vec3(1e-8, 0, 1), Sym3(0, 0, 0, 0, 0, 0))
    m = Mechanism("pin", (Link("bob", BASE, Joint("pivot", "revolute"), inertia=body),))
    ((inertia,),) = composite.mass_matrix(canonical(m), [0.3])
    assert abs(inertia - 1e-16) < 1e-30
