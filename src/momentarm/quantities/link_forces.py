"""What joints transmit, and what is left of an effort."""

from __future__ import annotations

from momentarm.model.canonical import canonical
from momentarm.quantities.row import WRENCHES, N, Quantity, as_it_is, q, qd, qdd, tau

ROWS = (
    Quantity("link_wrenches", (q, qd, qdd), (("F", ("links", 6)),),
             {"Newton–Euler": "link_forces.link_wrenches"}, as_it_is, "(8.53)", **WRENCHES),
    Quantity("generalized_forces", (q, qd, tau), (("xi", N),),
             {"Newton–Euler": "link_forces.generalized_forces"}, canonical, "SIC, ξ",
             needs_inertia=False, **WRENCHES),
)  # fmt: skip
