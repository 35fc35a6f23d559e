"""What the doctor says: problems in the order of the file, and the condition of M."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from momentarm.doctor.condition import Condition
from momentarm.model.problem import Problem

SEVERITIES = ("error", "warning", "note")
NOTES = 3  # of one code that are shown; `as_dict` has all


@dataclass(frozen=True, slots=True)
class Report:
    """Findings of one robot. `print` it, loop over it, or take `as_dict()` to JSON."""

    robot: str
    problems: tuple[Problem, ...]
    condition: Condition | None = None  # None: no M, or not asked for

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    def __len__(self) -> int:
        return len(self.problems)

    def of(self, severity: str) -> tuple[Problem, ...]:
        """The errors, the warnings or the notes."""
        return tuple(p for p in self.problems if p.severity == severity)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong or odd; notes are no reproach."""
        return not self.of("error") and not self.of("warning")

    @property
    def codes(self) -> tuple[str, ...]:
        """What was found, each code once, in order."""
        return tuple(dict.fromkeys(p.code for p in self.problems))

    @property
    def summary(self) -> str:
        return counted(self.problems)

    def __str__(self) -> str:
        tail = [str(self.condition)] if self.condition else []
        return "\n".join([*shown(self.problems), *tail, f"{self.robot}: {self.summary}"])

    def as_dict(self) -> dict[str, Any]:
        """Plain data, as `momentarm check --json` prints it."""
        condition = self.condition.as_dict() if self.condition else None
        return {"robot": self.robot, "problems": [p.as_dict() for p in self.problems],
                "condition": condition}  # fmt: skip


def shown(problems: tuple[Problem, ...]) -> Iterator[str]:
    """Each problem as text; of notes of one kind the first few, then how many more."""
    notes = Counter(p.code for p in problems if p.severity == "note")
    left = dict.fromkeys(notes, NOTES)
    for p in problems:
        if p.severity != "note":
            yield str(p)
        elif left[p.code] > 0:
            left[p.code] -= 1
            yield str(p)
    for code, number in notes.items():
        if number > NOTES:
            yield f"... and {number - NOTES} more note[{code}]"


def counted(problems: tuple[Problem, ...]) -> str:
    """How many of which kind."""
    kinds = [p.severity for p in problems]
    found = [f"{number} {kind}{'s' * (number > 1)}" for kind in SEVERITIES
             if (number := kinds.count(kind))]  # fmt: skip
    return ", ".join(found) or "no problems"
