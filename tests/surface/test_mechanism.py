"""Quantities of the mechanism as a user holds them: shapes, names, dtypes, and what is refused."""

import numpy as np
import pytest

import momentarm as ma
from momentarm.backends.numpy import function
from momentarm.quantities import QUANTITIES

RNG = np.random.default_rng(3)
PANDA, ARMS = ma.robots.panda(), ma.robots.two_arms()
FLOATING = """<robot name="craft"><link name="hull"><inertial><mass value="3"/>
<inertia ixx="1" iyy="1.2" izz="1.4" ixy="0" ixz="0.1" iyz="0"/></inertial></link>
<link name="boom"><inertial><origin xyz="0.2 0 0.1"/><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="swing" type="continuous"><parent link="hull"/><child link="boom"/>
<origin xyz="0.5 0 0"/><axis xyz="0 1 0"/></joint></robot>"""
SHAPES = {
    "mass_matrix_inverse": (7, 7),
    "mass_matrix_dot": (7, 7),
    "coriolis_matrix": (7, 7),
    "christoffel": (7, 7, 7),
    "frame_velocity": (6,),
    "frame_acceleration": (6,),
    "jacobian_dot": (6, 7),
    "acceleration_terms": (3, 7, 7),
    "momentum": (6,),
    "center_of_mass": (3,),
    "center_of_mass_velocity": (3,),
    "center_of_mass_jacobian": (3, 7),
    "centroidal_momentum_matrix": (6, 7),
    "centroidal_momentum_bias": (6,),
    "link_wrenches": (len(PANDA.link_names), 6),
    "generalized_forces": (7,),
}


def test_a_robot_without_joints_has_empty_jacobians():
    """With all joints held a robot keeps six rows of Jacobians, of no columns, and any of them;
    task space and constraints say what is missing."""
    arm = ma.robots.planar_2r().lock(["joint1", "joint2"])
    assert arm.jacobian([]).shape == (6, 0)
    assert arm.jacobian([], rows=("x", "z")).shape == (2, 0)
    assert arm.jacobian_dot([], [], rows=("x",)).shape == (1, 0)
    with pytest.raises(ValueError, match="1 rows of 0 degrees of freedom"):
        arm.task_dynamics([], [], rows=("x",))
    with pytest.raises(ValueError, match="has no joint that moves"):
        arm.with_constraints(ma.hold("tip", rows=["x"]))


@pytest.fixture
def craft(tmp_path):
    (tmp_path / "craft.urdf").write_text(FLOATING)
    return ma.load(tmp_path / "craft.urdf", base="floating")


def given(arm, name, count):
    """Random batches for the arguments of a quantity."""
    return [arm.random_q(RNG, count) if k == "q" else RNG.normal(size=(count, arm.n))
            for k, _ in QUANTITIES[name].inputs]  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_a_batch_is_its_states(name):
    """A batch gives, bit for bit, the rows that its states give alone, of the shape documented, and
    in float32 the same to 1e-4 of the largest number."""
    batch = given(PANDA, name, 9)
    f = getattr(PANDA, name)
    found = f(*batch)
    assert found.shape == (9, *SHAPES[name])
    assert np.array_equal(found[4], f(*(a[4] for a in batch)))
    rough = f(*batch, dtype=np.float32)
    assert rough.dtype == np.float32
    assert np.abs(rough - found).max() < 1e-4 * np.abs(found).max()


@pytest.mark.parametrize("name", SHAPES)
def test_routes_of_one_quantity_agree(name):
    """All formulations among which a kernel chooses give the same numbers to 1e-11."""
    for arm, options in ((PANDA, {}), (ARMS, {"frame": "left_hand"})):
        known = {k: x for k, x in options.items() if k in QUANTITIES[name].options}
        batch = given(arm, name, 5)
        recipe = arm.kernel(name, **known).recipe
        found = [function(trace())(*batch) for trace in recipe.routes.values()]
        for other in found[1:]:
            assert np.abs(other - found[0]).max() < 1e-11 * max(1, np.abs(found[0]).max())


@pytest.mark.parametrize("robot", ["ur5", "puma560", "seven_r", "two_arms", "scara"])
def test_kernels_compute_what_was_traced(robot):
    """Simplified, fused and compiled, every quantity of five bundled robots gives what its trace
    gives, operation by operation in NumPy, to 1e-12."""
    arm = getattr(ma.robots, robot)()
    for name in SHAPES:
        has_frame = "frame" in QUANTITIES[name].options
        options = {"frame": arm.tip or "left_hand"} if has_frame else {}
        batch, kernel = given(arm, name, 3), arm.kernel(name, **options)
        expected = function(kernel.recipe.routes[kernel.route]())(*batch)
        off = np.abs(getattr(arm, name)(*batch, **options) - expected).max()
        assert off < 1e-12 * max(1, np.abs(expected).max()), name


@pytest.mark.parametrize("name", SHAPES)
def test_numbers_of_the_robot_may_be_arguments(name):
    """Given inertias, gravity and a payload as arguments, a kernel gives what the kernel of the
    robot that has these numbers gives, to 1e-11."""
    arm = ma.robots.puma560()
    if not QUANTITIES[name].needs_inertia:
        return
    phi, load = 1.1 * arm.parameters(), np.array([0.5, 0.1, 0, 0.02, 1, 0, 1, 0, 0, 1]) * 0.1
    batch = given(arm, name, 4)
    kernel = arm.kernel(name, parametric=("inertia", "payload"))
    heavy = arm.with_parameters(phi)
    heavy = heavy.with_payload(0.05, load[1:4] / 0.05, central(load))
    found, expected = kernel(*batch, phi, load), getattr(heavy, name)(*batch)
    assert np.abs(found - expected).max() < 1e-11 * max(1, np.abs(expected).max())


def central(phi):
    """xx, yy, zz, xy, xz, yz about the centre of mass, by Steiner."""
    c, (xx, xy, yy, xz, yz, zz) = phi[1:4] / phi[0], phi[4:]
    E = phi[0] * (c @ c * np.eye(3) - np.outer(c, c))
    return np.array([xx, yy, zz, xy, xz, yz]) - [*np.diag(E), E[0, 1], E[0, 2], E[1, 2]]


def test_symmetric_matrices_are_symmetric_to_the_bit(craft):
    """Ṁ and M⁻¹ equal their transposes bit for bit, with mimics, on a tree and floating, and so
    do Γ in its last two indices and the terms of acceleration."""
    gripper = ma.robots.gripper()
    for arm in (gripper, ARMS, craft, PANDA):
        q, qd = arm.random_q(RNG, 5), RNG.normal(size=(5, arm.n))
        frame = arm.tip or arm.frames[-1]
        found = [arm.mass_matrix_dot(q, qd), arm.mass_matrix_inverse(q),
                 arm.acceleration_terms(q, frame=frame)]  # fmt: skip
        if arm is not craft:
            found.append(arm.christoffel(q))
        for A in found:
            assert np.array_equal(A, np.swapaxes(A, -1, -2))


def test_rates_are_those_of_small_steps(craft):
    """On a floating robot Ṁ and J̇ of compiled kernels are symmetric differences of M and J along
    `integrate` to 1e-8."""
    q, qd, h = craft.random_q(2), RNG.normal(size=craft.n), 1e-5
    before, after = (craft.integrate(q, s * qd, h) for s in (-1, 1))
    M_dot = (craft.mass_matrix(after) - craft.mass_matrix(before)) / (2 * h)
    assert np.abs(craft.mass_matrix_dot(q, qd) - M_dot).max() < 1e-8
    for reference in ("body", "space", "world"):
        J = [craft.jacobian(x, reference=reference) for x in (before, after)]
        found = craft.jacobian_dot(q, qd, reference=reference)
        assert np.abs(found - (J[1] - J[0]) / (2 * h)).max() < 1e-8


def test_a_floating_robot_has_no_christoffel_symbols(craft):
    """Γ of a floating robot is refused by the joint's name, alone and in a fused kernel; C is not,
    and never takes the way by symbols."""
    with pytest.raises(ValueError, match="craft has 8 coordinates and 7 rates, as 'floating_base'"):
        craft.christoffel(craft.q_home)
    with pytest.raises(ValueError, match="quaternion"):
        craft.kernel("mass_matrix", "christoffel").ops  # noqa: B018
    kernel = craft.kernel("coriolis_matrix")
    assert "Christoffel symbols" not in kernel.recipe.routes
    assert "Christoffel symbols" in PANDA.kernel("coriolis_matrix").recipe.routes


def test_wrenches_have_the_names_of_links():
    """Row i of `link_wrenches` is for link_names[i], all links of the file but the base; at rest
    the tree's first link carries the weight of all that moves with it."""
    names = ARMS.link_names
    assert set(names) == {link.name for link in ARMS.mechanism.links}
    q, rest = ARMS.q_home, np.zeros(ARMS.n)
    F = ARMS.link_wrenches(q, rest, rest)
    assert F.shape == (len(names), 6)
    roots = [i for i, link in enumerate(ARMS.mechanism.links) if link.parent < 0]
    weight = sum(link.inertia.m for link in ARMS.mechanism.links) * 9.81
    assert np.isclose(np.linalg.norm(F[roots, 3:].sum(axis=0)), weight)


def test_a_fixed_link_transmits_its_load(tmp_path):
    """A payload on a fixed joint pulls at it with its own weight, m g, and the moment of its lever
    arm, in the payload's frame."""
    text = FLOATING.replace('type="continuous"', 'type="fixed"').replace(
        '<axis xyz="0 1 0"/>', "")  # fmt: skip
    (tmp_path / "fixed.urdf").write_text(text)
    arm = ma.load(tmp_path / "fixed.urdf", base="floating")
    rest = np.zeros(6)
    F = arm.link_wrenches(arm.q_home, rest, rest)[arm.link_names.index("boom")]
    assert np.allclose(F, [0, -0.2 * 9.81, 0, 0, 0, 9.81], atol=1e-12)


def test_a_massless_base_that_floats_has_no_accelerations():
    """A base without mass turns freely about the first axis of its arm: forward dynamics is refused
    by the name of a joint, inverse dynamics is not."""
    arm = ma.load(ma.robots.path("planar_3r"), base="floating")
    zero = np.zeros(arm.n)
    assert np.isfinite(arm.inverse_dynamics(arm.random_q(0), zero, zero)).all()
    for name in ("forward_dynamics", "mass_matrix_inverse", "step", "task_dynamics"):
        with pytest.raises(ValueError, match=rf"{name}: joint '.*' together with others moves no"):
            arm.kernel(name)


def test_an_idle_joint_has_no_inverse(tmp_path):
    """M⁻¹ of a robot with a joint that moves no inertia is refused by that joint's name."""
    flag = """<link name="flag"/><joint name="idle" type="continuous"><parent link="boom"/>
        <child link="flag"/><axis xyz="0 0 1"/></joint></robot>"""
    (tmp_path / "idle.urdf").write_text(FLOATING.replace("</robot>", flag))
    arm = ma.load(tmp_path / "idle.urdf")
    with pytest.raises(ValueError, match=r"mass_matrix_inverse: joint 'idle' moves no inertia"):
        arm.mass_matrix_inverse([0.0, 0.0])


def test_rates_of_some_rows():
    """jacobian_dot's rows are those of the whole in the order asked for; unknown ones are refused
    as for the Jacobian."""
    q, qd = PANDA.random_q(1), RNG.normal(size=7)
    whole = PANDA.jacobian_dot(q, qd)
    assert np.allclose(PANDA.jacobian_dot(q, qd, rows=("x", "rz")), whole[[3, 2]], atol=1e-14)
    with pytest.raises(ValueError, match="no row 'xx'; did you mean 'x'"):
        PANDA.jacobian_dot(q, qd, rows="xx")


def test_own_kernels_know_the_quantities():
    """In a kernel of one's own C q̇ + g equals the bias forces, and J q̈ + J̇ q̇ the acceleration
    of the tip, as compiled alone."""

    def f(arm, q, qd, qdd):
        h = arm.coriolis_matrix(q, qd) @ qd + arm.gravity_forces(q)
        option = {"reference": "world"}
        return h, arm.jacobian(q, **option) @ qdd + arm.jacobian_dot(q, qd, **option) @ qd

    q, qd, qdd = PANDA.random_q(1, 4), *RNG.normal(size=(2, 4, 7))
    h, a = ma.kernel(f, PANDA)(q, qd, qdd)
    assert np.allclose(h, PANDA.bias_forces(q, qd), atol=1e-12)
    expected = PANDA.frame_acceleration(q, qd, qdd, reference="world")
    assert np.allclose(a, expected, atol=1e-12)


def test_a_robot_of_many_ends_names_the_first_ones(tmp_path):
    """Where no frame is named a robot of forty ends lists ten of them and counts the others."""
    ends = "".join(f"""<link name="e{k}"/><joint name="j{k}" type="continuous"><parent link="hub"/>
        <child link="e{k}"/><axis xyz="0 1 0"/></joint>""" for k in range(40))  # fmt: skip
    (tmp_path / "star.urdf").write_text(f'<robot name="star"><link name="hub"/>{ends}</robot>')
    with pytest.raises(ValueError, match=r"branches are e0, .* e9 and 30 more$"):
        ma.load(tmp_path / "star.urdf").forward_kinematics(np.zeros(40))
