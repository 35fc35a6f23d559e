"""Every algorithm that answers with numbers: what it takes and in which unit it answers.

One table for all readings. A coordinate's own unit is u (a pure number for an angle, m for a slide)
and everything else follows: q̇ in u/s, τ in J/u, M_ij in kg m²/(u_i u_j), J_ij in 1/u_j or m/u_j.
"""

import inspect
import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from momentarm.algorithms import (
    articulated,
    christoffel,
    composite,
    constraints,
    coriolis,
    derivatives,
    energy,
    forward_dynamics,
    frame_drift,
    frame_motion,
    kinematics,
    link_forces,
    momentum,
    motion,
    newton_euler,
    regressor,
    state,
    task_space,
)
from momentarm.algorithms.mobility import Mobility
from momentarm.model import Joint, Mechanism, coordinates
from momentarm.spatial import Motion, Transform
from momentarm.spatial.dimension import KILOGRAM, METRE, NUMBER, SECOND, Dim
from momentarm.textbook import screws, stacked
from trees import element_names, own_joints

ROOMS = (
    articulated, christoffel, composite, constraints, coordinates, coriolis, derivatives, energy,
    forward_dynamics, frame_drift, frame_motion, kinematics, link_forces, momentum, motion,
    newton_euler, regressor, screws, stacked, state, task_space,
)  # fmt: skip
STATE = ("q", "qd", "qdd", "tau", "x")
JOULE, NEWTON = KILOGRAM * METRE**2 / SECOND**2, KILOGRAM * METRE / SECOND**2
WRENCH = [JOULE] * 3 + [NEWTON] * 3
SIX = [NUMBER] * 3 + [METRE] * 3
POSE = [[NUMBER, NUMBER, NUMBER, METRE]] * 3 + [[NUMBER] * 4]


def unit_of(joint: Joint, part: str) -> Dim:
    """Of one element of q or, times a second, of q̇; a part is a length if it is x or vx, …"""
    return METRE if part.strip("v") in ("x", "y", "z") or joint.kind == "prismatic" else NUMBER


def own_units(m: Mechanism, kind: str = "v_names") -> list[Dim]:
    return [unit_of(joint, part) for joint, part in element_names(m, kind)]


def inputs(m: Mechanism) -> dict[str, list[Dim]]:
    u = own_units(m)
    return {
        "q": own_units(m, "q_names"),
        "qd": [x / SECOND for x in u],
        "qdd": [x / SECOND**2 for x in u],
        "tau": [JOULE / x for x in u],
        "x": [*own_units(m, "q_names"), *(x / SECOND for x in u)],
        "tip_wrench": WRENCH,
        "q_to": own_units(m, "q_names"),
        "u": u,
        "dt": SECOND,
    }


def efforts(m: Mechanism) -> Any:
    return inputs(m)["tau"]


def accelerations(m: Mechanism) -> Any:
    return inputs(m)["qdd"]


def state_rates(m: Mechanism) -> Any:
    return [x / SECOND for x in inputs(m)["x"]]


def masses(m: Mechanism) -> Any:
    u = own_units(m)
    return [[KILOGRAM * METRE**2 / (a * b) for b in u] for a in u]


def per(rows: list[Dim], columns: list[Dim]) -> Any:
    return [[a / b for b in columns] for a in rows]


def places(m: Mechanism) -> Any:
    return inputs(m)["q"]


def displacements(m: Mechanism) -> Any:
    return inputs(m)["u"]


def next_state(m: Mechanism) -> Any:
    return [inputs(m)["q"], inputs(m)["qd"]]


def effort_slopes(m: Mechanism) -> Any:
    """∂τ/∂q, ∂τ/∂q̇ and M."""
    u, x = own_units(m), inputs(m)
    return [per(x["tau"], u), per(x["tau"], x["qd"]), masses(m)]


def acceleration_slopes(m: Mechanism) -> Any:
    """∂q̈/∂q, ∂q̈/∂q̇ and M⁻¹."""
    x = inputs(m)
    return [per(x["qdd"], by) for by in (own_units(m), x["qd"], x["tau"])]


def mass_rates(m: Mechanism) -> Any:
    return per(inputs(m)["tau"], inputs(m)["qd"])


def inverse_masses(m: Mechanism) -> Any:
    return [[NUMBER / x for x in row] for row in masses(m)]


def symbols(m: Mechanism) -> Any:
    """Γ_ijk: kg m² per coordinate of each index."""
    u = own_units(m)
    return [[[JOULE * SECOND**2 / (a * b * c) for c in u] for b in u] for a in u]


def momenta(m: Mechanism) -> Any:
    return [JOULE * SECOND] * 3 + [NEWTON * SECOND] * 3


def velocity(m: Mechanism) -> Any:
    return [NUMBER / SECOND] * 3 + [METRE / SECOND] * 3


def per_second(f: Callable[[Mechanism], Any]) -> Callable[[Mechanism], Any]:
    """The unit of the rate of what has the unit `f`."""

    def rate(x: Any) -> Any:
        return [rate(y) for y in x] if isinstance(x, list) else x / SECOND

    return lambda m: rate(f(m))


def acceleration_terms(m: Mechanism) -> Any:
    u = own_units(m)
    return [[[METRE / (a * b) for b in u] for a in u]] * 3


def per_body_number(m: Mechanism) -> Any:
    """Efforts per mass, first moment and second moment of a body in each frame."""
    body = [KILOGRAM, *[KILOGRAM * METRE] * 3, *[KILOGRAM * METRE**2] * 6]
    return per(inputs(m)["tau"], body * len(m.frames))


def per_drive_number(m: Mechanism) -> Any:
    """Efforts per armature, damping and dry friction of each joint that moves."""
    rows = []
    for effort, own_unit in zip(inputs(m)["tau"], own_units(m), strict=True):
        rows.append(row := [])
        for joint in (k.joint for k in m.links if k.joint.nv):
            u = unit_of(joint, "") if joint.nv == 1 else own_unit
            own = JOULE / u
            row += [effort / (own * SECOND**2 / u), effort / (own * SECOND / u), effort / own]
    return rows


def tangents(m: Mechanism) -> Any:
    """Of the elements of q that an element of q̇ moves, per its own."""
    found, u = [], iter(own_units(m))
    for joint in own_joints(m):
        q = [unit_of(joint, part) for part in joint.row.q_names]
        found += [[x / next_u for x in q] for next_u in itertools.islice(u, joint.nv)]
    return found


def jacobian(m: Mechanism) -> Any:
    u = own_units(m)
    return [[NUMBER / x for x in u]] * 3 + [[METRE / x for x in u]] * 3


# -- rows x and z of a frame: ROWS says which

ROWS: dict[str, Any] = {"rows": ("x", "z")}
LOOP = {"frame": "l0", "on": "base", "rows": ("rx", "x")}
HELD = {"frame": "l0", "at": [[int(i == j) for j in range(4)] for i in range(4)], **ROWS}
DRIFT = METRE / SECOND**2


def task_mass(m: Mechanism) -> Any:
    return [[[KILOGRAM] * 2] * 2, [NEWTON] * 2, NUMBER]


def inverse(m: Mechanism) -> Any:
    """Of the rates that answer two velocities."""
    return [[[u / METRE] * 2 for u in own_units(m)], NUMBER]


def effort_ratios(m: Mechanism) -> Any:
    return [per(efforts(m), efforts(m)), NUMBER]


def two_rows(m: Mechanism) -> Any:
    return [[x / u for u in own_units(m)] for x in (NUMBER, METRE)]


def joint_units(m: Mechanism, kind: str, per: Dim = NUMBER) -> Any:
    """Of each link's own coordinates or rates."""
    rows = [link.joint for link in m.links]
    return [[unit_of(k, part) / per for part in getattr(k.row, kind)] for k in rows]


@dataclass(frozen=True)
class Quantity:
    f: Callable[..., Any]
    takes: tuple[str, ...]
    unit: Callable[[Mechanism], Any]
    coupled: bool = True  # whether it serves joints that follow one another
    freed: bool = True  # whether it serves joints that have quaternions
    options: Mapping[str, Any] = field(default_factory=dict)

    def __call__(self, m: Mechanism, *arguments: Any) -> Any:
        """The answer as nested lists."""
        framed = "frame" in inspect.signature(self.f).parameters
        chosen = ({"frame": m.tip} if framed else {}) | dict(self.options)
        return listed(self.f(m, *arguments, **chosen))


def listed(x: Any) -> Any:
    if isinstance(x, Transform):
        return x.matrix
    if isinstance(x, Motion):
        return list(x)
    if isinstance(x, dict):
        return [listed(y) for y in x.values()]
    if isinstance(x, frame_drift.MovingFrame):
        return [x.pose.matrix, list(x.V), list(x.Vd)]
    if isinstance(x, Mobility):
        return [x.A, x.W.inverse(), x.W.smallest_pivot]
    return [listed(y) for y in x] if isinstance(x, list | tuple) else x


QUANTITIES = {
    f"{q.f.__module__.rpartition('.')[2]}.{q.f.__name__}": q
    for q in (
        Quantity(newton_euler.inverse_dynamics, ("q", "qd", "qdd", "tip_wrench"), efforts),
        Quantity(newton_euler.rigid_efforts, ("q", "qd", "qdd", "tip_wrench"), efforts),
        Quantity(newton_euler.friction_forces, ("qd",), efforts),
        Quantity(newton_euler.bias_forces, ("q", "qd"), efforts),
        Quantity(newton_euler.coriolis_forces, ("q", "qd"), efforts),
        Quantity(newton_euler.gravity_forces, ("q",), efforts),
        Quantity(newton_euler.tip_forces, ("q", "tip_wrench"), efforts),
        Quantity(regressor.regressor, ("q", "qd", "qdd"), per_body_number),
        Quantity(regressor.base_regressor, ("q", "qd", "qdd"), per_body_number),
        Quantity(regressor.drive_regressor, ("qd", "qdd"), per_drive_number),
        Quantity(coordinates.transforms, ("q",), lambda m: [POSE] * len(m.links)),
        Quantity(screws.inverse_dynamics, ("q", "qd", "qdd"), efforts),
        Quantity(stacked.mass_matrix, ("q",), masses),
        Quantity(stacked.mass_matrix_dot, ("q", "qd"), mass_rates),
        Quantity(stacked.coriolis_forces, ("q", "qd"), efforts),
        Quantity(stacked.gravity_forces, ("q",), efforts),
        Quantity(stacked.tip_forces, ("q", "tip_wrench"), efforts),
        Quantity(forward_dynamics.by_mass_matrix, ("q", "qd", "tau", "tip_wrench"), accelerations),
        Quantity(forward_dynamics.by_mass_matrix_halfway, ("q", "qd", "tau", "tip_wrench"),
                 accelerations),
        Quantity(articulated.forward_dynamics, ("q", "qd", "tau", "tip_wrench"), accelerations,
                 coupled=False),
        Quantity(state.by_mass_matrix, ("x", "tau", "tip_wrench"), state_rates),
        Quantity(state.by_mass_matrix_halfway, ("x", "tau", "tip_wrench"), state_rates),
        Quantity(state.by_articulated_bodies, ("x", "tau", "tip_wrench"), state_rates,
                 coupled=False),
        Quantity(composite.mass_matrix, ("q",), masses),
        Quantity(derivatives.inverse_dynamics_derivatives, ("q", "qd", "qdd"), effort_slopes),
        Quantity(derivatives.forward_dynamics_derivatives, ("q", "qd", "tau"),
                 acceleration_slopes),
        Quantity(coordinates.tangents, ("q",), tangents),
        Quantity(coordinates.moved, ("q", "u"), places),
        Quantity(coordinates.between, ("q", "q_to"), displacements),
        Quantity(motion.integrate, ("q", "qd", "dt"), places),
        Quantity(motion.difference, ("q", "q_to"), displacements),
        Quantity(motion.coordinate_rates, ("q", "qd"), lambda m: [x / SECOND for x in places(m)]),
        Quantity(motion.by_mass_matrix, ("q", "qd", "tau", "dt"), next_state),
        Quantity(motion.by_articulated_bodies, ("q", "qd", "tau", "dt"), next_state, coupled=False),
        Quantity(composite.mass_matrix_halfway, ("q",), masses),
        Quantity(energy.kinetic_energy, ("q", "qd"), lambda m: JOULE),
        Quantity(energy.potential_energy, ("q",), lambda m: JOULE),
        Quantity(energy.lagrangian, ("q", "qd"), lambda m: JOULE),
        Quantity(kinematics.forward_kinematics, ("q",), lambda m: POSE),
        Quantity(kinematics.link_poses, ("q",), lambda m: [POSE] * len(m.frames)),
        Quantity(kinematics.jacobian, ("q",), jacobian),
        Quantity(kinematics.jacobian_by_poses, ("q",), jacobian),
        Quantity(kinematics.body_jacobian, ("q",), jacobian),
        Quantity(kinematics.body_jacobian_by_poses, ("q",), jacobian),
        Quantity(kinematics.space_jacobian, ("q",), jacobian),
        Quantity(kinematics.world_jacobian, ("q",), jacobian),
        *(Quantity(f, ("q", "qd"), mass_rates) for f in (
            coriolis.coriolis_matrix, coriolis.coriolis_matrix_midway, coriolis.mass_matrix_dot,
            coriolis.mass_matrix_dot_halfway)),
        Quantity(coriolis.joint_twists, ("qd",), lambda m: [velocity(m)] * len(m.links)),
        Quantity(christoffel.coriolis_matrix, ("q", "qd"), mass_rates, freed=False),
        Quantity(christoffel.christoffel, ("q",), symbols, freed=False),
        Quantity(christoffel.christoffel_midway, ("q",), symbols, freed=False),
        Quantity(composite.mass_matrix_inverse, ("q",), inverse_masses),
        Quantity(composite.mass_matrix_inverse_halfway, ("q",), inverse_masses),
        Quantity(frame_motion.frame_velocity, ("q", "qd"), velocity),
        Quantity(frame_motion.frame_acceleration, ("q", "qd", "qdd"), per_second(velocity)),
        *(Quantity(f, ("q", "qd"), per_second(jacobian)) for f in (
            frame_motion.jacobian_dot, frame_motion.body_jacobian_dot,
            frame_motion.space_jacobian_dot, frame_motion.world_jacobian_dot)),
        Quantity(frame_motion.acceleration_terms, ("q",), acceleration_terms),
        Quantity(momentum.momentum, ("q", "qd"), momenta),
        Quantity(momentum.center_of_mass, ("q",), lambda m: [METRE] * 3),
        Quantity(momentum.center_of_mass_velocity, ("q", "qd"), lambda m: [METRE / SECOND] * 3),
        *(Quantity(f, ("q",), lambda m: per([METRE] * 3, own_units(m))) for f in (
            momentum.center_of_mass_jacobian, momentum.center_of_mass_jacobian_by_poses)),
        *(Quantity(f, ("q",), lambda m: per(momenta(m), inputs(m)["qd"])) for f in (
            momentum.centroidal_momentum_matrix, momentum.centroidal_momentum_matrix_by_poses)),
        Quantity(momentum.centroidal_momentum_bias, ("q", "qd"), per_second(momenta)),
        Quantity(link_forces.link_wrenches, ("q", "qd", "qdd", "tip_wrench"),
                 lambda m: [WRENCH] * len(m.links)),
        Quantity(link_forces.generalized_forces, ("q", "qd", "tau", "tip_wrench"), efforts),
        Quantity(task_space.task_dynamics, ("q", "qd"), task_mass, options=ROWS),
        Quantity(task_space.task_drift, ("q", "qd"), lambda m: [DRIFT] * 2, options=ROWS),
        Quantity(task_space.task_forces, ("q", "tau"), lambda m: [[NEWTON] * 2, NUMBER],
                 options=ROWS),
        Quantity(task_space.task_efforts, ("q", "tip_wrench"), efforts),
        Quantity(task_space.dynamically_consistent_inverse, ("q",), inverse, options=ROWS),
        Quantity(task_space.null_space_projector, ("q",), effort_ratios, options=ROWS),
        Quantity(task_space.mobility, ("q",), lambda m: [
            [[METRE / u for u in own_units(m)]] * 2, [[KILOGRAM] * 2] * 2, NUMBER], options=ROWS),
        Quantity(frame_drift.frame_motions, ("q", "qd"), lambda m: [
            [POSE, [x / SECOND for x in SIX], [x / SECOND**2 for x in SIX]]],
                 options={"frames": ("l0",)}),
        Quantity(constraints.closure, ("q",), two_rows, options=LOOP),
        Quantity(constraints.closure_bias, ("q", "qd"),
                 lambda m: [NUMBER / SECOND**2, DRIFT], options=LOOP),
        Quantity(constraints.closure_errors, ("q",), lambda m: [NUMBER, METRE], options=LOOP),
        Quantity(constraints.holding, ("q",),
                 lambda m: [[METRE / u for u in own_units(m)]] * 2, options=HELD),
        Quantity(constraints.holding_bias, ("q", "qd"), lambda m: [DRIFT] * 2, options=HELD),
        Quantity(constraints.holding_errors, ("q",), lambda m: [METRE] * 2, options=HELD),
        Quantity(coordinates.positions, ("q",), lambda m: joint_units(m, "q_names")),
        Quantity(coordinates.rates, ("qd",), lambda m: joint_units(m, "v_names", SECOND)),
    )
}  # fmt: skip


def public_algorithms() -> set[Callable[..., Any]]:
    """The functions that take a mechanism and then one of its states."""
    found = set()
    for room in ROOMS:
        for name, f in inspect.getmembers(room, inspect.isfunction):
            second = list(inspect.signature(f).parameters)[1:2]
            if not name.startswith("_") and second and second[0] in STATE:
                found.add(f)
    return found


def cases(trees: dict[str, Mechanism]) -> list[tuple[str, str]]:
    """All algorithms on all trees that they serve."""
    return [
        (quantity, tree)
        for quantity, row in QUANTITIES.items()
        for tree, m in trees.items()
        if (row.coupled or not m.is_coupled) and (row.freed or m.nq == m.n)
    ]
