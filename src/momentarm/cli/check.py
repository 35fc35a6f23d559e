"""momentarm check."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from momentarm import Problem, RobotFileError
from momentarm.cli import talk
from momentarm.cli.argument import STANDARD, Json, described
from momentarm.cli.outcome import FILE, OK, PROBLEMS, FileFailure

Files = Annotated[
    list[str], Parameter(name="FILE", consume_multiple=True, help=(
        "Robot files (.urdf, .xml, .toml), bundled robots' names, or - for standard input."))
]  # fmt: skip
UNREADABLE = "unreadable"
Strict = Annotated[bool, Parameter(help="What is only odd is wrong, too.")]


def check(file: Files, /, *, strict: Strict = False, json: Json = False) -> int:
    """All that is wrong or odd in robot files, with code, file:line:column and a hint.

    Errors are what no robot can be built from; warnings are physics that is hardly meant.

    Try:
      momentarm check arm.urdf
      momentarm check --strict arm.urdf ur5
    """
    found = {name: _problems(name, strict) for name in file}
    if json:
        talk.data_as_json({"files": [
            {"file": _shown(name), "problems": [p.as_dict() for p in problems]}
            for name, problems in found.items()]})  # fmt: skip
    for name, problems in found.items():
        if not json:
            for problem in problems:
                talk.data(str(problem))
        talk.note(f"{_shown(name)}: {_count(problems)}")
    errors = [p for problems in found.values() for p in problems if p.severity == "error"]
    if any(p.code == UNREADABLE for p in errors):
        return FILE
    return PROBLEMS if errors else OK


def _problems(file: str, strict: bool) -> tuple[Problem, ...]:
    try:
        return described(file, strict=strict)[1]
    except RobotFileError as error:
        return error.problems
    except FileFailure as failure:
        message = str(failure).removeprefix(f"{_shown(file)}: ")
        return (Problem(UNREADABLE, "error", _shown(file), message),)


def _count(problems: tuple[Problem, ...]) -> str:
    kinds = [p.severity for p in problems]
    counted = [f"{number} {kind}{'s' * (number > 1)}" for kind in ("error", "warning")
               if (number := kinds.count(kind))]  # fmt: skip
    return ", ".join(counted) or "no problems"


def _shown(file: str) -> str:
    return "<stdin>" if file == STANDARD else file
