"""Chains as Lynch and Park write them: M_list, G_list, S_list (chapters 4 and 8).

M_list   n+1 home transforms: M_list[i] is frame {i+1} in {i}; {0} is the base, {n+1} the tip
G_list   n spatial inertias 6x6 in the link frames, order (angular, linear)
S_list   (6, n): the screw axes in base coordinates at home, one per column

Rule 1  A screw need not be of unit length: its joint turns (or slides) by length · q.
Rule 2  A link frame need not be at the centre of mass: G may have off-diagonal blocks.
Rule 3  Back, link frames are at the centres of mass, along the axes that the file gave the link.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from momentarm.formats.numbers import upright
from momentarm.formats.table import given_gravity
from momentarm.model.assemble import assemble
from momentarm.model.description import (
    HERE,
    FrameDescription,
    JointDescription,
    LinkDescription,
    Pose,
    RobotDescription,
)
from momentarm.model.mechanism import BASE, Link, Mechanism
from momentarm.model.problem import Problem, Problems
from momentarm.spatial import IDENTITY, NO_TRANSFORM, Inertia, Mat3, Sym3, Transform, Vec3

Array = NDArray[np.float64]
NOISE = 1e-12  # relative; a pitch or an asymmetry below it is rounding


def from_screws(M_list: Sequence[Any], G_list: Sequence[Any], S_list: Any, *, name: str = "robot",
                gravity: Iterable[float] = (0, 0, -9.81), joint_names: Sequence[str] | None = None,
                strict: bool = False) -> tuple[Mechanism, tuple[Problem, ...]]:  # fmt: skip
    """A chain from home transforms, inertias and space screws."""
    M, G, S = _arrays(M_list, G_list, S_list)
    problems = Problems("from_screws", strict)
    names = list(joint_names or (f"joint{i + 1}" for i in range(len(G))))
    poses = [_pose(T, f"M_list[{i}]", problems) for i, T in enumerate(M)]
    links, joints = [LinkDescription("base", where="from_screws")], []
    home, axis_place = HERE, HERE  # of frame {i} in the base; of {i} from its link's axes
    for i, (spatial, screw) in enumerate(zip(G, S.T, strict=True)):
        home = home @ poses[i]
        joint, r = _joint(names[i], _in_frame(home, screw), f"S_list[:, {i}]", problems)
        placement = axis_place @ poses[i] @ Pose(p=r)
        joints.append(replace(joint, parent=links[-1].name, child=f"link{i + 1}",
                              placement=placement))  # fmt: skip
        axis_place = Pose(p=-r)
        links.append(_link(f"link{i + 1}", spatial, axis_place, f"G_list[{i}]", problems))
    tip = FrameDescription("tip", links[-1].name, axis_place @ poses[-1], "from_screws")
    down = given_gravity(gravity, "from_screws", problems)
    robot = RobotDescription(name, tuple(links), tuple(joints), (tip,), down, tip="tip",
                             where="from_screws")  # fmt: skip
    return assemble(robot, problems), problems.ordered()


def _arrays(M_list: Any, G_list: Any, S_list: Any) -> tuple[Array, Array, Array]:
    M, G, S = (np.asarray(x, dtype=float) for x in (M_list, G_list, S_list))
    n = len(G)
    for what, array, shape in (("M_list", M, (n + 1, 4, 4)), ("G_list", G, (n, 6, 6)),
                               ("S_list", S, (6, n))):  # fmt: skip
        if array.shape != shape and (n or what != "G_list"):
            hint = "; screws are its columns" if what == "S_list" else ""
            raise ValueError(f"{what}: expected shape {shape}, got {array.shape}{hint}")
        if not np.isfinite(array).all():
            raise ValueError(f"{what}: holds nan or inf; a robot's numbers are finite")
    return M, G.reshape(n, 6, 6), S


def _pose(T: Array, what: str, problems: Problems) -> Pose:
    where = f"from_screws: {what}"
    if np.abs(T[3] - (0, 0, 0, 1)).max() > 1e-9:
        problems.error("rotation", where, f"{what}: the last row is not 0 0 0 1")
    R = upright(Mat3.rows(T[:3, :3].tolist()),
                lambda m: problems.error("rotation", where, f"{what} {m}"))  # fmt: skip
    return Pose(R, Vec3(*T[:3, 3].tolist()))


def _in_frame(home: Pose, screw: Array) -> tuple[Vec3, Vec3]:
    """A base screw seen from {i}: (ω, v)."""
    w, v = Vec3(*screw[:3].tolist()), Vec3(*screw[3:].tolist())
    back = home.R.T
    return back @ w, back @ (v + w.cross(home.p))


def _joint(name: str, screw: tuple[Vec3, Vec3], what: str,
           problems: Problems) -> tuple[JointDescription, Vec3]:  # fmt: skip
    """The joint, and a place on its axis seen from {i}."""
    w, v = screw
    where = f"from_screws: {what}"
    ww, vv = w.dot(w), v.dot(v)
    if ww == 0:
        n = math.sqrt(vv)
        if n == 0:
            problems.error("axis-zero", where, f"{what}: the screw is zero", "give ω or v")
            v, n = Vec3(0, 0, 1), 1
        joint = JointDescription(name, "prismatic", "", "", axis=v * (1 / n), where=where)
        return replace(joint, ratio=_one(n)), Vec3(0.0, 0.0, 0.0)
    n = math.sqrt(ww)
    pitch = w.dot(v) / ww
    if abs(pitch) * n <= NOISE * max(math.sqrt(vv), n):
        pitch = 0.0
    joint = JointDescription(name, "helical" if pitch else "revolute", "", "",
                             axis=w * (1 / n), pitch=pitch, where=where)  # fmt: skip
    return replace(joint, ratio=_one(n)), w.cross(v) * (1 / ww)


def _one(length: float) -> float:
    return 1.0 if abs(length - 1) < NOISE else length


def _link(name: str, G: Array, place: Pose, what: str, problems: Problems) -> LinkDescription:
    """[[I, m[c]], [−m[c], m 1]] as mass, centre of mass and inertia, seen from the link's axes."""
    where = f"from_screws: {what}"
    m = float(G[3:, 3:].trace() / 3)
    first = np.array([G[2, 4], G[0, 5], G[1, 3]])  # m c, from the skew block m[c]
    skew = np.cross(np.eye(3), first)
    rigid = np.block([[G[:3, :3], skew], [-skew, m * np.eye(3)]])
    if max(np.abs(G - rigid).max(), np.abs(G - G.T).max()) > 1e-9 * np.abs(G).max():
        problems.error("inertia-form", where, f"{what} is no rigid body's: expected "
                       "[[I, m[c]], [-m[c], m 1]] with I symmetric")  # fmt: skip
        return LinkDescription(name, 0.0, where=where)
    c = first / m if m else np.zeros(3)
    I = G[:3, :3] - m * (c @ c * np.eye(3) - np.outer(c, c))
    xx, yy, zz, xy, xz, yz = (float(I[i, j]) for i, j in _SYM)
    com = (place @ Pose(p=Vec3(*c.tolist()))).p
    return LinkDescription(name, m, com, Sym3(xx, yy, zz, xy, xz, yz), frame=place, where=where)


_SYM = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def to_screws(mechanism: Mechanism) -> tuple[Array, Array, Array]:
    """(M_list, G_list, S_list) of a chain; a link on a fixed joint joins what carries it."""
    chain = _chain(mechanism)
    homes = _homes(mechanism)
    S = np.zeros((6, len(chain)))
    frames, G = [HERE], []
    for k, i in enumerate(chain):
        link = mechanism.links[i]
        body = _lumped(mechanism, i)
        S[:, k] = _screw(link, homes[i])
        named = mechanism.frames.get(link.name)
        R = named.X.R.matrix if named is not None else IDENTITY
        frames.append(homes[i] @ Pose(R, body.com))
        G.append(_spatial(body, R))
    frames.append(_tip_home(mechanism, homes, chain))
    M = [_matrix(_inverse(a) @ b) for a, b in pairwise(frames)]
    return np.array(M), np.array(G).reshape(-1, 6, 6), S


def _chain(mechanism: Mechanism) -> list[int]:
    """The moving links, base to tip; raises where they are no open chain of own coordinates."""
    chain: list[int] = []
    for i, link in enumerate(mechanism.links):
        joint = link.joint
        if not joint.nv:
            continue
        if joint.drive.joint != joint.name:
            raise ValueError(f"joint {joint.name!r} mimics {joint.drive.joint!r}: "
                             "M, G, S lists have no mimic joints")  # fmt: skip
        if joint.nv != 1:
            raise ValueError(f"joint {joint.name!r} has {joint.nv} coordinates, expected 1")
        carrier = _carrier(mechanism, link.parent)
        if carrier != (chain[-1] if chain else BASE):
            raise ValueError(f"joint {joint.name!r} starts a branch; expected a chain")
        chain.append(i)
    return chain


def _carrier(mechanism: Mechanism, i: int) -> int:
    """The moving link (or base) that link `i` is fixed to."""
    while i != BASE and not mechanism.links[i].joint.nv:
        i = mechanism.links[i].parent
    return i


def _homes(mechanism: Mechanism) -> list[Pose]:
    """Each link in the base with all coordinates zero."""
    homes: list[Pose] = []
    for link in mechanism.links:
        joint = link.joint
        q = (joint.drive.offset,) * joint.nv
        X = joint.row.at(link.placement, q) if any(q) else link.placement
        step = Pose(X.R.matrix, X.origin)
        homes.append(step if link.parent == BASE else homes[link.parent] @ step)
    return homes


def _lumped(mechanism: Mechanism, first: int) -> Inertia:
    """The inertia of a moving link and all that is fixed to it."""
    total = mechanism.links[first].inertia
    for i, link in enumerate(mechanism.links):
        if link.joint.nv or _carrier(mechanism, i) != first:
            continue
        body, at = link.inertia, i
        while at != first:
            body = mechanism.links[at].placement.T @ body
            at = mechanism.links[at].parent
        total = total + body
    return total


def _screw(link: Link, home: Pose) -> Array:
    """The joint's axis in base coordinates, times its ratio."""
    axis = link.joint.row.axes()[0] * link.joint.drive.ratio
    w = home.R @ axis.ang
    v = home.R @ axis.lin + home.p.cross(w)
    return np.array([*w, *v], dtype=float)


def _spatial(body: Inertia, R: Mat3) -> Array:
    """diag(I, m 1) about the centre of mass, in axes R of the link's frame."""
    back = np.array([list(row) for row in R.T], dtype=float)
    I = back @ np.array([list(row) for row in body.I_com.matrix], dtype=float) @ back.T
    G = np.zeros((6, 6))
    G[:3, :3], G[3:, 3:] = (I + I.T) / 2, float(body.m) * np.eye(3)
    return G


def _tip_home(mechanism: Mechanism, homes: list[Pose], chain: list[int]) -> Pose:
    tip = mechanism.frames.get(mechanism.tip or "")
    i, X = (tip.link, tip.X) if tip else (chain[-1] if chain else BASE, NO_TRANSFORM)
    return (HERE if i == BASE else homes[i]) @ _as_pose(X)


def _as_pose(X: Transform) -> Pose:
    return Pose(X.R.matrix, X.origin)


def _inverse(T: Pose) -> Pose:
    return Pose(T.R.T, -(T.R.T @ T.p))


def _matrix(T: Pose) -> list[list[float]]:
    rows = zip(T.R, T.p, strict=True)
    return [[*map(float, row), float(p)] for row, p in rows] + [[0.0, 0.0, 0.0, 1.0]]
