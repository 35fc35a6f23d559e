"""The library against equations of motion worked out by hand, and numbers printed in books.

The formulas are in this file, written from positions and energies on paper. Robots come from URDF
text here (so the geometry is known), or from the bundled models (so their data is judged too).
"""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from numpy import cos, sin
from numpy.testing import assert_allclose

import momentarm as ma

G = 9.81
DOWN_THE_PLANE = (0.0, -G, 0.0)
ANGLES = [(0.3, -0.7), (-1.1, 2.0), (2.5, 1.4), (0.0, np.pi / 2), (np.pi, -3.0)]
RATES = [(0.0, 0.0), (1.3, -0.4), (-2.0, 1.7)]


def close(found, expected):
    """Equal to round-off, on the scale of the largest entry."""
    scale = max(1.0, float(np.max(np.abs(expected))))
    assert_allclose(found, expected, rtol=0, atol=2e-14 * scale)


def link(name, mass, com, moments):
    tensor = " ".join(f'{k}="{v}"' for k, v in zip(("ixx", "iyy", "izz"), moments, strict=True))
    return f"""<link name="{name}"><inertial><origin xyz="{com}"/><mass value="{mass}"/>
        <inertia {tensor} ixy="0" ixz="0" iyz="0"/></inertial></link>"""


def joint(name, kind, parent, child, xyz, axis):
    return f"""<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
        <origin xyz="{xyz}"/><axis xyz="{axis}"/>
        <limit lower="-9" upper="9" effort="99" velocity="9"/></joint>"""


@pytest.fixture
def load(tmp_path):
    """A robot from URDF pieces; point masses may be warned about, they are meant here."""

    def loaded(*pieces):
        path = tmp_path / "robot.urdf"
        path.write_text(f'<robot name="r"><link name="ground"/>{"".join(pieces)}</robot>')
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ma.load(path)

    return loaded


# --- the planar 2R of the book ---


def planar_2r(m=(1.0, 1.0), L=(1.0, 1.0), r=(1.0, 1.0), I=(0.0, 0.0), g=G):
    """Two links along x at zero, turning about z; masses at r along links of length L.

    With r = L and I = 0 these are (8.9) and (8.10) of the book.
    """

    def M(q):
        c2 = cos(q[1])
        second = I[1] + m[1] * r[1] ** 2
        mixed = second + m[1] * L[0] * r[1] * c2
        first = I[0] + m[0] * r[0] ** 2 + m[1] * L[0] ** 2 + 2 * mixed - second
        return np.array([[first, mixed], [mixed, second]])

    def c(q, qd):
        k = m[1] * L[0] * r[1] * sin(q[1])
        return np.array([-k * (2 * qd[0] * qd[1] + qd[1] ** 2), k * qd[0] ** 2])

    def grav(q):
        outer = m[1] * g * r[1] * cos(q[0] + q[1])
        return np.array([(m[0] * r[0] + m[1] * L[0]) * g * cos(q[0]) + outer, outer])

    def J(q):
        a, b = q[0], q[0] + q[1]
        return np.array(
            [
                [-L[0] * sin(a) - L[1] * sin(b), -L[1] * sin(b)],
                [L[0] * cos(a) + L[1] * cos(b), L[1] * cos(b)],
            ]
        )

    def height(q):
        return m[0] * g * r[0] * sin(q[0]) + m[1] * g * (L[0] * sin(q[0]) + r[1] * sin(q[0] + q[1]))

    return SimpleNamespace(M=M, c=c, g=grav, J=J, V=height)


def two_link_arm(load):
    m, L, r, I = (2.5, 1.25), (0.75, 0.5), (0.25, 0.375), (0.0625, 0.03125)
    arm = load(
        link("one", m[0], f"{r[0]} 0 0", (0.04, 0.05, I[0])),
        link("two", m[1], f"{r[1]} 0 0", (0.02, 0.03, I[1])),
        '<link name="tip"/>',
        joint("j1", "revolute", "ground", "one", "0 0 0", "0 0 1"),
        joint("j2", "revolute", "one", "two", f"{L[0]} 0 0", "0 0 1"),
        joint("end", "fixed", "two", "tip", f"{L[1]} 0 0", "0 0 1"),
    )
    return arm.with_gravity(DOWN_THE_PLANE), planar_2r(m, L, r, I)


def book_2r(load):
    return ma.robots.planar_2r().with_gravity(DOWN_THE_PLANE), planar_2r()


def check_equations(arm, form):
    """Every term, both directions, and the energies of one robot against its closed form."""
    for q, qd in ((q, qd) for q in ANGLES for qd in RATES):
        q, qd, qdd = np.array(q), np.array(qd), np.array([0.8, -1.9])
        M, c, g = form.M(q), form.c(q, qd), form.g(q)
        close(arm.mass_matrix(q), M)
        close(arm.coriolis_forces(q, qd), c)
        close(arm.gravity_forces(q), g)
        close(arm.bias_forces(q, qd), c + g)
        close(arm.inverse_dynamics(q, qd, qdd), M @ qdd + c + g)
        close(arm.kinetic_energy(q, qd), qd @ M @ qd / 2)
        zero = np.zeros(2)
        close(arm.potential_energy(q) - arm.potential_energy(zero), form.V(q) - form.V(zero))
        tau = np.array([1.1, 0.6])
        (a, b), (_, d) = M
        f = tau - c - g
        cramer = np.array([d * f[0] - b * f[1], a * f[1] - b * f[0]]) / (a * d - b * b)
        assert_allclose(arm.forward_dynamics(q, qd, tau), cramer, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("robot", [book_2r, two_link_arm])
def test_2r_equations(load, robot):
    """M, c, g, torques, accelerations and energies of a planar 2R equal the book's equations (8.9),
    (8.10), solved by Cramer's rule."""
    check_equations(*robot(load))


@pytest.mark.parametrize("robot", [book_2r, two_link_arm])
def test_2r_jacobian(load, robot):
    """The tip's velocity per joint rate is the derivative, by hand, of
    L1 (cos, sin)(t1) + L2 (cos, sin)(t1 + t2), and both joints turn it about z."""
    arm, form = robot(load)
    for q in ANGLES:
        found = arm.jacobian(np.array(q), reference="world")
        close(found[3:5], form.J(q))
        close(found[[0, 1, 2, 5]], [[0, 0], [0, 0], [1, 1], [0, 0]])


def test_2r_tip_wrench(load):
    """A force f that the tip applies asks for J'f more torque, J being differentiated by hand."""
    arm, form = book_2r(load)
    for q in ANGLES:
        q = np.array(q)
        a = q[0] + q[1]
        f = np.array([2.0, -3.0])  # in the world; the wrench is given in the tip frame
        own = np.array([cos(a) * f[0] + sin(a) * f[1], -sin(a) * f[0] + cos(a) * f[1]])
        wrench = np.array([0, 0, 0, own[0], own[1], 0])
        close(arm.tip_forces(q, wrench), form.J(q).T @ f)


ROOT = np.sqrt(3)
PRINTED = [
    # theta_2 in degrees, M, its eigenvalues, end-effector mass and its eigenvalues
    (90, [[3, 1], [1, 1]], (2 - np.sqrt(2), 2 + np.sqrt(2)), [[1, 0], [0, 2]], (1, 2)),
    (150, [[3 - ROOT, 1 - ROOT / 2], [1 - ROOT / 2, 1]], None, [[4, -ROOT], [-ROOT, 2]], (1, 5)),
]


@pytest.mark.parametrize("degrees, M, eig, mass, mass_eig", PRINTED)
def test_2r_ellipsoids_of_the_book(degrees, M, eig, mass, mass_eig):
    """Mass matrix, end-effector mass (8.21) and their eigenvalues are those of the book's figures
    8.3 and 8.4, whose exact values are roots of 2 and 3."""
    arm = ma.robots.planar_2r()
    q = np.array([0.0, np.radians(degrees)])
    close(arm.mass_matrix(q), M)
    inverse = np.linalg.inv(arm.jacobian(q, reference="world")[3:5])
    found = inverse.T @ arm.mass_matrix(q) @ inverse
    assert_allclose(found, mass, atol=1e-13)
    assert_allclose(np.linalg.eigvalsh(found), mass_eig, atol=1e-13)
    if eig is not None:
        close(np.linalg.eigvalsh(arm.mass_matrix(q)), eig)


def test_2r_force_and_acceleration_are_not_aligned():
    """At 150 degrees a unit force along x on the free arm's tip accelerates it by (0.4, 0.2 sqrt 3)
    from rest: (0.4, 0.35) as the book prints, through forward dynamics with a tip wrench."""
    arm = ma.robots.planar_2r().with_gravity((0.0, 0.0, 0.0))
    q, rest = np.array([0.0, np.radians(150)]), np.zeros(2)
    own = np.array([cos(q[1]), -sin(q[1])])  # the force, in the axes of the tip
    reaction = -np.array([0, 0, 0, own[0], own[1], 0])  # the tip pushes back
    qdd = arm.forward_dynamics(q, rest, rest, tip_wrench=reaction)
    acceleration = arm.jacobian(q, reference="world")[3:5] @ qdd
    assert_allclose(acceleration, [0.4, 0.2 * ROOT], atol=1e-13)


def test_2r_weightless_example():
    """At (-60, 120) degrees, rates (1, 0), no gravity: M = [[2, 1/2], [1/2, 1]] and
    h = (0, sqrt(3)/2), by hand from (8.10)."""
    arm = ma.robots.planar_2r().with_gravity((0.0, 0.0, 0.0))
    q = np.array([-np.pi / 3, 2 * np.pi / 3])
    close(arm.mass_matrix(q), [[2, 0.5], [0.5, 1]])
    close(arm.bias_forces(q, np.array([1.0, 0.0])), [0, ROOT / 2])


# --- cart and pole ---


def cart_pole(total, ml, J, g=G):
    """Cart along x, pole upright at zero, leaning towards +x: masses, mass times length, moment."""

    def M(q):
        return np.array([[total, ml * cos(q[1])], [ml * cos(q[1]), J]])

    def c(q, qd):
        return np.array([-ml * sin(q[1]) * qd[1] ** 2, 0.0])

    def grav(q):
        return np.array([0.0, -ml * g * sin(q[1])])

    return SimpleNamespace(M=M, c=c, g=grav, V=lambda q: ml * g * cos(q[1]))


def test_cart_pole_equations(load):
    """A cart with a pole has the equations of every control textbook, from
    x_pole = x + l sin(t), z_pole = l cos(t)."""
    m, l, I = 0.75, 0.5, 0.125
    arm = load(
        link("cart", 2.0, "0 0 0", (0.1, 0.1, 0.1)),
        link("pole", m, f"0 0 {l}", (I, I, 0.01)),
        joint("slide", "prismatic", "ground", "cart", "0 0 0.3", "1 0 0"),
        joint("hinge", "continuous", "cart", "pole", "0 0.2 0", "0 1 0"),
    )
    check_equations(arm, cart_pole(2.0 + m, m * l, I + m * l * l))


def test_bundled_cart_pole():
    """The bundled cart-pole, three numbers read off M at zero, obeys the textbook's equations
    everywhere, its pole starting either upright or hanging."""
    arm = ma.robots.cart_pole().ideal.with_gravity((0.0, 0.0, -G))
    (total, ml), (_, J) = arm.mass_matrix(np.zeros(2))
    form = cart_pole(total, ml, J)
    lean = np.array([0.0, 0.5])
    sign = np.sign(arm.gravity_forces(lean)[1] * form.g(lean)[1])
    for q, qd in ((np.array(q), np.array(qd)) for q in ANGLES for qd in RATES):
        close(arm.mass_matrix(q), form.M(q))
        close(arm.coriolis_forces(q, qd), form.c(q, qd))
        close(arm.gravity_forces(q), sign * form.g(q))


# --- the rotational inverted pendulum, exercise 8.4 ---


def furuta(m, L, arm_zz, moments, g):
    """Arm along x turning about z, pendulum along z turning about the arm; masses at the ends.

    The pendulum's mass is at (L1, -L2 sin t2, L2 cos t2) in axes turning with the arm, and it
    turns at (t2', t1' sin t2, t1' cos t2) in its own axes: T, V and Lagrange give the rest.
    """
    xx, yy, zz = moments
    k = m[1] * L[1] ** 2 + yy - zz
    arm = arm_zz + (m[0] + m[1]) * L[0] ** 2 + zz

    def M(q):
        mixed = -m[1] * L[0] * L[1] * cos(q[1])
        return np.array([[arm + k * sin(q[1]) ** 2, mixed], [mixed, xx + m[1] * L[1] ** 2]])

    def c(q, qd):
        s, twice = sin(q[1]), k * sin(2 * q[1])
        swing = m[1] * L[0] * L[1] * s * qd[1] ** 2
        return np.array([twice * qd[0] * qd[1] + swing, -twice * qd[0] ** 2 / 2])

    def grav(q):
        return np.array([0.0, -m[1] * g * L[1] * sin(q[1])])

    return SimpleNamespace(M=M, c=c, g=grav, V=lambda q: m[1] * g * L[1] * cos(q[1]))


def test_furuta_equations(load):
    """A Furuta pendulum has the closed form of Lagrange's equations derived by hand, all terms."""
    m, L, moments = (2.0, 1.5), (0.75, 0.5), (0.25, 0.375, 0.125)
    arm = load(
        link("arm", m[0], f"{L[0]} 0 0", (0.1, 0.2, 0.25)),
        link("pendulum", m[1], f"0 0 {L[1]}", moments),
        joint("turn", "continuous", "ground", "arm", "0 0 1", "0 0 1"),
        joint("swing", "continuous", "arm", "pendulum", f"{L[0]} 0 0", "1 0 0"),
    )
    check_equations(arm, furuta(m, L, 0.25, moments, G))


def same_pendulum(arm, form, flip, shift):
    """Whether the robot is the form with its second angle measured the other way, or from below."""
    sense, qd, qdd = np.array([1, flip]), np.array([1.5, -0.5]), np.array([0.5, 2.0])
    for q in ANGLES:
        q, x = np.array(q), sense * q + np.array([0, shift])
        M = sense[:, None] * form.M(x) * sense
        tau = M @ qdd + sense * (form.c(x, sense * qd) + form.g(x))
        if not np.allclose(arm.mass_matrix(q), M, rtol=0, atol=1e-12):
            return False
        if not np.allclose(arm.inverse_dynamics(q, qd, qdd), tau, rtol=0, atol=1e-12):
            return False
    return True


def test_bundled_furuta_is_exercise_8_4():
    """The bundled Furuta pendulum has the equations derived by hand with the numbers of exercise
    8.4, so that at (45, 45) degrees M is [[11, sqrt 2], [sqrt 2, 6]] and holding still takes
    (0, 10 sqrt 2), up to the sense of the second axis."""
    arm = ma.robots.furuta().ideal.with_gravity((0.0, 0.0, -10.0))
    form = furuta((2, 2), (1, 1), 4, (4, 4, 0), 10)
    assert any(same_pendulum(arm, form, flip, at) for flip in (1, -1) for at in (0, np.pi))
    q = np.full(2, np.pi / 4)
    close(np.abs(arm.mass_matrix(q)), [[11, np.sqrt(2)], [np.sqrt(2), 6]])
    close(np.abs(arm.inverse_dynamics(q, 0 * q, 0 * q)), [0, 10 * np.sqrt(2)])


# --- single bodies ---


def test_physical_pendulum(load):
    """One body on one hinge obeys J t'' + m g l sin(t) = tau with J by Steiner's theorem."""
    m, l, I = 1.5, 0.25, 0.5
    arm = load(
        link("bob", m, f"0 0 {-l}", (I, 0.4, 0.3)),
        joint("hinge", "revolute", "ground", "bob", "1 2 3", "1 0 0"),
    )
    for t in np.linspace(-3, 3, 7):
        expected = (I + m * l * l) * 2.0 + m * G * l * sin(t)
        found = arm.inverse_dynamics(np.array([t]), np.array([4.0]), np.array([2.0]))
        close(found, [expected])


def test_elevator(load):
    """A body on a vertical slide weighs m (a + g), wherever it is and however fast it moves."""
    arm = load(
        link("cabin", 3.0, "0.5 0.2 0.1", (0.1, 0.1, 0.1)),
        joint("lift", "prismatic", "ground", "cabin", "1 0 0", "0 0 1"),
    )
    found = arm.inverse_dynamics(np.array([0.4]), np.array([7.0]), np.array([2.0]))
    close(found, [3.0 * (2.0 + G)])


def test_turntable_and_slide(load):
    """A point on a turning rail feels m r w^2 outwards and twice m r' w sideways: the two terms
    Coriolis and Huygens are remembered for."""
    m, r, v, w = 2.0, 0.75, 0.5, 3.0
    arm = load(
        link("rail", 1.0, "0 0 0", (0.1, 0.1, 0.2)),
        link("bead", m, "0 0 0", (0.01, 0.01, 0.01)),
        joint("spin", "continuous", "ground", "rail", "0 0 0", "0 0 1"),
        joint("slide", "prismatic", "rail", "bead", "0 0 0", "1 0 0"),
    )
    found = arm.coriolis_forces(np.array([0.3, r]), np.array([w, v]))
    close(found, [2 * m * r * v * w, -m * r * w * w])


# --- facts known of bundled and published robots ---


def rods(load, n):
    """n uniform rods of one kilogram and one metre in a plane, hinged end to end about z."""
    pieces = []
    for i in range(n):
        parent, at = ("ground", "0 0 0") if i == 0 else (f"rod{i - 1}", "1 0 0")
        pieces.append(link(f"rod{i}", 1.0, "0.5 0 0", (1e-3, 1 / 12 + 1e-3, 1 / 12)))
        pieces.append(joint(f"j{i}", "revolute", parent, f"rod{i}", at, "0 0 1"))
    return load(*pieces).with_gravity((0.0, 0.0, 0.0))


def planar_chain(angles):
    """M of n uniform unit rods from their absolute angles: T = sum of m v.v/2 + I w w/2 with
    v_k = sum of l_ki (-sin, cos)(phi_i) phi_i', l_ki = 1 for i < k, 1/2 for i = k."""
    n, phi = len(angles), np.cumsum(angles)
    reach = np.tril(np.ones((n, n)), -1) + np.eye(n) / 2
    in_phi = (reach.T @ reach) * cos(phi[:, None] - phi[None, :]) + np.eye(n) / 12
    sums = np.tril(np.ones((n, n)))
    return sums.T @ in_phi @ sums


@pytest.mark.parametrize("n", [2, 3, 6, 12])
def test_chain_of_rods(load, n):
    """The mass matrix of n hinged rods is that of absolute angles, which needs no recursion."""
    arm = rods(load, n)
    for seed in range(3):
        q = np.random.default_rng(seed).uniform(-np.pi, np.pi, size=n)
        close(arm.mass_matrix(q), planar_chain(q))


def test_straight_rods_are_ill_conditioned(load):
    """Six straight rods have the condition number of the recursion-free mass matrix, within a tenth
    of 4 n^4 = 5184, Featherstone's estimate for such chains."""
    condition = np.linalg.cond(rods(load, 6).mass_matrix(np.zeros(6)))
    assert_allclose(condition, np.linalg.cond(planar_chain(np.zeros(6))), rtol=1e-11)
    assert_allclose(condition, 4 * 6**4, rtol=0.1)


def test_zigzag_of_featherstone(load):
    """Six rods in a zigzag of 75 degrees need the torques that Featherstone printed for unit
    accelerations, have his condition number, and torques rounded to three digits give his
    accelerations, up to 40 % wrong."""
    arm, zigzag = rods(load, 6), np.radians([0, -75, 75, -75, 75, -75])
    rest, printed = np.zeros(6), [126.4936, 97.4663, 69.9762, 43.7998, 21.9371, 6.1646]
    tau = arm.inverse_dynamics(zigzag, rest, np.ones(6))
    assert_allclose(tau, printed, atol=1e-4)
    assert_allclose(np.linalg.cond(arm.mass_matrix(zigzag)), 725, atol=0.5)
    rounded = np.array([float(f"{value:.3g}") for value in tau])
    wrong = [0.6592, 1.3654, 1.3808, 0.5894, 0.9057, 1.0705]
    assert_allclose(arm.forward_dynamics(zigzag, rest, rounded), wrong, atol=5e-5)


def test_scara_carries_its_quill_only():
    """A SCARA's gravity force is constant, acts on the vertical slide alone, and its mass matrix
    depends on the second joint only: no potential and no lever arm says otherwise."""
    arm, rng = ma.robots.scara().ideal, np.random.default_rng(1)
    q, other = rng.uniform(-1, 1, size=(2, arm.n))
    g = arm.gravity_forces(q)
    close(arm.gravity_forces(other), g)
    assert np.count_nonzero(np.abs(g) > 1e-12) == 1
    other[1] = q[1]
    close(arm.mass_matrix(other), arm.mass_matrix(q))


VERTICAL_FIRST = ["scara", "furuta", "stanford", "puma560", "ur5", "panda", "seven_r"]


@pytest.mark.parametrize("name", VERTICAL_FIRST)
def test_turning_the_whole_robot_changes_nothing(name):
    """M, c and g of an arm whose first axis is vertical do not depend on the first joint, because
    energies are unchanged when the whole arm is turned about it."""
    arm, rng = getattr(ma.robots, name)().ideal, np.random.default_rng(2)
    q, qd, qdd = rng.uniform(-2, 2, size=(3, arm.n))
    turned = q.copy()
    turned[0] += 1.25
    close(arm.mass_matrix(turned), arm.mass_matrix(q))
    close(arm.inverse_dynamics(turned, qd, qdd), arm.inverse_dynamics(q, qd, qdd))
    assert abs(arm.gravity_forces(q)[0]) < 1e-12


@pytest.mark.parametrize("name", ["stanford", "puma560", "ur5", "panda", "seven_r", "two_arms"])
def test_power_balance_of_bundled_arms(name):
    """Joint power equals the rate of kinetic plus potential energy, differenced along the motion
    with an error of fourth order."""
    arm, rng = getattr(ma.robots, name)().ideal, np.random.default_rng(4)
    q, qd, qdd = rng.uniform(-1, 1, size=(3, arm.n))
    step, weights = 2.0**-8, {-2: 1 / 12, -1: -8 / 12, 1: 8 / 12, 2: -1 / 12}

    def energy(t):
        position, rate = q + qd * t + qdd * t * t / 2, qd + qdd * t
        return arm.kinetic_energy(position, rate) + arm.potential_energy(position)

    change = sum(w * energy(k * step) for k, w in weights.items()) / step
    assert_allclose(qd @ arm.inverse_dynamics(q, qd, qdd), change, rtol=1e-6, atol=1e-6)
