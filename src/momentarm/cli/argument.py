"""The arguments that verbs share, and how ROBOT becomes a robot."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from momentarm import Robot, RobotFileError, formats, robots
from momentarm.cli import talk
from momentarm.cli.outcome import FileFailure, UsageFailure
from momentarm.cli.output import standard
from momentarm.kernels.kernel import Kernel
from momentarm.model.changes import leaves
from momentarm.model.problem import listed, unknown
from momentarm.quantities import QUANTITIES

STANDARD = "<->"  # what main() makes of a lone "-", which cyclopts takes for an option
SHOWN = 3  # warnings of a robot shown before it is used

RobotName = Annotated[
    str, Parameter(help="A .urdf, .mjcf, .xml (either) or .toml file, a bundled robot's name, or "
                   "- for standard input.")
]
QuantityName = Annotated[
    str, Parameter(help=f"What to compute: {', '.join(k for k in QUANTITIES)}.")
]
Frame = Annotated[
    str | None, Parameter(help="Of which frame, if of one; the tip by default.")
]
Reference = Annotated[
    Literal["body", "space", "world"], Parameter(show_default=True, help="Axes of its six rows.")
]
TipWrench = Annotated[bool, Parameter(help="With a wrench of the tip as last argument.")]
By = Annotated[
    str | None, Parameter(help="Its derivative by an argument, or by several in turn: q or q,qd.")
]
Json = Annotated[bool, Parameter(name="--json", help="Print JSON.")]
Dtype = Annotated[
    Literal["float64", "float32"], Parameter(show_default=True, help="Size of the numbers.")
]


def file_of(argument: str) -> str:
    """The file that ROBOT means: itself, or that of a bundled robot."""
    if argument in robots.names() and not Path(argument).is_file():
        return str(robots.path(argument))
    if not Path(argument).exists() and Path(argument).name == argument.partition(".")[0]:
        near = get_close_matches(argument, robots.names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else "see: momentarm robots"
        raise FileFailure(f"{argument}: no such file, and no bundled robot of that name; {hint}")
    return argument


def standard_input() -> tuple[str, bytes, str]:
    """(name, text, format) of a robot on standard input."""
    text = standard("stdin").buffer.read()
    start = text.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise FileFailure("<stdin>: empty; expected a robot as URDF, MJCF or native TOML")
    return "<stdin>", text, formats.xml_format(text) if start.startswith(b"<") else "toml"


def described(argument: str, *, strict: bool = False) -> formats.Loaded:
    """The mechanism that ROBOT means, and what is odd about it."""
    if argument == STANDARD:
        name, text, format = standard_input()
        return formats.loads(text, format, name, strict=strict)
    file = file_of(argument)
    try:
        return formats.load(file, strict=strict)
    except OSError as problem:
        raise FileFailure(f"{file}: {problem.strerror or problem}") from None


def robot_of(argument: str) -> Robot:
    """The robot that ROBOT means; RobotFileError with all that is wrong."""
    return Robot(*described(argument))


def robot_to_use(argument: str) -> Robot:
    """The same, for a verb that computes: its oddities are said first."""
    arm = robot_of(argument)
    for problem in arm.warnings[:SHOWN]:
        talk.note(str(problem))
    if len(arm.warnings) > SHOWN:
        name = "-" if argument == STANDARD else argument
        more = len(arm.warnings) - SHOWN
        talk.note(f"{more} more warnings; see: momentarm check {name}")
    return arm


def quantity_of(argument: str) -> str:
    name = argument.replace("-", "_")
    if name not in QUANTITIES:
        raise UsageFailure(unknown("quantity", argument, QUANTITIES))
    return name


def kernel_of(arm: Robot, quantity: str, frame: str | None, reference: str,
              tip_wrench: bool, by: str | None = None) -> Kernel:  # fmt: skip
    """The kernel that QUANTITY and its options mean."""
    row = QUANTITIES[quantity]
    if frame is not None and "frame" not in row.options:
        raise UsageFailure(f"--frame: {quantity} is not of a frame")
    if reference != "body" and "reference" not in row.options:
        raise UsageFailure(f"--reference: {quantity} has none")
    if tip_wrench and "tip_wrench" not in dict(row.optional):
        raise UsageFailure(f"--tip-wrench: {quantity} takes none")
    if tip_wrench and arm.tip is None:
        raise UsageFailure(f"--tip-wrench: {arm.name} has no single tip, but {_ends(arm)}")
    if "frame" in row.options and (frame or arm.tip) not in arm.frames:
        raise UsageFailure(
            f"{arm.name} has no single tip; choose one with --frame: {_ends(arm)}"
            if frame is None else
            unknown("frame", frame, arm.frames)
        )  # fmt: skip
    try:
        kernel = arm.kernel(quantity, frame=frame, reference=reference, tip_wrench=tip_wrench)
    except ValueError as problem:
        raise FileFailure(str(problem)) from None
    names = by.split(",") if by is not None else []
    for name in names:
        if name not in kernel.recipe.inputs:
            raise UsageFailure(f"--by: {unknown('argument', name, kernel.recipe.inputs)}")
    return kernel.derivative(*names) if names else kernel


def _ends(arm: Robot) -> str:
    return listed(leaves(arm.mechanism))


def report_of(error: RobotFileError) -> str:
    """What is said about a robot that cannot be built."""
    count = sum(p.severity == "error" for p in error.problems)
    return f"the robot cannot be used: {count} error{'s' * (count != 1)}\n{error}"
