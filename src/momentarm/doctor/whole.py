"""Findings about the robot as a whole: gravity, copied links, sides that differ, rounded angles."""

from __future__ import annotations

import re
from collections.abc import Iterator

from momentarm.doctor.repair import snapped
from momentarm.model import Link, Mechanism
from momentarm.model.alignment import length
from momentarm.model.problem import Problems, listed
from momentarm.quantities import kernel
from momentarm.spatial import Inertia

WEAK, STRONG = 0.1, 100.0  # m/s²: between a small moon's gravity and a centrifuge's
COPIES = 3  # links one after another with the same body
UNEQUAL = 0.05  # relative difference of the masses of two sides
LARGE = 40  # degrees of freedom up to which operations are counted twice
SIDES = (("left", "right"), ("l", "r"), ("fl", "fr"), ("rl", "rr"), ("hl", "hr"), ("lf", "rf"),
         ("lh", "rh"))  # fmt: skip

_word = re.compile(r"[a-z]+|[A-Z][a-z]*|[A-Z]+|\d+|[^A-Za-z\d]+")


def check_whole(m: Mechanism, problems: Problems) -> None:
    _check_inertials(m, problems)
    _check_gravity(m, problems)
    _check_copies(m, problems)
    _check_sides(m, problems)
    _check_rounding(m, problems)


def _check_inertials(m: Mechanism, problems: Problems) -> None:
    """A robot without any inertia is for kinematics."""
    if m.links and not any(link.has_inertia for link in m.links):
        problems.note("no-inertials", f"robot {m.name!r}", "no link has an inertia: kinematics "
                      "works, dynamics does not",
                      "give the links mass and inertia")  # fmt: skip


def _check_gravity(m: Mechanism, problems: Problems) -> None:
    g, size, where = m.gravity, length(m.gravity), f"robot {m.name!r}"
    if size and not WEAK <= size <= STRONG:
        problems.warning("gravity-size", where, f"gravity is {size:.4g} m/s²",
                         "it is in m/s²: [0, 0, -9.81]", size, "about 9.81, or 0")  # fmt: skip
    elif g.z > 0 and g.z > 0.999 * size:
        problems.note("gravity-up", where, f"gravity points up along the base's z-axis ({g.z:g})",
                      "right for a robot that hangs; otherwise [0, 0, -9.81]", float(g.z),
                      "less than 0")  # fmt: skip


def _check_copies(m: Mechanism, problems: Problems) -> None:
    """The same body on links one after another: copied, perhaps, and never measured."""
    runs: dict[int, list[Link]] = {}
    carried: dict[int, int] = {}  # a massless link stands for its parent
    for i, link in m.outward():
        above = carried.get(link.parent, link.parent)
        if link.inertia.m == 0:
            carried[i] = above
            continue
        before = runs.get(above, [])
        same = before and _same(before[-1].inertia, link.inertia)
        runs[i] = [*before, link] if same else [link]
    last = {id(run[0]): run for run in runs.values() if len(run) >= COPIES}
    for run in last.values():
        body, names = run[0].inertia, listed((repr(link.name) for link in run), 6)
        problems.note("inertia-repeated", run[0].at("inertia"), f"links {names} all have "
                      f"the same {body.m:g} kg, centre of mass and inertia",
                      "right for a robot of equal modules; otherwise they were copied",
                      len(run))  # fmt: skip


def _same(a: Inertia, b: Inertia) -> bool:
    """The same mass and principal size, wherever the axes point."""
    pairs = ((a.m, b.m), (length(a.com), length(b.com)), (a.I_com.trace, b.I_com.trace))
    return all(abs(x - y) <= 1e-9 * max(abs(x), abs(y)) for x, y in pairs)


def _check_sides(m: Mechanism, problems: Problems) -> None:
    """Pairs of links named left and right whose masses differ."""
    links = {link.name: link for link in m.links}
    for link in m.links:
        for name in _opposites(link.name):
            other = links.get(name)
            if other is None:
                continue
            a, b = link.inertia.m, other.inertia.m
            if abs(a - b) > UNEQUAL * max(a, b):
                problems.note("sides-differ", link.at("mass"), f"links {link.name!r} and {name!r} "
                              f"have {a:.4g} and {b:.4g} kg", "are both sides right?", a,
                              f"{b:.4g}")  # fmt: skip


def _opposites(name: str) -> Iterator[str]:
    """The names with one word for "left" turned into its "right"."""
    words = _word.findall(name)
    for k, word in enumerate(words):
        for left, right in SIDES:
            if word.lower() == left:
                other = right.upper() if word.isupper() else right
                other = other.capitalize() if word.istitle() and len(word) > 1 else other
                yield "".join([*words[:k], other, *words[k + 1 :]])


def _check_rounding(m: Mechanism, problems: Problems) -> None:
    """What exact quarter turns would save, where the file has some that are rounded."""
    noted = any(p.code == "angle-rounded" for p in m.notes)
    if not noted or m.n > LARGE or not any(link.has_inertia for link in m.links):
        return
    exact = snapped(m)
    now, then = (kernel(x, ["inverse_dynamics"]).ops.total for x in (m, exact))
    if then < now:
        problems.note("angles-cost", f"robot {m.name!r}", "placements are nearly, not exactly, "
                      f"quarter turns: inverse dynamics takes {now} operations, with exact ones "
                      f"{then}", "load(..., snap_angles=True), or check --fix", now,
                      str(then))  # fmt: skip
