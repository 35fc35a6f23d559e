"""Constrained robots as a user meets them: batches, own functions, redundant rows, mistakes."""

import pickle
import warnings

import numpy as np
import pytest

import momentarm as ma
from momentarm.constrained.redundancy import redundant_rows
from momentarm.kernels import engine

RNG = np.random.default_rng(11)
PANDA = ma.robots.panda()
STATE = [PANDA.random_q(RNG, 6), *RNG.normal(size=(2, 6, 7))]


@pytest.fixture(scope="module")
def door():
    """The Panda's hand on the hinge of a door: five rows."""
    return PANDA.with_constraints(ma.hold(rows=("x", "y", "z", "rx", "ry")))


def test_batches_are_states_one_by_one(door):
    """Every answer of a batch has the bits of the same call for each of its states, whatever the
    leading shape."""
    q, qd, tau = STATE
    whole = door.forward_dynamics(q, qd, tau)
    apart = [door.forward_dynamics(*state) for state in zip(*STATE, strict=True)]
    assert all(np.array_equal(a, np.stack(b)) for a, b in zip(whole, zip(*apart), strict=True))
    shaped = door.forward_dynamics(*(x.reshape(2, 3, 7) for x in STATE))
    assert [x.shape for x in shaped] == [(2, 3, 7), (2, 3, 5), (2, 3)]
    assert np.array_equal(door.projectors(q)[0][4], door.projectors(q[4])[0])


def test_dtypes_and_out(door):
    """dtype=float32 gives float32 near the float64 answer, and out= takes the result."""
    q, qd, _ = STATE
    A = door.constraint_matrix(q, dtype=np.float32)
    assert A.dtype == np.float32
    assert np.allclose(A, door.constraint_matrix(q), atol=1e-5)
    out = np.empty((6, 5))
    assert door.constraint_bias(q, qd, out=out) is out


def test_constrained_motion_obeys_newton_and_euler(door):
    """The free robot's inverse dynamics of the constrained q̈, plus Aᵀ λ, are the efforts, friction
    included; the hand's five rates do not change."""
    q, qd, tau = STATE
    qdd, lam, pivot = door.forward_dynamics(q, qd, tau)
    A = door.constraint_matrix(q)
    pressed = np.einsum("nki,nk->ni", A, lam)
    assert np.allclose(PANDA.inverse_dynamics(q, qd, qdd) + pressed, tau, atol=1e-9)
    assert np.allclose(np.einsum("nki,ni->nk", A, qdd), -door.constraint_bias(q, qd), atol=1e-9)
    assert (pivot > 1e-6).all()
    assert np.allclose(door.inverse_dynamics(q, qd, qdd, lam), tau, atol=1e-9)


def test_allowed_accelerations_are_taken(door):
    """Inverse dynamics refuses random accelerations by the name of a row and of a state, and takes
    the nearest allowed ones."""
    q, qd, qdd = STATE
    with pytest.raises(ValueError, match=r"of state 0: the constraint \S+\.x allows no such"):
        door.inverse_dynamics(q, qd, qdd, np.zeros(5))
    allowed, _ = door.allowed_accelerations(q, qd, qdd)
    assert door.inverse_dynamics(q, qd, allowed, np.zeros(5)).shape == (6, 7)


def test_nan_passes_through(door):
    """A state with NaN answers NaN in its place of a batch and leaves the others alone."""
    q = STATE[0].copy()
    q[2, 0] = np.nan
    qdd, lam, pivot = door.forward_dynamics(q, *STATE[1:])
    whole = door.forward_dynamics(*STATE)
    assert np.isnan(qdd[2]).all()
    assert np.isnan(lam[2]).all()
    assert np.isnan(pivot[2])
    assert np.array_equal(np.delete(qdd, 2, 0), np.delete(whole[0], 2, 0))
    e = PANDA.tip_mass_ellipsoid(q, rows=("x", "y", "z"))
    assert np.isnan(e.lengths[2]).all()
    assert np.isfinite(np.delete(e.lengths, 2, 0)).all()


def test_the_door_is_freed_by_its_wrench(door):
    """The wrench that λ stands for, taken as a tip wrench of the free robot, gives the constrained
    q̈ by forward dynamics: what the hand applies to the door."""
    q, qd, tau = STATE
    qdd, lam, _ = door.forward_dynamics(q, qd, tau)
    wrench, _ = door.constraint_wrench(q, lam)
    assert np.allclose(PANDA.forward_dynamics(q, qd, tau, tip_wrench=wrench), qdd, atol=1e-8)
    assert np.allclose(door.multipliers(q, wrench)[0], lam, atol=1e-8)


# -- functions of one's own


def hand_height(arm, q):
    return arm.forward_kinematics(q)[2, 3] - 0.4


def hand_place(arm, q):
    return arm.forward_kinematics(q)[:3, 3]


def hand_rows(arm, q):
    return arm.jacobian(q, reference="world", rows=("x", "y", "z"))


FLOATER = """format = "momentarm robot 1"
name = "floating"
base = "world"
tip = "hand"
[[link]]
name = "world"
[[link]]
name = "body"
mass = 2
com = [0.1, 0, 0]
inertia = [0.1, 0.2, 0.3, 0, 0, 0]
[[link]]
name = "arm"
mass = 1
com = [0, 0, 0.2]
inertia = [0.1, 0.1, 0.05, 0, 0, 0]
[[link]]
name = "hand"
mass = 0.5
com = [0, 0.1, 0]
inertia = [0.01, 0.02, 0.02, 0, 0, 0]
[[joint]]
name = "root"
type = "free"
parent = "world"
child = "body"
[[joint]]
name = "shoulder"
type = "spherical"
parent = "body"
child = "arm"
xyz = [0.3, 0, 0.1]
[[joint]]
name = "wrist"
type = "revolute"
parent = "arm"
child = "hand"
xyz = [0, 0, 0.4]
axis = [0, 1, 0]
"""


@pytest.fixture(scope="module")
def floater(tmp_path_factory):
    """A robot with quaternions: a body that floats, an arm on a ball joint, a wrist."""
    path = tmp_path_factory.mktemp("floater") / "floater.toml"
    path.write_text(FLOATER)
    return ma.load(path)


@pytest.mark.parametrize("f", [hand_place, hand_rows])
@pytest.mark.parametrize("which", ["panda", "floater"])
def test_own_functions_are_the_rows_of_frames(f, which, floater):
    """Places of the hand, differentiated on the tape along rates and again in time, and its
    Jacobian, differentiated in time, give A, Ȧ q̇ and q̈ of the held frame; quaternions too."""
    arm = {"panda": PANDA, "floater": floater}[which]
    held = arm.with_constraints(ma.hold(rows="point"))
    own = arm.with_constraints(ma.constraint(f))
    q, (qd, tau) = arm.random_q(5, 4), RNG.normal(size=(2, 4, arm.n))
    assert np.allclose(own.constraint_matrix(q), held.constraint_matrix(q), atol=1e-12)
    assert np.allclose(own.constraint_bias(q, qd), held.constraint_bias(q, qd), atol=1e-12)
    for a, b in zip(own.forward_dynamics(q, qd, tau)[:2],
                    held.forward_dynamics(q, qd, tau)[:2], strict=True):  # fmt: skip
        assert np.allclose(a, b, atol=1e-9)


def test_a_number_is_one_place():
    """A function that returns one number is one row, and its errors are that number."""
    own = PANDA.with_constraints(ma.constraint(hand_height))
    q = STATE[0]
    height = PANDA.forward_kinematics(q)[:, 2, 3]
    assert own.row_names == ("hand_height[0]",)
    assert np.allclose(own.constraint_errors(q)[:, 0], height - 0.4, atol=1e-13)
    closed = own.nearest(q)
    assert np.allclose(PANDA.forward_kinematics(closed)[:, 2, 3], 0.4, atol=1e-9)


def test_floating_loops_keep_their_quaternions(floater):
    """A floating robot's hand is brought to a pose from anywhere near, and its quaternions keep
    their length."""
    goal = floater.forward_kinematics(floater.random_q(8))
    held = floater.with_constraints(ma.hold(rows="pose", at=goal))
    q = held.nearest(floater.random_q(9))
    assert np.allclose(floater.forward_kinematics(q), goal, atol=1e-8)
    lengths = [np.linalg.norm(q[k : k + 4]) for k, name in enumerate(floater.q_names)
               if name.endswith(".qx")]  # fmt: skip
    assert np.allclose(lengths, 1, atol=1e-12)


# -- redundant and impossible


def test_redundant_rows_are_named_and_dropped():
    """All six rows of a planar arm's tip are refused, each of the four that are too many with what
    it follows from; dropping them leaves as many as are independent."""
    arm = ma.robots.planar_2r()
    with pytest.raises(ValueError, match=r"of 6 rows 4 are redundant .*tip\.z is always 0"):
        arm.with_constraints(ma.hold())
    with pytest.raises(ValueError, match=r"tip\.y follows from tip\.rz, tip\.x"):
        arm.with_constraints(ma.hold())
    held = arm.with_constraints(ma.hold(), redundant="drop")
    assert (held.row_names, held.freedom) == (("tip.rz", "tip.x"), 0)
    assert held.dropped == ("tip.rx", "tip.ry", "tip.y", "tip.z")
    assert np.allclose(held.projectors([0.3, 0.8])[0], 0, atol=1e-12)
    q = np.array([0.3, 0.8])
    for one in (q, list(q)):
        assert held.constraint_matrix(one).shape == (2, 2)
        assert held.constraint_errors(one).shape == (2,)


def test_the_same_condition_twice_is_redundant():
    """A frame held by a condition and again by a function is refused, naming both."""
    with pytest.raises(ValueError, match=r"hand_place\[1\] follows from \S+\.y"):
        PANDA.with_constraints(ma.hold(rows="point"), ma.constraint(hand_place))


def test_rows_dependent_in_one_state_are_not_redundant():
    """Rows are redundant only where they depend on others in every state given; which they follow
    from is found by least squares."""
    A = np.zeros((2, 3, 4))
    A[:, 0, 0], A[:, 1, 1] = 1, 2
    A[:, 2] = A[:, 0] - 3 * A[:, 1]
    assert redundant_rows(A) == {2: {0, 1}}
    A[1, 2, 3] = 1e-3
    assert redundant_rows(A) == {}


def test_an_oblique_plane_is_kept():
    """A hand held on a plane of any direction stays on it in motion, and presses along its normal
    alone."""
    pose = np.eye(4)
    pose[:3, :3], _ = np.linalg.qr(RNG.normal(size=(3, 3)))
    pose[:3, :3] *= np.sign(np.linalg.det(pose[:3, :3]))
    pose[:3, 3] = 0.4, 0.1, 0.5
    held = PANDA.with_constraints(ma.hold(rows=["z"], at=pose), decay=(20, 20))
    q, qd, tau = held.nearest(PANDA.q_home + 0.2), np.zeros(7), PANDA.gravity_forces(PANDA.q_home)
    for _ in range(100):
        q, qd, _ = held.step(q, qd, tau, 0.002)
    place = PANDA.forward_kinematics(q)[:3, 3] - pose[:3, 3]
    assert abs(place @ pose[:3, 2]) < 1e-7
    assert np.linalg.norm(qd) > 0.1
    wrench, _ = held.constraint_wrench(q, [2.0], reference="world")
    assert np.allclose(wrench, [0, 0, 0, *(2 * pose[:3, 2])], atol=1e-9)


def test_a_controller_of_motion_and_force_is_one_kernel(door):
    """Constrained answers inside a kernel of one's own are those outside of it, and under its
    efforts the hand moves and presses as was wanted."""

    def hybrid(arm, q, qd, along, press):
        wanted, _ = door.allowed_accelerations(q, qd, along)
        return door.inverse_dynamics(q, qd, wanted, press), door.projectors(q)[0]

    q, qd, along = STATE
    press = RNG.normal(size=(6, 5))
    tau, P = ma.kernel(hybrid, PANDA, along=7, press=5)(q, qd, along, press)
    qdd, lam, _ = door.forward_dynamics(q, qd, tau)
    assert np.allclose(qdd, door.allowed_accelerations(q, qd, along)[0], atol=1e-8)
    assert np.allclose(lam, press, atol=1e-8)
    assert np.allclose(P, door.projectors(q)[0], atol=1e-9)


def test_without_inertia_there_are_rows_but_no_dynamics(tmp_path):
    """A robot for kinematics has A and closes its loops; dynamics say that inertia is missing."""
    path = tmp_path / "bare.urdf"
    path.write_text("""<robot name="bare"><link name="a"/><link name="b"/><link name="c"/>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
        <joint name="k" type="prismatic"><parent link="b"/><child link="c"/><axis xyz="1 0 0"/>
        <limit effort="1" velocity="1" lower="-2" upper="2"/></joint></robot>""")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arm = ma.load(path)
    held = arm.with_constraints(ma.hold("c", rows=["x"], at=[1, 0, 0]))
    assert arm.forward_kinematics(held.nearest([0.3, 0.9]))[0, 3] == pytest.approx(1)
    with pytest.raises(ValueError, match="bare has no inertia at all"):
        held.forward_dynamics([0, 1], [0, 0], [0, 0])
    with pytest.raises(ValueError, match="bare has no inertia at all"):
        arm.task_dynamics([0, 1], [0, 0], rows=["x"])


def test_what_cannot_be_met_is_said():
    """A point out of reach leaves an error that names the row and its distance."""
    arm = ma.robots.planar_2r()
    held = arm.with_constraints(ma.hold("tip", rows=("x", "y"), at=[3, 0, 0]))
    with pytest.raises(ValueError, match=r"tip\.\w is off by \d.*; no state near q"):
        held.nearest([0.3, 0.3])


def test_states_that_meet_constraints_stay():
    """Of a batch only states that are off are moved; one with NaN stays as it is."""
    held = PANDA.with_constraints(ma.constraint(hand_height))
    q = held.nearest(STATE[0])
    mixed = q.copy()
    mixed[1] += 0.2
    mixed[2] = np.nan
    found = held.nearest(mixed)
    assert np.array_equal(np.delete(found, 1, 0), np.delete(mixed, 1, 0), equal_nan=True)
    assert abs(held.constraint_errors(found)[1, 0]) < 1e-9


@pytest.mark.parametrize("which", ["panda", "floater"])
def test_slopes_of_errors_are_the_rows(which, floater):
    """The kernel of places derived by q, along the rates where q has quaternions, is A."""
    arm = {"panda": PANDA, "floater": floater}[which]
    held = arm.with_constraints(ma.hold(rows="point", at=[0.1, 0.2, 0.3]))
    slopes, q = held.kernel("constraint_errors").derivative("q"), arm.random_q(3, 4)
    assert np.allclose(slopes(q), held.constraint_matrix(q), atol=1e-12)


def test_two_hands_on_one_thing():
    """Both hands of the two-armed robot, pinned to each other, stay together while they swing
    under gravity for four tenths of a second."""
    arms = ma.robots.two_arms()
    held = arms.with_constraints(ma.close("left_hand", "right_hand", rows="point"), decay=(5, 5))
    q, qd, rest = held.nearest(arms.random_q(4)), np.zeros(arms.n), np.zeros(arms.n)
    for _ in range(200):
        q, qd, pivot = held.step(q, qd, rest, 0.002)
    left, right = (arms.forward_kinematics(q, frame=k)[:3, 3] for k in ("left_hand", "right_hand"))
    assert np.abs(qd).max() > 0.1
    assert np.abs(left - right).max() < 1e-6
    assert pivot > 1e-6


def test_states_of_any_layout_are_taken(door):
    """Strided, reversed, unaligned and broadcast states give the bits of the same numbers in a
    row, before and after the function for one state is compiled."""
    q = STATE[0][0]
    unaligned = np.frombuffer(b" " + q.tobytes(), offset=1)
    again = door.robot.with_constraints(*door.conditions)
    for layout in (np.repeat(q, 2)[::2], q[::-1].copy()[::-1], unaligned):
        for held in (again, door):
            assert np.array_equal(held.constraint_matrix(layout), door.constraint_matrix([*q]))
    same = np.broadcast_to(0.5, 7)
    assert np.array_equal(door.constraint_matrix(same), door.constraint_matrix(same.copy()))


def test_constrained_robots_pickle(door):
    """A constrained robot comes back from a pickle equal, with the same rows and answers; under
    another condition, or with another decay, it is another."""
    again = pickle.loads(pickle.dumps(door))
    assert again == door
    assert hash(again) == hash(door)
    assert again.row_names == door.row_names
    assert np.array_equal(again.constraint_matrix(STATE[0]), door.constraint_matrix(STATE[0]))
    others = ma.hold(rows=["x"]), ma.hold(rows=["y"])
    assert PANDA.with_constraints(others[0]) != PANDA.with_constraints(others[1])
    assert PANDA.with_constraints(others[0]) != PANDA.with_constraints(others[0], decay=(1, 1))
    one = STATE[0][0]
    door.constraint_matrix(one)
    planted = pickle.loads(pickle.dumps(door.constraint_matrix))
    assert np.array_equal(planted(one), door.constraint_matrix(list(one)))
    kernel = pickle.loads(pickle.dumps(door.kernel("constraint_wrench", reference="world")))
    assert kernel.recipe.options["reference"] == "world"
    with pytest.raises(ValueError, match=r"constraint_matrix\(q\): expected \(7,\)"):
        door.constraint_matrix(one[:6])


def test_without_compiled_calls_constraints_answer(monkeypatch):
    """Where no function can be planted, as without LLVM, answers to one state are those of LLVM's
    batches up to rounding, called twice too."""
    q, qd = np.array([[0.3, 0.8]]), np.array([[1.0, -2.0]])
    arm, rows = ma.robots.planar_2r(), ma.hold("tip", rows=["x"])
    expected = arm.with_constraints(rows).forward_dynamics(q, qd, qd)
    monkeypatch.setattr(engine, "available", lambda: False)
    plain = ma.robots.planar_2r().with_constraints(rows)
    for _ in range(2):
        for x, y in zip(plain.forward_dynamics(q[0], qd[0], qd[0]), expected, strict=True):
            assert np.allclose(x, y[0], rtol=1e-12, atol=1e-12)


MISTAKES = {
    "unknown frame": lambda arm: arm.with_constraints(ma.hold("tpi")),
    "unknown row": lambda arm: arm.with_constraints(ma.hold("tip", rows=["w"])),
    "unknown kind": lambda arm: arm.with_constraints(ma.close("tip", "ground", rows="balls")),
    "one link": lambda arm: arm.with_constraints(ma.close("tip", "link2")),
    "no condition": lambda arm: arm.with_constraints(),
    "a function": lambda arm: arm.with_constraints(hand_height),
    "not a function": lambda arm: ma.constraint([1, 0]),
    "place in another reference": lambda arm: ma.hold("tip", reference="body", at=[0, 0, 0]),
    "a point for turns": lambda arm: ma.hold("tip", at=[0, 0, 0]),
    "no place": lambda arm: ma.hold("tip", rows="point", at=[0, 0]),
    "no rotation": lambda arm: ma.hold("tip", at=np.diag([1, 1, -1, 1])),
    "nothing left": lambda arm: arm.with_constraints(ma.hold("tip", rows=["z"]), redundant="drop"),
    "wrong shape": lambda arm: arm.with_constraints(ma.constraint(lambda arm, q: [[q[0]]])),
    "two results": lambda arm: arm.with_constraints(ma.constraint(lambda arm, q: (q, q))),
    "of rates": lambda arm: arm.with_constraints(ma.constraint(lambda arm, q, qd: q)),
    "redundant": lambda arm: arm.with_constraints(ma.hold(rows=["x"]), redundant="keep"),
    "decay": lambda arm: arm.with_constraints(ma.hold(rows=["x"]), decay=(1, -1)),
    "always dependent": lambda arm: arm.with_constraints(ma.hold()),
    "no such answer": lambda arm: arm.with_constraints(ma.hold(rows=["x"])).kernel("projector"),
    "no such option": lambda arm: arm.with_constraints(ma.hold(rows=["x"])).kernel(
        "projectors", frame="tip"),
    "shape": lambda arm: arm.with_constraints(ma.hold(rows=["x"])).projectors([1, 2, 3]),
    "an acceleration": lambda arm: arm.with_constraints(ma.hold(rows=["x"])).inverse_dynamics(
        [0, 1], [1, 0], [0, 0], [0]),
    "too many rows": lambda arm: arm.task_dynamics([0, 1], [0, 0]),
    "a row that never moves": lambda arm: arm.lock("joint2").task_dynamics([0], [0], rows="z"),
    "rows of a number": lambda arm: ma.hold("tip", rows=3),
    "a place in words": lambda arm: ma.hold("tip", rows=["x"], at="here"),
    "decay in words": lambda arm: arm.with_constraints(ma.hold(rows=["x"]), decay="ab"),
    "a function of no rows": lambda arm: arm.with_constraints(ma.constraint(lambda arm, q: q[:0])),
    "no joints": lambda arm: arm.lock(arm.joint_names).with_constraints(ma.hold(rows=["x"])),
    "masked": lambda arm: arm.with_constraints(ma.hold(rows=["x"])).nearest(
        np.ma.masked_equal([0, 1], 0)),
    "too many rows, compiled": lambda arm: arm.compile("task_forces"),
    "too many rows of one's own": lambda arm: ma.kernel(
        lambda arm, q: arm.null_space_projector(q, rows=("x", "y", "z")), arm),
    "too many rows of a wrench": lambda arm: arm.with_constraints(ma.hold(rows=["x"])).multipliers(
        [0, 1], [0] * 6),
}  # fmt: skip


def test_mistakes_are_explained(golden):
    """Each common mistake with constraints and task space gives its reviewed message."""
    arm, said = ma.robots.planar_2r(), []
    for case, f in MISTAKES.items():
        with pytest.raises((TypeError, ValueError)) as caught:
            f(arm)
        text = str(caught.value).partition(" at 0x")[0].partition("<function")[0]
        said.append(f"{case}\n    {caught.type.__name__}: {text}")
    golden("constraints.txt", "\n".join(said) + "\n")


# -- the task space of a redundant arm, and kernels


def test_forces_of_a_redundant_arm_leave_its_hand_alone():
    """Efforts of the Panda's null space change no acceleration of its hand by forward dynamics."""
    q, qd, tau = STATE
    N, pivot = PANDA.null_space_projector(q, reference="world")
    J = PANDA.jacobian(q, reference="world")
    with_it = PANDA.forward_dynamics(q, qd, np.einsum("nij,nj->ni", N, tau))
    push = np.einsum("nij,nj->ni", J, with_it - PANDA.forward_dynamics(q, qd, 0 * tau))
    assert np.abs(push).max() < 1e-9
    assert (pivot > 1e-6).all()


def test_answers_of_the_task_space_in_one_kernel():
    """One kernel of two task-space quantities gives both results of each, under names that differ,
    and has fewer operations than two."""
    q, qd, tau = STATE
    both = PANDA.kernel("task_dynamics", "task_forces", reference="world")
    assert list(both.recipe.outputs) == ["Lambda", "eta", "task_dynamics_pivot", "forces",
                                         "task_forces_pivot"]  # fmt: skip
    mass, _, _, forces, _ = both(q, qd, tau)
    assert np.allclose(mass, PANDA.task_dynamics(q, qd, reference="world")[0], rtol=1e-9)
    assert np.allclose(forces, PANDA.task_forces(q, tau, reference="world")[0], rtol=1e-9)
    apart = [PANDA.kernel(k, reference="world") for k in ("task_dynamics", "task_forces")]
    assert both.ops.total < 0.7 * sum(k.ops.total for k in apart)


def test_damping_is_a_number_a_state():
    """A damping for each state gives the Λ of Numpy's inverse of J M⁻¹ Jᵀ + λ² 1, in kernels of
    one's own as well, and lets singular arms answer."""
    q, qd, _ = STATE
    damping = np.linspace(0.0, 0.5, 6)
    J, M = PANDA.jacobian(q), PANDA.mass_matrix(q)
    W = J @ np.linalg.solve(M, J.mT) + damping[:, None, None] ** 2 * np.eye(6)
    mass, eta, _ = PANDA.task_dynamics(q, qd, damping=damping)
    assert np.allclose(mass, np.linalg.inv(W), rtol=1e-9, atol=1e-9)
    own = ma.kernel(lambda arm, q, qd, x: arm.task_dynamics(q, qd, damping=x)[1], PANDA, x=())
    assert np.allclose(own(q, qd, damping), eta, rtol=1e-12, atol=1e-12)
    stretched = ma.robots.planar_2r().task_dynamics([0, 0], [0, 0], damping=0.1)
    assert np.isfinite(stretched[0]).all()


def test_a_stretched_arm_says_that_it_is_singular():
    """Where the 2R arm is stretched or folded, along any direction and with one row asked for or
    two, the smallest pivot is not above rounding (0, or NaN after an exact 0); elsewhere it is."""
    arm, options = ma.robots.planar_2r(), {"reference": "world"}
    along = np.linspace(-3, 3, 7)
    for fold in (0.0, np.pi):
        q = np.stack([along, np.full(7, fold)], axis=-1)
        _, _, pivot = arm.task_dynamics(q, 0 * q, rows=("x", "y"), **options)
        assert not (pivot > 1e-14).any()
    assert not arm.task_dynamics([0, np.pi], [0, 0], rows=["x"], **options)[2] > 1e-14
    q = np.stack([along, np.full(7, 1.0)], axis=-1)
    assert (arm.task_dynamics(q, 0 * q, rows=("x", "y"), **options)[2] > 0.01).all()


def test_ellipsoids_are_those_of_matrices():
    """Axes are orthonormal and lengths ascend; those of accelerations undo those of masses, and
    velocities' ellipsoid is J Jᵀ's: its volume is Yoshikawa's √det(J Jᵀ)."""
    q, rows = STATE[0], ("x", "y", "z")
    J, M = PANDA.jacobian(q, reference="world", rows=rows), PANDA.mass_matrix(q)
    felt = PANDA.tip_mass_ellipsoid(q, rows=rows)
    mass, _, _ = PANDA.task_dynamics(q, 0 * q, reference="world", rows=rows)
    assert np.allclose(felt.axes * felt.lengths[:, None] @ felt.axes.mT, mass, rtol=1e-9)
    joints, back = PANDA.mass_ellipsoid(q), PANDA.acceleration_ellipsoid(q)
    assert np.allclose(joints.axes * joints.lengths[:, None] @ joints.axes.mT, M, atol=1e-12)
    assert np.allclose(back.axes * back.lengths[:, None] @ back.axes.mT, np.linalg.inv(M))
    speed, force = PANDA.manipulability_ellipsoid(q, rows=rows), PANDA.force_ellipsoid(q, rows=rows)
    assert np.allclose(speed.axes * speed.lengths[:, None] ** 2 @ speed.axes.mT, J @ J.mT)
    assert np.allclose(speed.volume, np.sqrt(np.linalg.det(J @ J.mT)))
    assert np.allclose(force.lengths * speed.lengths[:, ::-1], 1)
    for e in (felt, joints, back, speed, force):
        assert np.allclose(e.axes.mT @ e.axes, np.eye(e.axes.shape[-1]), atol=1e-12)
        assert (np.diff(e.lengths) >= 0).all()
        assert ((e.roundness > 0) & (e.roundness <= 1)).all()


def test_what_cannot_move_has_infinite_mass():
    """Out of its plane, the planar arm's tip has infinite mass and no manipulability."""
    arm, q = ma.robots.planar_2r(), [0.3, 0.8]
    assert arm.tip_mass_ellipsoid(q, rows=("x", "y", "z")).lengths[-1] == np.inf
    assert arm.manipulability_ellipsoid(q, rows=("x", "y", "z")).lengths[0] == 0
    assert arm.force_ellipsoid(q, rows=("x", "y", "z")).lengths[-1] == np.inf
    assert arm.manipulability_ellipsoid([0, 0], rows=("x", "y")).lengths[0] == 0
