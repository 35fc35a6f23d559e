"""A robot whose motion obeys constraints: what `arm.with_constraints(…)` gives.

Rule 1  It never changes. Its answers are compiled and take one state or any batch, as a robot's do.
Rule 2  Signs are the book's: τ = M q̈ + h + Aᵀ λ (8.93), λ is what the robot applies **to** its
        constraints. Friction of the joints counts beside h.
Rule 3  What divides returns last its smallest pivot, of A M⁻¹ Aᵀ relative to the largest of rows of
        one kind. Where it is not above rounding (say 1e-10; it is 0 or NaN after a pivot of 0) the
        state is singular, and λ and the projectors mean nothing. Rows that are redundant
        everywhere are refused, or dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MethodType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from momentarm.answers.asking import Asking, Threads
from momentarm.answers.options import are_usual
from momentarm.answers.planting import General
from momentarm.constrained.conditions import Condition
from momentarm.constrained.redundancy import redundant_rows, told
from momentarm.constrained.table import ANSWERS, Rows, kernel, on_expressions
from momentarm.expressions import Expressions
from momentarm.graph.expr import Expr
from momentarm.kernels.arguments import number_array
from momentarm.kernels.kernel import Kernel
from momentarm.model.printed import counted
from momentarm.model.problem import unknown
from momentarm.twists import no_twist

Array = NDArray[np.float64]
STATES = 5  # at which redundant rows are looked for
ALLOWED = 1e-6  # of the size of its terms may A q̈ + Ȧ q̇ be
STEPS = 100  # of Gauss and Newton towards a closed loop
LONGEST = 3.0  # of a coordinate in one of these steps [rad, m]
PLANTED = set(ANSWERS) - {"inverse_dynamics", "violation"}  # as a compiled function, for one state


class ConstrainedRobot:
    """A robot with A(q) q̇ = 0. `robot` is the free one, `row_names` are the rows of A."""

    def __init__(
        self, robot: Asking, conditions: Sequence[Condition], decay: tuple[float, float] = (0, 0),
        redundant: str = "refuse",
    ) -> None:  # fmt: skip
        self.robot, self.conditions, self.redundant = robot, tuple(conditions), redundant
        self.decay = _decay(decay)
        if redundant not in ("refuse", "drop"):
            raise ValueError(f"with_constraints(redundant): expected 'refuse' or 'drop', got "
                             f"{redundant!r}")  # fmt: skip
        if not conditions or not all(isinstance(c, Condition) for c in conditions):
            raise TypeError("with_constraints: expected ma.hold(…), ma.close(…) or "
                            f"ma.constraint(f), got {conditions!r}")  # fmt: skip
        if not robot.mechanism.n:
            raise ValueError(f"with_constraints: {robot.mechanism.name} has no joint that moves")
        self._sources = tuple(c.source(robot) for c in conditions)
        self._names = tuple(name for s in self._sources for name in s.names)
        self._rows = Rows(self._sources, tuple(range(len(self._names))), self.decay)
        self._kernels: dict[Any, Kernel] = {}
        dropped = self._redundant()
        kept = tuple(k for k in self._rows.kept if k not in dropped)
        self.dropped = tuple(self._names[k] for k in dropped)
        self.row_names = tuple(self._names[k] for k in kept)
        if dropped:  # nothing that knows of the other rows may stay
            self._rows, self._kernels = Rows(self._sources, kept, self.decay), {}
            for name in PLANTED:
                self.__dict__.pop(name, None)

    def __repr__(self) -> str:
        names, freedom = ", ".join(self.row_names), counted(self.freedom, "degree")
        return (f"<{self.robot.mechanism.name} with {counted(len(self.row_names), 'constraint')} "
                f"({names}), {freedom} of freedom>")  # fmt: skip

    def __eq__(self, other: object) -> bool:
        """The same robot under the same conditions."""
        return isinstance(other, ConstrainedRobot) and self._made_of == other._made_of

    def __hash__(self) -> int:
        return hash(self._made_of)

    @property
    def _made_of(self) -> tuple[Any, ...]:
        return self.robot, self.conditions, self.decay, self.redundant

    def __reduce__(self) -> Any:
        return ConstrainedRobot, self._made_of

    @property
    def freedom(self) -> int:
        """Degrees of freedom that are left: n − k."""
        return self.robot.mechanism.n - len(self.row_names)

    # -- the constraints

    def constraint_matrix(self, q: ArrayLike, *, out: Any = None, dtype: Any = None,
                          threads: Threads = None) -> Any:  # fmt: skip
        """A (k, n) of A q̇ = 0, (8.92).

        >>> import momentarm as ma
        >>> import numpy as np
        >>> held = ma.robots.planar_2r().with_constraints(ma.hold("tip", rows=["x"]))
        >>> held.constraint_matrix([-np.pi / 3, 2 * np.pi / 3]).round(4) + 0
        array([[ 0.   , -0.866]])
        """
        return self._run("constraint_matrix", (q,), out, dtype, threads)

    def constraint_bias(self, q: ArrayLike, qd: ArrayLike, *, out: Any = None, dtype: Any = None,
                        threads: Threads = None) -> Any:  # fmt: skip
        """Ȧ q̇ (k,) [rad/s², m/s²], (8.95)."""
        return self._run("constraint_bias", (q, qd), out, dtype, threads)

    def constraint_errors(self, q: ArrayLike, *, out: Any = None, dtype: Any = None,
                          threads: Threads = None) -> Any:  # fmt: skip
        """φ (k,) [m, rad]: how far places are from where constraints want them; 0 for rates."""
        return self._run("constraint_errors", (q,), out, dtype, threads)

    def nearest(self, q: ArrayLike, tolerance: float = 1e-10) -> Array:
        """A state near q whose errors are within a tolerance [m, rad]: a loop closed.

        By Gauss's and Newton's steps −A⁺ φ in NumPy, for one state or a batch.
        """
        recipe = self.kernel("constraint_errors").recipe
        found = np.asarray(number_array(recipe, "q", q), float)
        for _ in range(STEPS):
            errors = np.asarray(self.constraint_errors(found))
            off = ~(np.abs(errors) <= tolerance).all(axis=-1) & np.isfinite(found).all(axis=-1)
            if not off.any():
                return found
            if not np.isfinite(errors[off]).all():
                raise ValueError("nearest(q): the errors of a state on the way have no value; "
                                 "start elsewhere")  # fmt: skip
            A = np.where(off[..., None, None], self.constraint_matrix(found), 0)
            errors = np.where(off[..., None], errors, 0)
            step = -(np.linalg.pinv(A, rcond=1e-9) @ errors[..., None])[..., 0]
            step *= LONGEST / np.maximum(np.abs(step).max(axis=-1, keepdims=True), LONGEST)
            found = np.asarray(self.robot._run("integrate", (found, step, 1.0), None, None, None))
        worst = np.abs(errors).reshape(-1, len(self._rows.kept)).max(axis=0)
        raise ValueError(
            f"nearest(q): after {STEPS} steps {self._kept_name(int(worst.argmax()))} is off by "
            f"{worst.max():.3g}; no state near q may meet the constraints, start elsewhere"
        )

    # -- dynamics

    def forward_dynamics(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, *, out: Any = None,
                         dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """(q̈, λ, pivot) of M q̈ + h + friction + Aᵀ λ = τ and A q̈ + Ȧ q̇ = 0, (8.96), (8.98).

        λ has the unit of work over that of its row: a force [N] for a row of places, a moment
        [N m] for turns. With `decay` (α, β) the second equation has 2 α A q̇ + β² φ, too.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> arm = ma.robots.planar_2r().with_gravity([0, 0, 0])
        >>> held = arm.with_constraints(ma.hold("tip", rows=["x"]))
        >>> qdd, lam, pivot = held.forward_dynamics([-np.pi / 3, 2 * np.pi / 3], [1, 0], [0, 0])
        >>> qdd.round(4), lam.round(4)
        (array([ 0.2887, -1.1547]), array([-0.1667]))
        """
        return self._run("forward_dynamics", (q, qd, tau), out, dtype, threads)

    def inverse_dynamics(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, lam: ArrayLike, *, out: Any = None,
        dtype: Any = None, threads: Threads = None,
    ) -> Any:  # fmt: skip
        """τ = M q̈ + h + friction + Aᵀ λ (8.93), for a q̈ that the constraints allow.

        Another q̈ is refused, where A q̈ + Ȧ q̇ is more than 1e-6 of its terms (1e-3 in float32);
        `allowed_accelerations` gives the nearest that is allowed.
        """
        tau = self._run("inverse_dynamics", (q, qd, qdd, lam), out, dtype, threads)
        if isinstance(tau, Expressions):
            return tau  # inside a kernel nothing can be refused
        off, scale = self._run("violation", (q, qd, qdd), None, dtype, threads)
        limit = ALLOWED if np.asarray(off).dtype == np.float64 else 1e3 * ALLOWED
        wrong = np.abs(off) > limit * np.asarray(scale)
        if wrong.any():
            state, row = divmod(int(np.argmax(wrong)), off.shape[-1])
            which = f" of state {state}" if off.ndim > 1 else ""
            found = np.asarray(off).reshape(-1, off.shape[-1])[state, row]
            raise ValueError(
                f"inverse_dynamics(qdd){which}: the constraint {self._kept_name(row)} allows no "
                f"such acceleration, A q̈ + Ȧ q̇ is {found:.3g} instead of 0; "
                "allowed_accelerations(q, qd, qdd) gives the nearest that is allowed"
            )
        return tau

    def allowed_accelerations(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *,
                              out: Any = None, dtype: Any = None,
                              threads: Threads = None) -> Any:  # fmt: skip
        """(q̈, pivot): the nearest q̈ with A q̈ + Ȧ q̇ = 0 as M measures, P_q̈ q̈ − …, (8.101).

        Efforts along the constraints take it there (Gauss's principle of least constraint).
        """
        return self._run("allowed_accelerations", (q, qd, qdd), out, dtype, threads)

    def step(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, dt: ArrayLike, *,
             method: str = "rk4", out: Any = None, dtype: Any = None,
             threads: Threads = None) -> Any:  # fmt: skip
        """(q, q̇, pivot) after a time dt [s] under constant efforts: "rk4", or "euler" of §8.5.

        Constraints hold up to what the method neglects; `decay` keeps that from adding up.
        """
        return self._run("step", (q, qd, tau, dt), out, dtype, threads, method=method)

    def projectors(self, q: ArrayLike, *, out: Any = None, dtype: Any = None,
                   threads: Threads = None) -> Any:  # fmt: skip
        """(P, P_q̈, pivot), each (n, n) of rank n − k, (8.100) and (8.102).

        P τ is the part of efforts that moves the robot, P_q̈ q̇ the part of rates that is allowed.
        """
        return self._run("projectors", (q,), out, dtype, threads)

    def split_efforts(self, q: ArrayLike, tau: ArrayLike, *, out: Any = None, dtype: Any = None,
                      threads: Threads = None) -> Any:  # fmt: skip
        """(P τ, (1 − P) τ, pivot): efforts that move the robot, and those against constraints."""
        return self._run("split_efforts", (q, tau), out, dtype, threads)

    def constraint_wrench(
        self, q: ArrayLike, lam: ArrayLike, *, frame: str | None = None, reference: str = "body",
        rows: Sequence[str] | None = None, out: Any = None, dtype: Any = None,
        threads: Threads = None,
    ) -> Any:  # fmt: skip
        """(F, pivot) with Jᵀ F = Aᵀ λ: what a frame (the tip) applies to its surroundings.

        J⁻ᵀ Aᵀ λ, or J̄ᵀ Aᵀ λ where J is not square. `pivot` is that of J M⁻¹ Jᵀ.
        """
        return self._run("constraint_wrench", (q, lam), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows)  # fmt: skip

    def multipliers(self, q: ArrayLike, forces: ArrayLike, *, frame: str | None = None,
                    reference: str = "body", rows: Sequence[str] | None = None, out: Any = None,
                    dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """(λ, pivot) of the wrench that a frame shall apply: (J⁻ᵀ Aᵀ)⁺ F."""
        given = no_twist("multipliers(forces)", forces)
        return self._run("multipliers", (q, given), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows)  # fmt: skip

    def kernel(self, name: str, **options: Any) -> Kernel:
        """The compiled object behind one of these answers."""
        if name not in ANSWERS:
            raise ValueError(unknown("quantity", name, ANSWERS))
        if wrong := [k for k in options if k not in ANSWERS[name].options]:
            raise TypeError(f"kernel: {name} has no {wrong[0]}")
        key = (name, *sorted((k, _hashable(x)) for k, x in options.items()))
        if key not in self._kernels:
            if ANSWERS[name].divides_by_mass:
                self.robot.kernel("forward_dynamics")  # which says what is wrong with its inertia
            made = kernel(self.robot, self._rows, name, options,
                          lambda: (_kernel_of, (self, name, options)))  # fmt: skip
            self._kernels.setdefault(key, made)  # another thread may have planted code of its own
        return self._kernels[key]

    def _run(self, name: str, args: tuple[Any, ...], out: Any, dtype: Any, threads: Threads,
             **options: Any) -> Any:  # fmt: skip
        if any(isinstance(a, Expressions | Expr) for a in args):
            return on_expressions(self.robot, self._rows, name, args, options)
        kernel = self.kernel(name, **options)
        usual = out is None and dtype is None and threads is None and are_usual(options)
        new = name in PLANTED and name not in self.__dict__  # else what is planted asks for help
        if usual and new and kernel.takes_as_one_state(args):
            general = General(MethodType(getattr(type(self), name), self))
            planted = kernel.builtin(general, general.signature)
            return self.__dict__.setdefault(name, planted)(*args)
        return kernel(*args, out=out, dtype=dtype, threads=threads)

    # -- rows that follow from others

    def _redundant(self) -> list[int]:
        """Rows that are redundant, in NumPy, at random states where the constraints are met."""
        states = np.stack([self._state(seed) for seed in range(STATES)])
        A = np.asarray(self.constraint_matrix(states))
        known = A[np.isfinite(A).all(axis=(1, 2))]
        found = redundant_rows(known) if len(known) else {}
        if found and (self.redundant == "refuse" or len(found) == len(self._names)):
            raise ValueError(told(found, self._names, len(known)))
        return list(found)

    def _state(self, seed: int) -> Array:
        """A random state that meets the constraints, or as it is if none is found near it."""
        q = np.asarray(self.robot.random_q(seed))
        try:
            return self.nearest(q)
        except ValueError:
            return q

    def _kept_name(self, row: int) -> str:
        return self._names[self._rows.kept[row]]


def _kernel_of(robot: ConstrainedRobot, name: str, options: dict[str, Any]) -> Kernel:
    return robot.kernel(name, **options)


def _decay(given: Any) -> tuple[float, float]:
    rates = np.asarray(given)
    known = rates.dtype.kind in "iuf" and rates.shape == (2,)
    if not known or not (np.isfinite(rates) & (rates >= 0)).all():
        raise ValueError(f"with_constraints(decay): expected (α, β), two rates of 0 or more per "
                         f"second, got {given!r}")  # fmt: skip
    return float(rates[0]), float(rates[1])


def _hashable(x: Any) -> Any:
    return x if x is None or isinstance(x, str) else tuple(x)
