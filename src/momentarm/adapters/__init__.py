"""Vectors to and from other libraries' orders, frames and signs; `arm.order_for`, joint states."""

from momentarm.adapters.halves import angular_first, linear_first
from momentarm.adapters.joint_state import JointState, State
from momentarm.adapters.order import Order

__all__ = ["JointState", "Order", "State", "angular_first", "linear_first"]
