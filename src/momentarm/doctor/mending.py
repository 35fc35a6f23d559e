"""A repaired copy of a robot file: every number that changes is listed, before and after.

Rule 1  A URDF stays the text it is: only the digits of mended numbers change, byte for byte else.
Rule 2  A native file is written anew from what was read, as `Robot.save` writes it.
Rule 3  The file is not opened and nothing is written here: text in, text out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from momentarm import formats
from momentarm.doctor import repair
from momentarm.formats import native, xml
from momentarm.formats.numbers import NumberError, number, numbers
from momentarm.formats.xml import Element
from momentarm.model.assemble import assemble
from momentarm.model.description import JointDescription, LinkDescription, RobotDescription
from momentarm.model.problem import Problems
from momentarm.spatial import Sym3, Vec3

TENSOR = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_encoding = re.compile(rb"""^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']""")
_line_end = re.compile("\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Change:
    """One number, or a few that belong together, and why."""

    code: str  # of the finding that it mends
    where: str
    what: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.where}: fixed[{self.code}]: {self.what}: {self.before} -> {self.after}"

    def as_dict(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in self.__slots__}


Changes = tuple[Change, ...]
Edit = tuple[Element, str, str, Change]  # an attribute of an element, its new text


# -- URDF: in place --------------------------------------------------------------------------------


def mended_urdf(text: bytes, name: str) -> tuple[bytes, Changes]:
    """The text with its numbers mended. Raises `RobotFileError` where there is no XML."""
    problems = Problems(name)
    root = xml.parse(text, problems)
    found = _encoding.match(text.removeprefix(b"\xef\xbb\xbf"))
    codec = found[1].decode() if found else "utf-8"
    edits = [*_link_edits(root), *_joint_edits(root)]
    try:
        written = text.decode(codec)
    except (LookupError, UnicodeDecodeError) as e:
        problems.stop("encoding", problems.at(1, 1), f"cannot be edited: {e}", "save it as UTF-8")
    starts = [0, *(m.end() for m in _line_end.finditer(written))]
    spans = [(_span(written, starts, element, attribute), new, change)
             for element, attribute, new, change in edits]  # fmt: skip
    done = []
    for span, new, change in sorted(spans, key=lambda s: s[0] or (0, 0), reverse=True):
        if span is not None:
            raw = written[slice(*span)]
            written = written[: span[0]] + _words_changed(raw, new) + written[span[1] :]
            done.append(change)
    return written.encode(codec), tuple(c for *_, c in edits if c in done)


def _words_changed(raw: str, new: str) -> str:
    """The words of `new` with the white space of `raw`, which XML does not tell apart."""
    words = iter(new.split())
    return re.sub(r"\S+", lambda _: next(words), raw)


def _span(text: str, starts: list[int], element: Element, attribute: str) -> tuple[int, int] | None:
    """Where an attribute's value stands; None where the text does not say it plainly."""
    line, column = map(int, element.where.rsplit(":", 2)[1:])
    at = starts[line - 1] + column - 1
    if not text.startswith(f"<{element.tag}", at):
        return None
    tag = re.compile(r"""<[^\s/>]+(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*""").match(text, at)
    pattern = re.compile(rf"""\s{attribute}\s*=\s*(["'])(.*?)\1""", re.DOTALL)
    value = pattern.search(text, at, tag.end()) if tag else None
    plain = value is not None and value[2].split() == element.attributes[attribute].split()
    return value.span(2) if value is not None and plain else None


def _link_edits(root: Element) -> Iterator[Edit]:
    for link in root.all("link"):
        for inertial in link.all("inertial")[:1]:
            what = f"inertia of link {link.attributes.get('name', '')!r}"
            yield from _rpy_edits(inertial, what)
            for tensor in inertial.all("inertia")[:1]:
                yield from _inertia_edits(tensor, what)


def _joint_edits(root: Element) -> Iterator[Edit]:
    for joint in root.all("joint"):
        what, kind = f"joint {joint.attributes.get('name', '')!r}", joint.attributes.get("type", "")
        yield from _rpy_edits(joint, what)
        for axis in joint.all("axis")[:1]:
            given = _numbers(axis, "xyz", 3)
            mended = repair.unit(given) if given and kind != "fixed" else None
            if mended:
                yield _edit(axis, "xyz", _row(mended), "axis-not-unit", what)
        for limit in joint.all("limit")[:1]:
            yield from _limit_edits(limit, kind, what)


def _rpy_edits(of: Element, what: str) -> Iterator[Edit]:
    for origin in of.all("origin")[:1]:
        given = _numbers(origin, "rpy", 3)
        exact = [repair.quarter_turn(a) for a in given or ()]
        if any(a is not None for a in exact):
            words = origin.attributes["rpy"].split()
            new = (word if a is None else plain(a) for word, a in zip(words, exact, strict=True))
            yield _edit(origin, "rpy", " ".join(new), "angle-rounded", what)


def _inertia_edits(tensor: Element, what: str) -> Iterator[Edit]:
    given = [_numbers(tensor, name, 1) for name in TENSOR]
    if not all(given):
        return
    old = [x[0] for x in given if x]
    mended = repair.inertia(old)
    for name, x, new in zip(TENSOR, old, mended or old, strict=True):
        if new != x:
            yield _edit(tensor, name, plain(new), "inertia-triangle", what)


def _limit_edits(limit: Element, kind: str, what: str) -> Iterator[Edit]:
    low, high = (_numbers(limit, name, 1) for name in ("lower", "upper"))
    if kind not in ("revolute", "prismatic") or not (low and high):
        return
    mended = repair.limits(kind, low[0], high[0])
    code = "limits-order" if low > high else "limit-degrees"
    for name, x, new in zip(("lower", "upper"), (low[0], high[0]), mended or (), strict=False):
        if new != x:
            yield _edit(limit, name, plain(new), code, what)


def _numbers(element: Element, name: str, count: int) -> tuple[float, ...] | None:
    """An attribute's numbers; None where it is absent, or none."""
    text = element.attributes.get(name, "")
    try:
        return numbers(text, count) if count > 1 else (number(text),)
    except NumberError:
        return None


def _edit(element: Element, name: str, new: str, code: str, what: str) -> Edit:
    before = " ".join(element.attributes[name].split())
    change = Change(code, element.where, f"{what}: <{element.tag}> {name}", before, new)
    return element, name, new, change


def plain(x: float) -> str:
    """The shortest digits that read back as x."""
    text = repr(float(x))
    return text.removesuffix(".0") if "e" not in text else text


def _row(values: Any) -> str:
    return " ".join(map(plain, values))


# -- native: written anew --------------------------------------------------------------------------


def mended_native(text: bytes, name: str) -> tuple[bytes, Changes]:
    """The robot written anew, its numbers mended. Raises `RobotFileError` where there is none."""
    problems = Problems(name)
    robot = native.describe(text, problems, snap_angles=True)
    changes = [_snapped(p.where, p.message) for p in problems.found if p.code == "angle-snapped"]
    links = tuple(_mended_link(link, changes) for link in robot.links)
    joints = tuple(_mended_joint(joint, changes) for joint in robot.joints)
    whole: RobotDescription = replace(robot, links=links, joints=joints)
    return formats.dumps(assemble(whole, problems)).encode(), tuple(changes)


def _snapped(where: str, message: str) -> Change:
    what, _, numbers = message.rpartition(": ")
    before, _, after = numbers.partition(" to ")
    return Change("angle-rounded", where, what, before, after)


def _mended_link(link: LinkDescription, changes: list[Change]) -> LinkDescription:
    mended = None if link.mass is None or link.moments else repair.inertia([*link.inertia])
    if mended is None:
        return link
    changes.append(Change("inertia-triangle", link.at("inertia"), f"inertia of link {link.name!r}",
                          _row(link.inertia), _row(mended)))  # fmt: skip
    return replace(link, inertia=Sym3(*mended))


def _mended_joint(joint: JointDescription, changes: list[Change]) -> JointDescription:
    what, limits = f"joint {joint.name!r}", joint.limits
    axis = repair.unit([*joint.axis]) if joint.kind != "fixed" else None
    if axis:
        changes.append(Change("axis-not-unit", joint.at("axis"), f"{what}: axis",
                              _row(joint.axis), _row(axis)))  # fmt: skip
        joint = replace(joint, axis=Vec3(*axis))
    ends = repair.limits(joint.kind, limits.lower, limits.upper)
    if ends and limits.lower is not None and limits.upper is not None:
        code = "limits-order" if limits.lower > limits.upper else "limit-degrees"
        changes.append(Change(code, joint.at("limits"), f"{what}: limits",
                              _row((limits.lower, limits.upper)), _row(ends)))  # fmt: skip
        joint = replace(joint, limits=replace(limits, lower=ends[0], upper=ends[1]))
    return joint


def mended(text: bytes, name: str, format: str, into: str) -> tuple[bytes, Changes]:
    """The repaired robot in a format; a native file is never made a URDF."""
    if format == "toml":
        return mended_native(text, name)
    edited, changes = mended_urdf(text, name)
    if into == "urdf":
        return edited, changes
    mechanism, _ = formats.loads(edited, "urdf", name)
    return formats.dumps(mechanism).encode(), changes
