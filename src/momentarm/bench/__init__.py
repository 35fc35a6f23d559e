"""The measured table: what this machine does, beside what was promised and what others do.

Rule 1  Ratios compare the same physics, in one run, turn and turn about, on one core.
Rule 2  The other library gets its fastest entry point and the arrays it likes best.
Rule 3  Absolute times inform and are no gate. What cannot be measured here says why.

To add a row: a line in `targets`, a function in the file of its kind.
"""

from momentarm.bench.report import Report, Row
from momentarm.bench.run import run

__all__ = ["Report", "Row", "run"]
