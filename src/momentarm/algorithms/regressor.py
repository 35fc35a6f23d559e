"""The dynamics as a matrix times parameters: τ = Y(q, q̇, q̈) φ.

Rule 1  φ has ten numbers a named frame: a body fixed there (`model/parameters.py`). Columns of
        frames on the base are zero.
Rule 2  Axes travel outward to the bodies; what one parameter needs there is a wrench of few terms.
Source  Atkeson, An and Hollerbach (1986).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from momentarm.algorithms.newton_euler import Scalars, link_motions
from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import (
    EX,
    EY,
    EZ,
    ZERO,
    BodyMotion,
    Force,
    Motion,
    Scalar,
    Sym3,
    Transform,
    sign,
)

Matrix = list[list[Scalar]]
AXES = (EX, EY, EZ)
SECOND = (Sym3(1, 0, 0, 0, 0, 0), Sym3(0, 0, 0, 1, 0, 0), Sym3(0, 1, 0, 0, 0, 0),
          Sym3(0, 0, 0, 0, 1, 0), Sym3(0, 0, 0, 0, 0, 1), Sym3(0, 0, 1, 0, 0, 0))  # fmt: skip


def regressor(m: Mechanism, q: Scalars, qd: Scalars, qdd: Scalars) -> Matrix:
    """Y (n, 10 frames): efforts per parameter, of the rigid bodies alone."""
    X = coordinates.transforms(m, q)
    motion, axes = link_motions(m, X, q, qd, qdd), _axes_everywhere(m, X)
    Y: Matrix = [[] for _ in range(m.n)]
    for place in m.frames.values():
        columns = [[0] * m.n for _ in range(10)]
        if place.link != BASE:
            wrenches = list(_wrenches(_seen_at(place.X, motion[place.link])))
            for k, S in axes[place.link]:
                at_body = place.X @ S
                for column, wrench in zip(columns, wrenches, strict=True):
                    column[k] = column[k] + at_body.dot(wrench)
        for k, row in enumerate(Y):
            row += [column[k] for column in columns]
    return Y


def base_regressor(
    m: Mechanism, q: Scalars, qd: Scalars, qdd: Scalars, *, columns: Sequence[int] = ()
) -> Matrix:
    """Some columns of Y, meant to be independent; all where none are named."""
    Y = regressor(m, q, qd, qdd)
    return [[row[k] for k in columns] for row in Y] if columns else Y


def drive_regressor(m: Mechanism, qd: Scalars, qdd: Scalars) -> Matrix:
    """Y (n, 3 joints): efforts per armature, damping and Coulomb friction of each joint."""
    index, own_qd, own_qdd = (coordinates.index(m), coordinates.rates(m, qd),
                              coordinates.rates(m, qdd))  # fmt: skip
    driven = [(i, link) for i, link in m.outward() if link.joint.nv]
    Y: Matrix = [[0] * (3 * len(driven)) for _ in range(m.n)]
    for j, (i, link) in enumerate(driven):
        ratio = link.joint.drive.ratio
        for k, rate, acc in zip(index[i], own_qd[i], own_qdd[i], strict=True):
            for part, x in enumerate((acc, rate, sign(rate))):
                Y[k][3 * j + part] = Y[k][3 * j + part] + ratio * x
    return Y


def _axes_everywhere(m: Mechanism, X: dict[int, Transform]) -> dict[int, list[tuple[int, Motion]]]:
    """For each link the axes that move it, with their element of q̇, in the link's coordinates."""
    index = coordinates.index(m)
    axes: dict[int, list[tuple[int, Motion]]] = {BASE: []}
    for i, link in m.outward():
        own = zip(index[i], link.joint.row.axes(), strict=True)
        axes[i] = [(k, X[i] @ S) for k, S in axes[link.parent]]
        axes[i] += [(k, S * link.joint.drive.ratio) for k, S in own]
    return axes


def _seen_at(X: Transform, x: BodyMotion) -> BodyMotion:
    """The motion of a frame fixed on a link, in its axes."""
    a = x.a + x.U @ X.origin
    return BodyMotion.of(X.R.T @ x.w, X.R.T @ x.wd, X.R.T @ a)


def _wrenches(x: BodyMotion) -> Iterator[Force]:
    """What each of the ten parameters alone needs to move so."""
    yield Force(ZERO, x.a)
    for e in AXES:
        yield Force(e.cross(x.a), x.U @ e)
    for I in SECOND:
        yield Force(I @ x.wd + x.w.cross(I @ x.w), ZERO)
