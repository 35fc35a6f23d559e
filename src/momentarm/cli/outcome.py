"""How a verb ends: its exit code, and the failures that lead to one."""

from __future__ import annotations

OK, PROBLEMS, USAGE, FILE, NUMBERS, BUG, INTERRUPTED, NO_READER = 0, 1, 2, 3, 4, 70, 130, 141
MEANINGS = {
    OK: "all is well",
    PROBLEMS: "the check found problems, or `cache verify` damage",
    USAGE: "the command line is wrong",
    FILE: "a file cannot be read, understood or written",
    NUMBERS: "a result is not finite although its input is",
    BUG: "a bug of momentarm: please report it",
    INTERRUPTED: "interrupted",
    NO_READER: "the reader of the output went away",
}
ALWAYS = (OK, USAGE, FILE, BUG, INTERRUPTED, NO_READER)


def exit_codes(*more: int) -> str:
    """The exit codes of a verb, for its help."""
    lines = (f"  {code:<3}  {MEANINGS[code]}" for code in sorted({*ALWAYS, *more}))
    return "\n".join(["Exit codes:", *lines])


class Failure(Exception):
    """What the user is told instead of a traceback, and the exit code."""

    code = USAGE


class UsageFailure(Failure):
    """The command line asks for what there is not."""


class FileFailure(Failure):
    """A file cannot be read, understood or written."""

    code = FILE


class NumberFailure(Failure):
    """A result is not finite although its input is."""

    code = NUMBERS
