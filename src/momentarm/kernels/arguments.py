"""What may be passed to a kernel, and what is said when it is something else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_REJECTED = {"b": "truth values", "c": "complex numbers", "O": "Python objects", "U": "text",
             "S": "bytes", "M": "dates", "m": "durations", "V": "records"}  # fmt: skip


def check_count(name: str, names: Sequence[str], args: Sequence[Any]) -> None:
    if len(args) != len(names):
        raise TypeError(f"{name} takes {len(names)} arrays ({', '.join(names)}), got {len(args)}")


def number_array(kernel: str, name: str, value: Any) -> Any:
    """The argument as it is if it is an array of numbers; lists and numbers become arrays."""
    if not hasattr(value, "dtype"):
        if value is None:
            raise TypeError(f"{kernel}({name}): expected numbers, got None")
        if not hasattr(value, "__array__") and not hasattr(value, "__array_ufunc__"):
            try:
                value = np.asarray(value)
            except ValueError:
                raise ValueError(f"{kernel}({name}): the rows of this list differ in length; "
                                 "expected a rectangular array of numbers") from None  # fmt: skip
    kind = getattr(getattr(value, "dtype", None), "kind", "f")
    if kind in _REJECTED:
        raise TypeError(
            f"{kernel}({name}): expected real numbers, got {_REJECTED[kind]} "
            f"(dtype {value.dtype}); convert with numpy.asarray({name}, dtype=float)"
        )
    return value


def is_single(args: Sequence[Any], dtype: Any) -> bool:
    """Whether to compute in float32: all arguments are, or `dtype` says so."""
    if dtype is not None:
        if np.dtype(dtype) not in (np.dtype(np.float32), np.dtype(np.float64)):
            raise TypeError(f"dtype: expected float64 or float32, got {np.dtype(dtype)}")
        return np.dtype(dtype) == np.float32
    kinds = {(k.kind, k.itemsize) if (k := getattr(a, "dtype", None)) else None for a in args}
    return kinds == {("f", 4)}  # in any byte order


def explained(recipe: Any, args: Sequence[Any], out: Any, error: Exception) -> Exception:
    """The error in the caller's terms: which argument, expected, got, joint order."""
    for (name, core), a in zip(recipe.inputs.items(), args, strict=True):
        shape = tuple(np.shape(a))
        if len(shape) < len(core) or shape[len(shape) - len(core) :] != core:
            return _wrong_shape(recipe, name, core, shape)
    shapes = [np.shape(a)[: np.ndim(a) - len(core)]
              for a, core in zip(args, recipe.inputs.values(), strict=True)]  # fmt: skip
    try:
        leading = np.broadcast_shapes(*shapes)
    except ValueError:
        listed = ", ".join(f"{k} {s}" for k, s in zip(recipe.inputs, shapes, strict=True))
        return ValueError(f"{recipe.name}: the leading shapes do not broadcast: {listed}")
    outs = out if isinstance(out, tuple) else (out,) * (out is not None)
    for (name, core), o in zip(recipe.outputs.items(), outs, strict=False):
        if o is not None and tuple(np.shape(o)) != (*leading, *core):
            return ValueError(f"{recipe.name}(out): expected shape {(*leading, *core)} for {name}, "
                              f"got {np.shape(o)}")  # fmt: skip
    kind = TypeError if isinstance(error, TypeError) else ValueError
    return kind(f"{recipe.name}: {error}")


def _wrong_shape(recipe: Any, name: str, core: tuple[int, ...], got: tuple[int, ...]) -> Exception:
    expected = f"{core} or (..., {', '.join(map(str, core))})" if core else "a number or any array"
    text = f"{recipe.name.partition('_with_')[0]}({name}): expected {expected}, got {got}"
    if name in recipe.elements:
        text += f"; the joints are {', '.join(recipe.elements[name])}"
    elif core == (6,):
        text += "; six numbers: moment first, then force"
    if got[:1] == core and len(got) > 1:
        text += "; states are rows: pass the transpose"
    return ValueError(text)
