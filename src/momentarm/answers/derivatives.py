"""First derivatives of the dynamics."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking


class Derivatives(Asking):
    """Along the rates where q has quaternions; friction counts by its damping."""

    def inverse_dynamics_derivatives(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *,
                                     out: Any = None, dtype: Any = None,
                                     threads: int | None = None) -> Any:  # fmt: skip
        """(∂τ/∂q, ∂τ/∂q̇, ∂τ/∂q̈ = M), each (n, n): rows are joints' efforts, columns what moves.

        [N m/rad, N m s/rad, kg m²]. Friction counts by its damping. Where q has quaternions
        derivatives are along the rates.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> D_q, D_qd, M = arm.inverse_dynamics_derivatives([0, 0], [0, 1], [0, 0])
        >>> D_q.round(12) + 0
        array([[ 0., -1.],
               [ 0.,  0.]])
        """
        return self._run("inverse_dynamics_derivatives", (q, qd, qdd), out, dtype, threads)

    def forward_dynamics_derivatives(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, *,
                                     out: Any = None, dtype: Any = None,
                                     threads: int | None = None) -> Any:  # fmt: skip
        """(∂q̈/∂q, ∂q̈/∂q̇, ∂q̈/∂τ = M⁻¹), each (n, n): rows are accelerations, columns what moves.

        [1/s², 1/s, 1/(kg m²)]. M⁻¹ is symmetric to the bit. Where q has quaternions derivatives
        are along the rates.

        >>> import momentarm as ma
        >>> arm = ma.robots.planar_2r()
        >>> D_q, D_qd, M_inverse = arm.forward_dynamics_derivatives([0, 0], [0, 0], [29.43, 9.81])
        >>> M_inverse.round(12)
        array([[ 1., -2.],
               [-2.,  5.]])
        """
        return self._run("forward_dynamics_derivatives", (q, qd, tau), out, dtype, threads)
