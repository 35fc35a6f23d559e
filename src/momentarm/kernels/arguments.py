"""What may be passed to a kernel, and what is said when it is something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_REJECTED = {"b": "truth values", "c": "complex numbers", "O": "Python objects", "U": "text",
             "S": "bytes", "M": "dates", "m": "durations", "V": "records",
             "g": "more digits than float64 has"}  # fmt: skip


def in_order(name: str, names: Sequence[str], args: Sequence[Any],
             named: Mapping[str, Any]) -> tuple[Any, ...]:  # fmt: skip
    """The arguments, given by place or by name; TypeError if one is missing or too many."""
    if set(names[len(args) :]) != set(named) or len(args) > len(names):
        got = " and ".join((f"{len(args)}", *named))
        plural = "s" * (len(names) != 1)
        raise TypeError(f"{name} takes {len(names)} array{plural} ({', '.join(names)}), got {got}")
    return (*args, *(named[k] for k in names[len(args) :]))


def number_array(recipe: Any, name: str, value: Any) -> Any:
    """The argument as an array of numbers; only arrays that bring their own ufuncs stay."""
    where = f"{recipe.name.partition('_with_')[0]}({name})"
    if value is None:
        raise TypeError(f"{where}: expected numbers, got None")
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(f"{where}: some numbers are masked; NaN says that in results, too: pass "
                        f"{name}.filled(numpy.nan)")  # fmt: skip
    if isinstance(value, np.ndarray):
        value = value.view(np.ndarray)  # a matrix, say, would go on being one inside the ufunc
    elif hasattr(value, "to_numpy"):
        value = _in_place(where, name, value, recipe.elements.get(name))
    elif not any(hasattr(value, k) for k in ("dtype", "__array__", "__array_ufunc__")):
        try:
            value = np.asarray(value)
        except ValueError:
            raise ValueError(f"{where}: the rows of this list differ in length; "
                             "expected a rectangular array of numbers") from None  # fmt: skip
    dtype = getattr(value, "dtype", None)
    kind = getattr(dtype, "kind", "f")
    kind = "g" if kind == "f" and getattr(dtype, "itemsize", 8) > 8 else kind
    if kind in _REJECTED:
        cure = f"convert with numpy.asarray({name}, dtype=float)"
        if kind == "O" and isinstance(value, np.ndarray) and isinstance(value[()], dict):
            cure = "arm.state(…) makes coordinates of a dictionary"
        raise TypeError(f"{where}: expected real numbers, got {_REJECTED[kind]} "
                        f"(dtype {value.dtype}); {cure}")  # fmt: skip
    return value


def _in_place(where: str, name: str, table: Any, elements: Sequence[str] | None) -> Any:
    """A table's numbers; labels that are text say which element a column is."""
    labels = list(getattr(table, "columns", getattr(table, "index", ())))
    numbers = table.to_numpy()
    if elements is None or not labels or not all(isinstance(k, str) for k in labels):
        return numbers
    found = [k.removeprefix(f"{name}.") for k in labels]
    if sorted(found) != sorted(elements):
        missing = [k for k in elements if k not in found]
        wrong = [k for k, e in zip(labels, found) if e not in elements or found.count(e) > 1]
        raise ValueError(f"{where}: the columns are not those of {name}; missing: "
                         f"{', '.join(missing) or 'none'}; unknown or repeated: "
                         f"{', '.join(wrong) or 'none'}")  # fmt: skip
    return numbers[..., [found.index(k) for k in elements]]


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
    if isinstance(out, list):
        return TypeError(f"{recipe.name}(out): expected an array or a tuple of them, got a list")
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
    return kind(f"{recipe.name}: {str(error).removeprefix(f'{recipe.name}: ')}")


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
