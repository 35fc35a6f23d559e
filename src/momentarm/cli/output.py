"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from momentarm.cli.outcome import FileFailure


def standard(name: str) -> Any:
    """sys.stdin or sys.stdout, which a daemon may have closed."""
    stream = getattr(sys, name)
    if stream is None:
        raise FileFailure(f"standard {name.removeprefix('std')}put is closed")
    return stream


def no_folder(path: os.PathLike[str], problem: OSError) -> str:
    """Why a folder cannot be made."""
    if isinstance(problem, FileExistsError):
        return f"{os.fspath(path)}: this is a file; expected a folder"
    return f"{os.fspath(path)}: this folder cannot be made: {problem.strerror}"


def must_be_free(file: str | os.PathLike[str], force: bool) -> None:
    """Refuse to replace a file without --force; a device or a named pipe is written to."""
    if os.path.lexists(file) and (os.path.isfile(file) or os.path.islink(file)) and not force:
        raise FileFailure(f"{os.fspath(file)}: already there; --force replaces")


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file when all of it is on disk.

    What is not a file, as /dev/null or a named pipe, is written to as it is.
    """
    target = os.path.realpath(path)
    temporary = None
    try:
        if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
            with open(target, "wb") as stream:
                yield stream
            return
        folder, name = os.path.split(target)
        temporary = os.path.join(folder, f".{name}.{os.getpid()}.part")
        with open(temporary, "xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if os.path.exists(target):
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BrokenPipeError:
        raise
    except OSError as problem:
        why = problem.strerror
        if isinstance(problem, FileNotFoundError):
            why = f"there is no folder {os.path.dirname(path)!r}"
        raise FileFailure(f"{os.fspath(path)}: cannot be written: {why}") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)

