"""Parameters at the user's edge: base parameters, other numbers, parameters as arguments."""

import pickle

import numpy as np
import pytest

import momentarm as ma

# By hand for the planar arm: Izz1 + m2 a², mx1 + m2 a, my1, and mx, my, Izz of link 2. A turning
# joint has seven (Izz, Ixx − Iyy, Ixy, Ixz, Iyz, mx, my), the first, along gravity, only Izz.
COUNTS = {"puma560": 1 + 5 * 7, "panda": 1 + 6 * 7, "planar_2r": 6}
RNG = np.random.default_rng(3)


def motion(arm, count=40):
    return arm.random_q(4, count), *RNG.normal(size=(2, count, arm.n))


@pytest.mark.parametrize("name", COUNTS)
def test_number_of_base_parameters(name):
    """Base parameters are as many as the literature counts, and the rank of the regressor."""
    arm = getattr(ma.robots, name)()
    base = arm.base_parameters()
    Y = arm.regressor(*motion(arm, 200)).reshape(-1, len(arm.parameters()))
    assert len(base.columns) == len(base.names) == COUNTS[name]
    assert np.linalg.matrix_rank(Y) == COUNTS[name]


@pytest.mark.parametrize("name", [*COUNTS, "ur5", "two_arms", "gripper", "stanford"])
def test_base_regressor_gives_the_efforts(name):
    """Y_b π equals Newton and Euler of the ideal arm, with π = B φ, and Y = Y_b B."""
    arm = getattr(ma.robots, name)()
    base, x = arm.base_parameters(), motion(arm)
    tau = arm.ideal.inverse_dynamics(*x)
    scale = np.abs(tau).max()
    Y_b = arm.base_regressor(*x)
    assert np.abs(Y_b @ base.values - tau).max() < 1e-11 * scale
    assert np.abs(arm.regressor(*x) - Y_b @ base.matrix).max() < 1e-9 * np.abs(Y_b).max()


def test_groups_are_told_in_words():
    """A planar arm's base parameters are the sums that one finds by hand, and all others unseen."""
    base = ma.robots.planar_2r().base_parameters()
    assert base.names == ("link1.mx + link2.m", "link1.my", "link1.Izz + link2.m",
                          "link2.mx", "link2.my", "link2.Izz")  # fmt: skip
    assert set(base.unseen) == {f"{link}.{k}" for link in ("link1", "link2")
                                for k in ("mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz")} | {"link1.m"}
    assert str(base).splitlines()[0].split(maxsplit=1) == ["2", base.names[0]]


def test_a_payload_in_each_row():
    """With parametric="payload" each state carries its own body, as with_payload says."""
    arm = ma.robots.panda()
    x = motion(arm, 5)
    masses = np.linspace(0, 3, 5)
    payloads = np.zeros((5, 10))
    payloads[:, 0], payloads[:, 3] = masses, masses * 0.1
    payloads[:, 4] = payloads[:, 6] = masses * 0.01
    for name in ("inverse_dynamics", "forward_dynamics", "mass_matrix"):
        kernel = arm.kernel(name, parametric="payload")
        found = kernel(*x[: len(kernel.recipe.inputs) - 1], payloads)
        for k, mass in enumerate(masses):
            heavy = arm.with_payload(mass, com=[0, 0, 0.1])
            one = getattr(heavy, name)(*(a[k] for a in x[: len(kernel.recipe.inputs) - 1]))
            assert np.allclose(found[k], one, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", ["panda", "two_arms", "gripper", "stanford", "cart_pole"])
@pytest.mark.parametrize("kind", ["inertia", "drives", "gravity", "origins"])
def test_parameters_as_arguments(name, kind):
    """A kernel with a kind of parameters as argument gives the robot's own efforts for its own
    numbers, and for others those of the robot that has them."""
    arm = getattr(ma.robots, name)()
    x, values = motion(arm, 3), arm.parameters(kind)
    kernel = arm.kernel("inverse_dynamics", parametric=kind)
    assert np.allclose(kernel(*x, values), arm.inverse_dynamics(*x), rtol=1e-11, atol=1e-11)
    other = values + 0.1 * RNG.random(len(values))
    changed = arm.with_parameters(other, kind)
    assert np.allclose(kernel(*x, other), changed.inverse_dynamics(*x), rtol=1e-11, atol=1e-11)
    assert np.allclose(changed.parameters(kind), other, atol=1e-12)


def test_parameters_of_several_kinds_and_quantities():
    """Several kinds and quantities go together, and the kernel survives a pickle."""
    arm = ma.robots.ur5()
    q = arm.random_q(4, 4)
    kernel = arm.kernel("mass_matrix", "gravity_forces", parametric=("gravity", "payload"))
    assert list(kernel.recipe.inputs) == ["q", "gravity", "payload"]
    M, g = pickle.loads(pickle.dumps(kernel))(q, arm.gravity * 2, np.zeros(10))
    assert np.allclose(M, arm.mass_matrix(q))
    assert np.allclose(g, 2 * arm.gravity_forces(q))


def test_the_regressor_alone_and_with_others():
    """The regressor in a fused kernel is that of its own, whatever form the others run in."""
    arm = ma.robots.panda()
    x = motion(arm, 3)
    tau, Y, V = arm.kernel("inverse_dynamics", "regressor", "potential_energy")(*x)
    assert np.allclose(Y, arm.regressor(*x), atol=1e-12)
    assert np.allclose(tau, arm.inverse_dynamics(*x), atol=1e-11)
    assert np.allclose(V, arm.potential_energy(x[0]))


BAD = {
    "kind": (lambda arm: arm.parameters("inertias"), "did you mean 'inertia'"),
    "length": (lambda arm: arm.with_parameters([1, 2]), "expected 20 finite numbers for 'inertia'"),
    "not finite": (lambda arm: arm.with_parameters([np.nan] * 20), "one that is not finite"),
    "parametric": (lambda arm: arm.kernel("mass_matrix", parametric="mas"), "no kind of param"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_parameters(case):
    """Unknown kinds, wrong lengths and numbers that are not finite are refused by name."""
    call, said = BAD[case]
    with pytest.raises(ValueError, match=said):
        call(ma.robots.planar_2r())


def test_changed_robots_are_saved(tmp_path):
    """A robot with other parameters goes through a file and has them still, bit for bit."""
    arm = ma.robots.ur5()
    changed = arm.with_parameters(arm.parameters() * 1.1)
    changed.save(tmp_path / "changed.toml")
    assert np.array_equal(ma.load(tmp_path / "changed.toml").parameters(), changed.parameters())


def test_a_regressor_refuses_a_payload():
    """A payload as an argument of a regressor, which would change nothing, is refused in words."""
    arm = ma.robots.panda()
    for name in ("regressor", "base_regressor"):
        with pytest.raises(ValueError, match=rf"^{name}\(parametric\): Y is of the robot's own"):
            arm.kernel(name, parametric="payload")
    both = arm.kernel("inverse_dynamics", parametric="payload")
    assert "payload" in both.recipe.inputs
