"""momentarm demo."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from momentarm.cli import talk
from momentarm.cli.argument import Json
from momentarm.cli.outcome import FileFailure
from momentarm.cli.output import no_folder

Out = Annotated[Path, Parameter(show_default=True, help="The folder to write to.")]


def demo(*, out: Out = Path("demo-output"), json: Json = False) -> None:
    """The tour: torques along a motion, the motion back from them, what they cost.

    Writes trajectory.csv, table.json and, with matplotlib, demo.png and demo.svg, also with --json.

    Try:
      momentarm demo --out demo-output
    """
    from momentarm import demo as tours

    try:
        out.mkdir(parents=True, exist_ok=True)
        if not os.access(out, os.W_OK):
            raise FileFailure(f"{out}: this folder cannot be written to")
    except OSError as problem:
        raise FileFailure(no_folder(out, problem)) from None
    tour = tours.run(talk.note)
    try:
        files = [os.fspath(file) for file in tours.write(tour, out, talk.note)]
    except OSError as problem:
        raise FileFailure(f"{problem.filename or out}: {problem.strerror}") from None
    if json:
        talk.data_as_json({**tour.as_dict(), "files": files})
    else:
        talk.data(tour.table())
        talk.note(f"wrote {', '.join(files)}")
