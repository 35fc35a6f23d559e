"""Random chains as Mlist, Glist, Slist, for the tests of `momentarm.modern_robotics`.

Screws turn, slide or do both, of any length; inertias are those of rigid bodies in frames anywhere
in them, or any positive matrices. Knows no test and nothing of the library's own kinematics.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

KINDS = ("turn", "slide", "screw", "turn", "screw", "slide")


@dataclass(frozen=True)
class Chain:
    """Lists and a state; `motion` and the rest are in the book's order."""

    Mlist: Any
    Glist: Any
    Slist: Any
    theta: Any
    dtheta: Any
    ddtheta: Any
    tau: Any
    g: Any
    Ftip: Any

    @cached_property
    def lists(self) -> tuple[Any, Any, Any]:
        return self.Mlist, self.Glist, self.Slist

    @property
    def n(self) -> int:
        return len(self.Glist)


def chain(seed: int, n: int, rigid: bool = True, unit: bool = False) -> Chain:
    rng = np.random.default_rng(seed)
    M = np.array([pose(rng) for _ in range(n + 1)])
    G = np.array([rigid_body(rng) if rigid else positive(rng) for _ in range(n)])
    S = np.array([screw(rng, KINDS[(k + seed) % len(KINDS)], unit) for k in range(n)]).T
    theta, dtheta, ddtheta, tau = rng.normal(size=(4, n))
    return Chain(M, G, S, theta, dtheta, ddtheta, tau, rng.normal(size=3), rng.normal(size=6))


def pose(rng: Any) -> Any:
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = q * np.linalg.det(q), rng.normal(size=3)
    return T


def rigid_body(rng: Any) -> Any:
    """Σ m [[−[p]², [p]], [−[p], 1]] over point masses."""
    G = np.zeros((6, 6))
    for m, p in zip(rng.uniform(0.2, 2, 5), rng.normal(size=(5, 3)), strict=True):
        across = np.cross(np.eye(3), p).T  # [p]
        G += m * np.block([[-across @ across, across], [-across, np.eye(3)]])
    return (G + G.T) / 2


def positive(rng: Any) -> Any:
    A = rng.normal(size=(6, 6))
    return A @ A.T + np.eye(6)


def screw(rng: Any, kind: str, unit: bool) -> Any:
    w, p = rng.normal(size=(2, 3))
    length = 1 if unit else rng.uniform(0.3, 3)
    w *= length / np.linalg.norm(w)
    if kind == "slide":
        return np.array([0, 0, 0, *w])
    pitch = rng.normal() if kind == "screw" else 0
    return np.array([*w, *(np.cross(p, w) + pitch * w)])
