"""Symbols through L, Γ, C, Ṁ and accelerations of points: the equations that books print."""

from dataclasses import replace

import pytest
import sympy

from momentarm.algorithms import (
    christoffel,
    composite,
    coriolis,
    energy,
    frame_motion,
    kinematics,
    link_forces,
    momentum,
    newton_euler,
)
from momentarm.model import BASE, Actuator, Frame, Joint, Link, Mechanism
from momentarm.spatial import NO_TRANSFORM, Inertia, Sym3, Transform, Vec3
from units.test_symbols import is_zero, planar_2r, positive, real, spatial_arm

G = sympy.Symbol("g", positive=True)


def zeros(found, expected):
    """Whether nested lists are equal as expressions."""
    if isinstance(found, list | tuple):
        return all(zeros(a, b) for a, b in zip(found, expected, strict=True))
    return is_zero(found - expected)


def two_link_arm():
    """The two-link planar arm of the SIC notes with its motors as bodies: motor 2 on link 1, the
    gears' share on the diagonal of the inertia matrix."""
    m1, m2, mm2, a1, l1, l2 = positive("m_l1 m_l2 m_m2 a1 l1 l2")
    I1, I2, Im1, Im2, k1, k2 = positive("I_l1 I_l2 I_m1 I_m2 k_r1 k_r2")

    def body(mass, place, I):
        return Inertia.about_com(mass, Vec3(place, 0, 0), Sym3.diagonal(0, 0, I))

    geared = (Actuator(armature=k1**2 * Im1), Actuator(armature=k2**2 * Im2))
    first = body(m1, l1, I1) + body(mm2, a1, Im2)
    links = (
        Link("1", BASE, Joint("a", "revolute", actuator=geared[0]), NO_TRANSFORM, first),
        Link("2", 0, Joint("b", "revolute", actuator=geared[1]), Transform(p=Vec3(a1, 0, 0)),
             body(m2, l2, I2)),
    )  # fmt: skip
    return Mechanism("two-link arm", links, Vec3(0, -G, 0)), (m2, a1, l2)


def test_two_link_arm_has_the_printed_christoffel_symbols():
    """For the SIC notes' two-link arm with symbols throughout: c₁₁₁ = 0, c₁₁₂ = c₁₂₁ = c₁₂₂ = h,
    c₂₁₁ = −h, c₂₁₂ = c₂₂₁ = c₂₂₂ = 0 with h = −m_ℓ2 a₁ ℓ₂ s₂."""
    m, (m2, a1, l2) = two_link_arm()
    q = real("q1 q2")
    h = -m2 * a1 * l2 * sympy.sin(q[1])
    assert zeros(christoffel.christoffel(m, q), [[[0, h], [h, h]], [[-h, 0], [0, 0]]])


def test_two_link_arm_has_the_printed_coriolis_matrix():
    """C = [[h ϑ̇₂, h (ϑ̇₁ + ϑ̇₂)], [−h ϑ̇₁, 0]] and N = Ḃ − 2C = [[0, −2h ϑ̇₁ − h ϑ̇₂],
    [2h ϑ̇₁ + h ϑ̇₂, 0]], with Ḃ by the recursion."""
    m, (m2, a1, l2) = two_link_arm()
    q, (v1, v2) = real("q1 q2"), real("v1 v2")
    h = -m2 * a1 * l2 * sympy.sin(q[1])
    C = coriolis.coriolis_matrix(m, q, (v1, v2))
    assert zeros(C, [[h * v2, h * (v1 + v2)], [-h * v1, 0]])
    B_dot = coriolis.mass_matrix_dot(m, q, (v1, v2))
    N = [[b - 2 * c for b, c in zip(*rows, strict=True)] for rows in zip(B_dot, C, strict=True)]
    n = 2 * h * v1 + h * v2
    assert zeros(N, [[0, -n], [n, 0]])


def test_symbols_are_derivatives_by_sympy():
    """For slide, turn and screw with symbols throughout, Γ of the flows is (8.17) with SymPy's
    derivatives of M, and Ṁ their sum along the motion."""
    m, q, qd = spatial_arm(), real("q1 q2 q3"), real("v1 v2 v3")
    M = composite.mass_matrix(m, q)
    D = [[[sympy.diff(x, a) for x in row] for row in M] for a in q]
    n = range(3)
    half = sympy.Rational(1, 2)
    printed = [[[half * (D[k][i][j] + D[j][i][k] - D[i][j][k]) for k in n] for j in n] for i in n]
    assert zeros(christoffel.christoffel(m, q), printed)
    rate = [[sum(D[k][i][j] * qd[k] for k in n) for j in n] for i in n]
    assert zeros(coriolis.mass_matrix_dot(m, q, qd), rate)


def point_masses():
    """The book's 2R arm with a frame on each of its masses."""
    m1, m2, L1, L2 = positive("m1 m2 L1 L2")
    frames = {"one": Frame(0, Transform(p=Vec3(L1, 0, 0))),
              "two": Frame(1, Transform(p=Vec3(L2, 0, 0)))}  # fmt: skip
    return replace(planar_2r(m1, m2, L1, L2), frames=frames), (m1, m2, L1, L2)


def test_masses_of_the_2r_accelerate_as_printed():
    """J_v q̈ + q̇ᵀ H q̇ of the 2R arm's masses is the bracket of (8.11) and of (8.12)."""
    m, (_, _, L1, L2) = point_masses()
    q, (v1, v2), (a1, a2) = real("q1 q2"), real("v1 v2"), real("a1 a2")
    s1, c1 = sympy.sin(q[0]), sympy.cos(q[0])
    s12, c12 = sympy.sin(q[0] + q[1]), sympy.cos(q[0] + q[1])
    one = (-L1 * v1**2 * c1 - L1 * a1 * s1, -L1 * v1**2 * s1 + L1 * a1 * c1, 0)
    two = (
        one[0] - L2 * (v1 + v2) ** 2 * c12 - L2 * (a1 + a2) * s12,
        one[1] - L2 * (v1 + v2) ** 2 * s12 + L2 * (a1 + a2) * c12,
        0,
    )
    for frame, printed in (("one", one), ("two", two)):
        H = frame_motion.acceleration_terms(m, q, frame=frame)
        J = [[sympy.diff(x, a) for a in q] for x in place(m, q, frame)]
        rates, found = (v1, v2), []
        for row, face in zip(J, H, strict=True):
            terms = sum(face[j][k] * rates[j] * rates[k] for j in range(2) for k in range(2))
            found.append(row[0] * a1 + row[1] * a2 + terms)
        assert zeros(found, printed)
        world = frame_motion.frame_acceleration(m, q, rates, (a1, a2), frame=frame,
                                                reference="world")  # fmt: skip
        assert zeros(world[3:], printed)


def place(m, q, frame):
    """Of the 2R arm's masses, by hand."""
    L1, L2 = positive("L1 L2")
    one = (L1 * sympy.cos(q[0]), L1 * sympy.sin(q[0]), 0)
    if frame == "one":
        return one
    return one[0] + L2 * sympy.cos(q[0] + q[1]), one[1] + L2 * sympy.sin(q[0] + q[1]), 0


def test_centripetal_and_coriolis_terms_of_figure_8_2():
    """At θ = (0, π/2) mass 2 has centripetal terms (−L₁, −L₂) of θ̇₁², (0, −L₂) of θ̇₂² and the
    Coriolis term (0, −2 L₂) of θ̇₁θ̇₂."""
    m, (_, _, L1, L2) = point_masses()
    x, y, _ = frame_motion.acceleration_terms(m, (sympy.Integer(0), sympy.pi / 2), frame="two")
    assert zeros([[x[0][0], y[0][0]], [x[1][1], y[1][1]]], [[-L1, -L2], [0, -L2]])
    assert zeros([2 * x[0][1], 2 * y[0][1]], [0, -2 * L2])


@pytest.mark.parametrize("reference", ["body", "space", "world"])
def test_rate_of_the_jacobian_by_sympy(reference):
    """For slide, turn and screw with symbols, J̇ is Σ ∂J/∂θ_k θ̇_k with SymPy's derivatives of J,
    in each reference, exercise 8.6."""
    q, qd = real("q1 q2 q3"), real("v1 v2 v3")
    a = sympy.Symbol("a", positive=True)
    m = replace(spatial_arm(), frames={"tip": Frame(2, Transform(p=Vec3(a, 0, a)))})
    option = {"frame": "tip", "reference": reference}
    J = kinematics.jacobian(m, q, **option)
    printed = [[sum(sympy.diff(x, b) * v for b, v in zip(q, qd, strict=True)) for x in row]
               for row in J]  # fmt: skip
    assert zeros(frame_motion.jacobian_dot(m, q, qd, **option), printed)


def test_momentum_and_wrench_of_the_2r():
    """The 2R arm's linear momentum is Σ m ṗ by hand, its centre of mass Σ m p / Σ m, and its base
    carries the whole weight at rest."""
    m, (m1, m2, _, _) = point_masses()
    q, qd = real("q1 q2"), real("v1 v2")
    masses = ((m1, place(m, q, "one")), (m2, place(m, q, "two")))
    first = [sum(mass * p[k] for mass, p in masses) for k in range(3)]
    rates = [sum(sympy.diff(x, a) * v for a, v in zip(q, qd, strict=True)) for x in first]
    assert zeros(momentum.momentum(m, q, qd)[3:], rates)
    assert zeros(momentum.center_of_mass(m, q), [x / (m1 + m2) for x in first])
    still = (0, 0)
    F = link_forces.link_wrenches(m, (sympy.Integer(0), q[1]), still, still)
    assert zeros(F[0][3:], [0, (m1 + m2) * G, 0])


def test_a_lifted_mass_is_the_printed_equation():
    """A mass on a vertical slide needs f = m ẍ + m g, (8.4), which SymPy's derivatives of the
    energies' difference L = ½ m ẋ² − m g x, (8.5), give as well, (8.6)."""
    mass, (x, v, a) = sympy.Symbol("m", positive=True), real("x v a")
    slide = Link("1", BASE, Joint("x", "prismatic"), NO_TRANSFORM, Inertia.about_com(
        mass, Vec3(0, 0, 0), Sym3.diagonal(0, 0, 0)))  # fmt: skip
    m = Mechanism("lift", (slide,), Vec3(0, 0, -G))
    L = energy.lagrangian(m, (x,), (v,))
    momentum = sympy.diff(L, v)
    by_lagrange = sympy.diff(momentum, v) * a + sympy.diff(momentum, x) * v - sympy.diff(L, x)
    assert is_zero(L - (mass * v**2 / 2 - mass * G * x))
    assert is_zero(by_lagrange - mass * (a + G))
    assert zeros(newton_euler.inverse_dynamics(m, (x,), (v,), (a,)), [mass * (a + G)])
