"""docs/claims.md: what we promise, each sentence with the test that would fail.

python tools/claims.py            print the page
python tools/claims.py --write    write it

Reads the tests as text and imports nothing. Does not know whether the claims hold.
"""

import ast
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "claims.md"
HEAD = """# What we promise

Generated from the tests by `python tools/claims.py --write`; do not edit. {count} claims, by kind
of evidence (`tests/README.md`). Each names the test that fails when it stops being true.
"""


class Claim(NamedTuple):
    file: str  # below tests/
    test: str
    sentence: str | None  # None: the test has no docstring

    @property
    def kind(self) -> str:
        return self.file.rpartition("/")[0] or "tests"


def claims(root: Path = ROOT) -> list[Claim]:
    """Every test function below root/tests, in the order of files and lines."""
    tests = root / "tests"
    return [
        Claim(path.relative_to(tests).as_posix(), name, sentence)
        for path in sorted(tests.rglob("test_*.py"))
        for name, sentence in test_docstrings(ast.parse(path.read_text(encoding="utf-8")))
    ]


def test_docstrings(module: ast.Module) -> Iterator[tuple[str, str | None]]:
    classes = [n for n in module.body if isinstance(n, ast.ClassDef) and n.name[:4] == "Test"]
    for owner in [module, *classes]:
        prefix = "" if isinstance(owner, ast.Module) else f"{owner.name}::"
        for node in owner.body:
            function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            if function and node.name.startswith("test"):
                doc = ast.get_docstring(node)
                yield prefix + node.name, doc and " ".join(doc.split())


def page(found: list[Claim]) -> str:
    lines = [HEAD.format(count=len(found))]
    for kind, of_kind in groupby(sorted(found, key=lambda c: c.kind), key=lambda c: c.kind):
        lines.append(f"## {kind}\n")
        for file, of_file in groupby(of_kind, key=lambda c: c.file):
            lines.append(f"`tests/{file}`\n")
            lines += [f"* {c.sentence or '(no claim)'} `{c.test}`" for c in of_file]
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    text = page(claims())
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    else:
        sys.stdout.write(text)
