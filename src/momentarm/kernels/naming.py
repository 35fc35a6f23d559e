"""Names for the nodes of a trace, taken from the algorithm's own variables.

While an algorithm is traced under `watched`, the local variables of its functions are looked
through as each returns: a number found at motion[3].w.x is called that. Costs nothing otherwise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from momentarm.graph.expr import Expr
from momentarm.graph.program import Program


def watched(trace: Callable[[], Program], room: str) -> Program:
    """The program of `trace`, with names from the functions of the modules below `room`."""
    found: dict[int, str] = {}
    taken: set[str] = set()

    def on_event(frame: FrameType, event: str, _: Any) -> None:
        if event == "return" and str(frame.f_globals.get("__name__")).startswith(room):
            for path, i in _numbers(frame.f_locals, "", 0):
                if i not in found and path not in taken:
                    found[i] = path
                    taken.add(path)

    before = sys.getprofile()
    sys.setprofile(on_event)
    try:
        program = trace()
    finally:
        sys.setprofile(before)
    program.tape.names.update(found)
    return program


def _numbers(value: Any, path: str, depth: int) -> Iterator[tuple[str, int]]:
    """(path, node) of each expression in nested dicts, sequences and value types."""
    if isinstance(value, Expr):
        yield path, value.i
    elif depth < 6:
        if isinstance(value, dict):
            parts = ((f"{path}[{k}]" if path else str(k), v) for k, v in value.items())
        elif isinstance(value, list | tuple):
            parts = ((f"{path}[{k}]", v) for k, v in enumerate(value))
        else:
            slots = getattr(type(value), "__dataclass_fields__", ())
            parts = ((f"{path}.{k}", getattr(value, k)) for k in slots)
        for name, part in parts:
            yield from _numbers(part, name, depth + 1)
