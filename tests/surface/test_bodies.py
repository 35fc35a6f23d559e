"""Bodies, twists and wrenches as a user holds them."""

import pickle

import numpy as np
import pytest

import momentarm as ma
from momentarm import bodies
from momentarm import modern_robotics as mr
from momentarm.model.principal import principal
from momentarm.spatial import Sym3

RNG = np.random.default_rng(5)


def pose(rng=RNG):
    T = np.eye(4)
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    T[:3, :3], T[:3, 3] = Q * np.sign(np.linalg.det(Q)), rng.normal(size=3)
    return T


def some_body():
    return bodies.cone(0.2, 0.5, density=900).moved(pose())


def hat(V):
    """[V], 4x4."""
    (x, y, z), v = V.angular, V.linear
    return np.array([[0, -z, y, v[0]], [z, 0, -x, v[1]], [-y, x, 0, v[2]], [0, 0, 0, 0]])


def test_the_bracket_is_the_commutator():
    """[V W] as a 4x4 matrix is [V][W] − [W][V], and ad_V W and adᵀ_V F are the matrices' products,
    (8.37)-(8.39)."""
    V, W = (ma.Twist.of(x) for x in RNG.integers(-9, 9, (2, 6)))
    F = ma.Wrench.of(RNG.integers(-9, 9, 6))
    assert np.array_equal(hat(V.bracket(W)), hat(V) @ hat(W) - hat(W) @ hat(V))
    assert np.array_equal(V.ad @ W, V.bracket(W))
    assert W @ ma.Wrench.of(V.ad.T @ F) == V.bracket(W) @ F


def test_a_moved_twist_is_the_conjugate():
    """A twist given in b has in a the 4x4 matrix T [V] T⁻¹ and the six numbers Ad(T) V, and
    `seen_from` undoes it."""
    T, V = pose(), ma.Twist.of(RNG.normal(size=6))
    assert np.allclose(hat(V.moved(T)), T @ hat(V) @ np.linalg.inv(T), atol=1e-14)
    assert np.allclose(ma.adjoint(T) @ V, V.moved(T), atol=1e-14)
    assert np.allclose(V.moved(T).seen_from(T), V, atol=1e-14)


def test_power_and_energy_do_not_depend_on_the_frame():
    """A twist, a wrench and a body carried alike keep power, kinetic energy and the equation of
    motion; the wrench goes by Ad(T⁻¹)ᵀ."""
    T, V, Vd = pose(), *(ma.Twist.of(x) for x in RNG.normal(size=(2, 6)))
    body, F = some_body(), ma.Wrench.of(RNG.normal(size=6))
    assert V.moved(T) @ F.moved(T) == pytest.approx(V @ F, rel=1e-13)
    assert np.allclose(np.linalg.inv(ma.adjoint(T)).T @ F, F.moved(T), atol=1e-13)
    assert np.allclose(F.moved(T).seen_from(T), F, atol=1e-13)
    assert body.moved(T).kinetic_energy(V.moved(T)) == pytest.approx(body.kinetic_energy(V))
    there = body.moved(T).wrench(V.moved(T), Vd.moved(T))
    assert np.allclose(there, body.wrench(V, Vd).moved(T), rtol=1e-11, atol=1e-11)


def test_spatial_inertia_by_matrices():
    """A body's 6x6 matrix, seen from a frame T_ab, is Ad(T_ab)ᵀ 𝒢 Ad(T_ab), (8.42); momentum and
    wrench are 𝒢V and 𝒢V̇ − adᵀ𝒢V, (8.40)."""
    body, T, (V, Vd) = some_body(), pose(), RNG.normal(size=(2, 6))
    G, Ad, ad = body.spatial_inertia, ma.adjoint(T), ma.Twist.of(V).ad
    assert np.allclose(body.seen_from(T).spatial_inertia, Ad.T @ G @ Ad, rtol=1e-12, atol=1e-12)
    assert np.allclose(body.momentum(V), G @ V, rtol=1e-13)
    assert np.allclose(body.wrench(V, Vd), G @ Vd - ad.T @ G @ V, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_acceleration_solves_the_equation(seed):
    """𝒱̇ of a body far from its frame's origin is what `numpy.linalg.solve` finds from (8.40)."""
    rng = np.random.default_rng(seed)
    body, (V, F) = bodies.cuboid(0.1, 0.2, 0.5, mass=2).moved(pose(rng)), rng.normal(size=(2, 6))
    G = body.spatial_inertia
    expected = np.linalg.solve(G, F + ma.Twist.of(V).ad.T @ G @ V)
    assert np.allclose(body.acceleration(V, F), expected, rtol=1e-9)
    assert np.allclose(body.wrench(V, body.acceleration(V, F)), F, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_principal_axes_diagonalise(seed):
    """Principal moments are NumPy's eigenvalues, the axes are a rotation that makes the inertia
    diagonal, and in the principal frame 𝒢 is diagonal."""
    rng = np.random.default_rng(seed)
    body = bodies.cuboid(*rng.uniform(0.1, 1, 3), mass=3).moved(pose(rng))
    body = body + bodies.point_mass(1, rng.normal(size=3))
    found = body.principal()
    R, scale = found.axes, body.inertia.max()
    assert np.allclose(sorted(found.moments), np.linalg.eigvalsh(body.inertia), atol=1e-14 * scale)
    assert np.allclose(R.T @ R, np.eye(3), atol=1e-15 * 8)
    assert np.linalg.det(R) > 0
    assert np.allclose(R.T @ body.inertia @ R, np.diag(found.moments), atol=1e-14 * scale)
    G = body.seen_from(found.pose).spatial_inertia
    assert np.allclose(G, np.diag([*found.moments, *[4] * 3]), atol=1e-12 * scale)


@pytest.mark.parametrize("six", [(1.0, 1, 1, 1e-17, 0, 0), (3.0, 2, 1, 0, 0, 0), (0,) * 6])
def test_axes_that_need_no_turn_stay(six):
    """A diagonal inertia, or one of a ball within rounding, has the frame's own axes."""
    moments, R = principal(Sym3(*six))
    assert [*moments] == [*six[:3]]
    assert [[*row] for row in R] == np.eye(3).tolist()


def test_bodies_from_numbers_and_back():
    """φ, the 6x6 matrix and (mass, com, inertia) of a body give that body again."""
    body = some_body()
    same = ma.Body.from_spatial_inertia(body.spatial_inertia), pickle.loads(pickle.dumps(body))
    for again in (ma.Body.from_phi(body.phi), ma.Body(body.mass, body.com, body.inertia), *same):
        assert np.allclose(again.phi, body.phi, rtol=1e-13, atol=1e-13)
    I = body.inertia
    six = ma.Body(2, inertia=[I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
    assert np.allclose(six.inertia, I)
    assert np.allclose(body.with_mass(2 * body.mass).phi, 2 * body.phi)


def test_sums_and_holes():
    """Three parts sum to what `sum` gives, a plate with a hole weighs less by the hole, and adding
    what was taken away restores it."""
    parts = [some_body() for _ in range(3)]
    assert np.allclose(sum(parts).phi, sum(p.phi for p in parts))
    plate = bodies.cuboid(0.4, 0.4, 0.01, density=2700)
    hole = bodies.cylinder(0.05, 0.01, density=2700).shifted([0.1, 0, 0])
    drilled = plate - hole
    assert drilled.is_physical
    assert drilled.com[0] < 0
    assert np.allclose((drilled + hole).phi, plate.phi, atol=1e-15)


def test_faults_are_told():
    """A body no matter could make says why: negative mass, negative moments, a broken triangle,
    moments without mass; what rounding does is no fault."""
    small, large = bodies.sphere(0.1, mass=1), bodies.sphere(0.2, mass=2)
    assert "mass -1 kg is negative" in (small - large).faults[0]
    assert "the least is negative" in (large - small.with_mass(1).shifted([2, 0, 0])).faults[0]
    assert "break A + B >= C by 0.5" in ma.Body(1, inertia=[0.1, 0.4, 1, 0, 0, 0]).faults[0]
    assert "no mass" in ma.Body.from_phi([0, 1, 0, 0, 0, 0, 0, 0, 0, 0]).faults[0]
    for body in (small, bodies.rod(1, mass=1).moved(pose()), small - small, some_body()):
        assert body.is_physical, body.faults


def test_a_robot_carries_a_body():
    """with_payload(body) is with_payload of its mass, centre of mass and inertia, and moves the
    gravity forces as its weight at the tip does."""
    arm, body = ma.robots.panda(), some_body()
    I = body.inertia
    six = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    by_numbers = arm.with_payload(body.mass, body.com, six)
    q = arm.random_q(0)
    assert np.allclose(arm.with_payload(body).mass_matrix(q), by_numbers.mass_matrix(q), rtol=1e-12)
    T = arm.forward_kinematics(q)
    lift = ma.Wrench(force=[0, 0, 9.81 * body.mass])  # in the world's axes, at the centre of mass
    turned = ma.Wrench(force=T[:3, :3].T @ lift.force)
    at_com = np.eye(4)
    at_com[:3, 3] = body.com
    extra = arm.tip_forces(q, turned.moved(at_com))
    assert np.allclose(arm.with_payload(body).gravity_forces(q) - arm.gravity_forces(q), extra)


def test_wrenches_are_taken_where_six_numbers_are():
    """A Wrench as tip_wrench or in wrenches does what its six numbers do."""
    arm, F = ma.robots.ur5(), ma.Wrench(moment=[1, 2, 3], force=[4, 5, 6])
    q, six = arm.random_q(0), [1, 2, 3, 4, 5, 6]
    assert np.array_equal(arm.tip_forces(q, F), arm.tip_forces(q, six))
    for wrench in (F, six):
        by_tip = arm.inverse_dynamics(q, q, q, tip_wrench=wrench)
        by_frame = arm.inverse_dynamics(q, q, q, wrenches={arm.tip: -1 * np.asarray(wrench)})
        assert np.allclose(by_tip, by_frame, atol=1e-12)
    assert np.array_equal(arm.inverse_dynamics(q, q, q, tip_wrench=F),
                          arm.inverse_dynamics(q, q, q, tip_wrench=six))  # fmt: skip


def test_six_numbers_may_be_expressions():
    """In a kernel of one's own, a wrench made of inputs and carried by the tip's traced pose gives
    the torques, and the power, that plain numbers give."""
    arm = ma.robots.panda()

    def lifted(arm, q, qd, load):
        F = ma.Wrench(force=[0, 0, load]).seen_from(arm.forward_kinematics(q))
        F = load * F * (1 / load)
        V = ma.Twist.of(arm.jacobian(q) @ qd)
        there = V.moved(arm.forward_kinematics(q))
        return arm.tip_forces(q, F), V @ F, ma.Wrench(force=[0, 0, load]).force @ there.linear

    q, qd = arm.random_q(0), RNG.normal(size=7)
    tau, power, again = ma.kernel(lifted, arm, load=())(q, qd, 3.0)
    T = arm.forward_kinematics(q)
    assert np.allclose(tau, arm.tip_forces(q, ma.Wrench(force=[0, 0, 3]).seen_from(T)), atol=1e-13)
    assert np.allclose([power, again], tau @ qd, atol=1e-13)


def test_six_numbers_behave():
    """Twists add, scale by any number from either side, are arrays of their six numbers, compare,
    hash, pickle, and keep NaN."""
    V = ma.Twist([1, 2, 3], [4, 5, 6])
    assert V + V == 2 * V == V * 2 == np.float64(2) * V == V - (-V)
    assert len({V, ma.Twist.of([1, 2, 3, 4, 5, 6])}) == 1
    assert np.asarray(V, dtype=np.float32).tolist() == [1, 2, 3, 4, 5, 6]
    assert (np.eye(6) @ V).tolist() == [*np.asarray(V)]
    assert pickle.loads(pickle.dumps(V)) == V
    assert repr(V) == "Twist(angular=(1, 2, 3), linear=(4, 5, 6))"
    assert repr(ma.Wrench(force=[0, 0, 1e-3])) == "Wrench(moment=(0, 0, 0), force=(0, 0, 0.001))"
    assert ma.Wrench([1, 2, 3], [4, 5, 6]) != V
    assert np.isnan(ma.Twist([np.nan, 0, 0]) @ ma.Wrench([1, 0, 0]))
    nowhere = ma.robots.ur5().forward_kinematics([np.nan] * 6)
    assert np.isnan(V.moved(nowhere).linear).any()


ARM = ma.robots.planar_2r()
HELD = ARM.with_constraints(ma.hold(rows=["x"]))
V, F = ma.Twist([1, 0, 0]), ma.Wrench([1, 0, 0])
CORNERS = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
CLOSED = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
BALL = bodies.sphere(1, mass=1)
BAD = {
    "neither": (lambda: bodies.sphere(1), "either mass .* or density .kg/m³., got neither"),
    "both": (lambda: bodies.ring(1, mass=1, density=1), "kg/m., got both"),
    "size": (lambda: bodies.cuboid(1, -1, 1, mass=1), r"cuboid\(y\).* above 0 m, got -1"),
    "size text": (lambda: bodies.rod("a", mass=1), r"rod\(length\): expected numbers"),
    "size nan": (lambda: bodies.rod(np.nan, mass=1), "finite number above 0 m"),
    "inner": (lambda: bodies.sphere(1, 2, mass=1), "from 0 to that of the outside, 1 m"),
    "no wall": (lambda: bodies.sphere(1, 1, density=1), "no thickness, so give a mass"),
    "open": (lambda: bodies.polyhedron(CORNERS, CLOSED[:3], mass=1), "open or turns"),
    "inside out": (lambda: bodies.polyhedron(CORNERS, np.flip(CLOSED, 1), mass=1),
                   "enclose -0.167 m³"),
    "flat": (lambda: bodies.polyhedron(np.array(CORNERS) * [1, 1, 0], CLOSED, mass=1), "flat"),
    "no faces": (lambda: bodies.polyhedron(CORNERS, np.zeros((0, 3), int), mass=1), "are none"),
    "no vertex": (lambda: bodies.polyhedron(CORNERS[:3], CLOSED, mass=1), "0 to 2, got"),
    "faces": (lambda: bodies.polyhedron(CORNERS, [[0.5, 1, 2]], mass=1), "triangles"),
    "vertices": (lambda: bodies.polyhedron([1, 2], CLOSED, mass=1), r"expected \(k, 3\)"),
    "mass": (lambda: ma.Body(-1), "finite mass of 0 kg or more, got -1"),
    "com": (lambda: ma.Body(1, [0, 0]), r"Body\(com\): expected three numbers"),
    "inertia": (lambda: ma.Body(1, inertia=[[1, 2, 0], [0, 1, 0], [0, 0, 1]]), "symmetric"),
    "nan": (lambda: ma.Body(1, [np.nan, 0, 0]), "expected finite numbers"),
    "phi": (lambda: ma.Body.from_phi([1]), "expected ten numbers"),
    "6x6": (lambda: ma.Body.from_spatial_inertia(np.arange(36.0).reshape(6, 6)), "symmetric"),
    "6x6 shape": (lambda: ma.Body.from_spatial_inertia(np.eye(3)), r"\(6, 6\), got \(3, 3\)"),
    "turn": (lambda: BALL.rotated(np.diag([1, 1, -1])), "right-handed"),
    "turn shape": (lambda: BALL.rotated(np.eye(4)), r"\(3, 3\), got shape \(4, 4\)"),
    "pose": (lambda: BALL.moved(np.eye(3)), r"\(4, 4\), got \(3, 3\)"),
    "last row": (lambda: V.moved(np.ones((4, 4))), "last row of a pose is 0 0 0 1"),
    "six": (lambda: ma.Twist.of([1, 2]), "six numbers, angular first, then linear"),
    "twist": (lambda: BALL.momentum(F), "expected a Twist or six numbers, got Wrench"),
    "wrench": (lambda: BALL.acceleration(V, V), "expected a Wrench or six numbers"),
    "none": (lambda: BALL.momentum(None), "expected numbers, got None"),
    "no number within": (lambda: ma.Twist([None, 1, 2]), "expected numbers, got .None, 1, 2"),
    "text": (lambda: bodies.rod("1", mass=1), r"rod\(length\): expected numbers, got '1'"),
    "complex": (lambda: ma.Wrench(force=[1j, 0, 0]), r"Wrench\(force\): expected numbers"),
    "ragged": (lambda: ma.Twist([[1], [1, 2]]), "expected numbers"),
    "sum": (lambda: V + F, "unsupported operand"),
    "power": (lambda: V @ V, "unsupported operand|matmul"),
    "scale": (lambda: BALL + 1, "unsupported operand"),
    "massless": (lambda: ma.Body(0).with_mass(1), "no mass to be scaled"),
    "rod": (lambda: bodies.rod(1, mass=1).acceleration(V, F), "cannot resist every wrench"),
    "payload twice": (lambda: ARM.with_payload(BALL, com=[1, 0, 0]), "its own com"),
    "payload": (lambda: ARM.with_payload(BALL - BALL.with_mass(2)), "mass -1 kg is negative"),
    "tip twist": (lambda: ARM.tip_forces([0, 0], V), "tip_wrench: expected a Wrench"),
    "tip wrench": (lambda: ARM.inverse_dynamics([0, 0], [0, 0], [0, 0], tip_wrench=V),
                   "tip_wrench: expected a Wrench"),
    "frame twist": (lambda: ARM.inverse_dynamics([0, 0], [0, 0], [0, 0], wrenches={"tip": V}),
                    r"wrenches\['tip'\]: expected a Wrench"),
    "task twist": (lambda: ARM.task_efforts([0, 0], V), r"\(forces\): expected a Wrench"),
    "held twist": (lambda: HELD.multipliers([0, 1], V), r"\(forces\): expected a Wrench"),
    "book twist": (lambda: mr.EndEffectorForces([0, 0], V, *ARM.to_screws()),
                   r"\(Ftip\): expected a Wrench"),
    "own tip": (lambda: ma.kernel(lambda arm, q: arm.tip_forces(q, V), ARM),
                r"\(tip_wrench\): expected a Wrench"),
    "own option": (lambda: ma.kernel(lambda arm, q: arm.inverse_dynamics(q, q, q, tip_wrench=V),
                                     ARM), r"\(tip_wrench\): expected a Wrench"),
    "own frame": (lambda: ma.kernel(lambda arm, q: arm.inverse_dynamics(
        q, q, q, wrenches={"tip": V}), ARM), r"wrenches\['tip'\]\): expected a Wrench"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_mistakes_are_explained(case):
    """Wrong sizes, shapes, frames and kinds are refused with the argument and what was expected."""
    call, said = BAD[case]
    with pytest.raises((TypeError, ValueError), match=said):
        call()

