"""Which column is what: `time, q.<joint>, qd.<joint>, qdd.<joint>, tau.<joint>`, in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from momentarm import Robot
from momentarm.cli.outcome import FileFailure

TIME, VECTORS = "time", ("q", "qd", "qdd", "tau")
SHOWN = 12  # names in one line of a message
Elements = Mapping[str, Sequence[str]]  # names of the elements of each vector


def elements(arm: Robot) -> Elements:
    """What the elements of each vector are called: as their joints, `joint.x` where it has more."""
    return {vector: arm.q_names if vector == "q" else arm.v_names for vector in VECTORS}


def names(vector: str, of: Elements) -> list[str]:
    return [f"{vector}.{element}" for element in of[vector]]


def expanded(parts: Iterable[str], of: Elements) -> list[str]:
    """The columns of time and vectors.

    >>> expanded(["time", "tau"], {"tau": ["a", "b"]})
    ['time', 'tau.a', 'tau.b']
    """
    return [name for p in parts for name in ([TIME] if p == TIME else names(p, of))]


def check(where: str, columns: Sequence[str], arm: Robot, needed: Sequence[str],
          ignore_extra: bool = False) -> list[str]:  # fmt: skip
    """Every column is known and once there, and none is missing; FileFailure says all that is not.

    Columns of vectors that are not needed may be there, all or some. The unknown ones that are
    ignored are returned.
    """
    known, wanted = expanded([TIME, *VECTORS], elements(arm)), expanded(needed, elements(arm))
    unknown = [name for name in dict.fromkeys(columns) if name not in known]
    missing = [name for name in wanted if name not in columns]
    twice = [name for name, count in Counter(columns).items() if count > 1]
    lines = []
    if missing:
        lines.append(f"  missing: {listed(missing)}")
    if unknown and not ignore_extra:
        near = (missing or known) if set(wanted) & set(columns) else ()  # or it is another robot's
        explained = [_explained(name, near, arm) for name in unknown]
        lines.append(f"  unknown: {listed(explained)}; --ignore-extra leaves them out")
    if twice:
        lines.append(f"  more than once: {listed(twice)}")
    if lines:
        several = f", and in q for {listed(arm.q_names)}" if arm.q_names != arm.v_names else ""
        lines.append(f"  expected: {', '.join(f'{v}.<joint>' for v in needed)} for "
                     f"{listed(arm.v_names)}{several}; time if you like")  # fmt: skip
        raise FileFailure("\n".join([f"{where}: the columns do not fit {arm.name}", *lines]))
    return unknown


def _explained(name: str, candidates: Sequence[str], arm: Robot) -> str:
    """An unknown column with the likely reason."""
    joint = name.partition(".")[2]
    for link in arm.mechanism.links:
        if link.joint.name == joint and joint not in arm.joint_names:
            return f"{name} (that joint has no coordinate of its own)"
    near = get_close_matches(name, candidates, n=1)
    return f"{name} (did you mean {near[0]}?)" if near else repr(name)[1:-1] or "a nameless one"


def listed(found: Sequence[str]) -> str:
    """The first of some names, and how many more."""
    more = len(found) - SHOWN
    return ", ".join(found[:SHOWN]) + (f" and {more} more" if more > 0 else "")
