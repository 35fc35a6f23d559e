"""Reads the native format, TOML: the keys below, or see any file in `momentarm/robots`.

Rule 1  Every key is known and checked; a misspelt one is an error with a suggestion.
Rule 2  Angles are radians, or text like "90 deg" and "pi/2".
Rule 3  TOML keeps no places; they are found again by scanning the lines for tables and keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from momentarm.formats.dh import CONVENTIONS, body, in_joint_axes, modified_step, standard_step
from momentarm.formats.native_text import MARK
from momentarm.formats.numbers import Turns
from momentarm.formats.table import POSE, Table, keys
from momentarm.formats.xml import check_size
from momentarm.model.description import (
    EARTH,
    HERE,
    FrameDescription,
    JointDescription,
    LinkDescription,
    Moments,
    Pose,
    RobotDescription,
)
from momentarm.model.problem import Problems
from momentarm.spatial import EZ, Sym3

ABOUT = ("description", "source", "license")
ROBOT = keys(("format", "name"), ABOUT, ("gravity", "base", "tip", "origin", "link", "joint",
                                         "frame"))  # fmt: skip
LINK = ("name", "mass", "com", "inertia", "first_moments", "second_moments", "frame")
JOINT = keys(("name", "type", "parent", "child"), POSE, (
    "dh", "axis", "pitch", "ratio", "offset", "limits", "damping", "friction", "armature",
    "mimic"))  # fmt: skip
FRAME = keys(("name", "parent"), POSE)
DH = ("a", "alpha", "d", "theta", "convention")

Places = dict[tuple[str, int, str], tuple[int, int]]

_header = re.compile(r"\s*\[\[?\s*([\w-]+)(?:\s*\.\s*([\w-]+))?\s*\]")
_key = re.compile(r"\s*([\w-]+)\s*[.=]")


@dataclass(frozen=True, slots=True)
class _File:
    """The values of a file, where they stand, and what reads them."""

    values: dict[str, Any]
    places: Places
    problems: Problems
    turns: Turns

    @property
    def robot(self) -> Table:
        """The keys above all tables."""
        return self._table(("", 0), "robot", self.values, ROBOT)

    def tables(self, kind: str, known: tuple[str, ...]) -> Iterator[Table]:
        """The tables [[kind]] in order."""
        for i, item in enumerate(self._items(kind)):
            what = f"{kind} {item['name']!r}" if "name" in item else f"{kind} number {i + 1}"
            yield self._table((kind, i), what, item, known)

    def _table(self, at: tuple[str, int], what: str, values: Mapping[str, Any],
               known: tuple[str, ...]) -> Table:  # fmt: skip
        table = Table(values, what, lambda key: self._place(*at, key), self.problems, self.turns)
        table.only(*known)
        return table

    def _items(self, kind: str) -> list[Mapping[str, Any]]:
        items = self.values.get(kind, [])
        if isinstance(items, list) and all(isinstance(item, dict) for item in items):
            return items
        self.problems.error("value", self._place("", 0, kind), f"{kind} is not a list of tables",
                            f"write [[{kind}]]")  # fmt: skip
        return []

    def _place(self, kind: str, number: int, key: str) -> str:
        """Of the key; else of its table; else of the list of tables; else the first line."""
        for known in ((kind, number, key), (kind, number, ""), ("", 0, kind)):
            if known in self.places:
                return self.problems.at(*self.places[known])
        return self.problems.at(1, 1)


def describe(
    text: str | bytes, problems: Problems, *, snap_angles: bool = False
) -> RobotDescription:
    """What a native file says."""
    text = _decoded(text, problems)
    file = _File(_parsed(text, problems), _places(text), problems, Turns(snap_angles))
    robot = file.robot
    _check_mark(robot)
    ends: dict[str, Pose] = {}
    links = tuple(_link(table) for table in file.tables("link", LINK))
    joints = tuple(_joint(table, ends) for table in file.tables("joint", JOINT))
    frames = tuple(_frame(table) for table in file.tables("frame", FRAME))
    origin = robot.table("origin", *POSE)
    described = RobotDescription(
        robot.string("name", "robot") or "",
        links,
        joints,
        frames,
        robot.vector("gravity", EARTH),
        robot.string("base"),
        robot.string("tip"),
        HERE if origin is None else origin.pose(),
        {key: said for key in ABOUT if (said := robot.string(key))},
        robot.place("name"),
        {key: robot.place(key) for key in ("base", "tip", "gravity", "origin")},
    )
    return in_joint_axes(described, ends)


def _frame(table: Table) -> FrameDescription:
    return FrameDescription(
        table.name("name"), table.name("parent"), table.pose(), table.place("name")
    )


def _check_mark(robot: Table) -> None:
    mark = robot.values.get("format")
    if mark != MARK:
        found = "is missing" if mark is None else f"is {str(mark)[:40]!r}"
        robot.complain("format", f"format {found}, expected {MARK!r}",
                       f'the first line must be: format = "{MARK}"', "format")  # fmt: skip


def _link(table: Table) -> LinkDescription:
    name, where = table.name("name"), table.place("name")
    places = {key: table.place(key) for key in ("mass", "inertia", "com")}
    frame = table.table("frame", *POSE)
    pose = HERE if frame is None else frame.pose()
    said = table.values.keys() & {"mass", "com", "inertia", "first_moments", "second_moments"}
    if not said:
        return LinkDescription(name, frame=pose, where=where)
    if "mass" not in said:
        table.complain("name", f"{', '.join(sorted(said))} without mass", "add mass = ...",
                       "element-missing")  # fmt: skip
    link = replace(body(name, table), frame=pose, where=where, places=places)
    return replace(link, moments=_moments(table)) if said & {*LINK[4:6]} else link


def _moments(table: Table) -> Moments:
    for key in ("com", "inertia"):
        if key in table.values:
            table.complain(key, f"{key} and moments exclude each other", "keep one kind")
    second = table.row("second_moments", 6)
    return Moments(table.vector("first_moments"), Sym3(*(second or (0.0,) * 6)))


def _joint(table: Table, ends: dict[str, Pose]) -> JointDescription:
    kind = table.name("type")
    child = table.name("child")
    sliding = kind == "prismatic"
    if "pitch" in table.values and kind != "helical":
        table.complain("pitch", f"a {kind} joint has no pitch", "make its type helical")
    return JointDescription(
        table.name("name"),
        kind,
        table.name("parent"),
        child,
        _dh(table, child, ends) if "dh" in table.values else table.pose(),
        table.vector("axis", EZ),
        table.number("pitch"),
        table.number("ratio", 1.0),
        table.number("offset", angular=not sliding),
        table.limits(kind),
        table.number("damping"),
        table.number("friction"),
        table.number("armature"),
        table.mimic(kind),
        table.place("name"),
        {"dynamics": table.place("damping"), **{key: table.place(key) for key in (
            "parent", "child", "axis", "limits", "mimic")},
         "placement": table.place("xyz")},
    )  # fmt: skip


def _dh(table: Table, child: str, ends: dict[str, Pose]) -> Pose:
    """The placement of a joint given by DH; `ends` gets the child's frame where that is apart."""
    for key in (*POSE, "axis"):
        if key in table.values:
            table.complain(key, f"dh and {key} exclude each other", "keep one")
    step = table.table("dh", *DH)
    if step is None:
        return HERE
    convention = step.values.get("convention")
    if convention not in CONVENTIONS:
        step.complain("convention", f"convention is {convention!r}, expected 'standard' or "
                      "'modified'", "say which; there is no default")  # fmt: skip
    if convention == "modified":
        return modified_step(step)
    ends[child] = standard_step(step)
    return HERE


def _decoded(text: str | bytes, problems: Problems) -> str:
    check_size(text, problems)
    if isinstance(text, str):
        return text
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line = text.count(b"\n", 0, e.start) + 1
        problems.stop("encoding", problems.at(line, 1), "is not UTF-8 text", "save it as UTF-8")


def _parsed(text: str, problems: Problems) -> dict[str, Any]:
    import tomllib  # here: importing momentarm reads no file yet

    try:
        return tomllib.loads(text)
    except RecursionError:
        problems.stop("too-deep", problems.at(1, 1), "values are nested too deeply")
    except ValueError as e:  # TOMLDecodeError, and numbers Python refuses
        match = re.search(r"\(at line (\d+), column (\d+)\)", str(e))
        line, column = (int(match[1]), int(match[2])) if match else (text.count("\n") + 1, 1)
        reason = str(e).split(" (at ")[0][:120]
        problems.stop("toml", problems.at(line, column), f"not valid TOML: {reason}")


def _places(text: str) -> Places:
    """Line and column of each key: (table, its number, key); key "" is the table's head."""
    places: Places = {}
    counts: dict[str, int] = {}
    kind, number = "", 0
    for line, content in enumerate(text.split("\n"), 1):
        if match := _header.match(content):
            kind, part = match[1], match[2]
            if part is None and content.lstrip().startswith("[["):
                counts[kind] = counts.get(kind, -1) + 1
                number = counts[kind]
            key, start = part or "", content.index("[")
            places.setdefault(("", 0, kind), (line, start + 1))
        elif match := _key.match(content):
            key, start = match[1], match.start(1)
        else:
            continue
        places.setdefault((kind, number, key), (line, start + 1))
    return places
