"""What joints transmit, and what is left of an effort."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking, Threads


class LinkForces(Asking):
    """Wrenches are (moment, force)."""

    def link_wrenches(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *,
                      tip_wrench: ArrayLike | None = None,
                      wrenches: Mapping[str, ArrayLike] | None = None, out: Any = None,
                      dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """ℱ_i (links, 6) [N m, N], (8.53): what its parent applies to each link, through the joint.

        Row i is for `arm.link_names[i]`, in that link's own frame of the file; links on fixed
        joints have one too. The share of a joint's axis in it is its effort, drives apart.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> F = arm.link_wrenches([0, 0], [0, 0], [0, 0])
        >>> F[arm.link_names.index("link2")].round(12) + 0
        array([0.  , 0.  , 9.81, 0.  , 9.81, 0.  ])
        """
        return self._run("link_wrenches", (q, qd, qdd), out, dtype, threads, tip_wrench, wrenches)

    def generalized_forces(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, *,
                           tip_wrench: ArrayLike | None = None,
                           wrenches: Mapping[str, ArrayLike] | None = None, out: Any = None,
                           dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """ξ = τ − friction − Jᵀ ℱ_tip [N m or N]: what of the efforts moves bodies and rotors.

        So M q̈ + c + g = ξ. The tip wrench is what the tip applies to its surroundings.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> arm.generalized_forces([0, 0], [0, 0], [5, 1], tip_wrench=[0, 0, 0, 0, 2, 0])
        array([ 1., -1.])
        """
        return self._run("generalized_forces", (q, qd, tau), out, dtype, threads, tip_wrench,
                         wrenches)  # fmt: skip
