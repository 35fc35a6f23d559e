"""Twists and wrenches at the user's edge: six numbers, (angular, linear) and (moment, force).

Rule 1  They are frozen values, and arrays where arrays are wanted: `np.asarray(V)`. Their numbers
        are floats, or expressions inside `ma.kernel`.
Rule 2  A twist and a wrench never stand in each other's place; their product `V @ F` is power.
Rule 3  A pose T_ab is frame b as seen from frame a, 4x4. `moved(T_ab)` takes what is given in b
        to a, `seen_from(T_ab)` what is given in a to b: twists, wrenches and bodies alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from momentarm.graph.expr import Expr
from momentarm.spatial import Force, Mat3, Matrix, Motion, Rotation, Transform, Vec3

Array = NDArray[np.float64]
SQUARE = 1e-6  # how far from orthonormal the axes of a pose may be
ORDER = {"Twist": "angular first, then linear", "Wrench": "moment first, then force"}


@dataclass(frozen=True, slots=True, init=False, repr=False)
class _SixNumbers:
    """What twists and wrenches have in common."""

    spatial: Any  # the Motion or the Force of `momentarm.spatial`
    names: ClassVar[tuple[str, str]]
    __array_priority__: ClassVar[float] = 1  # arrays and NumPy's numbers leave * and @ to us

    @classmethod
    def of(cls, six: ArrayLike) -> Self:
        """From six numbers in this order."""
        return cls._from(_six(cls, f"{cls.__name__}.of(six)", six))

    @classmethod
    def _from(cls, spatial: Any) -> Self:
        made = object.__new__(cls)
        object.__setattr__(made, "spatial", spatial)
        return made

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError(f"a {type(self).__name__} holds no array: it can only be copied")
        return np.array([*self.spatial], dtype)

    def __repr__(self) -> str:
        (first, second), six = self.names, self.spatial
        return f"{type(self).__name__}({first}={_shown(six.ang)}, {second}={_shown(six.lin)})"

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return self._from(self.spatial + other.spatial)

    def __sub__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        return self._from(self.spatial - other.spatial)

    def __neg__(self) -> Self:
        return self._from(-self.spatial)

    def __mul__(self, k: float) -> Self:
        return self._from(self.spatial * k) if np.ndim(k) == 0 else NotImplemented

    __rmul__ = __mul__

    def __rmatmul__(self, A: ArrayLike) -> Array:
        """A matrix times the six numbers."""
        return np.asarray(np.asarray(A) @ np.asarray(self))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Twist(_SixNumbers):
    """Angular velocity [rad/s] and velocity of the frame's origin [m/s], or their rates.

    >>> import momentarm as ma
    >>> V = ma.Twist(angular=[0, 0, 2], linear=[1, 0, 0])
    >>> V @ ma.Wrench(moment=[0, 0, 5], force=[3, 0, 0])  # power [W]
    13.0
    >>> V.bracket(ma.Twist([1, 0, 0]))
    Twist(angular=(0, 2, 0), linear=(0, 0, 0))
    """

    names = "angular", "linear"

    def __init__(self, angular: ArrayLike = (0, 0, 0), linear: ArrayLike = (0, 0, 0)) -> None:
        parts = three("Twist(angular)", angular), three("Twist(linear)", linear)
        object.__setattr__(self, "spatial", Motion(*parts))

    @property
    def angular(self) -> Array:
        """ω [rad/s]."""
        return np.array([*self.spatial.ang])

    @property
    def linear(self) -> Array:
        """v, the velocity of the frame's origin [m/s]."""
        return np.array([*self.spatial.lin])

    @property
    def ad(self) -> Array:
        """[ad_V] = [[[ω], 0], [[v], [ω]]], eq. (8.38); adᵀ_V F is `V.ad.T @ F`, eq. (8.39)."""
        columns = (self.spatial.cross(Motion.of(e)) for e in np.eye(6).tolist())
        return np.array([[*column] for column in columns]).T

    def bracket(self, other: Twist) -> Twist:
        """The Lie bracket ad_V W, eq. (8.37)."""
        return Twist._from(self.spatial.cross(motion("bracket(other)", other)))

    def __matmul__(self, F: Wrench) -> float:
        """Power [W]."""
        return self.spatial.dot(F.spatial) if isinstance(F, Wrench) else NotImplemented

    def moved(self, T_ab: ArrayLike) -> Twist:
        """Given in b, seen from a: V_a = Ad(T_ab) V_b."""
        return Twist._from(inverse(pose("moved(T_ab)", T_ab)) @ self.spatial)

    def seen_from(self, T_ab: ArrayLike) -> Twist:
        """Given in a, seen from b: V_b = Ad(T_ba) V_a."""
        return Twist._from(pose("seen_from(T_ab)", T_ab) @ self.spatial)


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Wrench(_SixNumbers):
    """Moment about the frame's origin [N m] and force [N], or momenta.

    >>> import momentarm as ma
    >>> push = ma.Wrench(force=[0, 0, -10])  # what the tip does to its surroundings
    >>> arm = ma.robots.panda()
    >>> arm.tip_forces(arm.q_home, push).shape
    (7,)
    """

    names = "moment", "force"

    def __init__(self, moment: ArrayLike = (0, 0, 0), force: ArrayLike = (0, 0, 0)) -> None:
        parts = three("Wrench(moment)", moment), three("Wrench(force)", force)
        object.__setattr__(self, "spatial", Force(*parts))

    @property
    def moment(self) -> Array:
        """About the frame's origin [N m]."""
        return np.array([*self.spatial.ang])

    @property
    def force(self) -> Array:
        """[N]"""
        return np.array([*self.spatial.lin])

    def moved(self, T_ab: ArrayLike) -> Wrench:
        """Given in b, seen from a: F_a = Ad(T_ba)ᵀ F_b."""
        return Wrench._from(pose("moved(T_ab)", T_ab).T @ self.spatial)

    def seen_from(self, T_ab: ArrayLike) -> Wrench:
        """Given in a, seen from b: F_b = Ad(T_ab)ᵀ F_a."""
        return Wrench._from(inverse(pose("seen_from(T_ab)", T_ab)).T @ self.spatial)


def adjoint(T_ab: ArrayLike) -> Array:
    """[Ad(T_ab)] = [[R, 0], [[p] R, R]], which carries twists given in b to a.

    >>> import numpy as np
    >>> import momentarm as ma
    >>> T = np.eye(4)
    >>> T[:3, 3] = 0, 2, 0
    >>> ma.adjoint(T) @ ma.Twist([0, 0, 1])  # a turn about an axis two metres off
    array([0., 0., 1., 2., 0., 0.])
    """
    X = inverse(pose("adjoint(T_ab)", T_ab))
    return np.array([[*(X @ Motion.of(e))] for e in np.eye(6).tolist()]).T


# -- what is given as arrays


def three(argument: str, given: ArrayLike) -> Vec3:
    """Three numbers as a vector."""
    v = scalars(argument, given)
    if v.shape != (3,):
        raise ValueError(f"{argument}: expected three numbers (x, y, z), got {given!r}")
    return Vec3(*v.tolist())


def motion(argument: str, given: Twist | ArrayLike) -> Motion:
    """A twist, or six numbers, as a Motion."""
    value: Motion = _of_kind(Twist, argument, given)
    return value


def force(argument: str, given: Wrench | ArrayLike) -> Force:
    """A wrench, or six numbers, as a Force."""
    value: Force = _of_kind(Wrench, argument, given)
    return value


def no_twist(argument: str, given: Any) -> Any:
    """What is given for a wrench, which only a Twist cannot be."""
    if isinstance(given, Twist):
        raise TypeError(f"{argument}: expected a Wrench or six numbers, got {given!r}")
    return given


def rotation(argument: str, given: ArrayLike) -> Mat3:
    """A rotation matrix."""
    R = scalars(argument, given)
    if R.shape != (3, 3):
        raise ValueError(f"{argument}: expected a rotation matrix (3, 3), got shape {R.shape}")
    matrix = Mat3.rows(R.tolist())
    if R.dtype == object:  # expressions: nothing is known of them
        return matrix
    volume = matrix.cx.cross(matrix.cy).dot(matrix.cz)
    if np.abs(R.T @ R - np.eye(3)).max() > SQUARE or volume < 0:  # NaN is neither
        raise ValueError(f"{argument}: a rotation has right-handed orthogonal columns of length "
                         f"1, within {SQUARE:g}; got {R.tolist()}")  # fmt: skip
    return matrix


def pose(argument: str, given: ArrayLike) -> Transform:
    """X_ba of the pose T_ab."""
    T = scalars(argument, given)
    if T.shape != (4, 4):
        raise ValueError(f"{argument}: expected a pose [[R, p], [0, 1]], (4, 4), got {T.shape}")
    if T.dtype != object and T[3].tolist() != [0, 0, 0, 1]:
        raise ValueError(f"{argument}: the last row of a pose is 0 0 0 1, got {T[3].tolist()}")
    return _placed(rotation(argument, T[:3, :3]), Vec3(*T[:3, 3].tolist()))


def inverse(X: Transform) -> Transform:
    """X_ab of X_ba."""
    R = X.R.matrix.T
    return _placed(R, -(R @ X.p))


def _placed(R: Mat3, p: Vec3) -> Transform:
    """A pose without asking whether it turns at all, which expressions do not know."""
    return Transform(Rotation((Matrix(R),)), p)


def numbers(argument: str, given: ArrayLike) -> Array:
    """An array of floats; None would be NaN, and text and truth values are no numbers."""
    try:
        a = np.asarray(given)
        if a.dtype.kind in "iuf" or (a.dtype.kind == "O" and None not in a.ravel().tolist()):
            return a.astype(float)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"{argument}: expected numbers, got {given!r}")


def scalars(argument: str, given: ArrayLike) -> Any:
    """An array of floats, or of objects where some are expressions."""
    try:
        return numbers(argument, given)
    except TypeError:
        objects = np.array(given, object)
        if any(isinstance(x, Expr) for x in objects.ravel().tolist()):
            return objects
        raise


def _of_kind(kind: type[_SixNumbers], argument: str, given: Any) -> Any:
    if isinstance(given, _SixNumbers) and not isinstance(given, kind):
        raise TypeError(f"{argument}: expected a {kind.__name__} or six numbers, got {given!r}")
    return given.spatial if isinstance(given, kind) else _six(kind, argument, given)


def _six(kind: type[_SixNumbers], argument: str, given: ArrayLike) -> Any:
    six = scalars(argument, given)
    if six.shape != (6,):
        raise ValueError(f"{argument}: expected six numbers, {ORDER[kind.__name__]}, got shape "
                         f"{six.shape}")  # fmt: skip
    return (Motion if kind is Twist else Force).of(six.tolist())


def _shown(v: Vec3) -> str:
    return f"({', '.join(f'{x:.10g}' if isinstance(x, float) else str(x) for x in v)})"
