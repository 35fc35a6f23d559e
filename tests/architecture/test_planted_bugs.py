"""The tests are tested: wrong physics, planted on purpose, does not stay unnoticed."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tool(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLANTED = tool("planted_bugs")


@pytest.mark.parametrize("bug", PLANTED.BUGS, ids=lambda bug: bug.wrong_is.replace(" ", "_"))
def test_a_planted_bug_turns_its_claim_red(bug):
    """Each wrong line, planted in a copy of the package, makes the claim named beside it fail."""
    red, said = PLANTED.report(bug)
    assert red, said


def test_bugs_are_planted_against_claims():
    """Every claim named beside a planted bug is a test that the page of claims lists."""
    listed = {f"{claim.file}::{claim.test}" for claim in tool("claims").claims()}
    assert not (unknown := {bug.claim for bug in PLANTED.BUGS} - listed), unknown


def test_a_bug_without_a_place_is_refused(tmp_path):
    """A bug whose line is not in the sources is an error, not a bug that nobody noticed."""
    bug = PLANTED.Bug("nothing", "spatial/vector.py", "no such line", "", "x.py::test_x")
    with pytest.raises(ValueError, match=r"spatial/vector\.py has 0 times 'no such line'"):
        PLANTED.planted(bug, tmp_path)
