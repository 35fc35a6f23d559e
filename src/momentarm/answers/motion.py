"""Motion in time: steps, and trajectories there and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from momentarm.answers.asking import Asking, Threads
from momentarm.kernels.arguments import number_array
from momentarm.kernels.kernel import Kernel
from momentarm.twists import no_twist

Array = NDArray[np.float64]


class Motions(Asking):
    """Quaternions move on their sphere; other coordinates add up."""

    def integrate(self, q: ArrayLike, qd: ArrayLike, dt: ArrayLike, *, out: Any = None,
                  dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """q ⊕ q̇ dt: where constant rates lead in a time dt [s].

        >>> import momentarm as ma
        >>> ma.robots.planar_2r().integrate([0, 1], [1, 2], 0.5)
        array([0.5, 2. ])
        """
        return self._run("integrate", (q, qd, dt), out, dtype, threads)

    def difference(self, q: ArrayLike, q_to: ArrayLike, *, out: Any = None, dtype: Any = None,
                   threads: Threads = None) -> Any:  # fmt: skip
        """q_to ⊖ q (n,) [rad, m]: the rates that lead from q to q_to in one second.

        What `integrate` undoes. An angle counts its turns: from 0 to 2π it is 2π. A quaternion
        turns the shortest way.
        """
        return self._run("difference", (q, q_to), out, dtype, threads)

    def step(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, dt: ArrayLike, *,
             method: str = "rk4", tip_wrench: ArrayLike | None = None,
             wrenches: Mapping[str, ArrayLike] | None = None, out: Any = None, dtype: Any = None,
             threads: Threads = None) -> Any:  # fmt: skip
        """(q, q̇) after a time dt under constant efforts: "rk4", or "euler" as in §8.5.

        A quaternion's length drifts with the order of the method; it means the same rotation.
        """
        return self._run("step", (q, qd, tau, dt), out, dtype, threads, tip_wrench, wrenches,
                         method=method)  # fmt: skip

    def forward_dynamics_trajectory(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike | Callable[..., ArrayLike], dt: float, *,
        steps: int | None = None, method: str = "rk4", substeps: int = 1,
        tip_wrench: ArrayLike | None = None,
    ) -> tuple[Array, Array]:  # fmt: skip
        """Motion from efforts: q (…, T, nq) and q̇ (…, T, n) at times 0, dt, 2 dt, … (§8.5).

        `tau` (…, T, n) has the efforts from each time to the next, the last for none; or it is a
        function tau(t, q, qd), asked at each time, and `steps` says how many follow the first.
        `tip_wrench` is constant, (6,), or a row a time. `substeps` divide each dt. States may be
        batches.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> q, qd = arm.forward_dynamics_trajectory([0, 0], [0, 0], np.zeros((101, 2)), 0.01)
        >>> energy = arm.kinetic_energy(q, qd) + arm.potential_energy(q)
        >>> q.shape, bool(abs(energy).max() < 1e-5)
        ((101, 2), True)
        """
        if not (_is_time(dt) and _is_count(substeps) and substeps >= 1):
            raise ValueError(f"forward_dynamics_trajectory: expected a finite dt and substeps of 1 "
                             f"or more, got {dt!r} and {substeps!r}")  # fmt: skip
        step = self.kernel("step", method=method, tip_wrench=tip_wrench is not None)
        q, qd = _array(step, "q", q), _array(step, "qd", qd)
        tau = tau if callable(tau) else _array(step, "tau", tau)
        control, count, leading = self._control(tau, steps)
        outside: list[tuple[Any, ...]] = [()] * count
        if tip_wrench is not None:
            given = _array(step, "tip_wrench", no_twist("tip_wrench", tip_wrench))
            outside = [(w,) for w in _by_time(given, count)]
        duration = np.asarray(dt / substeps, float)
        leading = np.broadcast_shapes(leading, q.shape[:-1], qd.shape[:-1])
        states = [(np.broadcast_to(q, (*leading, *q.shape[-1:])),
                   np.broadcast_to(qd, (*leading, *qd.shape[-1:])))]  # fmt: skip
        for k in range(count - 1):
            now = states[-1]
            efforts = _array(step, "tau", control(k * dt, *now))
            for _ in range(substeps):
                now = step(*now, efforts, duration, *outside[k])
            states.append(now)
        qs, qds = zip(*states, strict=True)
        return np.stack(qs, -2), np.stack(qds, -2)

    def _control(self, tau: Any, steps: int | None) -> Any:
        """tau(t, q, qd) at the times, how many these are, and the leading axes of its rows."""
        where = "forward_dynamics_trajectory"
        if callable(tau) != (steps is not None):
            raise TypeError(f"{where}(steps): how many steps is said for a function tau, and by "
                            "the rows of an array")  # fmt: skip
        if steps is not None:
            if not (_is_count(steps) and steps >= 0):
                raise ValueError(f"{where}(steps): expected a whole number from 0, got {steps!r}")
            return tau, int(steps) + 1, ()
        if tau.ndim < 2 or tau.shape[-1] != self.mechanism.n or not tau.shape[-2]:
            raise ValueError(f"{where}(tau): expected (..., T, {self.mechanism.n}), T of 1 or "
                             f"more, a row a time, got {tau.shape}")  # fmt: skip
        times = iter(np.moveaxis(tau, -2, 0))
        return lambda t, q, qd: next(times), tau.shape[-2], tau.shape[:-2]

    def inverse_dynamics_trajectory(
        self, q: ArrayLike, dt: float, qd: ArrayLike | None = None, qdd: ArrayLike | None = None,
        *, tip_wrench: ArrayLike | None = None, threads: Threads = None,
    ) -> Array:  # fmt: skip
        """Efforts (…, T, n) along positions (…, T, nq) at times 0, dt, 2 dt, … (exercise 8.14).

        Rates or accelerations that are not given come from differences: central ones, off by
        O(dt²), at both ends one-sided of the same order; at least three times are needed.
        """
        if not (_is_time(dt) and dt):
            raise ValueError(f"inverse_dynamics_trajectory(dt): expected a finite dt but 0, got "
                             f"{dt!r}")  # fmt: skip
        efforts = self.kernel("inverse_dynamics")
        q = _array(efforts, "q", q)
        if q.ndim < 2 or q.shape[-2] < 3:
            raise ValueError(f"inverse_dynamics_trajectory(q): expected (T, {self.mechanism.nq}), "
                             f"T of 3 or more, got {q.shape}")  # fmt: skip
        rates, accelerations = self._differences(q, dt)
        qd = rates if qd is None else _array(efforts, "qd", qd)
        if qdd is None:
            given = qd is not rates
            qdd = np.gradient(qd, dt, axis=-2, edge_order=2) if given else accelerations
        return np.asarray(self._run("inverse_dynamics", (q, qd, qdd), None, None, threads,
                                    tip_wrench))  # fmt: skip

    def _differences(self, q: Array, dt: float) -> tuple[Array, Array]:
        """Rates and accelerations of second order from three neighbouring positions."""
        before, here, after = q[..., :-2, :], q[..., 1:-1, :], q[..., 2:, :]
        ahead = np.asarray(self.difference(here, after)) / dt
        behind = -np.asarray(self.difference(here, before)) / dt
        rates, accelerations = (ahead + behind) / 2, (ahead - behind) / dt
        first, last = slice(0, 1), slice(-1, None)
        ends = [2 * behind[..., first, :] - rates[..., first, :],
                2 * ahead[..., last, :] - rates[..., last, :]]  # fmt: skip
        rates = np.concatenate([ends[0], rates, ends[1]], axis=-2)
        near = accelerations[..., [0, -1], :]
        if q.shape[-2] > 3:
            near = 2 * near - accelerations[..., [1, -2], :]
        return rates, np.concatenate([near[..., :1, :], accelerations, near[..., 1:, :]], axis=-2)


def _is_time(x: Any) -> bool:
    """Whether this is one finite number."""
    return np.ndim(x) == 0 and np.asarray(x).dtype.kind in "iuf" and bool(np.isfinite(x))


def _is_count(x: Any) -> bool:
    """Whether this is one whole number."""
    return np.ndim(x) == 0 and np.asarray(x).dtype.kind in "iu"


def _array(kernel: Kernel, name: str, given: Any) -> Array:
    """An argument's numbers, as the kernel would take them."""
    return np.asarray(number_array(kernel.recipe, name, given), float)


def _by_time(wrench: Array, count: int) -> Array:
    """A wrench at each time, first axis; a constant one at all."""
    w = wrench if wrench.ndim > 1 else np.broadcast_to(wrench, (count, *wrench.shape))
    if w.shape[-2] != count:
        raise ValueError(f"tip_wrench: expected (6,) or a row for each of {count} times, got "
                         f"{wrench.shape}")  # fmt: skip
    return np.moveaxis(w, -2, 0)
