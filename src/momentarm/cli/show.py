"""momentarm show."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from momentarm.cli import talk
from momentarm.cli.argument import (
    By,
    Frame,
    Json,
    QuantityName,
    Reference,
    RobotName,
    TipWrench,
    kernel_of,
    quantity_of,
    robot_of,
)
from momentarm.cli.outcome import FileFailure

Stage = Annotated[
    Literal["trace", "simplified", "scheduled", "llvm", "asm", "c", "ops"],
    Parameter(show_default=True, help=(
        "As the algorithm wrote it (trace), with fewer operations (simplified), with fused ones "
        "(scheduled), as LLVM text, as assembly of this machine, as C99, or its counts (ops).")),
]  # fmt: skip


def show(
    robot: RobotName,
    quantity: QuantityName,
    /,
    *,
    stage: Stage = "scheduled",
    frame: Frame = None,
    reference: Reference = "body",
    tip_wrench: TipWrench = False,
    by: By = None,
    json: Json = False,
) -> None:
    """One quantity of one robot as text, at any stage of its way to machine code.

    Try:
      momentarm show planar_2r mass_matrix
      momentarm show panda inverse_dynamics --stage asm
      momentarm show two_arms jacobian --frame left_hand --reference world
    """
    name = quantity_of(quantity)
    arm = robot_of(robot)
    kernel = kernel_of(arm, name, frame, reference, tip_wrench, by)
    try:
        text = kernel.stage(stage)
    except (RuntimeError, ValueError) as problem:  # no llvmlite; too many operations
        raise FileFailure(f"--stage {stage}: {problem}") from None
    if not json:
        talk.data(text)
        return
    facts: dict[str, Any] = {"robot": arm.name, "quantity": name, "stage": stage, "text": text}
    talk.data_as_json({**facts, "operations": asdict(kernel.ops), "route": kernel.route})
