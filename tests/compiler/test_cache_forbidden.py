"""The disk cache where the system forbids something, or other processes share it.

As in `test_cache.py` every test in this process runs twice, and the oracle is what was stored.
"""

import os
import shutil
import subprocess
import sys
import time

import pytest

from compiler import cache_place
from compiler.cache_place import KEY, LOADED, META, PAYLOAD, file_of, files, run, stored
from momentarm.kernels import cache

place = cache_place.place

# As a user whose rights are limited: root drops its own, since nothing is forbidden to it.
LIMITED = """
import pathlib, shutil, tempfile  # while the interpreter's files can still be read
home = tempfile.mkdtemp()
if os.geteuid() == 0:
    os.chown(home, 65534, 65534)
    os.setgroups([]), os.setresgid(*3 * [65534]), os.setresuid(*3 * [65534])
os.environ["XDG_CACHE_HOME"] = home
cache._AT = sys.argv[1] == "True"
"""


def test_a_read_only_directory():
    """A read-only directory serves what it holds, and storing into it warns once, naming chmod."""
    script = f"""{LIMITED}
cache.store(key, {{}}, payload)
path = str(cache.directory() / key.hex()[:2])
os.chmod(path, 0o500)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(10):
        cache.store(key, {{}}, b"new")
print(cache.load(key).payload == payload, len(caught))
print(f"chmod u+rwx,go-w {{path}}" in str(caught[0]))
os.chmod(path, 0o700)
os.chmod(str(cache.directory()), 0o500)
print(cache.info()["usable"], cache.info()["entries"], "chmod" in cache.info()["problem"])
os.chmod(str(cache.directory()), 0o700)
shutil.rmtree(home, ignore_errors=True)
"""
    assert run(script, cache._AT).split() == ["True", "1", "True", "False", "1", "True"]


def test_commands_touch_nothing_but_our_own():
    """Where a home or its .cache cannot be used, no rm or chmod is told, but XDG_CACHE_HOME."""
    script = f"""{LIMITED}
os.chmod(home, 0o500)
below, said = os.path.join(home, "a", "b"), []
for place in (home, below, "/", "/nonexistent", "/dev/null", "/usr"):
    os.environ["XDG_CACHE_HOME"] = place
    said.append(cache.info()["problem"])
os.chmod(home, 0o700)
print([("rm " in s or "chmod" in s, s.endswith("to a directory of yours")) for s in said])
os.rmdir(home)
"""
    assert run(script, cache._AT).strip() == str([(False, True)] * 6)


def test_an_unreadable_file_or_directory():
    """An unreadable file is a miss that the next store replaces; an unreadable directory warns."""
    script = f"""{LIMITED}
warnings.simplefilter("error")
cache.store(key, {{}}, payload)
os.chmod(cache.directory() / key.hex()[:2] / f"{{key.hex()}}.kernel", 0)
print(cache.load(key))
cache.store(key, {{}}, payload)
print(cache.load(key).payload == payload)
os.chmod(cache.directory(), 0)
try:
    print(cache.load(key))
except RuntimeWarning as warning:
    print(str(warning).count(f"chmod u+rwx,go-w {{cache.directory()}}"))
os.chmod(cache.directory(), 0o700)
shutil.rmtree(home, ignore_errors=True)
"""
    assert run(script, cache._AT).split() == ["None", "True", "1"]


def test_a_full_disk_is_no_error():
    """A store that hits a full disk leaves no file and warns once; smaller kernels still fit."""
    script = """
resource.setrlimit(resource.RLIMIT_FSIZE, (10000, resource.RLIM_INFINITY))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(3):
        cache.store(key, {}, payload)
    print(cache.load(key), len(caught), "make room" in str(caught[0].message))
    cache.store(key, {}, payload[:5000])
    print(cache.load(key).payload == payload[:5000], len(caught))
"""
    assert run(script).split() == ["None", "1", "True", "True", "1"]
    assert files() == [f"{KEY.hex()}.kernel"]


def test_warnings_as_errors_leave_nothing_behind():
    """Where warnings are errors the first store raises it, the second nothing, no file is left."""
    file_of(KEY).mkdir(0o700, parents=True)
    for folder in file_of(KEY).parents[:3]:
        folder.chmod(0o700)
    with pytest.raises(RuntimeWarning):
        cache.store(KEY, META, PAYLOAD)
    cache.store(KEY, META, PAYLOAD)
    assert files() == []


# Other processes


def test_eight_processes_share_the_cache():
    """Eight processes that store, load and clear the same keys only ever see whole entries."""
    script = """
warnings.simplefilter("error")
draw, hits = random.Random(int(sys.argv[1])), 0
cache._AT = sys.argv[2] == "True"
for step in range(150):
    number = draw.randrange(12)
    key = hashlib.sha256(bytes([number])).digest()
    expected = key * (200 + 100 * number)
    if (entry := cache.load(key)) is None:
        cache.store(key, {"number": number}, expected)
    else:
        hits += 1
        assert entry == ({"number": number}, expected)
    if step % 50 == 49:
        cache.clear() if draw.random() < 0.5 else cache.verify()
print(hits)
"""
    command = [sys.executable, "-I", "-c", LOADED + script]
    processes = [
        subprocess.Popen([*command, str(i), str(cache._AT)], stdout=-1, stderr=-1, text=True)
        for i in range(8)
    ]
    done = [(*p.communicate(timeout=60), p.returncode) for p in processes]
    assert [(err, code) for _, err, code in done if code] == []
    assert all(int(out) > 0 for out, _, _ in done)
    assert not [name for name in files() if not name.endswith(".kernel")]
    assert cache.verify()[1] == []


@pytest.mark.parametrize("moment", ["half written", "before the rename"])
def test_killed_while_writing(moment):
    """A process killed while it writes leaves a miss, and its remains go after an hour."""
    script = """
def kill(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
def half(name, mode, opener):
    with open(name, mode, opener=opener) as file:
        file.write(payload[:10000])
    kill()
if sys.argv[1] == "half written":
    cache.open = half
os.replace = kill
cache.store(key, {}, payload)
"""
    assert run(script, moment) == ""
    (name,) = files()
    assert name.startswith("tmp-")
    assert cache.load(KEY) is None
    stored()
    assert cache.verify() == (1, [])
    assert len(files()) == 2  # it may be at work still
    remains = file_of(KEY).with_name(name)
    os.utime(remains, (time.time() - 7200,) * 2)
    assert cache.verify() == (1, [])
    assert files() == [f"{KEY.hex()}.kernel"]


def test_a_cache_that_disappears():
    """After its directories are removed under a running process, a load misses, a store works."""
    stored()
    shutil.rmtree(cache.directory().parent)
    assert cache.load(KEY) is None
    stored()
    assert cache.load(KEY) == (META, PAYLOAD)
