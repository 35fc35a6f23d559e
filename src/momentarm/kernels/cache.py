"""Compiled kernels on disk: one immutable file per key, found again by the next process.

Rule 1  Nothing is returned before its SHA-256 and its key are checked: damaged code crashes LLVM.
Rule 2  Only directories and files of our own user are used, reached from open directories, never
        through a link: who may write here may run code here. The directories above need no trust.
Rule 3  A file appears whole, by a rename, or not at all. No index, no locks, no pickle, and no
        fsync: what a power cut leaves half written is a miss like any other damage.
Rule 4  The disk is never an error of a load or a store: at worst a miss, and one warning in all.

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
from contextlib import contextmanager, suppress
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 512 << 20  # bytes on disk; beyond it the files longest unused go first
_SWEEP = 64  # one store in so many looks at the size of the whole
_MAGIC, _FORMAT = b"momentar", 1
_FIELDS = struct.Struct("<8sI32sIQ")
_HEADER = _FIELDS.size + 32
_SUFFIX, _TEMPORARY = ".kernel", "tmp-"
_HOUR, _DAY = 3600, 86400
_USERS = hasattr(os, "geteuid")
_AT = {os.open, os.mkdir, os.stat, os.unlink, os.rename, os.utime} <= os.supports_dir_fd
_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ = _SAFE | os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # a named pipe must not block us
_CREATE = _SAFE | os.O_WRONLY | os.O_CREAT | os.O_EXCL
_DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)

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
        with _folder(key.hex()[:2], create=False) as folder:
            return folder.entry(key.hex() + _SUFFIX)
    except OSError as problem:
        _warn(problem)
        return None


def store(key: bytes, meta: dict[str, Any], payload: bytes) -> None:
    """Keep the payload for later processes, if the disk lets us; meta is what JSON can say."""
    data = _encode(key, meta, payload)
    try:
        with _folder(key.hex()[:2], create=True) as folder:
            folder.write(key.hex() + _SUFFIX, data)
        if key[-1] % _SWEEP == 0:  # keys are digests: a fair die without a counter
            _sweep()
    except OSError as problem:
        _warn(problem)


def directory() -> Path:
    """Where the files are, or would be; Unusable if the user has no home."""
    from pathlib import Path

    return Path(_base(), "momentarm", "v1")


def info() -> dict[str, Any]:
    """directory (made if missing), usable, problem (empty if usable), entries, bytes, limit."""
    place, problem, sizes = "", "", []
    try:
        place = str(directory())
        with _folder(create=True):
            sizes = [found.st_size for _, _, found in _files()]
            if not os.access(place, os.W_OK):
                raise PermissionError(0, "Permission denied", place)
    except OSError as trouble:
        problem = str(trouble)
    state = {"directory": place, "usable": not problem, "problem": problem}
    return state | {"entries": len(sizes), "bytes": sum(sizes), "limit": LIMIT}


def clear() -> int:
    """Remove every kernel of ours; how many there were. Unusable if the place is not ours."""
    return sum(folder.discard(name) for folder, name, _ in _files())


def verify() -> tuple[int, list[Path]]:
    """How many files are sound, and the others, which are removed if they are ours."""
    sound = {name: folder.entry(name) is not None for folder, name, _ in _files()}
    damaged = [directory() / name[:2] / name for name in sound if not sound[name]]
    return len(sound) - len(damaged), damaged


def _encode(key: bytes, meta: dict[str, Any], payload: bytes) -> bytes:
    if len(key) != 32:
        raise ValueError(f"key: found {len(key)} bytes, expected the 32 of a SHA-256")
    text = json.dumps(meta, sort_keys=True, separators=(",", ":")).encode()
    fields = _FIELDS.pack(_MAGIC, _FORMAT, key, len(text), len(payload))
    digest = hashlib.sha256(fields + text + payload).digest()
    return b"".join((fields, digest, text, payload))


def _decode(name: str, data: bytes) -> Entry | None:
    with suppress(struct.error, ValueError):
        *found, key, n_meta, n_payload = _FIELDS.unpack_from(data)
        view, end = memoryview(data), _HEADER + n_meta
        digest = hashlib.sha256(view[: _FIELDS.size])
        digest.update(view[_HEADER:])
        whole = digest.digest() == view[_FIELDS.size : _HEADER] and end + n_payload == len(data)
        if whole and [*found, key.hex() + _SUFFIX] == [_MAGIC, _FORMAT, name]:
            return Entry(json.loads(view[_HEADER:end].tobytes()), data[end:])
    return None


class _Folder:
    """A directory held open, so that a name means what is in it, whatever happens to its path.

    Where the system cannot name files relative to an open directory, `fd` is None and paths serve.
    """

    def __init__(self, path: str, fd: int | None) -> None:
        self.path, self.fd = path, fd

    def at(self, name: str) -> str:
        return os.path.join(self.path, name) if self.fd is None else name

    def lstat(self, name: str) -> os.stat_result:
        return os.stat(self.at(name), dir_fd=self.fd, follow_symlinks=False)

    def opened(self, name: str, flags: int) -> int:
        return os.open(self.at(name), flags, 0o600, dir_fd=self.fd)

    def close(self) -> None:
        if self.fd is not None:
            os.close(self.fd)

    def enter(self, name: str, create: bool) -> None:
        """Go on to a directory in this one, which must be ours alone."""
        if create:
            with suppress(FileExistsError):
                os.mkdir(self.at(name), 0o700, dir_fd=self.fd)
        fd = None if self.fd is None else self.opened(name, _DIRECTORY | _SAFE)
        found = self.lstat(name) if fd is None else os.fstat(fd)
        self.close()
        self.path, self.fd = os.path.join(self.path, name), fd
        if not stat.S_ISDIR(found.st_mode):
            raise NotADirectoryError(0, "Not a directory", self.path)
        if flaw := _flaw(found):
            raise PermissionError(0, flaw, self.path)

    def entry(self, name: str) -> Entry | None:
        """What a file holds; one that is not sound is removed if it is ours."""
        data = b""
        with suppress(OSError):
            data = self._content(name)
        entry = _decode(name, data)
        if entry is None:
            self.discard(name)
        return entry

    def _content(self, name: str) -> bytes:
        with open(name, "rb", buffering=0, opener=lambda *_: self.opened(name, _READ)) as file:
            found = os.fstat(file.fileno())
            if _flaw(found) or not stat.S_ISREG(found.st_mode) or found.st_size > LIMIT:
                return b""
            if time.time() - found.st_mtime > _DAY:  # in use: not the next to be swept out
                with suppress(OSError):
                    os.utime(self.at(name), dir_fd=self.fd)
            return file.read()

    def write(self, name: str, data: bytes) -> None:
        temporary = _TEMPORARY + os.urandom(8).hex()
        source = self.at(temporary)
        try:
            with open(source, "wb", opener=lambda *_: self.opened(temporary, _CREATE)) as file:
                file.write(data)
            os.replace(source, self.at(name), src_dir_fd=self.fd, dst_dir_fd=self.fd)
        except PermissionError:
            if os.name != "nt":  # Windows: a process reads the file of this key, so it is there
                raise
        finally:
            with suppress(OSError):
                os.unlink(source, dir_fd=self.fd)

    def discard(self, name: str) -> bool:
        """Remove a regular file of ours; whether it was one."""
        with suppress(OSError):
            found = self.lstat(name)
            if stat.S_ISREG(found.st_mode) and _is_ours(found):
                os.unlink(self.at(name), dir_fd=self.fd)
                return True
        return False


@contextmanager
def _folder(*names: str, create: bool) -> Iterator[_Folder]:
    """The directory of all files, or one in it; an error inside says where and what to do."""
    here = _Folder(_base(), None)
    try:
        if create:
            os.makedirs(here.path, 0o700, exist_ok=True)
        if _AT:
            here.fd = os.open(here.path, _DIRECTORY)
        for name in ("momentarm", "v1", *names):
            here.enter(name, create)
        yield here
    except (FileNotFoundError, Unusable):
        raise
    except OSError as problem:
        name = problem.filename2 or problem.filename or ""
        raise _unusable(_base(), os.path.join(here.path, name), problem) from None
    finally:
        here.close()


def _files() -> Iterator[tuple[_Folder, str, os.stat_result]]:
    """Every kernel; on the way goes what a process left that was killed while writing."""
    for shard in (f"{byte:02x}" for byte in range(256)):
        with suppress(FileNotFoundError), _folder(shard, create=False) as folder:
            for name in sorted(os.listdir(folder.path if folder.fd is None else folder.fd)):
                with suppress(FileNotFoundError):
                    found = folder.lstat(name)
                    if name.endswith(_SUFFIX):
                        yield folder, name, found
                    elif name.startswith(_TEMPORARY) and time.time() - found.st_mtime > _HOUR:
                        folder.discard(name)


def _sweep() -> None:
    """Bring the whole below the limit, the longest unused files first."""
    kernels = sorted((found.st_mtime_ns, found.st_size, name) for _, name, found in _files())
    excess = sum(size for _, size, _ in kernels) - LIMIT
    for _, size, name in kernels:
        if excess <= 0:
            break
        with suppress(FileNotFoundError), _folder(name[:2], create=False) as folder:
            folder.discard(name)
        excess -= size


def _base() -> str:
    """The user's directory for caches; a program run with another's rights trusts no variable."""
    trusted = not _USERS or (os.geteuid(), os.getegid()) == (os.getuid(), os.getgid())
    if trusted and os.path.isabs(given := os.environ.get("XDG_CACHE_HOME", "")):
        return given
    home = os.path.expanduser("~") if trusted else ""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    if not trusted:
        import pwd

        with suppress(KeyError):
            home = pwd.getpwuid(os.geteuid()).pw_dir
    if not os.path.isabs(home):
        raise Unusable("there is no home directory; set XDG_CACHE_HOME to a directory of yours")
    return os.path.join(home, "Library/Caches" if sys.platform == "darwin" else ".cache")


def _is_ours(found: os.stat_result) -> bool:
    return not _USERS or found.st_uid == os.geteuid()


def _flaw(found: os.stat_result) -> str:
    """Why what is there may not be our own work, or nothing."""
    if not _is_ours(found):
        return "belongs to another user"
    return "can be written by others" if _USERS and found.st_mode & 0o022 else ""


def _unusable(base: str, path: str, problem: OSError) -> Unusable:
    """Commands are told for `momentarm` and what is below it, for nothing else of the user's."""
    place = path if os.path.lexists(path) else os.path.dirname(path)
    is_ours = place.startswith(os.path.join(base, "momentarm"))
    cure = "set XDG_CACHE_HOME to a directory of yours"
    if isinstance(problem, PermissionError) and is_ours:
        cure = f"to repair it: chmod u+rwx,go-w {quote(place)}, or else: rm -r {quote(place)}"
    elif isinstance(problem, NotADirectoryError | IsADirectoryError) and is_ours:
        cure = f"to repair it: rm -r {quote(place)}"
    elif not isinstance(problem, PermissionError | NotADirectoryError):
        cure = f"make room, or {cure}"
    return Unusable(f"{path}: {problem.strerror}; {cure}")


def _warn(problem: OSError) -> None:
    """Say it once; where warnings are errors this one is raised, with nothing left behind."""
    global _warned
    if not (_warned or isinstance(problem, FileNotFoundError)):  # nothing there is no problem
        _warned = True
        text = f"compiled kernels are not kept on disk: {problem}"
        warnings.warn(text, RuntimeWarning, stacklevel=3)
