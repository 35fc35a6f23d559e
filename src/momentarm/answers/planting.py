"""What stands behind a compiled function that is planted in the place of a method."""

from __future__ import annotations

import inspect
from types import MethodType
from typing import Any


class General:
    """The method behind a compiled function, which calls it with whatever it does not take itself.

    A pickle of that function is its name in this object, which therefore pickles as the robot.
    """

    __slots__ = ("method",)

    def __init__(self, method: MethodType) -> None:
        self.method = method

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.method(*args, **keywords)

    def __reduce__(self) -> Any:
        return _itself, (self.method.__self__,)

    @property
    def signature(self) -> str:
        """Its arguments as text, without types: what `help` shows of a compiled function."""
        signature = inspect.signature(self.method)
        plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
        return str(signature.replace(parameters=plain, return_annotation=signature.empty))


def _itself(robot: Any) -> Any:
    return robot
