"""Tests are claims: each says in one sentence what it would falsify, and the page lists them."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def claims_tool():
    spec = importlib.util.spec_from_file_location("claims", ROOT / "tools" / "claims.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def is_one_sentence(text: str | None) -> bool:
    return bool(text) and text.endswith(".") and not re.search(r"[.!?]\s+[A-Z]", text)


def test_every_test_claims_one_sentence():
    """Every test function has a docstring of exactly one sentence that ends in a full stop."""
    bad = [
        f"tests/{c.file}::{c.test}: {c.sentence}"
        for c in claims_tool().claims()
        if not is_one_sentence(c.sentence)
    ]
    assert not bad, "\n".join(["not one sentence:", *bad])


def test_the_page_of_claims_is_current():
    """docs/claims.md is byte for byte what tools/claims.py generates from the tests."""
    tool = claims_tool()
    stored = tool.PAGE.read_bytes().decode() if tool.PAGE.exists() else ""
    assert stored == tool.page(tool.claims()), "run: python tools/claims.py --write"


def test_claims_are_found_in_functions_and_classes(tmp_path):
    """A claim is found in a plain test, an async one and a class; a missing one is None."""
    folder = tmp_path / "tests" / "units"
    folder.mkdir(parents=True)
    (folder / "test_x.py").write_text(
        'def test_a():\n    """A\n    b."""\n\n'
        'class TestC:\n    async def test_d(self):\n        """D."""\n\n'
        "def test_e(): pass\ndef helper(): pass\n"
    )
    found = [(c.kind, c.test, c.sentence) for c in claims_tool().claims(tmp_path)]
    assert found == [
        ("units", "test_a", "A b."),
        ("units", "test_e", None),
        ("units", "TestC::test_d", "D."),
    ]
