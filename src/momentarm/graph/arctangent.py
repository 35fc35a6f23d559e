"""The angle of a direction, spelt out in the operations of the tape, so that all backends agree.

The smaller of |y| and |x| over the larger is the tangent t of an angle up to π/4. Above tan π/8 the
angle is π/4 + atan((t − 1)/(t + 1)); an odd polynomial does the rest, its error below 1e-17. Halves
of π that a float cannot hold are added with what they lack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

EIGHTH = 0.41421356237309503  # tan π/8
QUARTER, QUARTER_REST = 0.7853981633974483, 3.061616997868383e-17
# atan(z) = z + z³ P(z²) for |z| ≤ tan π/8: interpolation at Chebyshev's points, by 60 digits
P = (-0.019175404711104935, 0.03923044778479309, -0.050854078345894844, 0.05858140904866328,
     -0.06664510525508936, 0.07692183125376892, -0.0909090457530649, 0.11111111015187018,
     -0.14285714284665682, 0.19999999999995516, -0.3333333333333333)  # fmt: skip


def arctan2(y: Any, x: Any, where: Callable[[Any, Any, Any], Any]) -> Any:
    """The angle from the x-axis to (x, y), in (−π, π]; 0 for (0, 0)."""
    across, along = abs(y), abs(x)
    is_steep = along < across
    small, large = where(is_steep, along, across), where(is_steep, across, along)
    is_wide = large * EIGHTH < small
    top, bottom = where(is_wide, small - large, small), where(is_wide, small + large, large)
    z = where(bottom.equals(0), 0 * bottom, top / bottom)
    zz, poly = z * z, P[0]
    for k in P[1:]:
        poly = poly * zz + k
    rest = z * (zz * poly)
    quarters = where(is_wide, 1, 0)  # the angle is quarters · π/4 + sign · (z + rest)
    quarters, sign = where(is_steep, 2 - quarters, quarters), where(is_steep, -1, 1)
    is_back = x < 0
    quarters, sign = where(is_back, 4 - quarters, quarters), where(is_back, -sign, sign)
    angle = quarters * QUARTER + (sign * z + (sign * rest + quarters * QUARTER_REST))
    return where(y < 0, -angle, angle)
