"""How every answer is asked for: `Robot` knows how to run a row of the table of quantities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from momentarm.kernels.kernel import Kernel
from momentarm.model import Mechanism
from momentarm.model.problem import Problem

Threads = int | None


class Asking(ABC):
    """What a topic's methods may rely on."""

    mechanism: Mechanism
    warnings: tuple[Problem, ...]

    @abstractmethod
    def _run(self, name: str, args: tuple[Any, ...], out: Any, dtype: Any, threads: Threads,
             tip_wrench: Any = None, wrenches: Any = None, damping: Any = None,
             **options: Any) -> Any:  # fmt: skip
        """The quantity of this name for these arrays, one state or any batch."""

    @abstractmethod
    def kernel(self, *names: str, tip_wrench: bool = False, wrenches: Iterable[str] = (),
               **given: Any) -> Kernel:  # fmt: skip
        """The compiled object behind one or several quantities."""

    @abstractmethod
    def _frame(self, frame: str | None) -> str:
        """A frame's name, the tip's for None."""

    @abstractmethod
    def random_q(self, rng: Any = None, size: Any = None) -> Any:
        """A random state, or several."""

    @abstractmethod
    def base_parameters(self) -> Any:
        """Which sums of parameters the motion shows."""
