"""Rows of waiting: import, the first result with nothing cached, the first from the disk cache.

Each is measured in fresh processes, with a cache directory of their own; the clock runs in them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from momentarm.bench.report import Row, Spread
from momentarm.bench.targets import TARGETS

REPEATS, QUICK = 9, 3  # fresh processes of each kind

_FIRST_RESULT = """
import time
import momentarm
import numpy as np
arm = momentarm.robots.panda().ideal
q, qd, qdd = np.linspace(-1, 1, 21).reshape(3, 7)
start = time.perf_counter()
arm.inverse_dynamics(q, qd, qdd)
print(time.perf_counter() - start)
"""
_IMPORT = "import time; s = time.perf_counter(); import {}; print(time.perf_counter() - s)"


def rows(quick: bool) -> Iterable[Row]:
    repeats = QUICK if quick else REPEATS
    with tempfile.TemporaryDirectory(prefix="momentarm-bench-") as folder:
        seconds(_FIRST_RESULT, Path(folder, "once"))  # the interpreter's own cache is warm now
        empty = [seconds(_FIRST_RESULT, Path(folder, str(k))) for k in range(repeats)]
        found = [seconds(_FIRST_RESULT, Path(folder, "once")) for _ in range(repeats)]
        yield _row("cold", empty)
        yield _row("cached", found)
        yield _import(Path(folder), repeats)


def _row(key: str, times: list[float]) -> Row:
    spread = Spread.of(times)
    note = f"{spread.text(1e3, 'ms')}, {len(times)} fresh processes"
    return Row(TARGETS[key], spread.median * 1e3, note=note, details=spread.as_dict())


def _import(folder: Path, repeats: int) -> Row:
    """Each import alone in its process; the difference of the medians."""
    pairs = [[seconds(_IMPORT.format(k), folder) for k in ("momentarm", "numpy")]
             for _ in range(repeats)]  # fmt: skip
    ours, numpy = (Spread.of(side) for side in zip(*pairs, strict=True))
    note = f"{ours.text(1e3, 'ms')}; numpy: {numpy.text(1e3, 'ms')}; {len(pairs)} processes each"
    details = {"momentarm": ours.as_dict(), "numpy": numpy.as_dict()}
    return Row(TARGETS["import"], (ours.median - numpy.median) * 1e3, note=note, details=details)


def seconds(code: str, cache: Path) -> float:
    """What the code prints, run by a fresh interpreter that finds this very package."""
    cache.mkdir(exist_ok=True)
    package = str(Path(__file__).parents[2])
    paths = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": paths}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True,
                         text=True, check=False)  # fmt: skip
    if run.returncode:
        raise RuntimeError(f"a fresh process failed:\n{run.stderr}")
    return float(run.stdout)
