"""How large a robot is, by which lengths and inertias are judged.

What is measured is the tree of joints and frames, not pictures: a robot file needs none.
"""

from __future__ import annotations

from momentarm.model import BASE, Mechanism
from momentarm.model.alignment import length


def reach(m: Mechanism) -> float:
    """The longest way from the base along joints to a joint or frame, sliding ranges included."""
    far = {BASE: 0.0}
    for i, link in m.outward():
        far[i] = far[link.parent] + length(link.placement.origin) + _travel(m, i)
    ends = [far[frame.link] + length(frame.X.origin) for frame in m.frames.values()]
    return max([0.0, *far.values(), *ends])


def _travel(m: Mechanism, i: int) -> float:
    """How far a prismatic joint may slide from its zero."""
    joint = m.links[i].joint
    if joint.kind != "prismatic":
        return 0.0
    return max((abs(x) for x in (joint.limits.lower, joint.limits.upper) if x is not None),
               default=0.0)  # fmt: skip
