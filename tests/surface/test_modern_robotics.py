"""`momentarm.modern_robotics` as its users call it: what may be passed, batches, trajectories,
machine code that is made once. What is computed is judged elsewhere (`identities/`, `oracles/`)."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import momentarm as ma
import momentarm.modern_robotics as mr
from momentarm.bench.norm import normwise
from momentarm.kernels import engine
from momentarm.modern_robotics.on_lists import COMPILED
from screw_lists import chain

ARM = chain(1, 3)
DYNAMICS = ("InverseDynamics", "MassMatrix", "VelQuadraticForces", "GravityForces",
            "EndEffectorForces", "ForwardDynamics")  # fmt: skip
ARRAYS = dict(zip(("thetalist", "dthetalist", "ddthetalist", "taulist", "g", "Ftip", "Mlist",
                   "Glist", "Slist"), (ARM.theta, ARM.dtheta, ARM.ddtheta, ARM.tau, ARM.g,
                                       ARM.Ftip, *ARM.lists), strict=True))  # fmt: skip
every_function = pytest.mark.parametrize("name", DYNAMICS)


def given(name, arrays=ARRAYS):
    """The arguments of a function, by name."""
    return {k: arrays[k] for k in inspect.signature(getattr(mr, name)).parameters}


# -- what may be passed ----------------------------------------------------------------------------


@every_function
@pytest.mark.parametrize("form", ["lists", "tuples", "columns first", "strided", "float32", "ints"])
def test_any_form_of_numbers_will_do(name, form):
    """Lists, lists of matrices, transposed and strided arrays and other real numbers have the very
    bits of contiguous float64 arrays of the same numbers."""
    f, arrays = getattr(mr, name), given(name)
    if form == "ints":
        arrays = {k: np.rint(3 * a) + np.eye(*a.shape[-2:]) * 9 if a.ndim > 2 else np.rint(3 * a)
                  for k, a in arrays.items()}  # fmt: skip
    if form == "float32":
        arrays = {k: a.astype(np.float32).astype(float) for k, a in arrays.items()}
    as_form = {
        "lists": lambda a: [*a],
        "tuples": lambda a: tuple(a.tolist()),
        "columns first": np.asfortranarray,
        "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
        "float32": lambda a: a.astype(np.float32),
        "ints": lambda a: a.astype(int).tolist(),
    }[form]
    found = f(**{k: as_form(a) for k, a in arrays.items()})
    assert np.array_equal(found, f(**arrays))
    assert found.dtype == np.float64


def test_a_table_written_sideways_is_named():
    """Of a table of screws as rows, too few frames, unequal lists, a number for a list, text and
    missing arguments the error says which it is, what was expected and what came."""
    wrong = {
        "Slist": (ARM.Slist[:, :2].T, r"Slist\): expected shape \(6, 3\) for the 3 .* \(2, 6\)"),
        "Mlist": (ARM.Mlist[:-1], r"Mlist\): expected shape \(4, 4, 4\) for the 3 .* \(3, 4, 4\).*"
                                  "the tip's in the last link"),
        "dthetalist": ([1, 2], r"dthetalist\): expected shape \(3,\) for the 3 numbers of theta"),
        "thetalist": (1.0, r"thetalist\): expected a list, one number a joint, got the number 1.0"),
        "Ftip": ([0, 0, 0], r"Ftip\): expected shape \(6,\), got \(3,\); moment before force"),
        "Glist": ([np.eye(6), np.eye(3), np.eye(6)], r"Glist\): its parts differ in shape"),
    }  # fmt: skip
    for name, (value, said) in wrong.items():
        with pytest.raises(ValueError, match=rf"^InverseDynamics\({said}"):
            mr.InverseDynamics(**given("InverseDynamics") | {name: value})
    with pytest.raises(ValueError, match="screws are its columns: pass the transpose"):
        mr.InverseDynamics(**given("InverseDynamics") | {"Slist": ARM.Slist.T})
    for value in ("text", None, [True] * 3, [1j] * 3):
        with pytest.raises(TypeError, match=r"^InverseDynamics\(dthetalist\): expected"):
            mr.InverseDynamics(**given("InverseDynamics") | {"dthetalist": value})
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'Slist'"):
        mr.MassMatrix(ARM.theta, ARM.Mlist, ARM.Glist)


def test_names_that_are_not_there():
    """A name spelt wrong is answered with the right one."""
    with pytest.raises(AttributeError, match="did you mean 'MassMatrix'"):
        _ = mr.MassMatricks
    with pytest.raises(ValueError, match="did you mean 'MassMatrix'"):
        mr.kernel("Massmatrix", 3)


def test_a_mass_matrix_without_inverse_is_refused():
    """Forward dynamics of links without inertia raises NumPy's LinAlgError, and in a batch is not
    finite in their row only; of coordinates that are NaN it gives NaN."""
    args = given("ForwardDynamics")
    with pytest.raises(np.linalg.LinAlgError, match="moves no inertia"):
        mr.ForwardDynamics(**args | {"Glist": 0 * ARM.Glist})
    two = mr.ForwardDynamics(**args | {"Glist": [ARM.Glist, 0 * ARM.Glist]})
    assert np.array_equal(two[0], mr.ForwardDynamics(**args))
    assert not np.isfinite(two[1]).any()
    assert np.isnan(mr.ForwardDynamics(**args | {"thetalist": [np.nan] * 3})).all()


@every_function
def test_nan_in_is_nan_out(name):
    """A joint variable that is NaN makes results NaN and raises nothing."""
    found = getattr(mr, name)(**given(name) | {"thetalist": np.array([0.1, np.nan, 0.2])})
    assert np.isnan(found).any()


def test_no_joints():
    """A chain of no joints has no efforts and an empty mass matrix."""
    none = np.zeros(0), np.eye(4)[None], np.zeros((0, 6, 6)), np.zeros((6, 0))
    assert mr.MassMatrix(*none).shape == (0, 0)
    assert mr.GravityForces(none[0], [0, 0, -9.81], *none[1:]).shape == (0,)


# -- batches ---------------------------------------------------------------------------------------


@every_function
@pytest.mark.parametrize("many", ["states", "robots", "both"])
def test_leading_axes_are_single_calls(name, many):
    """Many states of a robot, a state of many robots and one of each have the very bits of single
    calls, row by row."""
    lists = ("Mlist", "Glist", "Slist")
    arrays = given(name)
    rng = np.random.default_rng(5)
    several = [k for k in arrays
               if many == "both" or (k in lists) == (many == "robots")]  # fmt: skip
    rows = {k: np.array([a * s for s in rng.uniform(0.9, 1.1, 11)]) if k in several else a
            for k, a in arrays.items()}  # fmt: skip
    found = getattr(mr, name)(**rows)
    for row in range(11):
        one = {k: a[row] if k in several else a for k, a in rows.items()}
        assert np.array_equal(found[row], getattr(mr, name)(**one))


def test_leading_axes_that_do_not_fit_are_named():
    """Three states and four wrenches are refused with both leading shapes."""
    with pytest.raises(ValueError, match=r"do not broadcast: thetalist \(3,\).* Ftip \(4,\)"):
        mr.EndEffectorForces(np.zeros((3, 3)), np.zeros((4, 6)), *ARM.lists)


# -- trajectories ----------------------------------------------------------------------------------


def test_inverse_dynamics_along_a_motion_is_row_by_row():
    """Efforts along a motion have the very bits of single calls, and the number 0 for all wrenches
    is no wrench."""
    rng = np.random.default_rng(6)
    motion, wrenches = rng.normal(size=(3, 9, 3)), rng.normal(size=(9, 6))
    tau = mr.InverseDynamicsTrajectory(*motion, ARM.g, wrenches, *ARM.lists)
    free = mr.InverseDynamicsTrajectory(*motion, ARM.g, 0, *ARM.lists)
    for k in range(9):
        args = (*motion[:, k], ARM.g, wrenches[k], *ARM.lists)
        assert np.array_equal(tau[k], mr.InverseDynamics(*args))
        assert np.array_equal(free[k], mr.InverseDynamics(*args[:4], [0] * 6, *ARM.lists))


def test_forward_dynamics_along_a_motion_is_step_by_step():
    """A simulated motion is that of `ForwardDynamics` and `EulerStep` called in turn, intRes times
    from row to row, to 1e-13."""
    rng = np.random.default_rng(7)
    tau, wrenches = rng.normal(size=(6, 3)), rng.normal(size=(6, 6))
    q, qd = mr.ForwardDynamicsTrajectory(ARM.theta, ARM.dtheta, tau, ARM.g, wrenches, *ARM.lists,
                                         0.02, 4)  # fmt: skip
    at = ARM.theta, ARM.dtheta
    for k in range(6):
        assert normwise(q[k], at[0]) <= 1e-13
        assert normwise(qd[k], at[1]) <= 1e-13
        for _ in range(4):
            qdd = mr.ForwardDynamics(*at, tau[k], ARM.g, wrenches[k], *ARM.lists)
            at = mr.EulerStep(*at, qdd, 0.005)


def test_more_steps_come_nearer_in_proportion():
    """Twice as many Euler steps halve the distance to the fourth-order motion of the robot made of
    the same lists, to a tenth: the method is of order one."""
    tau = np.zeros((11, 3))
    arm = ma.Robot.from_screws(*ARM.lists, gravity=ARM.g)
    exact, _ = arm.forward_dynamics_trajectory(ARM.theta, ARM.dtheta, tau, 0.01, substeps=50)
    off = [np.abs(mr.ForwardDynamicsTrajectory(ARM.theta, ARM.dtheta, tau, ARM.g, 0, *ARM.lists,
                                               0.01, steps)[0] - exact).max()
           for steps in (10, 20, 40)]  # fmt: skip
    assert off[0] / off[1] == pytest.approx(2, rel=0.1)
    assert off[1] / off[2] == pytest.approx(2, rel=0.1)


def test_motions_of_many_states_at_once():
    """Four motions simulated together are four motions simulated apart, bit for bit."""
    tau = np.random.default_rng(8).normal(size=(4, 5, 3))
    rest = ARM.g, 0, *ARM.lists, 0.02, 2
    q, qd = mr.ForwardDynamicsTrajectory(ARM.theta, ARM.dtheta, tau, *rest)
    for k in range(4):
        alone = mr.ForwardDynamicsTrajectory(ARM.theta, ARM.dtheta, tau[k], *rest)
        assert np.array_equal(q[k], alone[0])
        assert np.array_equal(qd[k], alone[1])


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dthetamat": np.zeros((4, 3))}, "as many rows in all, got thetamat 5, dthetamat 4"),
        ({"thetamat": np.zeros(3)}, r"\(thetamat\): expected a row a time"),
        ({"Ftipmat": 1}, r"\(Ftipmat\): expected a row a time"),
    ],
)
def test_rows_that_do_not_fit_are_named(changed, said):
    """Of arrays with unequal rows, or none, the error names the arrays and their rows."""
    args = {"thetamat": np.zeros((5, 3)), "dthetamat": np.zeros((5, 3)),
            "ddthetamat": np.zeros((5, 3)), "g": ARM.g, "Ftipmat": 0, "Mlist": ARM.Mlist,
            "Glist": ARM.Glist, "Slist": ARM.Slist}  # fmt: skip
    with pytest.raises(ValueError, match=f"InverseDynamicsTrajectory.*{said}"):
        mr.InverseDynamicsTrajectory(**args | changed)


@pytest.mark.parametrize(("dt", "steps", "said"), [(0.1, 0, "intRes"), (0.1, 1.5, "intRes"),
                                                   (np.nan, 1, "dt"), ("1", 1, "dt")])  # fmt: skip
def test_impossible_steps_are_refused(dt, steps, said):
    """No steps, one and a half steps and a time that is no finite number are refused by name."""
    with pytest.raises((ValueError, TypeError), match=rf"^ForwardDynamicsTrajectory\({said}\)"):
        mr.ForwardDynamicsTrajectory(ARM.theta, ARM.dtheta, np.zeros((3, 3)), ARM.g, 0, *ARM.lists,
                                     dt, steps)  # fmt: skip


@pytest.mark.parametrize(("method", "zeros"), [(3, 1), (5, 2)])
def test_straight_lines_start_and_end_at_rest(method, zeros):
    """A cubic line leaves and arrives with zero rates, a quintic one without acceleration either,
    and both pass the middle at half the time."""
    line = mr.JointTrajectory([0, 1], [2, -1], 3, 3001, method)
    assert np.array_equal(line[[0, 1500, -1]], [[0, 1], [1, 0], [2, -1]])
    slopes = line
    for _ in range(zeros):
        slopes = np.gradient(slopes, 1e-3, axis=0, edge_order=2)
        assert np.abs(slopes[[0, -1]]).max() < 1e-2
    assert np.abs(np.gradient(slopes, 1e-3, axis=0)[0]).max() > 0.5


def test_a_controller_that_knows_its_robot_keeps_it_on_course():
    """A robot that starts on its trajectory, under a controller that knows its numbers, is off by
    what a step neglects, half as much at half the step."""
    off = []
    for count in (101, 201):
        h = 1 / (count - 1)
        s = np.arange(count)[:, None] * h
        wanted = ARM.theta + np.sin(s), np.cos(s) + 0 * ARM.theta, -np.sin(s) + 0 * ARM.theta
        _, found = mr.SimulateControl(wanted[0][0], wanted[1][0], ARM.g, 0, *ARM.lists, *wanted,
                                      ARM.g, ARM.Mlist, ARM.Glist, 20, 10, 18, h, 1)  # fmt: skip
        off.append(np.abs(found[:-1] - wanted[0][1:]).max())
    assert off[0] < 1e-2
    assert off[0] / off[1] == pytest.approx(2, rel=0.2)


def test_trajectories_with_leading_axes_are_simulated_one_by_one():
    """Three motions controlled at once, leading axis first, give what each gives by itself."""
    rng, count = np.random.default_rng(3), 4
    wanted = rng.normal(size=(3, 3, count, 3))  # θ, θ̇, θ̈ of three motions
    rest = ARM.g, ARM.Mlist, ARM.Glist, 20, 10, 18, 0.01, 2
    start = ARM.theta, 0 * ARM.theta, ARM.g, 0, *ARM.lists
    together = mr.SimulateControl(*start, *wanted, *rest)
    for k in range(3):
        alone = mr.SimulateControl(*start, *wanted[:, k], *rest)
        for found, expected in zip(together, alone, strict=True):
            assert np.array_equal(found[k], expected)


# -- machine code ----------------------------------------------------------------------------------


@every_function
def test_another_robot_needs_no_other_code(name, monkeypatch):
    """After one call, calls and batches for other robots of as many joints compile nothing."""
    f = getattr(mr, name)
    f(**given(name))
    f(**given(name) | {"thetalist": np.zeros((20, 3))})

    def refuse(text):
        raise AssertionError("something was compiled")

    monkeypatch.setattr(engine, "compile_object", refuse)
    other = chain(9, 3)
    names = ("thetalist", "Mlist", "Glist", "Slist")
    changed = dict(zip(names, (other.theta, *other.lists), strict=True))
    assert not np.array_equal(f(**given(name) | changed), f(**given(name)))
    assert f(**given(name) | changed | {"thetalist": np.zeros((9, 3))}).shape[0] == 9


def test_robots_of_different_sizes_take_turns():
    """Called for two, three and two joints again, a function answers each time as if it had never
    been called before."""
    chains = [chain(2, 2), ARM, chain(2, 2)]
    found = [mr.GravityForces(c.theta, c.g, *c.lists) for c in chains]
    assert np.array_equal(found[0], found[2])
    for c, tau in zip(chains, found, strict=True):
        arm = ma.Robot.from_screws(*c.lists, gravity=c.g)
        assert normwise(tau, arm.gravity_forces(c.theta)) < 1e-12


def test_the_next_process_compiles_nothing(tmp_path):
    """A second process finds the code of the first on disk: it answers with the compiler broken."""
    script = ("import numpy as np, momentarm.modern_robotics as mr\n"
              "from momentarm.kernels import engine\n{}\n"
              "M, G, S = np.tile(np.eye(4), (3, 1, 1)), [np.eye(6)] * 2, np.eye(6)[:, :2]\n"
              "print(mr.ForwardDynamics([.1, .2], [1, 2], [3, 4], [0, 0, -9], [1] * 6, M, G, S))\n")
    broken = "engine.compile_object = None"
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path),
                                "PYTHONPATH": str(Path(ma.__file__).parents[1])}  # fmt: skip
    said = []
    for line in ("", broken):
        command = [sys.executable, "-c", script.format(line)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert said[0] == said[1] != ""


def test_kernels_can_be_read():
    """The kernel of each function names it, its arguments, and as many operations for every robot
    of six joints."""
    for name, function in COMPILED.items():
        kernel = mr.kernel(name, 6)
        assert kernel.recipe.name == name
        assert tuple(kernel.recipe.inputs) == tuple(function.inputs)
    assert mr.kernel("InverseDynamics", 6).ops.total < 3600
    assert "double" in mr.kernel("ad", 0).source("c")
