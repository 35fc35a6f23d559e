"""Compiled code is there as long as anything that runs it; each case in a process of its own."""

import os
import subprocess
import sys

import pytest

CASES = {
    "a ufunc outlives its robot": """
        ufunc = ma.robots.ur5().kernel("gravity_forces").ufunc()
        expected = ma.robots.ur5().gravity_forces(np.zeros((20, 6)))
        gc.collect()
        others = [ma.robots.panda().gravity_forces(np.zeros((20, 7))) for _ in range(3)]
        assert (ufunc(np.zeros((20, 6))) == expected).all()
        """,
    "robots with planted functions are collected": """
        gc.disable()
        for _ in range(20):
            arm, zero = ma.robots.planar_2r(), np.zeros(2)
            arm.gravity_forces(zero), arm.gravity_forces(zero), arm.mass_matrix(zero)
            del arm
            gc.collect()
        """,
}


@pytest.mark.parametrize("case", CASES)
def test_code_outlives_its_callers(case):
    """A process that overwrites freed memory ends well whatever is collected before a call."""
    lines = ["import gc", "import numpy as np", "import momentarm as ma"]
    code = "\n".join([*lines, *(line[8:] for line in CASES[case].splitlines())])
    environment = os.environ | {"PYTHONMALLOC": "malloc", "MALLOC_PERTURB_": "2"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True,
                         text=True, timeout=120, check=False)  # fmt: skip
    assert run.returncode == 0, run.stderr
