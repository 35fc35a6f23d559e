"""MJCF, MuJoCo's own language, as MuJoCo itself understands it: pip install momentarm[mujoco].

Rule 1  MuJoCo resolves defaults, frames, angles and inertias; we read the model that it compiles.
Rule 2  Meshes are read only where a body has no inertia but theirs; pictures never.
Rule 3  What is not carried over is a warning (`mujoco_model`), what cannot be read an error.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from typing import Any

from momentarm.formats.includes import Folder, Whole, whole
from momentarm.formats.mujoco_model import WORLD, description
from momentarm.formats.xml import Element, check_expanded, parse
from momentarm.model.assemble import assemble
from momentarm.model.description import RobotDescription
from momentarm.model.mechanism import Mechanism
from momentarm.model.problem import Problem, Problems

PICTURES = ("materials", "textures", "skins", "flexes", "hfields")
NAN = re.compile(r"(?i)(?<!\S)[+-]?nan(?!\S)")
MAY_NAME_FILES = ("mesh", "texture", "hfield", "skin")


def describe(
    text: str | bytes, problems: Problems, *, snap_angles: bool = False
) -> RobotDescription:
    """What an MJCF file says."""
    root = parse(text, problems)
    check_expanded(root, problems)
    if root.tag != "mujoco":
        part = root.tag == "mujocoinclude"
        hint = "this is a part; load the file that includes it" if part else ""
        problems.stop("root", root.where, f"the root is <{root.tag[:40]}>, not <mujoco>", hint)
    mujoco = _library(problems, root.where)
    folder = Folder(problems.file)
    source = whole(root, folder, problems)
    _check_safe(source, problems)
    spec = _told(problems, source, lambda: mujoco.MjSpec.from_string(source.text))
    _note_flexes(spec, source, problems)
    _without_pictures(mujoco, spec, source, folder, problems)
    model = _told(problems, source, spec.compile)
    places = {(kind, thing.id): _place(thing, source) for kind, things in (
        ("body", spec.bodies), ("joint", spec.joints), ("site", spec.sites),
        ("equality", spec.equalities), ("tendon", spec.tendons)) for thing in things}  # fmt: skip
    name = root.attributes.get("model", "robot")
    where = lambda kind, id: places.get((kind, id), root.where)
    return description(mujoco, model, name, problems, where, snap_angles=snap_angles)


def from_mujoco(model: Any, *, name: str | None = None,
                strict: bool = False) -> tuple[Mechanism, tuple[Problem, ...]]:  # fmt: skip
    """The mechanism of a compiled `mujoco.MjModel`."""
    problems = Problems("from_mujoco", strict)
    mujoco = _library(problems, "from_mujoco")
    if not isinstance(model, mujoco.MjModel):
        raise TypeError(f"from_mujoco(model): expected a mujoco.MjModel, got {type(model)}")
    name = name or bytes(model.names).split(b"\0")[0].decode() or "robot"
    said = description(mujoco, model, name, problems, lambda kind, id: f"from_mujoco: {kind} {id}")
    return assemble(said, problems), problems.ordered()


def _library(problems: Problems, where: str) -> Any:
    try:
        import mujoco
    except ImportError:
        problems.stop("mujoco-missing", where, "MJCF is read with the package mujoco, which is not "
                      "installed", "pip install momentarm[mujoco]")  # fmt: skip
    return mujoco


def _check_safe(source: Whole, problems: Problems) -> None:
    """Refuse elements by which MuJoCo would open files, and nan, of which it would write a log."""
    for element in source.elements:
        what = f"<{element.tag[:40]}"
        if "file" in element.attributes and element.tag not in MAY_NAME_FILES:
            problems.error("include", element.where, f"{what} file=...> is not read",
                           "write what the file holds in its place")  # fmt: skip
        for name, value in element.attributes.items():
            if NAN.search(value):
                problems.error("number", element.where, f"{what}> {name}: {value[:40]!r} holds nan",
                               "a robot's numbers are finite")  # fmt: skip
    problems.raise_errors()


def _told(problems: Problems, source: Whole, make: Callable[[], Any]) -> Any:
    """What MuJoCo makes, or its complaint with our place; what it warns of is a warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            made = make()
        except Exception as e:  # MuJoCo raises ValueError and its own kinds
            place, said = _said(str(e), source)
            problems.stop("mujoco", place, f"MuJoCo refuses it: {said}")
    for warning in caught:
        place, said = _said(str(warning.message), source)
        problems.warning("mujoco-says", place, f"MuJoCo: {said}")
    return made


def _said(text: str, source: Whole) -> tuple[str, str]:
    """A message of MuJoCo's, and our place for the line that it names."""
    said = " ".join(text.removeprefix("Error: ").split())
    line = re.search(r",? ?\(?line (\d+)(?:, column -?\d+)?\)?", said)
    if line:
        said = said.replace(line[0], "")
    return source.place(int(line[1]) if line else 1), said[:300].rstrip(" :,")


def _place(thing: Any, source: Whole) -> str:
    line = re.search(r"\d+", thing.info)
    return source.place(int(line[0]) if line else 1)


def _note_flexes(spec: Any, source: Whole, problems: Problems) -> None:
    if spec.flexes:
        problems.warning("flex-ignored", _place(spec.flexes[0], source), f"{len(spec.flexes)} flex "
                         "not read: its points move without elasticity")  # fmt: skip


def _without_pictures(mujoco: Any, spec: Any, source: Whole, folder: Folder,
                      problems: Problems) -> None:  # fmt: skip
    """Take out all that opens files, but meshes that give a body its inertia."""
    meshes = {mesh.name or _stem(mesh.file): mesh for mesh in spec.meshes}
    kept: set[str] = set()
    for body in spec.bodies:
        shapes = _shaping(mujoco, body)
        for geom in body.geoms:
            geom.material = ""
            if geom.meshname in meshes and shapes(geom):
                kept.add(geom.meshname)
            elif geom.meshname or geom.hfieldname:
                geom.type, geom.size = mujoco.mjtGeom.mjGEOM_SPHERE, [1, 0, 0]
                geom.meshname = geom.hfieldname = ""
                geom.mass = 0
    for thing in (*spec.sites, *spec.tendons, *spec.meshes):
        thing.material = ""
    for k, (name, mesh) in enumerate(meshes.items()):
        if name in kept and mesh.file:
            content = _mesh(spec, mesh, source, folder, problems)
            mesh.name, mesh.file = name, f"{k}-{_bare(mesh.file)}"
            spec.assets = {**spec.assets, mesh.file: content}  # which are told apart by file name
        elif name not in kept:
            spec.delete(mesh)
    elastic = [e for e in spec.equalities if "FLEX" in mujoco.mjtEq(e.type).name]
    for thing in (*elastic, *(x for kind in PICTURES for x in getattr(spec, kind))):
        spec.delete(thing)
    spec.compiler.fusestatic = spec.compiler.discardvisual = False  # every body keeps its name
    spec.compiler.LRopt.mode = 0


def _shaping(mujoco: Any, body: Any) -> Callable[[Any], bool]:
    """Which geometries MuJoCo infers the inertia of a body from."""
    rule, (low, high) = body.compiler.inertiafromgeom, body.compiler.inertiagrouprange
    never, always = (getattr(mujoco.mjtInertiaFromGeom, f"mjINERTIAFROMGEOM_{word}")
                     for word in ("FALSE", "TRUE"))  # fmt: skip
    if body.name == WORLD or rule == never or (body.explicitinertial and rule != always):
        return lambda geom: False
    return lambda geom: low <= geom.group <= high and not (
        geom.mass == 0 or (math.isnan(geom.mass) and geom.density == 0))  # fmt: skip


def _mesh(spec: Any, mesh: Any, source: Whole, folder: Folder, problems: Problems) -> bytes:
    """The bytes of a mesh."""
    file = _bare(mesh.file) if spec.strippath else mesh.file
    path = f"{spec.meshdir}/{file}" if spec.meshdir else file
    element = Element("mesh", {}, _place(mesh, source))
    try:
        _, content = folder.content(path, "", element, Problems(problems.file))
    except ValueError as refused:
        (problem,) = refused.problems  # type: ignore[attr-defined]
        problems.stop("mesh-missing", problem.where, f"{problem.message}; bodies without <inertial>"
                      " take their inertia from it", "put it there, or give each of these bodies "
                      "an <inertial>")  # fmt: skip
    return content


def _bare(file: str) -> str:
    """A file's name without its folders."""
    return re.split(r"[/\\]", file)[-1]


def _stem(file: str) -> str:
    return re.sub(r"\.[^.]*$", "", _bare(file))
