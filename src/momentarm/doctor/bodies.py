"""Findings about single bodies: inertia that no body has, or hardly this one.

Source  A tensor of inertia belongs to a body if its second moments Σ = ½ tr(I) 1 − I are positive
        (the triangle inequality, Traversaro 2016). Of all bodies of one mass and one density, the
        ball has the least tr Σ: 3/5 m R² with m = 4/3 π ρ R³.
"""

from __future__ import annotations

import math

from momentarm.doctor.size import reach
from momentarm.model import Link, Mechanism
from momentarm.model.alignment import length
from momentarm.model.parameters import own_frame
from momentarm.model.problem import Problems
from momentarm.model.soundness import check_inertia
from momentarm.spatial import Inertia, Sym3

OSMIUM = 22_590.0  # kg/m³, the densest there is
WIDE = 3.0  # times the robot's reach: what a body's own size may be
FAR = 2.0  # times the robot's reach: how far a centre of mass may be from its link's frame
UNITS = {"g m²": 3, "kg cm²": 4, "kg mm²": 6, "g cm²": 7, "g mm²": 9}  # powers of ten
USUAL = 0.1  # the radius of gyration of a body, in reaches of its robot


def check_bodies(m: Mechanism, problems: Problems) -> None:
    """Every link that has mass."""
    span = reach(m)
    extended = any(link.inertia.I_com.trace > 0 for link in m.links if link.inertia.m > 0)
    for i, link in m.outward():
        body = own_frame(m, i).X.inverse().T @ link.inertia
        if not body.m > 0:
            continue
        check_inertia(f"link {link.name!r}", link.at("inertia"), link.inertia, problems)
        if not _is_placeholder(link, body, problems):
            _check_density(link, body, problems, extended)
        if span > 0:
            _check_width(link, body, span, problems)
            _check_com(link, body, span, problems)


def radius_of_gyration(body: Inertia) -> float:
    """The root mean square distance of a body's mass from its centre."""
    return math.sqrt(max(0.0, body.I_com.trace / 2) / body.m)


def _is_placeholder(link: Link, body: Inertia, problems: Problems) -> bool:
    """The same round moment about all axes: what templates and exporters leave."""
    value = _isotropic(body.I_com, 1e-9 * body.I.trace)
    if value is None or not _is_power_of_ten(value):
        return False
    found = f"link {link.name!r}: {body.m:g} kg with the inertia {value:g} times the identity"
    if value == 1:
        problems.warning("inertia-placeholder", link.at("inertia"), f"{found}: hardly measured; "
                         "templates leave this", "compute it from the body's shape", value,
                         "about m r²/2.5 for a body of radius r")  # fmt: skip
    else:
        problems.note("inertia-placeholder", link.at("inertia"), f"{found}: hardly measured",
                      "compute it from the body's shape", value)  # fmt: skip
    return value == 1


def _isotropic(I: Sym3, noise: float) -> float | None:
    """The moment of a tensor that is a multiple of the identity, with the rounding taken off."""
    around = float(f"{I.xx:.6g}")
    slack = noise + 1e-9 * abs(around)
    same = all(abs(x - around) <= slack for x in (I.xx, I.yy, I.zz))
    return around if same and all(abs(x) <= slack for x in (I.xy, I.xz, I.yz)) else None


def _is_power_of_ten(x: float) -> bool:
    return x > 0 and f"{x:.0e}".startswith("1e") and float(f"{x:.0e}") == x


def least_inertia(mass: float) -> float:
    """tr Σ of a ball of osmium of this mass: no body has less."""
    R = (3 * mass / (4 * math.pi * OSMIUM)) ** (1 / 3)
    return 3 / 5 * mass * R * R


def _check_density(link: Link, body: Inertia, problems: Problems, extended: bool) -> None:
    spread, least = body.I_com.trace / 2, least_inertia(body.m)
    where = link.at("inertia")
    if abs(spread) <= 1e-12 * abs(body.I.trace):
        if extended:
            problems.note("inertia-zero", where, f"link {link.name!r}: {body.m:g} kg without "
                          "rotational inertia, a point mass",
                          "give its inertia, unless a point is meant", 0.0)  # fmt: skip
        return
    if spread < least * (1 - 1e-6):
        r, R = radius_of_gyration(body), math.sqrt(least / body.m)
        grams = body.m > 50 and spread >= least_inertia(body.m / 1000)
        hint = "is the mass in grams?" if grams else "check mass and inertia: kg and kg m²"
        problems.warning("inertia-dense", where, f"link {link.name!r}: {body.m:g} kg with a radius "
                         f"of gyration of {r:.3g} m would be denser than osmium (a ball of it has "
                         f"{R:.3g} m)", hint, r, f"{R:.3g} m or more")  # fmt: skip


def _check_width(link: Link, body: Inertia, span: float, problems: Problems) -> None:
    r = radius_of_gyration(body)
    if r <= WIDE * span:
        return
    unit = min(UNITS, key=lambda k: abs(math.log10(r / (USUAL * span)) - UNITS[k] / 2))
    hint = f"is it in {unit}? then divide by 1e{UNITS[unit]}" if r > 5 * span else "check units"
    problems.warning("inertia-large", link.at("inertia"), f"link {link.name!r}: its mass would lie "
                     f"{r:.3g} m from its centre (radius of gyration), yet the robot reaches "
                     f"{span:.3g} m", hint, r, f"{WIDE * span:.3g} m or less")  # fmt: skip


def _check_com(link: Link, body: Inertia, span: float, problems: Problems) -> None:
    far = length(body.com)
    if far > FAR * span:
        problems.warning("com-far", link.at("com"), f"link {link.name!r}: its centre of mass is "
                         f"{far:.3g} m from its frame, yet the robot reaches {span:.3g} m",
                         "is it in mm, or seen from another frame?", far,
                         f"{FAR * span:.3g} m or less")  # fmt: skip
