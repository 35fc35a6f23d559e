"""Motions to follow (§9.2) and the controller that follows them (§11.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from momentarm.algorithms import screw_chain
from momentarm.modern_robotics import rows
from momentarm.modern_robotics.dynamics import G, _dynamic_step
from momentarm.modern_robotics.on_lists import ROBOT, Array, OnLists, joints
from momentarm.modern_robotics.poses import (
    MatrixExp3,
    MatrixExp6,
    MatrixLog3,
    MatrixLog6,
    RpToTrans,
    TransInv,
    TransToRp,
)

_computed_torque = OnLists("ComputedTorque", screw_chain.computed_torque,
                           joints("thetalist", "dthetalist", "eint") | G | ROBOT
                           | joints("thetalistd", "dthetalistd", "ddthetalistd", "Kp", "Ki", "Kd"),
                           joints("tau"))  # fmt: skip


def CubicTimeScaling(Tf: float, t: float) -> float:
    """s(t) from 0 to 1 in the time Tf, at rest at both ends, (9.10).

    >>> CubicTimeScaling(2, 0.5)
    0.15625
    """
    r = t / Tf
    return r * r * (3 - 2 * r)


def QuinticTimeScaling(Tf: float, t: float) -> float:
    """s(t) from 0 to 1 in the time Tf, at rest and unaccelerated at both ends, §9.2.2.

    >>> QuinticTimeScaling(2, 0.5)
    0.103515625
    """
    r = t / Tf
    return r**3 * (10 + r * (6 * r - 15))


def JointTrajectory(thetastart: ArrayLike, thetaend: ArrayLike, Tf: float, N: int,
                    method: int) -> Array:  # fmt: skip
    """A straight line in joint space, (N, n), a row a time from 0 to Tf; method 3 or 5, §9.2.

    >>> JointTrajectory([0, 1], [1, 3], 2, 3, 5).tolist()
    [[0.0, 1.0], [0.5, 2.0], [1.0, 3.0]]
    """
    start, end = np.asarray(thetastart, float), np.asarray(thetaend, float)
    s = np.array(_scaled("JointTrajectory", Tf, N, method))[:, None]
    return s * end + (1 - s) * start


def ScrewTrajectory(Xstart: ArrayLike, Xend: ArrayLike, Tf: float, N: int,
                    method: int) -> list[Array]:  # fmt: skip
    """N poses along the one screw that leads from Xstart to Xend, §9.2.1."""
    screw = MatrixLog6(TransInv(Xstart) @ np.asarray(Xend, float))
    times = _scaled("ScrewTrajectory", Tf, N, method)
    return [np.asarray(Xstart, float) @ MatrixExp6(screw * s) for s in times]


def CartesianTrajectory(Xstart: ArrayLike, Xend: ArrayLike, Tf: float, N: int,
                        method: int) -> list[Array]:  # fmt: skip
    """N poses whose origins are on a straight line while they turn about one axis, §9.2.1."""
    (R, p), (R_end, p_end) = TransToRp(Xstart), TransToRp(Xend)
    turn = MatrixLog3(R.T @ R_end)
    return [RpToTrans(R @ MatrixExp3(turn * s), s * p_end + (1 - s) * p)
            for s in _scaled("CartesianTrajectory", Tf, N, method)]  # fmt: skip


def _scaled(name: str, Tf: float, N: int, method: int) -> list[float]:
    """s at N equal times from 0 to Tf."""
    scalings = {3: CubicTimeScaling, 5: QuinticTimeScaling}
    if method not in scalings or int(N) < 2:
        raise ValueError(f"{name}: expected N of 2 or more and method 3 (cubic) or 5 (quintic), "
                         f"got {N!r} and {method!r}")  # fmt: skip
    return [scalings[method](Tf, k * Tf / (int(N) - 1)) for k in range(int(N))]


def ComputedTorque(thetalist: ArrayLike, dthetalist: ArrayLike, eint: ArrayLike, g: ArrayLike,
                   Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike, thetalistd: ArrayLike,
                   dthetalistd: ArrayLike, ddthetalistd: ArrayLike, Kp: ArrayLike, Ki: ArrayLike,
                   Kd: ArrayLike) -> Array:  # fmt: skip
    """τ = M (θ̈_d + Kp e + Ki (eint + e) + Kd ė) + c + g with e = θ_d − θ, (11.35).

    Each gain is one number, or one a joint.
    """
    n = np.shape(thetalist)[-1:]
    gains = (np.broadcast_to(np.asarray(k), n) for k in (Kp, Ki, Kd))
    return _computed_torque.fast(thetalist, dthetalist, eint, g, Mlist, Glist, Slist, thetalistd,
                                 dthetalistd, ddthetalistd, *gains)  # fmt: skip


def SimulateControl(thetalist: ArrayLike, dthetalist: ArrayLike, g: ArrayLike, Ftipmat: ArrayLike,
                    Mlist: ArrayLike, Glist: ArrayLike, Slist: ArrayLike, thetamatd: ArrayLike,
                    dthetamatd: ArrayLike, ddthetamatd: ArrayLike, gtilde: ArrayLike,
                    Mtildelist: ArrayLike, Gtildelist: ArrayLike, Kp: ArrayLike, Ki: ArrayLike,
                    Kd: ArrayLike, dt: float, intRes: int) -> tuple[Array, Array]:  # fmt: skip
    """(efforts, joint variables), each (N, n), of a robot under `ComputedTorque`.

    The controller knows the robot as gtilde, Mtildelist, Gtildelist; the robot is g, Mlist, Glist.
    Row k of the joint variables is where the efforts of row k have led, a time dt later. Nothing
    is plotted.
    """
    name = "SimulateControl"
    *wanted, wrench = rows.table(name, thetamatd=thetamatd, dthetamatd=dthetamatd,
                                 ddthetamatd=ddthetamatd, Ftipmat=Ftipmat)  # fmt: skip
    h, number = rows.step(name, dt, intRes), _dynamic_step.number
    robot = [number("Mlist", Mlist), number("Glist", Glist), number("Slist", Slist)]
    model = [number("g", gtilde), number("Mlist", Mtildelist), number("Glist", Gtildelist),
             robot[-1]]  # fmt: skip
    down, now = number("g", g), (number("thetalist", thetalist), number("dthetalist", dthetalist))
    gains = [np.full(now[0].shape, k, float) for k in (Kp, Ki, Kd)]
    errors, efforts, thetas = np.zeros(now[0].shape), [], []
    for k in range(wrench.shape[-2]):
        target = [x[..., k, :] for x in wanted]
        tau = _computed_torque.fast(*now, errors, *model, *target, *gains)
        for _ in range(intRes):
            now = _dynamic_step.fast(*now, tau, down, wrench[..., k, :], *robot, h)
        efforts.append(tau)
        thetas.append(now[0])
        errors = errors + dt * (target[0] - now[0])
    return rows.stacked(efforts), rows.stacked(thetas)
