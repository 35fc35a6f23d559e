"""Textbook dynamics of a tree of one-freedom joints, in any arithmetic: the oracle of this folder.

Everything happens in the world frame, at centres of mass, by sums over all bodies: no recursion
inwards, no spatial vectors, no canonical frames. It is slow and says each law once. `EXACT`
computes with 50 digits; `FLOAT` runs the same text on floats. A robot is described by plain floats
(`descriptions.py`); rotations are built from them in the chosen arithmetic, so that nothing is
rounded on the way in. It knows nothing of friction, rotors or limits, nor of the library it judges.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import mpmath
import numpy as np

from oracles.descriptions import ZERO, Robot

Vector = Any  # array (3,) or (n,) of floats or of 50-digit numbers
Matrix = Any
# what one unit of the coordinate does along the joint axis: (turns by, slides by)
RATES: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    "fixed": lambda pitch: (0, 0),
    "revolute": lambda pitch: (1, 0),
    "prismatic": lambda pitch: (0, 1),
    "helical": lambda pitch: (1, pitch),
}


@dataclass(frozen=True)
class Arithmetic:
    """The numbers a computation is made of: how to enter them and their functions."""

    number: Callable[[Any], Any]
    sin: Callable[[Any], Any]
    cos: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]
    solve: Callable[[Matrix, Vector], Vector]
    dtype: Any

    def array(self, values: Any) -> Any:
        """Floats, entered exactly."""
        values = np.asarray(values, dtype=object)
        flat = [self.number(value) for value in values.ravel()]
        result = np.empty(len(flat), dtype=self.dtype)
        result[:] = flat
        return result.reshape(values.shape)

    def zeros(self, *shape: int) -> Any:
        return self.array(np.zeros(shape))


_digits = mpmath.MPContext()
_digits.dps = 50


def _solve_digits(matrix: Matrix, vector: Vector) -> Vector:
    solution = _digits.lu_solve(_digits.matrix(matrix.tolist()), _digits.matrix(vector.tolist()))
    return EXACT.array([solution[i] for i in range(len(vector))])


def _digits_number(value: Any) -> Any:
    return value if isinstance(value, _digits.mpf) else _digits.mpf(float(value))


EXACT = Arithmetic(
    _digits_number, _digits.sin, _digits.cos, _digits.sqrt, _solve_digits, np.dtype(object)
)
FLOAT = Arithmetic(float, math.sin, math.cos, math.sqrt, np.linalg.solve, np.dtype(float))


def cross(a: Vector, b: Vector) -> Vector:
    return np.array(
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    )


def turn(numbers: Arithmetic, axis: Vector, angle: Any) -> Matrix:
    """Rodrigues' rotation about a unit axis."""
    c, s = numbers.cos(angle), numbers.sin(angle)
    x, y, z = axis
    hat = np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]])
    return numbers.array(np.eye(3)) * c + hat * s + np.outer(axis, axis) * (1 - c)


def rotation(numbers: Arithmetic, rpy: Sequence[float]) -> Matrix:
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    roll, pitch, yaw = numbers.array(rpy)
    x, y, z = numbers.array(np.eye(3))
    return turn(numbers, z, yaw) @ turn(numbers, y, pitch) @ turn(numbers, x, roll)


def unit(numbers: Arithmetic, axis: Sequence[float]) -> Vector:
    vector = numbers.array(axis)
    return vector / numbers.sqrt(vector @ vector)


def symmetric(numbers: Arithmetic, six: Sequence[float]) -> Matrix:
    xx, xy, xz, yy, yz, zz = numbers.array(six)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@dataclass
class Motion:
    """Where a body is, and how it moves when the state says so; all in world axes."""

    R: Matrix  # link axes in the world
    o: Vector  # a point on the joint axis, fixed in the parent
    p: Vector  # origin of the link frame
    z: Vector  # joint axis
    c: Vector  # centre of mass
    turns: Any = 0  # the joint's own rates per unit of coordinate
    slides: Any = 0
    w: Vector = None
    alpha: Vector = None
    a: Vector = None  # acceleration of p
    ac: Vector = None  # acceleration of c


@dataclass(frozen=True)
class Dynamics:
    """The laws of mechanics applied to one robot in one arithmetic."""

    robot: Robot
    numbers: Arithmetic = field(default=EXACT)

    def joint(self, i: int, coordinates: Vector, rate: bool = False) -> Any:
        """The joint variable (or, of rates, the joint rate) of body i."""
        if self.robot.bodies[i].kind == "fixed":
            return self.numbers.number(0)
        column, multiplier, offset = self.robot.law(i)
        shift = 0 if rate else self.numbers.number(offset)
        return coordinates[column] * self.numbers.number(multiplier) + shift

    def poses(self, q: Vector) -> list[Motion]:
        """Every body's placement, root first."""
        N, found = self.numbers, []
        q = N.array(q)
        origin = Motion(N.array(np.eye(3)), *(N.zeros(3) for _ in range(4)))
        for i, body in enumerate(self.robot.bodies):
            up = origin if body.parent < 0 else found[body.parent]
            turns, slides = RATES[body.kind](N.number(body.pitch))
            axis, value = unit(N, body.axis), self.joint(i, q)
            placed = up.R @ rotation(N, body.rpy)
            o, z = up.p + up.R @ N.array(body.xyz), placed @ axis
            R, p = placed @ turn(N, axis, value * turns), o + z * (value * slides)
            found.append(Motion(R, o, p, z, p + R @ N.array(body.com), turns, slides))
        return found

    def path(self, i: int) -> list[int]:
        """Body i and every body between it and the ground."""
        way = []
        while i >= 0:
            way.append(i)
            i = self.robot.bodies[i].parent
        return way

    def jacobian_of_point(self, at: list[Motion], i: int, x: Vector) -> tuple[Matrix, Matrix]:
        """Angular velocity of body i, and velocity of its point at x, per coordinate rate."""
        Jw, Jv = self.numbers.zeros(3, self.robot.n), self.numbers.zeros(3, self.robot.n)
        for k in self.path(i):
            if self.robot.bodies[k].kind != "fixed":
                column, multiplier, _ = self.robot.law(k)
                s, m = at[k], self.numbers.number(multiplier)
                Jw[:, column] += s.z * s.turns * m
                Jv[:, column] += (cross(s.z, x - s.o) * s.turns + s.z * s.slides) * m
        return Jw, Jv

    def forward_kinematics(self, q: Vector, frame: str) -> Matrix:
        """The 4x4 pose of a link frame in the world."""
        body = self.poses(q)[self.robot.index(frame)]
        T = self.numbers.array(np.eye(4))
        T[:3, :3], T[:3, 3] = body.R, body.p
        return T

    def jacobian(self, q: Vector, frame: str, reference: str = "world") -> Matrix:
        """Angular rows, then linear: of the frame's origin in world or body axes, or, for "space",
        of the point of the body that is at the world origin."""
        at, i = self.poses(q), self.robot.index(frame)
        point = self.numbers.zeros(3) if reference == "space" else at[i].p
        Jw, Jv = self.jacobian_of_point(at, i, point)
        if reference == "body":
            Jw, Jv = at[i].R.T @ Jw, at[i].R.T @ Jv
        return np.vstack([Jw, Jv])

    def world_inertia(self, at: list[Motion], i: int) -> Matrix:
        body = self.robot.bodies[i]
        R = at[i].R @ rotation(self.numbers, body.inertia_rpy)
        return R @ symmetric(self.numbers, body.inertia) @ R.T

    def mass_matrix(self, q: Vector) -> Matrix:
        """M = sum of m Jv' Jv + Jw' I Jw."""
        at, M = self.poses(q), self.numbers.zeros(self.robot.n, self.robot.n)
        for i, body in enumerate(self.robot.bodies):
            Jw, Jv = self.jacobian_of_point(at, i, at[i].c)
            M = M + Jv.T @ Jv * self.numbers.number(body.mass)
            M = M + Jw.T @ self.world_inertia(at, i) @ Jw
        return M

    def kinetic_energy(self, q: Vector, qd: Vector) -> Any:
        """Half of m v.v + w.I w, body by body."""
        at, total = self.poses(q), self.numbers.number(0)
        rates = self.numbers.array(qd)
        for i, body in enumerate(self.robot.bodies):
            Jw, Jv = self.jacobian_of_point(at, i, at[i].c)
            w, v = Jw @ rates, Jv @ rates
            energy = self.numbers.number(body.mass) * (v @ v) + w @ self.world_inertia(at, i) @ w
            total += energy / 2
        return total

    def potential_energy(self, q: Vector) -> Any:
        """Minus m g.c, the ground body included."""
        g, at = self.numbers.array(self.robot.gravity), self.poses(q)
        bodies = enumerate(self.robot.bodies)
        return -sum(self.numbers.number(body.mass) * (g @ at[i].c) for i, body in bodies)

    def gravity_forces(self, q: Vector) -> Vector:
        """The gradient of the potential energy, from Jacobians."""
        g, at = self.numbers.array(self.robot.gravity), self.poses(q)
        total = self.numbers.zeros(self.robot.n)
        for i, body in enumerate(self.robot.bodies):
            _, Jv = self.jacobian_of_point(at, i, at[i].c)
            total = total - Jv.T @ g * self.numbers.number(body.mass)
        return total

    def motions(self, q: Vector, qd: Vector, qdd: Vector) -> list[Motion]:
        """Every body's accelerations: Coriolis' theorem, joint by joint outwards."""
        N, at = self.numbers, self.poses(q)
        for i, body in enumerate(self.robot.bodies):
            s, zero = at[i], N.zeros(3)
            up = at[body.parent] if body.parent >= 0 else Motion(None, None, zero, None, None)
            up_w, up_alpha, up_a = (zero,) * 3 if body.parent < 0 else (up.w, up.alpha, up.a)
            rate, gain = (self.joint(i, N.array(x), rate=True) for x in (qd, qdd))
            w_own, v_own = s.z * (s.turns * rate), s.z * (s.slides * rate)
            s.w = up_w + w_own
            s.alpha = up_alpha + cross(up_w, w_own) + s.z * (s.turns * gain)
            carried = s.p - up.p  # fixed in the parent but for the slide
            s.a = up_a + cross(up_alpha, carried) + cross(up_w, cross(up_w, carried))
            s.a = s.a + cross(up_w, v_own) * 2 + s.z * (s.slides * gain)
            arm = s.c - s.p
            s.ac = s.a + cross(s.alpha, arm) + cross(s.w, cross(s.w, arm))
        return at

    def inverse_dynamics(
        self, q: Vector, qd: Vector, qdd: Vector, tip: str = "", tip_wrench: Vector = None
    ) -> Vector:
        """Newton and Euler at every centre of mass, each joint carrying all bodies beyond it.

        `tip_wrench` (moment, force) in the frame of `tip` is what the tip does to its surroundings.
        """
        N, at = self.numbers, self.motions(q, qd, qdd)
        loads = []  # (body, point, force, moment) that the joints must supply
        for i, body in enumerate(self.robot.bodies):
            s, I = at[i], self.world_inertia(at, i)
            force = (s.ac - N.array(self.robot.gravity)) * N.number(body.mass)
            loads.append((i, s.c, force, I @ s.alpha + cross(s.w, I @ s.w)))
        if tip_wrench is not None:
            i, wrench = self.robot.index(tip), N.array(tip_wrench)
            loads.append((i, at[i].p, at[i].R @ wrench[3:], at[i].R @ wrench[:3]))
        tau = N.zeros(self.robot.n)
        for i, x, force, moment in loads:
            for k in self.path(i):
                if self.robot.bodies[k].kind != "fixed":
                    column, multiplier, _ = self.robot.law(k)
                    s = at[k]
                    about_axis = s.z @ (moment + cross(x - s.o, force))
                    along_axis = s.z @ force
                    own = about_axis * s.turns + along_axis * s.slides
                    tau[column] += own * N.number(multiplier)
        return tau

    def bias_forces(self, q: Vector, qd: Vector) -> Vector:
        return self.inverse_dynamics(q, qd, np.zeros(self.robot.n))

    def coriolis_forces(self, q: Vector, qd: Vector) -> Vector:
        weightless = replace(self, robot=replace(self.robot, gravity=ZERO))
        return weightless.bias_forces(q, qd)

    def tip_forces(self, q: Vector, tip: str, tip_wrench: Vector) -> Vector:
        return self.jacobian(q, tip, "body").T @ self.numbers.array(tip_wrench)

    def forward_dynamics(self, q: Vector, qd: Vector, tau: Vector) -> Vector:
        """The accelerations that solve M qdd + h = tau."""
        free = self.numbers.array(tau) - self.bias_forces(q, qd)
        return self.numbers.solve(self.mass_matrix(q), free)


def floats(values: Any) -> Any:
    """Rounded to float64."""
    return np.array(values, dtype=float)


def error(found: Any, exact: Any, *terms: Any) -> float:
    """Largest difference over largest exact magnitude: the norm-wise relative error.

    Where the exact value is a difference of `terms` that may cancel, they set the scale too.
    """
    found, exact = np.asarray(found), np.asarray(EXACT.array(exact))
    assert found.shape == exact.shape, f"shape {found.shape}, expected {exact.shape}"
    difference = max(
        abs(x - y) for x, y in zip(EXACT.array(found).ravel(), exact.ravel(), strict=True)
    )
    scale = max(abs(x) for array in (exact, *terms) for x in EXACT.array(array).ravel())
    return float(difference / (scale if scale > 1e-30 else 1))


def screws(robot: Robot) -> tuple[list[Matrix], list[Matrix], Matrix]:
    """(M_list, G_list, S_list) of a serial chain whose joints all move: exercise 8.12.

    Link frames are at the centres of mass, in link axes; the tip is the last link's own frame.
    """
    dynamics = Dynamics(robot)
    at = dynamics.poses(np.zeros(robot.n))
    home, G_list, columns = [EXACT.array(np.eye(4))], [], []
    for i in robot.free:
        T = EXACT.array(np.eye(4))
        T[:3, :3], T[:3, 3] = at[i].R, at[i].c
        home.append(T)
        G = EXACT.zeros(6, 6)
        G[:3, :3] = at[i].R.T @ dynamics.world_inertia(at, i) @ at[i].R
        G[3:, 3:] = EXACT.array(np.eye(3)) * robot.bodies[i].mass
        G_list.append(floats(G))
        moment = cross(at[i].o, at[i].z) * at[i].turns + at[i].z * at[i].slides
        columns.append(floats(np.concatenate([at[i].z * at[i].turns, moment])))
    home.append(dynamics.forward_kinematics(np.zeros(robot.n), robot.bodies[robot.free[-1]].name))
    M_list = [floats(inverse_pose(a) @ b) for a, b in itertools.pairwise(home)]
    return M_list, G_list, np.array(columns).T


def inverse_pose(T: Matrix) -> Matrix:
    result = EXACT.array(np.eye(4))
    result[:3, :3], result[:3, 3] = T[:3, :3].T, -T[:3, :3].T @ T[:3, 3]
    return result
