"""momentarm export."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from momentarm import Robot
from momentarm.cli import talk
from momentarm.cli.argument import (
    Dtype,
    Frame,
    Json,
    QuantityName,
    RobotName,
    quantity_of,
    robot_to_use,
)
from momentarm.cli.outcome import FileFailure
from momentarm.cli.output import written_whole

Out = Annotated[Path, Parameter(help="The folder to write to; made if it is not there.")]
Force = Annotated[bool, Parameter(help="Replace files that are there.")]


def export(
    robot: RobotName,
    quantity: QuantityName,
    /,
    *,
    out: Out,
    frame: Frame = None,
    dtype: Dtype = "float64",
    force: Force = False,
    json: Json = False,
) -> None:
    """A quantity as C99: one .c and one .h, one function, no allocation, the same bits.

    Try:
      momentarm export panda inverse_dynamics --out generated
      momentarm export ur5 gravity_forces --out generated --dtype float32 --force
    """
    name = quantity_of(quantity)
    arm = robot_to_use(robot)
    try:
        files = {out / file: text for file, text in _texts(arm, name, frame, dtype).items()}
    except (TypeError, ValueError) as problem:
        raise FileFailure(str(problem)) from None
    there = [os.fspath(file) for file in files if os.path.lexists(file)]
    if there and not force:
        raise FileFailure(f"{', '.join(there)}: already there; --force replaces")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileFailure(f"{out}: {problem.strerror}") from None
    for file, text in files.items():
        with written_whole(file) as stream:
            stream.write(text.encode())
    if json:
        facts = {"robot": arm.name, "quantity": name, "dtype": dtype}
        talk.data_as_json({**facts, "files": [os.fspath(file) for file in files]})
    else:
        talk.data("\n".join(map(os.fspath, files)))


def _texts(arm: Robot, quantity: str, frame: str | None, dtype: str) -> dict[str, str]:
    """The files by name. The function is called after the robot, too: two robots may be linked."""
    from momentarm.backends import c

    kernel = arm.kernel(quantity, frame=frame)
    program = kernel.program
    function = c.identifier(f"{arm.name}_{quantity}")
    about = kernel.recipe.about | {"digest": program.digest}
    scalar = "float" if dtype == "float32" else "double"
    return {f"{function}.c": c.source(program, function, about, scalar),
            f"{function}.h": c.header(program, function, about, scalar)}  # fmt: skip
