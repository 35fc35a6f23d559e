"""What can be mended without guessing, number by number.

Rule 1  A repair is the least change that makes the number lawful, and only where the fault is
        rounding or beyond doubt. Everything else is the user's decision.
Rule 2  A repair gives back None where there is nothing to mend, or nothing defensible.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np

from momentarm.doctor.joints import are_degrees
from momentarm.formats.numbers import HALF_PI, is_rounded
from momentarm.model import Mechanism
from momentarm.model.soundness import TOLERANCE
from momentarm.spatial import Mat3, Transform

ROUNDING = 0.05  # relative to the largest moment; more than that is no rounding
NEARLY = 2e-3  # rad; 3.14 is 1.6e-3 from pi
SLACK = 1e-6  # relative; how far inside the lawful a mended tensor is, so that it may be
DIGITS = 8  # written with so many


def quarter_turn(a: float) -> float | None:
    """The quarter turn that was rounded to `a`, as a float reads it.

    >>> quarter_turn(1.5708), quarter_turn(1.5), quarter_turn(math.pi / 2)
    (1.5707963267948966, None, None)
    """
    exact = HALF_PI * (round(a / HALF_PI) if abs(a) < 1e6 else 0)
    rounded = abs(a - exact) > 4 * math.ulp(max(1.0, abs(a))) and is_rounded(a, exact)
    return exact if rounded else None


def unit(axis: Sequence[float]) -> tuple[float, ...] | None:
    """The direction of an axis that is not of length one."""
    n = math.hypot(*axis)
    return None if n == 0 or abs(n - 1) <= TOLERANCE else tuple(x / n + 0.0 for x in axis)


def limits(kind: str, lower: float | None, upper: float | None) -> tuple[float, float] | None:
    """Swapped limits put in order; limits in degrees as radians."""
    if lower is None or upper is None:
        return None
    low, high = sorted((lower, upper))
    if kind == "revolute" and are_degrees(low, high) and not _is_a_bound(low, high):
        low, high = math.radians(low), math.radians(high)
    return None if (low, high) == (lower, upper) else (low, high)


def _is_a_bound(low: float, high: float) -> bool:
    """±100 and the like are no degrees but "far away"."""
    return low == -high and math.log10(high).is_integer()


def inertia(I: Sequence[float]) -> tuple[float, ...] | None:
    """The nearest tensor (xx, yy, zz, xy, xz, yz) of a body, if only rounding made it none.

    Nearest in the second moments Σ = ½ tr(I) 1 − I: their negative eigenvalues become zero.
    """
    xx, yy, zz, xy, xz, yz = I
    A = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    values, axes = np.linalg.eigh(np.trace(A) / 2 * np.eye(3) - A)
    largest = float(np.max(np.abs(np.linalg.eigvalsh(A))))
    short = -2 * float(values[0])  # A + B − C
    if short <= TOLERANCE * largest or short > min(2 * _last_place(I), ROUNDING * largest):
        return None
    lawful = (axes * np.maximum(values, SLACK * largest)) @ axes.T
    I_new = np.trace(lawful) * np.eye(3) - lawful
    rows = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return tuple(0.0 if x == 0 and abs(y) < SLACK * largest else float(f"{y:.{DIGITS}g}")
                 for x, y in zip(I, (I_new[at] for at in rows), strict=True))  # fmt: skip


def _last_place(numbers: Sequence[float]) -> float:
    """The unit in the last place of the coarsest of them, as written in decimals."""
    exponents = [int(Decimal(repr(float(x))).normalize().as_tuple().exponent)
                 for x in numbers if x != 0]  # fmt: skip
    return 10.0 ** max(exponents, default=-16)


def snapped(m: Mechanism) -> Mechanism:
    """With placements that are nearly quarter turns exactly so; `m` itself if there are none."""
    links = [replace(link, placement=_snapped(link.placement)) for link in m.links]
    same = all(a.placement is b.placement for a, b in zip(links, m.links, strict=True))
    return m if same else m.with_links(links)


def _snapped(X: Transform) -> Transform:
    rows = [list(row) for row in X.R.matrix]
    nearest = [[float(round(x)) for x in row] for row in rows]
    off = max(abs(x - y) for a, b in zip(rows, nearest, strict=True) for x, y in zip(a, b))
    if not 0 < off <= NEARLY:
        return X
    return Transform.pose(Mat3.rows([[int(x) for x in row] for row in nearest]), X.origin)
