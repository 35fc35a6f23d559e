"""Spatial algebra over any scalar. Knows nothing of robots, joints or compilers."""

from momentarm.spatial.flow import NO_FLOW, Flow
from momentarm.spatial.inertia import NO_INERTIA, Inertia, rotational_inertia, second_moments
from momentarm.spatial.motion import NO_FORCE, NO_MOTION, ROWS, BodyMotion, Force, Motion
from momentarm.spatial.response import Rate, Response
from momentarm.spatial.rotation import NO_ROTATION, Matrix, Rotation, TiltTurn, TurnX, TurnZ
from momentarm.spatial.scalar import Angle, Scalar, amount, atan2, cos, sign, sin, sqrt
from momentarm.spatial.transform import NO_TRANSFORM, Transform
from momentarm.spatial.vector import EX, EY, EZ, IDENTITY, ZERO, ZERO_SYM, Mat3, Sym3, Vec3

__all__ = [
    "EX",
    "EY",
    "EZ",
    "IDENTITY",
    "NO_FLOW",
    "NO_FORCE",
    "NO_INERTIA",
    "NO_MOTION",
    "NO_ROTATION",
    "NO_TRANSFORM",
    "ROWS",
    "ZERO",
    "ZERO_SYM",
    "Angle",
    "BodyMotion",
    "Flow",
    "Force",
    "Inertia",
    "Mat3",
    "Matrix",
    "Motion",
    "Rate",
    "Response",
    "Rotation",
    "Scalar",
    "Sym3",
    "TiltTurn",
    "Transform",
    "TurnX",
    "TurnZ",
    "Vec3",
    "amount",
    "atan2",
    "cos",
    "rotational_inertia",
    "second_moments",
    "sign",
    "sin",
    "sqrt",
]
