"""Momentum and centre of mass."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking, Threads


class Momenta(Asking):
    """Of all links that move, without the base and what is fixed to it, in world axes."""

    def momentum(self, q: ArrayLike, qd: ArrayLike, *, out: Any = None, dtype: Any = None,
                 threads: Threads = None) -> Any:  # fmt: skip
        """(angular, linear) momentum about the world's origin [kg m²/s, kg m/s], eq. (8.31).

        >>> import momentarm as ma
        >>> ma.robots.planar_2r().momentum([0, 0], [1, 0])
        array([0., 0., 5., 0., 3., 0.])
        """
        return self._run("momentum", (q, qd), out, dtype, threads)

    def center_of_mass(self, q: ArrayLike, *, out: Any = None, dtype: Any = None,
                       threads: Threads = None) -> Any:  # fmt: skip
        """Where the centre of mass is in the world (3,) [m].

        >>> import momentarm as ma
        >>> ma.robots.planar_2r().center_of_mass([0, 0])
        array([1.5, 0. , 0. ])
        """
        return self._run("center_of_mass", (q,), out, dtype, threads)

    def center_of_mass_velocity(self, q: ArrayLike, qd: ArrayLike, *, out: Any = None,
                                dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """How fast the centre of mass moves (3,) [m/s]."""
        return self._run("center_of_mass_velocity", (q, qd), out, dtype, threads)

    def center_of_mass_jacobian(self, q: ArrayLike, *, out: Any = None, dtype: Any = None,
                                threads: Threads = None) -> Any:  # fmt: skip
        """J (3, n) [m] with `center_of_mass_velocity` = J q̇.

        >>> import momentarm as ma
        >>> ma.robots.planar_2r().center_of_mass_jacobian([0, 0])[1]
        array([1.5, 0.5])
        """
        return self._run("center_of_mass_jacobian", (q,), out, dtype, threads)

    def centroidal_momentum_matrix(self, q: ArrayLike, *, out: Any = None, dtype: Any = None,
                                   threads: Threads = None) -> Any:  # fmt: skip
        """A (6, n) [kg m², kg m]: A q̇ is the (angular, linear) momentum about the centre of mass.

        >>> import momentarm as ma
        >>> ma.robots.planar_2r().centroidal_momentum_matrix([0, 0])[[2, 4]]
        array([[0.5, 0.5],
               [3. , 1. ]])
        """
        return self._run("centroidal_momentum_matrix", (q,), out, dtype, threads)

    def centroidal_momentum_bias(self, q: ArrayLike, qd: ArrayLike, *, out: Any = None,
                                 dtype: Any = None, threads: Threads = None) -> Any:  # fmt: skip
        """Ȧ q̇ (6,) [N m, N]: the rate of the momentum about the centre of mass is A q̈ + Ȧ q̇.

        >>> import momentarm as ma
        >>> ma.robots.planar_2r().centroidal_momentum_bias([0, 0], [1, 0])[3:] + 0
        array([-3.,  0.,  0.])
        """
        return self._run("centroidal_momentum_bias", (q, qd), out, dtype, threads)
