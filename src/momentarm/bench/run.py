"""One run: every row, in the order of `targets`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from momentarm.bench import accuracy, bits, book, chains, counts, large, machine, speed, starts
from momentarm.bench.report import Report, Row


def run(peers: bool = True, quick: bool = False,
        progress: Callable[[str], object] = lambda row: None) -> Report:  # fmt: skip
    """Measure everything; minutes, or without what is slow (`quick`) half a minute.

    `peers=False` leaves other libraries out; where they are not installed their rows say so.
    `progress` hears of each row as it is done.
    """
    rows = []
    for row in _rows(peers, quick):
        rows.append(replace(row, vector_bits=machine.vector_bits()))
        progress(f"{row.target.what}: {rows[-1].verdict}")
    return Report(machine.facts(peers), tuple(rows))


def _rows(peers: bool, quick: bool) -> Iterator[Row]:
    yield from speed.rows(peers, quick)
    yield from book.rows(peers, quick)
    yield from counts.rows()
    yield from starts.rows(quick)
    yield from chains.rows(quick)
    yield from accuracy.rows()
    yield from bits.rows()
    yield from large.rows(peers, quick)
