"""Where links and frames are, and the Jacobians of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from momentarm.algorithms.newton_euler import Scalars
from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import EZ, IDENTITY, ROWS, ZERO, Mat3, Motion, Scalar, Transform, Vec3

Matrix = list[list[Scalar]]


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a frame is in the world: R carries its coordinates to the world's, p is its origin."""

    R: Mat3
    p: Vec3

    def beyond(self, X: Transform) -> Pose:
        """The pose of the frame that X leads to."""
        R = Mat3.rows(X.R.T @ row for row in self.R)
        return Pose(R, self.p + self.R @ X.p + R @ (EZ * X.slide))

    def before(self, X: Transform) -> Pose:
        """The pose of the frame that X leads from."""
        R = Mat3.rows(X.R @ row for row in self.R)
        return Pose(R, self.p - self.R @ (EZ * X.slide) - R @ X.p)

    @property
    def matrix(self) -> Matrix:
        return [[*row, p] for row, p in zip(self.R, self.p, strict=True)] + [[0, 0, 0, 1]]


def world_poses(m: Mechanism, X: Any) -> dict[int, Pose]:
    """The pose of each link's own frame in the world."""
    pose = {BASE: Pose(IDENTITY, ZERO).beyond(m.origin)}
    for i, link in m.outward():
        pose[i] = pose[link.parent].beyond(X[i])
    return pose


def forward_kinematics(m: Mechanism, q: Scalars, *, frame: str) -> Matrix:
    """T(q), the homogeneous 4x4 pose of a frame in the world."""
    place = m.frames[frame]
    return world_poses(m, coordinates.transforms(m, q))[place.link].beyond(place.X).matrix


def link_poses(m: Mechanism, q: Scalars) -> list[Matrix]:
    """The poses of all named frames, in the order of the file."""
    pose = world_poses(m, coordinates.transforms(m, q))
    return [pose[place.link].beyond(place.X).matrix for place in m.frames.values()]


def jacobian(m: Mechanism, q: Scalars, *, frame: str, reference: str = "body",
             rows: Sequence[str] | None = None) -> Matrix:  # fmt: skip
    """J of a frame by one of the three references, or some of its rows."""
    by = {"body": body_jacobian, "space": space_jacobian, "world": world_jacobian}
    J = by[reference](m, q, frame=frame)
    return J if rows is None else [J[ROWS.index(k)] for k in rows]


def body_jacobian(m: Mechanism, q: Scalars, *, frame: str) -> Matrix:
    """J_b: the frame's twist in its own axes about its own origin, (angular, linear) rows."""
    place, drives, X = m.frames[frame], coordinates.index(m), coordinates.transforms(m, q)
    columns = [Motion(ZERO, ZERO)] * m.n
    X_fi = place.X  # from link i's coordinates to the frame's
    for i in m.path(place.link):
        for k, S in zip(drives[i], m.links[i].joint.row.axes(), strict=True):
            columns[k] = columns[k] + (X_fi @ S) * m.links[i].joint.drive.ratio
        X_fi = X_fi @ X[i]
    return _as_rows(columns)


def space_jacobian(m: Mechanism, q: Scalars, *, frame: str) -> Matrix:
    """J_s: the same twist in the world's axes about the world's origin."""
    return _as_rows(_world_columns(m, q, frame, lambda poses, place: ZERO))


def world_jacobian(m: Mechanism, q: Scalars, *, frame: str) -> Matrix:
    """ω and the velocity of the frame's origin, both in world axes."""
    return _as_rows(_world_columns(m, q, frame, lambda poses, at: poses[at.link].beyond(at.X).p))


def _world_columns(m: Mechanism, q: Scalars, frame: str, about: Any) -> list[Motion]:
    """The joints' axes in world coordinates about the point `about`."""
    place, drives = m.frames[frame], coordinates.index(m)
    pose = world_poses(m, coordinates.transforms(m, q))
    origin = about(pose, place)
    columns = [Motion(ZERO, ZERO)] * m.n
    for i in m.path(place.link):
        R, p = pose[i].R, pose[i].p
        for k, S in zip(drives[i], m.links[i].joint.row.axes(), strict=True):
            ang = R @ S.ang
            column = Motion(ang, R @ S.lin + ang.cross(origin - p))
            columns[k] = columns[k] + column * m.links[i].joint.drive.ratio
    return columns


def _as_rows(columns: list[Motion]) -> Matrix:
    return [list(row) for row in zip(*(list(column) for column in columns), strict=True)]


def link_velocities(m: Mechanism, X: Any, qd: Scalars) -> dict[int, Motion]:
    """V_i of each link in its own coordinates, (8.45)."""
    own = coordinates.rates(m, qd)
    V = {BASE: Motion(ZERO, ZERO)}
    for i, link in m.outward():
        V[i] = X[i] @ V[link.parent]
        for S, rate in zip(link.joint.row.axes(), own[i], strict=True):
            V[i] = V[i] + S * rate
    return V
