"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from momentarm.cli.outcome import FileFailure


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
        raise FileFailure(f"{os.fspath(path)}: cannot be written: {problem.strerror}") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)

