"""Robot: a mechanism and everything that can be asked of it.

Rule 1  A robot never changes; `with_…`, `lock` and `ideal` give another one.
Rule 2  Every quantity takes one state, or any batch of states along leading axes, and computes in
        machine code made for exactly this robot when the quantity is first asked for.
Rule 3  Units are SI and radians. Six-vectors are (angular, linear). Joint order: `joint_names`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MethodType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from momentarm import formats, quantities
from momentarm.answers.asking import Threads
from momentarm.answers.checking import Checking
from momentarm.answers.coriolis import Coriolis
from momentarm.answers.derivatives import Derivatives
from momentarm.answers.dynamics import Dynamics
from momentarm.answers.ellipsoids import Ellipsoids
from momentarm.answers.energies import Energies
from momentarm.answers.exchange import Exchange
from momentarm.answers.frame_motion import FrameMotion
from momentarm.answers.kinematics import Kinematics
from momentarm.answers.link_forces import LinkForces
from momentarm.answers.momentum import Momenta
from momentarm.answers.motion import Motions
from momentarm.answers.options import are_usual, settled, stacked
from momentarm.answers.parameters import Parameters
from momentarm.answers.planting import General
from momentarm.answers.state_space import StateSpace
from momentarm.answers.task_space import TaskSpace, check_rows
from momentarm.kernels.kernel import Kernel
from momentarm.model import IDEAL, Frame, Joint, Limits, Mechanism, changes
from momentarm.model.problem import Problem, listed, unknown
from momentarm.quantities.row import by_body
from momentarm.spatial import Inertia, Sym3, Vec3
from momentarm.twists import no_twist

if TYPE_CHECKING:  # imported when they are asked for
    from momentarm.body import Body
    from momentarm.constrained import Condition, ConstrainedRobot

Array = NDArray[np.floating[Any]]


class Robot(Dynamics, Energies, Kinematics, Derivatives, Parameters, Motions, Coriolis, TaskSpace,
            FrameMotion, Momenta, LinkForces, StateSpace, Ellipsoids, Checking,
            Exchange):  # fmt: skip
    """What `load` gives: joints and frames by name, and their dynamics."""

    def __init__(self, mechanism: Mechanism, warnings: Sequence[Problem] = ()) -> None:
        self.mechanism = mechanism
        self.warnings = tuple(warnings)
        self._kernels: dict[Any, Kernel] = {}

    # -- where robots come from

    @classmethod
    def from_dh(cls, rows: Iterable[Mapping[str, Any]], convention: str, **options: Any) -> Robot:
        """From rows with a, alpha, d, theta, type, mass, com, inertia (about the centre of mass).

        `convention` is "standard" or "modified"; there is no default.
        """
        from momentarm.formats.dh import from_dh

        return cls(*from_dh(rows, convention, **options))

    @classmethod
    def from_screws(cls, M_list: Any, G_list: Any, S_list: Any, **options: Any) -> Robot:
        """From home transforms, spatial inertias and space screws, as in Modern Robotics."""
        from momentarm.formats.screws import from_screws

        return cls(*from_screws(M_list, G_list, S_list, **options))

    @classmethod
    def from_pinocchio(cls, model: Any, **options: Any) -> Robot:
        """From a `pinocchio.Model`; `order_for(model)` goes between its vectors and ours."""
        from momentarm.formats.pinocchio_model import from_pinocchio

        return cls(*from_pinocchio(model, **options))

    @classmethod
    def from_mujoco(cls, model: Any, **options: Any) -> Robot:
        """From a `mujoco.MjModel`; `order_for(model)` goes between its vectors and ours."""
        from momentarm.formats.mjcf import from_mujoco

        return cls(*from_mujoco(model, **options))

    def to_screws(self) -> tuple[Array, Array, Array]:
        """(M_list, G_list, S_list) of a chain, frames at the centres of mass (exercise 8.12)."""
        from momentarm.formats.screws import to_screws

        return to_screws(self.mechanism)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the robot as native TOML; `load` gives the same robot back, bit for bit."""
        formats.save(self.mechanism, path)

    def __eq__(self, other: object) -> bool:
        """Robots of the same mechanism are the same."""
        return isinstance(other, Robot) and self.mechanism == other.mechanism

    def __hash__(self) -> int:
        return hash((self.mechanism.name, self.mechanism.links))

    def __reduce__(self) -> Any:
        return _from_text, (formats.dumps(self.mechanism), self.warnings)

    # -- what it is

    @property
    def name(self) -> str:
        """What its file calls it."""
        return self.mechanism.name

    @property
    def n(self) -> int:
        """Degrees of freedom: elements of qd, qdd and tau."""
        return self.mechanism.n

    @property
    def nq(self) -> int:
        """Elements of q: as many, and one more for each quaternion."""
        return self.mechanism.nq

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The joints with coordinates of their own, in the order of every vector."""
        return self.mechanism.coordinates

    @property
    def q_names(self) -> tuple[str, ...]:
        """What each element of q is called: as its joint, or `joint.x` where there are several."""
        return self.mechanism.q_names

    @property
    def v_names(self) -> tuple[str, ...]:
        """What each element of qd, qdd and tau is called."""
        return self.mechanism.v_names

    @property
    def frames(self) -> tuple[str, ...]:
        """The named frames, base first, in the order of `link_poses`."""
        return tuple(self.mechanism.frames)

    @property
    def link_names(self) -> tuple[str, ...]:
        """The links of the file but the base, in the order of `link_wrenches`."""
        return tuple(link.name for link in self.mechanism.links)

    @property
    def tip(self) -> str | None:
        """The frame that "the tip" means; None where several could be meant."""
        return self.mechanism.tip

    @property
    def gravity(self) -> Array:
        """The vector of gravity [m/s²], in the base's axes."""
        return np.array([*self.mechanism.gravity], float)

    @cached_property
    def limits(self) -> dict[str, Limits]:
        """By joint: lower, upper [rad], velocity [rad/s], effort [N m] as in the file, or None."""
        return {k.joint.name: k.joint.limits for k in self.mechanism.links
                if k.joint.name in self.joint_names}  # fmt: skip

    def __repr__(self) -> str:
        count = len(self.joint_names)
        return f"<Robot {self.name}: {count} joint{'s' * (count != 1)}>"

    def __str__(self) -> str:
        from momentarm.model.printed import robot_table

        return robot_table(self.mechanism, self.warnings)

    # -- states

    @property
    def q_home(self) -> Array:
        """Zero for every joint, or the nearest that its limits allow."""
        q: list[Any] = []
        for joint in self._own_joints:
            low, high = _range(joint, np.inf)
            q += [np.clip(0, low, high)] if joint.nq == 1 else joint.row.home
        return np.array(q, float)

    def state(self, values: Mapping[str, ArrayLike]) -> Array:
        """A vector of coordinates by joint name; joints not named are at home."""
        if not isinstance(values, Mapping):
            raise TypeError(f"state(values): expected {{joint: value}}, got {values!r}")
        q = self.q_home
        for name, value in values.items():
            at = self._coordinates(name)
            q[at] = _values(name, value, at)
        return q

    def random_q(self, rng: np.random.Generator | int | None = None,
                 size: int | tuple[int, ...] | None = None) -> Array:  # fmt: skip
        """One state, or states of a shape: uniform between the limits; a turn, or ±1 m, where
        there are none.

        `rng` is a generator or a seed. `size` is how many, or the leading axes.
        """
        rng = np.random.default_rng(rng)
        low, high = np.array([_range(joint) for joint in self._own_joints for _ in joint.row.home],
                             float).reshape(-1, 2).T  # fmt: skip
        shape = size if isinstance(size, tuple) else () if size is None else (size,)
        q = rng.uniform(low, high, (*shape, self.nq))
        for start in (k for k, name in enumerate(self.q_names) if name.endswith(".qx")):
            x = rng.standard_normal((*q.shape[:-1], 4))
            q[..., start : start + 4] = x / np.linalg.norm(x, axis=-1, keepdims=True)
        return q

    @property
    def _own_joints(self) -> list[Joint]:
        return [k.joint for k in self.mechanism.links if k.joint.name in self.joint_names]

    def _coordinates(self, joint: str) -> slice:
        """Where a joint's coordinates are in q."""
        if joint not in self.joint_names:
            raise ValueError(unknown("joint", joint, self.joint_names))
        start = 0
        for own in self._own_joints:
            if own.name == joint:
                break
            start += own.nq
        return slice(start, start + own.nq)

    # -- other robots

    @cached_property
    def ideal(self) -> Robot:
        """Without friction and rotor inertia."""
        links = [replace(k, joint=replace(k.joint, actuator=IDEAL)) for k in self.mechanism.links]
        return Robot(self.mechanism.with_links(links), self.warnings)

    def with_gravity(self, gravity: ArrayLike) -> Robot:
        """Under another gravity, in the base's axes; [0, 0, -9.81] is the usual one."""
        from momentarm.model.soundness import HUGE

        g = Vec3(*_numbers("with_gravity(gravity)", gravity, 3))
        if not all(abs(x) <= HUGE for x in g):
            raise ValueError(f"with_gravity(gravity): expected three numbers up to {HUGE:g}, "
                             f"got {gravity!r}")  # fmt: skip
        return Robot(replace(self.mechanism, gravity=g), self.warnings)

    def with_tip(self, frame: str) -> Robot:
        """With another frame as its tip."""
        return Robot(replace(self.mechanism, tip=self._frame(frame)), self.warnings)

    def with_payload(self, mass: float | Body, com: ArrayLike = (0, 0, 0),
                     inertia: ArrayLike = (0,) * 6, frame: str | None = None) -> Robot:  # fmt: skip
        """Carrying a body: a `Body`, or its mass, centre of mass and inertia (xx yy zz xy xz yz,
        about the centre of mass), in the axes of `frame`, the tip by default."""
        place = self.mechanism.frames[self._frame(frame)]
        extra = _payload(mass, com, inertia)
        return Robot(changes.carrying(self.mechanism, place, extra), self.warnings)

    def lock(self, joints: Mapping[str, ArrayLike] | Iterable[str]) -> Robot:
        """With some joints held: {"finger": 0.02}, or names for their home position."""
        joints = [joints] if isinstance(joints, str) else joints
        values = joints if isinstance(joints, Mapping) else {
            k: self.q_home[self._coordinates(k)] for k in joints}  # fmt: skip
        held = {k: _values(k, x, self._coordinates(k)) for k, x in values.items()}
        return Robot(changes.locked(self.mechanism, held), self.warnings)

    def with_constraints(self, *conditions: Condition, decay: tuple[float, float] = (0, 0),
                         redundant: str = "refuse") -> ConstrainedRobot:  # fmt: skip
        """Obeying `ma.hold(…)`, `ma.close(…)`, `ma.constraint(f)`: A(q) q̇ = 0, (8.92).

        `decay` (α, β) [1/s]: errors of rates and places then fade as Baumgarte's oscillator. Rows
        that follow from others are an error that names them, or left out by redundant="drop".
        """
        from momentarm.constrained import ConstrainedRobot

        return ConstrainedRobot(self, conditions, decay, redundant)

    def _frame(self, frame: str | None) -> str:
        """A frame's name, the tip's for None."""
        known = self.mechanism.frames
        if frame is None:
            if self.tip is None:
                leaves = listed(changes.leaves(self.mechanism))
                raise ValueError(
                    f"{self.name} has no single tip; name a frame (frame=…) or choose one with "
                    f"with_tip(…); the ends of its branches are {leaves}"
                )
            return self.tip
        if not isinstance(frame, str) or frame not in known:
            raise ValueError(unknown("frame", frame, known))
        return frame

    # -- kernels

    def kernel(self, *names: str, tip_wrench: bool = False, wrenches: Iterable[str] = (),
               **given: Any) -> Kernel:  # fmt: skip
        """The compiled object behind a quantity: its operations, stages, source text, ufunc.

        Of several quantities one kernel gives all, and computes what they share once. `wrenches`
        names the frames on which wrenches act; options are those of the quantities.

        >>> import momentarm as ma
        >>> both = ma.robots.planar_2r().kernel("gravity_forces", "mass_matrix")
        >>> g, M = both([0, 0])
        >>> g, M.tolist()
        (array([29.43,  9.81]), [[5.0, 2.0], [2.0, 1.0]])
        """
        for name in names:
            if name not in quantities.QUANTITIES:
                raise ValueError(unknown("quantity", name, quantities.QUANTITIES))
        if not names or len(set(names)) < len(names):
            raise TypeError(f"kernel: expected names of quantities, each once, got {names}")
        if frames := tuple(wrenches):
            given["wrench_frames"] = frames
        asked = ("tip_wrench",) * bool(tip_wrench) + ("wrenches",) * bool(frames)
        asked += ("damping",) * bool(given.pop("damping", False))
        rows = [quantities.QUANTITIES[name] for name in names]
        possible = {"parametric"} | {k for row in rows for k in (*row.options, *dict(row.optional))}
        chosen = [k for k, value in given.items() if not are_usual({k: value})]
        if wrong := [k for k in (*asked, *chosen) if k not in possible]:
            raise TypeError(f"kernel: {' and '.join(names)} has no {wrong[0]}; options here: "
                            f"{', '.join(sorted(possible)) or 'none'}")  # fmt: skip
        return self._kernel(names, asked, given)

    def compile(self, *names: str) -> None:
        """Make the machine code of these quantities now, for one state and for batches."""
        for name in names:
            kernel = self.kernel(name)
            check_rows(kernel, self.n)
            kernel.batch_function(np.float64)
            self._plant(name, kernel)

    def _kernel(self, names: tuple[str, ...], optional: tuple[str, ...],
                given: Mapping[str, Any]) -> Kernel:  # fmt: skip
        rows = [quantities.QUANTITIES[name] for name in names]
        known = {"parametric", *(k for row in rows for k in row.options)}
        options = settled(known, given, self)
        key = (names, optional, *sorted(options.items()))
        if key not in self._kernels:
            if "tip_wrench" in (*optional, *(k for row in rows for k, _ in row.inputs)):
                self._frame(None)
            for row in rows:
                self._must_have_what_it_takes(row, options)
            made = quantities.kernel(self.mechanism, names, optional, **options)
            self._kernels.setdefault(key, made)  # another thread may have planted code of its own
        return self._kernels[key]

    def _must_have_what_it_takes(self, row: quantities.Quantity,
                                 options: Mapping[str, Any]) -> None:  # fmt: skip
        """Refuse dynamics without inertia, and forward dynamics of a joint that moves nothing."""
        links = self.mechanism.links
        if row.needs_inertia and links and not any(link.has_inertia for link in links):
            raise ValueError(
                f"{row.name}: {self.name} has no inertia at all (links "
                f"{', '.join(link.name for link in links[:8])}{', …' * (len(links) > 8)}); its "
                "file is for kinematics"
            )
        if row.form is by_body and "payload" in options.get("parametric", ()):
            raise ValueError(f"{row.name}(parametric): Y is of the robot's own links, whatever it "
                             "carries; add the payload to φ, or take with_payload(…)")  # fmt: skip
        if row.solves and (idle := _idle_joint(self.mechanism)):
            raise ValueError(
                f"{row.name}: {idle} no inertia, so its acceleration has no value; give its link "
                "a mass, the joint an armature, or lock it"
            )

    def _run(self, name: str, args: tuple[Any, ...], out: Any, dtype: Any, threads: Threads,
             tip_wrench: Any = None, wrenches: Any = None, damping: Any = None,
             **options: Any) -> Any:  # fmt: skip
        """Any call that the compiled function has not taken by itself."""
        given = no_twist("tip_wrench", tip_wrench)
        optional = {} if given is None else {"tip_wrench": given}
        if wrenches is not None:
            options["wrench_frames"], optional["wrenches"] = stacked(wrenches)
        if damping is not None:
            optional["damping"] = damping
        kernel = self._kernel((name,), tuple(optional), options)
        check_rows(kernel, self.n)
        usual = not optional and are_usual(options)
        plain = out is None and dtype is None and threads is None
        if usual and plain and name not in self.__dict__ and kernel.takes_as_one_state(args):
            return self._plant(name, kernel)(*args)
        return kernel(*args, *optional.values(), out=out, dtype=dtype, threads=threads)

    def _plant(self, name: str, kernel: Kernel) -> Any:
        """The compiled function for one state, from now on in the place of the method."""
        if name not in self.__dict__:
            general = General(MethodType(getattr(type(self), name), self))
            self.__dict__[name] = kernel.builtin(general, general.signature)
        return self.__dict__[name]


def _range(joint: Joint, unlimited: float | None = None) -> tuple[float, float]:
    usual = np.pi if joint.row.holds == "line" else 1.0
    wide = usual if unlimited is None else unlimited
    low, high = joint.limits.lower, joint.limits.upper
    return -wide if low is None else low, wide if high is None else high


def _values(joint: str, value: ArrayLike, at: slice) -> list[float]:
    """The coordinates of one joint."""
    numbers = [float(x) for x in np.atleast_1d(np.asarray(value, float)).ravel()]
    if len(numbers) != at.stop - at.start:
        raise ValueError(f"joint {joint!r} has {at.stop - at.start} coordinates, got {value!r}")
    return numbers


def _numbers(argument: str, given: ArrayLike, count: int) -> list[float]:
    numbers = np.asarray(given, float)
    if numbers.shape != (count,) or not np.isfinite(numbers).all():
        raise ValueError(f"{argument}: expected {count} finite numbers, got {given!r}")
    return [float(x) for x in numbers]


def _payload(mass: float | Body, com: ArrayLike, inertia: ArrayLike) -> Inertia:
    from momentarm.body import Body

    if isinstance(mass, Body):
        if np.any(com) or np.any(inertia):
            raise TypeError("with_payload(body): a Body has its own com and inertia; place it with "
                            "body.shifted(p) or body.moved(T)")  # fmt: skip
        if mass.faults:
            raise ValueError(f"with_payload(body): {mass.faults[0]}")
        return mass.moments
    if not isinstance(mass, int | float | np.number) or not (np.isfinite(mass) and mass >= 0):
        raise ValueError(f"with_payload(mass): expected a mass of 0 kg or more, got {mass!r}")
    return Inertia.about_com(float(mass), Vec3(*_numbers("with_payload(com)", com, 3)),
                             Sym3(*_numbers("with_payload(inertia)", inertia, 6)))  # fmt: skip


def _from_text(text: str, warnings: Sequence[Problem]) -> Robot:
    mechanism, _ = formats.loads(text, "toml", "pickled robot")
    return Robot(mechanism, warnings)


def _idle_joint(m: Mechanism) -> str | None:
    """What of the robot moves no inertia at an ordinary state: M is singular; None if nothing."""
    from momentarm.algorithms import composite

    q = [0.3 + 0.1 * k for k in range(m.nq)]
    M = np.array(composite.mass_matrix(m, q), float).reshape(m.n, m.n)
    for name, inertia in zip(m.v_names, np.diag(M), strict=True):
        if not inertia > 0:
            return f"joint {name!r} moves"
    d = 1 / np.sqrt(np.diag(M))
    values, vectors = np.linalg.eigh(M * np.outer(d, d))
    lost = np.abs(values) <= m.n * np.finfo(float).eps * values.max(initial=0)
    if not lost.any():
        return None
    most = np.abs(vectors[:, int(np.argmax(lost))]).round(9)
    return f"joint {m.v_names[int(np.argmax(most))]!r} together with others moves"


__all__ = ["Frame", "Robot"]
