"""momentarm export."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from momentarm.cli import talk
from momentarm.cli.argument import (
    By,
    Dtype,
    Frame,
    Json,
    QuantityName,
    Reference,
    RobotName,
    TipWrench,
    kernel_of,
    quantity_of,
    robot_to_use,
)
from momentarm.cli.outcome import FileFailure, UsageFailure
from momentarm.cli.output import must_be_free, no_folder, written_whole
from momentarm.kernels.kernel import Kernel

Out = Annotated[Path, Parameter(help="The folder to write to; made if it is not there.")]
Name = Annotated[str | None, Parameter(help="Of function and files; by default what it is.")]
Force = Annotated[bool, Parameter(help="Replace files that are there.")]


def export(
    robot: RobotName,
    quantity: QuantityName,
    /,
    *,
    out: Out,
    name: Name = None,
    frame: Frame = None,
    reference: Reference = "body",
    tip_wrench: TipWrench = False,
    by: By = None,
    dtype: Dtype = "float64",
    force: Force = False,
    json: Json = False,
) -> None:
    """A quantity as C99: one .c and one .h, one function, no allocation, the same bits.

    Try:
      momentarm export panda inverse_dynamics --out generated
      momentarm export ur5 gravity_forces --out generated --dtype float32 --force
      momentarm export panda jacobian --frame panda_link4 --reference world --out generated
      momentarm export panda potential_energy --by q,q --out generated
    """
    quantity = quantity_of(quantity)
    arm = robot_to_use(robot)
    kernel = kernel_of(arm, quantity, frame, reference, tip_wrench, by)
    options = (frame, reference if reference != "body" else None, "f32" * (dtype == "float32"))
    function = _identifier(name, "_".join(filter(None, (arm.name, kernel.recipe.name, *options))))
    files = {out / file: text for file, text in _texts(kernel, function, dtype).items()}
    for file in files:
        must_be_free(file, force)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileFailure(no_folder(out, problem)) from None
    for file, text in files.items():
        with written_whole(file) as stream:
            stream.write(text.encode())
    if json:
        facts = {"robot": arm.name, "quantity": quantity, "dtype": dtype, "function": function}
        talk.data_as_json({**facts, "files": [os.fspath(file) for file in files]})
    else:
        talk.data("\n".join(map(os.fspath, files)))


def _identifier(name: str | None, usual: str) -> str:
    """What the function is called: after the robot, too, as two robots may be linked."""
    from momentarm.backends import c

    function = c.identifier(name or usual)
    if name not in (None, function):
        raise UsageFailure(f"--name: {name!r} is no name in C; {function!r} would be")
    if function != usual and name is None:
        talk.note(f"{usual!r} is no name in C; the function is called {function}")
    return function


def _texts(kernel: Kernel, function: str, dtype: str) -> dict[str, str]:
    """The files by name."""
    from momentarm.backends import c

    program = kernel.program
    about = kernel.recipe.about | {"precision": dtype, "digest": program.digest}
    scalar = "float" if dtype == "float32" else "double"
    try:
        return {f"{function}.c": c.source(program, function, about, scalar),
                f"{function}.h": c.header(program, function, about, scalar)}  # fmt: skip
    except ValueError as problem:  # too many operations
        raise FileFailure(str(problem)) from None
