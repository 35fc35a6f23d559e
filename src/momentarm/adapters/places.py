"""Which joints of ours are which of another library's, by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from momentarm.model import coordinates
from momentarm.model.mechanism import Joint, Mechanism
from momentarm.model.problem import unknown


@dataclass(frozen=True, slots=True)
class Here:
    """A joint of ours: where its coordinates and rates are, or those of the joint it follows."""

    joint: Joint
    q: slice
    v: slice

    @property
    def follows(self) -> bool:
        return self.joint.drive.joint != self.joint.name

    @property
    def is_free(self) -> bool:
        return self.joint.kind == "free"


def here(m: Mechanism) -> dict[str, Here]:
    """Our joints that move, by name."""
    at_q, at_v = coordinates.places(m), coordinates.index(m)
    return {k.joint.name: Here(k.joint, _slice(at_q[i]), _slice(at_v[i]))
            for i, k in m.outward() if k.joint.nv}  # fmt: skip


def _slice(at: range) -> slice:
    return slice(at.start, at.stop)


def matched(ours: dict[str, Here], theirs: Iterable[str], library: str, free: Iterable[str],
            ignore_extra: bool) -> dict[str, Here]:  # fmt: skip
    """Our joints by the names of theirs; the only free joint of each side may be called anything.

    Joints that lead here must all be there; those that are there alone are an error, if not to be
    ignored.
    """
    theirs, roots = list(theirs), [name for name in free if name not in ours]
    found = {name: ours[name] for name in theirs if name in ours}
    bases = [name for name, joint in ours.items() if joint.is_free and name not in theirs]
    if len(roots) == len(bases) == 1:
        found[roots[0]] = ours[bases[0]]
    used = {joint.joint.name for joint in found.values()}
    missing = [name for name, joint in ours.items() if not joint.follows and name not in used]
    extra = [name for name in theirs if name not in found]
    if missing or (extra and not ignore_extra):
        said = [f"not in the {library} model: {', '.join(missing)}"] * bool(missing)
        said += [f"only there: {', '.join(extra)}"] * bool(extra)
        hint = f" ({unknown('joint', missing[0], theirs)})" if missing and theirs else ""
        hint = hint or (" (ignore_extra=True leaves these at home)" if not missing else "")
        raise ValueError(f"order_for: the joints differ; {'; '.join(said)}{hint}")
    return found
