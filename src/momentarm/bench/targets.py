"""What each row of the table measures, the floor it must reach, and what we aim at.

Rule 1  A number here is a promise of the design; a measurement never changes it.
Rule 2  `vector` rows are promised for registers of 512 bits and shrink with them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """One row: `must` and `aim` are least values where `more` is better, else greatest ones."""

    key: str
    what: str
    unit: str
    must: float | None = None
    aim: float | None = None
    more: bool = False
    vector: bool = False

    def on(self, vector_bits: int) -> tuple[float | None, float | None]:
        """(must, aim) for a machine with registers of this size."""
        share = vector_bits / 512 if self.vector else 1
        return (None if self.must is None else self.must * share,
                None if self.aim is None else self.aim * share)  # fmt: skip

    def meets(self, value: float, limit: float) -> bool:
        return value >= limit if self.more else value <= limit


def _speed(key: str, what: str, must: float, aim: float, vector: bool = True) -> Target:
    return Target(key, what, "x", must, aim, more=True, vector=vector)


TARGETS = {
    row.key: row
    for row in (
        _speed("id_batch", "inverse dynamics, Panda, 4096 states, 1 thread, to peer", 40, 60),
        _speed("fd_batch", "forward dynamics, Panda, 4096 states, 1 thread, to peer", 45, 80),
        _speed("m_batch", "mass matrix, Panda, 4096 states, 1 thread, to peer", 30, 50),
        _speed("id_call", "inverse dynamics, Panda, one call from Python, to peer", 5, 8, False),
        _speed("fd_call", "forward dynamics, Panda, one call from Python, to peer", 5, 8, False),
        _speed("float32", "float32 to float64, inverse dynamics, 4096 states", 1.7, 2, False),
        Target("id_large", "inverse dynamics, Panda, 1,000,000 states, 1 thread", "ns"),
        Target("id_threads", "inverse dynamics, Panda, 1,000,000 states, all cores", "ns"),
        _speed("book_call", "book's InverseDynamics, 6R, one call, to its package", 50, 150, False),
        _speed("book_trajectory", "the same along 10,000 rows, 1 thread", 1000, 4000),
        _speed("coriolis_call", "Coriolis matrix, PUMA 560, one call, to peer", 100, 1000, False),
        _speed("christoffel_call", "all Christoffel symbols, to its one matrix", 100, 1000, False),
        Target("ops_6r_id", "operations, general 6R, inverse dynamics", "ops", 725, 650),
        Target("ops_6r_m", "operations, general 6R, mass matrix", "ops", 596, 540),
        Target("ops_6r_fd", "operations, general 6R, forward dynamics", "ops", 1447, 1300),
        Target("ops_puma560", "operations, PUMA 560, inverse dynamics", "ops", 322, 290),
        Target("ops_ur5", "operations, UR5, inverse dynamics", "ops", 290, 261),
        Target("ops_panda", "operations, Panda, inverse dynamics", "ops", 630, 567),
        Target("cold", "first result, Panda, nothing cached", "ms", 150, 60),
        Target("cached", "first result, Panda, from the disk cache", "ms", 15, 5),
        Target("import", "import momentarm, beyond import numpy", "ms", 120, 60),
        Target("compile_id", "compile time, inverse dynamics, 50 to 500 links", "exponent", 1.15),
        Target("compile_fd", "compile time, articulated bodies, 50 to 500 links", "exponent", 1.15),
        Target("error_id", "inverse dynamics, error to 50 digits", "error", 1e-14),
        Target("error_m", "mass matrix, error to 50 digits", "error", 1e-14),
        Target("error_fd", "forward dynamics, error over 4 cond(M) eps + 1e-14", "error", 1),
        Target("round_trip", "inverse of forward dynamics, error in tau", "error", 1e-13),
        Target("bits_batch", "batch and one state: numbers that differ", "numbers", 0),
        Target("bits_threads", "several threads and one: numbers that differ", "numbers", 0),
        Target("bits_c", "exported C and one state: numbers that differ", "numbers", 0),
        _speed("id_derivatives_batch", "inverse-dynamics derivatives, Panda, 1 thread, to peer",
               15, 25),
        _speed("humanoid_id", "inverse dynamics, 38-dof humanoid, 1 thread, to peer", 10, 30),
        _speed("humanoid_fd", "forward dynamics, 38-dof humanoid, 1 thread, to peer", 6, 20),
        _speed("humanoid_derivatives", "derivatives, 38-dof humanoid, 256 states, to peer", 3, 8),
        Target("humanoid_cold", "derivatives, 38-dof humanoid, first result, cold", "s", 10),
    )
}  # fmt: skip
