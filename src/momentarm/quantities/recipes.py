"""From rows of the table to kernels: what is traced, in which form, under which key.

Rule 1  Several rows make one kernel; physical parameters serve all where some row needs them.
Rule 2  The key of a kernel covers all that its machine code depends on, our own sources included.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from momentarm import formats
from momentarm.graph.program import Program
from momentarm.kernels.kernel import Kernel, Moves, Recipe
from momentarm.model import Mechanism, coordinates, parameters
from momentarm.model.canonical import aligned, canonical
from momentarm.quantities.row import Dims, Form, Quantity
from momentarm.quantities.table import QUANTITIES
from momentarm.version import __version__


def recipe(m: Mechanism, names: Sequence[str], optional: Sequence[str] = (),
           **options: Any) -> Recipe:  # fmt: skip
    """How to make the kernel of one quantity of one robot, or of several at once.

    Kinds of parameters named by the option `parametric` are arguments, after all others.
    """
    rows = [QUANTITIES[name] for name in names]
    sizes = {k: size(m, options) for k, size in SIZES.items()}
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
    slopes = [row.slopes for row in rows if len(inputs) == len(row.inputs) and row.slopes]
    first = partial(recipe, m, slopes) if len(rows) == 1 and slopes else None
    return Recipe(full_name, inputs, outputs, routes, hashlib.sha256(key).digest(), doc, about,
                  elements(m) | {"x": state_elements(m)}, options, again, moves(m),
                  first=first)  # fmt: skip


SIZES: dict[str, Callable[[Mechanism, Mapping[str, Any]], int]] = {
    "nq": lambda m, options: m.nq,
    "n": lambda m, options: m.n,
    "state": lambda m, options: m.nq + m.n,
    "frames": lambda m, options: len(m.frames),
    "links": lambda m, options: len(m.links),
    "rows": lambda m, options: len(options.get("rows") or range(6)),
    "wrenches": lambda m, options: len(options.get("wrench_frames", ())),
    "bodies": lambda m, options: len(parameters.KINDS["inertia"].names(m)),
    "drives": lambda m, options: len(parameters.KINDS["drives"].names(m)),
    "columns": lambda m, options: len(options.get("columns", ())),
}


def _forms(rows: Sequence[Quantity]) -> list[Form]:
    """The form for each row; physical parameters for all where some need them, to share more."""
    forms = [row.form for row in rows]
    return [aligned if f is canonical and aligned in forms else f for f in forms]


def _outputs(rows: Sequence[Quantity]) -> dict[str, Dims]:
    """One quantity's results under their own names; of several, a single result is its quantity,
    and a name that two quantities have is told by theirs."""
    if len(rows) == 1:
        return dict(rows[0].outputs)
    uses = Counter(k for row in rows for k, _ in row.outputs)
    named = [(row.name if len(row.outputs) == 1 else f"{row.name}_{k}" if uses[k] > 1 else k, dims)
             for row in rows for k, dims in row.outputs]  # fmt: skip
    return dict(named)


def _ways(m: Mechanism, rows: Sequence[Quantity]) -> list[tuple[str, ...]]:
    """Every choice of an algorithm for each row that serves this robot."""
    barred = [row.uncoupled * m.is_coupled + row.holonomic * (m.nq != m.n) for row in rows]
    routes = [[k for k in row.algorithms if k not in b] for row, b in zip(rows, barred)]
    return list(itertools.product(*routes))


def elements(m: Mechanism) -> dict[str, tuple[str, ...]]:
    """What the elements of the usual arguments are called."""
    return dict.fromkeys(("q", "q_to"), m.q_names) | dict.fromkeys(("qd", "qdd", "tau"), m.v_names)


def state_elements(m: Mechanism) -> tuple[str, ...]:
    """What the elements of x = (q, q̇) are called."""
    return (*(f"q.{k}" for k in m.q_names), *(f"qd.{k}" for k in m.v_names))


def moves(m: Mechanism) -> dict[str, Moves]:
    """Along which rates coordinates move that are more than their rates."""
    if m.nq == m.n:
        return {}
    kinds = [k.joint.kind for k in m.links if k.joint.name in m.coordinates]
    rates = Moves((m.n,), partial(coordinates.tangents, m), law=repr((m.q_names, kinds)))
    return dict.fromkeys(("q", "q_to"), rates)


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
    root = Path(__file__).parents[1]
    for folder in ("spatial", "model", "algorithms", "graph", "passes", "backends", "kernels",
                   "quantities"):  # fmt: skip
        for path in sorted((root / folder).glob("*.py")):
            h.update(path.read_bytes())
    return h.hexdigest()


# SHA-256 of our own code: other code, other kernels. Read while it is imported: a file that is
# edited later is not what this process runs, and its kernels must not pass for the new file's.
SOURCES = _sources_digest()
