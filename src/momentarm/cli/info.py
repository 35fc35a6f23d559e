"""momentarm info."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from momentarm import Robot
from momentarm.cli import talk
from momentarm.cli.argument import Json, RobotName, robot_of

MAIN = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "bias_forces", "gravity_forces",
        "forward_kinematics", "jacobian")  # fmt: skip
COUNTED = ("mul", "add", "div", "sqrt", "sincos")


def info(robot: RobotName, /, *, json: Json = False) -> None:
    """What a robot is: joints, limits, masses, drives, and what its dynamics cost.

    The counts are those of the code that runs: every multiplication, every addition or
    subtraction; a fused one is both.

    Try:
      momentarm info panda
      momentarm info - < arm.urdf
    """
    arm = robot_of(robot)
    operations = {name: _operations(arm, name) for name in MAIN}
    if json:
        talk.data_as_json({**_facts(arm), "operations": operations})
    else:
        talk.data(f"{arm}\n\n{_table(operations)}")


def _operations(arm: Robot, name: str) -> dict[str, Any]:
    """The counts of a quantity, or why there are none."""
    try:
        kernel = arm.kernel(name)
    except ValueError as problem:
        return {"refused": str(problem).removeprefix(f"{name}: ")}
    return {**asdict(kernel.ops), "total": kernel.ops.total, "route": kernel.route,
            "backend": kernel.backend}  # fmt: skip


def _table(operations: dict[str, dict[str, Any]]) -> str:
    rows: list[list[object]] = [["operations", *COUNTED, "route"]]
    refused: dict[str, list[str]] = {}
    for name, counts in operations.items():
        if "refused" in counts:
            refused.setdefault(counts["refused"], []).append(name)
        else:
            rows.append([name, *(counts[k] or "" for k in COUNTED), counts["route"]])
    backends = {counts["backend"] for counts in operations.values() if "backend" in counts}
    said = [f"run by {backend}" for backend in sorted(backends)]
    said += [f"{', '.join(names)}: {why}" for why, names in refused.items()]
    return "\n".join([talk.aligned(rows, range(1, 6)), *said])


def _facts(arm: Robot) -> dict[str, Any]:
    return {
        "name": arm.name,
        "coordinates": list(arm.joint_names),
        "frames": list(arm.frames),
        "tip": arm.tip,
        "mass": float(arm.mechanism.base_inertia.m + sum(k.inertia.m for k in arm.mechanism.links)),
        "gravity": [float(g) for g in arm.gravity],
        "links": [_link(k) for k in arm.mechanism.links],
        "warnings": [problem.as_dict() for problem in arm.warnings],
    }


def _body(link: Any) -> dict[str, Any]:
    """Mass, centre of mass and inertia about it (xx yy zz xy xz yz), in the link's joint frame."""
    if not link.has_inertia:
        return dict.fromkeys(("mass", "com", "inertia"))
    body = link.inertia
    return {"mass": float(body.m), "com": [float(x) for x in body.com],
            "inertia": [float(x) + 0 for x in body.I_com]}  # fmt: skip


def _link(link: Any) -> dict[str, Any]:
    joint = link.joint
    coupling = joint.coupling
    return {
        "name": link.name,
        **_body(link),
        "joint": joint.name,
        "type": joint.kind,
        "mimic": coupling.joint if coupling and coupling.joint != joint.name else None,
        "limits": asdict(joint.limits),
        "actuator": asdict(joint.actuator),
    }
