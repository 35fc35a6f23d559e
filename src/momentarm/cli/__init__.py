"""The command `momentarm`. One file a verb; to add one: its file and a row in `VERBS`.

Rule 1  Standard output is data, standard error is talk; every verb takes --json.
Rule 2  A user's mistake gives one message and an exit code (`outcome`), never a traceback.
Rule 3  A verb imports what is heavy when it runs: help and small verbs start at once.
"""

from __future__ import annotations

import inspect
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from cyclopts import App, CycloptsError, MissingArgumentError, Parameter, UnusedCliTokensError

from momentarm import RobotFileError, __version__
from momentarm.cli import (
    argument,
    bench,
    cache,
    check,
    demo,
    dynamics,
    export,
    info,
    outcome,
    robots,
    show,
    talk,
)

__all__ = ["main"]

ABOUT = """Robot dynamics, compiled from the textbook.

ROBOT is a .urdf, .mjcf, .xml (either) or .toml file, the name of a bundled robot, or - for
standard input.

Try:
  momentarm info panda
  momentarm id panda motion.csv torques.csv
  momentarm id --help"""

VERBS: tuple[tuple[str, Callable[..., Any], str], ...] = (
    ("info", info.info, "ROBOT"),
    ("check", check.check, "FILE..."),
    ("id", dynamics.inverse, "ROBOT IN [OUT]"),
    ("fd", dynamics.forward, "ROBOT IN [OUT]"),
    ("show", show.show, "ROBOT QUANTITY"),
    ("export", export.export, "ROBOT QUANTITY --out DIR"),
    ("bench", bench.bench, ""),
    ("demo", demo.demo, ""),
    ("robots", robots.robots, ""),
)
CACHE_VERBS: tuple[tuple[str, Callable[..., Any]], ...] = (
    ("info", cache.info),
    ("clear", cache.clear),
    ("verify", cache.verify),
)
CODES = {"check": (outcome.PROBLEMS,), "cache verify": (outcome.PROBLEMS,),
         "id": (outcome.NUMBERS,), "fd": (outcome.NUMBERS,)}  # fmt: skip


def application() -> App:
    """The verbs, ready to read a command line."""
    app = App("momentarm", ABOUT, version=__version__, help_format="plaintext",
              usage="Usage: momentarm VERB ...",
              help_epilogue=outcome.exit_codes(*outcome.MEANINGS),
              default_parameter=Parameter(negative="", show_default=False),
              suppress_keyboard_interrupt=False)  # fmt: skip
    for k, (name, verb, takes) in enumerate(VERBS):
        usage = " ".join(("Usage: momentarm", name, *takes.split(), "[OPTIONS]"))
        app.command(verb, name=name, help=_help(verb), usage=usage, sort_key=k,
                    help_epilogue=outcome.exit_codes(*CODES.get(name, ())))  # fmt: skip
    kept = App("cache", cache.ABOUT, sort_key=len(VERBS), usage="Usage: momentarm cache VERB")
    for name, verb in CACHE_VERBS:
        kept.command(verb, name=name, help=_help(verb),
                     help_epilogue=outcome.exit_codes(*CODES.get(f"cache {name}", ())))  # fmt: skip
    app.command(kept)
    return app


def _help(verb: Callable[..., Any]) -> str:
    """Its docstring, each paragraph in one line for the terminal to wrap."""
    paragraphs = (inspect.getdoc(verb) or "").split("\n\n")
    return "\n\n".join(p if "\n  " in p else p.replace("\n", " ") for p in paragraphs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    tokens = [argument.STANDARD if token == "-" else token for token in given]
    _write_unicode()
    with warnings.catch_warnings():
        warnings.showwarning = talk.show_warning  # type: ignore[assignment]
        try:
            code = _run(tokens)
            if sys.stdout:
                sys.stdout.flush()
        except BrokenPipeError:
            _give_up_output()
            code = outcome.NO_READER
        except OSError as problem:  # of standard output; files are the verbs' business
            talk.error(_said(problem))
            _give_up_output()
            code = outcome.FILE
    return code


def _run(tokens: Sequence[str]) -> int:
    try:
        code = application()(tokens, exit_on_error=False, print_error=False,
                             result_action="return_value")  # fmt: skip
        return int(code or outcome.OK)
    except CycloptsError as problem:
        asked = " ".join(("momentarm", *(problem.command_chain or ()), "--help"))
        talk.error(f"{_explained(problem)}\nsee: {asked}")
        return outcome.USAGE
    except outcome.Failure as failure:
        talk.error(str(failure))
        return failure.code
    except RobotFileError as problem:
        talk.error(argument.report_of(problem))
        return outcome.FILE
    except SystemExit:  # rich's, when the reader of the help went away
        return outcome.NO_READER
    except KeyboardInterrupt:
        talk.error("interrupted")
        return outcome.INTERRUPTED
    except OSError:
        raise
    except Exception:
        talk.error(f"{traceback.format_exc()}this is a bug of momentarm {__version__}: please "
                   "report it with the lines above and, if you can, the files")  # fmt: skip
        return outcome.BUG


def _explained(problem: CycloptsError) -> str:
    """What is wrong with a command line, in words of our own where the library has its own."""
    if isinstance(problem, UnusedCliTokensError):
        return f"too many arguments: {' '.join(problem.unused_tokens or ())}"
    if isinstance(problem, MissingArgumentError) and problem.argument:
        return f"{problem.argument.name} is missing"
    return " ".join(str(problem).split())


def _said(problem: OSError) -> str:
    return f"{problem.filename or 'standard output'}: {problem.strerror or problem}"


def _write_unicode() -> None:
    """Joint names and units are not ASCII, whatever the system's code page is."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure and (stream.encoding or "").lower().replace("-", "") != "utf8":
            if stream.isatty():
                reconfigure(errors="backslashreplace")
            else:
                reconfigure(encoding="utf-8")


def _give_up_output() -> None:
    """Nothing more can be written: let the interpreter's last flush go nowhere."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # a standard output that is no file
