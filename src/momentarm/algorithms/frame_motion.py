"""How a frame moves: its twist, its acceleration, and the rate of its Jacobian.

Rule 1  `reference` is that of the Jacobian: V = J q̇ and V̇ = J q̈ + J̇ q̇ hold for each, V̇ the
        derivative of V's six numbers.
Rule 2  Twists come by recursion along the path and go back to world axes through its rotations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from momentarm.algorithms.kinematics import (
    IN_PLACE,
    Pose,
    link_velocities,
    some_rows,
    world_poses,
)
from momentarm.algorithms.meeting import Axis, drives
from momentarm.algorithms.newton_euler import Scalars, link_motions
from momentarm.model import Frame, Mechanism, coordinates
from momentarm.spatial import EZ, NO_MOTION, ZERO, Motion, Scalar, Vec3

Matrix = list[list[Scalar]]


def frame_velocity(m: Mechanism, q: Scalars, qd: Scalars, *, frame: str,
                   reference: str = "body",
                   rows: Sequence[str] | None = None) -> list[Scalar]:  # fmt: skip
    """V = J(q) q̇ of a frame, or some of its rows."""
    place, X = m.frames[frame], coordinates.transforms(m, q)
    V = place.X @ link_velocities(m, X, qd)[place.link]
    if reference == "body":
        return some_rows(list(V), rows)
    w, v = _to_world(m, X, place, V.ang, V.lin)
    v = v if reference == "world" else v + _place(m, X, place).cross(w)
    return some_rows([*w, *v], rows)


def frame_acceleration(m: Mechanism, q: Scalars, qd: Scalars, qdd: Scalars, *, frame: str,
                       reference: str = "body",
                       rows: Sequence[str] | None = None) -> list[Scalar]:  # fmt: skip
    """V̇ = J q̈ + J̇ q̇ of a frame; by "world" ω̇ and the acceleration of its origin."""
    place, X = m.frames[frame], coordinates.transforms(m, q)
    V = place.X @ link_velocities(m, X, qd)[place.link]
    x = link_motions(replace(m, gravity=ZERO), X, q, qd, qdd)[place.link]
    wd, a = place.X.R.T @ x.wd, place.X.R.T @ (x.a + x.U @ place.X.origin)
    if reference == "body":
        return some_rows([*wd, *(a - V.ang.cross(V.lin))], rows)
    wd, a, w, v = _to_world(m, X, place, wd, a, V.ang, V.lin)
    if reference == "world":
        return some_rows([*wd, *a], rows)
    return some_rows([*wd, *(a + v.cross(w) + _place(m, X, place).cross(wd))], rows)


def _to_world(m: Mechanism, X: Any, place: Frame, *vectors: Vec3) -> Iterator[Vec3]:
    """Vectors in the frame's axes, in those of the world."""
    for v in vectors:
        v = place.X.R @ v
        for i in m.path(place.link):
            v = X[i].R @ v
        yield m.origin.R @ v


def _place(m: Mechanism, X: Any, place: Frame) -> Vec3:
    """The frame's origin in the world."""
    p = place.X.origin
    for i in m.path(place.link):
        p = X[i].p + X[i].R @ (p + EZ * X[i].slide)
    return m.origin.origin + m.origin.R @ p


def jacobian_dot(m: Mechanism, q: Scalars, qd: Scalars, *, frame: str, reference: str = "body",
                 rows: Sequence[str] | None = None) -> Matrix:  # fmt: skip
    """J̇ of a frame along the motion, by one of the three references, or some of its rows."""
    by = {"body": body_jacobian_dot, "space": space_jacobian_dot, "world": world_jacobian_dot}
    return some_rows(by[reference](m, q, qd, frame=frame), rows)


def body_jacobian_dot(m: Mechanism, q: Scalars, qd: Scalars, *, frame: str) -> Matrix:
    """J̇_b = J_b × (the frame's twist relative to the axis's link), column by column, ex. 8.6."""
    place, X = m.frames[frame], coordinates.transforms(m, q)
    columns, beyond, pose = dict[Axis, Motion](), NO_MOTION, IN_PLACE.before(place.X)
    for i in m.path(place.link):
        own = _seen(m, i, pose, ZERO)
        columns |= {at: S.cross(beyond) for at, S in own.items()}
        beyond, pose = _sum(beyond, m, own, qd), pose.before(X[i])
    return _as_rows(m, columns)


def space_jacobian_dot(m: Mechanism, q: Scalars, qd: Scalars, *, frame: str) -> Matrix:
    """J̇_s = (the twist of the axis's link) × J_s, column by column, ex. 8.6."""
    columns, V = dict[Axis, Motion](), NO_MOTION
    for own in _path_outward(m, q, frame, about_frame=False):
        V = _sum(V, m, own, qd)
        columns |= {at: V.cross(S) for at, S in own.items()}
    return _as_rows(m, columns)


def world_jacobian_dot(m: Mechanism, q: Scalars, qd: Scalars, *, frame: str) -> Matrix:
    """ω × s and ω × t + s × (the velocity, relative to the axis's link, of the frame's origin)."""
    path = list(_path_outward(m, q, frame, about_frame=True))
    columns, V, tip = dict[Axis, Motion](), NO_MOTION, NO_MOTION
    for own in path:
        tip = _sum(tip, m, own, qd)
    for own in path:
        V = _sum(V, m, own, qd)
        away = tip.lin - V.lin
        for at, S in own.items():
            columns[at] = Motion(V.ang.cross(S.ang), V.ang.cross(S.lin) + S.ang.cross(away))
    return _as_rows(m, columns)


def acceleration_terms(m: Mechanism, q: Scalars, *, frame: str) -> list[Matrix]:
    """H (3, n, n), symmetric, with p̈ = J_v q̈ + q̇ᵀ H q̇ for the frame's origin, (8.11), (8.12).

    H_jk = s_j × t_k = ∂²p/∂q_j∂q_k, joint j not beyond k: centripetal on the diagonal, else
    Coriolis. Axes of one joint, which move with their link, share both products.
    """
    drive, H = drives(m), [[[0] * m.n for _ in range(m.n)] for _ in range(3)]
    before: dict[Axis, Motion] = {}
    for own in _path_outward(m, q, frame, about_frame=True):
        before |= own
        for k, outer in own.items():
            for j, inner in before.items():
                term = inner.ang.cross(outer.lin)
                if j in own and j != k:
                    term = Vec3(*(x / 2 for x in term))
                _add(H, drive[j], drive[k], term)
                if j != k:
                    _add(H, drive[k], drive[j], term)
    return H


def _add(H: list[Matrix], j: tuple[int, Scalar], k: tuple[int, Scalar], term: Vec3) -> None:
    (row, per_row), (column, per_column) = j, k
    for face, x in zip(H, term, strict=True):
        face[row][column] = face[row][column] + per_row * per_column * x


def _path_outward(m: Mechanism, q: Scalars, frame: str,
                  about_frame: bool) -> Iterator[dict[Axis, Motion]]:  # fmt: skip
    """The axes on the way to a frame, joint by joint, in world axes about the world's origin."""
    place, pose = m.frames[frame], world_poses(m, coordinates.transforms(m, q))
    about = pose[place.link].beyond(place.X).p if about_frame else ZERO
    for i in reversed(m.path(place.link)):
        yield _seen(m, i, pose[i], about)


def _seen(m: Mechanism, i: int, pose: Pose, about: Vec3) -> dict[Axis, Motion]:
    """The axes of a link's joint where its pose says, about a point."""
    return {(i, a): pose.about(about, S) for a, S in enumerate(m.links[i].joint.row.axes())}


def _sum(V: Motion, m: Mechanism, own: dict[Axis, Motion], qd: Scalars) -> Motion:
    """V and what the joint of these axes adds to it."""
    drive = drives(m)
    for at, S in own.items():
        k, ratio = drive[at]
        V = V + S * (ratio * qd[k])
    return V


def _as_rows(m: Mechanism, columns: dict[Axis, Motion]) -> Matrix:
    """Columns of axes, gathered by the coordinates that drive them."""
    drive, rows = drives(m), [[0] * m.n for _ in range(6)]
    for at, column in columns.items():
        k, ratio = drive[at]
        for row, x in zip(rows, column, strict=True):
            row[k] = row[k] + ratio * x
    return rows
