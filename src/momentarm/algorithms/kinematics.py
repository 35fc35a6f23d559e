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

    def about(self, point: Vec3, S: Motion) -> Motion:
        """A motion of the frame in the world's axes, about a point of the world."""
        ang = self.R @ S.ang
        return Motion(ang, self.R @ S.lin + ang.cross(point - self.p))

    @property
    def matrix(self) -> Matrix:
        return [[*row, p] for row, p in zip(self.R, self.p, strict=True)] + [[0, 0, 0, 1]]


IN_PLACE = Pose(IDENTITY, ZERO)


def world_poses(m: Mechanism, X: Any) -> dict[int, Pose]:
    """The pose of each link's own frame in the world."""
    pose = {BASE: IN_PLACE.beyond(m.origin)}
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
    return some_rows(by[reference](m, q, frame=frame), rows)


def jacobian_by_poses(m: Mechanism, q: Scalars, *, frame: str, reference: str = "body",
                      rows: Sequence[str] | None = None) -> Matrix:  # fmt: skip
    """The same, the body's by poses seen from the frame: fewer operations for long chains."""
    if reference != "body":
        return jacobian(m, q, frame=frame, reference=reference, rows=rows)
    return some_rows(body_jacobian_by_poses(m, q, frame=frame), rows)


def some_rows(J: list[Any], rows: Sequence[str] | None) -> list[Any]:
    """The rows, or numbers of six, of these names; all for none."""
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


def body_jacobian_by_poses(m: Mechanism, q: Scalars, *, frame: str) -> Matrix:
    """The same, from where each link is in the frame: s and p × s of an axis s at p."""
    place, drives, X = m.frames[frame], coordinates.index(m), coordinates.transforms(m, q)
    columns = [Motion(ZERO, ZERO)] * m.n
    seen = IN_PLACE.before(place.X)
    for i in m.path(place.link):
        for k, S in zip(drives[i], m.links[i].joint.row.axes(), strict=True):
            columns[k] = columns[k] + seen.about(ZERO, S) * m.links[i].joint.drive.ratio
        seen = seen.before(X[i])
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
        for k, S in zip(drives[i], m.links[i].joint.row.axes(), strict=True):
            columns[k] = columns[k] + pose[i].about(origin, S) * m.links[i].joint.drive.ratio
    return columns


def _as_rows(columns: list[Motion]) -> Matrix:
    six = [list(column) for column in columns]
    return [[column[k] for column in six] for k in range(6)]  # empty rows where nothing moves


def link_velocities(m: Mechanism, X: Any, qd: Scalars) -> dict[int, Motion]:
    """V_i of each link in its own coordinates, (8.45)."""
    own = coordinates.rates(m, qd)
    V = {BASE: Motion(ZERO, ZERO)}
    for i, link in m.outward():
        V[i] = X[i] @ V[link.parent]
        for S, rate in zip(link.joint.row.axes(), own[i], strict=True):
            V[i] = V[i] + S * rate
    return V
