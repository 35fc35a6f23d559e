"""Robot dynamics, compiled from the textbook.

>>> import momentarm as ma
>>> arm = ma.robots.planar_2r()
>>> arm.gravity_forces([0, 0])
array([29.43,  9.81])
"""

import os as _os
import typing as _typing

from momentarm import robots
from momentarm.expressions import clip, maximum, minimum, where
from momentarm.formats import Problem, RobotFileError
from momentarm.kernels.kernel import Kernel
from momentarm.robot import Robot
from momentarm.traced import kernel
from momentarm.twists import Twist, Wrench, adjoint
from momentarm.version import __version__

if _typing.TYPE_CHECKING:
    from momentarm import adapters, bodies, modern_robotics
    from momentarm.body import Body
    from momentarm.constrained import ConstrainedRobot, close, constraint, hold

_LATER = {  # where that is which is imported when it is first asked for
    "adapters": "adapters", "bodies": "bodies", "modern_robotics": "modern_robotics",
    "Body": "body", "ConstrainedRobot": "constrained", "close": "constrained",
    "constraint": "constrained", "hold": "constrained",
}  # fmt: skip

__all__ = [
    "Kernel",
    "Problem",
    "Robot",
    "ConstrainedRobot",
    "RobotFileError",
    "__version__",
    "adapters",
    "kernel",
    "load",
    "modern_robotics",
    "robots",
    "Body",
    "bodies",
    "Twist",
    "Wrench",
    "adjoint",
    "where",
    "minimum",
    "maximum",
    "clip",
    "close",
    "constraint",
    "hold",
]


def __getattr__(name: str) -> _typing.Any:
    if name in _LATER:
        from importlib import import_module

        module = import_module(f"momentarm.{_LATER[name]}")
        found = globals()[name] = module if name == _LATER[name] else getattr(module, name)
        return found
    raise AttributeError(f"module 'momentarm' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


def load(path: str | _os.PathLike[str], *, base: str = "fixed", strict: bool = False,
         snap_angles: bool = False) -> Robot:  # fmt: skip
    """A robot from a file: URDF (.urdf, .xml), MJCF (.xml, .mjcf) or native TOML (.toml).

    All that is wrong with the file is reported at once, by file, line and column; what is only
    odd becomes `robot.warnings`, or errors too with `strict=True`. `base="floating"` sets the
    robot free: its base link moves on a free joint. `snap_angles=True` takes rounded quarter
    turns (1.5708) as exact ones, which saves operations.
    """
    from momentarm.formats import load as read

    if path in robots.names() and not _os.path.exists(path):
        raise ValueError(f"load({path!r}): no such file; the bundled robot is ma.robots.{path}()")
    return Robot(*read(path, base=base, strict=strict, snap_angles=snap_angles))
