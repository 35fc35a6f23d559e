"""The doctor: what is odd about a robot, how to mend it, and whether all formulations agree.

Rule 1  A finding has a code, a place, the number found, what is expected, and the likely fix.
Rule 2  Nothing is random: the same robot has the same findings.
Rule 3  A finding is true as it is worded. Bounds are physics where there is some (no body is denser
        than osmium), wide factors where there is none.
"""

from momentarm.doctor.examination import examine
from momentarm.doctor.report import Report

__all__ = ["Report", "examine"]
