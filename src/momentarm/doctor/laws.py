"""Laws that every formulation obeys, and the textbook's own formulations beside the kernels'.

Each takes a subject and gives the relative error at its worst state, computed on a second path:
M column by column from inverse dynamics, energies from M, derivatives from central differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from momentarm.doctor.cross import Subject, apart, largest
from momentarm.model.parameters import KINDS
from momentarm.textbook import screws, stacked

Array = NDArray[np.float64]
State = Mapping[str, Any]
STEP = 1e-5  # of central differences: their error is about 1e-10


@dataclass(frozen=True, slots=True)
class Law:
    """What is compared with what, of which quantities, and what it may be off by."""

    quantity: str
    left: str
    right: str
    error: Callable[[Subject, State], float]
    unit: str = "ε"  # "ε", "κ ε" or "difference": a central difference
    tip: bool = False  # whether it is about the tip
    short: bool = False  # whether the cost grows with the cube of the links

    def worst(self, s: Subject) -> float:
        return largest(self.error(s, state) for state in s.states)


def _rigid(s: Subject, state: State, **other: Any) -> Array:
    """τ of the rigid bodies."""
    return s.first("inverse_dynamics", {**state, **other}, s.ideal)


def _full_mass(s: Subject, state: State) -> Array:
    return s.first("mass_matrix", state)


def _columns(s: Subject, state: State) -> float:
    """M e_k is the effort of a unit acceleration, §8.5, without friction, which is no inertia."""
    still = {**state, "qd": np.zeros(s.m.n)}
    g = s.first("gravity_forces", still)
    M = [s.first("inverse_dynamics", {**still, "qdd": e}) - g for e in np.eye(s.m.n)]
    return apart(np.transpose(M), _full_mass(s, state))


def _sum(s: Subject, state: State) -> float:
    parts = [_full_mass(s, state) @ state["qdd"], s.first("coriolis_forces", state),
             s.first("gravity_forces", state), s.first("friction_forces", state)]  # fmt: skip
    scale = max(float(np.abs(p).max()) for p in parts) or 1.0
    return float(np.abs(sum(parts) - s.first("inverse_dynamics", state)).max()) / scale


def _round_trip(s: Subject, state: State) -> float:
    qdd = s.first("forward_dynamics", state)
    back = s.first("inverse_dynamics", {**state, "qdd": qdd})
    parts = [state["tau"], s.first("bias_forces", state), _full_mass(s, state) * qdd]
    return float(np.abs(back - state["tau"]).max()) / max(float(np.abs(p).max()) for p in parts)


def _back(s: Subject, state: State) -> float:
    tau = s.first("inverse_dynamics", state)
    return apart(s.first("forward_dynamics", {**state, "tau": tau}), state["qdd"])


def _symmetric(s: Subject, state: State) -> float:
    M = _full_mass(s, state)
    return apart(M, M.T)


def _kinetic(s: Subject, state: State) -> float:
    qd = state["qd"]
    return apart(s.first("kinetic_energy", state), qd @ _full_mass(s, state) @ qd / 2)


def _gravity(s: Subject, state: State) -> float:
    """g = ∂V/∂q, along each rate."""

    def V(k: int, h: float) -> float:
        return float(s.first("potential_energy", s.moved(state, np.eye(s.m.n)[k], h)))

    slope = [(V(k, STEP) - V(k, -STEP)) / (2 * STEP) for k in range(s.m.n)]
    return _off(slope, s.first("gravity_forces", state), abs(V(0, 0)))


def _power(s: Subject, state: State) -> float:
    """d(T + V)/dt = q̇ᵀ τ of the rigid bodies, along the motion itself."""
    qd, qdd = np.asarray(state["qd"]), np.asarray(state["qdd"])

    def energy(t: float) -> float:
        then = {**s.moved(state, qd + qdd * (t / 2), t), "qd": qd + qdd * t}
        return float(s.first("kinetic_energy", then, s.ideal) + s.first("potential_energy", then))

    rate = (energy(STEP) - energy(-STEP)) / (2 * STEP)
    return _off(rate, qd @ _rigid(s, state), abs(energy(0)))


def _passive(s: Subject, state: State) -> float:
    """q̇ᵀ (Ṁ − 2C) q̇ = 0: q̇ᵀ Ṁ q̇ = 2 q̇ᵀ c, Ṁ along the motion."""
    qd = np.asarray(state["qd"])
    M_plus, M_minus = (_full_mass(s, s.moved(state, qd, h)) for h in (STEP, -STEP))
    rate = qd @ ((M_plus - M_minus) / (2 * STEP)) @ qd
    return _off(rate, 2 * qd @ s.first("coriolis_forces", state),
                float(np.abs(M_plus).max() * (qd @ qd)))  # fmt: skip


def _jacobian(s: Subject, state: State) -> float:
    """The world Jacobian's velocities against differences of the tip's place."""

    def place(k: int, h: float) -> Array:
        moved = s.moved(state, np.eye(s.m.n)[k], h)
        return s.first("forward_kinematics", moved)[:3, 3]

    slope = np.transpose([(place(k, STEP) - place(k, -STEP)) / (2 * STEP) for k in range(s.m.n)])
    T, J = s.first("forward_kinematics", state), s.first("jacobian", state)
    return _off(slope, T[:3, :3] @ J[3:], float(np.abs(T[:3, 3]).max()))


def _off(a: Any, b: Any, size: float) -> float:
    """A difference quotient against its limit, where what was subtracted is of some size."""
    scale = max(float(np.abs(a).max(initial=0)), float(np.abs(b).max(initial=0)), size)
    return float(np.abs(np.asarray(a) - b).max(initial=0)) / scale if scale else 0.0


def _virtual_work(s: Subject, state: State) -> float:
    J = s.first("jacobian", state)
    return apart(s.first("tip_forces", state), J.T @ state["tip_wrench"])


def _linear(s: Subject, state: State) -> float:
    """τ = Y φ."""
    phi = np.array(KINDS["inertia"].values(s.m), float)
    Y = s.first("regressor", state)
    scale = float((np.abs(Y) @ np.abs(phi)).max())
    return float(np.abs(Y @ phi - _rigid(s, state)).max()) / scale if scale else 0.0


def _slopes(s: Subject, state: State) -> float:
    """∂τ/∂q and ∂τ/∂q̇ of the rigid bodies against central differences."""
    along_q, along_qd = s.value("inverse_dynamics_derivatives", state, m=s.ideal)[:2]
    found_q, found_qd = [], []
    for e in np.eye(s.m.n):
        plus, minus = (_rigid(s, s.moved(state, e, h)) for h in (STEP, -STEP))
        found_q.append((plus - minus) / (2 * STEP))
        plus, minus = (_rigid(s, state, qd=state["qd"] + h * e) for h in (STEP, -STEP))
        found_qd.append((plus - minus) / (2 * STEP))
    size = float(np.abs(_rigid(s, state)).max())
    return max(_off(np.transpose(found_q), along_q, size),
               _off(np.transpose(found_qd), along_qd, size))  # fmt: skip


def _skew(s: Subject, state: State) -> float:
    """Ṁ = C + Cᵀ, Ṁ along the motion."""
    C = s.first("coriolis_matrix", state)
    M_plus, M_minus = (_full_mass(s, s.moved(state, state["qd"], h)) for h in (STEP, -STEP))
    return _off((M_plus - M_minus) / (2 * STEP), C + C.T, float(np.abs(M_plus).max()))


def _book(function: Any, quantity: str, *given: str) -> Callable[[Subject, State], float]:
    """A function of the textbook shelf against a quantity of the rigid bodies."""

    def error(s: Subject, state: State) -> float:
        arrays = [np.asarray(state[k]).tolist() for k in given]
        size = 0.0 if quantity == "mass_matrix" else s.effort
        return apart(function(s.ideal, *arrays), s.first(quantity, state, s.ideal), size)

    return error


SCREWS, STACKED = "screws, (8.45)–(8.54)", "stacked matrices, (8.58)–(8.80)"
NE = "Newton–Euler"
LAWS = (
    Law("inverse_dynamics", NE, SCREWS,
        _book(screws.inverse_dynamics, "inverse_dynamics", "q", "qd", "qdd")),
    Law("mass_matrix", "composite bodies", STACKED,
        _book(stacked.mass_matrix, "mass_matrix", "q"), short=True),
    Law("coriolis_forces", NE, STACKED,
        _book(stacked.coriolis_forces, "coriolis_forces", "q", "qd"), short=True),
    Law("gravity_forces", NE, STACKED,
        _book(stacked.gravity_forces, "gravity_forces", "q"), short=True),
    Law("tip_forces", NE, STACKED, _book(stacked.tip_forces, "tip_forces", "q", "tip_wrench"),
        short=True, tip=True),
    Law("inverse_dynamics", NE, "M q̈ + c + g + friction", _sum),
    Law("mass_matrix", "composite bodies", "columns from inverse dynamics", _columns),
    Law("mass_matrix", "M", "Mᵀ", _symmetric, "bits"),
    Law("forward_dynamics", "inverse of forward dynamics", "τ", _round_trip),
    Law("forward_dynamics", "forward of inverse dynamics", "q̈", _back, "κ ε"),
    Law("kinetic_energy", "Σ of the links", "½ q̇ᵀ M q̇", _kinetic),
    Law("gravity_forces", "g", "∂V/∂q", _gravity, "difference"),
    Law("inverse_dynamics", "q̇ᵀ τ", "d(T + V)/dt", _power, "difference"),
    Law("coriolis_forces", "2 q̇ᵀ c", "q̇ᵀ Ṁ q̇", _passive, "difference"),
    Law("coriolis_matrix", "C + Cᵀ", "Ṁ", _skew, "difference"),
    Law("jacobian", "J", "differences of the tip's place", _jacobian, "difference",
        tip=True),
    Law("tip_forces", NE, "Jᵀ F", _virtual_work, tip=True),
    Law("regressor", "Y φ", "τ", _linear),
    Law("inverse_dynamics_derivatives", "composite responses", "differences of τ", _slopes,
        "difference"),
)  # fmt: skip
