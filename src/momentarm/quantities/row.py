"""What a row of the table of quantities says, and the short ways to write one.

Rule 1  A row says in which form of the mechanism its algorithms run: `canonical` (least
        operations; efforts, M and q̈ only), `aligned` (physical parameters), or another.
Rule 2  Where several algorithms are named, the kernel takes the one with fewest operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from momentarm.model import Mechanism, parameters
from momentarm.model.canonical import aligned, canonical

Size = int | str  # "nq": elements of q, "n": of q̇, q̈ and τ, "frames": number of named frames, …
Dims = tuple[Size, ...]
Form = Callable[[Mechanism], Mechanism]
Array = tuple[str, Dims]
Arrays = tuple[Array, ...]
N, N_N, SIX, POSE, NUMBER = ("n",), ("n", "n"), (6,), (4, 4), ()
q, qd, qdd, tau, wrench = ("q", ("nq",)), ("qd", N), ("qdd", N), ("tau", N), ("tip_wrench", SIX)
wrenches = ("wrenches", ("wrenches", 6))
M = ("M", N_N)


@dataclass(frozen=True)
class Quantity:
    """A row. `algorithms` are functions of the room of that name, by route: "file.function".

    They take the mechanism, then the arrays and `options` by name; the latter are fixed when the
    algorithm is traced.
    """

    name: str
    inputs: Arrays
    outputs: Arrays
    algorithms: Mapping[str, str]
    form: Form
    equation: str
    optional: Arrays = ()
    options: tuple[str, ...] = ()
    needs_inertia: bool = True
    uncoupled: tuple[str, ...] = ()  # algorithms for robots whose joints are all their own
    holonomic: tuple[str, ...] = ()  # algorithms for robots without quaternions
    slopes: str = ""  # the quantity that has its first derivatives by an algorithm of its own
    solves: bool = False  # for accelerations: every joint must move some inertia

    def answer(self, m: Mechanism, route: str, arrays: Mapping[str, Any],
               options: Mapping[str, Any]) -> tuple[Any, ...]:  # fmt: skip
        """The outputs, by one of the algorithms, for arrays of any scalar."""
        file, function = self.algorithms[route].split(".")
        algorithm = getattr(import_module(f"momentarm.algorithms.{file}"), function)
        names = (k for k, _ in (*self.inputs, *self.optional) if k in arrays)
        mine = {k: options[k] for k in self.options if k in options}
        result = algorithm(m, **{k: arrays[k] for k in names}, **mine)
        return tuple(result) if len(self.outputs) > 1 else (result,)


WRENCHES: dict[str, Any] = {"optional": (wrench, wrenches), "options": ("wrench_frames",)}


def effort(name: str, inputs: Arrays, equation: str, **more: Any) -> Quantity:
    """One effort a joint, by Newton and Euler's recursion."""
    algorithms = {"Newton–Euler": f"newton_euler.{name}"}
    return Quantity(name, inputs, (tau,), algorithms, canonical, equation, **more)


def physics(name: str, inputs: Arrays, output: Array, file: str, equation: str,
            **more: Any) -> Quantity:  # fmt: skip
    """What depends on the physical parameters, or on none."""
    algorithms = {"recursive": f"{file}.{name}"}
    return Quantity(name, inputs, (output,), algorithms, aligned, equation, **more)


def by_body(m: Mechanism) -> Mechanism:
    """With a frame for each link of the file, and no others."""
    return aligned(parameters.by_body(m))


def as_it_is(m: Mechanism) -> Mechanism:
    """In the frames of its file."""
    return m
