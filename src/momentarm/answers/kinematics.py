"""Where frames are and how they move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking, Threads


class Kinematics(Asking):
    """Poses and Jacobians; metres and radians."""

    def forward_kinematics(self, q: ArrayLike, *, frame: str | None = None, out: Any = None,
                           dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """The pose (4, 4) [m] of a frame (the tip by default) in the world, (8.50)."""
        return self._run("forward_kinematics", (q,), out, dtype, threads, frame=frame)

    def link_poses(self, q: ArrayLike, *,
                   out: Any = None, dtype: Any = None,
                   threads: Threads = None) -> Any:  # fmt: skip
        """The poses (frames, 4, 4) [m] of all named frames in the world, in the order of `frames`.

        One of them alone is `forward_kinematics(q, frame="…")`; in an array of all, that of a name
        is `poses[..., arm.frames.index("…"), :, :]`.
        """
        return self._run("link_poses", (q,), out, dtype, threads)

    def jacobian(self, q: ArrayLike, *, frame: str | None = None, reference: str = "body",
                 rows: Sequence[str] | None = None, out: Any = None, dtype: Any = None,
                 threads: Threads = None) -> Any:  # fmt: skip
        """J (6, n) of a frame (the tip by default), rows (angular [1], linear [m]), (8.56).

        `reference` "body": its twist in its own axes; "space": in the world's axes about the
        world's origin; "world": ω and the velocity of the frame's origin, in the world's axes.
        `rows`: some of rx, ry, rz, x, y, z, in the order asked for.
        """
        return self._run("jacobian", (q,), out, dtype, threads, frame=frame, reference=reference,
                         rows=rows)  # fmt: skip
