"""First derivatives of inverse dynamics, ∂τ/∂q, ∂τ/∂q̇ and ∂τ/∂q̈ = M in one recursion, and those
of forward dynamics from them.

Rule 1  A joint's displacement, rate or acceleration changes the motion of its link by a `Rate`.
        Beyond it the subtree answers as one (`Response`); that change of its wrench goes inward
        to all joints before it. What a joint beyond feels per change of motion meets it there.
Rule 2  Derivatives are along rates: by a quaternion's joint in the axes of its link.
Source  The idea of composite derivatives: Singh, Russell and Wensing (2022), there with 6x6
        matrices; here in the classical form (ω, ω̇, a). General nR arm, with M: 4302 for n = 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from momentarm.algorithms.composite import Matrix, factor, inverse, mass_matrix, substituted
from momentarm.algorithms.newton_euler import Scalars, bias_forces, friction_forces
from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import (
    NO_FORCE,
    NO_MOTION,
    ZERO,
    BodyMotion,
    Force,
    Motion,
    Rate,
    Response,
    Scalar,
    Transform,
    Vec3,
)
from momentarm.spatial.motion import accelerations

Changes = tuple[Rate, Rate, Rate]  # of a link's motion, per displacement, rate and acceleration


@dataclass(frozen=True, slots=True)
class Step:
    """What a link's joint adds to the motion it is carried with."""

    X: Transform
    J: Motion  # the joint's twist Σ S q̇
    motion: BodyMotion
    w: Vec3  # the parent's ω in the link's axes
    w_parent: Vec3
    axes: tuple[tuple[Motion, Changes], ...]


def inverse_dynamics_derivatives(
    m: Mechanism, q: Scalars, qd: Scalars, qdd: Scalars
) -> tuple[Matrix, Matrix, Matrix]:
    """(∂τ/∂q, ∂τ/∂q̇, M): of rigid bodies, with damping and armature."""
    steps = _steps(m, q, qd, qdd)
    F = {BASE: NO_FORCE} | {i: link.inertia @ steps[i].motion for i, link in m.outward()}
    K = {i: Response.of(link.inertia, steps[i].motion.w) for i, link in m.outward()}
    D = _Derivatives(m)
    for i, link in m.inward():
        step = steps[i]
        for a, (S, changes) in enumerate(step.axes):
            displaced, faster, accelerated = (K[i] @ change for change in changes)
            for at, row in _inward(m, steps, i, [displaced, faster], S.cross(F[i])):
                D.add(at, (i, a), row)
            for b, (axis, _) in enumerate(step.axes):
                D.add((i, b), (i, a), [0, 0, axis.dot(accelerated)])
            for at, row in _beyond(m, steps, i, K[i].along(S)):
                D.add((i, a), at, row)
                D.add(at, (i, a), [0, 0, row[2]])  # M is symmetric
        F[link.parent] = F[link.parent] + step.X.T @ F[i]
        if link.parent != BASE:
            seen = K[i].seen_from_parent(step.X, step.J, step.w, step.w_parent)
            K[link.parent] = K[link.parent] + seen
    return D.with_drives()


def forward_dynamics_derivatives(
    m: Mechanism, q: Scalars, qd: Scalars, tau: Scalars
) -> tuple[Matrix, Matrix, Matrix]:
    """(∂q̈/∂q, ∂q̈/∂q̇, M⁻¹): τ(q, q̇, q̈) stays what it is, so M ∂q̈/∂q = −∂τ/∂q at that q̈."""
    M = mass_matrix(m, q)
    factors = factor(m, M)
    taken = zip(tau, bias_forces(m, q, qd), friction_forces(m, qd), strict=True)
    qdd = substituted(m, factors, [t - h - friction for t, h, friction in taken])
    tau_D_q, tau_D_qd, _ = inverse_dynamics_derivatives(m, q, qd, qdd)
    qdd_D_q, qdd_D_qd = (
        _columns(substituted(m, factors, [-x for x in column]) for column in zip(*D, strict=True))
        for D in (tau_D_q, tau_D_qd)
    )
    return qdd_D_q, qdd_D_qd, inverse(m, M)


def _columns(columns: Iterable[list[Scalar]]) -> Matrix:
    return [list(row) for row in zip(*columns, strict=True)]


def _steps(m: Mechanism, q: Scalars, qd: Scalars, qdd: Scalars) -> dict[int, Step]:
    X, own = coordinates.transforms(m, q), coordinates.positions(m, q)
    rates, accelerations_ = coordinates.rates(m, qd), coordinates.rates(m, qdd)
    motion = {BASE: BodyMotion.of_base(m.gravity)}
    steps = {}
    for i, link in m.outward():
        row, parent = link.joint.row, motion[link.parent]
        motion[i] = row.outward(X[i], parent, own[i], rates[i], accelerations_[i])
        J = NO_MOTION
        for S, rate in zip(row.axes(), rates[i], strict=True):
            J = J + S * rate
        w, wd = X[i].R.T @ parent.w, X[i].R.T @ parent.wd
        a = X[i].R.T @ (parent.a + parent.U @ X[i].p) + motion[i].U.cz * X[i].slide
        carried = BodyMotion(w, wd, a, accelerations(w, wd))
        axes = tuple((S, _changes(S, J, carried)) for S in row.axes())
        steps[i] = Step(X[i], J, motion[i], w, parent.w, axes)
    return steps


def _changes(S: Motion, J: Motion, carried: BodyMotion) -> Changes:
    """Of a link's motion by its joint's own displacement, rate and acceleration along S.

    `carried` is the motion it would have without its joint's twist J: w = carried.w + J.ang,
    ω̇ = carried.wd + carried.w × J.ang + J̇.ang, a = carried.a + (w + carried.w) × J.lin + J̇.lin.
    """
    w = carried.w.cross(S.ang)
    displaced = Rate(
        w,
        carried.wd.cross(S.ang) + w.cross(J.ang),
        carried.a.cross(S.ang) + carried.U @ S.lin + w.cross(J.lin) * 2,
    )
    faster = Rate(
        S.ang, w, carried.w.cross(S.lin) * 2 + S.ang.cross(J.lin) + J.ang.cross(S.lin)
    )
    return displaced, faster, Rate(ZERO, S.ang, S.lin)


def _inward(
    m: Mechanism, steps: dict[int, Step], i: int, f: list[Force], turned: Force
) -> Iterator[tuple[tuple[int, int], list[Scalar]]]:
    """What the joints from link i to the base feel of changes f of the wrench at link i.

    Before link i, that wrench has also `turned` with the link that is displaced.
    """
    k = i
    while k != BASE:
        for b, (axis, _) in enumerate(steps[k].axes):
            yield (k, b), [axis.dot(x) for x in f]
        if k == i:
            f = [f[0] + turned, *f[1:]]
        f = [steps[k].X.T @ x for x in f]
        k = m.links[k].parent


def _beyond(
    m: Mechanism, steps: dict[int, Step], i: int, g: Rate
) -> Iterator[tuple[tuple[int, int], list[Scalar]]]:
    """What a joint of link i, that feels `g` of a change of motion, feels of those before it."""
    while (parent := m.links[i].parent) != BASE:
        step = steps[i]
        g = g.seen_from_parent(step.X, step.J, step.w, step.w_parent)
        for b, (_, changes) in enumerate(steps[parent].axes):
            yield (parent, b), [g.dot(change) for change in changes]
        i = parent


class _Derivatives:
    """The three matrices in the robot's coordinates, D = Gᵀ D_joint G."""

    def __init__(self, m: Mechanism) -> None:
        self.m, self.index = m, coordinates.index(m)
        self.matrices: list[Matrix] = [[[0] * m.n for _ in range(m.n)] for _ in range(3)]

    def add(self, effort: tuple[int, int], by: tuple[int, int], values: list[Scalar]) -> None:
        links, (i, a), (j, b) = self.m.links, effort, by
        ratio = links[i].joint.drive.ratio * links[j].joint.drive.ratio
        row, column = self.index[i][a], self.index[j][b]
        for D, x in zip(self.matrices, values, strict=False):
            D[row][column] = D[row][column] + ratio * x

    def with_drives(self) -> Any:
        """With damping in ∂τ/∂q̇ and armature in M."""
        for i, link in self.m.outward():
            drive = link.joint.actuator
            for a in range(link.joint.nv):
                self.add((i, a), (i, a), [0, drive.damping, drive.inertia])
        return tuple(self.matrices)
