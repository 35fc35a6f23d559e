"""A user's own function as a kernel: `ma.kernel(f, arm)`.

`f(arm, q, …)` is called once, with expressions in NumPy arrays in place of numbers. It may use
arithmetic, NumPy functions, and any quantity of the robot: all of it becomes one program, in which
what two quantities share is computed once.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from momentarm.answers.asking import Asking
from momentarm.answers.task_space import check_rows
from momentarm.expressions import CAN, of_array
from momentarm.graph.expr import Expr
from momentarm.graph.program import Program, flattened, nested, shape_of
from momentarm.graph.tape import Tape, TooLong
from momentarm.kernels import arguments, pipeline
from momentarm.kernels.kernel import Kernel, Recipe
from momentarm.model.problem import unknown
from momentarm.quantities import QUANTITIES, SOURCES, elements, moves
from momentarm.twists import no_twist
from momentarm.version import __version__

Shape = tuple[int, ...]
_PLACED = inspect.Parameter.POSITIONAL_ONLY
WRENCHES = ("tip_wrench", "forces")  # arguments for which a twist is no value
FACTS = ("n", "nq", "name", "joint_names", "q_names", "v_names", "frames", "link_names", "tip",
         "limits", "q_home", "gravity")  # fmt: skip


class TracedRobot:
    """What `f` sees of the robot: its names and its quantities, on expressions."""

    def __init__(self, robot: Asking, tape: Tape) -> None:
        self._robot, self._tape = robot, tape

    @cached_property
    def _forms(self) -> dict[Any, Any]:
        return {row.form: row.form(self._robot.mechanism) for row in QUANTITIES.values()}

    def kernel(self, *names: str, **options: Any) -> TracedKernel:
        """What `Robot.kernel` gives, to be called with expressions."""
        return TracedKernel(self._robot.kernel(*names, **options), self._tape)

    def __getattr__(self, name: str) -> Any:
        if name in FACTS:
            return getattr(self._robot, name)
        if name not in QUANTITIES:
            raise AttributeError(unknown("quantity", name,
                                         (*QUANTITIES, *FACTS)))  # fmt: skip
        row = QUANTITIES[name]

        def quantity(*arrays: Any, tip_wrench: Any = None, wrenches: Any = None,
                     damping: Any = None, **options: Any) -> Any:  # fmt: skip
            outside = {"tip_wrench": tip_wrench, "damping": damping}
            outside = {k: x for k, x in outside.items() if x is not None}
            if wrenches is not None:
                if not isinstance(wrenches, Mapping):
                    raise TypeError(f"{name}(wrenches): expected {{frame: wrench}}, got "
                                    f"{wrenches!r}")  # fmt: skip
                outside["wrenches"] = [no_twist(f"{name}(wrenches[{k!r}])", x)
                                       for k, x in wrenches.items()]  # fmt: skip
            if damping is not None:
                options["damping"] = True
            kernel = self._robot.kernel(name, tip_wrench=tip_wrench is not None,
                                        wrenches=wrenches or (), **options)  # fmt: skip
            check_rows(kernel, self._robot.mechanism.n)
            pairs = _paired(name, kernel.recipe.inputs, (*arrays, *outside.values()))
            given = {k: _shaped(name, k, a, shape) for (k, shape), a in pairs}
            with self._comparing():
                answers = row.answer(self._forms[row.form], kernel.route, given,
                                     kernel.recipe.options)  # fmt: skip
            arrays = tuple(map(as_array, answers))
            return arrays if len(arrays) > 1 else arrays[0]

        return quantity

    @contextmanager
    def _comparing(self) -> Iterator[None]:
        """While algorithms run, which ask of their constants whether they are the same."""
        before, self._tape.by_identity = self._tape.by_identity, True
        try:
            yield
        finally:
            self._tape.by_identity = before


class TracedKernel:
    """What `f` sees of a robot's kernel: its derivatives, and its program on expressions."""

    def __init__(self, kernel: Kernel, tape: Tape) -> None:
        self._kernel, self._tape = kernel, tape

    def derivative(self, *by: Any, **how: bool) -> TracedKernel:
        return TracedKernel(self._kernel.derivative(*by, **how), self._tape)

    def along(self, *by: str, **how: bool) -> TracedKernel:
        return TracedKernel(self._kernel.along(*by, **how), self._tape)

    def weighted(self) -> TracedKernel:
        return TracedKernel(self._kernel.weighted(), self._tape)

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        recipe, tape = self._kernel.recipe, self._tape
        ordered = arguments.in_order(recipe.name, tuple(recipe.inputs), arrays, named)
        given = {k: [*flattened(_shaped(recipe.name, k, a, shape))]
                 for (k, shape), a in zip(recipe.inputs.items(), ordered, strict=True)}  # fmt: skip
        values = [*map(as_array, replayed(self._kernel.chosen[1], given, tape))]
        return tuple(values) if len(values) > 1 else values[0]


def kernel(f: Callable[..., Any], arm: Asking, **shapes: int | Shape) -> Kernel:
    """The compiled form of `f(arm, q, …)`, called as kernel(q, …) with one state or any batch.

    Arguments named q, qd, qdd, tau have arm.n elements, tip_wrench six; the shapes of others are
    given by name: `ma.kernel(controller, arm, gains=(7,), dt=())`. One with a default and no shape
    is no input: it keeps its default.

    >>> import momentarm as ma
    >>> def power(arm, qd, tau):
    ...     return qd @ tau
    >>> float(ma.kernel(power, ma.robots.planar_2r())([1, 2], [3, 4]))
    11.0
    """
    if not (callable(f) and isinstance(arm, Asking)):
        raise TypeError(f"kernel(f, arm): expected a function and a robot, got {f!r} and {arm!r}; "
                        "the kernel of a quantity is arm.kernel('mass_matrix')")  # fmt: skip
    traced = program(f, arm, **shapes)
    key = hashlib.sha256(f"{traced.digest} {SOURCES}".encode()).digest()
    about = {"robot": arm.mechanism.name, "version": __version__}
    doc = inspect.getdoc(f) or f"{traced.name} of {arm.mechanism.name}"
    return Kernel(Recipe(traced.name, traced.inputs, traced.outputs,
                         {"as written": lambda _: traced}, key, doc, about,
                         elements(arm.mechanism), moves=moves(arm.mechanism)))  # fmt: skip


def program(f: Callable[..., Any], arm: Asking, **shapes: int | Shape) -> Program:
    """What `f(arm, q, …)` computes, as a program of its arrays."""
    inputs = _inputs(f, arm, shapes)
    name = getattr(f, "__name__", "kernel")
    named = [k for k in inputs if inspect.signature(f).parameters[k].kind is not _PLACED]

    tape = Tape(longest=pipeline.MOST_OPERATIONS, by_identity=False)

    def on_arrays(*values: Any) -> Any:
        given = dict(zip(inputs, map(as_array, values), strict=True))
        by_name = {k: given.pop(k) for k in named}
        result = f(TracedRobot(arm, tape), *given.values(), **by_name)
        if isinstance(result, dict):
            return {str(k): as_lists(v) for k, v in result.items()}
        return tuple(map(as_lists, result)) if isinstance(result, tuple) else as_lists(result)

    return _traced(on_arrays, inputs, name if name.isidentifier() else "kernel", tape)


def replayed(program: Program, given: Mapping[str, Any], tape: Tape) -> list[Any]:
    """A program's results as nested lists, on the tape of the elements that are given."""

    def element(name: str, k: int) -> int:
        x = given[name][k]
        return x.i if isinstance(x, Expr) else tape.const(x)

    at = program.onto(tape, element)
    return [nested([Expr(tape, at[i]) for i in nodes], program.outputs[name])
            for name, nodes in program.nodes.items()]  # fmt: skip


def _traced(f: Callable[..., Any], inputs: dict[str, Shape], name: str, tape: Tape) -> Program:
    try:
        return Program.trace(f, inputs, None, name, tape=tape)
    except TooLong:
        raise pipeline.TooLarge(f"{name} has more than {pipeline.MOST_OPERATIONS:,} operations; a "
                                "loop in it is unrolled: make it shorter, or call a kernel of its "
                                "body in a loop") from None  # fmt: skip
    except (TypeError, AttributeError) as error:
        if "Expr" not in (said := str(error)) or CAN in said:
            raise
        missing = re.search(r"(?:callable|attribute) '?(\w+)", said)
        said = f"{missing[1]} cannot be traced" if missing else said
        raise TypeError(f"{name}: {said}; {CAN}") from error


def _inputs(f: Callable[..., Any], arm: Asking, given: dict[str, Any]) -> dict[str, Shape]:
    known: dict[str, Shape] = {k: (len(names),) for k, names in elements(arm.mechanism).items()}
    known |= {"tip_wrench": (6,)}
    for k, s in given.items():
        if known.setdefault(k, shape := _shape(k, s)) != shape:
            raise ValueError(f"kernel({k}): {arm.mechanism.name} has {k} of shape {known[k]}, got "
                             f"{s!r}; give another array another name")  # fmt: skip
    parameters = list(inspect.signature(f).parameters.values())[1:]
    names = [p.name for p in parameters if p.default is p.empty or p.name in known]
    shapeless = [k for k in names if k not in known]
    if gathered := [str(p) for p in parameters if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]:
        raise TypeError(f"kernel: {', '.join(gathered)} gathers any arguments; name each of them")
    if shapeless or not names:
        missing = ", ".join(f"{k}=(…)" for k in shapeless)
        raise TypeError(
            f"kernel: give the shape of each argument of its own, as in kernel(f, arm, {missing})"
            if names else "kernel: expected f(arm, q, …), a function of the robot and arrays"
        )  # fmt: skip
    if extra := set(given) - set(names):
        raise TypeError(f"kernel: {f.__name__} has no argument {', '.join(sorted(extra))}; "
                        f"it has {', '.join(names)}")  # fmt: skip
    return {k: known[k] for k in names}


def _shape(name: str, given: Any) -> Shape:
    """The shape of an argument, from one number or several."""
    sizes = given if isinstance(given, tuple | list) else (given,)
    if not all(isinstance(k, int | np.integer) and k >= 0 for k in sizes):
        raise TypeError(f"kernel({name}): expected its shape, as 7, (3, 3), or () for a number, "
                        f"got {given!r}")  # fmt: skip
    return tuple(map(int, sizes))


def _paired(name: str, inputs: dict[str, Shape], arrays: tuple[Any, ...]) -> Any:
    return zip(inputs.items(), arguments.in_order(name, tuple(inputs), arrays, {}), strict=True)


def _shaped(name: str, argument: str, value: Any, shape: Shape) -> Any:
    """An argument of a quantity as nested lists; inside a kernel there is one state."""
    if argument in WRENCHES:
        no_twist(f"{name}({argument})", value)
    if np.shape(value) != shape:
        raise ValueError(f"{name}({argument}): expected {shape}, got {np.shape(value)}")
    return as_lists(value)


def as_array(value: Any) -> Any:
    """Nested lists of expressions as an array of objects; one expression as it is."""
    shape = shape_of(value)
    if not shape:
        return value
    array = np.empty(shape, object)
    array.reshape(-1)[:] = list(flattened(value))
    return of_array(array)


def as_lists(value: Any) -> Any:
    """An array as nested lists; one number as it is."""
    value = np.asarray(value) if hasattr(value, "__array__") else value
    try:
        shape = np.shape(value)
    except ValueError:
        raise ValueError(f"expected an array, got rows that differ in length: {value!r}") from None
    return nested(list(flattened(value)), shape) if shape else value
