"""Energies of the whole robot."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking, Threads


class Energies(Asking):
    """In joules."""

    def kinetic_energy(self, q: ArrayLike, qd: ArrayLike, *,
                       out: Any = None, dtype: Any = None,
                       threads: Threads = None) -> Any:  # fmt: skip
        """T = ½ q̇ᵀ M q̇ [J], rotors included, eq. (8.55)."""
        return self._run("kinetic_energy", (q, qd), out, dtype, threads)

    def potential_energy(self, q: ArrayLike, *,
                         out: Any = None, dtype: Any = None,
                         threads: Threads = None) -> Any:  # fmt: skip
        """V(q) [J] of what moves, zero at the height of the world's origin."""
        return self._run("potential_energy", (q,), out, dtype, threads)

    def lagrangian(self, q: ArrayLike, qd: ArrayLike, *,
                   out: Any = None, dtype: Any = None,
                   threads: Threads = None) -> Any:  # fmt: skip
        """L = T − V [J], eq. (8.13)."""
        return self._run("lagrangian", (q, qd), out, dtype, threads)
