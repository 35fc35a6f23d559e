"""Whether a robot is what it should be, and whether all formulations agree on it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from momentarm.answers.asking import Asking
from momentarm.answers.options import settled
from momentarm.model.changes import leaves

if TYPE_CHECKING:  # the doctor comes when called
    from momentarm.doctor import Report
    from momentarm.doctor.crossing import CrossCheck

STATES = 32  # random states within the limits at which M is looked at, and home
CROSSED = 5  # states at which formulations are compared


class Checking(Asking):
    """Methods of Robot."""

    @property
    @abstractmethod
    def q_home(self) -> Any:
        """Zero, or the nearest that limits allow."""

    @abstractmethod
    def random_q(self, rng: Any = None, size: Any = None) -> Any:
        """Random coordinates within the limits."""

    def check(self, *, strict: bool = False) -> Report:
        """All that is wrong or odd, with code, place, number and fix; the same at every call.

        What reading the file has found, and what only the assembled robot shows: bodies, units,
        limits, the condition of M. With `strict`, warnings are errors.

        >>> import momentarm as ma
        >>> print(ma.robots.ur5().check())  # doctest: +ELLIPSIS
        condition of M, ...; forward dynamics is good to about ...
        ur5: no problems
        """
        from momentarm.doctor import examine

        states = [self.q_home, *self.random_q(0, STATES)]
        return examine(self.mechanism, self.warnings, states, strict)

    @abstractmethod
    def with_tip(self, frame: str) -> Any:
        """With another frame as its tip."""

    def cross_check(self, *, states: int = CROSSED, seed: int = 0,
                    progress: Callable[[float], None] | None = None) -> CrossCheck:  # fmt: skip
        """Every formulation of every quantity against every other, at random states.

        Kernels against the algorithms run in Python's floats, one state against a batch, the
        algorithms against each other and against the textbook's, and the laws they must obey.
        A robot of several tips is asked at the first. `progress` hears what part is done.

        >>> import momentarm as ma
        >>> ma.robots.planar_2r().cross_check().agrees
        True
        """
        from momentarm.doctor.crossing import cross_checked

        if self.mechanism.tip is None and (ends := leaves(self.mechanism)):
            tipped: CrossCheck = self.with_tip(ends[0]).cross_check(
                states=states, seed=seed, progress=progress)  # fmt: skip
            return tipped
        rng = np.random.default_rng(seed)
        q = self.random_q(rng, states)
        return cross_checked(self.mechanism, q, rng, lambda names: settled(names, {}, self),
                             progress)  # fmt: skip
