"""The report: rows with verdicts, as a table for people and as plain data for programs.

It measures nothing and knows no library.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from momentarm.bench.targets import Target

WIDTH = 59  # of the column that says what is measured


@dataclass(frozen=True)
class Row:
    """One measurement beside its promise. `value` is None where there is none; `why` says so."""

    target: Target
    value: float | None = None
    why: str = ""
    note: str = ""
    details: dict[str, Any] = field(default_factory=dict)
    vector_bits: int = 512

    @property
    def key(self) -> str:
        return self.target.key

    @property
    def must(self) -> float | None:
        return self.target.on(self.vector_bits)[0]

    @property
    def aim(self) -> float | None:
        return self.target.on(self.vector_bits)[1]

    @property
    def verdict(self) -> str:
        """ "aim", "must" or "missed"; "for information", or why there is no number."""
        if self.value is None:
            return self.why
        if self.must is None:
            return "for information"
        if not self.target.meets(self.value, self.must):
            return "missed"
        return "aim" if self.aim is not None and self.target.meets(self.value, self.aim) else "must"

    def as_dict(self) -> dict[str, Any]:
        named = {"key": self.key, "what": self.target.what, "unit": self.target.unit}
        found = {"value": self.value, "must": self.must, "aim": self.aim, "verdict": self.verdict}
        return named | found | {"note": self.note, "details": self.details}


@dataclass(frozen=True)
class Report:
    """What `run` gives."""

    machine: dict[str, Any]
    rows: tuple[Row, ...]

    def __getitem__(self, key: str) -> Row:
        return next(row for row in self.rows if row.key == key)

    def as_dict(self) -> dict[str, Any]:
        """Plain data that JSON can say."""
        return {"machine": self.machine, "rows": [row.as_dict() for row in self.rows]}

    def table(self) -> str:
        """The table as text, each row with how it was measured."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterable[str]:
        width = max(map(len, self.machine), default=0)
        for name, fact in self.machine.items():
            parts = [f"{k} {v}" for k, v in fact.items()] if isinstance(fact, dict) else [fact]
            yield f"{name:<{width}}  {', '.join(parts)}"
        yield ""
        yield f"{'what':<{WIDTH}} {'measured':>9} {'must':>7} {'aim':>7}  verdict"
        for row in self.rows:
            numbers = (shown(x, row.target.unit) for x in (row.value, row.must, row.aim))
            value, must, aim = numbers
            line = f"{row.target.what:<{WIDTH}} {value:>9} {must:>7} {aim:>7}  {row.verdict}"
            yield line.rstrip()
            if row.note:
                yield f"    {row.note}"
        if self.rows and (bits := self.rows[0].vector_bits) != 512:
            yield f"must and aim of the batch rows are scaled from registers of 512 bits to {bits}"


def shown(x: float | None, unit: str) -> str:
    """A number with as many digits as its unit deserves."""
    if x is None:
        return "-"
    match unit:
        case "x":
            return f"{x:.3g}x"
        case "ms" | "ns" | "s":
            return f"{x:.3g} {unit}"
        case "ops" | "numbers":
            return f"{x:.0f}"
        case "exponent":
            return f"{x:.2f}"
    return f"{x:.2g}"


@dataclass(frozen=True, slots=True)
class Spread:
    """Repeated times in seconds: the least, the median and the two quartiles around it."""

    least: float
    median: float
    low: float
    high: float
    repeats: int

    @classmethod
    def of(cls, times: Iterable[float]) -> Spread:
        t = sorted(times)
        return cls(t[0], _quantile(t, 0.5), _quantile(t, 0.25), _quantile(t, 0.75), len(t))

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def text(self, scale: float, unit: str) -> str:
        """Median, least, and the width of the middle half; `scale` of `unit` are a second."""
        spread = (self.high - self.low) / self.median if self.median else 0
        digits = f"{self.median * scale:.4g} {unit}, least {self.least * scale:.4g}"
        return f"{digits}, spread {spread:.0%}"


def _quantile(ordered: list[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    k = int(place)
    rest = place - k
    return ordered[k] * (1 - rest) + ordered[min(k + 1, len(ordered) - 1)] * rest
