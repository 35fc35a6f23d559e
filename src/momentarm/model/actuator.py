"""What drives a joint: the terms an actuator adds to the rigid-body torque of its joint.

Rule 1  An algorithm asks an actuator for `effort` and `inertia`; it never looks inside.
Rule 2  Everything is on the joint's side of a gear and in SI units.
"""

from __future__ import annotations

from dataclasses import dataclass

from momentarm.spatial import Scalar, sign


@dataclass(frozen=True, slots=True)
class Actuator:
    """Reflected rotor inertia, viscous damping and Coulomb friction of one joint.

    armature  kg m² (kg for a prismatic joint), added to the diagonal of M
    damping   N m s/rad (N s/m), viscous: τ = damping · q̇
    friction  N m (N), Coulomb: τ = friction · sgn(q̇), sgn(0) = 0
    """

    armature: Scalar = 0
    damping: Scalar = 0
    friction: Scalar = 0

    @property
    def is_ideal(self) -> bool:
        return self == IDEAL

    @property
    def inertia(self) -> Scalar:
        """What the drive adds to the joint's own element of M."""
        return self.armature

    def friction_effort(self, qd: Scalar) -> Scalar:
        """What friction takes of the joint's effort, Fig. 8.15 (c)."""
        dry = self.friction * sign(qd) if self.friction != 0 else 0
        return self.damping * qd + dry

    def effort(self, qd: Scalar, qdd: Scalar) -> Scalar:
        """What the drive must add to the effort of the ideal mechanism."""
        return self.inertia * qdd + self.friction_effort(qd)


IDEAL = Actuator()
