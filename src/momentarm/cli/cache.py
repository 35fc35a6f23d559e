"""momentarm cache: the kernels kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from momentarm.cli import talk
from momentarm.cli.argument import Json
from momentarm.cli.outcome import OK, PROBLEMS, FileFailure
from momentarm.kernels import cache as kernels

ABOUT = """The compiled kernels kept on disk: where, how many, whether sound.

Try:
  momentarm cache info"""


def info(*, json: Json = False) -> None:
    """Where the kernels are kept, how many, how large.

    Try:
      momentarm cache info
    """
    facts = kernels.info()
    if json:
        talk.data_as_json(facts)
        return
    kibi = facts["bytes"] / 1024
    size = f"{kibi:.0f} KiB" if kibi < 1024 else f"{kibi / 1024:.1f} MiB"
    size += f" of at most {facts['limit'] >> 20} MiB"
    rows = [("directory", facts["directory"] or "none"),
            ("usable", "yes" if facts["usable"] else f"no: {facts['problem']}"),
            ("kernels", facts["entries"]), ("size", size)]  # fmt: skip
    talk.data(talk.aligned(rows))


def clear(*, json: Json = False) -> None:
    """Remove them all; they are made again when they are needed.

    Try:
      momentarm cache clear
    """
    removed = _usable(kernels.clear)
    if json:
        talk.data_as_json({"removed": removed})
    else:
        talk.data(f"{removed} removed")


def verify(*, json: Json = False) -> int:
    """Check the SHA-256 of each; damaged ones are removed, and the exit code is 1.

    Try:
      momentarm cache verify
    """
    sound, damaged = _usable(kernels.verify)
    if json:
        talk.data_as_json({"sound": sound, "damaged": [str(path) for path in damaged]})
    else:
        talk.data("\n".join([f"{sound} sound, {len(damaged)} damaged", *map(str, damaged)]))
    return PROBLEMS if damaged else OK


Result = TypeVar("Result")


def _usable(action: Callable[[], Result]) -> Result:
    try:
        return action()
    except kernels.Unusable as problem:
        raise FileFailure(str(problem)) from None
