"""The table of quantities: what a robot can be asked, and which algorithms answer.

Rule 1  One row a quantity. To add one, write its algorithm and a row here; the method on `Robot`
        carries its documentation.
Rule 2  A row says in which form of the mechanism its algorithms run: `canonical` (least
        operations; efforts, M and q̈ only) or `aligned` (physical parameters).
Rule 3  Where several algorithms are named, the kernel takes the one with fewest operations.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from momentarm import formats
from momentarm.algorithms import (
    composite,
    derivatives,
    energy,
    forward_dynamics,
    kinematics,
    newton_euler,
)
from momentarm.graph.program import Program
from momentarm.kernels.kernel import Kernel, Recipe
from momentarm.model import Mechanism
from momentarm.model.canonical import aligned, canonical
from momentarm.version import __version__

Size = int | str  # "nq": elements of q, "n": of q̇, q̈ and τ, "frames": number of named frames
Dims = tuple[Size, ...]
N, N_N, SIX, POSE, NUMBER = ("n",), ("n", "n"), (6,), (4, 4), ()
q, qd, qdd, tau, wrench = ("q", ("nq",)), ("qd", N), ("qdd", N), ("tau", N), ("tip_wrench", SIX)

M = ("M", N_N)


@dataclass(frozen=True)
class Quantity:
    """A row. `options` are keyword arguments of the algorithm, fixed when it is traced."""

    name: str
    inputs: tuple[tuple[str, Dims], ...]
    outputs: tuple[tuple[str, Dims], ...]
    algorithms: Mapping[str, Callable[..., Any]]
    form: Callable[[Mechanism], Mechanism]
    equation: str
    optional: tuple[tuple[str, Dims], ...] = ()
    options: tuple[str, ...] = ()
    needs_inertia: bool = True
    uncoupled: tuple[str, ...] = ()  # algorithms for robots whose joints are all their own


_FD = {
    "articulated bodies": forward_dynamics.by_articulated_bodies,  # first: it is never long
    "Newton–Euler, composite bodies, LᵀDL": forward_dynamics.by_mass_matrix,
    "Newton–Euler, composite bodies halfway, LᵀDL": forward_dynamics.by_mass_matrix_halfway,
}
_M = {
    "composite bodies": composite.mass_matrix,
    "composite bodies, halfway": composite.mass_matrix_halfway,
}
_ID_DERIVATIVES = {"composite responses": derivatives.inverse_dynamics_derivatives}
_JACOBIANS = {
    "body": kinematics.body_jacobian,
    "space": kinematics.space_jacobian,
    "world": kinematics.world_jacobian,
}


def _jacobian(m: Mechanism, q: Any, *, frame: str, reference: str) -> Any:
    return _JACOBIANS[reference](m, q, frame=frame)


def _effort(name: str, inputs: Any, f: Any, equation: str, **more: Any) -> Quantity:
    return Quantity(name, inputs, (tau,), {"Newton–Euler": f}, canonical, equation, **more)


def _physics(name: str, inputs: Any, output: Any, f: Any, equation: str, **more: Any) -> Quantity:
    return Quantity(name, inputs, (output,), {"recursive": f}, aligned, equation, **more)


QUANTITIES = {
    row.name: row
    for row in (
        _effort("inverse_dynamics", (q, qd, qdd), newton_euler.inverse_dynamics, "(8.77)",
                optional=(wrench,)),
        Quantity("forward_dynamics", (q, qd, tau), (qdd,), _FD, canonical, "(8.81)",
                 optional=(wrench,), uncoupled=("articulated bodies",)),
        Quantity("mass_matrix", (q,), (M,), _M, canonical, "(8.78)"),
        Quantity("inverse_dynamics_derivatives", (q, qd, qdd),
                 (("tau_D_q", N_N), ("tau_D_qd", N_N), M), _ID_DERIVATIVES, canonical, "(8.77)"),
        _effort("bias_forces", (q, qd), newton_euler.bias_forces, "(8.2)"),
        _effort("coriolis_forces", (q, qd), newton_euler.coriolis_forces, "(8.79)"),
        _effort("gravity_forces", (q,), newton_euler.gravity_forces, "(8.80)"),
        _effort("friction_forces", (qd,), newton_euler.friction_forces, "Fig. 8.15",
                needs_inertia=False),
        _effort("tip_forces", (q, wrench), newton_euler.tip_forces, "(8.77)",
                needs_inertia=False),
        _physics("kinetic_energy", (q, qd), ("T", NUMBER), energy.kinetic_energy, "(8.55)"),
        _physics("potential_energy", (q,), ("V", NUMBER), energy.potential_energy, "§8.1"),
        _physics("lagrangian", (q, qd), ("L", NUMBER), energy.lagrangian, "(8.13)"),
        _physics("forward_kinematics", (q,), ("T", POSE), kinematics.forward_kinematics,
                 "(8.50)", options=("frame",), needs_inertia=False),
        _physics("link_poses", (q,), ("T", ("frames", 4, 4)), kinematics.link_poses, "(8.50)",
                 needs_inertia=False),
        _physics("jacobian", (q,), ("J", (6, "n")), _jacobian, "(8.56)",
                 options=("frame", "reference"), needs_inertia=False),
    )
}  # fmt: skip


def recipe(m: Mechanism, name: str, optional: tuple[str, ...] = (), **options: str) -> Recipe:
    """How to make the kernel of one quantity of one robot."""
    row = QUANTITIES[name]
    sizes = {"nq": m.nq, "n": m.n, "frames": len(m.frames)}
    arguments = (*row.inputs, *(k for k in row.optional if k[0] in optional))
    inputs = {k: _shape(dims, sizes) for k, dims in arguments}
    outputs = {k: _shape(dims, sizes) for k, dims in row.outputs}
    full_name = "_".join((name, *(f"with_{k}" for k in optional)))

    form = cache(lambda: row.form(m))

    def trace(algorithm: Callable[..., Any], longest: float = math.inf) -> Program:
        f = partial(algorithm, form(), **options)
        return Program.trace(f, inputs, outputs, full_name, longest)

    barred = row.uncoupled if m.is_coupled else ()
    routes = {k: partial(trace, f) for k, f in row.algorithms.items() if k not in barred}
    key = hashlib.sha256(
        repr((m, name, optional, sorted(options.items()), SOURCES)).encode()
    ).digest()
    about = {"robot": m.name, "version": __version__, "equation": row.equation}
    about |= options
    doc = f"{name.replace('_', ' ')} of {m.name}, eq. {row.equation}"

    def again() -> Any:
        return _kernel_from_text, (formats.dumps(m), name, optional, options)

    return Recipe(full_name, inputs, outputs, routes, key, doc, about, elements(m), again)


def elements(m: Mechanism) -> dict[str, tuple[str, ...]]:
    """What the elements of the usual arguments are called."""
    return {"q": m.q_names} | dict.fromkeys(("qd", "qdd", "tau"), m.v_names)


def kernel(m: Mechanism, name: str, optional: tuple[str, ...] = (), **options: str) -> Kernel:
    """The compiled object of one quantity of one robot."""
    return Kernel(recipe(m, name, optional, **options))


def _kernel_from_text(text: str, name: str, optional: tuple[str, ...], options: Any) -> Kernel:
    return kernel(formats.loads(text, "toml", "a pickled kernel")[0], name, optional, **options)


def _shape(dims: Dims, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(sizes[d] if isinstance(d, str) else d for d in dims)


def _sources_digest() -> str:
    h = hashlib.sha256(__version__.encode())
    root = Path(__file__).parent
    for folder in ("spatial", "model", "algorithms", "graph", "passes", "backends", "kernels"):
        for path in sorted((root / folder).glob("*.py")):
            h.update(path.read_bytes())
    h.update(Path(__file__).read_bytes())
    return h.hexdigest()


# SHA-256 of our own code: other code, other kernels. Read while it is imported: a file that is
# edited later is not what this process runs, and its kernels must not pass for the new file's.
SOURCES = _sources_digest()
