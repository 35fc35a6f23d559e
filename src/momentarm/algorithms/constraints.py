"""Rows of constraints A(q) q̇ = 0 that frames give: loops that are closed, frames that are held.

Each has A, `…_bias` Ȧ q̇ and `…_errors` φ, the places whose rates A q̇ are near φ = 0, where rows
are rates of places; elsewhere (one turning row alone) φ is 0. A frame held nowhere in particular
has the rows of its Jacobian, and their Ȧ q̇ is `task_space.task_drift`.
"""

from __future__ import annotations

from collections.abc import Sequence

from momentarm.algorithms.frame_drift import frame_motions
from momentarm.algorithms.kinematics import Pose, jacobian, world_poses
from momentarm.algorithms.symmetric import Matrix, Scalars
from momentarm.model import Mechanism, coordinates
from momentarm.spatial import EX, EY, EZ, ROWS, ZERO, Mat3, Motion, Scalar, Vec3


def closure(m: Mechanism, q: Scalars, *, frame: str, on: str, rows: Sequence[str]) -> Matrix:
    """A: rows of ω and of the velocity of `frame`'s origin seen from `on`, in the axes of `on`."""
    pose, drives = world_poses(m, coordinates.transforms(m, q)), coordinates.index(m)
    here, there = _pose(m, pose, frame), _pose(m, pose, on)
    outer, inner = (m.path(m.frames[k].link) for k in (frame, on))
    columns = [Motion(ZERO, ZERO)] * m.n
    for i in sorted({*outer} ^ {*inner}):  # joints below both frames move neither against the other
        ratio = m.links[i].joint.drive.ratio * (1 if i in outer else -1)
        for k, S in zip(drives[i], m.links[i].joint.row.axes(), strict=True):
            ang = pose[i].R @ S.ang
            lin = pose[i].R @ S.lin + ang.cross(here.p - pose[i].p)
            columns[k] = columns[k] + Motion(there.R.T @ ang, there.R.T @ lin) * ratio
    six = dict(zip(ROWS, zip(*columns, strict=True), strict=True))
    return [list(six[k]) for k in rows]


def closure_bias(m: Mechanism, q: Scalars, qd: Scalars, *, frame: str, on: str,
                 rows: Sequence[str]) -> list[Scalar]:  # fmt: skip
    """Ȧ q̇: with d from `on` to `frame`, d̈ − ω̇×d − 2 ω×ḋ + ω×(ω×d) and ω̇_rel, seen from `on`."""
    here, there = frame_motions(m, q, qd, frames=[frame, on])
    (v, a), (v_on, a_on) = here.in_world, there.in_world
    d, w = here.pose.p - there.pose.p, v_on.ang
    dd = v.lin - v_on.lin
    turning = a.ang - a_on.ang - w.cross(v.ang)
    moving = a.lin - a_on.lin - a_on.ang.cross(d) - w.cross(dd) * 2 + w.cross(w.cross(d))
    six = [*(there.pose.R.T @ turning), *(there.pose.R.T @ moving)]
    return [six[ROWS.index(k)] for k in rows]


def closure_errors(m: Mechanism, q: Scalars, *, frame: str, on: str,
                   rows: Sequence[str]) -> list[Scalar]:  # fmt: skip
    """φ: how far the frames are from coinciding."""
    pose = world_poses(m, coordinates.transforms(m, q))
    here, there = _pose(m, pose, frame), _pose(m, pose, on)
    back = there.R.T
    return _errors(back @ here.R, back @ (here.p - there.p), rows)


def holding(m: Mechanism, q: Scalars, *, frame: str, at: Sequence[Scalars],
            rows: Sequence[str]) -> Matrix:  # fmt: skip
    """A: rows of ω and of the velocity of a frame's origin, in the axes of a fixed pose (4x4)."""
    back, _ = _fixed(at)
    columns = zip(*jacobian(m, q, frame=frame, reference="world"), strict=True)
    six = zip(*([*(back @ V.ang), *(back @ V.lin)] for V in map(Motion.of, columns)), strict=True)
    named = dict(zip(ROWS, six, strict=True))
    return [list(named[k]) for k in rows]


def holding_bias(m: Mechanism, q: Scalars, qd: Scalars, *, frame: str, at: Sequence[Scalars],
                 rows: Sequence[str]) -> list[Scalar]:  # fmt: skip
    """Ȧ q̇: the frame's ω̇ and p̈ at q̈ = 0, in the axes of the pose."""
    (motion,), (back, _) = frame_motions(m, q, qd, frames=[frame]), _fixed(at)
    six = [*(back @ motion.in_world[1].ang), *(back @ motion.in_world[1].lin)]
    return [six[ROWS.index(k)] for k in rows]


def holding_errors(m: Mechanism, q: Scalars, *, frame: str, at: Sequence[Scalars],
                   rows: Sequence[str]) -> list[Scalar]:  # fmt: skip
    """φ: how far a frame is from the pose."""
    here = _pose(m, world_poses(m, coordinates.transforms(m, q)), frame)
    back, p = _fixed(at)
    return _errors(back @ here.R, back @ (here.p - p), rows)


def _fixed(at: Sequence[Scalars]) -> tuple[Mat3, Vec3]:
    """Rᵀ and p of a pose."""
    return Mat3.rows(row[:3] for row in at[:3]).T, Vec3(*(row[3] for row in at[:3]))


def _pose(m: Mechanism, pose: dict[int, Pose], frame: str) -> Pose:
    place = m.frames[frame]
    return pose[place.link].beyond(place.X)


def _errors(R: Mat3, d: Vec3, rows: Sequence[str]) -> list[Scalar]:
    """d, and small turns of R about the axes held: u × R u of the axis left free, or half the sum
    over all. About one axis alone, no place is held."""
    turned = {"rx": EX.cross(R.cx), "ry": EY.cross(R.cy), "rz": EZ.cross(R.cz)}
    loose = [k for k in turned if k not in rows]
    turn = ZERO
    if len(loose) == 1:
        turn = turned[loose[0]]
    elif not loose:
        turn = Vec3(*(x / 2 for x in turned["rx"] + turned["ry"] + turned["rz"]))
    six = [*turn, *d]
    return [six[ROWS.index(k)] for k in rows]
