"""Robots whose rates obey A(q) q̇ = 0: frames held, loops closed, functions of one's own."""

from momentarm.constrained.conditions import Condition, close, constraint, hold
from momentarm.constrained.robot import ConstrainedRobot

__all__ = ["Condition", "ConstrainedRobot", "close", "constraint", "hold"]
