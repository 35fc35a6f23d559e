"""The functions of *Modern Robotics* §8.11 by their own names.

Put `import momentarm.modern_robotics as mr` where `import modern_robotics as mr` was. Arguments,
their order and the results are those of the book's package: Mlist the n + 1 link frames at home,
each in the one before, Glist the n spatial inertias, Slist the space screws as columns, six-vectors
angular first. What is more here: machine code made once for each n, not for each robot; leading
axes for many states or robots at once; errors that say which argument is wrong.

>>> import numpy as np
>>> from momentarm import robots
>>> M, G, S = robots.planar_2r().to_screws()
>>> GravityForces([0, 0], [0, -9.81, 0], M, G, S).round(12)
array([29.43,  9.81])
>>> GravityForces(np.zeros((5, 2)), [0, -9.81, 0], M, G, S).shape
(5, 2)
"""

from __future__ import annotations

from typing import Any

from momentarm.kernels.kernel import Kernel
from momentarm.model.problem import unknown
from momentarm.modern_robotics.control import (
    ComputedTorque,
    CubicTimeScaling,
    JointTrajectory,
    QuinticTimeScaling,
    SimulateControl,
)
from momentarm.modern_robotics.dynamics import (
    EndEffectorForces,
    EulerStep,
    ForwardDynamics,
    ForwardDynamicsTrajectory,
    GravityForces,
    InverseDynamics,
    InverseDynamicsTrajectory,
    MassMatrix,
    VelQuadraticForces,
    ad,
)
from momentarm.modern_robotics.kinematics import (
    Adjoint,
    FKinBody,
    FKinSpace,
    JacobianBody,
    JacobianSpace,
    MatrixExp6,
    TransInv,
    VecTose3,
)
from momentarm.modern_robotics.on_lists import COMPILED

__all__ = [
    "ad",
    "InverseDynamics",
    "MassMatrix",
    "VelQuadraticForces",
    "GravityForces",
    "EndEffectorForces",
    "ForwardDynamics",
    "EulerStep",
    "InverseDynamicsTrajectory",
    "ForwardDynamicsTrajectory",
    "ComputedTorque",
    "SimulateControl",
    "JointTrajectory",
    "CubicTimeScaling",
    "QuinticTimeScaling",
    "Adjoint",
    "TransInv",
    "VecTose3",
    "MatrixExp6",
    "FKinSpace",
    "FKinBody",
    "JacobianSpace",
    "JacobianBody",
]
# what the book's package has and this module has not
_ELSEWHERE = (
    "AxisAng3", "AxisAng6", "CartesianTrajectory", "DistanceToSE3", "DistanceToSO3", "IKinBody",
    "IKinSpace", "MatrixExp3", "MatrixLog3", "MatrixLog6", "NearZero", "Normalize",
    "ProjectToSE3", "ProjectToSO3", "RotInv", "RpToTrans", "ScrewToAxis", "ScrewTrajectory",
    "TestIfSE3", "TestIfSO3", "TransToRp", "VecToso3", "se3ToVec", "so3ToVec",
)  # fmt: skip


def kernel(name: str, n: int) -> Kernel:
    """The compiled object behind a function for n joints: its operations, stages and C.

    >>> print(kernel("MassMatrix", 2).ops)
    338 mul + 253 add, 1 div, 1 sqrt, 1 sincos (242 fused)
    """
    if name not in COMPILED:
        raise ValueError(f"kernel: {unknown('function', name, COMPILED)}")
    return COMPILED[name].kernel(n)


def __getattr__(name: str) -> Any:
    if name in _ELSEWHERE:
        raise AttributeError(
            f"momentarm.modern_robotics has no {name}: it has the dynamics of chapter 8 and what "
            f"goes with it; the book's package has it (from modern_robotics import {name}), and "
            "takes and gives the same arrays"
        )
    raise AttributeError(f"momentarm.modern_robotics has {unknown('name', name, __all__)}")
