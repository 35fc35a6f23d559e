"""The functions of *Modern Robotics* by their own names, those of §8.11 foremost.

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
    CartesianTrajectory,
    ComputedTorque,
    CubicTimeScaling,
    JointTrajectory,
    QuinticTimeScaling,
    ScrewTrajectory,
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
    FKinBody,
    FKinSpace,
    IKinBody,
    IKinSpace,
    JacobianBody,
    JacobianSpace,
)
from momentarm.modern_robotics.on_lists import COMPILED
from momentarm.modern_robotics.poses import (
    Adjoint,
    AxisAng3,
    AxisAng6,
    DistanceToSE3,
    DistanceToSO3,
    MatrixExp3,
    MatrixExp6,
    MatrixLog3,
    MatrixLog6,
    NearZero,
    Normalize,
    ProjectToSE3,
    ProjectToSO3,
    RotInv,
    RpToTrans,
    ScrewToAxis,
    TestIfSE3,
    TestIfSO3,
    TransInv,
    TransToRp,
    VecTose3,
    VecToso3,
    se3ToVec,
    so3ToVec,
)

__all__ = [
    # chapter 8, section 8.11
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
    # chapter 3
    "Adjoint",
    "AxisAng3",
    "AxisAng6",
    "DistanceToSE3",
    "DistanceToSO3",
    "MatrixExp3",
    "MatrixExp6",
    "MatrixLog3",
    "MatrixLog6",
    "NearZero",
    "Normalize",
    "ProjectToSE3",
    "ProjectToSO3",
    "RotInv",
    "RpToTrans",
    "ScrewToAxis",
    "TestIfSE3",
    "TestIfSO3",
    "TransInv",
    "TransToRp",
    "VecTose3",
    "VecToso3",
    "se3ToVec",
    "so3ToVec",
    # chapters 4 to 6
    "FKinBody",
    "FKinSpace",
    "IKinBody",
    "IKinSpace",
    "JacobianBody",
    "JacobianSpace",
    # chapters 9 and 11
    "CartesianTrajectory",
    "ComputedTorque",
    "CubicTimeScaling",
    "JointTrajectory",
    "QuinticTimeScaling",
    "ScrewTrajectory",
    "SimulateControl",
]


def kernel(name: str, n: int) -> Kernel:
    """The compiled object behind a function for n joints: its operations, stages and C.

    >>> print(kernel("MassMatrix", 2).ops)
    338 mul + 252 add, 1 div, 1 sqrt, 1 sincos (243 fused)
    """
    if name not in COMPILED:
        raise ValueError(f"kernel: {unknown('function', name, COMPILED)}")
    return COMPILED[name].kernel(n)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"momentarm.modern_robotics has {unknown('function', name, __all__)}")
