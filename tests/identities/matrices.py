"""Matrices as nested lists and the textbook's operations on them, for second paths."""

from typing import Any

Matrix = list[list[Any]]


def product(A: Matrix, B: Matrix) -> Matrix:
    return [[dot(row, column) for column in transposed(B)] for row in A]


def times(A: Matrix, x: list[Any]) -> list[Any]:
    return [dot(row, x) for row in A]


def dot(a: Any, b: Any) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))


def transposed(A: Matrix) -> Matrix:
    return [list(column) for column in zip(*A, strict=True)]


def difference(a: list[Any], b: list[Any]) -> list[Any]:
    return [x - y for x, y in zip(a, b, strict=True)]


def skew(v: Any) -> Matrix:
    x, y, z = v
    return [[0, -z, y], [z, 0, -x], [-y, x, 0]]


def rotation_and_place(T: Matrix) -> tuple[Matrix, list[Any]]:
    return [row[:3] for row in T[:3]], [row[3] for row in T[:3]]


def adjoint(R: Matrix, p: list[Any]) -> Matrix:
    """[Ad_T] = [[R, 0], [[p] R, R]], which carries twists to where T leads."""
    lower = product(skew(p), R)
    return [row + [0, 0, 0] for row in R] + [a + b for a, b in zip(lower, R, strict=True)]


def hat(twist: list[Any]) -> Matrix:
    """The 4x4 matrix [V] of a twist (ω, v)."""
    return [[*row, v] for row, v in zip(skew(twist[:3]), twist[3:], strict=True)] + [[0] * 4]


def leading_minors(A: Matrix) -> list[Any]:
    """Determinants of the upper left blocks, by elimination without pivoting."""
    rows, minors, minor = [row[:] for row in A], [], 1
    for k, pivot_row in enumerate(rows):
        minor = minor * pivot_row[k]
        minors.append(minor)
        if minor == 0:
            break
        for row in rows[k + 1 :]:
            factor = row[k] / pivot_row[k]
            row[:] = [x - factor * y for x, y in zip(row, pivot_row, strict=True)]
    return minors
