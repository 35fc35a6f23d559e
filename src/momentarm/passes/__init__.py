"""Tape to tape: fewer operations, fused operations, a better order."""
