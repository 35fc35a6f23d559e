"""Screws with numbers not known beforehand: exponentials, their products, and Jacobians.

Rule 1  A screw (ω, v) need not be of unit length; ω = 0 slides, and the zero screw stays.
Rule 2  Nothing divides by an angle, so that small ones lose no digit.
Source  Modern Robotics §3.2, §3.3, §4.1, §5.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from momentarm.algorithms.kinematics import IN_PLACE, Matrix, Pose
from momentarm.algorithms.newton_euler import Scalars
from momentarm.spatial import EX, EY, EZ, IDENTITY, ZERO, Mat3, Motion, Scalar, Transform, Vec3
from momentarm.spatial.motion import accelerations
from momentarm.spatial.quaternion import length
from momentarm.spatial.scalar import cos, sin

BASIS = [Motion(e, ZERO) for e in (EX, EY, EZ)] + [Motion(ZERO, e) for e in (EX, EY, EZ)]


def exponential(S: Motion, theta: Scalar) -> Pose:
    """e^{[S]θ}: Rodrigues' formula (3.51) and proposition 3.25, for a screw of any length.

    Per unit of ω, and sθ for θ: R = 1 + sin θ [ω] + (1 − cos θ) [ω]² and
    p = θ v + (1 − cos θ) ω × v + (θ − sin θ) ω × (ω × v).
    """
    unit = length(S.ang)  # never zero: a slide turns by 2⁻⁵⁰ about nothing
    w, v, angle = S.ang * (1 / unit), S.lin * (1 / unit), theta * unit
    s, c = sin(angle / 2), cos(angle / 2)
    u, across = w * s, w.cross(v)
    R = IDENTITY + accelerations(u, u * c) * 2  # 2 s² is 1 − cos θ and keeps its digits
    return Pose(R, v * angle + across * (2 * s * s) + w.cross(across) * (angle - 2 * s * c))


def matrix_exponential(se3: Matrix) -> Matrix:
    """e^{[S]} of a screw written as a matrix 4x4, (3.88)."""
    return exponential(Motion.of(of_se3(se3)), 1).matrix


def se3(V: Scalars) -> Matrix:
    """[V], a twist as a matrix 4x4, (3.71)."""
    twist = Motion.of(V)
    rows = zip(Mat3.skew(twist.ang), twist.lin)
    return [[*row, x] for row, x in rows] + [[0] * 4]


def bracket(V: Scalars) -> Matrix:
    """[ad_V], (8.38): column k is V × e_k."""
    twist = Motion.of(V)
    return as_rows(twist.cross(e) for e in BASIS)


def adjoint(T: Matrix) -> Matrix:
    """[Ad_T], (3.83)."""
    at = IN_PLACE.beyond(transform(T))
    return as_rows(at.about(ZERO, e) for e in BASIS)


def inverse(T: Matrix) -> Matrix:
    """T⁻¹ = [[Rᵀ, −Rᵀ p], [0, 1]], (3.64)."""
    return transform(T).inverse().matrix


def space_pose(M: Matrix, S_list: Matrix, theta: Scalars) -> Matrix:
    """T = e^{[S_1]θ_1} … e^{[S_n]θ_n} M, (4.14)."""
    return products(IN_PLACE, columns(S_list), theta)[-1].beyond(transform(M)).matrix


def body_pose(M: Matrix, B_list: Matrix, theta: Scalars) -> Matrix:
    """T = M e^{[B_1]θ_1} … e^{[B_n]θ_n}, (4.16)."""
    return products(IN_PLACE.beyond(transform(M)), columns(B_list), theta)[-1].matrix


def space_jacobian(S_list: Matrix, theta: Scalars) -> Matrix:
    """Column i is Ad of e^{[S_1]θ_1} … e^{[S_{i−1}]θ_{i−1}} on S_i, (5.11)."""
    screws = columns(S_list)
    poses = products(IN_PLACE, screws, theta)
    return as_rows(at.about(ZERO, S) for at, S in zip(poses, screws))


def body_jacobian(B_list: Matrix, theta: Scalars) -> Matrix:
    """Column i is Ad of e^{−[B_n]θ_n} … e^{−[B_{i+1}]θ_{i+1}} on B_i, (5.18)."""
    J: list[Motion] = []
    for B, theta_i in zip(columns(B_list), theta):
        X = as_transform(exponential(B, theta_i))
        J = [*(X @ S for S in J), B]
    return as_rows(J)


def products(start: Pose, screws: Sequence[Motion], theta: Scalars) -> list[Pose]:
    """The start, and the pose after each further exponential."""
    poses = [start]
    for S, theta_i in zip(screws, theta):
        poses.append(poses[-1].beyond(as_transform(exponential(S, theta_i))))
    return poses


def transform(T: Matrix) -> Transform:
    """X_ba of the homogeneous matrix of the pose of b in a."""
    rows = T[:3]
    return Transform.pose(Mat3.rows(row[:3] for row in rows), Vec3(*(row[3] for row in rows)))


def as_transform(at: Pose) -> Transform:
    return Transform.pose(at.R, at.p)


def columns(S_list: Any) -> list[Motion]:
    return [Motion.of(S) for S in zip(*S_list)]


def as_rows(columns: Iterable[Motion]) -> Matrix:
    return [list(row) for row in zip(*columns)]


# -- matrices and vectors of chapter 3


def so3(w: Scalars) -> Matrix:
    """[ω], (3.30)."""
    return [list(row) for row in Mat3.skew(Vec3(*w))]


def of_so3(skew: Matrix) -> list[Scalar]:
    """The ω of [ω]."""
    return [skew[2][1], skew[0][2], skew[1][0]]


def of_se3(matrix: Matrix) -> list[Scalar]:
    """The twist (ω, v) of [V]."""
    return [*of_so3(matrix), *(row[3] for row in matrix[:3])]


def rotation_exponential(skew: Matrix) -> Matrix:
    """e^{[ω]}, (3.51)."""
    return [list(row) for row in exponential(Motion(Vec3(*of_so3(skew)), ZERO), 1).R]


def transposed(R: Matrix) -> Matrix:
    """R⁻¹ of a rotation."""
    return [list(row) for row in zip(*R)]


def pose_of(R: Matrix, p: Scalars) -> Matrix:
    """The homogeneous matrix of a rotation and a place, (3.62)."""
    return [[*row, x] for row, x in zip(R, p)] + [[0, 0, 0, 1]]


def parts_of(T: Matrix) -> tuple[Matrix, list[Scalar]]:
    """R and p of a homogeneous matrix."""
    return [list(row[:3]) for row in T[:3]], [row[3] for row in T[:3]]


def screw_through(q: Scalars, s: Scalars, h: Scalar) -> list[Scalar]:
    """The screw axis through q along s of pitch h: (s, q × s + h s), §3.3.2.2."""
    axis = Vec3(*s)
    return [*axis, *(Vec3(*q).cross(axis) + axis * h)]
