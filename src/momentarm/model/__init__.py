"""Robots as frozen data, the joint table, and the changes of form that leave dynamics alone."""

from momentarm.model.actuator import IDEAL, Actuator
from momentarm.model.joints import JOINT_TYPES, JointRow, JointType
from momentarm.model.mechanism import BASE, Coupling, Frame, Joint, Limits, Link, Mechanism

__all__ = [
    "BASE",
    "IDEAL",
    "JOINT_TYPES",
    "Actuator",
    "Coupling",
    "Frame",
    "Joint",
    "JointRow",
    "JointType",
    "Limits",
    "Link",
    "Mechanism",
]
