"""How every answer is asked for: `Robot` knows how to run a row of the table of quantities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

Threads = int | None


class Asking(ABC):
    """What a topic's methods may rely on."""

    @abstractmethod
    def _run(self, name: str, args: tuple[Any, ...], out: Any, dtype: Any, threads: Threads,
             tip_wrench: Any = None, wrenches: Any = None, **options: Any) -> Any:  # fmt: skip
        """The quantity of this name for these arrays, one state or any batch."""
