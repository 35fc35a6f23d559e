"""What the numbers were measured on: processor, software, versions, date."""

from __future__ import annotations

import datetime
import os
import platform
from importlib import metadata
from typing import Any

from momentarm.kernels import engine
from momentarm.version import __version__

PEERS = {"pin": "Pinocchio", "modern_robotics": "modern_robotics",
         "roboticstoolbox-python": "Robotics Toolbox"}  # distribution -> its name
FEATURES = ("avx2", "fma", "avx512f", "avx512dq", "avx512vl", "neon", "sve")


def vector_bits() -> int:
    return engine.host().vector_bits if engine.available() else 128


def facts(peers: bool) -> dict[str, Any]:
    """By name, in the order in which they are shown."""
    return {
        "processor": _processor(),
        "cores": _cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": _versions(),
        "peers": {name: installed(k) or "not installed" for k, name in PEERS.items()} if peers
        else "not asked for",
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
    }  # fmt: skip


def installed(distribution: str) -> str | None:
    """Its version, None if it is not here."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
        name = names[0] if names else name
    except OSError:
        pass
    if not engine.available():
        return name
    host = engine.host()
    has = set(host.features.split(","))
    features = " ".join(k for k in FEATURES if f"+{k}" in has)
    return f"{name} ({host.cpu}: {features or 'no vector features known'})"


def _cores() -> str:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{usable} usable of {os.cpu_count()}"


def _versions() -> dict[str, str]:
    found = {
        "momentarm": __version__,
        platform.python_implementation(): platform.python_version(),
        "NumPy": installed("numpy") or "?",
    }
    if engine.available():
        llvmlite, llvm = engine.versions()
        found |= {"llvmlite": llvmlite, "LLVM": llvm}
    return found
