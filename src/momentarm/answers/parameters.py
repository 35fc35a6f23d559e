"""The dynamics as a function of the robot's numbers: regressors, base parameters, other numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from momentarm.answers.asking import Asking, Threads
from momentarm.model.parameters import KINDS, Kind
from momentarm.model.problem import unknown

Array = NDArray[np.float64]
DEPENDENT = 1e-9  # of its length is left of a column that the ones before it explain
ROUNDING = 1e-12  # of the longest column: what is shorter is nothing


@dataclass(frozen=True)
class BaseParameters:
    """The sums of parameters that motion and efforts show: π = `matrix` φ.

    `columns` of the regressor are independent and span all of it: Y φ = Y[:, columns] π.
    `unseen` are the names of parameters without any effect.
    """

    columns: tuple[int, ...]
    names: tuple[str, ...]  # each a sum, such as "Izz_2 + 0.25 m_3"
    values: Array
    matrix: Array
    unseen: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{value:>14.7g}  {name}" for name, value in zip(self.names, self.values)]
        return "\n".join([*lines, f"without effect: {', '.join(self.unseen) or 'none'}"])


class Parameters(Asking):
    """φ has ten numbers a link, at the link's own frame: m, m·c and its rotational inertia."""

    def regressor(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *, out: Any = None,
                  dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """Y (n, 10 links) with Y φ = τ, the efforts of the rigid bodies [N m per unit of φ].

        φ is `parameters()`. Friction and rotors: `drive_regressor`.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> (arm.regressor([0, 0], [0, 0], [0, 0]) @ arm.parameters()).round(12)
        array([29.43,  9.81])
        """
        return self._run("regressor", (q, qd, qdd), out, dtype, threads)

    def base_regressor(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *, out: Any = None,
                       dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """The independent columns of Y: Y_b π = τ with π = `base_parameters().values`."""
        return self._run("base_regressor", (q, qd, qdd), out, dtype, threads)

    def drive_regressor(self, qd: ArrayLike, qdd: ArrayLike, *, out: Any = None, dtype: Any = None,
                        threads: Threads = None) -> Any:  # fmt: skip
        """(n, 3 joints): efforts per armature, damping and Coulomb friction of each joint.

        `inverse_dynamics` is Y φ plus this times `parameters("drives")`.
        """
        return self._run("drive_regressor", (qd, qdd), out, dtype, threads)

    def parameters(self, kind: str = "inertia") -> Array:
        """The robot's numbers of one kind: inertia (φ), drives, gravity, payload, origins.

        `origins` are xyz and rpy of each link's frame in its parent's, all joints at zero.
        """
        return np.array(_kind(kind).values(self.mechanism), float)

    def parameter_names(self, kind: str = "inertia") -> tuple[str, ...]:
        """What these numbers are called: "link.m", "joint.damping", …"""
        return tuple(_kind(kind).names(self.mechanism))

    def with_parameters(self, values: ArrayLike, kind: str = "inertia") -> Self:
        """The robot with other numbers of one kind.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> arm.with_parameters(2 * arm.parameters()).gravity_forces([0, 0])
        array([58.86, 19.62])
        """
        expected = len(self.parameter_names(kind))
        numbers = np.asarray(values, float)
        if numbers.shape != (expected,) or not np.isfinite(numbers).all():
            raise ValueError(f"with_parameters(values): expected {expected} finite numbers for "
                             f"{kind!r}, got {_shown(numbers)}")  # fmt: skip
        applied = _kind(kind).applied(self.mechanism, numbers.tolist())
        return type(self)(applied, self.warnings)  # type: ignore[call-arg]

    def base_parameters(self) -> BaseParameters:
        """Which sums of φ the efforts show, found in NumPy from the regressor at random states.

        A column counts as dependent if the ones before it leave less than 1e-9 of its length:
        what later links share with earlier ones is added to these.

        >>> import momentarm as ma
        >>> print(ma.robots.planar_2r().base_parameters())  # doctest: +ELLIPSIS
                     2  link1.mx + link2.m
        ...
        """
        names = self.parameter_names()
        kept, K = _independent(self._excited(len(names)))
        matrix = np.zeros((len(kept), len(names)))
        matrix[:, kept] = np.eye(len(kept))
        matrix[:, [k for k in range(len(names)) if k not in set(kept)]] = K
        groups = tuple(_group(row, names) for row in matrix)
        unseen = tuple(name for name, column in zip(names, matrix.T) if not column.any())
        return BaseParameters(tuple(kept), groups, matrix @ self.parameters(), matrix, unseen)

    def _excited(self, columns: int) -> Array:
        """The regressor at random states, a few times more rows than columns."""
        rng = np.random.default_rng(0)
        m = self.mechanism
        count = 20 + 3 * columns // max(1, m.n)
        q = rng.uniform(-np.pi, np.pi, (count, m.nq))
        qd, qdd = rng.normal(size=(2, count, m.n))
        return np.asarray(self.regressor(q, qd, qdd)).reshape(-1, columns)


def _independent(W: Array) -> tuple[list[int], Array]:
    """Columns that span all of W, the first that do, and the others as sums of them."""
    kept: list[int] = []
    lengths = np.linalg.norm(W, axis=0)
    basis = np.empty((W.shape[0], 0))
    for k, column in enumerate(W.T):
        rest = column - basis @ (basis.T @ column)
        rest = rest - basis @ (basis.T @ rest)
        left = float(np.linalg.norm(rest))
        if left > DEPENDENT * lengths[k] and left > ROUNDING * lengths.max():
            kept.append(k)
            basis = np.column_stack([basis, rest / left])
    others = [k for k in range(W.shape[1]) if k not in set(kept)]
    K = np.linalg.lstsq(W[:, kept], W[:, others], rcond=None)[0]
    return kept, np.where(np.abs(K) < DEPENDENT, 0, K)


def _group(row: Array, names: tuple[str, ...]) -> str:
    """A sum as text."""
    terms = [(x, name) for x, name in zip(row, names) if x]
    text = ""
    for x, name in terms:
        size = "" if abs(abs(x) - 1) < DEPENDENT else f"{abs(x):.7g} "
        text += f"{' − ' if x < 0 else ' + '}{size}{name}"
    return text.removeprefix(" + ").replace(" − ", "−", text.startswith(" − "))


def _kind(name: str) -> Kind:
    if name not in KINDS:
        raise ValueError(unknown("kind of parameters", name, KINDS))
    return KINDS[name]


def _shown(numbers: Array) -> str:
    return f"shape {numbers.shape}" if np.isfinite(numbers).all() else "one that is not finite"
