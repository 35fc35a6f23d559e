"""Task space and constraints against numbers printed in the book and linkages solved on paper."""

import numpy as np
import pytest
from numpy import cos, sin, sqrt
from numpy.testing import assert_allclose

import momentarm as ma

ROOT = sqrt(3.0)
PLANE = {"reference": "world", "rows": ("x", "y")}
Q, QD = np.array([-np.pi / 3, 2 * np.pi / 3]), np.array([1.0, 0.0])
TORQUES = [(0.0, 0.0), (1.0, 0.0), (-2.0, 3.0)]


def close(found, expected):
    assert_allclose(found, expected, rtol=0, atol=1e-13)


def x_is_one(arm, q):
    """φ of example 8.5, c₁ + c₁₂ = 1."""
    return [np.cos(q[0]) + np.cos(q[0] + q[1]) - 1]


def channel_row(arm, q):
    """A of example 8.5 as it is printed."""
    s12 = np.sin(q[0] + q[1])
    return [[-np.sin(q[0]) - s12, -s12]]


CHANNELS = {
    "held": ma.hold("tip", rows=["x"]),
    "held at a place": ma.hold("tip", rows=["x"], at=[1, 0, 0]),
    "positions": ma.constraint(x_is_one),
    "A": ma.constraint(channel_row),
}


@pytest.fixture(scope="module", params=CHANNELS)
def channel(request):
    """The 2R arm of example 8.5 whose tip moves in a channel at x = 1, told in four ways."""
    arm = ma.robots.planar_2r().with_gravity([0, 0, 0])
    return arm.with_constraints(CHANNELS[request.param])


# -- the end-effector's mass, §8.1.3 (S1, S2)


def test_task_mass_at_90_degrees():
    """At 90 degrees Λ of the 2R arm is diag(1, 2): a force along y feels both masses."""
    arm, q = ma.robots.planar_2r(), [0, np.pi / 2]
    mass, _, pivot = arm.task_dynamics(q, [0, 0], **PLANE)
    close(mass, [[1, 0], [0, 2]])
    close(arm.mass_ellipsoid(q).lengths, [2 - sqrt(2), 2 + sqrt(2)])
    assert pivot == pytest.approx(0.5)  # 1/2 over 1


def test_task_mass_at_150_degrees():
    """At 150 degrees Λ is [[4, −√3], [−√3, 2]] with eigenvalues 1 and 5, and a unit force along x
    accelerates the tip by (0.4, 0.2 √3)."""
    arm, q = ma.robots.planar_2r(), np.array([0, np.radians(150)])
    mass, _, _ = arm.task_dynamics(q, [0, 0], **PLANE)
    close(arm.mass_matrix(q), [[3 - ROOT, 1 - ROOT / 2], [1 - ROOT / 2, 1]])
    close(mass, [[4, -ROOT], [-ROOT, 2]])
    close(np.linalg.solve(mass, [1, 0]), [0.4, 0.2 * ROOT])
    felt = arm.tip_mass_ellipsoid(q, rows=("x", "y"))
    close(felt.lengths, [1, 5])
    close(mass @ felt.axes, felt.axes * felt.lengths)
    close(arm.tip_acceleration_ellipsoid(q, rows=("x", "y")).lengths, [0.2, 1])


def test_task_dynamics_is_the_acceleration_of_a_free_tip():
    """With no efforts and no gravity the tip of the moving 2R arm accelerates by −Λ⁻¹ η, which is
    p̈ of its joints' motion differentiated on paper."""
    arm, q, qd = ma.robots.planar_2r().with_gravity([0, 0, 0]), [0.4, 1.1], [0.7, -1.9]
    mass, eta, _ = arm.task_dynamics(q, qd, **PLANE)
    qdd = arm.forward_dynamics(q, qd, [0, 0])
    (a, b), w, wd = (q[0], q[0] + q[1]), (qd[0], sum(qd)), (qdd[0], sum(qdd))
    p = [-cos(a) * w[0] ** 2 - cos(b) * w[1] ** 2 - sin(a) * wd[0] - sin(b) * wd[1],
         -sin(a) * w[0] ** 2 - sin(b) * w[1] ** 2 + cos(a) * wd[0] + cos(b) * wd[1]]  # fmt: skip
    close(np.linalg.solve(mass, -eta), p)


# -- example 8.5 (S3 to S6)


def test_channel_has_the_books_rows(channel):
    """A = [0, −√3/2]; Ȧ = [−1, −1/2], by polarisation of the quadratic Ȧ q̇; M = [[2, ½], [½, 1]],
    h = (0, √3/2)."""
    close(channel.constraint_matrix(Q), [[0, -ROOT / 2]])
    b, other = channel.constraint_bias, np.array([0.0, 1.0])
    close(b(Q, QD), [-1])
    close((b(Q, QD + other) - b(Q, QD) - b(Q, other)) / 2, [-0.5])
    close(channel.robot.mass_matrix(Q), [[2, 0.5], [0.5, 1]])
    close(channel.robot.bias_forces(Q, QD), [0, ROOT / 2])


@pytest.mark.parametrize("tau", TORQUES)
def test_channel_moves_as_the_book_says(channel, tau):
    """λ = τ₁/(2√3) − 2τ₂/√3 − 1/6 and q̈ = (τ₁/2 + 1/(2√3), −2/√3)."""
    qdd, lam, pivot = channel.forward_dynamics(Q, QD, tau)
    close(lam, [tau[0] / (2 * ROOT) - 2 * tau[1] / ROOT - 1 / 6])
    close(qdd, [tau[0] / 2 + 1 / (2 * ROOT), -2 / ROOT])
    assert pivot > 0.5


def test_channel_has_the_books_projectors(channel):
    """P = [[1, 0], [¼, 0]] of rank 1 and P_q̈ = Pᵀ."""
    P, P_qdd, _ = channel.projectors(Q)
    close(P, [[1, 0], [0.25, 0]])
    close(P_qdd, [[1, 0.25], [0, 0]])
    moving, against, _ = channel.split_efforts(Q, [2.0, 3.0])
    close(moving, [2, 0.5])
    close(against, [0, 2.5])


def test_channel_feels_the_tip_push_left(channel):
    """J⁻ᵀ Aᵀ = (1, 0)ᵀ, with J⁻ᵀ = [[1/√3, −2/√3], [1, 0]], so without efforts the tip applies
    (−1/6, 0) to the channel; and (f, 0) needs λ = f."""
    J = channel.robot.jacobian(Q, **PLANE)
    close(np.linalg.inv(J).T, [[1 / ROOT, -2 / ROOT], [1, 0]])
    close(channel.constraint_wrench(Q, [1.0], **PLANE)[0], [1, 0])
    _, lam, _ = channel.forward_dynamics(Q, QD, [0, 0])
    close(channel.constraint_wrench(Q, lam, **PLANE)[0], [-1 / 6, 0])
    close(channel.multipliers(Q, [7.0, 0], **PLANE)[0], [7])


@pytest.mark.parametrize("a, f", [(0.0, 0.0), (1.0, 0.0), (2.5, -4.0)])
def test_channel_needs_the_books_torques(channel, a, f):
    """For q̈ = (a, −2/√3) and λ = f: τ₁ = 2a − 1/√3, τ₂ = a/2 − (√3/2) f − 1/(2√3)."""
    tau = channel.inverse_dynamics(Q, QD, [a, -2 / ROOT], [f])
    close(tau, [2 * a - 1 / ROOT, a / 2 - ROOT / 2 * f - 1 / (2 * ROOT)])


# -- a four-bar linkage: a parallelogram, whose coupler only translates

CRANK, COUPLER, MASSES, COMS, INERTIAS = 0.5, 0.8, (1.0, 2.0, 1.5), (0.2, 0.3, 0.1), (0.1, 0.3, 0.2)
BARS = zip(("crank", "coupler", "rocker"), MASSES, COMS, INERTIAS, strict=True)
LINKS = [f"""[[link]]
name = "{name}"
mass = {m}
com = [{c}, 0, 0]
inertia = [{I}, {I}, {I}, 0, 0, 0]
""" for name, m, c, I in BARS]  # fmt: skip
JOINTS = [f"""[[joint]]
name = "{name}"
type = "continuous"
parent = "{parent}"
child = "{child}"
xyz = [{x}, 0, 0]
""" for name, parent, child, x in (("a", "ground", "crank", 0), ("b", "crank", "coupler", CRANK),
                                   ("c", "coupler", "rocker", COUPLER))]  # fmt: skip
FRAMES = [f"""[[frame]]
name = "{name}"
parent = "{parent}"
xyz = [{x}, 0, 0]
""" for name, parent, x in (("foot", "rocker", CRANK), ("pin", "ground", COUPLER))]  # fmt: skip
HEAD = """format = "momentarm robot 1"
name = "linkage"
gravity = [0, -9.81, 0]
base = "ground"
[[link]]
name = "ground"
"""


@pytest.fixture(scope="module", params=["loop", "place"])
def linkage(request, tmp_path_factory):
    """The parallelogram closed by two rows, of two frames or of a frame and a place."""
    path = tmp_path_factory.mktemp("linkage") / "linkage.toml"
    path.write_text("\n".join([HEAD, *LINKS, *JOINTS, *FRAMES]))
    rows = {"loop": ma.close("foot", "pin", rows=("x", "y")),
            "place": ma.hold("foot", rows=("x", "y"), at=[COUPLER, 0, 0])}  # fmt: skip
    return ma.load(path).with_constraints(rows[request.param])


def at_crank_angle(angle, rate):
    """The joints of the parallelogram: the coupler stays level, the rocker points down."""
    return np.array([angle, -angle, angle + np.pi]), rate * np.array([1.0, -1.0, 1.0])


@pytest.mark.parametrize("angle, rate", [(0.7, 0.0), (1.9, -3.0), (-2.2, 1.5)])
def test_parallelogram_moves_as_one_body(linkage, angle, rate):
    """Crank and rocker turn, the coupler goes round without turning: (I₁ + m₁c₁² + m₂r² + I₃ +
    m₃(r − c₃)²) θ̈ = τ_a − τ_b + τ_c − (m₁c₁ + m₂r + m₃(r − c₃)) g cos θ, at any speed."""
    q, qd = at_crank_angle(angle, rate)
    tau = np.array([3.0, -1.0, 0.5])
    arms = (COMS[0], CRANK, CRANK - COMS[2])
    inertia = INERTIAS[0] + INERTIAS[2] + sum(m * r**2 for m, r in zip(MASSES, arms, strict=True))
    weight = 9.81 * sum(m * r for m, r in zip(MASSES, arms, strict=True)) * cos(angle)
    expected = (tau @ [1, -1, 1] - weight) / inertia
    qdd, _, pivot = linkage.forward_dynamics(q, qd, tau)
    assert_allclose(linkage.constraint_errors(q), 0, atol=1e-15)
    assert_allclose(qdd, expected * np.array([1, -1, 1]), atol=1e-12)
    assert pivot > 0.01


@pytest.mark.parametrize("method", ["rk4", "euler"])
def test_steps_of_a_linkage_are_those_of_its_angle(linkage, method):
    """A step of the three joints is the same method's step of the one equation of the crank, as
    the joints of a parallelogram are linear in its angle; pivots are the smallest on the way."""
    arms = (COMS[0], CRANK, CRANK - COMS[2])
    inertia = INERTIAS[0] + INERTIAS[2] + sum(m * r**2 for m, r in zip(MASSES, arms, strict=True))
    moment = 9.81 * sum(m * r for m, r in zip(MASSES, arms, strict=True))

    def slope(y):
        return np.array([y[1], (1.0 - moment * cos(y[0])) / inertia])

    y, dt, (q, qd) = np.array([0.7, 1.5]), 0.01, at_crank_angle(0.7, 1.5)
    for _ in range(20):
        q, qd, pivot = linkage.step(q, qd, [1.0, 0.0, 0.0], dt, method=method)
        if method == "euler":
            y = y + dt * slope(y)
            continue
        a = slope(y)
        b = slope(y + dt / 2 * a)
        c = slope(y + dt / 2 * b)
        y = y + dt / 6 * (a + 2 * b + 2 * c + slope(y + dt * c))
    assert_allclose(q, at_crank_angle(*y)[0], atol=1e-11)
    assert_allclose(qd, at_crank_angle(*y)[1], atol=1e-11)
    assert pivot > 0.01


def test_linkage_loses_its_pivot_where_it_is_flat(linkage):
    """Where all bars lie on one line rows of the loop depend on each other: the smallest pivot is
    0 to rounding, and above a thousandth a tenth of a radian away."""
    flat, _ = at_crank_angle(0.0, 0.0)
    near, _ = at_crank_angle(0.1, 0.0)
    rest = np.zeros(3)
    assert abs(linkage.forward_dynamics(flat, rest, rest)[2]) < 1e-14
    assert linkage.forward_dynamics(near, rest, rest)[2] > 1e-3


def test_a_planar_linkage_needs_two_rows_of_a_hinge(linkage):
    """All five rows of a hinge are three too many for bars in a plane: they are named, and dropping
    them leaves x and y and one freedom."""
    arm = linkage.robot
    with pytest.raises(ValueError, match=r"foot~pin\.rx is always 0; .*foot~pin\.z is always 0"):
        arm.with_constraints(ma.close("foot", "pin", rows="hinge"))
    held = arm.with_constraints(ma.close("foot", "pin", rows="hinge"), redundant="drop")
    assert (held.row_names, held.freedom) == (("foot~pin.x", "foot~pin.y"), 1)


def test_linkage_is_closed_from_nearby(linkage):
    """States a tenth off are carried to ones whose foot is at the pin, in a batch."""
    q, _ = at_crank_angle(0.9, 0.0)
    near = q + np.random.default_rng(3).uniform(-0.1, 0.1, (4, 3))
    closed = linkage.nearest(near)
    feet = linkage.robot.forward_kinematics(closed, frame="foot")[..., :2, 3]
    assert_allclose(feet, np.broadcast_to([COUPLER, 0], (4, 2)), atol=1e-9)
    assert np.abs(closed - near).max() < 0.3


@pytest.mark.parametrize("decay, left", [((0, 0), 1.0), ((10, 10), 11 * np.exp(-10))])
def test_errors_fade_as_their_oscillator(decay, left):
    """A linkage that starts open by millimetres, at rest without gravity, is after a second open
    by (1 + 10) e⁻¹⁰ of it with the critical decay (10, 10), and by all of it with none."""
    arm = ma.robots.planar_3r().with_gravity([0, 0, 0]).ideal
    held = arm.with_constraints(ma.hold("tip", rows=("x", "y"), at=[0.5, 0.1, 0]), decay=decay)
    q = held.nearest([0.3, 0.8, -1.0]) + 0.005
    qd, dt, start = np.zeros(3), 1e-3, held.constraint_errors(q)
    for _ in range(1000):
        qdd, _, _ = held.forward_dynamics(q, qd, [0, 0, 0])
        q, qd = q + dt * qd + dt**2 / 2 * qdd, qd + dt * qdd
    assert np.abs(start).max() > 1e-3
    assert_allclose(held.constraint_errors(q) / start, left, rtol=0.1)
