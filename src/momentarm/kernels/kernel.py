"""A kernel: one program as machine code, called with one state or with any batch of states.

Rule 1  A result depends on the arguments alone: one state, a batch of any layout, any number of
        threads give the same bits.
Rule 2  Code is made when it is first needed: scalar code for one state, vector code for batches,
        each dtype apart; all of it is looked up in the disk cache first.
Rule 3  What makes code is imported when code is made: what the cache has needs none of it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from momentarm.graph.program import Counts, Program
from momentarm.kernels import arguments, batch, cache, engine, numpy_abi, pipeline

Shape = tuple[int, ...]
FLOAT64 = np.dtype(np.float64)
_LENT: list[Kernel] = []  # whose ufuncs are out in the world
STAGES = ("trace", "simplified", "scheduled", "llvm", "asm", "c", "ops")


@dataclass(frozen=True)
class Moves:
    """How an argument moves: along rates of this shape, each of which moves some elements so fast.

    Derivatives along rates that are no elements do not commute. `law` tells these tangents from
    others in keys: a program alone does not say which of its arguments are quaternions.
    """

    shape: Shape
    tangents: Callable[[Sequence[Any]], Sequence[Mapping[int, Any]]]
    commute: bool = False
    law: str = ""


@dataclass(frozen=True)
class Recipe:
    """What a kernel computes, before anything is traced.

    `key` names it in the cache: equal keys, equal programs. `routes` are the formulations that
    give it; the one with the fewest operations is compiled.
    """

    name: str
    inputs: dict[str, Shape]
    outputs: dict[str, Shape]
    routes: Mapping[str, pipeline.Trace]
    key: bytes
    doc: str = ""
    about: dict[str, str] = field(default_factory=dict)  # for the head of exported files
    elements: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # names, by argument
    options: Mapping[str, Any] = field(default_factory=dict)  # fixed when it was traced
    again: Callable[[], Any] | None = None  # what `pickle` needs to make it elsewhere
    moves: Mapping[str, Moves] = field(default_factory=dict)  # where not by element
    slopes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # results' last axes
    first: Callable[[], Recipe] | None = None  # its first derivatives by their own algorithm


class Kernel:
    """Machine code for one recipe. `kernel(*arrays)` computes; the rest explains."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self._others: dict[Any, Kernel] = {}  # that were made of this one
        self._owned: list[Any] = []  # engines and C structures behind the functions we gave out

    def __repr__(self) -> str:
        ins = ", ".join(f"{k}{list(v)}" for k, v in self.recipe.inputs.items())
        outs = ", ".join(f"{k}{list(v)}" for k, v in self.recipe.outputs.items())
        how = f"{self.ops}; {self.route}; {self.backend}"
        return f"<kernel {self.recipe.name}({ins}) -> {outs}: {how}>"

    def __deepcopy__(self, memo: Any = None) -> Kernel:
        return self  # it never changes

    __copy__ = __deepcopy__

    def __reduce__(self) -> Any:
        if self.recipe.again is None:
            raise TypeError(f"the kernel {self.recipe.name!r} of a function of your own cannot be "
                            "pickled; send the robot and make it there")  # fmt: skip
        return self.recipe.again()

    # -- what it is

    @cached_property
    def _facts(self) -> dict[str, Any]:
        """Route and counts, from the cache or by tracing."""
        key = self._cache_key("facts")
        entry = cache.load(key) if "chosen" not in self.__dict__ else None
        if entry is not None:
            return entry.meta
        counts = asdict(self.program.counts) | {"route": self.chosen[0]}
        cache.store(key, counts, b"")
        return counts

    @cached_property
    def chosen(self) -> tuple[str, Program]:
        """The cheapest route, and its program before multiply-adds are fused."""
        return pipeline.cheapest(self.recipe.name, self.recipe.routes)

    @cached_property
    def program(self) -> Program:
        """The program as compiled."""
        return pipeline.scheduled(self.chosen[1])

    @property
    def ops(self) -> Counts:
        """Operations of the compiled program."""
        return Counts(**{k: self._facts[k] for k in Counts.__dataclass_fields__})

    @property
    def route(self) -> str:
        """Which formulation was the cheapest for this robot."""
        return str(self._facts["route"])

    @property
    def backend(self) -> str:
        """What runs it: "LLVM", or "NumPy" where llvmlite is missing."""
        return "LLVM" if engine.available() and not self._is_empty else "NumPy"

    def stage(self, name: str) -> str:
        """The program as text at one stage of its way to machine code; see `STAGES`."""
        if name not in STAGES:
            raise ValueError(f"no stage {name!r}; the stages are {', '.join(STAGES)}")
        texts: dict[str, Callable[[], str]] = {
            "trace": lambda: str(self._named),
            "simplified": lambda: str(pipeline.simplified(self._named)),
            "scheduled": lambda: str(pipeline.scheduled(pipeline.simplified(self._named))),
            "llvm": self._scalar_text,
            "asm": lambda: engine.assembly(self._scalar_text()),
            "c": self.source,
            "ops": lambda: f"{self.recipe.name}: {self.ops}; {self.route}",
        }
        return texts[name]()

    @cached_property
    def _named(self) -> Program:
        """The trace of the chosen route, its nodes named after the algorithm's variables."""
        from momentarm.kernels import naming

        trace = self.recipe.routes[self.route]
        return naming.watched(lambda: trace(pipeline.MOST_OPERATIONS), "momentarm.algorithms")

    def source(self, language: str = "c", dtype: Any = np.float64) -> str:
        """The kernel as source text: C99, one function, no allocation, the same bits."""
        if language != "c":
            raise ValueError(f"no source in {language!r}; there is 'c'")
        from momentarm.backends import c

        about = self.recipe.about | {"digest": self.program.digest}
        return c.source(self.program, self.recipe.name, about, _scalar_type(dtype))

    # -- what follows from it

    def derivative(self, *by: str | Sequence[str], values: bool = False,
                   along_rates: bool = True) -> Kernel:  # fmt: skip
        """The kernel of the derivatives of all results by each element of an argument.

        A result has the axes of the argument after its own: of a number there is the gradient, of
        a vector the Jacobian. Several names are derivatives of derivatives, `derivative("q", "q")`
        of a number the Hessian; names in a tuple, `derivative(("q", "qd"))`, give a result each.
        `values=True` puts what is derived first. Where q has quaternions its derivatives are along
        the rates, or with `along_rates=False` by each element of q.
        """
        names = tuple(tuple(k) if isinstance(k, tuple | list) else k for k in by)
        return self._made("derivative", names, values, along_rates)

    def along(self, *by: str, values: bool = False, along_rates: bool = True) -> Kernel:
        """The kernel of how fast all results change as arguments move, d_tau for d_q.

        The speeds are arguments after all others; those of q are rates. Of the kernel of a
        gradient this is the Hessian times a vector.
        """
        return self._made("along", by, values, along_rates)

    def weighted(self) -> Kernel:
        """The kernel of Σ w_y · y over all results y, weights being arguments after all others.

        Its derivative is the transposed Jacobian times a vector.
        """
        return self._made("weighted")

    def _made(self, what: str, *how: Any) -> Kernel:
        """Another kernel, made when it is first asked for."""
        from momentarm.kernels import derived

        if (what, *how) not in self._others:
            self._others.setdefault((what, *how), getattr(derived, what)(self, *how))
        return self._others[what, *how]

    # -- how it runs

    def __call__(self, *args: Any, out: Any = None, dtype: Any = None,
                 threads: int | None = None, **named: Any) -> Any:  # fmt: skip
        """The result for one state or, element by element of the leading axes, for many.

        Arrays go by place or by name: kernel(q, qd) or kernel(q=q, qd=qd).
        """
        if dtype is None and not named and self._is_small(args, threads):
            try:
                function = self._double_ufunc
                return function(*args) if out is None else function(*args, out=out)
            except (ValueError, TypeError) as error:
                raise arguments.explained(self.recipe, args, out, error) from None
        names = tuple(self.recipe.inputs)
        args = arguments.in_order(self.recipe.name, names, args, named)
        args = tuple(map(partial(arguments.number_array, self.recipe), names, args))
        single = arguments.is_single(args, dtype)
        function = self.batch_function(np.float32 if single else np.float64)
        try:
            return batch.run(function, args, self.recipe, out, single, threads, self._cost)
        except (ValueError, TypeError) as error:
            raise arguments.explained(self.recipe, args, out, error) from None

    def takes_as_one_state(self, args: Sequence[Any]) -> bool:
        """Whether `builtin` would compute with these arguments itself."""
        cores = self.recipe.inputs.values()
        return len(args) == len(cores) and all(
            type(a) is np.ndarray and a.dtype == np.float64 and a.shape == core
            for a, core in zip(args, cores, strict=True))  # fmt: skip

    def _is_small(self, args: Sequence[Any], threads: int | None) -> bool:
        """Whether these are float64 arrays, and one thread is enough for them."""
        if not (threads is None or (type(threads) is int and threads == 1)):
            return False
        size = 0
        for a in args:
            if type(a) is not np.ndarray or a.dtype is not FLOAT64:
                return False
            size = max(size, a.size)
        return len(args) == len(self.recipe.inputs) and (threads is not None or size < self._small)

    @cached_property
    def _cost(self) -> int:
        return 1 + self.ops.total + 20 * self.ops.sincos

    @cached_property
    def _small(self) -> int:
        """Elements of an argument below which one thread is enough."""
        widest = max(map(math.prod, self.recipe.inputs.values()))
        return batch.WORTH_THREADS // self._cost * max(1, widest)

    def ufunc(self, dtype: Any = np.float64) -> Any:
        """The NumPy generalized ufunc that runs batches; its code stays until the process ends."""
        _LENT.append(self)  # a ufunc cannot own what it runs
        return self.batch_function(dtype)

    def batch_function(self, dtype: Any) -> Any:
        """The same for those who hold the kernel as long as they call it."""
        return self._single_ufunc if np.dtype(dtype) == np.float32 else self._double_ufunc

    @cached_property
    def _double_ufunc(self) -> Any:
        return self._make_ufunc("double")

    @cached_property
    def _single_ufunc(self) -> Any:
        return self._make_ufunc("float")

    def _make_ufunc(self, kind: str) -> Any:
        if self.backend == "NumPy":
            from momentarm.backends import numpy

            return numpy.function(self.program, np.float32 if kind == "float" else np.float64)
        width = engine.host().vector_bits // (64 if kind == "double" else 32)
        code = self._code(f"loop {kind} {width}", lambda: self._vector_text(kind, width))
        ins, outs = tuple(self.recipe.inputs.values()), tuple(self.recipe.outputs.values())
        ufunc, memory = numpy_abi.gufunc(code.address("loop"), ins, outs, self.recipe.name,
                                         self.recipe.doc, kind == "float")  # fmt: skip
        self._owned.append((code, memory))
        return ufunc

    def builtin(self, general: Callable[..., Any], signature: str = "") -> Callable[..., Any]:
        """A function for one float64 state that costs little more than its arithmetic.

        What it does not take (batches, lists, other dtypes, keywords) goes to `general`.
        """
        if self.backend == "NumPy" or not numpy_abi.has_fast_calls():
            return general
        engine.provide(numpy_abi.TABLE, numpy_abi.call_table())
        code = self._code("call", self._scalar_text)
        doc = f"{self.recipe.name}{signature}\n--\n\n{self.recipe.doc}"
        self._owned.append(code)
        return numpy_abi.builtin(code.address("call"), self.recipe.name, doc, general)

    @property
    def _is_empty(self) -> bool:
        """Whether an array has no elements (no joints, say), for which NumPy has no loops."""
        return any(0 in shape for shape in (self.recipe.inputs | self.recipe.outputs).values())

    def _vector_text(self, kind: str, width: int) -> str:
        from momentarm.backends import simd
        from momentarm.backends.llvm import Lanes

        return simd.module(self.program, Lanes(kind, width), engine.host().triple)

    def _scalar_text(self) -> str:
        from momentarm.backends import scalar
        from momentarm.backends.llvm import Lanes
        from momentarm.kernels import builtin

        triple = engine.host().triple
        call = builtin.call_function(self.program, triple.startswith("x86_64"))
        return scalar.module(self.program, Lanes(), triple, call)

    def _code(self, variant: str, text: Callable[[], str]) -> engine.Engine:
        key = self._cache_key(variant, *asdict(engine.host()).values(), *engine.versions())
        entry = cache.load(key)
        if entry is None:
            obj = engine.compile_object(text())
            cache.store(key, {"kernel": self.recipe.name, "variant": variant}, obj)
        else:
            obj = entry.payload
        return engine.Engine(obj)

    def _cache_key(self, *parts: str) -> bytes:
        text = json.dumps([self.recipe.key.hex(), *parts])
        return hashlib.sha256(text.encode()).digest()


def _scalar_type(dtype: Any) -> str:
    return "float" if np.dtype(dtype) == np.float32 else "double"
