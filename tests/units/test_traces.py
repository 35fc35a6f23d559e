"""The compiler's reading: a traced algorithm is the algorithm, operation for operation."""

import math
from random import Random

import pytest

from momentarm.graph import OPS, Program
from momentarm.graph.program import flattened
from trees import FAMILIES, MATRIX, in_floats
from units.quantities import QUANTITIES, cases

TREES = {f"{name}_1": MATRIX[f"{name}_1"] for name in FAMILIES}


def interpreted(program: Program, given: dict[str, list[float]]) -> list[float]:
    """The results of a tape, one Python operation a node."""
    values = []
    for op, args in zip(program.tape.ops, program.tape.args, strict=True):
        if op == "const":
            values.append(args[0])
        elif op == "input":
            values.append(given[args[0]][args[1]])
        else:
            values.append(OPS[op].meaning(*(values[j] for j in args)))
    return [values[i] for i in program.results]


@pytest.mark.parametrize("quantity, tree", cases(TREES))
def test_a_trace_computes_what_the_algorithm_computes(quantity, tree):
    """The tape of every algorithm, interpreted node by node on floats, gives the bits that the
    algorithm gives when it is run on the floats themselves, to 2e-15 where it asks for the angle of
    a direction, which a tape spells out."""
    m, row, rng = in_floats(TREES[tree]), QUANTITIES[quantity], Random(tree)
    size = {"tip_wrench": 6, "q": m.nq, "q_to": m.nq, "dt": 1, "x": m.nq + m.n}
    given = {k: [rng.uniform(-3, 3) for _ in range(size.get(k, m.n))] for k in row.takes}
    shapes = {k: () if k == "dt" else (len(x),) for k, x in given.items()}
    program = Program.trace(lambda *x: list(flattened(row(m, *x))), shapes)
    plain = (x[0] if k == "dt" else x for k, x in given.items())
    direct = [float(x) for x in flattened(row(m, *plain))]
    traced = interpreted(program, given)
    assert all(map(math.isfinite, traced))
    if quantity in ("coordinates.between", "motion.difference"):
        direct = pytest.approx(direct, abs=2e-15)
    assert traced == direct  # equal bits, but for the sign of a zero
