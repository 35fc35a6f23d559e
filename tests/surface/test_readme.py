"""What the README and the docs show is done: snippets run, commands end well, names exist.

A fenced ```python block with >>> is a doctest, any other is executed; the blocks of a page share
their names and a fresh directory. In ```console blocks the lines `$ momentarm …` are run.
"""

import ast
import doctest
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import momentarm as ma
from doctor.material import severities
from momentarm.demo import timing
from momentarm.formats import FORMATS, native, table
from momentarm.model.joints import JOINT_TYPES
from momentarm.quantities import QUANTITIES

ROOT = Path(__file__).parents[2]
SOURCE, TESTS = ROOT / "src" / "momentarm", ROOT / "tests"
TOP = [ROOT / f"{name}.md" for name in ("README", "ARCHITECTURE", "CONVENTIONS", "CONTRIBUTING")]
PAGES = [*TOP, *(p for p in sorted((ROOT / "docs").glob("*.md")) if p.stem != "claims")]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text, language):
    """(line of the file, content) of each fenced block in a language."""
    for found in re.finditer(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start()) + 1, found[1]


def with_blocks(language):
    pages = [p for p in PAGES if any(blocks(p.read_text(encoding="utf-8"), language))]
    return pytest.mark.parametrize("page", pages, ids=lambda p: p.name)


@with_blocks("python")
def test_snippets_do_what_they_show(page, tmp_path, monkeypatch):
    """Every Python block of a page runs, in order, and prints what stands below its prompts."""
    monkeypatch.chdir(tmp_path)
    names, said = {"__name__": "page"}, []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for line, text in blocks(page.read_text(encoding="utf-8"), "python"):
        if ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, names, page.name, page.name, line)
            runner.run(test, out=said.append, clear_globs=False)
            names = test.globs
        else:
            exec(compile("\n" * line + text, page.name, "exec"), names)
    assert not runner.failures, "".join(said)


@pytest.mark.skipif(not shutil.which("bash"), reason="the lines are for a shell with pipes")
@with_blocks("console")
def test_commands_end_well(page, tmp_path):
    """Every `momentarm …` line of a page but bench and demo ends with exit code 0 in a shell."""
    text = page.read_text(encoding="utf-8")
    for _, content in blocks(text, "csv"):
        (tmp_path / "motion.csv").write_text(content)
    command = f"{shlex.quote(sys.executable)} -m momentarm"
    for _, content in blocks(text, "console"):
        for line in re.findall(r"^\$ (momentarm .*)$", content, re.MULTILINE):
            if line.split()[1] in ("bench", "demo"):
                continue
            run = ["bash", "-o", "pipefail", "-c", re.sub(r"momentarm(?= )", command, line)]
            done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
            assert done.returncode == 0, f"{line}\n{done.stderr}"


@pytest.mark.parametrize("page", [*PAGES, *DECISIONS], ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    """Every relative link of a page names a file or folder that exists."""
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [t for t in targets if "://" not in t]
    assert [t for t in local if not (page.parent / t).exists()] == []


def anchors(page):
    """What links may name after #: the headings, as GitHub spells them."""
    for heading in re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_anchors_are_headings(page):
    """Every relative link with # of a page leads to a heading of the page it names."""
    named = re.findall(r"\]\(([\w./]*)#([^)]+)\)", page.read_text(encoding="utf-8"))
    for target, anchor in named:
        assert anchor in anchors(page.parent / target if target else page), f"{target}#{anchor}"


def test_readme_is_short():
    """The README has at most 110 lines."""
    assert len(read("README.md").splitlines()) <= 110


def test_readme_counts_are_those_of_the_demo():
    """The operation counts in the README's table are those of the kernels that the demo times."""
    (_, shown), *_ = blocks(read("README.md"), "text")
    rows = [line.split() for line in shown.splitlines()[1:]]
    arm = ma.robots.panda()
    assert [row[0] for row in rows] == list(timing.QUANTITIES)
    for name, *numbers in rows:
        ops = arm.kernel(name).ops
        counts = [n for n in (ops.mul, ops.add, ops.div, ops.sincos) if n]
        assert numbers[:-3] == list(map(str, counts))


def test_make_targets_exist():
    """Every `make …` that README or CONTRIBUTING names is a target of the Makefile."""
    text = read("README.md") + read("CONTRIBUTING.md")
    named = set(re.findall(r"(?:\$ |`)make ([a-z-]+)", text))
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    assert {"demo", "test"} <= named <= targets


def test_every_quantity_has_an_entry():
    """The pages of docs/ have exactly one entry for each row of the table of quantities."""
    text = "\n".join(p.read_text(encoding="utf-8") for p in sorted((ROOT / "docs").glob("*.md")))
    entries = Counter(re.findall(r"^\*\*`(\w+)\(", text, re.MULTILINE))
    assert {name: entries[name] for name in QUANTITIES} == dict.fromkeys(QUANTITIES, 1)


def functions(path):
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {n.name for n in nodes if isinstance(n, ast.FunctionDef)}


def test_equation_index_names_what_exists():
    """Every function and every test in docs/equations.md is where it is said to be."""
    rows = re.findall(r"^\| [^|]*\| [^|]*\| (`.*`) \| (`.*`) \|$", read("docs/equations.md"), re.M)
    assert len(rows) > 20
    for column, folder in ((0, SOURCE), (1, TESTS)):
        for cell in (row[column] for row in rows):
            for file, name in re.findall(r"`([\w/.]+)::(\w+)`", cell):
                assert name in functions(folder / file), f"{file}::{name}"


def test_equation_index_holds_every_quantity():
    """Each numbered equation that a quantity claims stands in docs/equations.md."""
    text = read("docs/equations.md")
    assert [k for k, row in QUANTITIES.items() if row.equation not in text] == []


def test_equation_index_is_in_order():
    """The rows of docs/equations.md that begin with a number of chapter 8 ascend in it."""
    numbers = re.findall(r"^\| \(8\.(\d+)\)", read("docs/equations.md"), re.MULTILINE)
    assert numbers == sorted(numbers, key=int)


def test_equation_index_leaves_no_equation_out():
    """Each of (8.1) to (8.102), and each number to be met of these chapters, has a row there."""
    first = re.findall(r"^\| ([^|]*) \|", read("docs/equations.md"), re.MULTILINE)
    spans = re.findall(r"\(8\.(\d+)\)(?:–\(8\.(\d+)\))?", "\n".join(first))
    there = {n for low, high in spans for n in range(int(low), int(high or low) + 1)}
    assert set(range(1, 103)) - there == set()
    assert {"S1", "S2", "S3", "S4", "S5", "S6", "S9", "S13", "S14"} <= set(first)


def test_every_page_is_listed():
    """docs/README.md has one row for every page of docs/, and README.md links docs/README.md."""
    links = re.findall(r"^\| \[(\w+\.md)\]\(\1\) \|", read("docs/README.md"), re.MULTILINE)
    assert sorted(links) == sorted(p.name for p in (ROOT / "docs").glob("[a-z]*.md"))
    assert "(docs/README.md)" in read("README.md")


def test_architecture_names_every_file():
    """The tree in ARCHITECTURE.md names each Python file of the rooms, and none that is not."""
    text = read("ARCHITECTURE.md").partition("```\n")[2].partition("\n```")[0]
    rooms = ("spatial", "model", "formats", "algorithms", "textbook", "graph", "passes", "backends",
             "kernels", "quantities", "doctor", "adapters", "answers", "constrained")  # fmt: skip
    files = {p.name for room in rooms for p in (SOURCE / room).glob("*.py")} | {
        p.name for p in SOURCE.glob("*.py")}  # fmt: skip
    files -= {"__main__.py", "version.py"}
    named = set(re.findall(r"\b[\w.]+\.py\b", text)) - {"claims.py", "planted_bugs.py"}
    assert named == files


def test_paths_in_the_pages_exist():
    """Every path to a Python file in ARCHITECTURE and CONTRIBUTING leads to one."""
    text = read("ARCHITECTURE.md").partition("## Rules")[2] + read("CONTRIBUTING.md")
    roots = (ROOT, SOURCE, SOURCE / "backends", SOURCE / "model")
    paths = re.findall(r"`([\w./]+\.(?:py|md))`", text)
    assert [p for p in paths if not any((root / p).exists() for root in roots)] == []


def test_codes_are_listed():
    """The codes of the sources, with their severities, are the rows of docs/check.md."""
    listed = read("docs/check.md").partition("## Codes")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \| ([a-z, ]+) \|", listed, re.MULTILINE)
    stated = {(code, kind) for code, kinds in rows for kind in kinds.split(", ")}
    assert stated == severities("model", "formats", "doctor", "cli")


def test_keys_are_listed():
    """docs/files.md names every key of the native format, every joint type and every format."""
    text = read("docs/files.md").partition("## Native TOML")[2].partition("## Denavit")[0]
    keys = {*native.ROBOT, *native.LINK, *native.JOINT, *native.FRAME, *native.DH, *table.POSE}
    words = set(re.findall(r"\w+", text))
    assert keys - {"link", "joint", "frame"} <= words
    assert set(JOINT_TYPES) <= words
    assert set(FORMATS) == {"urdf", "mjcf", "toml"}
