"""The tape of operations. Knows nothing of robots."""

from momentarm.graph.expr import Expr, where
from momentarm.graph.ops import OPS, Op
from momentarm.graph.program import Counts, Program
from momentarm.graph.tape import Tape

__all__ = ["OPS", "Counts", "Expr", "Op", "Program", "Tape", "where"]
