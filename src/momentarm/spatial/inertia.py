"""The inertia of a rigid body, by its moments of order zero, one and two.

A body is its mass m = Σ dm, first moment h = Σ p dm and second moments E = Σ p pᵀ dm about the
origin of its frame (together the pseudo-inertia of the Uicker/Lagrange formulation). The
rotational inertia of the textbooks is I = tr(E) 1 − E. E is kept because it obeys simpler laws:
a shift adds p hᵀ + h pᵀ + m p pᵀ, a body is physical if and only if [[E, h], [hᵀ, m]] is
positive, and mass on a joint axis is exactly (m, h_z, E_zz).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from momentarm.spatial.motion import BodyMotion, Force, Motion
from momentarm.spatial.scalar import Scalar
from momentarm.spatial.vector import IDENTITY, ZERO, ZERO_SYM, Mat3, Sym3, Vec3


@dataclass(frozen=True, slots=True)
class Inertia:
    m: Scalar
    h: Vec3
    E: Sym3

    @classmethod
    def about_com(cls, m: Scalar, com: Vec3, I_com: Sym3) -> Inertia:
        """From mass, centre of mass and the rotational inertia about it, as files give it."""
        E = second_moments(I_com)
        return cls(m, com * m, E + Sym3.outer(com) * m)

    @property
    def I(self) -> Sym3:
        """Rotational inertia about the frame's origin, I = tr(E) 1 − E, eq. (8.24)."""
        E = self.E
        return Sym3(E.yy + E.zz, E.xx + E.zz, E.xx + E.yy, -E.xy, -E.xz, -E.yz)

    @property
    def com(self) -> Vec3:
        """The centre of mass; the origin for a body without mass."""
        return ZERO if self.m == 0 else self.h * (1 / self.m)

    @property
    def I_com(self) -> Sym3:
        """Rotational inertia about the centre of mass (Steiner, eq. (8.27))."""
        if self.m == 0:
            return self.I
        central = self.E - Sym3.outer(self.h) * (1 / self.m)
        return Inertia(self.m, ZERO, central).I

    def __iter__(self) -> Iterator[Scalar]:
        yield self.m
        yield from self.h
        yield from self.E

    def __add__(a, b: Inertia) -> Inertia:
        return Inertia(a.m + b.m, a.h + b.h, a.E + b.E)

    def __sub__(a, b: Inertia) -> Inertia:
        return Inertia(a.m - b.m, a.h - b.h, a.E - b.E)

    def scaled(self, k: Scalar) -> Inertia:
        """k times as heavy, of the same shape."""
        return Inertia(self.m * k, self.h * k, self.E * k)

    @property
    def matrix(self) -> list[list[Scalar]]:
        """The 6x6 matrix [[I, [h]], [−[h], m 1]], eq. (8.32) where h is zero."""
        upper = zip(self.I.matrix, Mat3.skew(self.h), strict=True)
        lower = zip(Mat3.skew(-self.h), IDENTITY * self.m, strict=True)
        return [[*left, *right] for left, right in (*upper, *lower)]

    def shifted(self, p: Vec3) -> Inertia:
        """The same body seen from an origin at −p, so that all its points move by p."""
        E = self.E + Sym3.outer_sum(p, self.h) + Sym3.outer(p) * self.m
        return Inertia(self.m, self.h + p * self.m, E)

    def __matmul__(self, x: Any) -> Force:
        """Momentum of a velocity; net wrench of a body in motion."""
        if isinstance(x, Motion):
            return Force(self.I @ x.ang + self.h.cross(x.lin), x.lin * self.m - self.h.cross(x.ang))
        if isinstance(x, BodyMotion):
            return self.net_wrench(x)
        return NotImplemented

    def wrench(self, V: Motion, Vd: Motion) -> Force:
        """𝒢 𝒱̇ − adᵀ_𝒱 𝒢 𝒱, eqs. (8.40), (8.43); the twist's numbers are differentiated."""
        return self @ Vd + V.cross(self @ V)

    def net_wrench(self, x: BodyMotion) -> Force:
        """Newton's and Euler's equations about the frame's origin, (8.22)–(8.25).

        f = m a + U h and n = h × a + Σ p × U p dm, where U = [ω̇] + [ω][ω]. The principal part
        is Euler's: Ixx ω̇x + ωy ωz (Izz − Iyy), …
        """
        m, h, E, U, w, wd = self.m, self.h, self.E, x.U, x.w, x.wd
        xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
        n = Vec3(
            wd.x * (E.yy + E.zz) + (w.y * w.z) * (E.yy - E.zz)
            + U.cx.z * E.xy - U.cx.y * E.xz + (zz - yy) * E.yz,
            wd.y * (E.xx + E.zz) + (w.x * w.z) * (E.zz - E.xx)
            + U.cy.x * E.yz - U.cy.z * E.xy + (xx - zz) * E.xz,
            wd.z * (E.xx + E.yy) + (w.x * w.y) * (E.xx - E.yy)
            + U.cz.y * E.xz - U.cz.x * E.yz + (yy - xx) * E.xy,
        )  # fmt: skip
        return Force(n + h.cross(x.a), x.a * m + U @ h)


NO_INERTIA = Inertia(0, ZERO, ZERO_SYM)


def second_moments(I: Sym3) -> Sym3:
    """E = ½ tr(I) 1 − I, the inverse of I = tr(E) 1 − E."""
    half = I.trace / 2
    return Sym3(half - I.xx, half - I.yy, half - I.zz, -I.xy, -I.xz, -I.yz)


def rotational_inertia(E: Sym3) -> Sym3:
    """I = tr(E) 1 − E."""
    return Inertia(0, ZERO, E).I
