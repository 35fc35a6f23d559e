"""Uniform bodies by shape, each with `mass` [kg] or `density`.

Rule 1  Lengths in metres; the axis of what is round is z; the origin is the middle, for a cone and
        half a ball the middle of the flat side.
Rule 2  A density is kg/m³ for solids, kg/m² for what has no thickness, kg/m for lines.
Rule 3  What is composed is added, a hole is taken away: `cuboid(…) - cylinder(…).shifted(…)`.

>>> from momentarm import bodies
>>> bodies.cuboid(0.1, 0.2, 0.3, mass=12)
Body(mass=12, com=(0, 0, 0), inertia=(0.13, 0.1, 0.05, 0, 0, 0))
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from momentarm.body import Body
from momentarm.spatial import Vec3, shapes
from momentarm.spatial.shapes import Shape
from momentarm.twists import numbers

__all__ = [
    "cuboid",
    "cylinder",
    "ellipsoid",
    "sphere",
    "hemisphere",
    "capsule",
    "cone",
    "polyhedron",
    "plate",
    "disc",
    "tube",
    "spherical_shell",
    "rod",
    "ring",
    "point_mass",
]

Mass = float | None
VOLUME, AREA, LENGTH = "kg/m³", "kg/m²", "kg/m"


def cuboid(x: float, y: float, z: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """Edges of these lengths."""
    return _body(shapes.cuboid, {"x": x, "y": y, "z": z}, mass, density, VOLUME)


def cylinder(radius: float, length: float, inner: float = 0, *, mass: Mass = None,
             density: Mass = None) -> Body:  # fmt: skip
    """Along z; with `inner`, a tube with a thick wall."""
    sizes = {"radius": radius, "length": length}
    return _body(shapes.cylinder, sizes, mass, density, VOLUME, inner)


def ellipsoid(a: float, b: float, c: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """Semi-axes along x, y, z."""
    return _body(shapes.ellipsoid, {"a": a, "b": b, "c": c}, mass, density, VOLUME)


def sphere(radius: float, inner: float = 0, *, mass: Mass = None, density: Mass = None) -> Body:
    """A ball; with `inner`, a shell with a thick wall."""
    return _body(shapes.sphere, {"radius": radius}, mass, density, VOLUME, inner)


def hemisphere(radius: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """Half a ball, above its flat side at z = 0."""
    return _body(shapes.hemisphere, {"radius": radius}, mass, density, VOLUME)


def capsule(radius: float, length: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """A cylinder of this length along z with half a ball at either end."""
    return _body(shapes.capsule, {"radius": radius, "length": length}, mass, density, VOLUME)


def cone(radius: float, height: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """Its base at z = 0, its apex at z = height."""
    return _body(shapes.cone, {"radius": radius, "height": height}, mass, density, VOLUME)


def polyhedron(vertices: ArrayLike, faces: ArrayLike, *, mass: Mass = None,
               density: Mass = None) -> Body:  # fmt: skip
    """What triangles enclose: vertices (k, 3), and faces (f, 3) as indices of their corners.

    The surface is closed, and corners are counterclockwise as seen from outside.
    """
    points, corners = _surface(vertices, faces)
    try:
        shape = shapes.polyhedron([Vec3(*p) for p in points], corners)
    except ZeroDivisionError:
        raise ValueError("polyhedron(faces): they enclose nothing, as they are flat") from None
    if not shape.content > 0:
        raise ValueError(f"polyhedron(faces): they enclose {shape.content:.3g} m³; corners should "
                         "be counterclockwise as seen from outside")  # fmt: skip
    return _of_mass("polyhedron", shape, mass, density, VOLUME)


def plate(x: float, y: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """A thin rectangle in the plane z = 0; density in kg/m²."""
    return _body(shapes.plate, {"x": x, "y": y}, mass, density, AREA)


def disc(radius: float, inner: float = 0, *, mass: Mass = None, density: Mass = None) -> Body:
    """Thin, in the plane z = 0; density in kg/m²."""
    return _body(shapes.disc, {"radius": radius}, mass, density, AREA, inner)


def tube(radius: float, length: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """The thin wall of a cylinder along z, without lids; density in kg/m²."""
    return _body(shapes.tube, {"radius": radius, "length": length}, mass, density, AREA)


def spherical_shell(radius: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """Thin; density in kg/m²."""
    return _body(shapes.spherical_shell, {"radius": radius}, mass, density, AREA)


def rod(length: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """Thin, along z; density in kg/m."""
    return _body(shapes.rod, {"length": length}, mass, density, LENGTH)


def ring(radius: float, *, mass: Mass = None, density: Mass = None) -> Body:
    """Thin, in the plane z = 0; density in kg/m."""
    return _body(shapes.ring, {"radius": radius}, mass, density, LENGTH)


def point_mass(mass: float, at: ArrayLike = (0, 0, 0)) -> Body:
    """A mass without extent."""
    return Body(_positive("point_mass(mass)", mass, "kg")).shifted(at)


def _body(shape: Callable[..., Shape], sizes: dict[str, float], mass: Mass, density: Mass,
          unit: str, inner: float | None = None) -> Body:  # fmt: skip
    name = shape.__name__
    lengths = [_positive(f"{name}({k})", x, "m") for k, x in sizes.items()]
    if inner is not None:
        if not 0 <= inner <= lengths[0]:
            raise ValueError(f"{name}(inner): expected a radius from 0 to that of the outside, "
                             f"{lengths[0]:g} m, got {inner!r}")  # fmt: skip
        lengths.append(float(inner))
    return _of_mass(name, shape(*lengths), mass, density, unit)


def _of_mass(name: str, shape: Shape, mass: Mass, density: Mass, unit: str) -> Body:
    if (mass is None) == (density is None):
        raise TypeError(f"{name}: give either mass [kg] or density [{unit}], got "
                        f"{'neither' if mass is None else 'both'}")  # fmt: skip
    if mass is not None:
        return Body.of(shape.of_one.scaled(_positive(f"{name}(mass)", mass, "kg")))
    assert density is not None
    content = shape.content * math.pi if shape.is_round else shape.content
    if not content > 0:
        raise ValueError(f"{name}(density): the wall has no thickness, so give a mass instead")
    return Body.of(shape.of_one.scaled(_positive(f"{name}(density)", density, unit) * content))


def _positive(argument: str, given: ArrayLike, unit: str) -> float:
    number = numbers(argument, given)
    if number.ndim or not 0 < number < math.inf:
        raise ValueError(f"{argument}: expected a finite number above 0 {unit}, got {given!r}")
    return float(number)


def _surface(vertices: ArrayLike, faces: ArrayLike) -> tuple[list[list[float]], list[list[int]]]:
    """Checked: triangles that close, each edge once in either direction."""
    points, corners = np.asarray(vertices, float), np.asarray(faces)
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"polyhedron(vertices): expected (k, 3), got shape {points.shape}")
    if corners.ndim != 2 or corners.shape[1] != 3 or corners.dtype.kind not in "iu":
        raise ValueError("polyhedron(faces): expected triangles, integers of shape (f, 3), got "
                         f"{corners.dtype} of shape {corners.shape}")  # fmt: skip
    if not ((corners >= 0) & (corners < len(points))).all():
        raise ValueError(f"polyhedron(faces): expected indices from 0 to {len(points) - 1}, got "
                         f"{corners.min()} to {corners.max()}")  # fmt: skip
    edges = Counter((int(f[k]), int(f[k - 2])) for f in corners for k in range(3))
    loose = [(a, b) for (a, b), n in edges.items() if n != edges[b, a]]
    if loose:
        a, b = loose[0]
        raise ValueError(f"polyhedron(faces): the surface is open or turns over at {len(loose)} "
                         f"edges, such as that from vertex {a} to {b}")  # fmt: skip
    if not len(corners):
        raise ValueError("polyhedron(faces): there are none")
    return points.tolist(), corners.tolist()
