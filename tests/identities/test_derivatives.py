"""Derivatives by recursion are those of jets, exactly; those on the tape agree with both."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from identities.jets import DELTA, gradient, moved, part, unit
from identities.matrices import transposed
from momentarm.algorithms import composite, derivatives, newton_euler
from momentarm.graph.expr import where
from momentarm.graph.ops import OPS
from momentarm.graph.program import Program
from momentarm.model import coordinates
from momentarm.passes.differentiate import forward, reverse
from trees import MATRIX, in_floats, is_exact, state
from units.test_traces import interpreted

every_tree = pytest.mark.parametrize("tree", MATRIX)


def dryless(m):
    """Without dry friction, which has no slope where a joint rests."""
    links = []
    for link in m.links:
        drive = replace(link.joint.actuator, friction=0)
        links.append(replace(link, joint=replace(link.joint, actuator=drive)))
    return m.with_links(links)


@every_tree
def test_displacements_change_efforts_as_jets_say(tree):
    """∂τ/∂q of the recursion, along the rates, is the first part of Newton–Euler on jets of q."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    D_q, _, _ = derivatives.inverse_dynamics_derivatives(m, x.q, x.qd, x.qdd)
    slope = gradient(lambda q: newton_euler.inverse_dynamics(m, q, x.qd, x.qdd), x.q, m)
    assert is_exact(D_q)
    assert transposed(slope) == D_q


@every_tree
def test_rates_change_efforts_as_jets_say(tree):
    """∂τ/∂q̇ of the recursion is the first part of Newton–Euler, with damping, on jets of q̇."""
    m, x = dryless(MATRIX[tree]), state(MATRIX[tree])
    _, D_qd, _ = derivatives.inverse_dynamics_derivatives(m, x.q, x.qd, x.qdd)
    columns = [
        part(newton_euler.inverse_dynamics(m, x.q, moved(x.qd, unit(m.n, k, DELTA)), x.qdd), DELTA)
        for k in range(m.n)
    ]
    assert transposed(columns) == D_qd


@every_tree
def test_accelerations_change_efforts_by_the_mass_matrix(tree):
    """∂τ/∂q̈ of the recursion is M of composite bodies."""
    m, x = MATRIX[tree], state(MATRIX[tree])
    _, _, M = derivatives.inverse_dynamics_derivatives(m, x.q, x.qd, x.qdd)
    assert composite.mass_matrix(m, x.q) == M


RULES = {
    "sum and difference": lambda x, y: x - y + x,
    "product": lambda x, y: x * y * x,
    "quotient": lambda x, y: (x + 1) / (x * y),
    "sign change": lambda x, y: -(x * y) * -y,
    "size": lambda x, y: abs(x * y) + abs(-x),
    "choice": lambda x, y: where(x < y, x * x, y * x) + where(y < x, 3 * y, x * y * y),
    "used often": lambda x, y: (x + y) * (x + y) * (x - y) / (x + y),
}


def evaluated(program: Program, given: dict[str, list[Fraction]]) -> list[Fraction]:
    """A tape of rational operations on fractions."""
    values: list[Any] = []
    for op, args in zip(program.tape.ops, program.tape.args, strict=True):
        if op == "const":
            values.append(Fraction(args[0]))
        elif op == "input":
            values.append(given[args[0]][args[1]])
        else:
            values.append(OPS[op].meaning(*(values[j] for j in args)))
    return [values[i] for i in program.results]


@pytest.mark.parametrize("mode", [forward, reverse])
@pytest.mark.parametrize("rule", RULES)
def test_slopes_on_the_tape_are_those_of_small_steps(rule, mode):
    """Forward and reverse, a rational function's slopes in two directions are, in fractions, the
    limit of symmetric differences: extrapolated from two steps they agree to the fourth power."""
    program = Program.trace(lambda x: [RULES[rule](x[0], x[1])], {"x": (2,)}, {"y": (1,)})
    at, directions = [Fraction(3, 2), Fraction(-5, 7)], [{("x", 0): 1}, {("x", 0): 2, ("x", 1): -1}]
    _, *found = evaluated(mode(program, directions), {"x": at})
    for direction, slope in zip(directions, found, strict=True):
        step = [Fraction(direction.get(("x", k), 0)) for k in range(2)]

        def difference(h: Fraction, step: list[Fraction] = step) -> Fraction:
            ends = ([a + s * h * d for a, d in zip(at, step, strict=True)] for s in (1, -1))
            upper, lower = (evaluated(program, {"x": end})[0] for end in ends)
            return (upper - lower) / (2 * h)

        h = Fraction(1, 1000)
        limit = (4 * difference(h / 2) - difference(h)) / 3
        assert abs(limit - slope) < 1000 * h**4


@pytest.mark.parametrize("tree", [name for name in MATRIX if name.endswith("_1")])
def test_forward_and_reverse_agree_with_the_recursion(tree):
    """∂τ/∂q along the rates, derived from the tape of Newton–Euler in either mode with the rates of
    q that the joints say, gives the floats of the dedicated recursion to 1e-11."""
    m = in_floats(MATRIX[tree])
    rng = Random(tree)
    given = {k: [rng.uniform(-2, 2) for _ in range(size)]
             for k, size in (("q", m.nq), ("qd", m.n), ("qdd", m.n))}  # fmt: skip
    shapes = {k: (len(x),) for k, x in given.items()}
    program = Program.trace(
        lambda q, qd, qdd: newton_euler.inverse_dynamics(m, q, qd, qdd), shapes, {"tau": (m.n,)}
    )

    def along(element):
        columns = coordinates.tangents(m, [element("q", k) for k in range(m.nq)])
        return [{("q", k): x for k, x in column.items()} for column in columns]

    D_q, _, _ = derivatives.inverse_dynamics_derivatives(m, *given.values())
    expected = [x for row in D_q for x in row]
    size = max(1.0, *map(abs, expected))
    for mode in (forward, reverse):
        found = interpreted(mode(program, along), given)[m.n :]
        assert all(abs(a - b) < 1e-11 * size for a, b in zip(found, expected, strict=True))
