"""How the wrench of a moving subtree answers to a change of its root's motion.

A subtree whose inner joints keep their positions, rates and accelerations needs the wrench F at
its root. If the root's motion (ω, ω̇, a) changes by a `Rate`, F changes by
δn = I δω̇ + h × δa + N δω,  δf = δω̇ × h + m δa + L δω: the subtree's inertia as one rigid body,
and two matrices that depend on how it moves. All by the classical form of motion, in which no
linear velocity occurs.
"""

from __future__ import annotations

from dataclasses import dataclass

from momentarm.spatial.inertia import Inertia
from momentarm.spatial.motion import Force, Motion
from momentarm.spatial.scalar import Scalar
from momentarm.spatial.transform import Transform
from momentarm.spatial.vector import EZ, IDENTITY, ZERO, Mat3, Vec3


@dataclass(frozen=True, slots=True)
class Rate:
    """A change of a body's motion, or what a number is per such change; `dot` brings them together.

    Rates of motion go outward from link to link, rates per motion inward.
    """

    w: Vec3
    wd: Vec3
    a: Vec3

    def dot(x, y: Rate) -> Scalar:
        return x.w.dot(y.w) + x.wd.dot(y.wd) + x.a.dot(y.a)

    def before_joint(g, J: Motion) -> Rate:
        """Per change of the motion that the link would have without its joint's twist J."""
        return Rate(g.w + J.ang.cross(g.wd) + J.lin.cross(g.a) * 2, g.wd, g.a)

    def shifted(g, p: Vec3, w: Vec3) -> Rate:
        """Per change of the motion at −p, on a body that turns with ω."""
        across = g.a * w.dot(p) + p * w.dot(g.a) - w * (2 * p.dot(g.a))
        return Rate(g.w + across, g.wd + p.cross(g.a), g.a)

    def seen_from_parent(g, X: Transform, J: Motion, w: Vec3, w_parent: Vec3) -> Rate:
        """Per change of the parent's motion; `w` is the parent's ω in the link's axes."""
        g = g.before_joint(J).shifted(EZ * X.slide, w)
        return Rate(X.R @ g.w, X.R @ g.wd, X.R @ g.a).shifted(X.p, w_parent)


@dataclass(frozen=True, slots=True)
class Response:
    """δF = (N δω, L δω) + inertia (δω̇, δa)."""

    inertia: Inertia
    N: Mat3
    L: Mat3

    @classmethod
    def of(cls, body: Inertia, w: Vec3) -> Response:
        """Of one body that turns with ω: N = [E ω] − [ω] E, L = (ω·h) 1 + ω hᵀ − 2 h ωᵀ."""
        h, E = body.h, body.E
        N = Mat3.skew(E @ w) - Mat3.skew(w) @ E.matrix
        return cls(body, N, _turning(w, h))

    def __add__(a, b: Response) -> Response:
        return Response(a.inertia + b.inertia, a.N + b.N, a.L + b.L)

    def __matmul__(self, x: Rate) -> Force:
        b = self.inertia
        n = b.I @ x.wd + b.h.cross(x.a) + self.N @ x.w
        return Force(n, x.wd.cross(b.h) + x.a * b.m + self.L @ x.w)

    def along(self, S: Motion) -> Rate:
        """S · δF per change of the root's motion."""
        b = self.inertia
        w = self.N.T @ S.ang + self.L.T @ S.lin
        return Rate(w, b.I @ S.ang + b.h.cross(S.lin), S.ang.cross(b.h) + S.lin * b.m)

    def before_joint(self, J: Motion) -> Response:
        """To a change of the motion that the link would have without its joint's twist J."""
        b, W, V = self.inertia, Mat3.skew(J.ang), Mat3.skew(J.lin * 2)
        H = Mat3.skew(b.h)
        return Response(b, self.N - b.I.matrix @ W - H @ V, self.L + H @ W - V * b.m)

    def shifted(self, p: Vec3, w: Vec3) -> Response:
        """To a change of the motion at −p, on a body that turns with ω; the wrench is about −p."""
        b, C = self.inertia, _turning(w, p)
        L = self.L + C * b.m
        N = self.N + Mat3.skew(b.h) @ C + Mat3.skew(p) @ L
        return Response(b.shifted(p), N, L)

    def seen_from_parent(self, X: Transform, J: Motion, w: Vec3, w_parent: Vec3) -> Response:
        """To a change of the parent's motion; `w` is the parent's ω in the link's axes."""
        k = self.before_joint(J).shifted(EZ * X.slide, w)
        b = k.inertia
        turned = Inertia(b.m, X.R @ b.h, X.R @ b.E)
        return Response(turned, X.R @ k.N, X.R @ k.L).shifted(X.p, w_parent)


def _turning(w: Vec3, p: Vec3) -> Mat3:
    """C with C δω = ([δω][ω] + [ω][δω]) p = (ω·p) δω + ω (p·δω) − 2 p (ω·δω)."""
    return IDENTITY * w.dot(p) + Mat3.outer(w, p) - Mat3.outer(p * 2, w)


NO_RATE = Rate(ZERO, ZERO, ZERO)
