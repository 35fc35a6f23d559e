"""Long programs: nothing recurses, and parts compute what the whole does."""

import inspect
import sys

import numpy as np
import pytest

import momentarm as ma
from compiler import material
from momentarm.backends import c, parts, scalar, simd
from momentarm.backends import numpy as numpy_backend
from momentarm.backends.llvm import Lanes
from momentarm.kernels import engine
from momentarm.passes.factor import factor

LINKS = 500
ROOM = 60  # frames that tracing, passes and backends may need on top of a test's own


def chain(links):
    """Revolute joints about x and z in turn, each link a little different."""
    rows = [
        {"a": 0.1, "alpha": np.pi / 2 * (-1) ** k, "d": 0.05 + 0.0001 * k, "theta": 0,
         "type": "revolute", "mass": 1 + k / links, "com": (0.05, 0.01, -0.02),
         "inertia": np.diag((0.01, 0.02, 0.015))}
        for k in range(links)
    ]  # fmt: skip
    return ma.Robot.from_dh(rows, "modified")


@pytest.fixture(scope="module")
def long_chain():
    return chain(LINKS)


@pytest.fixture
def few_frames():
    """Python stops after a few frames more than the test itself stands in."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + ROOM)
    yield
    sys.setrecursionlimit(usual)


def test_nothing_recurses(long_chain, few_frames):
    """A chain of 500 links is traced, factored and written as LLVM and C within few frames."""
    program = long_chain.kernel("inverse_dynamics").program
    assert program.counts.total > 80 * LINKS
    assert len(c.source(program, "f", {})) > 100 * LINKS
    for lanes in (Lanes("double"), Lanes("double", 8)):
        write = scalar.module if lanes.width == 1 else simd.module
        assert len(write(program, lanes, engine.host().triple)) > 1000 * LINKS
    assert str(factor(program)).count("\n") > 80 * LINKS


def test_counts_grow_linearly(long_chain):
    """Twice the links cost twice the operations: counts at 125, 250 and 500 lie on a line."""
    counts = [chain(n).kernel("inverse_dynamics").ops.total for n in (125, 250)]
    last = long_chain.kernel("inverse_dynamics").ops.total
    assert last - counts[1] == 2 * (counts[1] - counts[0])


@pytest.mark.parametrize("kind", ["double", "float"])
@pytest.mark.parametrize("longest", [1, 20, 150])
def test_parts_have_the_bits_of_the_whole(kind, longest, monkeypatch):
    """Scalar and vector code cut into parts give the bits of the same program in one function."""
    program = ma.robots.stanford().kernel("forward_dynamics").program
    args = np.random.default_rng(14).standard_normal((3, 19, 6)).astype(material.DTYPES[kind])
    args[0, 3, 2] = 1e7
    expected = material.llvm_scalar(program, kind)(*args)[0]
    material.cut(monkeypatch, longest)
    assert len(parts.plan(program).parts) > 2
    material.assert_same_bits(material.llvm_scalar(program, kind)(*args)[0], expected)
    width = material.WIDTHS[kind][1]
    material.assert_same_bits(material.llvm_vector(program, kind, width)(*args)[0], expected)


@pytest.mark.parametrize("longest", [1, 4])
def test_truth_values_survive_parts(longest, monkeypatch):
    """Every operation, truth values too, passes from part to part with the bits of the whole."""
    program = material.every_operation()
    x = np.random.default_rng(15).choice(material.nasty("double"), (300, 3))
    expected = material.llvm_scalar(program, "double")(x)[0]
    material.cut(monkeypatch, longest)
    material.assert_same_bits(material.llvm_scalar(program, "double")(x)[0], expected)
    material.assert_same_bits(material.llvm_vector(program, "double", 4)(x)[0], expected)


def test_slots_are_not_taken_twice(monkeypatch):
    """No value of a plan stands in the slot of another that is read later, found by replay."""
    program = ma.robots.panda().kernel("forward_dynamics").program
    material.cut(monkeypatch, 40)
    plan, tape = parts.plan(program), program.tape
    holder, results = {}, set(program.results)
    for part in plan.parts:
        made = {i for level in part for i in level.nodes}
        made |= {i for level in part for x in level.angles for i in (x.sin, x.cos)} - {None}
        computed = [i for i in sorted(made) if tape.ops[i] not in ("const", "input")]
        for i in computed:
            for j in tape.args[i]:
                if j not in made and tape.ops[j] not in ("const", "input"):
                    assert holder.get(plan.slots[j]) == j
            if i in plan.slots:
                holder[plan.slots[i]] = i
    kept = {i for i in results if tape.ops[i] not in ("const", "input")}
    assert {holder[plan.slots[i]] for i in kept} == kept
    assert plan.size == len(set(plan.slots.values())) < len(plan.slots)


def test_long_chain_agrees_with_numpy():
    """Machine code of a chain cut into real parts gives what the NumPy backend gives of it."""
    arm = chain(60)
    program = arm.kernel("inverse_dynamics").program
    assert not parts.plan(program).is_whole
    args = np.random.default_rng(16).standard_normal((3, 4, 60)) * 0.3
    found, expected = arm.inverse_dynamics(*args), numpy_backend.function(program)(*args)
    assert np.abs(found - expected).max() <= 1e-13 * np.abs(expected).max()
    for k in range(4):
        material.assert_same_bits(arm.inverse_dynamics(*args[:, k]), found[k])


def test_long_c_agrees(tmp_path):
    """Exported C of a chain cut into real parts compiles strictly and has the kernel's bits."""
    kernel = chain(40).kernel("inverse_dynamics")
    args = np.random.default_rng(17).standard_normal((3, 5, 40))
    run = material.exported(kernel.program, "double", tmp_path)
    assert "part1(" in (tmp_path / "f.c").read_text()
    material.assert_same_bits(run(*args)[0], kernel(*args))
