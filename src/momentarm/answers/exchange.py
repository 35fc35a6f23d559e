"""The same state in the words of others: Pinocchio's and MuJoCo's vectors, ROS joint states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking

if TYPE_CHECKING:  # imported when another library's words are needed
    from momentarm.adapters.joint_state import JointState, State
    from momentarm.adapters.order import Order


class Exchange(Asking):
    """Joints are matched by name, never by place."""

    def order_for(self, model: Any, *, ignore_extra: bool = False) -> Order:
        """Vectors to and from the order and frames of a `pinocchio.Model` or `mujoco.MjModel`.

        Joints that only the model has are an error; with `ignore_extra` they stay at home. A free
        joint may be called differently on both sides if each has only one.
        """
        if hasattr(model, "jointPlacements"):
            from momentarm.adapters.pinocchio import pinocchio_order

            return pinocchio_order(self.mechanism, model, ignore_extra)
        if hasattr(model, "jnt_qposadr"):
            from momentarm.adapters.mujoco import mujoco_order

            return mujoco_order(self.mechanism, model, ignore_extra)
        raise TypeError("order_for(model): expected a pinocchio.Model or a mujoco.MjModel, got "
                        f"{type(model)}")  # fmt: skip

    def from_joint_state(self, message: Any, position: ArrayLike | None = None,
                         velocity: ArrayLike | None = None, effort: ArrayLike | None = None, *,
                         rest: Sequence[ArrayLike | None] | None = None,
                         ignore_extra: bool = False,
                         mimic_tolerance: float | None = 1e-3) -> State:  # fmt: skip
        """(q, qd, tau) from a joint state: a message, or names and (…, names) arrays, in any order.

        `rest` (q, qd, tau) says what the message does not name. Positions of joints that follow
        others must fit to `mimic_tolerance` [rad, m], and their efforts are passed on; with None
        they are not read.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> arm.from_joint_state(["joint2", "joint1"], [0.5, 0.1]).q
        array([0.1, 0.5])
        """
        from momentarm.adapters import joint_state

        return joint_state.read(self.mechanism, message, (position, velocity, effort), rest,
                                ignore_extra, mimic_tolerance)  # fmt: skip

    def to_joint_state(self, q: ArrayLike | None = None, qd: ArrayLike | None = None,
                       tau: ArrayLike | None = None, *,
                       names: Sequence[str] | None = None) -> JointState:  # fmt: skip
        """The joint state of these vectors: all joints of one coordinate, those that follow others
        included, or the joints of these names in this order.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> arm.to_joint_state([0.1, 0.5], names=["joint2", "joint1"]).position
        array([0.5, 0.1])
        """
        from momentarm.adapters import joint_state

        return joint_state.written(self.mechanism, q, qd, tau, names)
