"""What a compiled MuJoCo model has and a tree of rigid bodies has not, as warnings.

Rule 1  What changes the motion of free bodies and joints gets a warning of its own that names it.
Rule 2  What acts from outside (contacts, actuators, limits of tendons) is one warning in all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from momentarm.model.problem import Problems, listed

Where = Callable[[str, int], str]
SHOWN = 6


def on(mujoco: Any, model: Any, term: str) -> bool:
    """Whether a term of MuJoCo's dynamics is not disabled."""
    flags = mujoco.mjtDisableBit
    names = [f"mjDSBL_{term}"] + ["mjDSBL_PASSIVE"] * (term in ("SPRING", "DAMPER"))
    return not any(model.opt.disableflags & int(getattr(flags, name, 0)) for name in names)


def joint_of(mujoco: Any, m: Any, i: int) -> int | None:
    """The joint of one freedom that an actuator drives directly, if it does."""
    kinds, single = mujoco.mjtTrn, (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
    direct = (int(kinds.mjTRN_JOINT), int(kinds.mjTRN_JOINTINPARENT))
    j = int(m.actuator_trnid[i][0])
    if int(m.actuator_trntype[i]) not in direct or int(m.jnt_type[j]) not in map(int, single):
        return None
    return j


def note_leftovers(mujoco: Any, m: Any, problems: Problems, where: Where) -> None:
    """Warn of all that the description leaves out."""
    _note_springs(mujoco, m, problems, where)
    _note_damping(mujoco, m, problems, where)
    _note_tendons(m, problems, where)
    floating = [b for b in range(m.nbody) if m.body_gravcomp[b]]
    if floating and on(mujoco, m, "GRAVITY"):
        problems.warning("gravcomp-ignored", where("body", floating[0]), "gravity compensation of "
                         f"{_listed(m.body(b).name for b in floating)} is not carried over",
                         "add it to the efforts, or load without gravity")  # fmt: skip
    if m.opt.density or m.opt.viscosity:
        problems.warning("fluid-ignored", where("model", 0), f"a fluid of density "
                         f"{m.opt.density:g} and viscosity {m.opt.viscosity:g} is not carried "
                         "over: no drag, no lift")  # fmt: skip
    _note_outside(mujoco, m, problems, where)


def _note_springs(mujoco: Any, m: Any, problems: Problems, where: Where) -> None:
    sprung = [j for j in range(m.njnt) if m.jnt_stiffness[j] or _any(m, "jnt_stiffnesspoly", j)]
    if sprung and on(mujoco, m, "SPRING"):
        said = (f"{m.joint(j).name} ({m.jnt_stiffness[j]:g} about "
                f"{m.qpos_spring[m.jnt_qposadr[j]]:g})" for j in sprung)  # fmt: skip
        problems.warning("spring-ignored", where("joint", sprung[0]), f"springs of joints "
                         f"{_listed(said)} are not carried over",
                         "add -stiffness * (q - springref) to the efforts")  # fmt: skip


def _note_damping(mujoco: Any, m: Any, problems: Problems, where: Where) -> None:
    curved = [d for d in range(m.nv) if _any(m, "dof_dampingpoly", d)]
    if curved and on(mujoco, m, "DAMPER"):
        joints = [int(m.dof_jntid[d]) for d in curved]
        problems.warning("damping-ignored", where("joint", joints[0]), "of the damping of joints "
                         f"{_listed(m.joint(j).name for j in dict.fromkeys(joints))} only the "
                         "linear term is carried over")  # fmt: skip


def _note_tendons(m: Any, problems: Problems, where: Where) -> None:
    terms = ("stiffness", "damping", "frictionloss", "armature")
    for t in range(m.ntendon):
        found = {term: float(getattr(m, f"tendon_{term}")[t]) for term in terms
                 if hasattr(m, f"tendon_{term}") and getattr(m, f"tendon_{term}")[t]}  # fmt: skip
        if found:
            said = ", ".join(f"{term} {value:g}" for term, value in found.items())
            problems.warning("tendon-ignored", where("tendon", t), f"tendon "
                             f"{m.tendon(t).name or t}: {said} not carried over")  # fmt: skip


def _note_outside(mujoco: Any, m: Any, problems: Problems, where: Where) -> None:
    """What the user of a dynamics library applies or simulates outside of it."""
    lost = [i for i in range(m.nu) if _any(m, "actuator_dampingpoly", i) or (
            joint_of(mujoco, m, i) is None
            and (_any(m, "actuator_armature", i) or _any(m, "actuator_damping", i)))]  # fmt: skip
    if lost:
        problems.warning("actuator-ignored", where("actuator", lost[0]), "armature and damping of "
                         f"actuators {_listed(m.actuator(i).name for i in lost)} are not carried "
                         "over but for linear terms on a joint", "give them to joints")  # fmt: skip
    collide = bool((m.geom_contype | m.geom_conaffinity).any()) and on(mujoco, m, "CONTACT")
    counts = {"actuators": m.nu, "tendons": m.ntendon, "mocap bodies": m.nmocap}
    parts = ["contacts"] * (collide or m.npair > 0)
    parts += [f"{count} {what}" for what, count in counts.items() if count]
    if parts:
        problems.warning("ignored", where("model", 0), f"{', '.join(parts)}: not carried over; "
                         "this is the free motion of the bodies")  # fmt: skip


def _any(m: Any, name: str, i: int) -> bool:
    """Whether a field that newer versions of MuJoCo have is not zero there."""
    return hasattr(m, name) and bool(getattr(m, name)[i].any())


def _listed(names: Iterable[str]) -> str:
    return listed((name or "(unnamed)" for name in names), SHOWN)
