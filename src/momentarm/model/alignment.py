"""Turning a link's axes so that its joint's axis becomes z, exactly where that is possible.

Rule 1  The turn is the smallest one. For ±x, ±y, ±z it is a signed permutation of integers,
        so that it can be undone bit for bit.
Rule 2  Numbers that are 0, 1 or -1 become those integers: nothing carries a negative zero.
"""

from __future__ import annotations

import math

from momentarm.spatial import IDENTITY, Mat3, Vec3

EPS = 4 * 2.0**-52  # what counts as rounding in a unit vector or a quarter turn

QUARTER_TURNS = {
    axis: Mat3.rows(rows)
    for axis, rows in {
        (0, 0, 1): ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        (0, 0, -1): ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
        (1, 0, 0): ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
        (-1, 0, 0): ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
        (0, 1, 0): ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
        (0, -1, 0): ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    }.items()
}


def alignment(axis: Vec3) -> Mat3:
    """A with A z = `axis`: its columns are the aligned axes, seen from the link's own."""
    x, y, z = unit(axis)
    turn = QUARTER_TURNS.get((x, y, z))
    if turn is not None:
        return turn
    k = 1 / (1 + z) if z > 0 else (1 - z) / (x * x + y * y)
    return Mat3.rows(((1 - k * x * x, -k * x * y, x), (-k * x * y, 1 - k * y * y, y), (-x, -y, z)))


def unit(v: Vec3) -> Vec3:
    """`v` over its length; a vector of length one stays as it is, rounding noise becomes zero."""
    n = length(v)
    x, y, z = (0 if abs(a) <= EPS * n else a for a in v)
    n = length(Vec3(x, y, z))
    if abs(n - 1) > EPS or (x, y, z).count(0) == 2:
        x, y, z = x / n, y / n, z / n
    return Vec3(plain(x), plain(y), plain(z))


def length(v: Vec3) -> float:
    return math.hypot(v.x, v.y, v.z)


def plain(x: float) -> float:
    """`x`, with 0, 1 and -1 as the integers they are."""
    return int(x) if x in (0, 1, -1) else x


def zeroed(x: float) -> float:
    """`x`, with either zero as the integer 0."""
    return x if x else 0


def plain_vector(v: Vec3) -> Vec3:
    return Vec3(*map(zeroed, v))


def plain_matrix(A: Mat3) -> Mat3:
    if A is IDENTITY:
        return A
    return Mat3(*(Vec3(plain(c.x), plain(c.y), plain(c.z)) for c in (A.cx, A.cy, A.cz)))
