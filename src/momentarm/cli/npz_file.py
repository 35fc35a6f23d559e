"""Tables as NumPy archives: q, qd, qdd, tau of shape (N, n) with `joints`, or arrays by column.

What is written is always of the first kind. Nothing is unpickled.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from momentarm.cli import columns
from momentarm.cli.outcome import FileFailure

Matrix = NDArray[np.float64]
NAMES = ("joints", "coordinates")
ROWS = 1 << 15  # of a block


class NpzReader:
    """A table in an archive. `done` of `size` rows are read."""

    def __init__(self, path: str, ignore_extra: bool = False) -> None:
        self.name = self.heading = path
        self.ignored: frozenset[str] = frozenset()
        self.done = self._first = 0
        self._columns: dict[str, NDArray[Any]] = {}
        arrays = self._arrays(path, ignore_extra)
        for name, array in arrays.items():
            self._take(name, array)
        self._columns.pop("joints", None)
        self.columns = list(self._columns)
        lengths = {name: len(array) for name, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{name} {length}" for name, length in lengths.items())
            raise FileFailure(f"{path}: the arrays differ in length: {listed}")
        self.size: float | None = next(iter(lengths.values()), 0)

    def _arrays(self, path: str, ignore_extra: bool) -> dict[str, NDArray[Any]]:
        try:
            with np.load(path, allow_pickle=False) as archive:
                if not isinstance(archive, np.lib.npyio.NpzFile):
                    raise ValueError("one array")
                found = {name: archive[name] for name in archive.files
                         if not ignore_extra or name in NAMES or _is_known(name)}  # fmt: skip
        except OSError as problem:
            raise FileFailure(f"{path}: {problem.strerror or problem}") from None
        except (ValueError, EOFError, KeyError, zipfile.BadZipFile):
            raise FileFailure(f"{path}: this is no .npz archive of arrays of numbers") from None
        self._joints = found.pop("joints", None)
        self._coordinates = found.pop("coordinates", self._joints)  # what q's columns are called
        return found

    def _take(self, name: str, array: NDArray[Any]) -> None:
        """One array of the archive as columns."""
        if not _is_known(name):
            raise FileFailure(f"{self.name}: unknown array {name!r}; expected time, q, qd, qdd, "
                              "tau, joints; --ignore-extra leaves it out")  # fmt: skip
        if array.dtype.kind not in "fiu":
            raise FileFailure(f"{self.name}: {name}: expected real numbers, got {array.dtype}")
        wanted = 2 if name in columns.VECTORS else 1
        if array.ndim != wanted:
            shape = "(N, n)" if wanted == 2 else "(N,)"
            raise FileFailure(f"{self.name}: {name}: expected shape {shape}, got {array.shape}")
        if wanted == 1:
            self._columns[name] = array
            return
        joints = self._joint_names(name, array.shape[1])
        for k, column in enumerate(columns.names(name, {name: joints})):
            if column in self._columns:
                raise FileFailure(f"{self.name}: {column} is there twice, in {name} and alone")
            self._columns[column] = array[:, k]

    def _joint_names(self, name: str, width: int) -> list[str]:
        said = self._coordinates if name == "q" else self._joints
        if said is None:
            raise FileFailure(f"{self.name}: {name} needs the names of its columns; save them as "
                              "joints=arm.v_names too (and coordinates=arm.q_names where q has "
                              "quaternions)")  # fmt: skip
        joints = [str(joint) for joint in np.ravel(said)]
        if said.dtype.kind != "U" or len(joints) != width:
            raise FileFailure(f"{self.name}: {name} has {width} columns, but joints are "
                              f"{', '.join(joints)}")  # fmt: skip
        return joints

    def blocks(self) -> Iterator[Matrix]:
        for first in range(0, max(1, int(self.size or 0)), ROWS):
            self._first = first
            parts = [column[first : first + ROWS] for column in self._columns.values()]
            self.done = first + len(parts[0])
            yield np.stack(parts, axis=1).astype(np.float64, copy=False)

    def place(self, row: int, column: str) -> str:
        return f"{self.name}: row {self._first + row} ({column})"

    def close(self) -> None:
        """Nothing is open."""


def _is_known(name: str) -> bool:
    return name == columns.TIME or name.partition(".")[0] in columns.VECTORS


class NpzWriter:
    """An archive, written when it is complete."""

    def __init__(self, stream: BinaryIO, elements: columns.Elements) -> None:
        self._stream, self._elements = stream, elements
        self._blocks: list[Mapping[str, NDArray[np.floating]]] = []

    def rows(self, parts: Mapping[str, NDArray[np.floating]]) -> None:
        self._blocks.append(parts)

    def close(self) -> None:
        arrays: dict[str, NDArray[Any]] = {}
        for name in self._blocks[0]:
            arrays[name] = np.concatenate([block[name] for block in self._blocks])
        if columns.TIME in arrays:
            arrays[columns.TIME] = arrays[columns.TIME][:, 0]
        arrays["joints"] = np.array(self._elements["tau"], dtype=np.str_)
        if self._elements["q"] != self._elements["tau"]:
            arrays["coordinates"] = np.array(self._elements["q"], dtype=np.str_)
        np.savez(self._stream, allow_pickle=False, **arrays)
