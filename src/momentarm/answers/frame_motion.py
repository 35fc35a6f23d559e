"""How frames move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking, Threads


class FrameMotion(Asking):
    """Six numbers are (angular, linear); `reference` is that of the Jacobian."""

    def frame_velocity(self, q: ArrayLike, qd: ArrayLike, *, frame: str | None = None,
                       reference: str = "body", rows: Sequence[str] | None = None,
                       out: Any = None, dtype: Any = None,
                       threads: Threads = None) -> Any:  # fmt: skip
        """V = J q̇ [rad/s, m/s] of a frame (the tip by default).

        `reference` "body": its twist in its own axes about its own origin; "space": in the world's
        axes about the world's origin; "world": ω and the velocity of its origin, in world axes.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> arm = ma.robots.planar_2r()
        >>> arm.frame_velocity([0, np.pi / 2], [1, 0], reference="world").round(12)
        array([ 0.,  0.,  1., -1.,  1.,  0.])
        """
        return self._run("frame_velocity", (q, qd), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows)  # fmt: skip

    def frame_acceleration(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *,
                           frame: str | None = None, reference: str = "body",
                           rows: Sequence[str] | None = None, out: Any = None, dtype: Any = None,
                           threads: Threads = None) -> Any:  # fmt: skip
        """V̇ = J q̈ + J̇ q̇ [rad/s², m/s²]: the derivative of the six numbers of `frame_velocity`.

        So "world" is ω̇ and the acceleration p̈ of the frame's origin. The linear part of "body" is
        p̈ − ω × v in the frame's axes, that of "space" p̈ + ṗ × ω + p × ω̇. Without gravity.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> arm = ma.robots.planar_2r()
        >>> arm.frame_acceleration([0, 0], [1, 0], [0, 0], reference="world").round(12) + 0
        array([ 0.,  0.,  0., -2.,  0.,  0.])
        """
        return self._run("frame_acceleration", (q, qd, qdd), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows)  # fmt: skip

    def jacobian_dot(self, q: ArrayLike, qd: ArrayLike, *, frame: str | None = None,
                     reference: str = "body", rows: Sequence[str] | None = None, out: Any = None,
                     dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """J̇ (6, n), the derivative of `jacobian` with the same options along the motion.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> arm = ma.robots.planar_2r()
        >>> q, qd = [0, np.pi / 2], [0, 1]
        >>> arm.jacobian_dot(q, qd, reference="world", rows=("x", "y")).round(12) + 0
        array([[ 0.,  0.],
               [-1., -1.]])
        """
        return self._run("jacobian_dot", (q, qd), out, dtype, threads, frame=frame,
                         reference=reference, rows=rows)  # fmt: skip

    def acceleration_terms(self, q: ArrayLike, *, frame: str | None = None, out: Any = None,
                           dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """H (3, n, n) with p̈ = J_v q̈ + q̇ᵀ H q̇ for a frame's origin, in world axes, eq. (8.12).

        Symmetric: H[:, j, j] q̇_j² are centripetal terms, 2 H[:, j, k] q̇_j q̇_k those of Coriolis.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> H = ma.robots.planar_2r().acceleration_terms([0, np.pi / 2])
        >>> H[:2].round(12).tolist()
        [[[-1.0, -0.0], [-0.0, -0.0]], [[-1.0, -1.0], [-1.0, -1.0]]]
        """
        return self._run("acceleration_terms", (q,), out, dtype, threads, frame=frame)
