"""A strict reader of XML: elements with their place, nothing that could do harm.

Rule 1  DOCTYPE and with it all entities are refused; nothing outside the text is opened.
Rule 2  Size, number of elements, depth and length of attributes are bounded.
Rule 3  Nothing recurses. Broken XML is a problem with line and column, never a crash.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from momentarm.model.problem import Problems

MAX_ELEMENTS = 20_000
MAX_DEPTH = 200
MAX_ATTRIBUTE = 64 * 1024
MAX_TEXT = 32 * 1024 * 1024

XACRO_HINT = "this is xacro; expand it first: xacro robot.urdf.xacro > robot.urdf"


@dataclass(slots=True, eq=False)
class Element:
    tag: str
    attributes: dict[str, str]
    where: str
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> list[Element]:
        return [child for child in self.children if child.tag == tag]


class _Refused(Exception):
    """Ends the parse; the problem is already recorded or in the arguments."""


class _Builder:
    """Expat's handlers: a stack of open elements."""

    def __init__(self, parser: Any, problems: Problems) -> None:
        self.parser, self.problems = parser, problems
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.StartDoctypeDeclHandler = self.doctype
        parser.EntityDeclHandler = self.doctype

    @property
    def where(self) -> str:
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber
        return self.problems.at(line, column + 1)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        element = Element(tag, attributes, self.where)
        if self.count > MAX_ELEMENTS:
            raise _Refused("too-large", f"more than {MAX_ELEMENTS} elements")
        if len(self.open) >= MAX_DEPTH:
            raise _Refused("too-deep", f"elements nested deeper than {MAX_DEPTH}")
        if any(len(value) > MAX_ATTRIBUTE for value in attributes.values()):
            raise _Refused("too-large", f"an attribute of <{tag[:40]}> longer than "
                           f"{MAX_ATTRIBUTE} characters")  # fmt: skip
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, tag: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        if not text.isspace() and not self.open[-1].children:
            self.open[-1].text += text

    def doctype(self, *declaration: Any) -> None:
        raise _Refused("doctype", "DOCTYPE and entities are not allowed",
                       "a robot file needs none; delete the declaration")  # fmt: skip


def parse(text: str | bytes, problems: Problems) -> Element:
    """The root element; raises `RobotFileError` where there is none."""
    from xml.parsers import expat  # here: importing momentarm reads no file yet

    check_size(text, problems)
    if isinstance(text, str):
        text = text.encode("utf-8", "surrogatepass")
        parser = expat.ParserCreate("utf-8")
    else:
        parser = expat.ParserCreate()
    parser.buffer_text = True
    builder = _Builder(parser, problems)
    try:
        parser.Parse(text, True)
    except _Refused as e:
        code, *message = e.args
        problems.stop(code, builder.where, *message)
    except expat.ExpatError as e:
        reason = expat.ErrorString(e.code) or "broken"
        reason = reason.removeprefix("not well-formed (").removesuffix(")")
        problems.stop("xml", problems.at(e.lineno, e.offset + 1), f"not well-formed XML: {reason}",
                      _xml_advice(text, builder))  # fmt: skip
    except (LookupError, ValueError) as e:  # an encoding that Python or expat does not know
        problems.stop("xml", problems.at(1, 1), f"cannot be decoded: {e}", "save it as UTF-8")
    assert builder.root is not None
    return builder.root


def check_size(text: str | bytes, problems: Problems) -> None:
    if len(text) > MAX_TEXT:
        problems.stop("too-large", problems.at(1, 1), f"longer than {MAX_TEXT} characters",
                      "a robot file holds no meshes")  # fmt: skip


def _xml_advice(text: bytes, builder: _Builder) -> str:
    """What most likely happened."""
    start = text.removeprefix(b"\xef\xbb\xbf")
    if not start.strip():
        return "the file is empty"
    if not start.lstrip().startswith(b"<"):
        return "this is no XML; a URDF starts with <robot"
    if start.lstrip().startswith(b"<?xml") and not start.startswith(b"<?xml"):
        return "nothing may stand before <?xml, not even a blank line"
    if not builder.open:
        return ""
    inner = builder.open[-1]
    return f"the innermost open element is <{inner.tag[:40]}> ({inner.where})"


def check_expanded(root: Element, problems: Problems) -> None:
    """Refuse xacro text: its numbers are not numbers yet."""
    stack = [root]
    while stack:
        element = stack.pop()
        if element.tag.startswith("xacro:") or any(
            "${" in value or "$(" in value for value in element.attributes.values()
        ):
            problems.stop("xacro", element.where, f"<{element.tag[:40]}> is xacro, not yet "
                          "expanded", XACRO_HINT)  # fmt: skip
        stack.extend(reversed(element.children))
