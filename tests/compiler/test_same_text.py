"""What the compiler writes depends on the robot alone: no order of a set, no clock, no address."""

import os
import subprocess
import sys

import pytest

WRITE = """
import hashlib
import momentarm as ma
from momentarm.backends import c, scalar, simd
from momentarm.backends.llvm import Lanes

for name, quantity in (("two_arms", "inverse_dynamics"), ("gripper", "mass_matrix"),
                       ("stanford", "forward_dynamics")):
    kernel = getattr(ma.robots, name)().kernel(quantity)
    p = kernel.program
    texts = [str(p), p.digest, scalar.module(p, Lanes(), "x86_64-unknown-linux-gnu"),
             simd.module(p, Lanes("float", 8), "x86_64-unknown-linux-gnu"),
             c.source(p, "f", kernel.recipe.about), kernel.recipe.key.hex()]
    print(name, *(hashlib.sha256(text.encode()).hexdigest() for text in texts))
"""


def written(seed: str) -> str:
    environment = os.environ | {"PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", WRITE], env=environment, text=True,
                          capture_output=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def first():
    return written("0")


@pytest.mark.parametrize("seed", ["1", "4711"])
def test_text_does_not_depend_on_hashing(seed, first):
    """Processes with other hash seeds write the same tapes, LLVM and C to the last byte."""
    assert written(seed) == first


def test_parts_do_not_depend_on_hashing():
    """The text of a program cut into parts is the same under another hash seed."""
    cut = "from momentarm.backends import parts\nparts.WHOLE, parts.LONGEST = 0, 40\n"
    texts = []
    for seed in ("2", "3"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", cut + WRITE], env=environment, text=True,
                              capture_output=True, check=True)  # fmt: skip
        texts.append(done.stdout)
    assert texts[0] == texts[1] != ""
