"""Every formulation against every other: the rows of the cross-check.

Rule 1  Algorithms run in Python's floats; kernels are machine code of the same text: so the
        compiler is checked against the interpreter, and the algorithms against each other, against
        the textbook's own formulations, and against laws that hold whatever the formulation.
Rule 2  An error is the largest difference over the largest number compared, at the worst state, in
        units of what rounding may cost (`Row.unit`): ε, κ ε where a linear system is solved.
Rule 3  What cannot be compared is named with the reason, never left out in silence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from momentarm.algorithms import motion
from momentarm.kernels.kernel import Kernel, Recipe
from momentarm.model import IDEAL, Mechanism
from momentarm.quantities import QUANTITIES, Quantity, recipe

Array = NDArray[np.float64]
Options = Callable[[Iterable[str]], dict[str, Any]]
EPSILON = float(np.finfo(np.float64).eps)
SINGULAR = 1e-9  # a pivot below this leaves no digits worth comparing


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: what, of which two, how far apart, in which unit, and how far they may be."""

    quantity: str
    left: str
    right: str
    error: float | None = None  # relative; None where it was left out
    allowed: float = 0.0
    unit: str = ""  # what `allowed` is made of
    reason: str = ""  # why it was left out

    @property
    def agrees(self) -> bool:
        return self.error is None or self.error <= self.allowed


@dataclass(frozen=True)
class Subject:
    """A robot and the states at which it is asked."""

    m: Mechanism
    states: Sequence[Mapping[str, Any]]  # by argument
    options: Options

    @cached_property
    def ideal(self) -> Mechanism:
        """The rigid bodies alone."""
        return self.m.with_links([replace(k, joint=replace(k.joint, actuator=IDEAL))
                                  for k in self.m.links])  # fmt: skip

    def value(self, name: str, state: Mapping[str, Any], route: str | None = None,
              m: Mechanism | None = None) -> list[Array]:  # fmt: skip
        """The results of a quantity at a state, its algorithm run in Python's floats."""
        row, m = QUANTITIES[name], m or self.m
        arrays = {k: _floats(state[k]) for k, _ in row.inputs}
        route = route or self.routes(name)[0]
        results = row.answer(row.form(m), route, arrays, self.options(row.options))
        return [np.asarray(x, float) for x in results]

    def first(self, name: str, state: Mapping[str, Any], m: Mechanism | None = None) -> Array:
        return self.value(name, state, m=m)[0]

    @cached_property
    def effort(self) -> float:
        """The size of the efforts at these states: gravity of an upright axis is rounding of it."""
        if not any(link.has_inertia for link in self.m.links):
            return 0.0
        return largest(np.abs(self.first("inverse_dynamics", x)).max(initial=0)
                       for x in self.states)  # fmt: skip

    def routes(self, name: str) -> list[str]:
        """The algorithms of a quantity that serve this robot."""
        return list(self._recipe(name).routes)

    def _recipe(self, name: str) -> Recipe:
        options = self.options((*QUANTITIES[name].options, "parametric"))
        return recipe(self.m, (name,), (), **options)

    def kernel(self, name: str, route: str) -> Kernel:
        """The quantity compiled by one route, whichever is the cheapest."""
        whole = self._recipe(name)
        if len(whole.routes) == 1:
            return Kernel(whole)
        key = json.dumps([whole.key.hex(), route]).encode()
        return Kernel(replace(whole, routes={route: whole.routes[route]}, key=key))

    def moved(self, state: Mapping[str, Any], rates: Any, dt: float) -> dict[str, Any]:
        """The state with its coordinates moved along rates for a time."""
        q = motion.integrate(self.m, _floats(state["q"]), [float(x) for x in rates], dt)
        return {**state, "q": np.array(q)}


def _floats(x: Any) -> Any:
    return x.tolist() if isinstance(x, np.ndarray) else x


def apart(a: Any, b: Any, size: float = 0.0) -> float:
    """The largest difference over the largest number, or over the size of what they are made of."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    if not a.size:
        return 0.0
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return np.inf
    scale = max(float(np.abs(a).max()), float(np.abs(b).max()), size)
    return float(np.abs(a - b).max()) / scale if scale else 0.0


def largest(errors: Iterable[float]) -> float:
    return max((float(x) for x in errors), default=0.0)


# -- formulations of one quantity, compiled and interpreted ----------------------------------------


def formulations(s: Subject, name: str, slack: float, unit: str) -> Iterator[Row]:
    """All algorithms of a quantity against its first, compiled against interpreted, batch bits."""
    row = QUANTITIES[name]
    routes = s.routes(name)
    reference = [s.value(name, state, routes[0]) for state in s.states]
    slack /= _least_pivot(row, reference)
    for route in routes:
        own = reference if route == routes[0] else [s.value(name, state, route)
                                                    for state in s.states]  # fmt: skip
        if route != routes[0]:
            yield Row(name, routes[0], route, _worst(s, row, own, reference), slack, unit)
        kernel = s.kernel(name, route)
        one = kernel.builtin(kernel)
        singles = [_listed(one(*_arguments(row, state)), row) for state in s.states]
        yield Row(name, route, "its kernel", _worst(s, row, singles, own), slack, unit)
        yield Row(name, f"kernel, {route}", "batch kernel", _bits(s, row, kernel, singles),
                  0.0, "bits")  # fmt: skip


def _least_pivot(row: Quantity, results: Sequence[Sequence[Array]]) -> float:
    """How near to singular the quantity came at a state, where it says so itself; else 1."""
    names = [k for k, _ in row.outputs]
    if "pivot" not in names:
        return 1.0
    least = min(float(x[names.index("pivot")]) for x in results)
    if not least > SINGULAR:
        raise ZeroDivisionError
    return min(1.0, least)


def _arguments(row: Quantity, state: Mapping[str, Any]) -> list[Any]:
    return [np.array(state[k], float) for k, _ in row.inputs]


def _listed(results: Any, row: Quantity) -> list[Array]:
    return [np.asarray(x, float) for x in (results if len(row.outputs) > 1 else (results,))]


def _worst(s: Subject, row: Quantity, a: Sequence[Sequence[Array]],
           b: Sequence[Sequence[Array]]) -> float:  # fmt: skip
    """Over the results: the largest difference over the largest number of all states."""
    usual = {"tau": s.effort, "N": 1.0}  # of what is a difference of numbers of this size
    sizes = (usual.get(k, 0.0) for k, _ in row.outputs)
    return largest(apart(np.stack(x), np.stack(y), size)
                   for x, y, size in zip(zip(*a), zip(*b), sizes))  # fmt: skip


def _bits(s: Subject, row: Quantity, kernel: Kernel, singles: Sequence[Sequence[Array]]) -> float:
    """0 where a batch has the bits of its states one by one, else how far they are apart."""
    stacked = [np.stack(x) for x in zip(*(_arguments(row, state) for state in s.states))]
    batch = _listed(kernel(*stacked), row)
    together = [np.stack(x) for x in zip(*singles)]
    if all(np.array_equal(x, y) for x, y in zip(batch, together, strict=True)):
        return 0.0
    return max(EPSILON, largest(map(apart, batch, together)))
