"""What the command says: data on standard output, everything else on standard error.

Rule 1  Data is never coloured. Talk is, on a terminal, unless NO_COLOR is set.
Rule 2  A bar appears only on a terminal, and only for work longer than half a second.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterable, Sequence
from typing import Any

from momentarm.cli.output import standard

PATIENCE = 0.5  # seconds before a bar appears


def data(text: str) -> None:
    """Text that was asked for."""
    standard("stdout").write(text if text.endswith("\n") else text + "\n")


def data_as_json(value: Any) -> None:
    """The same as JSON; what JSON has no number for is null."""
    data(json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False))


def json_line(value: Any) -> str:
    return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False) + "\n"


def note(text: str) -> None:
    _say(text, "")


def warning(text: str) -> None:
    _say(f"warning: {text}", "yellow")


def error(text: str) -> None:
    _say(text, "red")


def show_warning(message: Warning | str, *_: Any) -> None:
    """In place of `warnings.showwarning`."""
    warning(str(message))


def _say(text: str, colour: str) -> None:
    if sys.stderr is None:  # closed: nobody listens
        return
    if not sys.stderr.isatty():
        sys.stderr.write(f"momentarm: {text}\n")
        return
    from rich.console import Console
    from rich.text import Text

    line = Text.assemble(("momentarm:", colour), " ", text)
    Console(stderr=True, highlight=False).print(line, soft_wrap=True)


def aligned(rows: Sequence[Sequence[object]], right: Iterable[int] = ()) -> str:
    """Rows as text in columns; those named in `right` end together."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    ends = frozenset(right)
    lines = (
        "  ".join(
            cell.rjust(w) if k in ends else cell.ljust(w)
            for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


class Progress:
    """A bar on standard error. `total` None: not known, as for a pipe."""

    def __init__(self, what: str, total: float | None) -> None:
        self._what, self._total = what, total
        self._start = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def at(self, done: float) -> None:
        if self._bar is None:
            on_terminal = sys.stderr is not None and sys.stderr.isatty()
            if not on_terminal or time.monotonic() - self._start < PATIENCE:
                return
            self._bar = self._new_bar()
        self._bar.update(self._bar.task_ids[0], completed=done)

    def _new_bar(self) -> Any:
        from rich.console import Console
        from rich.progress import Progress as Bar

        bar = Bar(console=Console(stderr=True), transient=True)
        bar.add_task(self._what, total=self._total)
        bar.start()
        return bar


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
