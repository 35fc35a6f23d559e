"""Ellipsoids of masses, accelerations, velocities and forces: host-side NumPy, by eigenvectors.

A unit ball through a matrix is an ellipsoid. Of rows with different units (turns and places) no
lengths compare: choose rows, as rows=("x", "y", "z").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from momentarm.answers.asking import Asking

Array = NDArray[np.float64]
FLAT = 1e-13  # of the longest semi-axis: what is shorter is nothing
Rows = Sequence[str] | None


@dataclass(frozen=True)
class Ellipsoid:
    """Semi-axes: `axes[..., :, k]` is a unit vector, `lengths[..., k]` its length, ascending."""

    axes: Array
    lengths: Array

    @property
    def volume(self) -> Array:
        """The product of the lengths; of J's ellipsoid Yoshikawa's manipulability."""
        return np.asarray(np.prod(self.lengths, axis=-1))

    @property
    def roundness(self) -> Array:
        """Shortest over longest length: 1 for a ball, 0 where it is flat."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.lengths[..., 0] / self.lengths[..., -1])


class Ellipsoids(Asking):
    """Of one state or any batch. `frame` (the tip), `reference` and `rows` as in `jacobian`."""

    def mass_ellipsoid(self, q: ArrayLike) -> Ellipsoid:
        """Of M: the efforts of unit accelerations, Fig. 8.3; lengths are M's eigenvalues.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> ma.robots.planar_2r().mass_ellipsoid([0, np.pi / 2]).lengths.round(6)
        array([0.585786, 3.414214])
        """
        return _symmetric(np.asarray(self._run("mass_matrix", (q,), None, None, None)))

    def acceleration_ellipsoid(self, q: ArrayLike) -> Ellipsoid:
        """Of M⁻¹: the accelerations of unit efforts from rest, Fig. 8.3 dotted."""
        return _reciprocal(self.mass_ellipsoid(q))

    def tip_mass_ellipsoid(self, q: ArrayLike, *, frame: str | None = None,
                           reference: str = "world", rows: Rows = None) -> Ellipsoid:  # fmt: skip
        """Of Λ: the forces of unit accelerations of a frame, Fig. 8.4; what a hand there feels.

        An infinite length is a direction in which the frame cannot move.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> q = [0, np.radians(150)]
        >>> ma.robots.planar_2r().tip_mass_ellipsoid(q, rows=("x", "y")).lengths.round(12)
        array([1., 5.])
        """
        return _reciprocal(self.tip_acceleration_ellipsoid(q, frame=frame, reference=reference,
                                                           rows=rows))  # fmt: skip

    def tip_acceleration_ellipsoid(
        self, q: ArrayLike, *, frame: str | None = None, reference: str = "world",
        rows: Rows = None,
    ) -> Ellipsoid:  # fmt: skip
        """Of Λ⁻¹ = J M⁻¹ Jᵀ: the accelerations of unit forces from rest, Fig. 8.4 dotted."""
        self.kernel("forward_dynamics")  # which says what is wrong with a mass matrix
        M = np.asarray(self._run("mass_matrix", (q,), None, None, None))
        J = self._rows_of_jacobian(q, frame, reference, rows)
        return _symmetric(J @ np.linalg.solve(M, J.mT))

    def manipulability_ellipsoid(
        self, q: ArrayLike, *, frame: str | None = None, reference: str = "world",
        rows: Rows = None,
    ) -> Ellipsoid:  # fmt: skip
        """Of velocities J q̇ of unit rates: lengths are J's singular values."""
        J = self._rows_of_jacobian(q, frame, reference, rows)
        known, safe = _known(J)
        axes, lengths, _ = np.linalg.svd(safe, full_matrices=True)
        missing = axes.shape[-1] - lengths.shape[-1]
        lengths = np.pad(lengths, [(0, 0)] * (lengths.ndim - 1) + [(0, missing)])
        return _where_known(known, axes[..., ::-1], lengths[..., ::-1])

    def force_ellipsoid(self, q: ArrayLike, *, frame: str | None = None,
                        reference: str = "world", rows: Rows = None) -> Ellipsoid:  # fmt: skip
        """Of forces that unit efforts Jᵀ F hold at rest: lengths are 1 over those of velocities."""
        return _reciprocal(self.manipulability_ellipsoid(q, frame=frame, reference=reference,
                                                         rows=rows))  # fmt: skip

    def _rows_of_jacobian(self, q: ArrayLike, frame: str | None, reference: str,
                          rows: Rows) -> Any:  # fmt: skip
        return np.asarray(self._run("jacobian", (q,), None, None, None, frame=frame,
                                    reference=reference, rows=rows))  # fmt: skip


def _symmetric(A: Array) -> Ellipsoid:
    """By eigenvectors, lengths the eigenvalues."""
    known, safe = _known(A)
    lengths, axes = np.linalg.eigh(safe)
    return _where_known(known, axes, lengths)


def _known(A: Array) -> tuple[Any, Array]:
    """Where a matrix is finite, and the matrix with zeros where it is not."""
    known: Any = np.isfinite(A).all(axis=(-2, -1))
    return np.asarray(known), np.where(known[..., None, None], A, 0)


def _where_known(known: Any, axes: Array, lengths: Array) -> Ellipsoid:
    """NaN where nothing is known; lengths that are rounding errors of the longest are 0."""
    lengths = np.where(np.abs(lengths) <= FLAT * lengths[..., -1:], 0, lengths)
    return Ellipsoid(np.where(known[..., None, None], axes, np.nan),
                     np.where(known[..., None], lengths, np.nan))  # fmt: skip


def _reciprocal(e: Ellipsoid) -> Ellipsoid:
    """Of the inverse matrix: the same axes, the longest first become the shortest."""
    with np.errstate(divide="ignore"):
        return Ellipsoid(e.axes[..., ::-1], (1 / e.lengths)[..., ::-1])
