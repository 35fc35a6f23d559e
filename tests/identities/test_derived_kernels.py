"""Kernels of derivatives obey the laws of mechanics, and are what jets of the algorithms say."""

from fractions import Fraction
from math import cos, sin

import numpy as np
import pytest

import momentarm as ma
from identities.jets import DELTA, EPSILON, moved, part, unit
from momentarm.algorithms import energy, newton_euler
from momentarm.model import coordinates
from momentarm.spatial import Angle
from trees import FAMILIES, MATRIX, TURNING, element_names, in_floats

every_family = pytest.mark.parametrize("family", FAMILIES)
holonomic = pytest.mark.parametrize("family", [k for k in FAMILIES if "freed" not in k])
PLAIN = [k for k in FAMILIES if not any(x in k for x in ("freed", "coupled", "shifted"))]
plain = pytest.mark.parametrize("family", PLAIN)
freed = pytest.mark.parametrize("family", [k for k in FAMILIES if "freed" in k])


def robot(family):
    return ma.Robot(in_floats(MATRIX[f"{family}_1"]))


def states(arm, count=5):
    rng = np.random.default_rng(arm.n)
    return rng.uniform(-2, 2, (count, arm.nq)), *rng.uniform(-2, 2, (3, count, arm.n))


def close(found, expected, tolerance=1e-10):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    size = np.abs(expected).max(initial=1.0)
    return np.abs(found - expected).max(initial=0.0) <= tolerance * size


def as_fractions(m, q):
    """Coordinates as jets want them: angles with their sines and cosines."""
    names = element_names(m, "q_names")
    return [Angle(*map(Fraction, (x, sin(x), cos(x)))) if joint.kind in TURNING else Fraction(x)
            for x, (joint, _) in zip(q.tolist(), names, strict=True)]  # fmt: skip


def floats(x):
    return [floats(y) for y in x] if isinstance(x, list) else float(x)


@every_family
def test_curvature_of_kinetic_energy_is_the_mass_matrix(family):
    """∂²T/∂q̇∂q̇ is M of composite bodies, rotors counted in both, and symmetric to the bit."""
    arm = robot(family)
    q, qd, _, _ = states(arm)
    H = arm.kernel("kinetic_energy").derivative("qd", "qd")(q, qd)
    assert close(H, arm.mass_matrix(q))
    assert (H.swapaxes(-1, -2) == H).all()


@every_family
def test_slope_of_potential_energy_holds_the_robot(family):
    """∂V/∂q, along the rates where q has quaternions, is the effort against gravity."""
    arm = robot(family)
    q = states(arm)[0]
    value, slope = arm.kernel("potential_energy").derivative("q", values=True)(q)
    assert close(slope, arm.gravity_forces(q))
    assert close(value, arm.potential_energy(q))


@every_family
def test_efforts_change_with_bodies_as_the_regressor_says(family):
    """∂τ/∂φ of inverse dynamics with φ for an argument is the regressor's Y, at any φ."""
    arm = robot(family)
    state = states(arm)[:3]
    kernel = arm.kernel("inverse_dynamics", parametric="inertia").derivative("inertia")
    Y = arm.regressor(*state)
    assert close(kernel(*state, arm.parameters()), Y)
    assert close(kernel(*state, 2 + 0 * arm.parameters()), Y)


@every_family
def test_forward_dynamics_undoes_inverse_dynamics_in_their_slopes(family):
    """M ∂q̈/∂q = −∂τ/∂q and M ∂q̈/∂q̇ = −∂τ/∂q̇, the kernels of the two dynamics derived apart."""
    arm = robot(family)
    q, qd, _, tau = states(arm)
    qdd = arm.forward_dynamics(q, qd, tau)
    M = arm.mass_matrix(q)
    for by in ("q", "qd"):
        back = arm.kernel("forward_dynamics").derivative(by)(q, qd, tau)
        there = arm.kernel("inverse_dynamics").derivative(by)(q, qd, qdd)
        assert close(M @ back, -there, 1e-8)


@plain
def test_second_derivatives_of_efforts_are_those_of_jets(family):
    """∂²τ/∂q∂q is the mixed part of Newton–Euler on q + ε + δ, and symmetric to the bit."""
    arm, m = robot(family), MATRIX[f"{family}_1"]
    q, qd, qdd = (x[0] for x in states(arm)[:3])
    H = arm.kernel("inverse_dynamics").derivative("q", "q")(q, qd, qdd)
    assert (H.swapaxes(-1, -2) == H).all()
    at, rates = as_fractions(m, q), [[Fraction(x) for x in v.tolist()] for v in (qd, qdd)]
    for i in range(m.n):
        for j in range(i + 1):
            both = zip(unit(m.n, i, EPSILON), unit(m.n, j, DELTA), strict=True)
            tau = newton_euler.inverse_dynamics(m, moved(at, [a + b for a, b in both]), *rates)
            assert close(H[:, i, j], floats(part(tau, EPSILON * DELTA)))


@freed
def test_second_derivatives_along_rates_are_taken_one_after_another(family):
    """Where q has quaternions the element (i, j) of ∂²V/∂q∂q is the change along rate j of the
    change along rate i: the part εδ of V at q moved by ε along j first and then by δ along i."""
    arm, m = robot(family), MATRIX[f"{family}_1"]
    q = states(arm)[0][0]
    H = arm.kernel("potential_energy").derivative("q", "q")(q)
    at = as_fractions(m, q)
    for i in range(m.n):
        for j in range(m.n):
            first = moved(at, unit(m.n, j, EPSILON), m)
            V = energy.potential_energy(m, moved(first, unit(m.n, i, DELTA), m))
            assert close(H[i, j], float(part(V, EPSILON * DELTA)))


@freed
def test_rates_of_a_quaternion_do_not_commute(family):
    """For the turns x, y, z of one link ∂ᵢ∂ⱼV − ∂ⱼ∂ᵢV of the second derivatives is the slope along
    the third, as brackets of rotations are."""
    arm = robot(family)
    q = states(arm)[0]
    H = arm.kernel("potential_energy").derivative("q", "q")(q)
    g = arm.gravity_forces(q)
    firsts = [k for k, name in enumerate(arm.v_names) if name.endswith(".wx")]
    assert firsts
    for x in firsts:
        assert close(H[:, x + 1, x] - H[:, x, x + 1], g[:, x + 2])


@every_family
def test_derivatives_by_elements_give_those_along_rates(family):
    """∂V/∂q by each element of q, times what the joints say a rate moves, is ∂V/∂q along it."""
    arm = robot(family)
    m, kernel = arm.mechanism, arm.kernel("potential_energy")
    for q in states(arm)[0]:
        by_element = kernel.derivative("q", along_rates=False)(q)
        assert by_element.shape == (arm.nq,)
        sums = [sum(by_element[k] * x for k, x in column.items())
                for column in coordinates.tangents(m, [*q])]  # fmt: skip
        assert close(kernel.derivative("q")(q), sums)


@every_family
def test_a_quaternion_has_no_length(family):
    """∂V/∂q by the elements of a quaternion is orthogonal to it, as only its direction counts."""
    arm = robot(family)
    q = states(arm)[0]
    D = arm.kernel("potential_energy").derivative("q", along_rates=False)(q)
    for x in (k for k, name in enumerate(arm.q_names) if name.endswith(".qx")):
        four = slice(x, x + 4)
        assert close(np.sum(D[:, four] * q[:, four], axis=-1), np.zeros(len(q)))


@every_family
def test_changes_along_a_direction_are_the_jacobians_product(family):
    """dτ for dq, dq̇ and dq̈ taken forward is the sum of the three Jacobians, of the dedicated
    recursion, times them."""
    arm = robot(family)
    (q, qd, qdd, dq), (_, dqd, dqdd, _) = states(arm), states(arm)
    d_tau = arm.kernel("inverse_dynamics").along("q", "qd", "qdd")(q, qd, qdd, dq, dqd, dqdd)
    parts = zip(arm.inverse_dynamics_derivatives(q, qd, qdd), (dq, dqd, dqdd), strict=True)
    assert close(d_tau, sum((D @ v[..., None])[..., 0] for D, v in parts))


@every_family
def test_weighted_efforts_have_the_transposed_jacobian(family):
    """The gradient of w · τ is wᵀ times the Jacobian of the dedicated recursion."""
    arm = robot(family)
    q, qd, qdd, w = states(arm)
    slope = arm.kernel("inverse_dynamics").weighted().derivative("q")(q, qd, qdd, w)
    D_q = arm.inverse_dynamics_derivatives(q, qd, qdd)[0]
    assert close(slope, (w[:, None] @ D_q)[:, 0])


@every_family
def test_the_hessian_times_a_vector(family):
    """The gradient of T by q̇ taken along dq̇ is M dq̇."""
    arm = robot(family)
    q, qd, v, _ = states(arm)
    change = arm.kernel("kinetic_energy").derivative("qd").along("qd")(q, qd, v)
    assert close(change, (arm.mass_matrix(q) @ v[..., None])[..., 0])


@holonomic
def test_lagranges_equations_come_out(family):
    """d/dt ∂L/∂q̇ − ∂L/∂q, all by kernels of L alone, is the effort of bodies and rotors without
    friction by Newton and Euler."""
    arm = robot(family)
    q, qd, qdd, _ = states(arm)
    L = arm.kernel("lagrangian")
    rate = L.derivative("qd").along("q", "qd")(q, qd, qd, qdd)
    tau = rate - L.derivative("q")(q, qd)
    assert close(tau, arm.inverse_dynamics(q, qd, qdd) - arm.friction_forces(qd))


@pytest.mark.parametrize("kind", ["gravity", "drives", "payload"])
@every_family
def test_efforts_are_linear_in_parameters(family, kind):
    """τ at other numbers of a kind in which it is linear is τ plus its slope times the difference,
    with the slope taken anywhere."""
    arm = robot(family)
    state = states(arm)[:3]
    kernel = arm.kernel("inverse_dynamics", parametric=kind)
    size = kernel.recipe.inputs[kind][0]
    a, b = np.random.default_rng(3).uniform(0.5, 2, (2, size))
    slope = kernel.derivative(kind)(*state, a)
    assert close(kernel(*state, b), kernel(*state, a) + slope @ (b - a))


def test_efforts_change_with_origins_as_small_steps_say():
    """∂τ/∂origins of a tree agrees with symmetric differences of the kernel, extrapolated, to
    1e-7."""
    arm = robot("mixed_tree")
    state = [x[0] for x in states(arm)[:3]]
    kernel = arm.kernel("inverse_dynamics", parametric="origins")
    at = np.array(arm.parameters("origins"))
    slope = kernel.derivative("origins")(*state, at)

    def difference(k, h):
        step = h * np.eye(len(at))[k]
        return (kernel(*state, at + step) - kernel(*state, at - step)) / (2 * h)

    for k in range(0, len(at), 7):
        limit = (4 * difference(k, 5e-4) - difference(k, 1e-3)) / 3
        assert close(slope[:, k], limit, 1e-7)


@pytest.mark.parametrize("size", [1, 1e-4, 1e-8, 1e-12, 1e-17, 0])
@freed
def test_steps_and_differences_undo_each_other_in_their_slopes(family, size):
    """The slopes of the difference by where a step leads, times those of the step by its rates, are
    1, for turns of any size down to none."""
    arm = robot(family)
    q, u = arm.random_q(1, 5), size * states(arm)[1]
    there = arm.kernel("integrate").derivative("qd")(q, u, 1.0)
    back = arm.kernel("difference").derivative("q_to", along_rates=False)
    assert close(back(q, arm.integrate(q, u, 1.0)) @ there, [np.eye(arm.n)] * 5)
