"""How many operations every bundled robot needs: a change of any count is seen and accepted."""

import pytest

import momentarm as ma
from momentarm.quantities import QUANTITIES


def table(name: str) -> str:
    arm = getattr(ma.robots, name)()
    frame = arm.tip or arm.frames[-1]
    columns = arm.base_parameters().columns  # of bodies alone, so the same without drives
    lines = []
    for robot, note in ((arm, ""), (arm.ideal, " ideal")):
        for quantity, row in QUANTITIES.items():
            if "tip_wrench" in (k for k, _ in row.inputs) and robot.tip is None:
                continue
            options = {"frame": frame} if "frame" in row.options else {}
            options |= {"columns": columns} if "columns" in row.options else {}
            kernel = robot.kernel(quantity, **options)
            lines.append(f"{quantity}{note}: {kernel.ops}; {kernel.route}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", ma.robots.names())
def test_operation_counts(name, golden):
    """Each quantity of this bundled robot, with and without its drives, takes exactly the
    operations, and by the formulation, that the golden table says."""
    golden(f"operations_{name}.txt", table(name))


LIMITS = {"puma560": 322, "ur5": 290, "panda": 630}


@pytest.mark.parametrize("name", LIMITS)
def test_published_counts_are_beaten(name):
    """Inverse dynamics of the exact bundled models takes no more operations than the limits that
    stand in the design, below every published count for these arms."""
    arm = getattr(ma.robots, name)().ideal
    assert arm.kernel("inverse_dynamics").ops.total <= LIMITS[name]
