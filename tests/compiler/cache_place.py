"""What the tests of the disk cache share: a place for each test, and other processes."""

import hashlib
import random
import subprocess
import sys

import pytest

from momentarm.kernels import cache

META = {"symbols": ["k0"], "width": 4, "self_test": 0.1}
PAYLOAD = random.Random(1).randbytes(20000)
KEY, OTHER = (hashlib.sha256(text).digest() for text in (b"key", b"other"))

# How the scripts of other processes begin: the file alone, not the package around it.
ALONE = f"""
import sys, importlib.util
spec = importlib.util.spec_from_file_location("cache", {cache.__file__!r})
cache = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cache)
"""
LOADED = f"""{ALONE}
import hashlib, os, random, resource, signal, warnings
key, payload = hashlib.sha256(b"key").digest(), random.Random(1).randbytes(20000)
"""


@pytest.fixture(params=["open directories", "paths"], autouse=True)
def place(request, tmp_path, monkeypatch):
    """The directory v1, still missing, in an environment that points to it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.setattr(cache, "_warned", False)
    monkeypatch.setattr(cache, "_AT", request.param == "open directories")
    return tmp_path / "caches" / "momentarm" / "v1"


def file_of(key):
    return cache.directory() / key.hex()[:2] / f"{key.hex()}.kernel"


def stored(key=KEY):
    """The path of a file just stored, and its bytes."""
    cache.store(key, META, PAYLOAD)
    return file_of(key), file_of(key).read_bytes()


def files():
    return sorted(path.name for path in cache.directory().rglob("*") if path.is_file())


def run(script, *arguments):
    """The output of another process, which must end well unless it is killed."""
    command = [sys.executable, "-I", "-c", LOADED + script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode in (0, -9), done.stderr
    return done.stdout.strip()


def refused(match):
    """One load and ten stores under a single warning that says `match`."""

    def use():
        assert cache.load(KEY) is None
        for _ in range(10):
            cache.store(KEY, META, PAYLOAD)

    with pytest.warns(RuntimeWarning, match=match) as caught:
        use()
    use()  # where warnings are errors
    (warning,) = caught
    return str(warning.message)
