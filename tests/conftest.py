"""What all tests share: golden files, a kernel cache of their own, tables in the summary.

A test that wants its table seen says record_property("table", text): the summary prints it, under
pytest-xdist too. Nothing here skips a test; `peers` tests are chosen by marker only.
"""

import difflib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden" / "files"

# Before anything imports momentarm: kernels are cached below a fresh directory. The workers of
# pytest-xdist inherit the variable, so that they share the one directory of the whole run.
OWN_CACHE = None
if "PYTEST_XDIST_WORKER" not in os.environ:
    OWN_CACHE = tempfile.mkdtemp(prefix="momentarm-tests-")
    os.environ["XDG_CACHE_HOME"] = OWN_CACHE
os.environ["MPLBACKEND"] = "Agg"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="accept what the tests produce as the new golden files",
    )


def pytest_unconfigure() -> None:
    if OWN_CACHE is not None:
        shutil.rmtree(OWN_CACHE, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, text in report.user_properties:
            if name == "table":
                terminalreporter.section(report.nodeid.rpartition("::")[2])
                terminalreporter.write_line(text)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """golden("panda_ops.txt", text) fails with a unified diff where text is not the stored file."""
    update = request.config.getoption("--update-golden")

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        text = text if text.endswith("\n") else text + "\n"
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        elif not path.exists():
            pytest.fail(f"no golden file {name}: make it with --update-golden\n{text}", False)
        elif (stored := path.read_bytes().decode()) != text:
            pytest.fail(golden_difference(name, stored, text), False)

    return compare


def golden_difference(name: str, stored: str, found: str) -> str:
    lines = difflib.unified_diff(
        stored.splitlines(), found.splitlines(), f"golden/files/{name}", "found", lineterm=""
    )
    shown = "\n".join(lines) or "only line endings differ"
    return f"golden file {name} differs (accept with --update-golden)\n{shown}"
