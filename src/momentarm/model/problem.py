"""What is wrong or odd in a robot file, said so that the reader can find and mend it.

Rule 1  A problem has a stable code, a place `file:line:column`, what was found, and a hint.
Rule 2  All problems of a file are collected; only then is `RobotFileError` raised, once.
Rule 3  Structure is an error, odd physics a warning; `strict` makes every warning an error. A note
        is worth knowing and no reproach; notes are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NoReturn

SHOWN = 20  # problems in the text of an exception, and names looked up for a suggestion
CLOSE = 0.77  # how like a name a suggestion must be, from 0 to 1
SEARCHED = 500  # names a suggestion is looked for in


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    severity: str  # "error", "warning" or "note"
    where: str  # file:line:column, or the link or joint of a robot without a file
    message: str
    hint: str = ""
    found: float | None = None  # the number that is odd, where it is one
    expected: str = ""  # what it should be

    def __str__(self) -> str:
        text = f"{self.where}: {self.severity}[{self.code}]: {self.message}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


class RobotFileError(ValueError):
    """A robot that cannot be built. `problems` holds everything found, warnings included."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        errors = [str(p) for p in self.problems if p.severity == "error"]
        more = len(errors) - SHOWN
        rest = [f"... and {more} more errors"] if more > 0 else []
        super().__init__("\n".join(errors[:SHOWN] + rest))

    def __reduce__(self) -> tuple[type[RobotFileError], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)


@dataclass(slots=True)
class Problems:
    """The problems of one file while it is read."""

    file: str
    strict: bool = False
    found: list[Problem] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)  # places of errors that `strict` did not make
    _suggestions: int = 0

    def at(self, line: int, column: int) -> str:
        return f"{self.file}:{line}:{column}"

    def error(self, code: str, where: str, message: str, hint: str = "") -> None:
        self.found.append(Problem(code, "error", where, message, hint))
        self.broken.add(where)

    def warning(self, code: str, where: str, message: str, hint: str = "",
                found: float | None = None, expected: str = "") -> None:  # fmt: skip
        severity = "error" if self.strict else "warning"
        self.found.append(Problem(code, severity, where, message, hint, found, expected))

    def note(self, code: str, where: str, message: str, hint: str = "",
             found: float | None = None, expected: str = "") -> None:  # fmt: skip
        self.notes.append(Problem(code, "note", where, message, hint, found, expected))

    def stop(self, code: str, where: str, message: str, hint: str = "") -> NoReturn:
        """An error after which nothing more can be read."""
        self.error(code, where, message, hint)
        raise RobotFileError(self.ordered())

    def has(self, codes: Iterable[str]) -> bool:
        return not {p.code for p in self.found}.isdisjoint(codes)

    def ordered(self) -> tuple[Problem, ...]:
        """In the order of the file's lines."""
        return in_order(self.found)

    def raise_errors(self) -> None:
        if any(p.severity == "error" for p in self.found):
            raise RobotFileError(self.ordered())

    def suggestion(self, name: str, known: Iterable[str]) -> str:
        """'did you mean …?', or the known names where none is near."""
        names = [candidate for candidate in islice(known, SEARCHED) if candidate]
        near = self.near(name, names)
        return near or "known: " + ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")

    def near(self, name: str, known: Iterable[str]) -> str:
        """'did you mean …?', or nothing."""
        self._suggestions += 1
        if self._suggestions > SHOWN:
            return ""
        import difflib  # here, because a sound file never needs it

        near = difflib.get_close_matches(name[:200], list(islice(known, SEARCHED)), 1, CLOSE)
        return f"did you mean {near[0]!r}?" if near else ""


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """What is said of a name that is not there, and which was probably meant."""
    from difflib import get_close_matches

    known = list(known)
    close = get_close_matches(str(name), known, 1) or [k for k in known if name and str(name) in k]
    hint = f"did you mean {close[0]!r}?" if close else f"there are {listed(known, 16)}"
    return f"no {kind} {name!r}; {hint}"


def listed(names: Iterable[str], most: int = 10) -> str:
    """Names as text; of many the first ones, and how many more there are."""
    names = list(names)
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def made_strict(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """With every warning an error."""
    return tuple(replace(p, severity="error") if p.severity == "warning" else p for p in problems)


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """By line and column; those without a place come first, as they are."""
    return tuple(sorted(problems, key=lambda p: _place(p.where)))


def _place(where: str) -> tuple[int, int]:
    parts = where.rsplit(":", 2)
    try:
        return int(parts[1]), int(parts[2])
    except (IndexError, ValueError):
        return 0, 0
