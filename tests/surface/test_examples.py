"""The numbered examples are executed as a reader would: each in a process of its own."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(example, tmp_path):
    """Every example runs elsewhere than in its folder, warnings as errors, and leaves no file."""
    command = [sys.executable, "-W", "error", example]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert not done.stderr
    assert not list(tmp_path.iterdir())


def test_examples_are_numbered_and_checked():
    """The examples are numbered from 01 without a gap, say what they show, and end in an assert."""
    assert [path.name[:3] for path in EXAMPLES] == [f"{k:02}_" for k in range(1, len(EXAMPLES) + 1)]
    for path in EXAMPLES:
        text = path.read_text(encoding="utf-8")
        assert text.startswith('"""'), path
        assert re.search(r"^assert .*\Z", text.rstrip(), re.MULTILINE), path
