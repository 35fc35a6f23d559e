"""Recursive Newton–Euler: joint efforts from motion.

Rule 1  One loop out, one loop back; no joint type is mentioned here.
Rule 2  Gravity enters once, as the acceleration of the base, eq. (7.44).
Source  The classical form (ω, ω̇, a) in joint frames; equal to the screw form (8.45)–(8.54),
        which stands in `textbook.screws`. General nR arm: about 78 mul + 69 add a joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import NO_FORCE, ZERO, BodyMotion, Force, Scalar

Scalars = Sequence[Scalar]
Wrenches = dict[int, Force]  # per link, in link coordinates, about its origin


def link_motions(
    m: Mechanism, X: Any, q: Scalars, qd: Scalars, qdd: Scalars
) -> dict[int, BodyMotion]:
    """ω, ω̇ and a of each link in its own coordinates, gravity counted as acceleration."""
    own = coordinates.positions(m, q), coordinates.rates(m, qd), coordinates.rates(m, qdd)
    motion = {BASE: BodyMotion.of_base(m.gravity)}
    for i, link in m.outward():
        own_i = (x[i] for x in own)
        motion[i] = link.joint.row.outward(X[i], motion[link.parent], *own_i)
    return motion


def inertial_wrenches(m: Mechanism, X: Any, q: Scalars, qd: Scalars, qdd: Scalars) -> Wrenches:
    """What each link alone needs to move so: f = m a + U h, n = Euler + h × a, (8.22)–(8.25)."""
    motion = link_motions(m, X, q, qd, qdd)
    return {i: link.inertia @ motion[i] for i, link in m.outward()}


def joint_efforts(m: Mechanism, X: Any, f: Wrenches) -> list[Scalar]:
    """τ_i = S_iᵀ Σ f over all links beyond joint i, in the robot's coordinates, (8.54)."""
    f = {BASE: NO_FORCE} | f
    own = {}
    for i, link in m.inward():
        own[i] = link.joint.row.efforts(f[i])
        f[link.parent] = f[link.parent] + X[i].T @ f[i]
    return coordinates.efforts(m, own)


def add_wrenches(m: Mechanism, f: Wrenches, tip_wrench: Scalars | None,
                 wrenches: Sequence[Scalars] = (),
                 wrench_frames: Sequence[str] = ()) -> Wrenches:  # fmt: skip
    """f with what acts from outside, moment first, in the axes of its frame.

    `tip_wrench` is what the tip applies to its surroundings, `wrenches` are what they apply to it.
    """
    outside = [(m.frames[k], -Force.of(w)) for k, w in zip(wrench_frames, wrenches, strict=True)]
    if tip_wrench is not None and m.tip is not None:
        outside.append((m.frames[m.tip], Force.of(tip_wrench)))
    for place, wrench in outside:
        if place.link != BASE:
            f = f | {place.link: f[place.link] + place.X.T @ wrench}
    return f


def rigid_efforts(
    m: Mechanism, q: Scalars, qd: Scalars, qdd: Scalars, *outside: Any
) -> list[Scalar]:
    """τ = M q̈ + c + g + Jᵀ F_tip of the links alone, without friction and rotors, (8.77)."""
    X = coordinates.transforms(m, q)
    f = inertial_wrenches(m, X, q, qd, qdd)
    return joint_efforts(m, X, add_wrenches(m, f, *outside) if outside else f)


def inverse_dynamics(
    m: Mechanism, q: Scalars, qd: Scalars, qdd: Scalars, tip_wrench: Scalars | None = None,
    wrenches: Sequence[Scalars] = (), wrench_frames: Sequence[str] = (),
) -> list[Scalar]:  # fmt: skip
    """τ = M q̈ + c(q, q̇) + g(q) + friction + Jᵀ F_tip, eq. (8.77) with what drives the joints."""
    rigid = rigid_efforts(m, q, qd, qdd, tip_wrench, wrenches, wrench_frames)
    own_qd, own_qdd = coordinates.rates(m, qd), coordinates.rates(m, qdd)
    drives = {
        i: tuple(map(link.joint.actuator.effort, own_qd[i], own_qdd[i])) for i, link in m.outward()
    }
    return [a + b for a, b in zip(rigid, coordinates.efforts(m, drives), strict=True)]


def friction_forces(m: Mechanism, qd: Scalars) -> list[Scalar]:
    """Viscous and Coulomb friction, Fig. 8.15 (c): what the motors spend on it."""
    own = coordinates.rates(m, qd)
    drives = {
        i: tuple(map(link.joint.actuator.friction_effort, own[i])) for i, link in m.outward()
    }
    return coordinates.efforts(m, drives)


def bias_forces(m: Mechanism, q: Scalars, qd: Scalars) -> list[Scalar]:
    """h = c + g: the efforts at q̈ = 0, friction apart, (8.2)."""
    return rigid_efforts(m, q, qd, [0] * m.n)


def coriolis_forces(m: Mechanism, q: Scalars, qd: Scalars) -> list[Scalar]:
    """c(q, q̇) = C(q, q̇) q̇: the efforts at q̈ = 0 without gravity, (8.79)."""
    return rigid_efforts(replace(m, gravity=ZERO), q, qd, [0] * m.n)


def gravity_forces(m: Mechanism, q: Scalars) -> list[Scalar]:
    """g(q): the efforts that hold the robot still, (8.80)."""
    return rigid_efforts(m, q, [0] * m.n, [0] * m.n)


def tip_forces(m: Mechanism, q: Scalars, tip_wrench: Scalars) -> list[Scalar]:
    """Jᵀ F_tip: the efforts with which the tip applies a wrench (moment, force) in its frame."""
    still = {i: NO_FORCE for i, _ in m.outward()}
    return joint_efforts(m, coordinates.transforms(m, q), add_wrenches(m, still, tip_wrench))
