"""Do the tests notice? One wrong line at a time is planted, and a named claim has to turn red.

python tools/planted_bugs.py            all of them, as a table
python tools/planted_bugs.py gravity    those with this word in what is wrong

A bug is planted in a copy of the package in a temporary directory; the sources are only read. Each
line also answers what that term is there for. Does not look for bugs that nobody planted.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
RED = 1  # pytest's exit code for failed tests; other codes mean that none was judged


class Bug(NamedTuple):
    wrong_is: str
    file: str  # below src/momentarm
    right: str  # stands there exactly once
    wrong: str
    claim: str  # below tests, file::test


BUGS = (
    Bug("a sign in the cross product is flipped", "spatial/vector.py",
        "a.z * b.x - a.x * b.z,", "a.x * b.z - a.z * b.x,",
        "identities/test_spatial.py::test_transform_of_a_motion_is_the_adjoint"),
    Bug("motions are turned with R instead of its transpose", "spatial/transform.py",
        "ang, lin = X.R.T @ o.ang, X.R.T @ at_b", "ang, lin = X.R @ o.ang, X.R @ at_b",
        "identities/test_kinematics.py::test_body_jacobian_is_the_derivative_of_the_pose"),
    Bug("h × a is left out of the moment", "spatial/inertia.py",
        "return Force(n + h.cross(x.a), x.a * m + U @ h)", "return Force(n, x.a * m + U @ h)",
        "identities/test_dynamics.py::test_screw_form_equals_classical_form"),
    Bug("two products of inertia are swapped", "spatial/inertia.py",
        "- U.cx.y * E.xz + (zz - yy) * E.yz", "- U.cx.y * E.yz + (zz - yy) * E.xz",
        "identities/test_spatial.py::test_net_wrench_is_newtons_law_over_points"),
    Bug("adᵀ𝒢𝒱 is left out of a body's equation", "spatial/inertia.py",
        "return self @ Vd + V.cross(self @ V)", "return self @ Vd",
        "identities/test_shapes.py::test_twist_form_is_newton_and_euler"),
    Bug("half a ball has its centre halfway up", "spatial/shapes.py",
        "EZ * (3 * radius / 8)", "EZ * (radius / 2)",
        "oracles/test_bodies.py::test_every_shape_is_its_integral"),
    Bug("gravity pulls upward", "spatial/motion.py",
        "return cls.of(ZERO, ZERO, -gravity)", "return cls.of(ZERO, ZERO, gravity)",
        "identities/test_lagrange.py::test_gravity_is_the_gradient_of_potential_energy"),
    Bug("a link's origin is accelerated as its parent's, U p is left out", "model/joints.py",
        "a = X.R.T @ (parent.a + parent.U @ X.p) + U.cz", "a = X.R.T @ parent.a + U.cz",
        "identities/test_lagrange.py::test_newton_euler_is_lagrange"),
    Bug("a slide's own length is forgotten", "model/joints.py",
        " + U.cz * X.slide", "",
        "identities/test_dynamics.py::test_screw_form_equals_classical_form"),
    Bug("the Coriolis acceleration of a slide counts once", "model/joints.py",
        "across * (2 * slip)", "across * slip",
        "identities/test_lagrange.py::test_newton_euler_is_lagrange"),
    Bug("efforts of joints that follow are dropped from joint states", "adapters/joint_state.py",
        "tau[..., leader] += ratio * columns[2][..., place[name]]", "pass",
        "surface/test_joint_states.py::test_efforts_of_joints_that_follow_are_passed_on"),
    Bug("ω × v is left out of MuJoCo's accelerations", "adapters/blocks.py",
        "np.cross(v[..., :3], v[..., 3:])", "0 * v[..., 3:]",
        "identities/test_orders.py::test_accelerations_are_how_rates_change"),
    Bug("efforts forget the ratio of their joint", "model/coordinates.py",
        "tau[k] + m.links[i].joint.drive.ratio * effort", "tau[k] + effort",
        "identities/test_lagrange.py::test_power_is_the_rate_of_energy"),
    Bug("accelerations change with efforts' sign", "algorithms/derivatives.py",
        "[-x for x in column]", "[x for x in column]",
        "identities/test_forward_derivatives.py"
        "::test_displacements_change_accelerations_as_jets_say"),
    Bug("rates of a quaternion are taken to commute", "kernels/derived.py",
        'x if how.commute else ""', "x",
        "identities/test_derived_kernels.py::test_rates_of_a_quaternion_do_not_commute"),
    Bug("joints of one coordinate meet once instead of twice", "algorithms/composite.py",
        "twice = 2 if", "twice = 1 if",
        "identities/test_dynamics.py"
        "::test_columns_of_the_mass_matrix_are_efforts_of_unit_accelerations"),
    Bug("a free joint stiffens its subtree instead of softening it", "algorithms/articulated.py",
        "A.M - _dyad(U.lin, lin)", "A.M + _dyad(U.lin, lin)",
        "identities/test_dynamics.py::test_inverse_dynamics_undoes_articulated_bodies"),
    Bug("a screw's mass is given to the parent as if it did not slide", "model/joints.py",
        "if self.slides:  # the link slides", "if False:  # the link slides",
        "identities/test_invariance.py::test_regrouping_changes_no_effort"),
    Bug("a body's momentum does not turn with it", "algorithms/screw_chain.py",
        "momentum(G, Vd) + V.cross(momentum(G, V))", "momentum(G, Vd)",
        "identities/test_screw_chain.py::test_efforts_are_lagranges_for_any_inertia"),
    Bug("a screw's slide is as long as the way around", "algorithms/screw_kinematics.py",
        "w.cross(across) * (angle - 2 * s * c)", "w.cross(across) * angle",
        "identities/test_screw_chain.py::test_exponentials_of_all_sizes"),
    Bug("a step of order four weighs its slopes alike", "algorithms/motion.py",
        "w + 2 * (x + y) + z", "(w + x + y + z) * 6 / 4",
        "oracles/test_motion.py::test_half_the_step_is_nearer_by_the_order_of_the_method"),
    Bug("of a sum of equal terms all are cancelled by one", "passes/factor.py",
        "left.remove(term)  # once: x + x - x is x", "left = [t for t in left if t != term]",
        "compiler/test_passes.py::test_sums_of_few_numbers_keep_their_value"),
    Bug("a rotor's energy takes its rate, not the square", "algorithms/energy.py",
        "(rate * rate)", "rate",
        "units/test_dimensions.py::test_algorithms_answer_in_their_units"),
    Bug("mass beyond a joint is thought to move with the joint's link", "algorithms/coriolis.py",
        "flow.turned(S.ang) + field.turned(V.ang),", "field.turned(V.ang),",
        "identities/test_coriolis.py::test_coriolis_matrix_times_rates_is_newton_eulers_force"),
    Bug("what is done to an outer joint is not taken from inner ones", "algorithms/christoffel.py",
        "self._put(c, a, b, -middle)", "self._put(c, a, b, middle)",
        "identities/test_coriolis.py::test_christoffel_symbols_are_derivatives_of_the_mass_matrix"),
    Bug("a force passes a turning joint as if it stood still", "algorithms/coriolis.py",
        "X[i].T @ (fd + J[i].cross(f))", "X[i].T @ fd",
        "identities/test_coriolis.py::test_rate_of_the_mass_matrix_is_its_derivative"),
    Bug("a frame's origin moves with the axis's link", "algorithms/frame_motion.py",
        " + S.ang.cross(away))", ")",
        "identities/test_frame_motion.py::test_rate_of_the_jacobian_is_its_derivative"),
    Bug("momentum is taken to a point with the wrong sign", "algorithms/momentum.py",
        "f.ang - point.cross(f.lin)", "f.ang + point.cross(f.lin)",
        "identities/test_momentum.py::test_centroidal_momentum_is_about_the_center_of_mass"),
    Bug("the rate of a frame's twist forgets that its axes turn", "algorithms/frame_drift.py",
        "Motion(x.wd, x.a - v.ang.cross(v.lin))", "Motion(x.wd, x.a)",
        "identities/test_task_space.py::test_drift_is_the_jacobians_derivative_times_rates"),
    Bug("the dot of J is lost, as in print (8.91)", "algorithms/task_space.py",
        "[a - b for a, b in zip(free, drift, strict=True)]", "free",
        "identities/test_task_space.py::test_forces_of_the_task_are_those_of_the_joints"),
    Bug("a loop's Coriolis acceleration counts once", "algorithms/constraints.py",
        "w.cross(dd) * 2", "w.cross(dd)",
        "identities/test_constraints.py::test_bias_of_a_loop_is_the_derivative_of_its_rows"),
    Bug("the force of constraints forgets their drift", "algorithms/constrained.py",
        "[x + y for x, y in zip(along.response(half), b, strict=True)]", "along.response(half)",
        "identities/test_constraints.py"
        "::test_constrained_forward_dynamics_solves_both_equations"),
    Bug("rows measure themselves, so that one that vanishes is not noticed",
        "algorithms/mobility.py", "scale if i in measured else s", "s",
        "surface/test_constraints.py::test_a_stretched_arm_says_that_it_is_singular"),
)  # fmt: skip


def planted(bug: Bug, folder: Path) -> Path:
    """A copy of the package below `folder`, with the bug."""
    package = folder / "momentarm"
    shutil.copytree(ROOT / "src" / "momentarm", package)
    path = package / bug.file
    text = path.read_text(encoding="utf-8")
    if text.count(bug.right) != 1:
        raise ValueError(f"{bug.file} has {text.count(bug.right)} times {bug.right!r}, expected 1")
    path.write_text(text.replace(bug.right, bug.wrong), encoding="utf-8")
    return folder


def judged(package: Path, claims: set[str]) -> subprocess.CompletedProcess[str]:
    """The claims, tested on the package in this directory; stops at the first that fails."""
    options = ["-q", "-x", "--tb=no", "-p", "no:cacheprovider", "-o", "addopts="]
    tests = [str(ROOT / "tests" / claim) for claim in sorted(claims)]
    command = [sys.executable, "-m", "pytest", "--import-mode=importlib", *options, *tests]
    path = os.pathsep.join(map(str, (package, ROOT / "tests")))
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    environment |= {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True,
                          timeout=120, check=False)  # fmt: skip


def report(bug: Bug) -> tuple[bool, str]:
    """Whether the claim turned red by itself, and what pytest said."""
    with tempfile.TemporaryDirectory() as folder:
        run = judged(planted(bug, Path(folder)), {bug.claim})
    return run.returncode == RED and f"FAILED tests/{bug.claim}" in run.stdout, run.stdout


def main(words: list[str]) -> int:
    """The table; 1 if a bug went unnoticed."""
    chosen = [b for b in BUGS if all(w in b.wrong_is for w in words)]
    missed = 0
    for bug in chosen:
        red, _ = report(bug)
        missed += not red
        print(f"{'red   ' if red else 'MISSED'}  {bug.wrong_is}\n        {bug.claim}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
