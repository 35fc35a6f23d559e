"""Budgets: lines of code without docstrings and blank lines; comments count.

A number is raised in RAISED, with the decision record that says why.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "momentarm"
COLUMNS, FUNCTION, ALGORITHM, FILE, OPTIONAL_BACKEND, COMPILER = 100, 40, 30, 400, 150, 2500
COMPILER_ROOMS = ("graph", "passes", "backends", "kernels")
OPTIONAL_BACKENDS = ("jax", "torch", "casadi", "sympy")

# "src/momentarm/x.py", "src/momentarm/x.py::Class.function" or "compiler":
# (lines, "docs/decisions/NNN-title.md")
RAISED: dict[str, tuple[int, str]] = {
    "compiler": (3050, "docs/decisions/010-derived-kernels.md"),
}


def python_files() -> list[Path]:
    return sorted(p for folder in ("src", "tests", "tools") for p in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def docstring_lines(tree: ast.AST) -> set[int]:
    owners = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, owners) and ast.get_docstring(node, clean=False) is not None:
            lines.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return lines


def code_lines(text: str) -> set[int]:
    """The numbers of the lines that count."""
    written = {i for i, line in enumerate(text.splitlines(), 1) if line.strip()}
    return written - docstring_lines(ast.parse(text))


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, range]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, range(node.lineno, node.end_lineno + 1)
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        yield from functions(node, f"{prefix}{node.name}." if named else prefix)


def function_lengths(text: str) -> dict[str, int]:
    counted = code_lines(text)
    return {name: len(counted & set(lines)) for name, lines in functions(ast.parse(text))}


def file_lengths() -> dict[str, int]:
    return {name_of(p): len(code_lines(p.read_text(encoding="utf-8"))) for p in python_files()}


def is_optional_backend(name: str) -> bool:
    room, _, file = name.removeprefix("src/momentarm/").partition("/")
    return room == "backends" and file.removesuffix(".py").rstrip("_") in OPTIONAL_BACKENDS


def over_budget(lengths: dict[str, int], budget: int) -> list[str]:
    budgets = {name: RAISED.get(name, (budget,))[0] for name in lengths}
    return [f"{k}: {n} lines, budget {budgets[k]}" for k, n in lengths.items() if n > budgets[k]]


def room_sizes() -> dict[str, int]:
    sizes: dict[str, int] = {}
    for name, lines in file_lengths().items():
        if name.startswith("src/"):
            room = name.removeprefix("src/momentarm/").partition("/")[0]
            room = "optional backends" if is_optional_backend(name) else room
            sizes[room] = sizes.get(room, 0) + lines
    return sizes


def test_functions_are_short():
    """No function exceeds 40 lines of code, no function of algorithms/ 30."""
    over = []
    for path in python_files():
        budget = ALGORITHM if path.is_relative_to(PACKAGE / "algorithms") else FUNCTION
        lengths = function_lengths(path.read_text(encoding="utf-8"))
        over += over_budget({f"{name_of(path)}::{f}": n for f, n in lengths.items()}, budget)
    assert not over, "\n".join(over)


def test_files_are_short():
    """No Python file exceeds 400 lines of code, no optional backend 150."""
    lengths = file_lengths()
    optional = {name: n for name, n in lengths.items() if is_optional_backend(name)}
    over = over_budget(lengths, FILE) + over_budget(optional, OPTIONAL_BACKEND)
    assert not over, "\n".join(over)


def test_lines_are_short():
    """No line of Python is wider than 100 columns."""
    wide = [
        f"{name_of(path)}:{i}: {len(line)} columns"
        for path in python_files()
        for i, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > COLUMNS
    ]
    assert not wide, "\n".join(wide)


def test_the_compiler_is_small(record_property):
    """graph, passes, backends and kernels have at most 3,050 lines of code in all."""
    sizes = room_sizes()
    compiler = sum(sizes.get(room, 0) for room in COMPILER_ROOMS)
    budget = RAISED.get("compiler", (COMPILER,))[0]
    rows = [f"{room:<20}{lines:>6}" for room, lines in sorted(sizes.items())]
    rows.append(f"{'compiler':<20}{compiler:>6} of {budget}")
    rows.append(f"{'all of src':<20}{sum(sizes.values()):>6}")
    record_property("table", "\n".join(rows))
    assert compiler <= budget, "\n".join(rows)


def test_raised_budgets_are_decided_and_needed():
    """Every raised budget names an existing decision record and a function or file that exists."""
    existing = {"compiler", *map(name_of, python_files())}
    for path in python_files():
        lengths = function_lengths(path.read_text(encoding="utf-8"))
        existing |= {f"{name_of(path)}::{function}" for function in lengths}
    bad = [k for k, (_, record) in RAISED.items() if not (ROOT / record).is_file()]
    assert not bad, f"no decision record: {bad}"
    assert not (gone := sorted(RAISED.keys() - existing)), f"raised for nothing: {gone}"


def test_counting_skips_docstrings_and_blank_lines():
    """A function of two statements, a comment, a docstring and blank lines counts four lines."""
    text = 'class A:\n    def f(x):\n        """One.\n\n        Two."""\n        # why\n\n'
    text += "        y = x\n        return y\n"
    assert function_lengths(text) == {"A.f": 4}
