"""The dimensional reading: the algorithms run on units alone, and a wrong sum cannot be formed."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from momentarm.model import Actuator, Frame, Joint, Link, Mechanism
from momentarm.spatial import Inertia, Sym3, Transform, Vec3
from momentarm.spatial.dimension import KILOGRAM, METRE, NUMBER, SECOND, Dim, DimensionError
from trees import FAMILIES, MATRIX, state
from units.quantities import (
    JOULE,
    NEWTON,
    QUANTITIES,
    cases,
    inputs,
    own_units,
    public_algorithms,
    unit_of,
)

TREES = {f"{name}_1": MATRIX[f"{name}_1"] for name in FAMILIES}


def measured(m: Mechanism) -> Mechanism:
    """The same mechanism with every number replaced by its unit; zeros and rotations stay."""
    frames = {name: Frame(f.link, in_metres(f.X)) for name, f in m.frames.items()}
    gravity = vector(m.gravity, METRE / SECOND**2)
    return replace(m, links=tuple(measured_link(m, link) for link in m.links), frames=frames,
                   gravity=gravity, base_inertia=body(m.base_inertia),
                   origin=in_metres(m.origin))  # fmt: skip


def measured_link(m: Mechanism, link: Link) -> Link:
    return replace(link, joint=measured_joint(m, link.joint), placement=in_metres(link.placement),
                   inertia=body(link.inertia))  # fmt: skip


def measured_joint(m: Mechanism, joint: Joint) -> Joint:
    own = unit_of(joint, "")
    mass = KILOGRAM * METRE**2 / own**2
    drive = Actuator(*(unit if x else 0 for x, unit in zip(
        (joint.actuator.armature, joint.actuator.damping, joint.actuator.friction),
        (mass, mass / SECOND, mass * own / SECOND**2),
        strict=True,
    )))  # fmt: skip
    coupling = joint.coupling
    if coupling is not None:
        leader = next(k.joint for k in m.links if k.joint.name == coupling.joint)
        offset = own if coupling.offset != 0 else 0
        coupling = replace(coupling, ratio=own / unit_of(leader, ""), offset=offset)
    pitch = METRE if joint.kind == "helical" else 0
    return replace(joint, pitch=pitch, actuator=drive, coupling=coupling)


def vector(v: Vec3, unit: Dim) -> Vec3:
    return Vec3(*(unit if x else 0 for x in v))


def in_metres(X: Transform) -> Transform:
    return Transform(X.R, vector(X.p, METRE), METRE if X.slide else 0)


def body(inertia: Inertia) -> Inertia:
    second = (KILOGRAM * METRE**2 if x else 0 for x in inertia.E)
    mass = KILOGRAM if inertia.m else 0
    return Inertia(mass, vector(inertia.h, KILOGRAM * METRE), Sym3(*second))


def fits(found: Any, unit: Any) -> bool:
    """Same shape and units; zero has every unit, another plain number has none."""
    if isinstance(unit, list):
        return len(found) == len(unit) and all(map(fits, found, unit))
    if isinstance(found, Dim):
        return found == unit
    return found == 0 or unit == NUMBER


@pytest.mark.parametrize("quantity, tree", cases(TREES))
def test_algorithms_answer_in_their_units(quantity, tree):
    """Run on units instead of numbers, every algorithm forms only sums of equal units and answers
    in the unit that mechanics prescribes: τ in kg m² s⁻² about an axis, in kg m s⁻² along one."""
    m, row = TREES[tree], QUANTITIES[quantity]
    given = inputs(m)
    found = row(measured(m), *(given[name] for name in row.takes))
    assert fits(found, row.unit(m)), found


def test_every_algorithm_is_in_the_table():
    """Each public function of algorithms/ and textbook/ that takes a mechanism and a state has its
    unit in the table that these readings go through."""
    missing = public_algorithms() - {row.f for row in QUANTITIES.values()}
    assert not missing, sorted(f.__name__ for f in missing)


@pytest.mark.parametrize("tree", TREES)
def test_answers_scale_with_their_units(tree):
    """Told in grams, centimetres and minutes instead of kg, m and s, a robot and its motion give
    inverse dynamics' efforts times exactly the factor that their unit says."""
    m, x = TREES[tree], state(TREES[tree])
    row, given = QUANTITIES["newton_euler.inverse_dynamics"], inputs(m)
    ours = {name: getattr(x, name) for name in row.takes}
    theirs = [
        [a if u == NUMBER else told(a, u) for a, u in zip(ours[k], given[k], strict=True)]
        for k in row.takes
    ]
    expected = [told(a, u) for a, u in zip(row(m, *ours.values()), row.unit(m), strict=True)]
    assert row(retold(m), *theirs) == expected


def told(x: Any, unit: Dim) -> Any:
    """A number of kg, m and s in grams, centimetres and minutes."""
    factor = Fraction(1000) ** unit.kg * Fraction(100) ** unit.m * Fraction(1, 60) ** unit.s
    return x * factor


def retold(m: Mechanism) -> Mechanism:
    """Every number of a mechanism times the factor of the unit that stands at the same place."""
    return paired(m, measured(m), lambda x, unit: told(x, unit) if isinstance(unit, Dim) else x)


def paired(x: Any, unit: Any, f: Callable[[Any, Any], Any]) -> Any:
    """`x` with each number through f(number, what stands at its place in `unit`)."""
    if isinstance(unit, Dim) or isinstance(x, int | Fraction):
        return x if unit == NUMBER else f(x, unit)
    if isinstance(x, tuple):
        return tuple(paired(a, b, f) for a, b in zip(x, unit, strict=True))
    if isinstance(x, dict) or hasattr(x, "items"):
        return {k: paired(y, unit[k], f) for k, y in x.items()}
    names = getattr(x, "__dataclass_fields__", ())
    skipped = ("parent", "link", "has_inertia", "R")
    changed = {k: paired(getattr(x, k), getattr(unit, k), f) for k in names if k not in skipped}
    return replace(x, **changed) if names else x


# -- the unit as a number --------------------------------------------------------------------------


def test_a_sum_of_unequal_units_names_both():
    """A torque plus a force raises an error that prints both units in the order they stood."""
    with pytest.raises(DimensionError, match=r"kg m² s⁻² \+ kg m s⁻²"):
        JOULE + NEWTON
    with pytest.raises(DimensionError, match=r"^1 - kg m s⁻²"):
        1 - NEWTON


@pytest.mark.parametrize("f", [lambda: METRE.sin(), lambda: SECOND.cos(), lambda: METRE.sqrt()])
def test_a_length_has_no_sine(f):
    """The sine of a length, the cosine of a time and the root of a single metre are refused."""
    with pytest.raises(DimensionError):
        f()


def test_units_obey_arithmetic():
    """Exponents of products, quotients, powers and roots are the sums, differences, multiples and
    halves worked out by hand."""
    assert Dim(1, 2, -2) == KILOGRAM * METRE**2 / SECOND**2
    assert (JOULE / KILOGRAM).sqrt() == METRE / SECOND
    assert Dim(s=-1) == 1 / SECOND
    assert 3 * METRE == METRE * Fraction(1, 2) == METRE
    assert METRE + 0 == 0 - METRE == -METRE == METRE
    assert METRE * 0 == 0


def test_a_unit_has_no_size():
    """Units cannot be ordered, and adding what is no scalar is a TypeError."""
    for wrong in (lambda: METRE < METRE, lambda: METRE + "1", lambda: METRE * "1"):
        with pytest.raises(TypeError):
            wrong()


def test_trees_have_angles_and_slides():
    """The random trees have coordinates that are angles and coordinates that are lengths."""
    found = {u for m in TREES.values() for u in own_units(m)}
    assert found == {NUMBER, METRE}
