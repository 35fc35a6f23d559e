"""Chapters 4 to 6: forward kinematics, Jacobians, and inverse kinematics by Newton's method."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from momentarm.algorithms import screw_kinematics
from momentarm.modern_robotics.on_lists import Array, Dims, OnLists, joints
from momentarm.modern_robotics.poses import Adjoint, MatrixLog6, TransInv, se3ToVec

POSE: dict[str, Dims] = {"T": (4, 4)}
HOME: dict[str, Dims] = {"M": (4, 4)}
SCREWS: dict[str, Dims] = {"Slist": (6, "n")}
BODY_SCREWS: dict[str, Dims] = {"Blist": (6, "n")}
THETA = joints("thetalist")
STEPS = 20  # of Newton's, at most

_space_pose = OnLists("FKinSpace", screw_kinematics.space_pose, HOME | SCREWS | THETA, POSE)
_body_pose = OnLists("FKinBody", screw_kinematics.body_pose, HOME | BODY_SCREWS | THETA, POSE)
_space_jacobian = OnLists("JacobianSpace", screw_kinematics.space_jacobian, SCREWS | THETA,
                          {"Js": (6, "n")})  # fmt: skip
_body_jacobian = OnLists("JacobianBody", screw_kinematics.body_jacobian, BODY_SCREWS | THETA,
                         {"Jb": (6, "n")})  # fmt: skip


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


def IKinBody(Blist: ArrayLike, M: ArrayLike, T: ArrayLike, thetalist0: ArrayLike, eomg: float,
             ev: float) -> tuple[Array, bool]:  # fmt: skip
    """(joint variables that bring the tip to T, whether they do), §6.2.2.

    From a guess `thetalist0`, by at most twenty steps of Newton's; done where the twist that is
    left, in the tip's frame, turns by no more than `eomg` and slides by no more than `ev`.
    """

    def left(theta: Array) -> Array:
        return se3ToVec(MatrixLog6(TransInv(FKinBody(M, Blist, theta)) @ np.asarray(T, float)))

    return _found(thetalist0, left, lambda theta: JacobianBody(Blist, theta), eomg, ev)


def IKinSpace(Slist: ArrayLike, M: ArrayLike, T: ArrayLike, thetalist0: ArrayLike, eomg: float,
              ev: float) -> tuple[Array, bool]:  # fmt: skip
    """(joint variables that bring the tip to T, whether they do), §6.2.2, by space screws.

    As `IKinBody`; the twist that is left, and its `eomg` and `ev`, are in the space frame.
    """

    def left(theta: Array) -> Array:
        pose = FKinSpace(M, Slist, theta)
        return Adjoint(pose) @ se3ToVec(MatrixLog6(TransInv(pose) @ np.asarray(T, float)))

    return _found(thetalist0, left, lambda theta: JacobianSpace(Slist, theta), eomg, ev)


def _found(guess: ArrayLike, left: Callable[[Array], Array], jacobian: Callable[[Array], Array],
           eomg: float, ev: float) -> tuple[Array, bool]:  # fmt: skip
    theta = np.array(guess, float)
    for _ in range(STEPS + 1):
        V = left(theta)
        if np.linalg.norm(V[:3]) <= eomg and np.linalg.norm(V[3:]) <= ev:
            return theta, True
        last, theta = theta, theta + np.linalg.pinv(jacobian(theta)) @ V
    return last, False
