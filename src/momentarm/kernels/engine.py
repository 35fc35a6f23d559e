"""From LLVM text to machine code in this process. The one place that talks to llvmlite.

Rule 1  Code generation only: no IR passes run, so what we wrote is what is computed.
Rule 2  An `Engine` owns its code; whoever holds an address holds the engine.
Rule 3  No lock here: llvmlite takes its own around every call of LLVM.
"""

from __future__ import annotations

import ctypes
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any

try:
    import llvmlite
    import llvmlite.binding as llvm
except ImportError:  # no wheel for this platform: the NumPy backend serves
    llvmlite = llvm = None


@dataclass(frozen=True, slots=True)
class Host:
    """The machine that code is made for."""

    triple: str
    cpu: str
    features: str

    @property
    def vector_bits(self) -> int:
        features = self.features.split(",")
        if "+avx512f" in features and "+avx512dq" in features:
            return 512
        return 256 if "+avx2" in features else 128


@cache
def available() -> bool:
    """Whether machine code can be made here; where not, that is said once."""
    if llvm is None:
        warnings.warn("without llvmlite kernels run in NumPy, one call thousands of times slower; "
                      "pip install llvmlite", RuntimeWarning, stacklevel=2)  # fmt: skip
    return llvm is not None


@cache
def binding() -> Any:
    """llvmlite's binding, with the host's target ready."""
    if llvm is None:
        raise RuntimeError("machine code needs llvmlite, which is not there; pip install llvmlite")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def versions() -> tuple[str, ...]:
    """Of what makes code, as loaded."""
    return llvmlite.__version__, ".".join(map(str, binding().llvm_version_info))


def provide(symbol: str, table: Any) -> None:
    """Let compiled code refer to a table of addresses, which must stay, by name."""
    binding().add_symbol(symbol, ctypes.addressof(table))


@cache
def host() -> Host:
    llvm = binding()
    features = llvm.get_host_cpu_features()
    text = ",".join(f"{'+' if on else '-'}{name}" for name, on in sorted(features.items()))
    return Host(llvm.get_default_triple(), llvm.get_host_cpu_name(), text)


def _target_machine() -> Any:
    """A new one each time: an execution engine takes its machine with it when it goes."""
    llvm, here = binding(), host()
    return llvm.Target.from_triple(here.triple).create_target_machine(
        cpu=here.cpu, features=here.features, opt=2, reloc="static", codemodel="jitdefault")


def compile_object(text: str) -> bytes:
    """LLVM text to a relocatable object."""
    module = binding().parse_assembly(text)
    module.verify()
    return bytes(_target_machine().emit_object(module))


def assembly(text: str) -> str:
    """LLVM text to the machine's assembly, for people."""
    return str(_target_machine().emit_assembly(binding().parse_assembly(text)))


class Engine:
    """Code in memory."""

    def __init__(self, obj: bytes) -> None:
        llvm = binding()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(obj))
        self._engine.finalize_object()

    def address(self, symbol: str) -> int:
        address = int(self._engine.get_function_address(symbol))
        if not address:
            raise LookupError(f"the compiled code has no symbol {symbol!r}")
        return address
