"""Bundled robots: `ma.robots.ur5()` is `ma.load(ma.robots.path("ur5"))`.

One native TOML file each, without meshes; where its numbers come from stands in it (`source`,
`license`) and in README.md. To add a robot: add its file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from momentarm.model.problem import unknown

if TYPE_CHECKING:
    from momentarm.robot import Robot

__all__ = ["names", "path"]

_FOLDER = Path(__file__).parent


def names() -> tuple[str, ...]:
    """The names of the bundled robots.

    >>> names()[:3]
    ('cart_pole', 'furuta', 'gripper')
    """
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


def path(name: str) -> Path:
    """The file of a bundled robot.

    >>> path("pandas")
    Traceback (most recent call last):
    ...
    ValueError: no bundled robot 'pandas'; did you mean 'panda'?
    """
    if name not in names():
        raise ValueError(unknown("bundled robot", name, names()))
    return _FOLDER / f"{name}.toml"


def __getattr__(name: str) -> Callable[[], Robot]:
    if name not in names():
        raise AttributeError(unknown("bundled robot", name, names()))

    def robot() -> Robot:
        import momentarm  # not at the top: momentarm itself imports this module

        return momentarm.load(path(name))

    robot.__name__ = robot.__qualname__ = name
    robot.__doc__ = f"The bundled robot {name!r}, a new one each time."
    return robot


def __dir__() -> list[str]:
    return [*__all__, *names()]
