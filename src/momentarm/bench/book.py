"""Rows of teaching: the book's own package, and the Coriolis matrix of the Robotics Toolbox.

Rule 1  Nothing is timed before both sides agree to `AGREE`.
Rule 2  The lists are arrays as the book's examples make them: screws are rows, transposed.
Rule 3  Of a long trajectory the peer does the first rows only; the time is that of one row.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from momentarm import modern_robotics
from momentarm.bench import clock, subjects
from momentarm.bench.clock import Contender, Race, one_core
from momentarm.bench.norm import normwise
from momentarm.bench.peer import AGREE, Disagreement
from momentarm.bench.report import Row
from momentarm.bench.speed import NOT_ASKED, NOT_INSTALLED
from momentarm.bench.targets import TARGETS
from momentarm.quantities import QUANTITIES
from momentarm.robot import Robot

ROWS, FEWER = 10_000, 50  # of the trajectory: ours, and the peer's
Sides = tuple[Contender, Contender]
PEERS = {
    "book_call": "modern_robotics",
    "book_trajectory": "modern_robotics",
    "coriolis_call": "roboticstoolbox",
    "christoffel_call": "roboticstoolbox",
}


def rows(peers: bool, quick: bool) -> Iterable[Row]:
    repeats = 11 if quick else clock.REPEATS
    with one_core():
        for key in PEERS:
            yield _row(key, peers, repeats)


def _row(key: str, peers: bool, repeats: int) -> Row:
    name, quantity = PEERS[key], _NEEDS.get(key)
    peer = imported(name) if peers else None
    if peer is None:
        return Row(TARGETS[key], why=NOT_INSTALLED if peers else NOT_ASKED)
    if quantity is not None and quantity not in QUANTITIES:
        return Row(TARGETS[key], why=f"no {quantity} yet")
    ours, theirs = sides(key, peer)
    race = Race.between(ours, theirs, repeats)
    note = f"{race.ours.text(1e9, 'ns')}; {name}: {race.theirs.text(1e9, 'ns')}"
    details = race.as_dict() | {"statement": ours.statement, "peer": name,
                                "peer_statement": theirs.statement}  # fmt: skip
    return Row(TARGETS[key], race.ratio, note=note, details=details)


def imported(name: str) -> Any:
    """The peer, or None; what it says on import is its own affair."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError:
        return None


def sides(key: str, peer: Any) -> Sides:
    """Both statements of a race, on the same states, once they agree."""
    ours, theirs = _SIDES[key](peer)
    mine, other = (np.array(eval_of(side)) for side in (ours, theirs))
    if key == "coriolis_call":  # matrices that split the same forces in their own ways
        mine, other = mine @ ours.names["qd"], other @ ours.names["qd"]
    if key == "christoffel_call":
        mine, other = mine @ ours.names["qd"] @ ours.names["qd"], other @ ours.names["qd"]
    if (worst := normwise(mine[: len(other)], other)) > AGREE:
        raise Disagreement(f"{key}: results differ by {worst:.1e}, more than {AGREE}")
    return ours, theirs


def eval_of(side: Contender) -> Any:
    """What a contender's call returns."""
    return side.names["f"](*(side.names[k] for k in side.names["order"]))


def _contender(f: Callable[..., Any], scale: int = 1, **names: Any) -> Contender:
    """The call f(…) of all names in their order."""
    everything = {"f": f, "order": tuple(names)} | names
    return Contender(f"f({', '.join(names)})", everything, scale)


def book_lists(robot: Robot) -> dict[str, Any]:
    """Mlist, Glist, Slist as the examples of the book make them."""
    M, G, S = robot.to_screws()
    return {"Mlist": M, "Glist": G, "Slist": np.ascontiguousarray(S.T).T}


def _book_call(peer: Any) -> Sides:
    robot = subjects.general_arm(6)
    motion = (x[0].copy() for x in subjects.states(robot, 1))
    names = dict(zip(("q", "qd", "qdd"), motion, strict=True))
    names |= {"g": robot.gravity, "Ftip": np.ones(6)} | book_lists(robot)
    return (_contender(modern_robotics.InverseDynamics, **names),
            _contender(peer.InverseDynamics, **names))  # fmt: skip


def _book_trajectory(peer: Any) -> Sides:
    robot = subjects.general_arm(6)
    motion = dict(zip(("q", "qd", "qdd"), subjects.states(robot, ROWS), strict=True))
    wrench = {"Ftip": np.ones((ROWS, 6))}
    both = ({k: x[:count] for k, x in motion.items()} | {"g": robot.gravity}
            | {k: x[:count] for k, x in wrench.items()} | book_lists(robot)
            for count in (ROWS, FEWER))  # fmt: skip
    ours, theirs = both
    return (_contender(modern_robotics.InverseDynamicsTrajectory, ROWS, **ours),
            _contender(peer.InverseDynamicsTrajectory, FEWER, **theirs))  # fmt: skip


def puma(peer: Any) -> tuple[Any, Robot]:
    """The toolbox's PUMA 560 without friction, and the robot of the same numbers."""
    theirs = peer.models.DH.Puma560().nofriction(True, True)
    rows = [
        {"a": link.a, "alpha": link.alpha, "d": link.d, "theta": link.offset, "mass": link.m,
         "com": link.r.tolist(), "inertia": link.I.tolist()}
        for link in theirs.links
    ]  # fmt: skip
    return theirs, Robot.from_dh(rows, "standard", name="puma560 of the toolbox")


def _coriolis_call(peer: Any, quantity: str = "coriolis_matrix") -> Sides:
    theirs, robot = puma(peer)
    names = {k: x[0].copy() for k, x in zip(("q", "qd"), subjects.states(robot, 1), strict=False)}
    f = getattr(robot, quantity)
    given = names if quantity == "coriolis_matrix" else {"q": names["q"]}
    for _ in range(2):
        f(*given.values())  # the second attribute is the planted call
    ours = _contender(getattr(robot, quantity), **given)
    return Contender(ours.statement, dict(ours.names) | names), _contender(theirs.coriolis, **names)


def _christoffel_call(peer: Any) -> Sides:
    return _coriolis_call(peer, "christoffel")


_NEEDS = {"coriolis_call": "coriolis_matrix", "christoffel_call": "christoffel"}
_SIDES: dict[str, Callable[[Any], Sides]] = {
    "book_call": _book_call,
    "book_trajectory": _book_trajectory,
    "coriolis_call": _coriolis_call,
    "christoffel_call": _christoffel_call,
}
