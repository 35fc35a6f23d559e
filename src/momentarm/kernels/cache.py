"""Compiled kernels on disk: one immutable file per key, found again by the next process.

Rule 1  Nothing is returned before its SHA-256 and its key are checked: damaged code crashes LLVM.
Rule 2  Only directories and files of our own user are used, reached from open directories, never
        through a link: who may write here may run code here. The directories above need no trust.
Rule 3  A file appears whole, by a rename, or not at all. No index, no locks, no pickle, and no
        fsync: what a power cut leaves half written is a miss like any other damage.
Rule 4  The disk is never an error: the worst case is a miss, and one warning per process.

It knows neither kernels nor LLVM. A file is header, meta as JSON, payload; the header is
little-endian: magic, format, key, length of meta, length of payload, SHA-256 of all the rest.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import struct
import sys
import time
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 512 << 20  # bytes on disk; beyond it the files longest unused go first
_MAGIC, _FORMAT = b"momentar", 1
_FIELDS = struct.Struct("<8sI32sIQ")
_DIGEST = 32
_HEADER = _FIELDS.size + _DIGEST
_SUFFIX, _TEMPORARY = ".kernel", "tmp-"
_HOUR, _DAY = 3600, 86400
_SWEEP = 64  # one store in so many looks at the size of the whole
_USERS = hasattr(os, "geteuid")
_AT = {os.open, os.mkdir, os.stat, os.unlink, os.rename} <= os.supports_dir_fd
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
# A named pipe in place of a file must not block us; Windows must not translate line ends.
_FLAGS = _NOFOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_warned = False


class Entry(NamedTuple):
    """What was stored under a key."""

    meta: dict[str, Any]
    payload: bytes


class Unusable(OSError):
    """The cache cannot be used: which path, why, and what to run."""


def load(key: bytes) -> Entry | None:
    """What was stored under this key of 32 bytes, or None."""
    try:
        with _shard(key.hex(), create=False) as folder:
            return folder.read(key)
    except FileNotFoundError:
        return None
    except OSError as problem:
        _warn(problem)
        return None


def store(key: bytes, meta: dict[str, Any], payload: bytes) -> None:
    """Keep the payload for later processes, if the disk lets us."""
    data = _encode(key, meta, payload)
    try:
        with _shard(key.hex(), create=True) as folder:
            folder.write(key.hex() + _SUFFIX, data)
        if key[-1] % _SWEEP == 0:
            _sweep()
    except OSError as problem:
        _warn(problem)


def directory() -> Path:
    """Where the files are, or would be; Unusable where the user has no home."""
    from pathlib import Path

    return Path(_base(), "momentarm", "v1")


def info() -> dict[str, Any]:
    """directory, usable, problem (empty if usable), entries, bytes and limit."""
    place = problem = ""
    sizes = []
    try:
        place = str(directory())
        with _root(create=True) as root:
            if not os.access(root.path, os.W_OK):
                problem = _advice(root.path, "is not writable", "chmod u+rwx", root.path)
        sizes = [found.st_size for _, name, found in _files() if name.endswith(_SUFFIX)]
    except OSError as trouble:
        problem = str(trouble)
    return {
        "directory": place,
        "usable": not problem,
        "problem": problem,
        "entries": len(sizes),
        "bytes": sum(sizes),
        "limit": LIMIT,
    }


def clear() -> int:
    """Remove every kernel of ours; how many there were."""
    removed = 0
    try:
        for folder, name, found in _files():
            if name.endswith(_SUFFIX):
                removed += folder.discard(name)
            else:
                _tidy(folder, name, found)
    except OSError as problem:
        _warn(problem)
    return removed


def verify() -> tuple[int, list[Path]]:
    """The number of sound files, and the paths of the others; those of our own are removed."""
    good, damaged = 0, []
    try:
        for folder, name, found in _files():
            if not name.endswith(_SUFFIX):
                _tidy(folder, name, found)
            elif folder.read(bytes.fromhex(name.removesuffix(_SUFFIX))) is not None:
                good += 1
            elif folder.lstat(name) is None or folder.discard(name) or True:
                damaged.append(directory() / name[:2] / name)
    except OSError as problem:
        _warn(problem)
    return good, damaged


# The bytes of a file


def _encode(key: bytes, meta: dict[str, Any], payload: bytes) -> bytes:
    if len(key) != 32:
        raise ValueError(f"key: found {len(key)} bytes, expected the 32 of a SHA-256")
    text = json.dumps(meta, sort_keys=True, separators=(",", ":")).encode()
    fields = _FIELDS.pack(_MAGIC, _FORMAT, key, len(text), len(payload))
    digest = hashlib.sha256(fields + text + payload).digest()
    return b"".join((fields, digest, text, payload))


def _decode(key: bytes, data: bytes) -> Entry | None:
    if len(data) < _HEADER:
        return None
    magic, version, own_key, n_meta, n_payload = _FIELDS.unpack_from(data)
    if (magic, version, own_key) != (_MAGIC, _FORMAT, key):
        return None
    view = memoryview(data)
    digest = hashlib.sha256(view[: _FIELDS.size])
    digest.update(view[_HEADER:])
    end = _HEADER + n_meta
    if digest.digest() != view[_FIELDS.size : _HEADER] or len(data) != end + n_payload:
        return None
    try:
        return Entry(json.loads(data[_HEADER:end]), data[end:])
    except ValueError:
        return None


# The directories


class _Folder:
    """A directory held open, so that a name means what is in it, whatever happens to its path.

    Where the system cannot name files relative to an open directory, `fd` is None and paths serve.
    """

    def __init__(self, path: str, fd: int | None) -> None:
        self.path, self.fd = path, fd

    def __enter__(self) -> _Folder:
        return self

    def __exit__(self, *_: object) -> None:
        if self.fd is not None:
            os.close(self.fd)

    def at(self, name: str) -> str:
        return os.path.join(self.path, name) if self.fd is None else name

    def names(self) -> list[str]:
        return sorted(os.listdir(self.path if self.fd is None else self.fd))

    def lstat(self, name: str) -> os.stat_result | None:
        try:
            return os.stat(self.at(name), dir_fd=self.fd, follow_symlinks=False)
        except OSError:
            return None

    def child(self, name: str, create: bool) -> _Folder:
        """A directory in this one, ours alone."""
        path = os.path.join(self.path, name)
        try:
            return self._opened(name, path)
        except FileNotFoundError:
            if not create:
                raise
        try:
            os.mkdir(self.at(name), 0o700, dir_fd=self.fd)
        except FileExistsError:
            pass  # another process was faster
        except OSError as problem:
            raise _unusable(path, problem) from None
        return self._opened(name, path)

    def _opened(self, name: str, path: str) -> _Folder:
        found = self.lstat(name)
        if found is not None:
            _check(path, found)
        elif self.fd is None:
            raise FileNotFoundError(path)
        if self.fd is None:
            return _Folder(path, None)
        fd = os.open(name, os.O_RDONLY | os.O_DIRECTORY | _NOFOLLOW, dir_fd=self.fd)
        try:
            _check(path, os.fstat(fd))
        except BaseException:
            os.close(fd)
            raise
        return _Folder(path, fd)

    def read(self, key: bytes) -> Entry | None:
        """The entry of this key; a file of ours that is not sound is removed."""
        ...
