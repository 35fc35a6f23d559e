"""An XML tree together with the files it includes, as one text of an element a line.

Rule 1  Every file is read by our own strict reader, within its limits; nobody else opens one.
Rule 2  A file may name files in its own folder, in folders below and in those beside it.
Rule 3  The text has an element a line, so that a line tells where the element was written.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from xml.sax.saxutils import quoteattr

from momentarm.formats.xml import MAX_DEPTH, MAX_ELEMENTS, MAX_TEXT, Element, check_expanded, parse
from momentarm.model.problem import Problems

MAX_FILES = 100


@dataclass(frozen=True, slots=True)
class Folder:
    """Where a robot file lies, and what it may read from there; nothing, if it is mere text."""

    file: str

    def content(self, name: str, beside: str, element: Element,
                problems: Problems) -> tuple[str, bytes]:  # fmt: skip
        """Path and bytes of a file that an element names, from the robot's folder or `beside`."""
        label = f"<{element.tag}> names {name[:80]!r}"
        if not os.path.isfile(self.file):
            problems.stop("include", element.where, f"{label}, but this is text without a folder",
                          "load the file by its name")  # fmt: skip
        name = name.replace("\\", "/")
        if os.path.isabs(name) or ":" in name:
            problems.stop("include", element.where, f"{label}; a robot names files by their way "
                          "from its own folder", "write the relative path")  # fmt: skip
        places = [os.path.join(folder, name) for folder in (os.path.dirname(self.file), beside)]
        found = next((place for place in places if os.path.isfile(place)), None)
        if found is None:
            problems.stop("include", element.where, f"{label}, which is not there: {places[0]}")
        root = Path(self.file).resolve().parent.parent
        if not Path(found).resolve().is_relative_to(root):
            problems.stop("include", element.where, f"{label}, which lies outside {root}",
                          "keep what belongs to a robot in its folder or beside it")  # fmt: skip
        with open(found, "rb") as stream:
            content = stream.read(MAX_TEXT + 1)
        if len(content) > MAX_TEXT:
            problems.stop("too-large", element.where, f"{label}, which is longer than {MAX_TEXT}")
        return found, content


@dataclass(frozen=True, slots=True)
class Whole:
    """The text, and the element of each of its lines."""

    text: str
    elements: tuple[Element, ...]

    def place(self, line: int) -> str:
        """Where the element of a line was written."""
        return self.elements[min(max(line, 1), len(self.elements)) - 1].where


def whole(root: Element, folder: Folder, problems: Problems) -> Whole:
    """A tree with each <include file="…"/> replaced by the elements of that file."""
    lines: list[str] = []
    elements: list[Element] = []
    files = 0
    stack: list[tuple[Element | str, str]] = [(root, os.path.dirname(folder.file))]
    depth = 0
    while stack:
        item, beside = stack.pop()
        if isinstance(item, str):
            lines[-1] += item
            depth -= 1
            continue
        if item.tag == "include":
            files += 1
            item, beside = _included(item, beside, folder, problems, files)
            check_expanded(item, problems)
            stack.extend((child, beside) for child in reversed(item.children))
            continue
        if len(lines) >= MAX_ELEMENTS or (depth := depth + 1) > MAX_DEPTH:
            problems.stop("too-large", item.where, f"with what it includes the file has more than "
                          f"{MAX_ELEMENTS} elements or {MAX_DEPTH} levels")  # fmt: skip
        attributes = "".join(f" {k}={quoteattr(v)}" for k, v in item.attributes.items())
        lines.append(f"<{item.tag}{attributes}>")
        elements.append(item)
        stack.append((f"</{item.tag}>", beside))
        stack.extend((child, beside) for child in reversed(item.children))
    return Whole("\n".join(lines), tuple(elements))


def _included(element: Element, beside: str, folder: Folder, problems: Problems,
              files: int) -> tuple[Element, str]:  # fmt: skip
    """The root of an included file, and its folder."""
    name = element.attributes.get("file", "")
    if files > MAX_FILES:
        problems.stop("too-large", element.where, f"more than {MAX_FILES} files are included, or "
                      "a file includes itself")  # fmt: skip
    path, content = folder.content(name, beside, element, problems)
    return parse(content, replace(problems, file=path)), os.path.dirname(path)
