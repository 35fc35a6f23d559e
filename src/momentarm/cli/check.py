"""momentarm check."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from momentarm import Problem, RobotFileError
from momentarm.cli import talk
from momentarm.cli.argument import STANDARD, Json, described
from momentarm.cli.outcome import OK, PROBLEMS

Files = Annotated[
    list[str], Parameter(name="FILE", consume_multiple=True, help=(
        "Robot files (.urdf, .toml), bundled robots' names, or - for standard input."))
]  # fmt: skip
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
    wrong = any(p.severity == "error" for problems in found.values() for p in problems)
    return PROBLEMS if wrong else OK


def _problems(file: str, strict: bool) -> tuple[Problem, ...]:
    try:
        return described(file, strict=strict)[1]
    except RobotFileError as error:
        return error.problems


def _count(problems: tuple[Problem, ...]) -> str:
    kinds = [p.severity for p in problems]
    counted = [f"{number} {kind}{'s' * (number > 1)}" for kind in ("error", "warning")
               if (number := kinds.count(kind))]  # fmt: skip
    return ", ".join(counted) or "no problems"


def _shown(file: str) -> str:
    return "<stdin>" if file == STANDARD else file
