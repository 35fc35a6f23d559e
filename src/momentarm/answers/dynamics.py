"""Efforts from motion and motion from efforts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking, Threads
from momentarm.twists import no_twist


class Dynamics(Asking):
    """Rigid bodies with what drives their joints."""

    def inverse_dynamics(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *,
                         tip_wrench: ArrayLike | None = None,
                         wrenches: Mapping[str, ArrayLike] | None = None, out: Any = None,
                         dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """τ = M(q) q̈ + c(q, q̇) + g(q) + friction + Jᵀ F_tip [N m or N], eq. (8.77).

        `tip_wrench` (moment, force), in the tip's frame: what the tip applies to its surroundings.
        `wrenches` {frame: (moment, force)}, each in its frame: what they apply to the robot.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> arm.inverse_dynamics([0, 0], [0, 0], [0, 0])
        array([29.43,  9.81])
        """
        return self._run("inverse_dynamics", (q, qd, qdd), out, dtype, threads, tip_wrench,
                         wrenches)  # fmt: skip

    def forward_dynamics(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, *,
                         tip_wrench: ArrayLike | None = None,
                         wrenches: Mapping[str, ArrayLike] | None = None, out: Any = None,
                         dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """q̈ with M(q) q̈ = τ − c − g − friction − Jᵀ F_tip [rad/s² or m/s²], eq. (8.81).

        >>> import momentarm as ma
        >>> ma.robots.planar_2r().forward_dynamics([0, 0], [0, 0], [30.43, 9.81]).round(12)
        array([ 1., -2.])
        """
        return self._run("forward_dynamics", (q, qd, tau), out, dtype, threads, tip_wrench,
                         wrenches)  # fmt: skip

    def mass_matrix(self, q: ArrayLike, *,
                    out: Any = None, dtype: Any = None,
                    threads: Threads = None) -> Any:  # fmt: skip
        """M(q) [kg m²], symmetric to the bit, eq. (8.78); rotors on its diagonal.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> ma.robots.planar_2r().mass_matrix([0, np.pi / 2]).round(12)
        array([[3., 1.],
               [1., 1.]])
        """
        return self._run("mass_matrix", (q,), out, dtype, threads)

    def bias_forces(self, q: ArrayLike, qd: ArrayLike, *,
                    out: Any = None, dtype: Any = None,
                    threads: Threads = None) -> Any:  # fmt: skip
        """h = c(q, q̇) + g(q) [N m or N]: the efforts at q̈ = 0, friction apart."""
        return self._run("bias_forces", (q, qd), out, dtype, threads)

    def coriolis_forces(self, q: ArrayLike, qd: ArrayLike, *,
                        out: Any = None, dtype: Any = None,
                        threads: Threads = None) -> Any:  # fmt: skip
        """c(q, q̇) = C(q, q̇) q̇ [N m or N], eq. (8.79)."""
        return self._run("coriolis_forces", (q, qd), out, dtype, threads)

    def gravity_forces(self, q: ArrayLike, *,
                       out: Any = None, dtype: Any = None,
                       threads: Threads = None) -> Any:  # fmt: skip
        """g(q) [N m or N]: the efforts that hold the robot still, eq. (8.80)."""
        return self._run("gravity_forces", (q,), out, dtype, threads)

    def friction_forces(self, qd: ArrayLike, *,
                        out: Any = None, dtype: Any = None,
                        threads: Threads = None) -> Any:  # fmt: skip
        """Viscous and Coulomb friction [N m or N], Fig. 8.15 (c)."""
        return self._run("friction_forces", (qd,), out, dtype, threads)

    def tip_forces(self, q: ArrayLike, tip_wrench: ArrayLike, *,
                   out: Any = None, dtype: Any = None,
                   threads: Threads = None) -> Any:  # fmt: skip
        """Jᵀ F_tip [N m or N]: what the joints spend on a wrench (moment, force) of the tip."""
        return self._run("tip_forces", (q, no_twist("tip_wrench", tip_wrench)), out, dtype, threads)
