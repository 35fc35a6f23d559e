"""Transforms between frames: X_ba carries a-coordinates to b-coordinates.

Neighbouring letters cancel: X_cb @ X_ba == X_ca, v_b = X_ba @ v_a, and forces and inertias go
back, f_a = X_ba.T @ f_b. X_ba is stored as the pose of b in a: the rotation R with v_a = R v_b,
the place p of b's origin in a, and a further `slide` of the origin along b's own z-axis, which
is what screws and prismatic joints do and is cheaper kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from momentarm.spatial.flow import Flow
from momentarm.spatial.inertia import Inertia
from momentarm.spatial.motion import Force, Motion
from momentarm.spatial.rotation import NO_ROTATION, Rotation
from momentarm.spatial.scalar import Scalar
from momentarm.spatial.vector import EZ, ZERO, Mat3, Vec3


@dataclass(frozen=True, slots=True)
class Transform:
    R: Rotation = NO_ROTATION
    p: Vec3 = ZERO
    slide: Scalar = 0

    @classmethod
    def pose(cls, R: Mat3, p: Vec3) -> Transform:
        """From the pose of b in a: the matrix of b's axes and the place of b's origin."""
        return cls(Rotation.from_matrix(R), p)

    @property
    def origin(self) -> Vec3:
        """Where b's origin is in a."""
        return self.p if _is_zero(self.slide) else self.p + self.R @ (EZ * self.slide)

    @property
    def matrix(self) -> list[list[Scalar]]:
        """The homogeneous 4x4 matrix T_ab of the pose of b in a."""
        rows = zip(self.R.matrix, self.origin, strict=True)
        return [[*row, p] for row, p in rows] + [[0, 0, 0, 1]]

    @property
    def T(self) -> _Dual:
        return _Dual(self)

    def screwed(self, X_cb: Transform) -> Transform:
        """X_cb @ X_ba where c is b turned about and moved along b's z-axis only."""
        return replace(self, R=self.R @ X_cb.R, slide=self.slide + X_cb.slide)

    def __matmul__(X, o: Any) -> Any:
        if isinstance(o, Motion):
            at_b = o.lin + o.ang.cross(X.p)
            ang, lin = X.R.T @ o.ang, X.R.T @ at_b
            return Motion(ang, lin + ang.cross(EZ * X.slide))
        if isinstance(o, Transform):  # X_cb @ X_ba: c in b, b in a
            return Transform(o.R @ X.R, o.origin + o.R @ X.p, X.slide)
        return NotImplemented

    def inverse(self) -> Transform:
        """X_ab, for constant transforms: it costs a matrix."""
        R = self.R.matrix.T
        return Transform.pose(R, -(R @ self.origin))


@dataclass(frozen=True, slots=True)
class _Dual:
    """X_baᵀ: carries b-forces, b-inertias and flows of mass back to a."""

    X: Transform

    def __matmul__(self, o: Any) -> Any:
        R, p, s = self.X.R, self.X.p, self.X.slide
        if isinstance(o, Force):
            at_axis = Vec3(o.ang.x - o.lin.y * s, o.ang.y + o.lin.x * s, o.ang.z)
            lin = R @ o.lin
            return Force(R @ at_axis + p.cross(lin), lin)
        if isinstance(o, Inertia):
            b = o.shifted(EZ * s)
            return Inertia(b.m, R @ b.h, R @ b.E).shifted(p)
        if isinstance(o, Flow):
            u = o.shifted(EZ * s)
            return Flow(R @ u.l, R @ u.D).shifted(p)
        return NotImplemented


def _is_zero(x: Scalar) -> bool:
    return isinstance(x, int | float) and x == 0


NO_TRANSFORM = Transform()
