"""How mass flows: the first moments of a velocity field over a body or over a whole subtree.

A field gives each point r of a body a velocity u(r). What mechanics asks of it are l = Σ u dm and
D = Σ r uᵀ dm: momentum is l and the skew part of D, the rate of the inertia is the symmetric part.
The field may be how the mass moves, or how it would move at one joint's unit rate.
"""

from __future__ import annotations

from dataclasses import dataclass

from momentarm.spatial.inertia import Inertia
from momentarm.spatial.motion import Force, Motion
from momentarm.spatial.vector import ZERO, Mat3, Sym3, Vec3


@dataclass(frozen=True, slots=True)
class Flow:
    """l = Σ u dm and D = Σ r uᵀ dm, in the axes of one frame and about its origin."""

    l: Vec3
    D: Mat3

    @classmethod
    def of(cls, body: Inertia, V: Motion) -> Flow:
        """Of a rigid body, u = v + ω × r: l = m v + ω × h, D = h vᵀ + E [ω]ᵀ."""
        turning = body.E.matrix @ Mat3.skew(V.ang).T
        return cls(V.lin * body.m + V.ang.cross(body.h), Mat3.outer(body.h, V.lin) + turning)

    def __add__(a, b: Flow) -> Flow:
        return Flow(a.l + b.l, a.D + b.D)

    def shifted(self, p: Vec3) -> Flow:
        """The same flow seen from an origin at −p."""
        return Flow(self.l, self.D + Mat3.outer(p, self.l))

    @property
    def momentum(self) -> Force:
        """(Σ r × u dm, Σ u dm)."""
        D = self.D
        return Force(Vec3(D.cz.y - D.cy.z, D.cx.z - D.cz.x, D.cy.x - D.cx.y), self.l)

    @property
    def inertia_rate(self) -> Inertia:
        """How fast the inertia changes as its mass flows: no mass, ḣ = l, Ė = D + Dᵀ."""
        D, T = self.D, self.D.T
        E = Sym3(D.cx.x + T.cx.x, D.cy.y + T.cy.y, D.cz.z + T.cz.z,
                 D.cy.x + T.cy.x, D.cz.x + T.cz.x, D.cz.y + T.cz.y)  # fmt: skip
        return Inertia(0, self.l, E)

    def turned(self, w: Vec3) -> Force:
        """What accelerations ω × u need: (Σ r × (ω × u) dm, Σ ω × u dm)."""
        return Force(w * self.D.trace - self.D.T @ w, w.cross(self.l))

    def across(self, V: Motion) -> Vec3:
        """Σ u × (v + ω × r) dm: as a · (u × b) = b · (a × u), what b = v + ω × r needs of any a."""
        return V.ang * self.D.trace - self.D @ V.ang + self.l.cross(V.lin)


NO_FLOW = Flow(ZERO, Mat3(ZERO, ZERO, ZERO))
