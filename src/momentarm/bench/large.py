"""Rows of large programs: derivatives, and a humanoid on a floating base.

The humanoid is TALOS with 32 joints, read from the file of example-robot-data on both sides. Its
derivatives are 4332 numbers a state: in larger batches than these both sides wait for memory.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np

from momentarm import formats
from momentarm.bench import clock, speed, starts, subjects
from momentarm.bench.clock import Contender, one_core
from momentarm.bench.norm import normwise
from momentarm.bench.peer import AGREE, Disagreement, Pinocchio
from momentarm.bench.report import Row
from momentarm.bench.subjects import Array
from momentarm.bench.targets import TARGETS
from momentarm.robot import Robot

FILE = "talos_data/robots/talos_reduced.urdf"
NO_FILE, SKIPPED = "example-robot-data not installed", "skipped (quick)"
RACES = {  # ours, states, theirs
    "humanoid_id": ("inverse_dynamics", subjects.STATES, "rneaInParallel"),
    "humanoid_fd": ("forward_dynamics", subjects.STATES, "abaInParallel"),
    "humanoid_derivatives": ("inverse_dynamics_derivatives", 256, "computeRNEADerivatives"),
}
_COLD = """
import time, warnings
import momentarm
import numpy as np
warnings.simplefilter("ignore")
arm = momentarm.load({!r}, base="floating").ideal
q, qd = arm.random_q(0, 8), np.ones((8, arm.n))
start = time.perf_counter()
arm.inverse_dynamics_derivatives(q, qd, qd)
print(time.perf_counter() - start)
"""


def rows(peers: bool, quick: bool) -> Iterable[Row]:
    panda = subjects.bundled("panda")
    peer = Pinocchio.of(panda) if peers else None
    repeats = 21 if quick else clock.REPEATS
    with one_core() as core:
        yield speed.race("id_derivatives_batch", panda, peer, peers, repeats, core)
    path = urdf()
    if why := SKIPPED if quick else NO_FILE if path is None else "":
        yield from (Row(TARGETS[key], why=why) for key in (*RACES, "humanoid_cold"))
    elif path is not None:
        yield from _humanoid(path, peers, repeats)


def urdf() -> str | None:
    """The humanoid's file, if example-robot-data is here."""
    try:
        files = metadata.files("example-robot-data") or []
    except metadata.PackageNotFoundError:
        return None
    return next((str(k.locate()) for k in files if str(k).endswith(FILE)), None)


def _humanoid(path: str, peers: bool, repeats: int) -> Iterable[Row]:
    both = Humanoid.of(path)
    peer = both.peer() if peers else None
    with one_core() as core:
        for key, (_, _, theirs) in RACES.items():
            ours = both.ours(key)
            if peer is None:
                why = speed.NOT_INSTALLED if peers else speed.NOT_ASKED
                yield speed.alone(key, ours, why)
            else:
                yield speed.against(key, ours, both.theirs(key, peer), theirs, repeats, core)
    with tempfile.TemporaryDirectory(prefix="momentarm-bench-") as folder:
        seconds = starts.seconds(_COLD.format(path), Path(folder))
    yield Row(TARGETS["humanoid_cold"], seconds, note="one fresh process, nothing cached")


@dataclass(frozen=True)
class Humanoid:
    """One file on both sides, and states of it."""

    path: str
    robot: Robot

    @classmethod
    def of(cls, path: str) -> Humanoid:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return cls(path, Robot(*formats.load(path, base="floating")).ideal)

    def states(self, count: int) -> tuple[Array, ...]:
        rng = np.random.default_rng(1)
        return (self.robot.random_q(rng, count), *rng.uniform(-2, 2, (2, count, self.robot.n)))

    def ours(self, key: str) -> Contender:
        quantity, count, _ = RACES[key]
        return speed.batch(self.robot, quantity, "q, qd, x", *self.states(count))

    def theirs(self, key: str, peer: Pinocchio) -> Contender:
        _, count, function = RACES[key]
        at_q, at_v = self.order(peer)
        q, qd, x = self.states(count)
        states = q[:, np.argsort(at_q)], qd[:, np.argsort(at_v)], x[:, np.argsort(at_v)]
        if function.endswith("InParallel"):
            return peer.batch(function, *states)
        return peer.loop(function, *(np.ascontiguousarray(a) for a in states))

    def order(self, peer: Pinocchio) -> tuple[list[int], list[int]]:
        """Where our elements of q and of rates are in theirs, whose free joint has (v, ω)."""
        at_q, at_v = [*range(7)], [3, 4, 5, 0, 1, 2]
        for name in self.robot.joint_names[1:]:
            joint = peer.model.joints[peer.model.getJointId(name)]
            at_q.append(joint.idx_q)
            at_v.append(joint.idx_v)
        return at_q, at_v

    def peer(self) -> Pinocchio | None:
        """Pinocchio with the same file, once torques and accelerations agree."""
        if (pin := Pinocchio.library()) is None:
            return None
        model = pin.buildModelFromUrdf(self.path, pin.JointModelFreeFlyer())
        peer = Pinocchio(pin, model, model.createData(), pin.ModelPool(model, 1))
        at_q, at_v = self.order(peer)
        for q, qd, x in zip(*self.states(4), strict=True):
            theirs = pin.rnea(model, peer.data, q[np.argsort(at_q)], qd[np.argsort(at_v)],
                              x[np.argsort(at_v)])  # fmt: skip
            wrong = normwise(self.robot.inverse_dynamics(q, qd, x), theirs[at_v])
            if wrong > AGREE:
                raise Disagreement(f"{self.robot.name}: results differ by {wrong:.1e}")
        return peer
