"""The disk cache under torture: whatever happens to its files, a load gives the truth or nothing.

Every test in this process runs twice: with files named relative to open directories, and with the
plain paths of a system that cannot. The oracle is always what was stored, never a second load.
"""

import contextlib
import hashlib
import os
import random
import stat
import subprocess
import sys
import time

import pytest

from compiler import cache_place
from compiler.cache_place import (
    ALONE,
    KEY,
    META,
    OTHER,
    PAYLOAD,
    file_of,
    files,
    refused,
    run,
    stored,
)
from momentarm.kernels import cache

place = cache_place.place

# What is promised on a good day


def test_what_was_stored_is_loaded():
    """A load returns exactly the meta and the payload stored under its key, None for another."""
    stored()
    assert cache.load(KEY) == (META, PAYLOAD)
    assert cache.load(OTHER) is None
    cache.store(OTHER, {}, b"")
    assert cache.load(OTHER) == ({}, b"")


def test_the_place_is_ours_alone(place):
    """Whatever the umask, directories are made with mode 0700 and files with 0600."""
    before = os.umask(0)
    try:
        path, _ = stored()
    finally:
        os.umask(before)
    assert path == place / KEY.hex()[:2] / f"{KEY.hex()}.kernel"
    folders = [path.parent, place, place.parent]
    assert [stat.S_IMODE(p.stat().st_mode) for p in [path, *folders]] == [0o600] + [0o700] * 3


def test_the_bytes_are_determined():
    """The file depends on nothing but key, meta and payload: not on order, time or process."""
    path, data = stored()
    path.unlink()
    cache.store(KEY, dict(reversed(META.items())), PAYLOAD)
    assert path.read_bytes() == data
    path.unlink()
    run(f"cache.store(key, {META!r}, payload)")
    assert path.read_bytes() == data


def test_the_file_is_what_the_head_of_the_module_says():
    """A file is magic, format, key, two lengths, SHA-256 of all the rest, meta as JSON, payload."""
    data = stored()[1]
    meta = b'{"self_test":0.1,"symbols":["k0"],"width":4}'
    lengths = len(meta).to_bytes(4, "little") + len(PAYLOAD).to_bytes(8, "little")
    fields = b"momentar" + b"\1\0\0\0" + KEY + lengths
    digest = hashlib.sha256(fields + meta + PAYLOAD).digest()
    assert data == fields + digest + meta + PAYLOAD


def test_a_key_is_a_digest():
    """A key that is not 32 bytes long is an error of the caller that names what was found."""
    with pytest.raises(ValueError, match="key: found 3 bytes, expected the 32"):
        cache.store(b"abc", META, PAYLOAD)


def test_the_environment_is_read_at_each_call(tmp_path, monkeypatch):
    """A changed XDG_CACHE_HOME is obeyed at once, and a relative one is ignored."""
    stored()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    assert cache.load(KEY) is None
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    for platform, caches in ("linux", ".cache"), ("darwin", "Library/Caches"):
        monkeypatch.setattr(sys, "platform", platform)
        assert cache.directory() == tmp_path / caches / "momentarm/v1"


def test_importing_the_cache_is_light():
    """Importing the module brings in no array library, no compiler, no pickle, no pathlib."""
    command = [sys.executable, "-I", "-S", "-c", f"{ALONE}print(*sys.modules)"]
    modules = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "hashlib" in modules
    assert {"numpy", "llvmlite", "pickle", "pathlib", "dataclasses"}.isdisjoint(modules)


# Damaged files


def is_a_miss_and_gone(path, data):
    path.write_bytes(data)
    path.chmod(0o600)
    return cache.load(KEY) is None and not path.exists()


def test_truncated_files_are_misses():
    """A file cut at any sixteenth of its length, or inside its header, is a miss and removed."""
    path, data = stored()
    cuts = [len(data) * i // 16 for i in range(16)] + list(range(0, 120, 7)) + [len(data) - 1]
    assert [cut for cut in cuts if not is_a_miss_and_gone(path, data[:cut])] == []


def test_flipped_bits_are_misses():
    """A file with one bit flipped, in any of 200 random places or the header, is removed."""
    path, data = stored()
    draw = random.Random(2)
    places = [draw.randrange(8 * len(data)) for _ in range(200)] + list(range(0, 8 * 90, 5))
    whole = int.from_bytes(data, "little")
    flipped = {bit: (whole ^ 1 << bit).to_bytes(len(data), "little") for bit in places}
    assert [bit for bit in places if not is_a_miss_and_gone(path, flipped[bit])] == []


def test_longer_files_are_misses():
    """A file with bytes appended is a miss and removed, and so is a file of zeros."""
    path, data = stored()
    assert is_a_miss_and_gone(path, data + b"\0")
    assert is_a_miss_and_gone(path, data + data)
    assert is_a_miss_and_gone(path, bytes(len(data)))


def test_a_sound_file_of_another_key_or_format_is_a_miss(monkeypatch):
    """A sound file is a miss and removed under the name of another key or as another format."""
    path, data = stored(OTHER)
    file_of(KEY).parent.mkdir(0o700)
    assert is_a_miss_and_gone(file_of(KEY), data)
    assert cache.load(OTHER) == (META, PAYLOAD)
    monkeypatch.setattr(cache, "_FORMAT", 2)
    assert (cache.load(OTHER), path.exists()) == (None, False)


def test_a_directory_in_place_of_the_file():
    """A directory at the file's place is a miss that is left alone, with one warning on store."""
    path, _ = stored()
    path.unlink()
    path.mkdir(mode=0o700)
    assert "rm -r " in refused("[Ii]s a directory")
    assert path.is_dir()
    assert files() == []


def test_a_pipe_in_place_of_the_file():
    """A named pipe at the file's place neither blocks nor delivers, and a store replaces it."""
    path, _ = stored()
    path.unlink()
    os.mkfifo(path)
    assert cache.load(KEY) is None
    assert stored()[0].is_file()


def test_a_link_in_place_of_the_file(tmp_path):
    """A symbolic link to a sound file is not followed; a store replaces it, not its target."""
    path, data = stored()
    target = path.rename(tmp_path / "target")
    path.symlink_to(target)
    assert cache.load(KEY) is None
    assert cache.verify() == (0, [path])
    cache.store(KEY, META, b"new")
    assert not path.is_symlink()
    assert (cache.load(KEY).payload, target.read_bytes()) == (b"new", data)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_a_miss(mode):
    """A sound file with write permission for group or others is a miss and removed."""
    path, _ = stored()
    path.chmod(mode)
    assert (cache.load(KEY), path.exists()) == (None, False)


# Directories that are not ours


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_linked_directory_is_refused(depth, tmp_path):
    """With any of our directories a symbolic link, nothing is used or deleted, with one warning."""
    path, data = stored()
    folder = path.parents[depth]
    folder.rename(tmp_path / "moved")
    folder.symlink_to(tmp_path / "moved")
    assert f"rm -r {folder}" in refused("Not a directory")
    assert [p.read_bytes() for p in (tmp_path / "moved").rglob("*.kernel")] == [data]


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_directory_that_others_can_write_is_refused(depth, mode):
    """With any of our directories writable by others, nothing is used or deleted; chmod is told."""
    path, data = stored()
    folder = path.parents[depth]
    folder.chmod(mode)
    assert f"chmod u+rwx,go-w {folder}" in refused("can be written by others")
    assert path.read_bytes() == data
    folder.chmod(0o700)
    assert cache.load(KEY) == (META, PAYLOAD)


def test_a_directory_of_another_user_is_refused(monkeypatch):
    """What another user owns is neither used nor deleted, even if its modes are right."""
    path, data = stored()
    us = os.getuid()
    for name in ("getuid", "geteuid"):
        monkeypatch.setattr(os, name, lambda: us + 1)
    refused("belongs to another user")
    assert path.read_bytes() == data


def test_a_file_in_place_of_a_directory(place):
    """A file where a directory of ours should be is left alone, with one warning."""
    place.parent.parent.mkdir()
    place.parent.write_text("precious")
    refused("Not a directory")
    assert place.parent.read_text() == "precious"


def test_a_linked_cache_home_is_followed(tmp_path, monkeypatch):
    """XDG_CACHE_HOME itself may be a symbolic link: only what is below it must be ours."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "link"))
    stored()
    assert cache.load(KEY) == (META, PAYLOAD)
    assert len(list((tmp_path / "real").rglob("*.kernel"))) == 1


def test_variables_are_ignored_with_another_users_rights(monkeypatch):
    """When effective and real user differ, the place comes from the table of users alone."""
    import pwd

    account = next(p for p in pwd.getpwall() if p.pw_uid != os.getuid())
    monkeypatch.setattr(os, "geteuid", lambda: account.pw_uid)
    monkeypatch.setenv("HOME", "/wrong")
    home = pwd.getpwuid(account.pw_uid).pw_dir
    assert cache.directory().is_relative_to(home)


# Places that cannot be written


def test_no_home_is_no_error(monkeypatch):
    """Without XDG_CACHE_HOME and a home directory, one warning says which variable to set."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as for an unknown user
    assert "set XDG_CACHE_HOME" in refused("no home directory")
    assert (cache.info()["usable"], cache.info()["entries"]) == (False, 0)
    with pytest.raises(cache.Unusable, match="no home directory"):
        cache.directory()


def test_home_missing_from_the_environment(monkeypatch):
    """Without HOME and XDG_CACHE_HOME the place is absolute all the same, or Unusable."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    with contextlib.suppress(cache.Unusable):
        assert cache.directory().is_absolute()


def test_a_cache_home_that_cannot_be_made(tmp_path, monkeypatch):
    """A cache home below a file is a miss for load and one warning for store."""
    (tmp_path / "file").write_text("precious")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file" / "below"))
    assert "; set XDG_CACHE_HOME to a directory of yours" in (text := refused("Not a directory"))
    assert "rm " not in text
    assert not cache.info()["usable"]
    assert (tmp_path / "file").read_text() == "precious"


# Size, and the commands


def test_the_longest_unused_go_first(monkeypatch):
    """A sweep removes files by age until the rest is below the limit; loading keeps one young."""
    keys = [bytes([i]) * 32 for i in range(1, 7)]
    for age, key in enumerate(keys):
        path, data = stored(key)
        os.utime(path, (time.time() - 100 * 86400 + age,) * 2)
    assert cache.load(keys[0]).payload == PAYLOAD
    monkeypatch.setattr(cache, "LIMIT", 5 * len(data))
    sweeping = bytes([64]) * 32
    stored(sweeping)
    assert files() == sorted(f"{key.hex()}.kernel" for key in [keys[0], *keys[3:], sweeping])


def test_info_counts():
    """info() tells the place, that it can be used, and the number and bytes of its files."""
    sizes = [len(stored(key)[1]) for key in (KEY, OTHER)]
    (cache.directory() / KEY.hex()[:2] / "notes.txt").write_text("not a kernel")
    state = {"directory": str(cache.directory()), "usable": True, "problem": ""}
    assert cache.info() == state | {"entries": 2, "bytes": sum(sizes), "limit": 512 * 2**20}


def test_clear_removes_kernels_only():
    """clear() returns the number of kernels it removed and touches nothing else."""
    path, _ = stored()
    stored(OTHER)
    path.with_name("notes.txt").write_text("not a kernel")
    path.with_name(f"{KEY.hex()[:2]}{'0' * 62}.kernel").symlink_to(path)
    assert cache.clear() == 2
    assert cache.clear() == 0
    assert files() == ["notes.txt"]
    assert cache.info()["usable"]


def test_verify_removes_what_is_damaged():
    """verify() counts the sound files and names the damaged ones, which are then gone."""
    path, data = stored()
    stored(OTHER)
    path.write_bytes(data[:-1])
    assert cache.verify() == (1, [path])
    assert cache.verify() == (1, [])


def test_commands_refuse_what_is_not_ours(place):
    """clear() and verify() raise Unusable for a directory others can write, and delete nothing."""
    path, data = stored()
    place.chmod(0o777)
    for command in (cache.clear, cache.verify):
        with pytest.raises(cache.Unusable, match="can be written by others"):
            command()
    assert "chmod" in cache.info()["problem"]
    assert path.read_bytes() == data


def test_nothing_stays_open(place):
    """Hits, misses, damage, refusals and commands leave no file descriptor open."""
    os.close(free := os.dup(0))
    path, data = stored()
    assert is_a_miss_and_gone(path, data[:100])
    path.mkdir()
    refused("[Ii]s a directory")
    place.chmod(0o777)
    assert cache.load(KEY) is None
    assert not cache.info()["usable"]
    place.chmod(0o700)
    assert cache.verify() == (0, [path])
    assert cache.clear() == 0
    os.close(still_free := os.dup(0))
    assert still_free == free
