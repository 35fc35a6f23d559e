"""Section 8.11: the dynamics of open chains."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from momentarm.algorithms import screw_chain, screw_kinematics
from momentarm.modern_robotics import rows
from momentarm.modern_robotics.on_lists import ROBOT, Array, Dims, OnLists, joints

G: dict[str, Dims] = {"g": (3,)}
FTIP: dict[str, Dims] = {"Ftip": (6,)}
TAU = joints("tau")

_ad = OnLists("ad", screw_kinematics.bracket, {"V": (6,)}, {"ad": (6, 6)})
_inverse_dynamics = OnLists("InverseDynamics", screw_chain.inverse_dynamics,
                            joints("thetalist", "dthetalist", "ddthetalist") | G | FTIP | ROBOT,
                            TAU)  # fmt: skip
_mass_matrix = OnLists("MassMatrix", screw_chain.mass_matrix, joints("thetalist") | ROBOT,
                       {"M": ("n", "n")})  # fmt: skip
_velocity_forces = OnLists("VelQuadraticForces", screw_chain.velocity_forces,
                           joints("thetalist", "dthetalist") | ROBOT, TAU)  # fmt: skip
_gravity_forces = OnLists("GravityForces", screw_chain.gravity_forces,
                          joints("thetalist") | G | ROBOT, TAU)  # fmt: skip
_tip_forces = OnLists("EndEffectorForces", screw_chain.tip_forces,
                      joints("thetalist") | FTIP | ROBOT, TAU)  # fmt: skip
_forward_dynamics = OnLists("ForwardDynamics", screw_chain.forward_dynamics,
                            joints("thetalist", "dthetalist", "taulist") | G | FTIP | ROBOT,
                            joints("ddthetalist"))  # fmt: skip
_euler = OnLists("EulerStep", screw_chain.euler,
                 joints("thetalist", "dthetalist", "ddthetalist") | {"dt": ()},
                 joints("thetalistNext", "dthetalistNext"))  # fmt: skip
_dynamic_step = OnLists("ForwardDynamicsTrajectory", screw_chain.euler_step,
                        joints("thetalist", "dthetalist", "taumat") | G | {"Ftipmat": (6,)} | ROBOT
                        | {"dt": ()}, joints("thetalistNext", "dthetalistNext"))  # fmt: skip


def ad(V: ArrayLike) -> Array:
    """[ad_V], the 6x6 matrix of the Lie bracket: [V, W] = [ad_V] W, (8.38).

    >>> ad([1, 2, 3, 4, 5, 6])[3].tolist()
    [0.0, -6.0, 5.0, 0.0, -3.0, 2.0]
    """
    return _ad.fast(V)


def InverseDynamics(thetalist: ArrayLike, dthetalist: ArrayLike, ddthetalist: ArrayLike,
                    g: ArrayLike, Ftip: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike,
                    Slist: ArrayLike) -> Array:  # fmt: skip
    """τ = M(θ) θ̈ + c(θ, θ̇) + g(θ) + Jᵀ(θ) Ftip [N m or N], (8.45)–(8.54).

    `Ftip` is what the tip applies to its surroundings, in the tip's frame {n+1}.

    >>> import numpy as np
    >>> M = np.tile(np.eye(4), (3, 1, 1))
    >>> M[1:, 0, 3] = 1   # two links of 1 m with 1 kg at their ends: {1} at 1 m, {2} at 2 m
    >>> M[0, 0, 3], M[2, 0, 3] = 1, 0
    >>> G = [np.diag([0, 0, 0, 1, 1, 1])] * 2
    >>> S = np.array([[0, 0, 1, 0, 0, 0], [0, 0, 1, 0, -1, 0]]).T
    >>> InverseDynamics([0, 0], [0, 0], [1, 0], [0, -9.81, 0], [0] * 6, M, G, S)
    array([34.43, 11.81])
    """
    return _inverse_dynamics.fast(thetalist, dthetalist, ddthetalist, g, Ftip, Mlist, Glist, Slist)


def MassMatrix(thetalist: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike,
               Slist: ArrayLike) -> Array:  # fmt: skip
    """M(θ) = Σ J_iᵀ G_i J_i, (n, n) [kg m²], (8.57)."""
    return _mass_matrix.fast(thetalist, Mlist, Glist, Slist)


def VelQuadraticForces(thetalist: ArrayLike, dthetalist: ArrayLike, Mlist: ArrayLike,
                       Glist: ArrayLike, Slist: ArrayLike) -> Array:  # fmt: skip
    """c(θ, θ̇), Coriolis and centripetal efforts [N m or N], (8.79)."""
    return _velocity_forces.fast(thetalist, dthetalist, Mlist, Glist, Slist)


def GravityForces(thetalist: ArrayLike, g: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike,
                  Slist: ArrayLike) -> Array:  # fmt: skip
    """g(θ) [N m or N], what holds the robot still, (8.80)."""
    return _gravity_forces.fast(thetalist, g, Mlist, Glist, Slist)


def EndEffectorForces(thetalist: ArrayLike, Ftip: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike,
                      Slist: ArrayLike) -> Array:  # fmt: skip
    """Jᵀ(θ) Ftip [N m or N], (8.77)."""
    return _tip_forces.fast(thetalist, Ftip, Mlist, Glist, Slist)


def ForwardDynamics(thetalist: ArrayLike, dthetalist: ArrayLike, taulist: ArrayLike, g: ArrayLike,
                    Ftip: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike,
                    Slist: ArrayLike) -> Array:  # fmt: skip
    """θ̈ with M θ̈ = τ − c − g − Jᵀ Ftip [rad/s² or m/s²], (8.81).

    Where M has no inverse a single state raises `numpy.linalg.LinAlgError`, and the row of a batch
    is not finite.
    """
    args = (thetalist, dthetalist, taulist, g, Ftip, Mlist, Glist, Slist)
    result = _forward_dynamics.fast(*args)
    if result.ndim == 1 and not math.isfinite(result.dot(result)):
        _refuse_singular(result, args)
    return result


def EulerStep(thetalist: ArrayLike, dthetalist: ArrayLike, ddthetalist: ArrayLike,
              dt: float) -> tuple[Array, Array]:  # fmt: skip
    """(θ + θ̇ δt, θ̇ + θ̈ δt), §8.5.

    >>> EulerStep([0.1, 0.1], [0.1, 0.2], [2, 1.5], 0.1)
    (array([0.11, 0.12]), array([0.3 , 0.35]))
    """
    return _euler.fast(thetalist, dthetalist, ddthetalist, np.array(dt))


def InverseDynamicsTrajectory(thetamat: ArrayLike, dthetamat: ArrayLike, ddthetamat: ArrayLike,
                              g: ArrayLike, Ftipmat: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike,
                              Slist: ArrayLike) -> Array:  # fmt: skip
    """Efforts (N, n) along a motion, a row a time. `Ftipmat` is (N, 6), or 0 for no wrench."""
    given = rows.table("InverseDynamicsTrajectory", thetamat=thetamat, dthetamat=dthetamat,
                       ddthetamat=ddthetamat, Ftipmat=Ftipmat)  # fmt: skip
    theta, rate, acceleration, wrench = given
    return _inverse_dynamics.fast(theta, rate, acceleration, g, wrench, Mlist, Glist, Slist)


def ForwardDynamicsTrajectory(thetalist: ArrayLike, dthetalist: ArrayLike, taumat: ArrayLike,
                              g: ArrayLike, Ftipmat: ArrayLike, Mlist: ArrayLike, Glist: ArrayLike,
                              Slist: ArrayLike, dt: float,
                              intRes: int) -> tuple[Array, Array]:  # fmt: skip
    """(θ, θ̇), each (N, n), at times 0, dt, … under the efforts `taumat`, (N, n), a row a time.

    `intRes` steps of Euler's from each time to the next, under the efforts and the wrench of the
    earlier one. `Ftipmat` is (N, 6), or 0 for no wrench.
    """
    tau, wrench = rows.table("ForwardDynamicsTrajectory", taumat=taumat, Ftipmat=Ftipmat)
    h, number = rows.step("ForwardDynamicsTrajectory", dt, intRes), _dynamic_step.number
    robot = [number("Mlist", Mlist), number("Glist", Glist), number("Slist", Slist)]
    down, now = number("g", g), (number("thetalist", thetalist), number("dthetalist", dthetalist))
    states = [now]
    for k in range(tau.shape[-2] - 1):
        given = tau[..., k, :], down, wrench[..., k, :], *robot, h
        for _ in range(intRes):
            now = _dynamic_step.fast(*now, *given)
        states.append(now)
    thetas, rates = zip(*states, strict=True)
    return rows.stacked(thetas), rows.stacked(rates)


def _refuse_singular(result: Array, args: tuple[Any, ...]) -> None:
    """LinAlgError if numbers that are finite gave some that are not."""
    sound = all(np.isfinite(np.array(a, float)).all() for a in args)
    if sound and not np.isfinite(result).all():
        raise np.linalg.LinAlgError(
            "ForwardDynamics: the mass matrix has no inverse, as some joint moves no inertia: look "
            "for a zero on the diagonal of MassMatrix, for equal screws, and for inertias of zero"
        )
