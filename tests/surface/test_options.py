"""Options of quantities: wrenches on any frame, rows of a Jacobian, several answers at once."""

import pickle

import numpy as np
import pytest

import momentarm as ma
from momentarm.backends.numpy import function

RNG = np.random.default_rng(7)
ARMS = ma.robots.two_arms()
Q, QD, QDD = RNG.normal(size=(3, 5, ARMS.n))
ENDS = ("left_hand", "right_hand")
WRENCHES = {"left_hand": RNG.normal(size=6), "right_hand": RNG.normal(size=(5, 6))}


def test_wrenches_act_through_their_jacobians():
    """Wrenches on both hands lower the efforts by the sum of Jᵀ W, J of each hand in its axes."""
    free = ARMS.inverse_dynamics(Q, QD, QDD)
    loaded = ARMS.inverse_dynamics(Q, QD, QDD, wrenches=WRENCHES)
    help_ = sum(np.einsum("nij,ni->nj", ARMS.jacobian(Q, frame=k), np.broadcast_to(w, (5, 6)))
                for k, w in WRENCHES.items())  # fmt: skip
    assert np.abs(help_).max() > 1
    assert np.allclose(loaded, free - help_, atol=1e-12)


def test_accelerations_under_wrenches_are_undone():
    """Forward dynamics under wrenches, by each route, is undone by inverse dynamics under them."""
    tau = RNG.normal(size=(5, ARMS.n))
    qdd = ARMS.forward_dynamics(Q, QD, tau, wrenches=WRENCHES)
    assert np.allclose(ARMS.inverse_dynamics(Q, QD, qdd, wrenches=WRENCHES), tau, atol=1e-11)
    recipe = ARMS.kernel("forward_dynamics", wrenches=ENDS).recipe
    stacked = np.stack([np.broadcast_to(w, (5, 6)) for w in WRENCHES.values()], axis=1)
    assert len(recipe.routes) == 3
    for trace in recipe.routes.values():
        assert np.allclose(function(trace())(Q, QD, tau, stacked), qdd, atol=1e-10)


def test_a_wrench_on_the_tip_is_the_opposite_of_a_tip_wrench():
    """What the surroundings do to the tip is minus what the tip does to them; both may be given."""
    arm, w = ma.robots.panda(), np.arange(1.0, 7.0)
    state = [arm.random_q(1), *RNG.normal(size=(2, 7))]
    by_tip = arm.inverse_dynamics(*state, tip_wrench=w)
    assert np.allclose(arm.inverse_dynamics(*state, wrenches={arm.tip: -w}), by_tip, atol=1e-13)
    both = arm.inverse_dynamics(*state, tip_wrench=w, wrenches={arm.tip: w})
    assert np.allclose(both, arm.inverse_dynamics(*state), atol=1e-12)


BAD = {
    "no mapping": ([1, 2], TypeError, r"wrenches: expected \{frame: wrench\}, got \[1, 2\]"),
    "nothing": ({}, TypeError, r"expected \{frame: wrench\}"),
    "unknown frame": ({"left_hnd": np.zeros(6)}, ValueError, "did you mean 'left_hand'"),
    "different batches": ({k: np.zeros((n, 6)) for n, k in enumerate(ENDS, 2)}, ValueError,
                          r"do not broadcast: left_hand \(2,\), right_hand \(3,\)"),
    "masked": ({"left_hand": np.ma.masked_equal(np.arange(6.0), 3)}, TypeError, "some .* masked"),
    "three numbers": ({"left_hand": np.zeros(3)}, ValueError, r"wrenches\['left_hand'\]: expected"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_wrenches(case):
    """Wrenches that are no mapping, of an unknown frame or not six numbers are refused by name."""
    wrenches, kind, said = BAD[case]
    with pytest.raises(kind, match=said):
        ARMS.inverse_dynamics(Q, QD, QDD, wrenches=wrenches)


@pytest.mark.parametrize("reference", ["body", "space", "world"])
def test_rows_of_a_jacobian(reference):
    """rows=("x", "rz") are the fourth and third row of the whole Jacobian, in this order."""
    options = {"frame": "left_hand", "reference": reference}
    whole = ARMS.jacobian(Q, **options)
    some = ARMS.jacobian(Q, rows=("x", "rz"), **options)
    assert some.shape == (5, 2, ARMS.n)
    assert np.allclose(some, whole[:, [3, 2]], atol=1e-15)
    assert np.array_equal(ARMS.jacobian(Q, rows="x", **options), some[:, :1])


@pytest.mark.parametrize("rows", ["xx", ("x", "x"), (), ("rx", "a"), 3])
def test_bad_rows(rows):
    """Rows that do not exist, repeat, or are none are refused and the rows listed."""
    with pytest.raises((TypeError, ValueError), match=r"rx, ry, rz, x, y, z|did you mean"):
        ARMS.jacobian(Q, frame="left_hand", rows=rows)


def test_several_answers_of_one_kernel():
    """A fused kernel's answers are those of the single quantities, and what they share
    costs nothing twice."""
    names = ("mass_matrix", "bias_forces", "jacobian")
    both = ARMS.kernel(*names, frame="left_hand", rows=("x", "y", "z"))
    M, h, J = both(Q, QD)
    assert np.allclose(M, ARMS.mass_matrix(Q), atol=1e-14)
    assert np.allclose(h, ARMS.bias_forces(Q, QD), atol=1e-13)
    assert np.allclose(J, ARMS.jacobian(Q, frame="left_hand", rows=("x", "y", "z")), atol=1e-14)
    assert list(both.recipe.outputs) == list(names)
    assert both.ops.sincos == ARMS.kernel("mass_matrix").ops.sincos
    pair = ARMS.kernel("kinetic_energy", "lagrangian").ops.total
    assert pair == ARMS.kernel("lagrangian").ops.total


def test_a_fused_kernel_travels():
    """A pickled fused kernel gives the same bits after its journey; so does one state alone."""
    kernel = ARMS.kernel("inverse_dynamics_derivatives", "gravity_forces")
    there = pickle.loads(pickle.dumps(kernel))(Q, QD, QDD)
    for a, b in zip(kernel(Q, QD, QDD), there, strict=True):
        assert np.array_equal(a, b)
    for a, b in zip(kernel(Q[2], QD[2], QDD[2]), there, strict=True):
        assert np.array_equal(a, b[2])


WRONG = {
    "an unknown name": (("mass_matrx",), {}, "did you mean 'mass_matrix'"),
    "twice": (("mass_matrix", "mass_matrix"), {}, "each once"),
    "none": ((), {}, "names of quantities"),
    "a foreign option": (("mass_matrix",), {"frame": "left_hand"}, "has no frame"),
    "an unknown option": (("jacobian",), {"axes": "body"}, "has no axes; options here: frame, par"),
    "a list for a frame": (("jacobian",), {"frame": ["left_hand"]}, "no frame"),
    "a number for names": (("mass_matrix",), {"parametric": 1}, "parametric: expected some of"),
    "a foreign wrench": (("mass_matrix",), {"tip_wrench": True}, "has no tip_wrench"),
}


@pytest.mark.parametrize("case", WRONG)
def test_bad_kernels(case):
    """arm.kernel refuses unknown, repeated and no names, and options that no row has."""
    names, options, said = WRONG[case]
    with pytest.raises((TypeError, ValueError), match=said):
        ARMS.kernel(*names, **options)


def test_wrenches_in_own_kernels():
    """A function of one's own may pass wrenches on frames to the quantities of its robot."""
    def f(arm, q, qd, qdd, w):
        return arm.inverse_dynamics(q, qd, qdd, wrenches={"left_hand": w})

    w = WRENCHES["left_hand"]
    found = ma.kernel(f, ARMS, w=6)(Q, QD, QDD, w)
    assert np.allclose(found, ARMS.inverse_dynamics(Q, QD, QDD, wrenches={"left_hand": w}))
