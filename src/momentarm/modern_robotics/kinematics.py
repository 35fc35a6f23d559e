"""What goes with the dynamics: matrices of twists and poses, forward kinematics, Jacobians."""

from __future__ import annotations

from numpy.typing import ArrayLike

from momentarm.algorithms import screw_kinematics
from momentarm.modern_robotics.on_lists import Array, Dims, OnLists, joints

POSE: dict[str, Dims] = {"T": (4, 4)}
HOME: dict[str, Dims] = {"M": (4, 4)}
SCREWS: dict[str, Dims] = {"Slist": (6, "n")}
BODY_SCREWS: dict[str, Dims] = {"Blist": (6, "n")}
THETA = joints("thetalist")

_adjoint = OnLists("Adjoint", screw_kinematics.adjoint, POSE, {"AdT": (6, 6)})
_inverse = OnLists("TransInv", screw_kinematics.inverse, POSE, {"Tinv": (4, 4)})
_se3 = OnLists("VecTose3", screw_kinematics.se3, {"V": (6,)}, {"se3mat": (4, 4)})
_exponential = OnLists("MatrixExp6", screw_kinematics.matrix_exponential, {"se3mat": (4, 4)}, POSE)
_space_pose = OnLists("FKinSpace", screw_kinematics.space_pose, HOME | SCREWS | THETA, POSE)
_body_pose = OnLists("FKinBody", screw_kinematics.body_pose, HOME | BODY_SCREWS | THETA, POSE)
_space_jacobian = OnLists("JacobianSpace", screw_kinematics.space_jacobian, SCREWS | THETA,
                          {"Js": (6, "n")})  # fmt: skip
_body_jacobian = OnLists("JacobianBody", screw_kinematics.body_jacobian, BODY_SCREWS | THETA,
                         {"Jb": (6, "n")})  # fmt: skip


def Adjoint(T: ArrayLike) -> Array:
    """[Ad_T], the 6x6 matrix that carries twists along the pose T, (3.83)."""
    return _adjoint.fast(T)


def TransInv(T: ArrayLike) -> Array:
    """T⁻¹ of a homogeneous matrix, (3.64)."""
    return _inverse.fast(T)


def VecTose3(V: ArrayLike) -> Array:
    """[V], a twist as a matrix 4x4, (3.71)."""
    return _se3.fast(V)


def MatrixExp6(se3mat: ArrayLike) -> Array:
    """e^{[S]θ}, the pose after a screw motion [S]θ, (3.88); exact for turns of any size.

    >>> MatrixExp6(VecTose3([0, 0, 0, 1, 2, 3]))[:3, 3].tolist()
    [1.0, 2.0, 3.0]
    """
    return _exponential.fast(se3mat)


def FKinSpace(M: ArrayLike, Slist: ArrayLike, thetalist: ArrayLike) -> Array:
    """The tip's pose (4, 4) from its home M and space screws, (4.14)."""
    return _space_pose.fast(M, Slist, thetalist)


def FKinBody(M: ArrayLike, Blist: ArrayLike, thetalist: ArrayLike) -> Array:
    """The tip's pose (4, 4) from its home M and body screws, (4.16)."""
    return _body_pose.fast(M, Blist, thetalist)


def JacobianSpace(Slist: ArrayLike, thetalist: ArrayLike) -> Array:
    """J_s, (6, n), (5.11)."""
    return _space_jacobian.fast(Slist, thetalist)


def JacobianBody(Blist: ArrayLike, thetalist: ArrayLike) -> Array:
    """J_b, (6, n), (5.18)."""
    return _body_jacobian.fast(Blist, thetalist)
