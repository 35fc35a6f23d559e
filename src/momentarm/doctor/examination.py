"""All findings of one robot: those of its reader, and what only the assembled robot shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from momentarm.doctor.bodies import check_bodies
from momentarm.doctor.condition import check_loads, check_mass_matrix
from momentarm.doctor.joints import check_joints
from momentarm.doctor.report import Report
from momentarm.doctor.whole import check_whole
from momentarm.model import Mechanism
from momentarm.model.problem import Problem, Problems, in_order, made_strict

Array = NDArray[np.float64]


def examine(m: Mechanism, warnings: Sequence[Problem], states: Iterable[Any],
            strict: bool = False) -> Report:  # fmt: skip
    """The report on a robot, its reader's warnings included; `states` are where M is looked at."""
    problems = Problems(m.name, strict)
    at = [np.asarray(q, float) for q in states]
    check_whole(m, problems)
    check_bodies(m, problems)
    check_joints(m, problems)
    condition = check_mass_matrix(m, at, warnings, problems)
    check_loads(m, at, problems)
    read = made_strict(warnings) if strict else warnings
    found = [*read, *m.notes, *problems.found, *problems.notes]
    return Report(m.name, in_order(_once(found)), condition)


def _once(problems: Iterable[Problem]) -> list[Problem]:
    """The first of those that say the same of the same place."""
    first: dict[tuple[str, str, str], Problem] = {}
    for p in problems:
        subject = p.message.partition(":")[0] if p.code.startswith("inertia-") else p.message
        first.setdefault((p.code, p.where, subject), p)
    return list(first.values())
