"""The closed form of the dynamics in stacked matrices, eqs. (8.58)–(8.80), as printed.

All links' twists are one column 𝒱 of 6 rows a link, and so on. 𝒲 carries each link's twist to the
next; as no link carries itself it is nilpotent, and ℒ = (1 − 𝒲)⁻¹ = 1 + 𝒲 + 𝒲² + … ends. Written
for chains, it holds for trees as it stands. Rigid bodies alone: no rotors, no friction. To read,
not to run: the cost grows with the cube of the links.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from momentarm.model import BASE, Mechanism, coordinates
from momentarm.spatial import EX, EY, EZ, NO_MOTION, ZERO, Force, Motion, Scalar, Vec3

Scalars = Sequence[Scalar]
Matrix = list[list[Scalar]]
BASIS = [Motion(e, ZERO) for e in (EX, EY, EZ)] + [Motion(ZERO, e) for e in (EX, EY, EZ)]


@dataclass(frozen=True, slots=True)
class Stacked:
    """The matrices at one position; `A`, `G`, `W`, `L` are 𝒜, 𝒢, 𝒲, ℒ."""

    A: Matrix
    G: Matrix
    W: Matrix
    L: Matrix
    base: list[Scalar]  # 𝒱̇_base: −g, carried to the links on the base

    @classmethod
    def of(cls, m: Mechanism, q: Scalars) -> Stacked:
        X, links = coordinates.transforms(m, q), list(m.outward())
        W = _blocks(len(links), {(i, link.parent): X[i].__matmul__
                                 for i, link in links if link.parent != BASE})  # fmt: skip
        G = _blocks(len(links), {(i, i): link.inertia.__matmul__ for i, link in links})
        start = Motion(ZERO, -m.gravity)
        base = [X[i] @ start if link.parent == BASE else NO_MOTION for i, link in links]
        return cls(_axes(m), G, W, _series(W), [x for motion in base for x in motion])


def _axes(m: Mechanism) -> Matrix:
    """𝒜: each joint's axes in the rows of its link, times the ratio of its coordinate."""
    drives = coordinates.index(m)
    A: Matrix = [[0] * m.n for _ in range(6 * len(m.links))]
    for i, link in m.outward():
        for k, S in zip(drives[i], link.joint.row.axes(), strict=True):
            for row, x in enumerate(S):
                A[6 * i + row][k] = A[6 * i + row][k] + link.joint.drive.ratio * x
    return A


def mass_matrix(m: Mechanism, q: Scalars) -> Matrix:
    """M = 𝒜ᵀ ℒᵀ 𝒢 ℒ 𝒜, (8.78)."""
    s = Stacked.of(m, q)
    LA = _product(s.L, s.A)
    return _product(_transposed(LA), _product(s.G, LA))


def coriolis_forces(m: Mechanism, q: Scalars, qd: Scalars) -> list[Scalar]:
    """c = −𝒜ᵀ ℒᵀ (𝒢 ℒ [ad_𝒜θ̇] 𝒲 + [ad_𝒱]ᵀ 𝒢) ℒ 𝒜 θ̇, (8.79)."""
    s = Stacked.of(m, q)
    J = _times(s.A, qd)
    V = _times(s.L, J)
    turned = _times(s.L, _times(_brackets(J), _times(s.W, V)))
    momentum = _times(_transposed(_brackets(V)), _times(s.G, V))
    wrench = [-(a + b) for a, b in zip(_times(s.G, turned), momentum, strict=True)]
    return _times(_transposed(_product(s.L, s.A)), wrench)


def gravity_forces(m: Mechanism, q: Scalars) -> list[Scalar]:
    """g = 𝒜ᵀ ℒᵀ 𝒢 ℒ 𝒱̇_base, (8.80)."""
    s = Stacked.of(m, q)
    return _times(_transposed(_product(s.L, s.A)), _times(s.G, _times(s.L, s.base)))


def tip_forces(m: Mechanism, q: Scalars, tip_wrench: Scalars) -> list[Scalar]:
    """𝒜ᵀ ℒᵀ ℱ_tip, the last term of (8.77)."""
    s, tip = Stacked.of(m, q), m.frames[m.tip or ""]
    F: list[Scalar] = [0] * len(s.base)
    F[6 * tip.link : 6 * tip.link + 6] = list(tip.X.T @ Force.of(tip_wrench))
    return _times(_transposed(_product(s.L, s.A)), F)


def mass_matrix_dot(m: Mechanism, q: Scalars, qd: Scalars) -> Matrix:
    """Ṁ of exercise 8.7: as d𝒲/dt = −[ad_𝒜θ̇] 𝒲, it is −(B + Bᵀ), B = 𝒜ᵀℒᵀ 𝒢 ℒ [ad_𝒜θ̇] 𝒲 ℒ 𝒜."""
    s = Stacked.of(m, q)
    LA = _product(s.L, s.A)
    turned = _product(s.L, _product(_brackets(_times(s.A, qd)), _product(s.W, LA)))
    B = _product(_transposed(LA), _product(s.G, turned))
    return [[-(x + y) for x, y in zip(*rows, strict=True)]
            for rows in zip(B, _transposed(B), strict=True)]  # fmt: skip


def _brackets(V: Scalars) -> Matrix:
    """[ad_𝒱]: the Lie bracket with each link's twist, block by block, (8.38)."""
    twists = [Motion(Vec3(*V[k : k + 3]), Vec3(*V[k + 3 : k + 6])) for k in range(0, len(V), 6)]
    return _blocks(len(twists), {(i, i): twist.cross for i, twist in enumerate(twists)})


def _blocks(links: int, maps: dict[tuple[int, int], Callable[[Motion], Any]]) -> Matrix:
    """A matrix of 6x6 blocks, each given by what it does to a motion."""
    M: Matrix = [[0] * (6 * links) for _ in range(6 * links)]
    for (i, j), f in maps.items():
        for column, e in enumerate(BASIS):
            for row, x in enumerate(f(e)):
                M[6 * i + row][6 * j + column] = x
    return M


def _series(W: Matrix) -> Matrix:
    """1 + 𝒲 + 𝒲² + …, as far as there is anything, (8.76)."""
    L: Matrix = [[1 if i == j else 0 for j in range(len(W))] for i in range(len(W))]
    for _ in range(len(W) // 6 - 1):  # Horner: 1 + 𝒲 (1 + 𝒲 (…))
        L = _product(W, L)
        for i in range(len(W)):
            L[i][i] = L[i][i] + 1
    return L


def _product(A: Matrix, B: Matrix) -> Matrix:
    return _transposed([_times(A, column) for column in _transposed(B)])


def _times(A: Matrix, x: Scalars) -> list[Scalar]:
    there = [j for j, b in enumerate(x) if not _is_zero(b)]
    return [sum((row[j] * x[j] for j in there if not _is_zero(row[j])), start=0) for row in A]


def _transposed(A: Matrix) -> Matrix:
    return [list(column) for column in zip(*A, strict=True)]


def _is_zero(x: Scalar) -> bool:
    return isinstance(x, int) and x == 0
