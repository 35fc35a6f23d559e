"""Who may import what: the contracts of pyproject.toml, and what src never uses at all."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
HEAVY = {
    "cyclopts", "jax", "matplotlib", "mujoco", "pandas", "rich", "scipy", "sympy", "torch", "viser",
}  # fmt: skip
UNSAFE = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}
NETWORK = {"ftplib", "http", "requests", "smtplib", "socket", "socketserver", "urllib", "xmlrpc"}
READS_ENVIRONMENT = ("kernels/cache", "bench")  # where the cache is; what the machine is


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module.partition(".")[0]


def unsafe_calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in {"eval", "exec"}:
            yield node.lineno, f"{node.func.id}()"
        if any(k.arg == "allow_pickle" and ast.unparse(k.value) != "False" for k in node.keywords):
            yield node.lineno, "allow_pickle"


def environment_uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    names = {"environ", "environb", "getenv", "expandvars"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in names:
            yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom) and node.module == "os":
            yield from ((node.lineno, a.name) for a in node.names if a.name in names)


def python(code: str) -> str:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_import_contracts_hold():
    """Every import contract of pyproject.toml is kept by the modules of src."""
    code = (
        "import sys; from importlinter.cli import lint_imports;"
        f"sys.exit(lint_imports({str(ROOT / 'pyproject.toml')!r}, no_cache=True, no_logo=True))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(ROOT / "src").as_posix())
def test_sources_do_nothing_unsafe(path):
    """No file of src pickles, evaluates text, opens the network or asks the environment."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [(line, name) for line, name in imported(tree) if name in UNSAFE | NETWORK]
    found += unsafe_calls(tree)
    if not path.relative_to(ROOT / "src" / "momentarm").as_posix().startswith(READS_ENVIRONMENT):
        found += environment_uses(tree)
    assert not found, "\n".join(f"{path}:{line}: {name}" for line, name in found)


def test_import_is_light():
    """After `import momentarm` no command line, plotting, symbolic or peer library is loaded."""
    code = f"import sys, momentarm; print(*sorted({HEAVY!r} & set(sys.modules)))"
    assert python(code) == ""


def test_import_never_fails_without_the_compiler():
    """Where llvmlite cannot be imported, `import momentarm` succeeds without a warning."""
    code = "import sys; sys.modules['llvmlite'] = None; import momentarm; print(momentarm.__name__)"
    assert python(code) == "momentarm"


@pytest.mark.parametrize(
    "text",
    ["import pickle", "from urllib.request import urlopen", "def f():\n    import marshal"],
)
def test_planted_imports_are_caught(text):
    """An unsafe module is noticed at any depth and in both forms of import."""
    assert {name for _, name in imported(ast.parse(text))} & (UNSAFE | NETWORK)


@pytest.mark.parametrize("text", ["eval('1')", "exec(x)", "np.load(f, allow_pickle=True)"])
def test_planted_calls_are_caught(text):
    """eval, exec and allow_pickle are noticed."""
    assert list(unsafe_calls(ast.parse(text)))
