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
        for key in ("id_batch", "fd_batch", "m_batch", "id_call", "fd_call"):
            yield race(key, robot, peer, peers, repeats, core)
        yield _float32(robot, repeats)
        if not quick:
            yield _large("id_large", robot, threads=1)
    if not quick:
        yield _large("id_threads", robot, threads=None)
    else:
        yield from (Row(TARGETS[key], why="skipped (quick)") for key in ("id_large", "id_threads"))


def race(key: str, robot: Robot, peer: Pinocchio | None, peers: bool, repeats: int,
         core: int | None) -> Row:  # fmt: skip
    """Against the peer, or alone where it is not there or `peers` are not asked for."""
    if peer is None:
        return alone(key, _ours(key, robot), NOT_INSTALLED if peers else NOT_ASKED)
    return against(key, *sides(key, robot, peer), _THEIRS[key], repeats, core)


_THEIRS = {
    "id_batch": "rneaInParallel, 1 thread",
    "fd_batch": "abaInParallel, 1 thread",
    "m_batch": "crba in a Python loop",
    "id_call": "rnea",
    "fd_call": "aba",
    "id_derivatives_batch": "computeRNEADerivatives in a Python loop",
}


_OURS = {
    "id_batch": ("inverse_dynamics", "q, qd, x"),
    "fd_batch": ("forward_dynamics", "q, qd, x"),
    "m_batch": ("mass_matrix", "q"),
    "id_call": ("inverse_dynamics", "q, qd, x"),
    "fd_call": ("forward_dynamics", "q, qd, x"),
    "id_derivatives_batch": ("inverse_dynamics_derivatives", "q, qd, x"),
}


def _ours(key: str, robot: Robot) -> Contender:
    quantity, arguments = _OURS[key]
    q, qd, x = subjects.states(robot, subjects.STATES)
    if key.endswith("batch"):
        return batch(robot, quantity, arguments, q, qd, x)
    names = {"arm": robot, "q": q[0].copy(), "qd": qd[0].copy(), "x": x[0].copy()}
    return Contender(f"arm.{quantity}({arguments})", names)


def batch(robot: Robot, quantity: str, arguments: str, *states: subjects.Array) -> Contender:
    """One thread, into arrays that are there."""
    shapes = robot.kernel(quantity).recipe.outputs.values()
    outs = tuple(np.zeros((len(states[0]), *shape)) for shape in shapes)
    names: dict[str, Any] = dict(zip(("q", "qd", "x"), states, strict=True))
    names |= {"arm": robot, "out": outs if len(outs) > 1 else outs[0]}
    return Contender(f"arm.{quantity}({arguments}, out=out, threads=1)", names, len(states[0]))


def _theirs(key: str, peer: Pinocchio, names: Any) -> Contender:
    """The peer on the very states that ours has."""
    match key:
        case "id_batch":
            return peer.batch("rneaInParallel", names["q"], names["qd"], names["x"])
        case "fd_batch":
            return peer.batch("abaInParallel", names["q"], names["qd"], names["x"])
        case "m_batch":
            return peer.loop("crba", names["q"])
        case "id_derivatives_batch":
            return peer.loop("computeRNEADerivatives", names["q"], names["qd"], names["x"])
        case "id_call":
            return peer.call("rnea", names["q"], names["qd"], names["x"])
    return peer.call("aba", names["q"], names["qd"], names["x"])


def sides(key: str, robot: Robot, peer: Pinocchio) -> tuple[Contender, Contender]:
    """Both statements of a race, on the same states."""
    ours = _ours(key, robot)
    return ours, _theirs(key, peer, ours.names)


def against(key: str, ours: Contender, theirs: Contender, name: str, repeats: int,
            core: int | None) -> Row:  # fmt: skip
    """The row of a race; `name` is what the peer calls its function."""
    race = Race.between(ours, theirs, repeats)
    note = f"{race.ours.text(1e9, 'ns')}; {name}: {race.theirs.text(1e9, 'ns')}"
    details = race.as_dict() | {"statement": ours.statement, "peer": name,
                                "peer_statement": theirs.statement, "core": core}  # fmt: skip
    return Row(TARGETS[key], race.ratio, note=note, details=details)


def alone(key: str, ours: Contender, why: str) -> Row:
    """Our own time, where there is nobody to compare with."""
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
