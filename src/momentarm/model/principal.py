"""Principal moments and axes of inertia, by Jacobi's turns, each of which zeroes one product.

Rule 1  No turn is larger than 45°, and a product of inertia that is only rounding stays. So the
        axes are near the frame's own: a diagonal inertia has these, in their order, and where any
        axes would do nothing turns.
Rule 2  Floats only, and no library: the same numbers everywhere.
"""

from __future__ import annotations

import math

from momentarm.spatial import IDENTITY, Mat3, Sym3, Vec3

ROUNDING = 1e-15  # of the largest moment
SWEEPS = 10  # five are enough
PAIRS = ((0, 1), (0, 2), (1, 2))


def principal(S: Sym3) -> tuple[Vec3, Mat3]:
    """Moments, and axes as the columns of R (right-handed) with S = R diag(moments) Rᵀ.

    >>> moments, R = principal(Sym3(3.0, 2.0, 2.0, 0.0, 0.0, 1.0))
    >>> [round(x, 12) for x in moments], [round(x, 3) for x in R.cy]
    ([3.0, 1.0, 3.0], [0.0, 0.707, -0.707])
    """
    A = [[float(x) for x in row] for row in S.matrix]
    R = [[float(x) for x in row] for row in IDENTITY]
    noise = ROUNDING * max(abs(x) for row in A for x in row)
    for _ in range(SWEEPS):
        for i, j in PAIRS:
            if abs(A[i][j]) > noise:
                _turn(A, R, i, j)
    return Vec3(*(A[k][k] for k in range(3))), Mat3.rows(R)


def _turn(A: list[list[float]], R: list[list[float]], i: int, j: int) -> None:
    """By the smaller angle that makes A_ij zero: tan 2φ = 2 A_ij/(A_ii − A_jj)."""
    half = (A[j][j] - A[i][i]) / (2 * A[i][j])
    t = math.copysign(1, half) / (abs(half) + math.hypot(1, half))
    c = 1 / math.hypot(1, t)
    s = t * c
    for row in (*A, *R):  # A J and R J
        row[i], row[j] = c * row[i] - s * row[j], s * row[i] + c * row[j]
    for k in range(3):  # Jᵀ A
        A[i][k], A[j][k] = c * A[i][k] - s * A[j][k], s * A[i][k] + c * A[j][k]
    A[i][j] = A[j][i] = 0
