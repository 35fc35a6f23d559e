"""Whether a robot is what it should be, and whether all formulations agree on it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from momentarm.answers.asking import Asking
from momentarm.answers.options import settled
from momentarm.doctor import Report, examine
from momentarm.doctor.cross import CrossCheck, cross_checked

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
        condition of M: up to ...; forward dynamics is good to about ...
        ur5: no problems
        """
        states = [self.q_home, *self.random_q(0, STATES)]
        return examine(self.mechanism, self.warnings, states, strict)

    def cross_check(self, *, states: int = CROSSED, seed: int = 0) -> CrossCheck:
        """Every formulation of every quantity against every other, at random states.

        Kernels against the algorithms run in Python's floats, one state against a batch, the
        algorithms against each other and against the textbook's, and the laws they must obey.

        >>> import momentarm as ma
        >>> ma.robots.planar_2r().cross_check().agrees
        True
        """
        rng = np.random.default_rng(seed)
        q = self.random_q(rng, states)
        return cross_checked(self.mechanism, q, rng, lambda names: settled(names, {}, self))
