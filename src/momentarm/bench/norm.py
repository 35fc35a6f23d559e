"""How far a result is off, relative to its largest element: small ones come from cancellation."""

from __future__ import annotations

from typing import Any

import numpy as np


def normwise(found: Any, expected: Any) -> float:
    """max |x − y| / max |y|, in the numbers of `expected`.

    >>> normwise(np.array([1.0, 4.0]), np.array([0.0, 4.0]))
    0.25
    """
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))
