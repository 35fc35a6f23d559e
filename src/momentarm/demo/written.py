"""The tour as data: a table of states, the numbers as JSON, a table for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from momentarm.demo import Tour


def data(tour: Tour, folder: Path) -> list[Path]:
    """trajectory.csv, which `momentarm id` and `fd` read, and table.json."""
    states, numbers = folder / "trajectory.csv", folder / "table.json"
    along = tour.motion
    parts = {"q": along.q, "qd": along.qd, "qdd": along.qdd, "tau": along.tau}
    names = ["time", *(f"{part}.{joint}" for part in parts for joint in tour.arm.joint_names)]
    rows = np.concatenate([along.t[:, None], *parts.values()], axis=1).tolist()
    lines = [",".join(names), *(",".join(map(repr, row)) for row in rows)]
    states.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    text = json.dumps(tour.as_dict(), indent=2)
    numbers.write_text(text + "\n", encoding="utf-8", newline="\n")
    return [states, numbers]


def table(tour: Tour) -> str:
    """Counts and nanoseconds of each quantity; how well the motion came back."""
    head = f"{'':18}{'mul':>6}{'add':>6}{'div':>5}{'sincos':>8}"
    head += f"{'batch ns':>11}{'float32 ns':>12}{'one call ns':>13}"
    rows = [
        f"{c.quantity:18}{c.ops.mul:6}{c.ops.add:6}{c.ops.div or '':>5}{c.ops.sincos or '':>8}"
        f"{c.batch:11.1f}{c.batch_single:12.1f}{c.call:13.0f}"
        for c in tour.costs
    ]
    back = tour.recovery
    return "\n".join([
        head,
        *rows,
        "ns: for one state, one thread; batch: of 4096 states; one call: from Python",
        "",
        f"{tour.arm.name}, {len(tour.motion.t)} states in {tour.motion.t[-1]:g} s; "
        f"the motion back from its torques:",
        f"  accelerations of all states: off by at most {back.acceleration_error:.1e} rad/s²",
        f"  {back.t[-1]:g} s integrated from the first state: "
        f"off by at most {back.position_error:.1e} rad",
    ])  # fmt: skip
