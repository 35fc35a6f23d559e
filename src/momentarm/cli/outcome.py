"""How a verb ends: its exit code, and the failures that lead to one."""

from __future__ import annotations

OK, PROBLEMS, USAGE, FILE, NUMBERS, INTERRUPTED, NO_READER = 0, 1, 2, 3, 4, 130, 141

EXIT_CODES = """\
Exit codes:
  0    all is well
  1    the check found problems
  2    the command line is wrong
  3    a file cannot be read, understood or written
  4    a result is not finite although its input is
  130  interrupted
  141  the reader of the output went away"""


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
