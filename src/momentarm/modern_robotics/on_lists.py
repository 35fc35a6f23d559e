"""A function of the book as machine code: one kernel for each number of joints, none per robot.

Rule 1  The robot's lists are arguments. Nothing is remembered of them: nothing is hashed.
Rule 2  What is float64, contiguous and of the right shapes goes straight to machine code; anything
        else is made so, or refused in the caller's terms, before any kernel is made.
Rule 3  Leading axes broadcast: a robot for many states, a state for many robots.
"""

from __future__ import annotations

import hashlib
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from momentarm.graph.program import Program
from momentarm.kernels import arguments
from momentarm.kernels.kernel import FLOAT64, Kernel, Recipe
from momentarm.quantities import SOURCES
from momentarm.twists import no_twist
from momentarm.version import __version__

Array = NDArray[np.float64]
Dims = tuple[int | str, ...]
Shape = tuple[int, ...]
COLUMNS = "; screws are its columns: pass the transpose"
HINTS = {
    "Mlist": "; frames of the links each in the one before, and last the tip's in the last link",
    "Glist": "; one inertia a link, moment and rotation before force and translation",
    "Slist": "; one screw a joint, a column each",
    "Ftip": "; moment before force",
}

ROBOT: dict[str, Dims] = {"Mlist": ("n+1", 4, 4), "Glist": ("n", 6, 6), "Slist": (6, "n")}
COMPILED: dict[str, OnLists] = {}  # every function, by name


def joints(*names: str) -> dict[str, Dims]:
    """Arrays of a number for each joint."""
    return dict.fromkeys(names, ("n",))


class OnLists:
    """One function for all n. `fast` is what to call."""

    elements: Mapping[str, tuple[str, ...]] = {}  # no argument has names for its elements

    def __init__(self, name: str, algorithm: Callable[..., Any], inputs: Mapping[str, Dims],
                 outputs: Mapping[str, Dims]) -> None:  # fmt: skip
        self.name, self.algorithm, self.inputs, self.outputs = name, algorithm, inputs, outputs
        self.counted = next((k for k, d in enumerate(inputs.values()) if d == ("n",)), None)
        self.fast: Callable[..., Any] = self.general
        self._made: dict[int, _ForOneSize] = {}
        COMPILED[name] = self

    def kernel(self, n: int) -> Kernel:
        """The compiled object for n joints."""
        return self._of_size(n).kernel

    def general(self, *args: Any) -> Any:
        """Whatever the compiled call does not take by itself."""
        names = self.inputs
        if len(args) != len(names):
            raise TypeError(f"{self.name} takes {', '.join(names)}; got {len(args)} arguments")
        arrays = [a if type(a) is np.ndarray and a.dtype is FLOAT64 else self._array(name, a)
                  for name, a in zip(names, args, strict=True)]  # fmt: skip
        for_n = self._of_size(self._size(arrays))
        if [a.shape for a in arrays] != for_n.cores:
            for_n.check(self.name, arrays)
            return for_n.kernel(*arrays)
        whole = [np.ascontiguousarray(a) if a.ndim else a for a in arrays]
        if self.fast == for_n.call and all(map(operator.is_, args, whole)):
            return for_n.kernel(*arrays)  # refused by what would have taken it
        self.fast = for_n.call
        return for_n.call(*whole)

    def number(self, name: str, value: Any) -> Array:
        """An argument as the compiled call takes it."""
        return np.ascontiguousarray(self._array(name, value))

    def _of_size(self, n: int) -> _ForOneSize:
        if n not in self._made:
            self._made[n] = _ForOneSize(self, n)
        return self._made[n]

    def _array(self, name: str, value: Any) -> Array:
        """Numbers in any form as float64."""
        if name == "Ftip":
            no_twist(f"{self.name}({name})", value)
        if type(value) in (list, tuple):
            try:
                array = np.array(value)
            except ValueError:
                raise ValueError(f"{self.name}({name}): its parts differ in shape") from None
            if array.dtype is FLOAT64:
                return array
            value = array
        numbers = arguments.number_array(self, name, value)
        return np.asarray(numbers, np.float64)

    def _size(self, arrays: Sequence[Array]) -> int:
        """n, from the argument that has the joint variables."""
        if self.counted is None:
            return 0
        variables = arrays[self.counted]
        if not variables.ndim:
            raise ValueError(f"{self.name}({list(self.inputs)[self.counted]}): expected a list, "
                             f"one number a joint, got the number {variables}")  # fmt: skip
        return variables.shape[-1]


class _ForOneSize:
    """What there is for one n."""

    def __init__(self, function: OnLists, n: int) -> None:
        self.function, self.n = function, n
        self.inputs = {k: _shape(dims, n) for k, dims in function.inputs.items()}
        self.cores = list(self.inputs.values())

    @cached_property
    def kernel(self) -> Kernel:
        f, n = self.function, self.n
        outputs = {k: _shape(dims, n) for k, dims in f.outputs.items()}
        about = {"function": f"{f.name} of Modern Robotics, {n} joints", "version": __version__}
        key = repr(("modern_robotics", f.name, f.algorithm.__name__, self.inputs, outputs, SOURCES))

        def trace(longest: float = math.inf) -> Program:
            return Program.trace(f.algorithm, self.inputs, outputs, f.name, longest)

        return Kernel(Recipe(f.name, self.inputs, outputs, {"as printed": trace},
                             hashlib.sha256(key.encode()).digest(), about["function"],
                             about))  # fmt: skip

    @cached_property
    def call(self) -> Callable[..., Any]:
        return self.kernel.builtin(self.function.general)

    def check(self, name: str, arrays: Sequence[Array]) -> None:
        """ValueError for the first argument that does not fit."""
        counted = self.function.counted
        first = "" if counted is None else list(self.inputs)[counted]
        for (k, core), a in zip(self.inputs.items(), arrays, strict=True):
            if a.shape[max(0, a.ndim - len(core)) :] == core:
                continue
            hint = HINTS.get(k, "")
            if len(core) == 2 and a.shape[-2:] == core[::-1] and k.endswith("list"):
                hint = COLUMNS
            joints = {"n", "n+1"} & {*self.function.inputs[k]} and k != first
            why = f" for the {self.n} numbers of {first}" if joints else ""
            raise ValueError(f"{name}({k}): expected shape {core}{why}, got {a.shape}{hint}")


def _shape(dims: Dims, n: int) -> Shape:
    sizes = {"n": n, "n+1": n + 1}
    return tuple(sizes[d] if isinstance(d, str) else d for d in dims)
