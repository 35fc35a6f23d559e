"""A rigid body at the user's edge: its mass, where it is, and how it turns.

Rule 1  A body is a value in one frame, its moments about that frame's origin (spatial/inertia.py).
        Bodies of one frame are added, taken away (a hole), placed and turned.
Rule 2  A body may be unphysical, as a difference can be: `faults` says so in words.
Rule 3  Six-vectors are (angular, linear); inertia is about the centre of mass, in the frame's axes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from momentarm.model.parameters import body_of, phi
from momentarm.model.principal import principal
from momentarm.spatial import ZERO, Inertia, Motion, Sym3, Transform, Vec3
from momentarm.twists import Twist, Wrench, force, inverse, motion, numbers, pose, rotation, three

Array = NDArray[np.float64]
ROUNDED = 1e-6  # of the largest moment: what rounded decimals may cost
SYMMETRIC = 1e-9  # of the largest element


@dataclass(frozen=True, slots=True, eq=False)
class Principal:
    """Principal moments [kg m²] and, as columns of `axes`, right-handed principal axes."""

    moments: Array
    axes: Array
    pose: Array  # the frame at the centre of mass along these axes, 4x4


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Body:
    """A rigid body by its mass [kg], centre of mass [m] and rotational inertia about it [kg m²].

    The inertia is a symmetric 3x3 matrix or (xx, yy, zz, xy, xz, yz).

    >>> import momentarm as ma
    >>> bar = ma.Body(2, inertia=[0.2, 0.2, 0, 0, 0, 0])
    >>> bar + bar.shifted([0, 0, 1])
    Body(mass=4, com=(0, 0, 0.5), inertia=(1.4, 1.4, 0, 0, 0, 0))
    """

    moments: Inertia

    def __init__(self, mass: float, com: ArrayLike = (0, 0, 0),
                 inertia: ArrayLike = (0,) * 6) -> None:  # fmt: skip
        given = Inertia.about_com(_mass("Body(mass)", mass), three("Body(com)", com),
                                  _symmetric("Body(inertia)", inertia))  # fmt: skip
        object.__setattr__(self, "moments", _finite("Body(mass, com, inertia)", given))

    @classmethod
    def of(cls, moments: Inertia) -> Body:
        """From the moments (m, h, E) that `momentarm.spatial` counts with."""
        made = object.__new__(cls)
        object.__setattr__(made, "moments", _finite("Body.of(moments)", moments))
        return made

    @classmethod
    def from_phi(cls, phi: ArrayLike) -> Body:
        """From ten numbers: m, m c (x, y, z), Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin."""
        ten = numbers("Body.from_phi(phi)", phi)
        if ten.shape != (10,):
            raise ValueError(f"Body.from_phi(phi): expected ten numbers (m, mx, my, mz, Ixx, Ixy, "
                             f"Iyy, Ixz, Iyz, Izz), got shape {ten.shape}")  # fmt: skip
        return cls.of(body_of(ten.tolist()))

    @classmethod
    def from_spatial_inertia(cls, G: ArrayLike) -> Body:
        """From a 6x6 matrix [[I, [h]], [−[h], m 1]]: any frame, angular rows first."""
        A = numbers("Body.from_spatial_inertia(G)", G)
        if A.shape != (6, 6):
            raise ValueError(f"Body.from_spatial_inertia(G): expected (6, 6), got {A.shape}")
        body = cls.of(body_of([A[5, 5], A[2, 4], A[0, 5], A[1, 3],
                               *A[[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2]]]))  # fmt: skip
        if not np.abs(A - body.spatial_inertia).max() <= SYMMETRIC * np.abs(A).max():
            raise ValueError("Body.from_spatial_inertia(G): expected [[I, [h]], [−[h], m 1]] with "
                             f"a symmetric I, angular rows first, got {A.tolist()}")  # fmt: skip
        return body

    # -- its numbers

    @property
    def mass(self) -> float:
        """[kg]"""
        return float(self.moments.m)

    @property
    def com(self) -> Array:
        """The centre of mass [m]; the origin for a body without mass."""
        return np.array([*self.moments.com], float)

    @property
    def inertia(self) -> Array:
        """Rotational inertia about the centre of mass [kg m²], 3x3."""
        return _matrix(self.moments.I_com)

    @property
    def inertia_at_origin(self) -> Array:
        """Rotational inertia about the frame's origin [kg m²], eq. (8.24)."""
        return _matrix(self.moments.I)

    @property
    def spatial_inertia(self) -> Array:
        """𝒢 = [[I, m [c]], [−m [c], m 1]] about the frame's origin, 6x6, eqs. (8.32) and (8.42)."""
        return np.array(self.moments.matrix, float) + 0

    @property
    def phi(self) -> Array:
        """Ten numbers: m, m c (x, y, z), Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin."""
        return np.array(phi(self.moments), float) + 0

    def principal(self) -> Principal:
        """Moments about the principal axes through the centre of mass, and these axes.

        Axes near the frame's own, not moments in order: a diagonal inertia keeps its axes.
        `body.seen_from(body.principal().pose)` has a diagonal spatial inertia.
        """
        moments, R = principal(self.moments.I_com)
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = [[*row] for row in R], self.com
        return Principal(np.array([*moments]), T[:3, :3].copy(), T)

    @property
    def faults(self) -> tuple[str, ...]:
        """Why no matter at all could have these moments; nothing if some could."""
        body, mass = self.moments, self.mass
        if mass < 0:
            return (f"the mass {mass:.6g} kg is negative",)
        if mass == 0 and any([*body.h, *body.E]):
            return ("there is no mass, yet moments of mass",)
        a, b, c = sorted(principal(body.I_com)[0])
        slack = ROUNDED * max(abs(a), abs(c)) + 1e-12 * abs(body.I.trace)
        named = f"principal moments {a:.6g}, {b:.6g}, {c:.6g} kg m²"
        if a < -slack:
            return (f"{named}: the least is negative",)
        return (f"{named} break A + B >= C by {c - a - b:.3g}",) if a + b < c - slack else ()

    @property
    def is_physical(self) -> bool:
        """Whether some distribution of mass has these moments; `faults` says why not."""
        return not self.faults

    # -- other bodies

    def __add__(self, other: Body) -> Body:
        """Both, given in the same frame."""
        return Body.of(self.moments + other.moments) if isinstance(other, Body) else NotImplemented

    def __radd__(self, zero: Any) -> Body:
        return self if type(zero) is int and zero == 0 else NotImplemented  # as `sum` begins

    def __sub__(self, other: Body) -> Body:
        """The first with a hole where the other is."""
        return Body.of(self.moments - other.moments) if isinstance(other, Body) else NotImplemented

    def with_mass(self, mass: float) -> Body:
        """The same shape and distribution, of another mass."""
        if not self.mass > 0:
            raise ValueError(f"with_mass(mass): {self!r} has no mass to be scaled")
        new = _mass("with_mass(mass)", mass)
        moments = self.moments.scaled(new / self.mass)
        return Body.of(Inertia(new, moments.h, moments.E))

    def rotated(self, R: ArrayLike) -> Body:
        """Turned about the frame's origin: every point p goes to R p, eq. (8.26)."""
        turn = Transform.pose(rotation("rotated(R)", R), ZERO)
        return Body.of(turn.T @ self.moments)

    def shifted(self, p: ArrayLike) -> Body:
        """Moved by p: eq. (8.27) is the inertia at the origin of a centred body shifted by q."""
        return Body.of(self.moments.shifted(three("shifted(p)", p)))

    def moved(self, T_ab: ArrayLike) -> Body:
        """Given in b, seen from a; or: put where T_ab says."""
        return Body.of(pose("moved(T_ab)", T_ab).T @ self.moments)

    def seen_from(self, T_ab: ArrayLike) -> Body:
        """Given in a, seen from b: 𝒢_b = Ad(T_ab)ᵀ 𝒢_a Ad(T_ab), eq. (8.42)."""
        return Body.of(inverse(pose("seen_from(T_ab)", T_ab)).T @ self.moments)

    # -- its motion

    def momentum(self, V: Twist | ArrayLike) -> Wrench:
        """𝒢 𝒱 about the origin: angular [kg m²/s] and linear [kg m/s], eq. (8.34)."""
        return Wrench._from(self.moments @ motion("momentum(V)", V))

    def kinetic_energy(self, V: Twist | ArrayLike) -> float:
        """½ 𝒱ᵀ 𝒢 𝒱 [J], eq. (8.33)."""
        twist = motion("kinetic_energy(V)", V)
        return float(twist.dot(self.moments @ twist)) / 2

    def wrench(self, V: Twist | ArrayLike, Vd: Twist | ArrayLike) -> Wrench:
        """What acts on the body in all: 𝒢 𝒱̇ − adᵀ_𝒱 𝒢 𝒱, eqs. (8.40) and (8.43).

        `Vd` is the derivative of the twist's six numbers in the body's frame, which turns with it.
        Gravity counts as any other force, or as an upward acceleration of −g.
        """
        return Wrench._from(self.moments.wrench(motion("wrench(V)", V), motion("wrench(Vd)", Vd)))

    def acceleration(self, V: Twist | ArrayLike, F: Wrench | ArrayLike) -> Twist:
        """𝒱̇ of the free body on which the wrench F acts: 𝒢⁻¹ (F + adᵀ_𝒱 𝒢 𝒱)."""
        twist = motion("acceleration(V)", V)
        net = force("acceleration(F)", F) - twist.cross(self.moments @ twist)
        moments, R = principal(self.moments.I_com)
        least = min(self.mass, *moments)
        if not least > 1e-12 * max(moments):
            raise ValueError(f"acceleration: {self!r} cannot resist every wrench: mass and "
                             f"principal moments should be above 0, one is {least:.3g}")
        c = self.moments.com
        turning = R.T @ (net.ang - c.cross(net.lin))
        wd = R @ Vec3(*(n / A for n, A in zip(turning, moments, strict=True)))
        return Twist._from(Motion(wd, net.lin * (1 / self.mass) - wd.cross(c)))

    def __repr__(self) -> str:
        size = abs(self.moments.E.trace)  # m times the mean square of its points' distance
        length = (size / abs(self.mass)) ** 0.5 if self.mass else 1
        com, inertia = _shown(self.moments.com, length), _shown(self.moments.I_com, size)
        return f"Body(mass={self.mass:.7g}, com={com}, inertia={inertia})"


def _mass(argument: str, given: float) -> float:
    mass = numbers(argument, given)
    if mass.ndim or not 0 <= mass < np.inf:
        raise ValueError(f"{argument}: expected a finite mass of 0 kg or more, got {given!r}")
    return float(mass)


def _symmetric(argument: str, given: ArrayLike) -> Sym3:
    I = numbers(argument, given)
    if I.shape == (3, 3) and np.abs(I - I.T).max() <= SYMMETRIC * np.abs(I).max():
        I = ((I + I.T) / 2)[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    if I.shape != (6,):
        raise ValueError(f"{argument}: expected a symmetric 3x3 matrix or xx, yy, zz, xy, xz, yz, "
                         f"got {given!r}")  # fmt: skip
    return Sym3(*I.tolist())


def _shown(numbers: Iterable[float], size: float) -> str:
    """Seven digits; nothing for what is only rounding of numbers of this size."""
    return f"({', '.join(f'{x if abs(x) > 1e-14 * size else 0:.7g}' for x in numbers)})"


def _finite(argument: str, moments: Inertia) -> Inertia:
    if not np.isfinite([float(x) for x in moments]).all():
        raise ValueError(f"{argument}: expected finite numbers, got {[*moments]}")
    return moments


def _matrix(S: Sym3) -> Array:
    return np.array([[*row] for row in S.matrix], float) + 0  # which makes -0 plain 0
