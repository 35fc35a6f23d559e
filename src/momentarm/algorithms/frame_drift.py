"""How frames move and, at q̈ = 0 and without gravity, how that changes: J q̇ and J̇ q̇."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from momentarm.algorithms.kinematics import Pose, link_velocities, world_poses
from momentarm.algorithms.newton_euler import Scalars, link_motions
from momentarm.model import Mechanism, coordinates
from momentarm.spatial import ZERO, Motion


@dataclass(frozen=True, slots=True)
class MovingFrame:
    """A frame's pose in the world; its twist V in its own axes, and V̇ at q̈ = 0."""

    pose: Pose
    V: Motion
    Vd: Motion

    @property
    def in_world(self) -> tuple[Motion, Motion]:
        """(ω, ṗ) and (ω̇, p̈) in the world's axes."""
        R, V, Vd = self.pose.R, self.V, self.Vd
        acceleration = Vd.lin + V.ang.cross(V.lin)
        return Motion(R @ V.ang, R @ V.lin), Motion(R @ Vd.ang, R @ acceleration)

    def drift(self, reference: str) -> Motion:
        """J̇ q̇, the twist's rate at q̈ = 0, in one of the references of the Jacobian."""
        if reference == "body":
            return self.Vd
        if reference == "world":
            return self.in_world[1]
        ang = self.pose.R @ self.Vd.ang  # space: [Ad_T] V̇, as [Ad_T]˙ V = [Ad_T] ad_V V = 0
        return Motion(ang, self.pose.R @ self.Vd.lin + self.pose.p.cross(ang))


def frame_motions(
    m: Mechanism, q: Scalars, qd: Scalars, *, frames: Sequence[str]
) -> list[MovingFrame]:
    """Of several frames at once: outward once over the links, then to each frame."""
    X = coordinates.transforms(m, q)
    pose, V = world_poses(m, X), link_velocities(m, X, qd)
    motion = link_motions(replace(m, gravity=ZERO), X, q, qd, [0] * m.n)
    found = []
    for place in (m.frames[k] for k in frames):
        v, x = V[place.link], motion[place.link]
        Vd = Motion(x.wd, x.a - v.ang.cross(v.lin))
        found.append(MovingFrame(pose[place.link].beyond(place.X), place.X @ v, place.X @ Vd))
    return found
