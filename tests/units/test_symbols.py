"""The symbolic reading: SymPy symbols through the same text give the equations on paper, n ≤ 3."""

from dataclasses import replace

import pytest
import sympy

from momentarm.algorithms import composite, energy, forward_dynamics, newton_euler
from momentarm.model import BASE, IDEAL, Actuator, Joint, Link, Mechanism
from momentarm.spatial import NO_TRANSFORM, ZERO, Inertia, Rotation, Sym3, Transform, TurnX, Vec3

TIME = sympy.Symbol("t")
G, PITCH = sympy.symbols("g p", positive=True)


def positive(names: str) -> tuple[sympy.Symbol, ...]:
    return sympy.symbols(names, positive=True)


def real(names: str) -> tuple[sympy.Symbol, ...]:
    return sympy.symbols(names, real=True)


def point(mass, place):
    return Inertia(mass, place * mass, Sym3.outer(place) * mass)


def is_zero(x) -> bool:
    return sympy.simplify(sympy.expand_trig(sympy.expand(x))) == 0


def planar_2r(m1, m2, L1, L2):
    """Figure 8.1 of the book: point masses at the ends of the links, gravity along −y."""
    links = (
        Link("1", BASE, Joint("a", "revolute"), NO_TRANSFORM, point(m1, Vec3(L1, 0, 0))),
        Link("2", 0, Joint("b", "revolute"), Transform(p=Vec3(L1, 0, 0)),
             point(m2, Vec3(L2, 0, 0))),
    )  # fmt: skip
    return Mechanism("2R", links, Vec3(0, -G, 0))


def spatial_arm():
    """Slide, turn and screw, with tilted axes, general bodies and a rotor."""
    m1, m2, m3, a, b, I, J = positive("m1 m2 m3 a b I J")
    quarter = Rotation.of(TurnX(sympy.Integer(0), sympy.Integer(1)))
    bodies = (
        Inertia(m1, ZERO, Sym3.diagonal(I, I, I)),
        point(m2, Vec3(a, 0, b)) + Inertia(0, ZERO, Sym3.diagonal(I, 0, 2 * I)),
        point(m3, Vec3(b, a, 0)) + Inertia(0, ZERO, Sym3(I, 0, 0, 0, 0, 0)),
    )
    joints = (
        Joint("x", "prismatic"),
        Joint("y", "revolute", actuator=replace(IDEAL, armature=J)),
        Joint("z", "helical", PITCH),
    )
    steps = (Transform(quarter), Transform(quarter, Vec3(0, a, 0)), Transform(p=Vec3(a, 0, b)))
    parts = enumerate(zip(joints, steps, bodies, strict=True))
    links = tuple(Link(str(i), i - 1, *part) for i, part in parts)
    return Mechanism("arm", links, Vec3(0, 0, -G))


def lagrange(m, q, qd, qdd):
    """d/dt ∂L/∂q̇ − ∂L/∂q, differentiated by SymPy."""
    L = energy.lagrangian(m, q, qd)
    rows = []
    for x, v in zip(q, qd, strict=True):
        p = sympy.diff(L, v)
        rate = sum(sympy.diff(p, y) * w for y, w in zip([*q, *qd], [*qd, *qdd], strict=True))
        rows.append(rate - sympy.diff(L, x))
    return rows


def test_planar_arm_is_the_printed_equation():
    """The efforts of the 2R arm with symbols for masses, lengths and g are (8.9) and (8.10) of the
    book, term for term."""
    m1, m2, L1, L2 = positive("m1 m2 L1 L2")
    q, qd, qdd = real("q1 q2"), real("v1 v2"), real("a1 a2")
    c1, c2, s2 = sympy.cos(q[0]), sympy.cos(q[1]), sympy.sin(q[1])
    c12 = sympy.cos(q[0] + q[1])
    tau = (
        (m1 * L1**2 + m2 * (L1**2 + 2 * L1 * L2 * c2 + L2**2)) * qdd[0]
        + m2 * (L1 * L2 * c2 + L2**2) * qdd[1]
        - m2 * L1 * L2 * s2 * (2 * qd[0] * qd[1] + qd[1] ** 2)
        + (m1 + m2) * L1 * G * c1 + m2 * G * L2 * c12,
        m2 * (L1 * L2 * c2 + L2**2) * qdd[0] + m2 * L2**2 * qdd[1]
        + m2 * L1 * L2 * qd[0] ** 2 * s2 + m2 * G * L2 * c12,
    )  # fmt: skip
    found = newton_euler.inverse_dynamics(planar_2r(m1, m2, L1, L2), q, qd, qdd)
    assert all(is_zero(a - b) for a, b in zip(found, tau, strict=True))


def test_planar_mass_matrix_is_the_printed_one():
    """The mass matrix of the 2R arm with m = L = 1 is [[3 + 2 c₂, 1 + c₂], [·, 1]] as in (8.10)."""
    q = real("q1 q2")
    c2 = sympy.cos(q[1])
    M = composite.mass_matrix(planar_2r(1, 1, 1, 1), q)
    printed = [[3 + 2 * c2, 1 + c2], [1 + c2, 1]]
    assert all(is_zero(M[i][j] - printed[i][j]) for i in range(2) for j in range(2))


def test_efforts_solve_lagrange_equations_for_all_motions():
    """For slide, turn and screw with symbols throughout, SymPy's derivatives of T − V give the same
    expressions as Newton and Euler."""
    m = spatial_arm()
    q, qd, qdd = real("q1 q2 q3"), real("v1 v2 v3"), real("a1 a2 a3")
    tau = newton_euler.inverse_dynamics(m, q, qd, qdd)
    assert all(is_zero(a - b) for a, b in zip(tau, lagrange(m, q, qd, qdd), strict=True))


def test_mass_matrix_is_the_jacobian_of_the_efforts():
    """∂τ/∂q̈ by SymPy, for slide, turn and screw, is the matrix of composite bodies."""
    m = spatial_arm()
    q, qd, qdd = real("q1 q2 q3"), real("v1 v2 v3"), real("a1 a2 a3")
    tau = newton_euler.inverse_dynamics(m, q, qd, qdd)
    M = composite.mass_matrix_halfway(m, q)
    assert all(is_zero(sympy.diff(tau[i], qdd[j]) - M[i][j]) for i in range(3) for j in range(3))


@pytest.mark.parametrize("route", ["by_mass_matrix", "by_articulated_bodies"])
def test_a_pendulum_with_friction_swings_as_on_paper(route):
    """A pendulum's q̈ is (τ − m g L cos q − d q̇ − f sgn q̇)/(m L² + J), by either route."""
    mass, L, J, d, f = positive("m L J d f")
    q, qd, tau = real("q v tau")
    joint = Joint("a", "revolute", actuator=Actuator(J, d, f))
    m = Mechanism("pendulum", (Link("1", BASE, joint, NO_TRANSFORM, point(mass, Vec3(L, 0, 0))),),
                  Vec3(0, -G, 0))  # fmt: skip
    (qdd,) = getattr(forward_dynamics, route)(m, [q], [qd], [tau])
    free = tau - mass * G * L * sympy.cos(q) - d * qd - f * sympy.sign(qd)
    assert is_zero(qdd - free / (mass * L**2 + J))
