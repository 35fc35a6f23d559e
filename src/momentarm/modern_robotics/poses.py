"""Chapter 3: rotations, poses and screws between vectors and matrices; logarithms, tests."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from momentarm.algorithms import screw_kinematics
from momentarm.modern_robotics.on_lists import Array, Dims, OnLists
from momentarm.spatial import Vec3
from momentarm.spatial.quaternion import logarithm, unswept

V3: Dims = (3,)
M3: Dims = (3, 3)
M4: Dims = (4, 4)
FAR = 1e9  # how far a reflection is from being a rotation

_so3 = OnLists("VecToso3", screw_kinematics.so3, {"omg": V3}, {"so3mat": M3})
_of_so3 = OnLists("so3ToVec", screw_kinematics.of_so3, {"so3mat": M3}, {"omg": V3})
_se3 = OnLists("VecTose3", screw_kinematics.se3, {"V": (6,)}, {"se3mat": M4})
_of_se3 = OnLists("se3ToVec", screw_kinematics.of_se3, {"se3mat": M4}, {"V": (6,)})
_exponential3 = OnLists("MatrixExp3", screw_kinematics.rotation_exponential, {"so3mat": M3},
                        {"R": M3})  # fmt: skip
_exponential6 = OnLists("MatrixExp6", screw_kinematics.matrix_exponential, {"se3mat": M4},
                        {"T": M4})  # fmt: skip
_transposed = OnLists("RotInv", screw_kinematics.transposed, {"R": M3}, {"invR": M3})
_pose = OnLists("RpToTrans", screw_kinematics.pose_of, {"R": M3, "p": V3}, {"T": M4})
_parts = OnLists("TransToRp", screw_kinematics.parts_of, {"T": M4}, {"R": M3, "p": V3})
_inverse = OnLists("TransInv", screw_kinematics.inverse, {"T": M4}, {"invT": M4})
_adjoint = OnLists("Adjoint", screw_kinematics.adjoint, {"T": M4}, {"AdT": (6, 6)})
_screw = OnLists("ScrewToAxis", screw_kinematics.screw_through, {"q": V3, "s": V3, "h": ()},
                 {"S": (6,)})  # fmt: skip


def NearZero(z: float) -> bool:
    """Whether |z| is below 1e-6."""
    return abs(z) < 1e-6


def Normalize(V: ArrayLike) -> Array:
    """V/|V|; ValueError for the zero vector, which has no direction."""
    v = np.asarray(V, float)
    length = np.linalg.norm(v)
    if length == 0:
        raise ValueError("Normalize(V): the zero vector has no direction")
    return v / length


def RotInv(R: ArrayLike) -> Array:
    """R⁻¹ = Rᵀ."""
    return _transposed.fast(R)


def VecToso3(omg: ArrayLike) -> Array:
    """[ω], the skew matrix with [ω] u = ω × u, (3.30)."""
    return _so3.fast(omg)


def so3ToVec(so3mat: ArrayLike) -> Array:
    """The ω of [ω]."""
    return _of_so3.fast(so3mat)


def AxisAng3(expc3: ArrayLike) -> tuple[Array, float]:
    """(unit axis, angle) of a rotation vector ω̂θ."""
    return Normalize(expc3), float(np.linalg.norm(expc3))


def MatrixExp3(so3mat: ArrayLike) -> Array:
    """e^{[ω]}, the rotation by a rotation vector, (3.51)."""
    return _exponential3.fast(so3mat)


def MatrixLog3(R: ArrayLike) -> Array:
    """[ω̂θ] of a rotation, the shortest turn; half a turn has its last element positive, (3.53).

    >>> MatrixLog3([[-1, 0, 0], [0, -1, 0], [0, 0, 1]]).round(6).tolist()
    [[0.0, -3.141593, 0.0], [3.141593, 0.0, -0.0], [-0.0, 0.0, 0.0]]
    """
    return VecToso3([*_rotation_vector(_transposed.number("R", R))])


def RpToTrans(R: ArrayLike, p: ArrayLike) -> Array:
    """The homogeneous matrix of a rotation and a place, (3.62)."""
    return _pose.fast(R, p)


def TransToRp(T: ArrayLike) -> tuple[Array, Array]:
    """(R, p) of a homogeneous matrix."""
    return _parts.fast(T)


def TransInv(T: ArrayLike) -> Array:
    """T⁻¹ of a homogeneous matrix, (3.64)."""
    return _inverse.fast(T)


def VecTose3(V: ArrayLike) -> Array:
    """[V], a twist as a matrix 4x4, (3.71)."""
    return _se3.fast(V)


def se3ToVec(se3mat: ArrayLike) -> Array:
    """The twist (ω, v) of [V]."""
    return _of_se3.fast(se3mat)


def Adjoint(T: ArrayLike) -> Array:
    """[Ad_T], the 6x6 matrix that carries twists along the pose T, (3.83)."""
    return _adjoint.fast(T)


def ScrewToAxis(q: ArrayLike, s: ArrayLike, h: float) -> Array:
    """The screw axis through the point q along the unit vector s, of pitch h, §3.3.2.2."""
    return _screw.fast(q, s, np.array(h))


def AxisAng6(expc6: ArrayLike) -> tuple[Array, float]:
    """(screw axis, θ) of exponential coordinates Sθ: θ turns, or slides where nothing turns."""
    S = np.asarray(expc6, float)
    turn, slide = float(np.linalg.norm(S[:3])), float(np.linalg.norm(S[3:]))
    theta = slide if NearZero(turn) else turn
    if theta == 0:
        raise ValueError("AxisAng6(expc6): exponential coordinates of zero have no axis")
    return S / theta, theta


def MatrixExp6(se3mat: ArrayLike) -> Array:
    """e^{[S]θ}, the pose after a screw motion [S]θ, (3.88); for turns of any size.

    >>> MatrixExp6(VecTose3([0, 0, 0, 1, 2, 3]))[:3, 3].tolist()
    [1.0, 2.0, 3.0]
    """
    return _exponential6.fast(se3mat)


def MatrixLog6(T: ArrayLike) -> Array:
    """[S]θ of a pose, the shortest screw motion there, algorithm of §3.3.3.2."""
    R, p = TransToRp(T)
    u = _rotation_vector(R)
    return VecTose3([*u, *unswept(u, Vec3(*p.tolist()))])


def ProjectToSO3(mat: ArrayLike) -> Array:
    """The rotation nearest to a matrix 3x3, by singular values."""
    U, _, Vh = np.linalg.svd(np.asarray(mat, float))
    return U @ np.diag([1, 1, np.linalg.det(U @ Vh).round()]) @ Vh


def ProjectToSE3(mat: ArrayLike) -> Array:
    """A matrix 4x4 with the nearest rotation for its upper left block, and 0 0 0 1 below."""
    T = np.asarray(mat, float)
    return RpToTrans(ProjectToSO3(T[:3, :3]), T[:3, 3])


def DistanceToSO3(mat: ArrayLike) -> float:
    """|matᵀ mat − 1| by Frobenius, 1e9 where the determinant is not positive."""
    A = np.asarray(mat, float)
    return float(np.linalg.norm(A.T @ A - np.eye(3))) if np.linalg.det(A) > 0 else FAR


def DistanceToSE3(mat: ArrayLike) -> float:
    """The same of a matrix 4x4, with what its last row is off from 0 0 0 1."""
    T = np.asarray(mat, float)
    turn = DistanceToSO3(T[:3, :3])
    return turn if turn == FAR else math.hypot(turn, float(np.linalg.norm(T[3] - [0, 0, 0, 1])))


def TestIfSO3(mat: ArrayLike) -> bool:
    """Whether a matrix is within 1e-3 of a rotation."""
    return DistanceToSO3(mat) < 1e-3


def TestIfSE3(mat: ArrayLike) -> bool:
    """Whether a matrix is within 1e-3 of a pose."""
    return DistanceToSE3(mat) < 1e-3


def _rotation_vector(R: Array) -> Vec3:
    """By the quaternion whose largest element is found first, so that no digit is lost."""
    if R.shape != (3, 3):
        raise ValueError(f"MatrixLog3(R): expected shape (3, 3), got {R.shape}")
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    trace = a + e + i
    columns = (
        (1 + a - e - i, b + d, c + g, h - f),
        (b + d, 1 - a + e - i, f + h, c - g),
        (c + g, f + h, 1 - a - e + i, d - b),
        (h - f, c - g, d - b, 1 + trace),
    )  # 4 q qᵀ of the quaternion q = (x, y, z, w)
    q = max(columns, key=lambda column: sum(x * x for x in column))
    x, y, z, w = q
    last = next((k for k in (w, z, y, x) if k), 0.0)
    return logarithm(q if last > 0 else (-x, -y, -z, -w))
