"""The mass matrix inverted and in motion, and what the motion of one joint does to another."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from momentarm.answers.asking import Asking, Threads


class Coriolis(Asking):
    """Of rigid bodies; rotors count in M and M⁻¹ and, being constant, in nothing else here."""

    def mass_matrix_inverse(self, q: ArrayLike, *, out: Any = None, dtype: Any = None,
                            threads: Threads = None) -> Any:  # fmt: skip
        """M⁻¹(q) [1/(kg m²)], symmetric to the bit: accelerations per effort.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> ma.robots.planar_2r().mass_matrix_inverse([0, np.pi / 2]).round(12)
        array([[ 0.5, -0.5],
               [-0.5,  1.5]])
        """
        return self._run("mass_matrix_inverse", (q,), out, dtype, threads)

    def mass_matrix_dot(self, q: ArrayLike, qd: ArrayLike, *, out: Any = None, dtype: Any = None,
                        threads: Threads = None) -> Any:  # fmt: skip
        """Ṁ [kg m²/s], the derivative of M(q) along the motion, symmetric to the bit.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> ma.robots.planar_2r().mass_matrix_dot([0, np.pi / 2], [0, 1]).round(12)
        array([[-2., -1.],
               [-1.,  0.]])
        """
        return self._run("mass_matrix_dot", (q, qd), out, dtype, threads)

    def coriolis_matrix(self, q: ArrayLike, qd: ArrayLike, *, out: Any = None, dtype: Any = None,
                        threads: Threads = None) -> Any:  # fmt: skip
        """C(q, q̇) [kg m²/s] with C q̇ = c and Ṁ = C + Cᵀ, eq. (8.19): Ṁ − 2C is skew.

        It is Σ_k Γ_ijk q̇_k, and where q has quaternions Σ Jᵀ J̇ dm, which has both properties too.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> ma.robots.planar_2r().coriolis_matrix([0, np.pi / 2], [1, 2]).round(12) + 0
        array([[-2., -3.],
               [ 1.,  0.]])
        """
        return self._run("coriolis_matrix", (q, qd), out, dtype, threads)

    def christoffel(self, q: ArrayLike, *, out: Any = None, dtype: Any = None,
                    threads: Threads = None) -> Any:  # fmt: skip
        """Γ_ijk(q) (n, n, n) [kg m²], eq. (8.17): c_i = Σ_jk Γ_ijk q̇_j q̇_k, symmetric in j and k.

        Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i). A robot with quaternions has none.

        >>> import momentarm as ma
        >>> import numpy as np
        >>> (ma.robots.planar_2r().christoffel([0, np.pi / 2]).round(12) + 0).tolist()
        [[[0.0, -1.0], [-1.0, -1.0]], [[1.0, 0.0], [0.0, 0.0]]]
        """
        return self._run("christoffel", (q,), out, dtype, threads)
