"""Robot files to mechanisms and back. To add a format: one file, one line in `FORMATS`.

Rule 1  A format only says what the file says (`describe`); `assemble` checks and builds.
Rule 2  A format's module is imported when the first file of its kind is read.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from pathlib import Path

from momentarm.model.mechanism import Mechanism
from momentarm.model.problem import Problem, Problems, RobotFileError

FORMATS = {
    "urdf": "momentarm.formats.urdf",
    "mjcf": "momentarm.formats.mjcf",
    "toml": "momentarm.formats.native",
}
SUFFIXES = {".urdf": "urdf", ".xml": "xml", ".mjcf": "mjcf", ".toml": "toml"}
MUJOCO_ROOT = re.compile(  # atomic, so that no text makes it search long
    rb"(?>\xef\xbb\xbf|\s|<\?.*?\?>|<!--.*?-->)*+<mujoco(?:include)?[\s/>]", re.DOTALL
)

__all__ = ["FORMATS", "Problem", "RobotFileError", "dumps", "load", "loads", "save"]

Loaded = tuple[Mechanism, tuple[Problem, ...]]


BASES = ("fixed", "floating")


def load(path: str | os.PathLike[str], *, base: str = "fixed", strict: bool = False,
         snap_angles: bool = False) -> Loaded:  # fmt: skip
    """A mechanism from a file, by its suffix, and the warnings on the way.

    Raises `RobotFileError` with all that is wrong; with `strict`, warnings are wrong too.
    `base="floating"` puts the base link on a free joint. `snap_angles` takes rounded quarter
    turns (1.5708) as exact ones.
    """
    from momentarm.formats.xml import MAX_TEXT

    file = os.fspath(path)
    format = _format_of(file)
    with open(file, "rb") as stream:
        text = stream.read(MAX_TEXT + 1)
    if format == "xml":
        format = xml_format(text)
    return loads(text, format, file, base=base, strict=strict, snap_angles=snap_angles)


def loads(text: str | bytes, format: str, name: str = "", *, base: str = "fixed",
          strict: bool = False, snap_angles: bool = False) -> Loaded:  # fmt: skip
    """The same from text; `name` is what problems call the file."""
    from momentarm.model.assemble import assemble
    from momentarm.model.expand import floated

    if base not in BASES:
        raise ValueError(f"base: expected 'fixed' or 'floating', got {base!r}")
    problems = Problems(name or f"<{format}>", strict)
    if format not in FORMATS:
        raise ValueError(f"format {format!r} is not known; {problems.suggestion(format, FORMATS)}")
    describe = import_module(FORMATS[format]).describe
    description = describe(text, problems, snap_angles=snap_angles)
    if base == "floating":
        description = floated(description)
    mechanism = assemble(description, problems)
    return mechanism, problems.ordered()


def dumps(mechanism: Mechanism) -> str:
    """Native TOML text; reading it gives the same mechanism bit for bit."""
    from momentarm.formats.native_text import dumps as written

    return written(mechanism)


def save(mechanism: Mechanism, path: str | os.PathLike[str]) -> None:
    """Write native TOML."""
    file = Path(path)
    if file.suffix.lower() != ".toml":
        raise ValueError(f"{os.fspath(path)}: robots are saved as native TOML; name it .toml")
    file.write_text(dumps(mechanism), encoding="utf-8", newline="\n")


def xml_format(text: bytes) -> str:
    """"mjcf" where the root element of XML text is <mujoco> or a part of such, else "urdf"."""
    return "mjcf" if MUJOCO_ROOT.match(text) else "urdf"


def _format_of(file: str) -> str:
    from momentarm.formats.xml import XACRO_HINT

    suffix = Path(file).suffix.lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    if file.lstrip().startswith("<"):
        Problems("<text>").stop("format", "<text>", "this is text; expected the name of a file",
                                "write it to a file that ends in .urdf")  # fmt: skip
    if not suffix:
        what = "a folder" if os.path.isdir(file) else "no file" if not os.path.exists(file) else ""
        Problems(file).stop("format", file or "''", f"this is {what or 'a file without a suffix'}; "
                            f"expected a file ending in {', '.join(SUFFIXES)}")  # fmt: skip
    hint = XACRO_HINT if suffix == ".xacro" else ""
    Problems(file).stop("format", f"{file}:1:1", f"suffix {suffix!r} is no robot format; "
                        f"the suffixes are {', '.join(SUFFIXES)}", hint)  # fmt: skip
