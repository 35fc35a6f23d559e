"""Comma-separated tables: numbers come back bit for bit, mistakes are named by line and column.

Rule 1  A file of any length is read and written in blocks.
Rule 2  The usual case is fast; a block in which anything is unusual is read again with care.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from io import StringIO, TextIOWrapper
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from momentarm.cli import columns
from momentarm.cli.argument import STANDARD
from momentarm.cli.outcome import FileFailure
from momentarm.cli.output import standard

Matrix = NDArray[np.float64]
BLOCK = 4 << 20  # characters read at a time
HEADER = 1 << 20  # characters of the longest header
SHOWN = 8  # mistakes in one message


class CsvReader:
    """A table in a file or on standard input. `done` of `size` bytes are read."""

    def __init__(self, path: str) -> None:
        self.name = "<stdin>" if path == STANDARD else path
        self.size: float | None = None
        self.done = 0
        binary = self._opened(path)
        self._text = TextIOWrapper(binary, encoding="utf-8-sig", newline=None)
        self._own = path != STANDARD
        self._lines: Sequence[int] = range(0)  # of the present block, its line numbers
        self.heading = f"{self.name}:1:1"
        self.ignored: frozenset[str] = frozenset()  # columns whose cells need be no numbers
        try:
            self.columns = self._header()
        except FileFailure:
            self.close()
            raise

    def _opened(self, path: str) -> BinaryIO:
        if path == STANDARD:
            return cast(BinaryIO, standard("stdin").buffer)
        try:
            stream = open(path, "rb")  # noqa: SIM115 (it stays open; `close` closes it)
            self.size = os.fstat(stream.fileno()).st_size or None
        except OSError as problem:
            raise FileFailure(f"{path}: {problem.strerror}") from None
        return stream

    def close(self) -> None:
        if self._own:
            self._text.close()
        else:
            with suppress(ValueError):
                self._text.detach()

    def _header(self) -> list[str]:
        line = self._read(1)
        text = line[0].rstrip("\n") if line else ""
        where = f"{self.name}:1:1"
        if not text.strip():
            raise FileFailure(f"{where}: no header; expected columns like time,q.<joint>")
        if "\0" in text or len(text) >= HEADER:
            raise FileFailure(f"{where}: this is not a table in text; expected UTF-8 with commas")
        for separator, called in ((";", "semicolons"), ("\t", "tabs")):
            if separator in text and "," not in text:
                raise FileFailure(f"{where}: {called} between the columns; expected commas, and "
                                  "points in decimal numbers")  # fmt: skip
        try:
            cells = next(csv.reader([text], strict=True, skipinitialspace=True))
        except csv.Error:
            raise FileFailure(f"{where}: the quotes in the header do not match") from None
        return [cell.strip() for cell in cells]

    def blocks(self) -> Iterator[Matrix]:
        """The numbers, some thousand rows at a time; missing ones are NaN."""
        first = 2
        while lines := self._read(BLOCK):
            self.done += sum(map(len, lines))
            full = [line.rstrip("\n") for line in lines]
            numbers: Sequence[int] = range(first, first + len(full))
            first += len(full)
            if not all(full) or any(line.isspace() for line in full):
                kept = [(k, line) for k, line in zip(numbers, full, strict=True) if line.strip()]
                numbers, full = [k for k, _ in kept], [line for _, line in kept]
            self._lines = numbers
            if full:
                yield self._numbers(full)
        if not self._lines:
            yield np.empty((0, len(self.columns)))

    def place(self, row: int, column: str) -> str:
        """Where a row of the present block stands, and its column's name."""
        return f"{self.name}:{self._lines[row]} ({column})"

    def _read(self, size: int) -> list[str]:
        try:
            if size == 1:
                line = self._text.readline(HEADER)
                return [line] if line else []
            return self._text.readlines(size)
        except UnicodeDecodeError:
            raise FileFailure(f"{self.name}: this is not UTF-8 text; expected a table with commas "
                              "(.npz for NumPy's)") from None  # fmt: skip
        except OSError as problem:
            raise FileFailure(f"{self.name}: {problem.strerror}") from None

    def _numbers(self, lines: list[str]) -> Matrix:
        width = len(self.columns)
        joined = ",".join(lines)
        usual = joined.isascii() and "_" not in joined
        if usual and all(line.count(",") == width - 1 for line in lines):
            cells = joined.split(",")
            try:
                found = np.fromiter(map(float, cells), np.float64, len(cells))
                return found.reshape(-1, width)
            except ValueError:
                pass
        return self._careful(lines)

    def _careful(self, lines: list[str]) -> Matrix:
        """The same cell by cell: quoted and empty ones, and the place of each mistake."""
        width = len(self.columns)
        numbers = np.full((len(lines), width), np.nan)
        mistakes: list[str] = []
        for k, line in enumerate(lines):
            cells = line.split(",")
            if len(cells) != width:
                hint = "" if ";" not in line else "; semicolons do not separate"
                mistakes.append(f"{self.name}:{self._lines[k]}:1: {len(cells)} cells, expected "
                                f"the {width} of the header{hint}")  # fmt: skip
                continue
            for c, cell in enumerate(cells):
                if self.columns[c] in self.ignored:
                    continue
                try:
                    numbers[k, c] = _number(cell)
                except ValueError:
                    column = sum(map(len, cells[:c])) + c + 1
                    mistakes.append(f"{self.name}:{self._lines[k]}:{column}: "
                                    f"{self.columns[c]}: {cell[:40]!r} is no number")  # fmt: skip
            if len(mistakes) > SHOWN:
                mistakes[SHOWN:] = ["..."]
                break
        if mistakes:
            raise FileFailure("\n".join(["the table cannot be read", *mistakes]))
        return numbers


def _number(cell: str) -> float:
    text = cell.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1].strip()
    if not text:
        return float("nan")
    if not text.isascii() or "_" in text:
        raise ValueError
    return float(text)


class CsvWriter:
    """Rows as text that reads back as the same numbers."""

    def __init__(self, stream: BinaryIO, elements: columns.Elements) -> None:
        self._stream, self._elements = stream, elements
        self._started = False

    def rows(self, parts: Mapping[str, NDArray[np.floating]]) -> None:
        """A block: time and vectors, each with as many rows."""
        if not self._started:
            self._started = True
            header = StringIO()
            line = csv.writer(header, lineterminator="\n")
            line.writerow(columns.expanded(parts, self._elements))
            self._stream.write(header.getvalue().encode())
        if all(part.dtype == np.float64 for part in parts.values()):
            rows = np.concatenate(list(parts.values()), axis=1).tolist()
            lines = [",".join(map(repr, row)) for row in rows]
        else:
            texts = [_texts(part) for part in parts.values()]
            cells = zip(*texts, strict=True)
            lines = [",".join(cell for part in row for cell in part) for row in cells]
        self._stream.write("".join(f"{line}\n" for line in lines).encode())

    def close(self) -> None:
        """All is in the stream."""


def _texts(part: NDArray[np.floating]) -> list[list[str]]:
    """The shortest text that reads back as the same number of the same size."""
    if part.dtype == np.float64:
        return [list(map(repr, row)) for row in part.tolist()]
    return [[str(x) for x in row] for row in part]
