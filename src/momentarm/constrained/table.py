"""What a constrained robot can be asked: a row an answer, and the kernel made from it.

An algorithm here takes the rows of A beside the mechanism; the kernel is keyed by its tape, as that
of a user's own function is, since rows may be one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from momentarm.algorithms import constrained, motion
from momentarm.algorithms.mobility import Block
from momentarm.algorithms.symmetric import smaller
from momentarm.answers.asking import Asking
from momentarm.answers.options import settled
from momentarm.answers.task_space import must_be_independent
from momentarm.constrained.conditions import Source
from momentarm.graph.expr import Expr
from momentarm.graph.program import Program, flattened
from momentarm.kernels import pipeline
from momentarm.kernels.kernel import Kernel, Recipe
from momentarm.model import Mechanism
from momentarm.model.canonical import canonical
from momentarm.quantities import SOURCES, elements, moves
from momentarm.quantities.motion import dt, q_to
from momentarm.quantities.row import N_N, NUMBER, Arrays, q, qd, qdd, tau
from momentarm.traced import as_array, as_lists
from momentarm.version import __version__


@dataclass(frozen=True)
class Rows:
    """The rows that are kept of all sources, and the rates (α, β) at which errors decay."""

    sources: tuple[Source, ...]
    kept: tuple[int, ...]
    decay: tuple[float, float] = (0, 0)

    def matrix(self, m: Mechanism, q: Any) -> Any:
        return self._kept([row for s in self.sources for row in s.matrix(m, q)])

    def bias(self, m: Mechanism, q: Any, qd: Any) -> Any:
        return self._kept([x for s in self.sources for x in s.bias(m, q, qd)])

    def errors(self, m: Mechanism, q: Any) -> Any:
        return self._kept([x for s in self.sources for x in s.errors(m, q)])

    def kin(self, m: Mechanism, q: Any) -> list[Block]:
        """By which rows pivots are measured, counted as the rows that are kept are."""
        place, start = {k: i for i, k in enumerate(self.kept)}, 0
        found: list[Block] = []
        for s in self.sources:
            for rows, measured in s.kin(m, q):
                found.append((rows, [place[start + k] for k in measured if start + k in place]))
            start += len(s.names)
        return found

    def needed(self, m: Mechanism, q: Any, qd: Any) -> Any:
        """b of A q̈ + b = 0."""
        A, bias = self.matrix(m, q), self.bias(m, q, qd)
        if not any(self.decay):
            return bias
        return constrained.stabilized(A, bias, self.errors(m, q), qd, *self.decay)

    def _kept(self, rows: list[Any]) -> list[Any]:
        return [rows[k] for k in self.kept]


@dataclass(frozen=True)
class Answer:
    """`f(rows, m, *arrays, **options)` on nested lists."""

    inputs: Arrays
    outputs: Arrays
    f: Callable[..., Any]
    equation: str
    options: tuple[str, ...] = ()
    divides_by_mass: bool = True


def _forward(r: Rows, m: Mechanism, q: Any, qd: Any, tau: Any) -> Any:
    A, b = r.matrix(m, q), r.needed(m, q, qd)
    return constrained.forward_dynamics(m, A, b, q, qd, tau, r.kin(m, q))


def _inverse(r: Rows, m: Mechanism, q: Any, qd: Any, qdd: Any, x: Any) -> Any:
    return constrained.inverse_dynamics(m, r.matrix(m, q), q, qd, qdd, x)


def _violation(r: Rows, m: Mechanism, q: Any, qd: Any, qdd: Any) -> Any:
    A, b = r.matrix(m, q), r.needed(m, q, qd)
    return constrained.violation(A, b, qdd), constrained.violation_scale(A, b, qdd)


def _allowed(r: Rows, m: Mechanism, q: Any, qd: Any, qdd: Any) -> Any:
    A, b = r.matrix(m, q), r.needed(m, q, qd)
    return constrained.allowed_accelerations(m, A, b, q, qdd, r.kin(m, q))


def _step(r: Rows, m: Mechanism, q: Any, qd: Any, tau: Any, dt: Any, method: str) -> Any:
    pivots = []

    def accelerations(q: Any, qd: Any) -> Any:
        qdd, _, pivot = _forward(r, m, q, qd, tau)
        pivots.append(pivot)
        return qdd

    states = motion.METHODS[method](m, q, qd, dt, accelerations)
    return *states, reduce(smaller, pivots)


def _projectors(r: Rows, m: Mechanism, q: Any) -> Any:
    return constrained.projectors(m, r.matrix(m, q), q, r.kin(m, q))


def _split(r: Rows, m: Mechanism, q: Any, tau: Any) -> Any:
    return constrained.split_efforts(m, r.matrix(m, q), q, tau, r.kin(m, q))


def _of_state(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda r, m, q, *arrays, **options: f(m, r.matrix(m, q), q, *arrays, **options)


K, PIVOT = ("k",), ("pivot", NUMBER)
lam, forces = ("lam", K), ("forces", ("rows",))
FRAME = ("frame", "reference", "rows")
ANSWERS = {
    "constraint_matrix": Answer((q,), (("A", ("k", "n")),), Rows.matrix, "(8.92)",
                                divides_by_mass=False),
    "constraint_bias": Answer((q, qd), (("b", K),), Rows.bias, "(8.95)", divides_by_mass=False),
    "constraint_errors": Answer((q,), (("phi", K),), Rows.errors, "(8.92)",
                                divides_by_mass=False),
    "forward_dynamics": Answer((q, qd, tau), (qdd, lam, PIVOT), _forward, "(8.96), (8.98)"),
    "step": Answer((q, qd, tau, dt), (q_to, ("qd_to", ("n",)), PIVOT), _step, "§8.5", ("method",)),
    "inverse_dynamics": Answer((q, qd, qdd, lam), (tau,), _inverse, "(8.93)"),
    "violation": Answer((q, qd, qdd), (("violation", K), ("scale", K)), _violation, "(8.95)",
                        divides_by_mass=False),
    "allowed_accelerations": Answer((q, qd, qdd), (qdd, PIVOT), _allowed, "(8.101)"),
    "projectors": Answer((q,), (("P", N_N), ("P_qdd", N_N), PIVOT),
                         _projectors, "(8.100), (8.102)"),
    "split_efforts": Answer((q, tau), (("moving", ("n",)), ("against", ("n",)), PIVOT),
                            _split, "(8.99)"),
    "constraint_wrench": Answer((q, lam), (forces, PIVOT),
                                _of_state(constrained.constraint_wrench), "§8.7", FRAME),
    "multipliers": Answer((q, forces), (lam, PIVOT), _of_state(constrained.multipliers_of),
                          "§8.7", FRAME),
}  # fmt: skip


def _options(robot: Asking, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an answer, checked."""
    options = settled(ANSWERS[name].options, given, robot)
    if "rows" in options:
        must_be_independent(name, options["rows"], robot.mechanism.n)
    return options


def on_expressions(robot: Asking, rows: Rows, name: str, arrays: Sequence[Any],
                   given: Mapping[str, Any]) -> Any:  # fmt: skip
    """The answer inside a kernel of one's own, on its tape."""
    row, options = ANSWERS[name], _options(robot, name, given)
    tape = next(x.tape for a in arrays for x in flattened(a) if isinstance(x, Expr))
    before, tape.by_identity = tape.by_identity, True
    try:
        answers = row.f(rows, canonical(robot.mechanism), *map(as_lists, arrays), **options)
    finally:
        tape.by_identity = before
    return tuple(map(as_array, answers)) if len(row.outputs) > 1 else as_array(answers)


def kernel(robot: Asking, rows: Rows, name: str, given: Mapping[str, Any],
           again: Callable[[], Any]) -> Kernel:  # fmt: skip
    """The compiled object of one answer; options are settled here. `again` is for pickles."""
    row, m = ANSWERS[name], robot.mechanism
    options = _options(robot, name, given)
    sizes = {"nq": m.nq, "n": m.n, "k": len(rows.kept), "rows": len(options.get("rows") or [0] * 6)}

    def shapes(arrays: Arrays) -> dict[str, tuple[int, ...]]:
        return {k: tuple(sizes[d] if isinstance(d, str) else d for d in dims)
                for k, dims in arrays}  # fmt: skip

    inputs, outputs, form = shapes(row.inputs), shapes(row.outputs), canonical(m)
    traced = Program.trace(lambda *arrays: row.f(rows, form, *arrays, **options), inputs, outputs,
                           name, pipeline.MOST_OPERATIONS)  # fmt: skip
    key = hashlib.sha256(f"{traced.digest} {SOURCES}".encode()).digest()
    about = {"robot": m.name, "version": __version__, "equation": row.equation}
    doc = f"{name.replace('_', ' ')} of {m.name}, constrained, eq. {row.equation}"
    return Kernel(Recipe(traced.name, inputs, outputs, {"as written": lambda _: traced}, key, doc,
                         about, elements(m), options, again, moves(m)))  # fmt: skip
