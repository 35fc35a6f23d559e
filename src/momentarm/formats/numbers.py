"""Numbers and angles as robot files write them, and rotations made of them.

Rule 1  One grammar, whatever the locale: `-1.5e-3`. No nan, inf, hex, comma, underscore, ${x}.
Rule 2  An angle within 4 ulp of a quarter turn is that quarter turn, with sine and cosine 0, ±1.
Rule 3  `snap` also takes rounded quarter turns (1.5708, 3.14) as such, and says which.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from momentarm.model.alignment import EPS
from momentarm.model.problem import Problems
from momentarm.spatial import IDENTITY, Mat3, Rotation, Vec3

REAL = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
UNSIGNED = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
HALF_PI = math.pi / 2
NEAR = 1e-6  # rad; how far a quarter turn written with six digits or more may be off
ROUNDED = 1e-5  # how far an element of a rotation may be off that was made of such angles

_real = re.compile(REAL)
_degrees = re.compile(rf"\s*({REAL})\s*deg\s*")
_pi = re.compile(rf"\s*([+-]?)(?:({UNSIGNED})\s*\*?\s*)?pi(?:\s*/\s*({UNSIGNED}))?\s*")


class NumberError(ValueError):
    """What is wrong with a number; the reader adds where it is."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def number(text: str) -> float:
    """
    >>> number("-1.5e-3")
    -0.0015
    """
    if not _real.fullmatch(text):
        raise NumberError(f"{_quoted(text)} is not a number", _advice(text))
    value = float(text)
    if math.isinf(value):
        raise NumberError(f"{_quoted(text)} is too large for a number")
    return value


def numbers(text: str, count: int) -> tuple[float, ...]:
    """Exactly `count` numbers separated by white space."""
    words = text.split()
    values = tuple(number(word) for word in words[:count])
    if len(words) != count:
        raise NumberError(f"expected {count} numbers, got {len(words)} in {_quoted(text)}")
    return values


def angle(text: str) -> float:
    """Radians from `90 deg`, `pi/2`, `-3*pi/4` or a plain number.

    >>> angle("90 deg") == angle("pi/2") == HALF_PI
    True
    """
    if match := _degrees.fullmatch(text):
        return math.radians(number(match[1]))
    if match := _pi.fullmatch(text):
        over = float(match[3] or 1)
        if over == 0:
            raise NumberError(f"{_quoted(text)} divides by zero")
        value = float(match[2] or 1) * math.pi / over
        return number(repr(-value if match[1] == "-" else value))
    try:
        return number(text.strip())
    except NumberError as e:
        raise NumberError(f"{_quoted(text)} is not an angle",
                          "write radians, '90 deg' or 'pi/2'") from e  # fmt: skip


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _advice(text: str) -> str:
    if "${" in text or "$(" in text:
        return "this is xacro; expand it first: xacro robot.urdf.xacro > robot.urdf"
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", text):
        return f"decimals take a point: {text.replace(',', '.')}"
    if text.lower().strip("+-") in ("nan", "inf", "infinity"):
        return "a robot's numbers are finite; leave the attribute out where nothing is known"
    if text.endswith((",", ";")):
        return "numbers stand apart by spaces alone"
    if (_degrees.fullmatch(text) or _pi.fullmatch(text)) and not re.search(r"/\s*0*\.?0*$", text):
        return f"angles are radians in decimals: {angle(text)!r}"
    return "write decimals like -1.5e-3"


@dataclass(slots=True)
class Turns:
    """Sines and cosines of a file's angles; `snapped` lists what `snap` changed, or would."""

    snap: bool = False
    snapped: list[tuple[float, str]] = field(default_factory=list)
    degrees: list[str] = field(default_factory=list)  # what can hardly be radians

    @property
    def marks(self) -> tuple[int, int]:
        """How much there is to tell so far."""
        return len(self.snapped), len(self.degrees)

    def tell(self, since: tuple[int, int], where: str, what: str, problems: Problems) -> None:
        """Say what has been odd about the angles read since then."""
        rounded, degrees = self.snapped[since[0] :], self.degrees[since[1] :]
        if rounded and self.snap:
            changed = ", ".join(f"{a!r} to {exact}" for a, exact in rounded)
            problems.warning("angle-snapped", where, f"{what}: {changed}")
        elif rounded:
            written = ", ".join(f"{a!r} for {exact}" for a, exact in rounded)
            problems.note("angle-rounded", where, f"{what}: rounded quarter turns, {written}",
                          "load(..., snap_angles=True) or check --fix makes them exact",
                          rounded[0][0], rounded[0][1])  # fmt: skip
        if degrees:
            problems.warning("angle-degrees", where, f"{what}: {', '.join(degrees)} rad looks like "
                             "degrees", "angles are in radians", float(degrees[0]),
                             "radians")  # fmt: skip

    def cos_sin(self, a: float) -> tuple[float, float]:
        k = round(a / HALF_PI) if abs(a) < 1e6 else 0
        near, rounding = abs(a - k * HALF_PI), 4 * math.ulp(max(1.0, abs(a)))
        if looks_like_degrees(a):
            self.degrees.append(f"{a:g}")
        elif near > rounding and is_rounded(a, k * HALF_PI):
            self.snapped.append((a, _named(k)))
            near = 0 if self.snap else near
        if near <= rounding:
            return ((1, 0), (0, 1), (-1, 0), (0, -1))[k % 4]
        return math.cos(a), math.sin(a)

    def rpy(self, roll: float, pitch: float, yaw: float) -> Mat3:
        """Rz(yaw) Ry(pitch) Rx(roll), the order of URDF."""
        if roll == pitch == yaw == 0:
            return IDENTITY
        (cr, sr), (cp, sp), (cy, sy) = self.cos_sin(roll), self.cos_sin(pitch), self.cos_sin(yaw)
        return Mat3.rows((
            (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
            (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
            (-sp, cp * sr, cp * cr),
        ))  # fmt: skip

    def matrix(self, A: Mat3) -> Mat3:
        """A rotation whose elements were computed: 0, 1 and -1 where rounding alone hides them.

        >>> Turns().matrix(Mat3.rows(((1, 1e-17, 0), (0, 2e-16, -1), (0, 1, 0)))).cy
        Vec3(x=0, y=0, z=1)
        """
        exact = Mat3(*(Vec3(*(_whole(x, EPS) for x in c)) for c in (A.cx, A.cy, A.cz)))
        if not self.snap:
            return exact
        snapped = Mat3(*(Vec3(*(_whole(x, ROUNDED) for x in c)) for c in (A.cx, A.cy, A.cz)))
        if snapped == exact or any(x not in (0, 1, -1) for row in snapped for x in row):
            return exact
        moved = zip((x for v in exact for x in v), (x for v in snapped for x in v), strict=True)
        self.snapped += [(x, str(whole)) for x, whole in moved if x != whole]
        return snapped

    def quaternion(self, x: float, y: float, z: float, w: float) -> Mat3:
        """The rotation that a quaternion of any length but zero stands for."""
        R: Mat3 = Rotation.from_quaternion(x, y, z, w).matrix
        return self.matrix(R)


def _whole(x: float, near: float) -> float:
    """`x`, or the 0, 1 or -1 it is near to."""
    return round(x) if abs(x - round(x)) <= near else x


def looks_like_degrees(a: float) -> bool:
    """Whether an angle in radians would be more than a turn and is a round number of degrees.

    >>> [looks_like_degrees(a) for a in (90.0, -180.0, 7.5, 6.283)]
    [True, True, False, False]
    """
    return 10 <= abs(a) <= 720 and a % 2.5 == 0


def is_rounded(a: float, exact: float) -> bool:
    """Whether `a` is `exact` rounded or cut to the decimals it is written with."""
    if abs(a - exact) <= NEAR:
        return True
    decimals = len(repr(a).partition(".")[2])
    scale = 10**decimals
    cut = math.trunc(exact * scale) / scale
    return 2 <= decimals <= 6 and a in (round(exact, decimals), cut)


def _named(quarters: int) -> str:
    return {0: "0", 1: "pi/2", -1: "-pi/2", 2: "pi", -2: "-pi"}.get(quarters, f"{quarters}*pi/2")


def upright(A: Mat3, complain: Callable[[str], None]) -> Mat3:
    """`A` as a rotation: as it is, or pulled to the nearest; `complain` hears if it is none."""
    off = _deviation(A)
    if not off <= 1e-3 or A.cx.dot(A.cy.cross(A.cz)) < 0:
        complain("is not a rotation: its rows must be unit vectors at right angles, right-handed")
        return IDENTITY
    while off > 1e-13:
        A, before = (A * 3 - A @ (A.T @ A)) * 0.5, off
        off = _deviation(A)
        if off >= before:
            break
    return A


def _deviation(A: Mat3) -> float:
    """How far AᵀA is from the identity."""
    return max(abs(x) for row in (A.T @ A) - IDENTITY for x in row)
