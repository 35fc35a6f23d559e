"""Which column is what: `time, q.<joint>, qd.<joint>, qdd.<joint>, tau.<joint>`, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from momentarm import Robot
from momentarm.cli.outcome import FileFailure

TIME, VECTORS = "time", ("q", "qd", "qdd", "tau")
SHOWN = 12  # names in one line of a message


def names(vector: str, joints: Iterable[str]) -> list[str]:
    return [f"{vector}.{joint}" for joint in joints]


def expanded(parts: Iterable[str], joints: Sequence[str]) -> list[str]:
    """The columns of time and vectors.

    >>> expanded(["time", "tau"], ["a", "b"])
    ['time', 'tau.a', 'tau.b']
    """
    return [name for p in parts for name in ([TIME] if p == TIME else names(p, joints))]


def check(where: str, columns: Sequence[str], arm: Robot, needed: Sequence[str]) -> None:
    """Every column is known and once there, and none is missing; FileFailure says all that is not.

    Columns of vectors that are not needed may be there, all or some.
    """
    known = [TIME, *(name for v in VECTORS for name in names(v, arm.joint_names))]
    wanted = [name for v in needed for name in names(v, arm.joint_names)]
    unknown = [name for name in dict.fromkeys(columns) if name not in known]
    missing = [name for name in wanted if name not in columns]
    twice = [name for name, count in Counter(columns).items() if count > 1]
    lines = []
    if missing:
        lines.append(f"  missing: {_listed(missing)}")
    if unknown:
        explained = [_explained(name, missing or known, arm) for name in unknown]
        lines.append(f"  unknown: {_listed(explained)}")
    if twice:
        lines.append(f"  more than once: {_listed(twice)}")
    if lines:
        lines.append(f"  expected: {', '.join(f'{v}.<joint>' for v in needed)} for "
                     f"{_listed(arm.joint_names)}; time if you like")  # fmt: skip
        raise FileFailure("\n".join([f"{where}: the columns do not fit {arm.name}", *lines]))


def _explained(name: str, candidates: Sequence[str], arm: Robot) -> str:
    """An unknown column with the likely reason."""
    joint = name.partition(".")[2]
    for link in arm.mechanism.links:
        if link.joint.name == joint and joint not in arm.joint_names:
            return f"{name} (that joint has no coordinate of its own)"
    near = get_close_matches(name, candidates, n=1)
    return f"{name} (did you mean {near[0]}?)" if near else repr(name)[1:-1] or "a nameless one"


def _listed(found: Sequence[str]) -> str:
    more = len(found) - SHOWN
    return ", ".join(found[:SHOWN]) + (f" and {more} more" if more > 0 else "")
