"""momentarm id and momentarm fd: a table of states in, a table of results out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NamedTuple

import numpy as np
from cyclopts import Parameter
from cyclopts.validators import Number
from numpy.typing import NDArray

from momentarm import Robot
from momentarm.cli import columns, talk
from momentarm.cli.argument import STANDARD, Dtype, Json, RobotName, robot_to_use
from momentarm.cli.csv_file import CsvReader, CsvWriter
from momentarm.cli.npz_file import NpzReader, NpzWriter
from momentarm.cli.outcome import FileFailure, NumberFailure, UsageFailure
from momentarm.cli.output import must_be_free, standard, written_whole

Array = NDArray[np.floating[Any]]
Input = Annotated[
    str, Parameter(name="IN", help="The states: a .csv or .npz file, or - (CSV)."),
]  # fmt: skip
Output = Annotated[
    str, Parameter(name="OUT", help="The results: a .csv or .npz file, or - (CSV), the default."),
]  # fmt: skip
Ideal = Annotated[bool, Parameter(help="Without friction and rotor inertia.")]
Keep = Annotated[bool, Parameter(help="Write what was given, too.")]
Force = Annotated[bool, Parameter(help="Replace OUT if it is there.")]
Extra = Annotated[bool, Parameter(help="Leave out columns that are not known.")]
Threads = Annotated[
    int | None, Parameter(validator=Number(gte=1), help="Threads to use; all cores by default.")
]


class Task(NamedTuple):
    quantity: str
    given: tuple[str, ...]
    result: str


INVERSE = Task("inverse_dynamics", ("q", "qd", "qdd"), "tau")
FORWARD = Task("forward_dynamics", ("q", "qd", "tau"), "qdd")


def inverse(
    robot: RobotName, input: Input, output: Output = STANDARD, /, *, ideal: Ideal = False,
    keep: Keep = False, dtype: Dtype = "float64", threads: Threads = None, force: Force = False,
    ignore_extra: Extra = False, json: Json = False,
) -> None:  # fmt: skip
    """Torques from motion: inverse dynamics of every state in a table.

    IN has the columns q.<joint>, qd.<joint>, qdd.<joint> for all joints, in any order, and may
    have time and tau.<joint>; OUT gets time and tau.<joint>. In SI units and radians. An .npz file
    has the arrays q, qd, qdd of shape (N, n) and joints. With --json, OUT - gets a line of JSON
    for each state, and a file is reported as JSON.

    Try:
      momentarm id panda motion.csv torques.csv
      momentarm id panda motion.csv --keep | momentarm fd panda - back.npz
    """
    options = Options(ideal, keep, dtype, threads, json, force, ignore_extra)
    _run(INVERSE, robot, input, output, options)


def forward(
    robot: RobotName, input: Input, output: Output = STANDARD, /, *, ideal: Ideal = False,
    keep: Keep = False, dtype: Dtype = "float64", threads: Threads = None, force: Force = False,
    ignore_extra: Extra = False, json: Json = False,
) -> None:  # fmt: skip
    """Motion from torques: forward dynamics of every state in a table.

    IN has the columns q.<joint>, qd.<joint>, tau.<joint> for all joints, in any order, and may
    have time and qdd.<joint>; OUT gets time and qdd.<joint>. In SI units and radians. An .npz file
    has the arrays q, qd, tau of shape (N, n) and joints. With --json, OUT - gets a line of JSON
    for each state, and a file is reported as JSON.

    Try:
      momentarm fd panda states.csv accelerations.csv
      momentarm fd panda states.csv - --ideal --dtype float32
    """
    options = Options(ideal, keep, dtype, threads, json, force, ignore_extra)
    _run(FORWARD, robot, input, output, options)


class Options(NamedTuple):
    ideal: bool
    keep: bool
    dtype: str
    threads: int | None
    json: bool
    force: bool
    ignore_extra: bool


def _run(task: Task, robot: str, input: str, output: str, options: Options) -> None:
    if robot == input == STANDARD:
        raise UsageFailure("ROBOT and IN cannot both be standard input")
    write_as = _kind(output, "OUT")
    read_as = _kind(input, "IN")
    if os.path.isfile(input) and os.path.isfile(output) and os.path.samefile(input, output):
        raise UsageFailure(f"IN and OUT are the same file: {output}")
    must_be_free(output, options.force)
    arm = robot_to_use(robot)
    if options.ideal:
        arm = arm.ideal
    extra = options.ignore_extra
    reader = NpzReader(input, extra) if read_as == "npz" else CsvReader(input)
    work = _Work(task, arm, options, reader)
    try:
        unknown = columns.check(reader.heading, reader.columns, arm, task.given, extra)
        if unknown:
            reader.ignored = frozenset(unknown)
            talk.note(f"left out: {columns.listed(unknown)}")
        with _stream(output) as stream:
            writer: Any = NpzWriter if write_as == "npz" else CsvWriter
            if options.json and output == STANDARD:
                writer = JsonWriter
            out = writer(stream, columns.elements(arm))
            with talk.Progress(f"{task.quantity} of {arm.name}", reader.size) as progress:
                for block in work.blocks():
                    out.rows(block)
                    progress.at(reader.done)
            out.close()
    finally:
        reader.close()
    work.report(output)


def _kind(file: str, argument: str) -> str:
    if file == STANDARD:
        return "csv"
    suffix = Path(file).suffix.lower()
    if suffix in (".csv", ".npz"):
        return suffix[1:]
    if Path(file).exists() and not Path(file).is_file() and not Path(file).is_dir():
        return "csv"  # /dev/stdout, a named pipe
    raise UsageFailure(f"{argument}: {file!r} is neither .csv nor .npz nor - for standard "
                       f"{'input' if argument == 'IN' else 'output'}")  # fmt: skip


@contextmanager
def _stream(output: str) -> Iterator[BinaryIO]:
    if output != STANDARD:
        with written_whole(output) as stream:
            yield stream
        return
    stream = standard("stdout")
    stream.flush()
    yield stream.buffer
    stream.buffer.flush()


@dataclass
class _Work:
    """The blocks of results, and what was odd on the way."""

    task: Task
    arm: Robot
    options: Options
    reader: CsvReader | NpzReader
    states: int = 0
    incomplete: int = 0
    first_incomplete: str = ""
    where: dict[str, list[int]] = field(default_factory=dict)

    @property
    def elements(self) -> columns.Elements:
        return columns.elements(self.arm)

    def blocks(self) -> Iterator[Mapping[str, Array]]:
        order = {name: k for k, name in enumerate(self.reader.columns)}
        for vector in columns.VECTORS:
            wanted = columns.names(vector, self.elements)
            if all(name in order for name in wanted):
                self.where[vector] = [order[name] for name in wanted]
        if columns.TIME in order:
            self.where[columns.TIME] = [order[columns.TIME]]
        for block in self.reader.blocks():
            self.states += len(block)
            yield self._results(block)

    def _results(self, block: NDArray[np.float64]) -> Mapping[str, Array]:
        """The parts of the output that come from a part of the input."""
        given = [block[:, self.where[vector]] for vector in self.task.given]
        compute = getattr(self.arm, self.task.quantity)
        with np.errstate(all="ignore"):
            try:
                result = compute(*given, dtype=self.options.dtype, threads=self.options.threads)
            except ValueError as problem:
                raise FileFailure(str(problem)) from None
        self._check(given, result)
        kept = columns.VECTORS if self.options.keep else ()
        parts = {name: block[:, self.where[name]] for name in (columns.TIME, *kept)
                 if name in self.where and name != self.task.result}  # fmt: skip
        return {**parts, self.task.result: result}

    def _check(self, given: list[NDArray[np.float64]], result: Array) -> None:
        """Non-finite numbers come from the input, where they are counted, or are a failure."""
        sound = np.isfinite(np.concatenate(given, axis=1))
        complete = sound.all(axis=1)
        if not complete.all():
            self.incomplete += int(np.count_nonzero(~complete))
            if not self.first_incomplete:
                row = int(np.argmin(complete))
                given_names = columns.expanded(self.task.given, self.elements)
                column = given_names[int(np.argmin(sound[row]))]
                self.first_incomplete = self.reader.place(row, column)
        failed = complete & ~np.isfinite(result).all(axis=1)
        if failed.any():
            row = int(np.argmax(failed))
            joint = int(np.argmin(np.isfinite(result[row])))
            column = columns.names(self.task.result, self.elements)[joint]
            raise NumberFailure(f"{self.reader.place(row, column)}: the result is "
                                f"{result[row, joint]} although the state is finite")  # fmt: skip

    def report(self, output: str) -> None:
        if self.incomplete:
            talk.warning(f"{self.incomplete} of {self.states} states have missing or non-finite "
                         f"numbers, the first at {self.first_incomplete}; "
                         "so have their results")  # fmt: skip
        if not self.states:
            talk.warning("the table has no states")
        if output == STANDARD:
            return
        facts = {"robot": self.arm.name, "quantity": self.task.quantity, "states": self.states,
                 "incomplete": self.incomplete, "file": output}  # fmt: skip
        if self.options.json:
            talk.data_as_json(facts)
        else:
            talk.note(f"{output}: {self.task.result} of {self.states} states")


class JsonWriter:
    """A line of JSON for each state; what is not finite is null."""

    def __init__(self, stream: BinaryIO, elements: columns.Elements) -> None:
        self._stream, self._elements = stream, elements

    def rows(self, parts: Mapping[str, Array]) -> None:
        names = columns.expanded(parts, self._elements)
        for row in np.concatenate(list(parts.values()), axis=1).tolist():
            line = talk.json_line(dict(zip(names, row, strict=True)))
            self._stream.write(line.encode())

    def close(self) -> None:
        """All is in the stream."""
