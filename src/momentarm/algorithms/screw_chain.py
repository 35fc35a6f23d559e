"""Chains as lists of numbers, M_list, G_list, S_list: the robot is an argument like its motion.

Rule 1  The book's own recursion (8.45)–(8.54) as it is printed: no frame is chosen to save
        operations, a screw need not be of unit length, and 𝒢 may be any matrix 6x6.
Rule 2  One text for every chain of n joints: what a joint is, its screw says in numbers.
Source  Modern Robotics §8.3, §8.5, §11.4. Inverse dynamics: about 350 mul + 275 add a joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from momentarm.algorithms.kinematics import IN_PLACE, Matrix
from momentarm.algorithms.newton_euler import Scalars
from momentarm.algorithms.screw_kinematics import (
    as_transform,
    columns,
    exponential,
    transform,
)
from momentarm.spatial import NO_MOTION, ZERO, Force, Motion, Scalar, Transform, Vec3

Matrices = Sequence[Matrix]
NO_GRAVITY, NO_WRENCH = (0,) * 3, (0,) * 6


def axes(M_list: Matrices, S_list: Matrix) -> list[Motion]:
    """A_i: the space screws seen from their links at home."""
    home, A = IN_PLACE, []
    for T, S in zip(M_list, columns(S_list)):
        home = home.beyond(transform(T))
        A.append(as_transform(home) @ S)
    return A


def steps(theta: Scalars, A: Sequence[Motion], M_list: Matrices) -> list[Transform]:
    """X_{i,i−1} of T_{i−1,i} = M_{i−1,i} e^{[A_i]θ_i}, (8.50); the last one is the tip's."""
    X = []
    for T, A_i, theta_i in zip(M_list, A, theta):
        turned = as_transform(exponential(A_i, theta_i))
        X.append(as_transform(IN_PLACE.beyond(transform(T)).beyond(turned)))
    return [*X, transform(M_list[len(A)])]


def inverse_dynamics(
    theta: Scalars, rate: Scalars, acceleration: Scalars, g: Scalars, tip_wrench: Scalars,
    M_list: Matrices, G_list: Matrices, S_list: Matrix,
) -> list[Scalar]:  # fmt: skip
    """τ = M θ̈ + c + g + Jᵀ ℱ_tip by (8.45)–(8.54)."""
    A = axes(M_list, S_list)
    X = steps(theta, A, M_list)
    V, Vd, F = NO_MOTION, Motion(ZERO, -Vec3(*g)), []
    for i, G in enumerate(G_list):
        V = X[i] @ V + A[i] * rate[i]  # (8.51)
        Vd = X[i] @ Vd + A[i] * acceleration[i] + V.cross(A[i] * rate[i])  # (8.52)
        F.append(momentum(G, Vd) + V.cross(momentum(G, V)))
    tau: list[Scalar] = []
    total = Force.of(tip_wrench)
    for i in reversed(range(len(F))):
        total = X[i + 1].T @ total + F[i]  # (8.53)
        tau.insert(0, A[i].dot(total))  # (8.54)
    return tau


def mass_matrix(theta: Scalars, M_list: Matrices, G_list: Matrices, S_list: Matrix) -> Matrix:
    """M = Σ J_iᵀ 𝒢_i J_i, (8.57)."""
    A, n = axes(M_list, S_list), len(G_list)
    X = steps(theta, A, M_list)
    M: Matrix = [[0] * n for _ in range(n)]
    J: list[Motion] = []
    for i, G in enumerate(G_list):
        J = [*(X[i] @ S for S in J), A[i]]
        for k, h in enumerate([momentum(G, S) for S in J]):
            for j, S in enumerate(J):
                M[j][k] = M[j][k] + S.dot(h)
    return M


def velocity_forces(theta: Scalars, rate: Scalars, *lists: Any) -> list[Scalar]:
    """c(θ, θ̇), (8.79)."""
    return inverse_dynamics(theta, rate, [0] * len(theta), NO_GRAVITY, NO_WRENCH, *lists)


def gravity_forces(theta: Scalars, g: Scalars, *lists: Any) -> list[Scalar]:
    """g(θ), (8.80)."""
    rest = [0] * len(theta)
    return inverse_dynamics(theta, rest, rest, g, NO_WRENCH, *lists)


def tip_forces(theta: Scalars, tip_wrench: Scalars, *lists: Any) -> list[Scalar]:
    """Jᵀ ℱ_tip, (8.77)."""
    rest = [0] * len(theta)
    return inverse_dynamics(theta, rest, rest, NO_GRAVITY, tip_wrench, *lists)


def forward_dynamics(
    theta: Scalars, rate: Scalars, tau: Scalars, g: Scalars, tip_wrench: Scalars, *lists: Any
) -> list[Scalar]:
    """θ̈ with M θ̈ = τ − c − g − Jᵀ ℱ_tip, (8.81)."""
    bias = inverse_dynamics(theta, rate, [0] * len(theta), g, tip_wrench, *lists)
    return solution(mass_matrix(theta, *lists), [a - b for a, b in zip(tau, bias)])


def euler_step(
    theta: Scalars, rate: Scalars, tau: Scalars, g: Scalars, tip_wrench: Scalars, *rest: Any
) -> tuple[list[Scalar], list[Scalar]]:
    """Euler's step under the efforts τ, §8.5; δt comes last."""
    *lists, dt = rest
    acceleration = forward_dynamics(theta, rate, tau, g, tip_wrench, *lists)
    return euler(theta, rate, acceleration, dt)


def euler(
    theta: Scalars, rate: Scalars, acceleration: Scalars, dt: Scalar
) -> tuple[list[Scalar], list[Scalar]]:
    """(θ + θ̇ δt, θ̇ + θ̈ δt), §8.5."""
    return ([x + v * dt for x, v in zip(theta, rate)],
            [v + a * dt for v, a in zip(rate, acceleration)])  # fmt: skip


def computed_torque(
    theta: Scalars, rate: Scalars, error_sum: Scalars, g: Scalars, M_list: Matrices,
    G_list: Matrices, S_list: Matrix, theta_d: Scalars, rate_d: Scalars, acceleration_d: Scalars,
    Kp: Scalars, Ki: Scalars, Kd: Scalars,
) -> list[Scalar]:  # fmt: skip
    """τ = M (θ̈_d + K_p e + K_i (Σ + e) + K_d ė) + c + g, e = θ_d − θ, (11.35)."""
    corrected = []
    for i, wanted in enumerate(acceleration_d):
        e, ed = theta_d[i] - theta[i], rate_d[i] - rate[i]
        corrected.append(wanted + Kp[i] * e + Ki[i] * (error_sum[i] + e) + Kd[i] * ed)
    return inverse_dynamics(theta, rate, corrected, g, NO_WRENCH, M_list, G_list, S_list)


def momentum(G: Matrix, V: Motion) -> Force:
    """𝒢 𝒱 for any matrix 6x6."""
    return Force.of(sum((a * x for a, x in zip(row, V)), start=0) for row in G)


def solution(M: Matrix, b: Scalars) -> list[Scalar]:
    """x with M x = b by elimination, for a matrix whose leading minors are not zero."""
    rows, n = [[*row, x] for row, x in zip(M, b)], len(M)
    for k, pivot in enumerate(rows):
        pivot[k] = 1 / pivot[k]
        for row in rows[k + 1 :]:
            share = row[k] * pivot[k]
            row[k + 1 :] = [x - share * y for x, y in zip(row[k + 1 :], pivot[k + 1 :])]
    x: list[Scalar] = []
    for k in reversed(range(n)):
        known = sum((a * y for a, y in zip(rows[k][k + 1 : n], x)), start=0)
        x.insert(0, (rows[k][n] - known) * rows[k][k])
    return x
