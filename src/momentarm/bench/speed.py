"""Rows of speed: batches and single calls against the peer, float32, large batches, threads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from momentarm.bench import clock, subjects
from momentarm.bench.clock import Contender, Race, one_core
from momentarm.bench.peer import Pinocchio
from momentarm.bench.report import Row, Spread
from momentarm.bench.targets import TARGETS
from momentarm.robot import Robot

NOT_INSTALLED, NOT_ASKED = "peer not installed", "peer not asked for"


def rows(peers: bool, quick: bool) -> Iterable[Row]:
    robot = subjects.bundled("panda")
    peer = Pinocchio.of(robot) if peers else None
    repeats = 21 if quick else clock.REPEATS
    with one_core() as core:
        if peer is None:
            why = NOT_INSTALLED if peers else NOT_ASKED
            yield from (_alone(key, robot, why) for key in ("id_batch", "fd_batch", "m_batch"))
            yield from (_alone(key, robot, why) for key in ("id_call", "fd_call"))
        else:
            yield from (_against(key, robot, peer, repeats, core) for key in _THEIRS)
        yield _float32(robot, repeats)
        if not quick:
            yield _large("id_large", robot, threads=1)
    if not quick:
        yield _large("id_threads", robot, threads=None)
    else:
        yield from (Row(TARGETS[key], why="skipped (quick)") for key in ("id_large", "id_threads"))


_THEIRS = {
    "id_batch": "rneaInParallel, 1 thread",
    "fd_batch": "abaInParallel, 1 thread",
    "m_batch": "crba in a Python loop",
    "id_call": "rnea",
    "fd_call": "aba",
}


def _ours(key: str, robot: Robot) -> Contender:
    quantity = {"id": "inverse_dynamics", "fd": "forward_dynamics", "m": "mass_matrix"}
    name, _, kind = key.partition("_")
    count = subjects.STATES if kind == "batch" else 1
    q, qd, x = subjects.states(robot, count)
    names: dict[str, Any] = {"arm": robot, "q": q, "qd": qd, "x": x}
    if kind == "call":
        names |= {"q": q[0].copy(), "qd": qd[0].copy(), "x": x[0].copy()}
        return Contender(f"arm.{quantity[name]}(q, qd, x)", names)
    arguments = "q" if name == "m" else "q, qd, x"
    names["out"] = np.zeros((count, robot.n, robot.n) if name == "m" else (count, robot.n))
    return Contender(f"arm.{quantity[name]}({arguments}, out=out, threads=1)", names, count)


def _theirs(key: str, peer: Pinocchio, names: Any) -> Contender:
    """The peer on the very states that ours has."""
    match key:
        case "id_batch":
            return peer.batch("rneaInParallel", names["q"], names["qd"], names["x"])
        case "fd_batch":
            return peer.batch("abaInParallel", names["q"], names["qd"], names["x"])
        case "m_batch":
            return peer.loop("crba", names["q"])
        case "id_call":
            return peer.call("rnea", names["q"], names["qd"], names["x"])
    return peer.call("aba", names["q"], names["qd"], names["x"])


def sides(key: str, robot: Robot, peer: Pinocchio) -> tuple[Contender, Contender]:
    """Both statements of a race, on the same states."""
    ours = _ours(key, robot)
    return ours, _theirs(key, peer, ours.names)


def _against(key: str, robot: Robot, peer: Pinocchio, repeats: int, core: int | None) -> Row:
    ours, theirs = sides(key, robot, peer)
    race = Race.between(ours, theirs, repeats)
    note = f"{race.ours.text(1e9, 'ns')}; {_THEIRS[key]}: {race.theirs.text(1e9, 'ns')}"
    details = race.as_dict() | {"statement": ours.statement, "peer": _THEIRS[key],
                                "peer_statement": theirs.statement, "core": core}  # fmt: skip
    return Row(TARGETS[key], race.ratio, note=note, details=details)


def _alone(key: str, robot: Robot, why: str) -> Row:
    """Our own time, where there is nobody to compare with."""
    ours = _ours(key, robot)
    spread = Spread.of(clock.times({"ours": ours}, 21)["ours"])
    details = {"ours": spread.as_dict(), "statement": ours.statement}
    return Row(TARGETS[key], why=why, note=spread.text(1e9, "ns"), details=details)


def _float32(robot: Robot, repeats: int) -> Row:
    double = _ours("id_batch", robot)
    names = {k: v.astype(np.float32) if isinstance(v, np.ndarray) else v
             for k, v in double.names.items()}  # fmt: skip
    race = Race.between(Contender(double.statement, names, double.scale), double, repeats)
    note = f"{race.ours.text(1e9, 'ns')}; float64: {race.theirs.text(1e9, 'ns')}"
    return Row(TARGETS["float32"], race.ratio, note=note, details=race.as_dict())


def _large(key: str, robot: Robot, threads: int | None) -> Row:
    """Out of every cache: memory binds, not arithmetic."""
    names: dict[str, Any] = dict(zip(("q", "qd", "x"), subjects.states(robot, subjects.LARGE),
                                     strict=True))  # fmt: skip
    names |= {"arm": robot, "out": np.zeros((subjects.LARGE, robot.n))}
    statement = f"arm.inverse_dynamics(q, qd, x, out=out, threads={threads})"
    contender = Contender(statement, names, subjects.LARGE)
    spread = Spread.of(clock.times({"ours": contender}, 21)["ours"])
    details = {"ours": spread.as_dict(), "statement": statement}
    return Row(TARGETS[key], spread.median * 1e9, note=spread.text(1e9, "ns"), details=details)
