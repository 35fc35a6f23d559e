"""The tour: torques along a motion of the bundled Panda, and the motion back from the torques.

Everything but the timings is the same on every run: the motion is fixed, and a result depends on
its arguments alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from momentarm import robots
from momentarm.demo.motion import Motion, Recovery
from momentarm.demo.timing import Cost
from momentarm.robot import Robot
from momentarm.version import __version__

NEEDS_MATPLOTLIB = "no picture without matplotlib; to get it: pip install 'momentarm[plot]'"

Say = Callable[[str], None]


@dataclass(frozen=True)
class Tour:
    """What the demo found."""

    arm: Robot
    motion: Motion
    recovery: Recovery
    costs: tuple[Cost, ...]

    def as_dict(self) -> dict[str, Any]:
        """The numbers of the tour; only what is called nanoseconds differs from run to run."""
        return {
            "robot": self.arm.name,
            "version": __version__,
            "states": len(self.motion.t),
            "duration_s": float(self.motion.t[-1]),
            "largest_torque": dict(zip(self.arm.joint_names, self.motion.peaks, strict=True)),
            "acceleration_error": self.recovery.acceleration_error,
            "integrated_s": float(self.recovery.t[-1]),
            "position_error": self.recovery.position_error,
            "quantities": [cost.as_dict() for cost in self.costs],
        }

    def table(self) -> str:
        """The same for people."""
        from momentarm.demo.written import table

        return table(self)


def run(say: Say = lambda text: None) -> Tour:
    """The tour, saying what it does."""
    from momentarm.demo import motion, timing

    arm = robots.panda()
    say(f"{arm.name}: {arm.n} joints; torques along a motion")
    along = motion.motion(arm)
    say(f"the motion back from the torques of {len(along.t)} states")
    back = motion.recovery(arm, along)
    say("operations and nanoseconds per state")
    return Tour(arm, along, back, tuple(timing.costs(arm, along)))


def write(tour: Tour, folder: Path, say: Say = lambda text: None) -> list[Path]:
    """trajectory.csv, table.json and, where matplotlib is, demo.png and demo.svg."""
    from momentarm.demo import written

    folder.mkdir(parents=True, exist_ok=True)
    files = written.data(tour, folder)
    try:
        import matplotlib as _  # noqa: F401
    except ImportError:
        say(NEEDS_MATPLOTLIB)
        return files
    from momentarm.demo import picture

    say("the picture")
    return files + picture.save(tour, folder)
