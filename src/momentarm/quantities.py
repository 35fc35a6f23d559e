"""The table of quantities: what a robot can be asked, and which algorithms answer.

Rule 1  One row a quantity. To add one, write its algorithm and a row here; the method on `Robot`
        carries its documentation.
Rule 2  A row says in which form of the mechanism its algorithms run: `canonical` (least
        operations; efforts, M and q̈ only) or `aligned` (physical parameters).
Rule 3  Where several algorithms are named, the kernel takes the one with fewest operations.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from momentarm import formats
from momentarm.graph.program import Program
from momentarm.kernels.kernel import Kernel, Recipe
from momentarm.model import Mechanism, parameters
from momentarm.model.canonical import aligned, canonical
from momentarm.version import __version__

Size = int | str  # "nq": elements of q, "n": of q̇, q̈ and τ, "frames": number of named frames
Dims = tuple[Size, ...]
Form = Callable[[Mechanism], Mechanism]
Arrays = tuple[tuple[str, Dims], ...]
N, N_N, SIX, POSE, NUMBER = ("n",), ("n", "n"), (6,), (4, 4), ()
q, qd, qdd, tau, wrench = ("q", ("nq",)), ("qd", N), ("qdd", N), ("tau", N), ("tip_wrench", SIX)
wrenches = ("wrenches", ("wrenches", 6))
M, dt, q_to = ("M", N_N), ("dt", NUMBER), ("q_to", ("nq",))


@dataclass(frozen=True)
class Quantity:
    """A row. `algorithms` are functions of the room of that name, by route: "file.function".

    They take the mechanism, then the arrays and `options` by name; the latter are fixed when the
    algorithm is traced.
    """

    name: str
    inputs: Arrays
    outputs: Arrays
    algorithms: Mapping[str, str]
    form: Form
    equation: str
    optional: Arrays = ()
    options: tuple[str, ...] = ()
    needs_inertia: bool = True
    uncoupled: tuple[str, ...] = ()  # algorithms for robots whose joints are all their own

    def answer(self, m: Mechanism, route: str, arrays: Mapping[str, Any],
               options: Mapping[str, Any]) -> tuple[Any, ...]:  # fmt: skip
        """The outputs, by one of the algorithms, for arrays of any scalar."""
        file, function = self.algorithms[route].split(".")
        algorithm = getattr(import_module(f"momentarm.algorithms.{file}"), function)
        names = (k for k, _ in (*self.inputs, *self.optional) if k in arrays)
        mine = {k: options[k] for k in self.options if k in options}
        result = algorithm(m, **{k: arrays[k] for k in names}, **mine)
        return tuple(result) if len(self.outputs) > 1 else (result,)


_FD = {
    "articulated bodies": "forward_dynamics.by_articulated_bodies",  # first: it is never long
    "Newton–Euler, composite bodies, LᵀDL": "forward_dynamics.by_mass_matrix",
    "Newton–Euler, composite bodies halfway, LᵀDL": "forward_dynamics.by_mass_matrix_halfway",
}
_M = {
    "composite bodies": "composite.mass_matrix",
    "composite bodies, halfway": "composite.mass_matrix_halfway",
}

_WRENCHES: dict[str, Any] = {"optional": (wrench, wrenches), "options": ("wrench_frames",)}


def _effort(name: str, inputs: Arrays, equation: str, **more: Any) -> Quantity:
    algorithms = {"Newton–Euler": f"newton_euler.{name}"}
    return Quantity(name, inputs, (tau,), algorithms, canonical, equation, **more)


def _physics(name: str, inputs: Arrays, output: tuple[str, Dims], file: str, equation: str,
             **more: Any) -> Quantity:  # fmt: skip
    algorithms = {"recursive": f"{file}.{name}"}
    return Quantity(name, inputs, (output,), algorithms, aligned, equation, **more)


def _bodies(m: Mechanism) -> Mechanism:
    """With a frame for each link of the file, and no others."""
    return aligned(parameters.by_body(m))


def as_it_is(m: Mechanism) -> Mechanism:
    return m


QUANTITIES = {
    row.name: row
    for row in (
        _effort("inverse_dynamics", (q, qd, qdd), "(8.77)", **_WRENCHES),
        Quantity("forward_dynamics", (q, qd, tau), (qdd,), _FD, canonical, "(8.81)",
                 uncoupled=("articulated bodies",), **_WRENCHES),
        Quantity("mass_matrix", (q,), (M,), _M, canonical, "(8.78)"),
        Quantity("inverse_dynamics_derivatives", (q, qd, qdd),
                 (("tau_D_q", N_N), ("tau_D_qd", N_N), M),
                 {"composite responses": "derivatives.inverse_dynamics_derivatives"},
                 canonical, "(8.77)"),
        Quantity("regressor", (q, qd, qdd), (("Y", ("n", "bodies")),),
                 {"axes outward": "regressor.regressor"}, _bodies, "Atkeson 1986"),
        Quantity("base_regressor", (q, qd, qdd), (("Y", ("n", "columns")),),
                 {"axes outward": "regressor.base_regressor"}, _bodies, "Atkeson 1986",
                 options=("columns",)),
        Quantity("drive_regressor", (qd, qdd), (("Y", ("n", "drives")),),
                 {"own axes": "regressor.drive_regressor"}, aligned, "Fig. 8.15",
                 needs_inertia=False),
        Quantity("integrate", (q, qd, dt), (q_to,), {"by joint": "motion.integrate"}, as_it_is,
                 "§8.5", needs_inertia=False),
        Quantity("difference", (q, q_to), (("u", N),), {"by joint": "motion.difference"}, as_it_is,
                 "§8.5", needs_inertia=False),
        Quantity("step", (q, qd, tau, dt), (q_to, ("qd_to", N)),
                 {"articulated bodies": "motion.by_articulated_bodies",
                  "Newton–Euler, composite bodies, LᵀDL": "motion.by_mass_matrix"},
                 canonical, "§8.5", _WRENCHES["optional"], ("method", *_WRENCHES["options"]),
                 uncoupled=("articulated bodies",)),
        _effort("bias_forces", (q, qd), "(8.2)"),
        _effort("coriolis_forces", (q, qd), "(8.79)"),
        _effort("gravity_forces", (q,), "(8.80)"),
        _effort("friction_forces", (qd,), "Fig. 8.15", needs_inertia=False),
        _effort("tip_forces", (q, wrench), "(8.77)", needs_inertia=False),
        _physics("kinetic_energy", (q, qd), ("T", NUMBER), "energy", "(8.55)"),
        _physics("potential_energy", (q,), ("V", NUMBER), "energy", "§8.1"),
        _physics("lagrangian", (q, qd), ("L", NUMBER), "energy", "(8.13)"),
        _physics("forward_kinematics", (q,), ("T", POSE), "kinematics", "(8.50)",
                 options=("frame",), needs_inertia=False),
        _physics("link_poses", (q,), ("T", ("frames", 4, 4)), "kinematics", "(8.50)",
                 needs_inertia=False),
        _physics("jacobian", (q,), ("J", ("rows", "n")), "kinematics", "(8.56)",
                 options=("frame", "reference", "rows"), needs_inertia=False),
    )
}  # fmt: skip


def recipe(m: Mechanism, names: Sequence[str], optional: Sequence[str] = (),
           **options: Any) -> Recipe:  # fmt: skip
    """How to make the kernel of one quantity of one robot, or of several at once.

    Kinds of parameters named by the option `parametric` are arguments, after all others.
    """
    rows, sizes = [QUANTITIES[name] for name in names], _sizes(m, options)
    given = dict(k for row in rows for k in row.inputs)
    given |= dict(k for row in rows for k in row.optional if k[0] in optional)
    inputs = {k: _shape(dims, sizes) for k, dims in given.items()}
    parametric = {k: parameters.KINDS[k] for k in options.get("parametric", ())}
    inputs |= {k: (len(kind.names(m)),) for k, kind in parametric.items()}
    outputs = {k: _shape(dims, sizes) for k, dims in _outputs(rows).items()}
    full_name = "_".join((*names, *(f"with_{k}" for k in (*optional, *parametric))))

    numeric = cache(lambda form: form(m))

    def trace(ways: tuple[str, ...], longest: float = math.inf) -> Program:
        def together(*arrays: Any) -> Any:
            by_name, varied = dict(zip(inputs, arrays, strict=True)), m
            for k, kind in parametric.items():
                varied = kind.applied(varied, by_name[k])
            formed = cache(lambda form: form(varied)) if parametric else numeric
            pairs = zip(rows, _forms(rows), ways, strict=True)
            answers = [x for row, form, way in pairs
                       for x in row.answer(formed(form), way, by_name, options)]  # fmt: skip
            return answers if len(answers) > 1 else answers[0]

        return Program.trace(together, inputs, outputs, full_name, longest)

    key = repr((m, tuple(names), tuple(optional), sorted(options.items()), SOURCES)).encode()
    about = {"robot": m.name, "version": __version__}
    about |= {"equation": ", ".join(dict.fromkeys(row.equation for row in rows))}
    about |= {k: str(x) for k, x in options.items() if x}
    doc = f"{' and '.join(names).replace('_', ' ')} of {m.name}, eq. {about['equation']}"

    def again() -> Any:
        return _kernel_from_text, (formats.dumps(m), tuple(names), tuple(optional), options)

    routes = {" + ".join(ways): partial(trace, ways) for ways in _ways(m, rows)}
    return Recipe(full_name, inputs, outputs, routes, hashlib.sha256(key).digest(), doc, about,
                  elements(m), options, again)  # fmt: skip


def _sizes(m: Mechanism, options: Mapping[str, Any]) -> dict[str, int]:
    return {
        "nq": m.nq, "n": m.n, "frames": len(m.frames),
        "rows": len(options.get("rows") or range(6)),
        "wrenches": len(options.get("wrench_frames", ())),
        "bodies": len(parameters.KINDS["inertia"].names(m)),
        "drives": len(parameters.KINDS["drives"].names(m)),
        "columns": len(options.get("columns", ())),
    }  # fmt: skip


def _forms(rows: Sequence[Quantity]) -> list[Form]:
    """The form for each row; physical parameters for all where some need them, to share more."""
    forms = [row.form for row in rows]
    return [aligned if f is canonical and aligned in forms else f for f in forms]


def _outputs(rows: Sequence[Quantity]) -> dict[str, Dims]:
    """One quantity's results under their own names; of several, a single result is its quantity."""
    if len(rows) == 1:
        return dict(rows[0].outputs)
    named = [(row.name if len(row.outputs) == 1 else k, dims) for row in rows
             for k, dims in row.outputs]  # fmt: skip
    return dict(named)


def _ways(m: Mechanism, rows: Sequence[Quantity]) -> list[tuple[str, ...]]:
    """Every choice of an algorithm for each row that serves this robot."""
    barred = [row.uncoupled if m.is_coupled else () for row in rows]
    routes = [[k for k in row.algorithms if k not in b] for row, b in zip(rows, barred)]
    return list(itertools.product(*routes))


def elements(m: Mechanism) -> dict[str, tuple[str, ...]]:
    """What the elements of the usual arguments are called."""
    return dict.fromkeys(("q", "q_to"), m.q_names) | dict.fromkeys(("qd", "qdd", "tau"), m.v_names)


def kernel(m: Mechanism, names: Sequence[str], optional: Sequence[str] = (),
           **options: Any) -> Kernel:  # fmt: skip
    """The compiled object of one quantity of one robot, or of several at once."""
    return Kernel(recipe(m, names, optional, **options))


def _kernel_from_text(text: str, names: Sequence[str], optional: Sequence[str],
                      options: Mapping[str, Any]) -> Kernel:  # fmt: skip
    m, _ = formats.loads(text, "toml", "a pickled kernel")
    return kernel(m, names, optional, **options)


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
