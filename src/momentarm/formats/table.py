"""Typed reading of a mapping, for formats made of keys and values (native TOML, DH rows).

Rule 1  Each key is read once by what it must be; a wrong value is a problem with key, found and
        expected, and reading goes on with the default.
Rule 2  Unknown keys are errors: a misspelt `damping` must not be silently zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from momentarm.formats.numbers import NumberError, Turns, angle, upright
from momentarm.model.description import Pose
from momentarm.model.mechanism import Coupling, Limits
from momentarm.model.problem import Problems
from momentarm.spatial import IDENTITY, ZERO, ZERO_SYM, Mat3, Sym3, Vec3

POSE = ("xyz", "rpy", "rotation")


@dataclass(slots=True)
class Table:
    """The values of one thing; `what` names it in messages, `place` tells where a key stands."""

    values: Mapping[str, Any]
    what: str
    place: Callable[[str], str]
    problems: Problems
    turns: Turns

    def complain(self, key: str, message: str, hint: str = "", code: str = "value") -> None:
        self.problems.error(code, self.place(key), f"{self.what}: {message}", hint)

    def only(self, *known: str) -> None:
        for key in self.values:
            if key not in known:
                self.complain(str(key), f"unknown key {str(key)[:40]!r}",
                              self.problems.suggestion(str(key), known), "unknown-key")  # fmt: skip

    def string(self, key: str, default: str | None = None) -> str | None:
        value = self.values.get(key, default)
        if value is None or isinstance(value, str):
            return value
        self.complain(key, f"{key} is {_shown(value)}, expected text")
        return default

    def name(self, key: str) -> str:
        """Text that must be there."""
        if key not in self.values:
            self.complain(key, f"{key!r} is missing", f'add {key} = "..."', "element-missing")
        return self.string(key) or ""

    def number(self, key: str, default: float = 0.0, *, angular: bool = False) -> float:
        return self._number(key, self.values[key], angular) if key in self.values else default

    def optional(self, key: str, *, angular: bool = False) -> float | None:
        return self._number(key, self.values[key], angular) if key in self.values else None

    def _number(self, key: str, value: Any, angular: bool = False) -> float:
        hint = ""
        if _is_number(value):
            try:
                if abs(number := float(value)) < float("inf"):
                    return number
            except OverflowError:
                pass
            hint = "a robot's numbers are finite"
        elif isinstance(value, str) and angular:
            try:
                return angle(value)
            except NumberError as e:
                self.complain(key, f"{key}: {e}", e.hint, "number")
                return 0.0
        elif isinstance(value, str):
            hint = "write it without quotes"
        self.complain(key, f"{key} is {_shown(value)}, expected a number", hint, "number")
        return 0.0

    def row(self, key: str, count: int, *, angular: bool = False) -> tuple[float, ...] | None:
        """Exactly `count` numbers, or None where the key is absent or wrong."""
        value = _listed(self.values.get(key))
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != count:
            self.complain(key, f"{key} is {_shown(value)}, expected {count} numbers", "", "number")
            return None
        return tuple(self._number(key, x, angular) for x in value)

    def vector(self, key: str, default: Vec3 = ZERO) -> Vec3:
        row = self.row(key, 3)
        return default if row is None else Vec3(*row)

    def matrix(self, key: str) -> list[tuple[float, ...]] | None:
        """Three rows of three numbers."""
        rows = _listed(self.values.get(key))
        if not _is_square(rows):
            self.complain(key, f"{key} is {_shown(rows)}, expected 3 rows of 3 numbers",
                          code="number")  # fmt: skip
            return None
        return [tuple(self._number(key, x) for x in row) for row in rows]

    def symmetric(self, key: str) -> Sym3:
        """[xx, yy, zz, xy, xz, yz], or a symmetric matrix."""
        if not _is_square(_listed(self.values.get(key))):
            row = self.row(key, 6)
            return ZERO_SYM if row is None else Sym3(*row)
        rows = self.matrix(key) or [(0.0, 0.0, 0.0)] * 3
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
        scale = 1e-9 * max(abs(x) for row in rows for x in row)
        if max(abs(xy - yx), abs(xz - zx), abs(yz - zy)) > scale:
            self.complain(key, f"{key} is not symmetric", "", "number")
        return Sym3(xx, yy, zz, xy, xz, yz)

    def table(self, key: str, *known: str) -> Table | None:
        """A nested table with these keys."""
        value = self.values.get(key)
        if value is None:
            return None
        place = self.place(key)
        if not isinstance(value, Mapping):
            self.complain(key, f"{key} is {_shown(value)}, expected {{ {', '.join(known)} }}")
            return None
        inner = Table(value, f"{self.what}, {key}", lambda _: place, self.problems, self.turns)
        inner.only(*known)
        return inner

    # ------------------------------------------------------------ what several tables hold

    def pose(self) -> Pose:
        """xyz with rpy or rotation."""
        return Pose(self.rotation(), self.vector("xyz"))

    def rotation(self) -> Mat3:
        rpy = self.row("rpy", 3, angular=True)
        if "rotation" not in self.values:
            return IDENTITY if rpy is None else self.turned("rpy", lambda: self.turns.rpy(*rpy))
        if rpy is not None:
            self.complain("rotation", "rpy and rotation exclude each other", "keep one")
        rows = self.matrix("rotation")
        if rows is None:
            return IDENTITY
        return upright(Mat3.rows(rows), lambda m: self.complain("rotation", f"rotation {m}"))

    def turned(self, key: str, make: Callable[[], Any]) -> Any:
        """What `make` makes of angles, and what is to be said of them."""
        before = self.turns.marks
        made = make()
        self.turns.tell(before, self.place(key), f"{self.what}: {key}", self.problems)
        return made

    def limits(self, kind: str) -> Limits:
        names = ("lower", "upper", "velocity", "effort")
        inner = self.table("limits", *names)
        if inner is None:
            return Limits()
        turning = kind != "prismatic"
        return Limits(*(inner.optional(n, angular=turning and n != "effort") for n in names))

    def mimic(self, kind: str) -> Coupling | None:
        inner = self.table("mimic", "joint", "ratio", "offset")
        if inner is None:
            return None
        offset = inner.number("offset", angular=kind != "prismatic")
        return Coupling(inner.name("joint"), inner.number("ratio", 1.0), offset)


def given_gravity(value: Any, maker: str, problems: Problems) -> Vec3:
    """The gravity that a function was given."""
    value = value if isinstance(value, str) or not hasattr(value, "__iter__") else list(value)
    table = Table({"gravity": value}, maker, lambda _: maker, problems, Turns())
    return table.vector("gravity")


def _listed(value: Any) -> Any:
    """Arrays as lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return [_listed(x) if isinstance(x, tuple | list) or hasattr(x, "tolist") else x
                for x in value]  # fmt: skip
    return value


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real)


def _is_square(rows: Any) -> bool:
    return (isinstance(rows, list) and len(rows) == 3
            and all(isinstance(row, list) and len(row) == 3 for row in rows))  # fmt: skip


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "a table"
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def keys(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(key for group in groups for key in group)
