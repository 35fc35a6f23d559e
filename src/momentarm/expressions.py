"""Arrays of expressions: what NumPy's own arrays of objects cannot do inside `ma.kernel`.

Rule 1  A comparison of arrays is an array of conditions, for `where`, `&`, `|` and `~`.
Rule 2  On plain numbers the functions here are NumPy's.
Rule 3  What cannot be traced says what can.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from momentarm.graph import expr
from momentarm.graph.expr import Expr

CAN = ("a kernel may use + - * / @, whole powers, comparisons, np.sqrt, sin, cos, tan, "
       "arctan2, abs and sign, ma.where, minimum, maximum and clip")  # fmt: skip


class Expressions(np.ndarray):
    """An array of expressions."""

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **options: Any) -> Any:
        if method == "__call__" and ufunc in _INSTEAD and not options:
            return _INSTEAD[ufunc](*args)
        if "out" in options:
            options["out"] = tuple(map(_bare, options["out"]))
        try:
            return of_array(getattr(ufunc, method)(*map(_bare, args), **options))
        except TypeError as error:
            if "callable" not in str(error):
                raise
            raise TypeError(f"np.{ufunc.__name__} cannot be traced; {CAN}") from error

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function in _INSTEAD:
            return _INSTEAD[function](*args, **options)
        if function.__module__ == "numpy.linalg":
            instead = ("q̈ is arm.forward_dynamics(q, qd, tau), M⁻¹ arm.mass_matrix_inverse(q), "
                       "Λ in arm.task_dynamics(q, qd), a length np.sqrt(v @ v)")  # fmt: skip
            raise TypeError(f"np.linalg.{function.__name__} cannot be traced; {instead}")
        return super().__array_function__(function, types, args, options)


def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds, else `b`, element by element."""
    return _on_elements(expr.where, np.where, condition, a, b)


def minimum(a: Any, b: Any) -> Any:
    """The smaller of two numbers, element by element; NaN if one is."""
    return _on_elements(lambda a, b: _choice(a < b, b <= a, a, b), np.minimum, a, b)


def maximum(a: Any, b: Any) -> Any:
    """The larger of two numbers, element by element; NaN if one is."""
    return _on_elements(lambda a, b: _choice(a > b, b >= a, a, b), np.maximum, a, b)


def clip(x: Any, low: Any, high: Any) -> Any:
    """`x`, but no less than `low` and no more than `high`, element by element.

    >>> import momentarm as ma
    >>> f = ma.kernel(lambda arm, tau: ma.clip(tau, -1, [2, 3]), ma.robots.planar_2r())
    >>> f([5, -5])
    array([ 2., -1.])
    """
    return minimum(maximum(x, low), high)


def of_array(value: Any) -> Any:
    """An array of objects as `Expressions`; anything else as it is."""
    is_array = isinstance(value, np.ndarray) and value.dtype == object
    return value.view(Expressions) if is_array else value


def _choice(first: Any, second: Any, a: Any, b: Any) -> Any:
    return expr.where(first, a, expr.where(second, b, a + b))


def _equal(a: Any, b: Any) -> Any:
    return a.equals(b) if isinstance(a, Expr) else b.equals(a) if isinstance(b, Expr) else a == b


def _unequal(a: Any, b: Any) -> Any:
    return expr.where(_equal(a, b), 0, 1) > 0


def _on_elements(f: Any, plain: Any, *args: Any) -> Any:
    arrays = [_bare(np.asanyarray(a)) for a in args]
    if not any(a.dtype == object for a in arrays):
        return plain(*args)[()]
    return of_array(np.frompyfunc(f, len(arrays), 1)(*arrays))


def _bare(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, Expressions) else value


def _compared(f: Any, ufunc: Any) -> Any:
    return lambda a, b: _on_elements(f, ufunc, a, b)


_INSTEAD: dict[Any, Any] = {
    np.where: where, np.minimum: minimum, np.maximum: maximum, np.clip: clip,
    np.less: _compared(operator.lt, np.less), np.less_equal: _compared(operator.le, np.less_equal),
    np.greater: _compared(operator.gt, np.greater), np.equal: _compared(_equal, np.equal),
    np.greater_equal: _compared(operator.ge, np.greater_equal),
    np.not_equal: _compared(_unequal, np.not_equal),
}  # fmt: skip
