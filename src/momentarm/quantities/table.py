"""The table of quantities: all rows, by name, topic after topic."""

from __future__ import annotations

from momentarm.quantities import (
    derivatives,
    dynamics,
    energies,
    kinematics,
    motion,
    parameters,
    task_space,
)

TOPICS = (
    dynamics,
    derivatives,
    energies,
    kinematics,
    parameters,
    motion,
    task_space,
)
QUANTITIES = {row.name: row for topic in TOPICS for row in topic.ROWS}
