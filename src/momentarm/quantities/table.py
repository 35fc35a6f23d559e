"""The table of quantities: all rows, by name, topic after topic."""

from __future__ import annotations

from momentarm.quantities import (
    coriolis,
    derivatives,
    dynamics,
    energies,
    frame_motion,
    kinematics,
    link_forces,
    momentum,
    motion,
    parameters,
    state,
    task_space,
)

TOPICS = (
    dynamics,
    derivatives,
    energies,
    kinematics,
    parameters,
    motion,
    coriolis,
    frame_motion,
    momentum,
    link_forces,
    state,
    task_space,
)
QUANTITIES = {row.name: row for topic in TOPICS for row in topic.ROWS}
