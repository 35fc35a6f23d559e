"""NumPy's and Python's C interfaces, reached with ctypes: no compiler on the user's machine.

Rule 1  Every offset used here is probed once on real objects, and both tables are known by the
        types in them; where one is not as expected, `has_fast_calls` is False.
Rule 2  Nothing else in the package knows an address or an offset.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

# offsets in PyObject and PyArrayObject on 64-bit platforms
TYPE, DATA, ND, DIMS, DESCR, FLAGS = 8, 16, 24, 32, 56, 64
TUPLE_ITEMS = 24
CONTIGUOUS_ALIGNED = 0x101
TABLE = "momentarm_api"  # what compiled calls know `call_table` as
NPY_FLOAT, NPY_DOUBLE = 11, 12
_NEW, _RETURN, _FROM_FUNC_WITH_SIGNATURE = 93, 76, 31
_ARRAY_TYPE, _UFUNC_TYPE = 2, 0


def _table(capsule: object) -> Any:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(pointer(capsule, None), ctypes.POINTER(ctypes.c_void_p))


@cache
def _api(name: str) -> Any:
    return _table(getattr(import_module("numpy._core._multiarray_umath"), name))


@cache
def call_table() -> Any:
    """The addresses that a compiled call needs, in the order of `builtin.SLOTS`."""
    python = ctypes.pythonapi
    functions = [
        ctypes.cast(getattr(python, name), ctypes.c_void_p).value
        for name in ("PyObject_Vectorcall", "PyTuple_New")
    ]
    api = _api("_ARRAY_API")
    addresses = [id(np.ndarray), id(np.dtype(np.float64)), api[_NEW], api[_RETURN], *functions]
    return (ctypes.c_void_p * len(addresses))(*addresses)


@cache
def has_fast_calls() -> bool:
    """Whether compiled calls may read arrays directly: tested platforms whose layout is right."""
    if sys.implementation.name != "cpython" or not sys.platform.startswith("linux"):
        return False
    if sysconfig.get_config_var("Py_GIL_DISABLED") or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    try:
        return _layout_is_right()
    except Exception:  # whatever a foreign interpreter lacks, the plain path serves
        return False


def _layout_is_right() -> bool:
    a = np.arange(15.0).reshape(3, 5)
    pair = (None, a)
    at = id(a)

    def word(address: int) -> int:
        return ctypes.c_int64.from_address(address).value

    return (
        word(at + TYPE) == id(np.ndarray)
        and word(at + DATA) == a.ctypes.data
        and ctypes.c_int32.from_address(at + ND).value == 2
        and word(word(at + DIMS)) == 3
        and word(word(at + DIMS) + 8) == 5
        and word(at + DESCR) == id(np.dtype(np.float64))
        and ctypes.c_int32.from_address(at + FLAGS).value & CONTIGUOUS_ALIGNED == CONTIGUOUS_ALIGNED
        and word(id(pair) + TUPLE_ITEMS + 8) == at
        and _api("_ARRAY_API")[_ARRAY_TYPE] == id(np.ndarray)
        and _api("_UFUNC_API")[_UFUNC_TYPE] == id(np.ufunc)
    )


def signature(inputs: Sequence[tuple[int, ...]], outputs: Sequence[tuple[int, ...]]) -> str:
    """A generalized ufunc's signature with frozen sizes, such as (7),(7),(7)->(7)."""
    sides = (",".join(f"({','.join(map(str, s))})" for s in side) for side in (inputs, outputs))
    return "->".join(sides)


def gufunc(address: int, inputs: Sequence[tuple[int, ...]], outputs: Sequence[tuple[int, ...]],
           name: str, doc: str, single: bool = False) -> tuple[Any, Any]:  # fmt: skip
    """A NumPy ufunc around a compiled loop, and the memory that must outlive it."""
    make = ctypes.PYFUNCTYPE(  # it must hold the interpreter lock
        ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int,
        ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int,
        ctypes.c_char_p,
    )(_api("_UFUNC_API")[_FROM_FUNC_WITH_SIGNATURE])  # fmt: skip
    count = len(inputs) + len(outputs)
    kind = NPY_FLOAT if single else NPY_DOUBLE
    keep = (
        (ctypes.c_void_p * 1)(address),
        (ctypes.c_void_p * 1)(None),
        ctypes.create_string_buffer(bytes([kind] * count)),
        ctypes.create_string_buffer(name.encode()),
        ctypes.create_string_buffer(doc.encode()),
    )
    text = signature(inputs, outputs)
    loops, data, types, own_name, own_doc = (ctypes.addressof(k) for k in keep)
    ufunc = make(loops, data, types, 1, len(inputs), len(outputs), -1,
                 ctypes.cast(own_name, ctypes.c_char_p), ctypes.cast(own_doc, ctypes.c_char_p),
                 0, text.encode())  # fmt: skip
    if ufunc.signature != text and any((*inputs, *outputs)):  # with numbers only it is None
        raise RuntimeError(f"NumPy made a ufunc {ufunc.signature!r} of {text!r}")
    return ufunc, keep


class _MethodDef(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p),
                ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))  # fmt: skip


METH_KEYWORDS_FASTCALL = 0x0002 | 0x0080


# never freed: a function that dies in a collected cycle reads its definition after its owner's end
_definitions: list[_MethodDef] = []


def builtin(address: int, name: str, doc: str, general: Any) -> Any:
    """A Python function around a compiled call; `general` takes what it does not."""
    method = _MethodDef(name.encode(), address, METH_KEYWORDS_FASTCALL, doc.encode())
    _definitions.append(method)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return new(ctypes.addressof(method), general, None)
