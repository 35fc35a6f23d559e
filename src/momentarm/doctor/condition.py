"""How well M can be solved with: its condition number, and which joint spoils it.

Rule 1  M is judged with its diagonal scaled to one, so that radians and metres, kilograms and
        grams make no difference (van der Sluis 1969: within n of the best scaling).
Rule 2  Forward dynamics loses what κ says: its error is about κ ε of the accelerations that the
        largest of its efforts (of gravity, say) alone would give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from momentarm.algorithms import composite, newton_euler
from momentarm.model import Mechanism
from momentarm.model.canonical import aligned
from momentarm.model.problem import Problem, Problems

Array = NDArray[np.float64]
EPSILON = float(np.finfo(np.float64).eps)
LOST = 1e-8  # relative error of forward dynamics from which on it is said
SHORT = 1.5  # how many times its effort limit a joint needs before it is said
LIGHT = {"rad": 1e-10, "m": 1e-7}  # kg m²: a cube of 4 mm of plastic; kg


@dataclass(frozen=True, slots=True)
class Condition:
    """The worst κ(M) over the states looked at, M scaled to unit diagonal."""

    number: float
    joint: str  # whose motion is hardest to tell from the others'
    states: int

    @property
    def error(self) -> float:
        """The relative error to be expected of forward dynamics in float64."""
        return self.number * EPSILON

    def __str__(self) -> str:
        return (f"condition of M, scaled to unit diagonal: up to {self.number:.2g} at "
                f"{self.states} states (joint {self.joint!r}); forward dynamics is good to about "
                f"{self.error:.1g}")  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        return {"number": self.number, "joint": self.joint, "states": self.states,
                "forward_dynamics_error": self.error}  # fmt: skip


def check_mass_matrix(m: Mechanism, states: Sequence[Array], read: Sequence[Problem],
                      problems: Problems) -> Condition | None:  # fmt: skip
    """M at some states: positive, not nearly singular, none of its joints nearly without load."""
    if not m.n or not any(link.has_inertia for link in m.links):
        return None
    names, merged = m.v_names, aligned(m)  # fewer links, the same M
    matrices = [np.array(composite.mass_matrix(merged, q.tolist()), float) for q in states]
    diagonal = np.min([np.diag(M) for M in matrices], axis=0)
    _check_pivots(m, diagonal, read, problems)
    if not (diagonal > 0).all():
        return None
    worst = max((_conditioned(M) for M in matrices), key=lambda found: found[0])
    joint = names[worst[1]]
    if not np.isfinite(worst[0]):
        problems.warning("mass-matrix-negative", _place(m, joint), "M is not positive: the motion "
                         f"that joint {joint!r} has most part in would have no or negative kinetic "
                         "energy; no forward dynamics",
                         "mend the inertias named here, or give armature")  # fmt: skip
        return None
    condition = Condition(float(worst[0]), joint, len(matrices))
    if condition.error > LOST:
        problems.warning("near-singular", _place(m, joint), f"M is nearly singular (condition "
                         f"{condition.number:.2g}), most at joint {joint!r}: forward dynamics is "
                         f"good to {condition.error:.1g} only",
                         "give the links between nearly parallel axes their inertia, or the joint "
                         "an armature", condition.number,
                         f"{LOST / EPSILON:.1g} or less")  # fmt: skip
    return condition


def _conditioned(M: Array) -> tuple[float, int]:
    """κ of M scaled to unit diagonal, infinite if not positive; and the joint most involved."""
    d = 1 / np.sqrt(np.diag(M))
    values, vectors = np.linalg.eigh(M * np.outer(d, d))
    at = int(np.argmax(np.abs(vectors[:, 0]).round(9)))
    positive = values[0] > len(M) * EPSILON * values[-1]
    return (float(values[-1] / values[0]) if positive else np.inf), at


def _check_pivots(m: Mechanism, diagonal: Array, read: Sequence[Problem],
                  problems: Problems) -> None:  # fmt: skip
    said = {p.where for p in read if p.code in ("massless", "no-inertia")}
    units = _units(m)
    for name, unit, value in zip(m.v_names, units, diagonal.tolist(), strict=True):
        link = _link(m, name)
        if value <= 0:
            if link.at("link") not in said:
                problems.warning("massless", link.at("link"), f"joint {name!r} moves no inertia "
                                 f"(M_kk = {value:g}): no forward dynamics",
                                 "give its link an inertia or the joint an armature", value,
                                 "more than 0")  # fmt: skip
        elif value < LIGHT[unit]:
            problems.warning("mover-light", link.at("link"), f"joint {name!r} moves next to "
                             f"nothing (M_kk = {value:.2g}): a small torque gives a huge "
                             "acceleration, and simulation needs tiny steps",
                             "give its link its inertia or the joint an armature", value,
                             f"{LIGHT[unit]:g} or more")  # fmt: skip


def _units(m: Mechanism) -> list[str]:
    """Of each element of q̇: rad or m."""
    own = (k.joint for k in m.links if k.joint.name in m.coordinates)
    return ["rad" if any(S.ang) else "m" for joint in own for S in joint.row.axes()]


def _link(m: Mechanism, v_name: str) -> Any:
    names = {link.joint.name: link for link in m.links}
    return names[v_name] if v_name in names else names[v_name.rpartition(".")[0]]


def _place(m: Mechanism, v_name: str) -> str:
    place: str = _link(m, v_name).at("joint")
    return place


def check_loads(m: Mechanism, states: Sequence[Array], problems: Problems) -> None:
    """Efforts that could not hold the robot still in most of its states."""
    if any(link.joint.kind == "free" for link in m.links):
        return
    own = [k for k in m.links if k.joint.name in m.coordinates]
    merged = aligned(m)
    loads = np.abs([newton_euler.gravity_forces(merged, q.tolist()) for q in states])
    if not loads.size:
        return
    at = {name: k for k, name in enumerate(m.v_names)}
    for link in own:
        effort = link.joint.limits.effort
        if link.joint.nv != 1 or effort is None or not effort > 0:
            continue
        usual = float(np.median(loads[:, at[link.joint.name]]))
        if usual > SHORT * effort:
            problems.warning("effort-small", link.at("limits"), f"joint {link.joint.name!r}: half "
                             f"of the states need {usual:.3g} against gravity, its effort limit is "
                             f"{effort:g}", "check masses (kg), lengths (m) and the effort limit",
                             effort, f"more than {usual:.3g}")  # fmt: skip
