"""momentarm check."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from momentarm import Problem, Robot, RobotFileError, formats
from momentarm.cli import talk
from momentarm.cli.argument import STANDARD, Json, described, file_of, standard_input
from momentarm.cli.outcome import FILE, OK, PROBLEMS, FileFailure, UsageFailure
from momentarm.cli.output import must_be_free, written_whole
from momentarm.doctor.crossing import CrossCheck
from momentarm.doctor.mending import Changes, mended
from momentarm.doctor.report import Report, counted, shown
from momentarm.model.problem import made_strict

Files = Annotated[
    list[str], Parameter(name="FILE", consume_multiple=True, help=(
        "Robot files (.urdf, .mjcf, .xml, .toml), names of bundled robots, or - for stdin."))
]  # fmt: skip
UNREADABLE = "unreadable"
INTO = {".urdf": "urdf", ".xml": "urdf", ".toml": "toml"}  # what --fix writes, by the suffix of OUT
Strict = Annotated[bool, Parameter(help="What is only odd is wrong, too.")]
Fix = Annotated[
    Path | None,
    Parameter(help="Write a copy with the defensible repairs: URDF text edited, or native .toml."),
]
Cross = Annotated[bool, Parameter(help="Compare all formulations of the dynamics, too.")]
Force = Annotated[bool, Parameter(help="Replace the file of --fix if it is there.")]


def check(file: Files, /, *, strict: Strict = False, fix: Fix = None, cross: Cross = False,
          force: Force = False, json: Json = False) -> int:  # fmt: skip
    """All that is wrong or odd in robot files, with code, file:line:column and a hint.

    Errors are what no robot can be built from; warnings are physics that is hardly meant; notes
    are worth knowing. The codes are listed in docs/check.md. With --fix the exit code is about
    the repaired copy.

    Try:
      momentarm check arm.urdf
      momentarm check --strict arm.urdf ur5
      momentarm check arm.urdf --fix repaired.urdf --force
      momentarm check planar_2r --cross
    """
    if fix is not None and cross:
        raise UsageFailure("--cross compares, --fix repairs: check the repaired file with --cross")
    if fix is not None:
        return _Repair(file, fix, force, strict, json).run()
    checked = [_checked(name, strict, cross) for name in file]
    if json:
        talk.data_as_json({"files": [one.as_dict() for one in checked]})
    for one in checked:
        if not json:
            one.tell()
        talk.note(f"{one.name}: {counted(one.problems)}")
    if any(p.code == UNREADABLE for one in checked for p in one.problems):
        return FILE
    return OK if all(one.is_well for one in checked) else PROBLEMS


class _Checked:
    """What there is to say about one file."""

    def __init__(self, name: str, problems: tuple[Problem, ...], report: Report | None = None,
                 crossed: CrossCheck | None = None) -> None:  # fmt: skip
        self.name, self.problems = name, problems
        self.report, self.crossed = report, crossed

    @property
    def is_well(self) -> bool:
        wrong = any(p.severity == "error" for p in self.problems)
        return not wrong and (self.crossed is None or self.crossed.agrees)

    def as_dict(self) -> dict[str, Any]:
        condition = None if self.report is None else self.report.condition
        facts = {"file": self.name, "problems": [p.as_dict() for p in self.problems],
                 "condition": condition.as_dict() if condition else None}  # fmt: skip
        return facts | ({"cross": self.crossed.as_dict()} if self.crossed else {})

    def tell(self) -> None:
        for line in shown(self.problems):
            talk.data(line)
        if self.report is not None and self.report.condition:
            talk.note(f"{self.name}: {self.report.condition}")
        if self.crossed:
            talk.data(str(self.crossed))


def _checked(file: str, strict: bool, cross: bool = False) -> _Checked:
    name = _shown(file)
    try:
        arm = Robot(*described(file))
    except RobotFileError as error:
        return _Checked(name, made_strict(error.problems) if strict else error.problems)
    except FileFailure as failure:
        message = str(failure).removeprefix(f"{name}: ")
        return _Checked(name, (Problem(UNREADABLE, "error", name, message),))
    return _examined(arm, name, strict, cross)


def _examined(arm: Robot, name: str, strict: bool, cross: bool = False) -> _Checked:
    report = arm.check(strict=strict)
    if not cross:
        return _Checked(name, report.problems, report)
    with talk.Progress(f"formulations of {arm.name}", 1.0) as bar:
        crossed = arm.cross_check(progress=bar.at)
    return _Checked(name, report.problems, report, crossed)


class _Repair:
    """check --fix: what was found, what was changed, what is left."""

    def __init__(self, files: list[str], out: Path, force: bool, strict: bool, json: bool) -> None:
        if len(files) != 1:
            raise UsageFailure(f"--fix repairs one FILE, got {len(files)}")
        self.file, self.out, self.strict, self.json = files[0], out, strict, json
        self.into = INTO.get(out.suffix.lower(), "")
        if not self.into:
            raise UsageFailure(f"--fix: {os.fspath(out)!r} is neither .urdf nor .toml")
        if os.path.isfile(self.file) and out.exists() and os.path.samefile(self.file, out):
            raise UsageFailure(f"FILE and --fix are the same file: {out}")
        must_be_free(out, force)

    def run(self) -> int:
        name, text, format = self._read()
        if format == "mjcf":
            raise UsageFailure("--fix: MJCF is not mended here; MuJoCo's own compiler judges it")
        if format == "toml" and self.into == "urdf":
            raise UsageFailure("--fix: a native robot is written as native .toml")
        found = _of_text(text, format, name, self.strict)
        try:
            repaired, changes = mended(text, name, format, self.into)
            left = _of_text(repaired, self.into, os.fspath(self.out), self.strict)
        except RobotFileError as error:
            left = _Checked(name, error.problems)
            self._tell(found, (), left)
            talk.error(f"{self.out}: not written, as some errors are not for a program to mend")
            return PROBLEMS
        if left.report is not None:
            with written_whole(self.out) as stream:
                stream.write(repaired)
        self._tell(found, changes, left)
        if left.report is None:
            talk.error(f"{self.out}: not written, as some errors are not for a program to mend")
        else:
            talk.note(f"{self.out}: {len(changes)} change{'s' * (len(changes) != 1)}; left: "
                      f"{counted(left.problems)}")  # fmt: skip
        return OK if left.is_well else PROBLEMS

    def _read(self) -> tuple[str, bytes, str]:
        if self.file == STANDARD:
            return standard_input()
        file = file_of(self.file)
        format = formats.SUFFIXES.get(Path(file).suffix.lower())
        if format is None:
            raise FileFailure(f"{file}: neither .urdf nor .toml")
        try:
            text = Path(file).read_bytes()
        except OSError as problem:
            raise FileFailure(f"{file}: {problem.strerror or problem}") from None
        return file, text, formats.xml_format(text) if format == "xml" else format

    def _tell(self, found: _Checked, changes: Changes, left: _Checked) -> None:
        if self.json:
            talk.data_as_json({"files": [found.as_dict()], "fix": {
                "file": os.fspath(self.out), "written": left.report is not None,
                "changes": [c.as_dict() for c in changes],
                "left": [p.as_dict() for p in left.problems]}})  # fmt: skip
            return
        found.tell()
        for change in changes:
            talk.data(str(change))


def _of_text(text: bytes, format: str, name: str, strict: bool) -> _Checked:
    try:
        return _examined(Robot(*formats.loads(text, format, name)), name, strict)
    except RobotFileError as error:
        return _Checked(name, made_strict(error.problems) if strict else error.problems)


def _shown(file: str) -> str:
    return "<stdin>" if file == STANDARD else file
