"""What joints transmit and what is left of efforts, against other laws, without tolerance."""

from dataclasses import replace

import pytest

from identities.jets import EPSILON, along, moved, part
from identities.matrices import difference, times, transposed
from momentarm.algorithms import composite, forward_dynamics, kinematics, link_forces, momentum
from momentarm.algorithms.newton_euler import bias_forces, friction_forces
from momentarm.model import BASE, coordinates, parameters
from momentarm.spatial import NO_INERTIA, ZERO, Force, Vec3
from trees import MATRIX, is_exact, state

every_tree = pytest.mark.parametrize("tree", MATRIX)


def in_link(m, i, wrench):
    """A wrench in a link's frame of the file, in the link's own coordinates."""
    return parameters.own_frame(m, i).X.T @ Force.of(wrench)


def beyond(m, i):
    """The same mechanism, of whose links only i and those that it carries have inertia."""
    return m.with_links([
        k if i in m.path(j) else replace(k, inertia=NO_INERTIA) for j, k in m.outward()
    ])  # fmt: skip


@every_tree
def test_axes_share_of_a_wrench_is_the_effort(tree):
    """Sᵀ ℱ of every joint, gathered by coordinates, is the effort M q̈ + c + g + Jᵀ ℱ_tip of the
    rigid bodies, with M of composite bodies and the tip's Jacobian."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    F = link_forces.link_wrenches(m, x.q, x.qd, x.qdd, x.tip_wrench)
    own = {i: link.joint.row.efforts(in_link(m, i, F[i])) for i, link in m.outward()}
    M = composite.mass_matrix(undriven(m), x.q)
    J = kinematics.body_jacobian(m, x.q, frame=m.tip)
    parts = times(M, x.qdd), bias_forces(m, x.q, x.qd), times(transposed(J), x.tip_wrench)
    assert is_exact(F)
    assert coordinates.efforts(m, own) == [sum(terms) for terms in zip(*parts, strict=True)]


def undriven(m):
    """Without rotors and friction."""
    bare = (replace(k.joint, actuator=type(k.joint.actuator)()) for k in m.links)
    return m.with_links([replace(k, joint=j) for k, j in zip(m.links, bare, strict=True)])


@every_tree
def test_a_wrench_is_the_rate_of_momentum_less_the_weight(tree):
    """ℱ_i, carried to the world, is the rate of the momentum of link i and all beyond it, by jets
    of the momentum, less the weight at their centre of mass."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    q, qd = moved(x.q, along(x.qd, EPSILON), m), moved(x.qd, along(x.qdd, EPSILON))
    F = link_forces.link_wrenches(m, x.q, x.qd, x.qdd)
    poses = kinematics.world_poses(m, coordinates.transforms(m, x.q))
    g = m.origin.R @ m.gravity
    for i, _ in m.outward():
        f, R, p = in_link(m, i, F[i]), poses[i].R, poses[i].p
        lin = R @ f.lin
        found = Force(R @ f.ang + p.cross(lin), lin)
        some = beyond(m, i)
        rate = part(momentum.momentum(some, q, qd), EPSILON)
        X = coordinates.transforms(some, x.q)
        whole = some.origin.T @ composite.composite_inertias(some, X)[BASE]
        weight = Force(whole.h.cross(g), g * whole.m)
        assert [*found] == difference(rate, [*weight])


@every_tree
def test_wrenches_from_outside_pass_the_joints_before_them(tree):
    """A wrench that the surroundings apply to a frame lowers ℱ of that frame's link, and of no link
    beside its path, by itself."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    frame = next(name for name, place in m.frames.items() if place.link != BASE)
    place = m.frames[frame]
    free = link_forces.link_wrenches(m, x.q, x.qd, x.qdd)
    loaded = link_forces.link_wrenches(
        m, x.q, x.qd, x.qdd, wrenches=[x.tip_wrench], wrench_frames=(frame,)
    )
    for i, _ in m.outward():
        less = Force.of(difference(free[i], loaded[i]))
        if i == place.link:
            X_fi = parameters.own_frame(m, i).X
            assert X_fi.T @ less == place.X.T @ Force.of(x.tip_wrench)
        elif i not in m.path(place.link):
            assert less == Force(ZERO, Vec3(0, 0, 0))


@every_tree
def test_generalized_forces_are_what_moves_the_bodies(tree):
    """ξ of efforts τ is M q̈ + c + g with the accelerations that forward dynamics gives for τ."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    qdd = forward_dynamics.by_mass_matrix(m, x.q, x.qd, x.tau, x.tip_wrench)
    Mqdd = times(composite.mass_matrix(m, x.q), qdd)
    expected = [a + b for a, b in zip(Mqdd, bias_forces(m, x.q, x.qd), strict=True)]
    found = link_forces.generalized_forces(m, x.q, x.qd, x.tau, x.tip_wrench)
    assert is_exact(found)
    assert found == expected


@every_tree
def test_generalized_forces_lose_friction_and_contact(tree):
    """ξ = τ − F_v q̇ − F_s sgn q̇ − Jᵀ ℱ, friction joint by joint and J of the tip."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    J = kinematics.body_jacobian(m, x.q, frame=m.tip)
    lost = friction_forces(m, x.qd), times(transposed(J), x.tip_wrench)
    expected = difference(difference(x.tau, lost[0]), lost[1])
    assert link_forces.generalized_forces(m, x.q, x.qd, x.tau, x.tip_wrench) == expected
