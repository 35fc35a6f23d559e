"""Exported C: what compilers, sanitizers and the linker say of it, and its bits."""

import re
import shutil
import struct
import subprocess

import numpy as np
import pytest

import momentarm as ma
from compiler import material
from momentarm.backends import c
from momentarm.graph import Program
from momentarm.version import __version__

KINDS = ("double", "float")
KERNELS = (
    ("cart_pole", "forward_dynamics"),
    ("two_arms", "inverse_dynamics"),
    ("gripper", "mass_matrix"),
    ("panda", "inverse_dynamics"),
    ("ur5", "forward_kinematics"),
)
FAST = ["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O2", "-march=native"]


def rows(program, kind, count=60):
    """Random arguments, in which hard numbers and angles beyond 1e5 are strewn."""
    rng, hard = np.random.default_rng(10), material.nasty(kind)
    made = []
    for shape in program.inputs.values():
        a = rng.standard_normal((count, *shape))
        a[20:40] *= 10.0 ** rng.uniform(-3, 9, a[20:40].shape)
        strewn = rng.random(a.shape) < 0.15
        strewn[:40] = False
        made.append(np.where(strewn, rng.choice(hard, a.shape), a).astype(material.DTYPES[kind]))
    return made


def reference(kernel, kind, args):
    """What the kernel itself gives, as a tuple."""
    result = kernel(*args, dtype=material.DTYPES[kind])
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("robot, quantity", KERNELS)
def test_c_has_the_bits_of_the_kernel(robot, quantity, kind, tmp_path):
    """Exported C, without a warning from a strict compiler, gives the bits of the kernel."""
    kernel = getattr(ma.robots, robot)().kernel(quantity)
    args = rows(kernel.program, kind)
    run = material.exported(kernel.program, kind, tmp_path, *material.STRICT, "-O1")
    for found, expected in zip(run(*args), reference(kernel, kind, args), strict=True):
        material.assert_same_bits(found, expected, f"{robot} {quantity}")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [FAST, [*material.STRICT, "-O0"], [*FAST, "-O3"]],
                         ids=["fast", "slow", "fastest"])  # fmt: skip
def test_bits_do_not_depend_on_optimization(kind, options, tmp_path):
    """The same C text gives the kernel's bits at -O0, -O2, -O3, with all instructions there are."""
    kernel = ma.robots.ur5().kernel("forward_dynamics")
    args = rows(kernel.program, kind, 200)
    run = material.exported(kernel.program, kind, tmp_path, *options)
    material.assert_same_bits(run(*args)[0], reference(kernel, kind, args)[0])


@pytest.mark.parametrize("kind", KINDS)
def test_parts_have_the_bits_of_the_whole(kind, tmp_path, monkeypatch):
    """A program cut into many functions gives the bits of the kernel, which is one function."""
    kernel = ma.robots.two_arms().kernel("inverse_dynamics")
    args = rows(kernel.program, kind)
    expected = reference(kernel, kind, args)[0]
    material.cut(monkeypatch, 60)
    run = material.exported(kernel.program, kind, tmp_path)
    assert (tmp_path / "f.c").read_text().count("static void part") > 5
    material.assert_same_bits(run(*args)[0], expected)


@pytest.mark.parametrize("longest", [None, 4])
def test_truth_values_survive_parts(longest, tmp_path, monkeypatch):
    """Every operation, truth values too, passes from part to part with LLVM's bits."""
    program = material.every_operation()
    args = rows(program, "double", 300)
    expected = material.llvm_scalar(program, "double")(*args)[0]
    material.cut(monkeypatch, longest)
    material.assert_same_bits(material.exported(program, "double", tmp_path)(*args)[0], expected)


MAIN = """
#include <stdio.h>
#include "f.h"
int main(void)
{
    %(real)s x[%(inputs)d], y[%(outputs)d];
    while (fread(x, sizeof x, 1, stdin) == 1) {
        %(call)s;
        fwrite(y, sizeof y, 1, stdout);
    }
    return 0;
}
"""


def pointers(array, shapes):
    """x, x + 7, …: where each argument begins in one array."""
    starts = np.cumsum([0, *(int(np.prod(s)) for s in shapes)])
    return [f"{array} + {k}" for k in starts[:-1]], int(starts[-1])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cut", [None, 100], ids=["whole", "parts"])
def test_sanitizers_find_nothing(kind, cut, tmp_path, monkeypatch):
    """Under address and undefined-behaviour sanitizers C runs through with the kernel's bits."""
    kernel = ma.robots.stanford().kernel("forward_dynamics")
    program, args = kernel.program, rows(kernel.program, kind, 300)
    expected = reference(kernel, kind, args)[0]
    material.cut(monkeypatch, cut)
    (ins, size), (outs, results) = (pointers("x", program.inputs.values()),
                                    pointers("y", program.outputs.values()))  # fmt: skip
    call = f"f({', '.join([*ins, *outs])})"
    about = {"real": kind, "inputs": size, "outputs": results, "call": call}
    (tmp_path / "f.c").write_text(c.source(program, "f", {}, kind))
    (tmp_path / "f.h").write_text(c.header(program, "f", {}, kind))
    (tmp_path / "main.c").write_text(MAIN % about)
    material.build(tmp_path, "run", *material.STRICT, "-g", "-fsanitize=address,undefined",
                   "-fno-sanitize-recover=all", "f.c", "main.c", "-o", "run", "-lm")  # fmt: skip
    flat = np.concatenate([a.reshape(300, -1) for a in args], axis=1)
    done = subprocess.run([tmp_path / "run"], input=flat.tobytes(), capture_output=True,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    found = np.frombuffer(done.stdout, material.DTYPES[kind]).reshape(expected.shape)
    material.assert_same_bits(found, expected)


def needed(name):
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"no {name} on the path: it alone can judge this")
    return path


@pytest.mark.parametrize("cut", [None, 100], ids=["whole", "parts"])
def test_one_public_name(cut, tmp_path, monkeypatch):
    """The object file shows the linker one name, and wants only functions of the math library."""
    program = ma.robots.two_arms().kernel("inverse_dynamics").program
    material.cut(monkeypatch, cut)
    (tmp_path / "f.c").write_text(c.source(program, "two_arms", {}))
    material.build(tmp_path, "object", *material.STRICT, "-c", "f.c")
    listed = subprocess.run([needed("nm"), "-g", tmp_path / "f.o"], text=True, check=True,
                            capture_output=True).stdout.splitlines()  # fmt: skip
    kinds = {line.split()[-1].lstrip("_"): line.split()[-2] for line in listed}
    assert [name for name, kind in kinds.items() if kind != "U"] == ["two_arms"]
    wanted = {name for name, kind in kinds.items() if kind == "U"}
    assert wanted <= {"fma", "sqrt", "fabs", "copysign", "memcpy", "stack_chk_fail"}


@pytest.mark.parametrize("kind", KINDS)
def test_header_serves_c_and_cpp(kind, tmp_path):
    """The header, included twice, compiles as C99 and as C++, and agrees with the source."""
    program = ma.robots.planar_2r().kernel("mass_matrix").program
    (tmp_path / "f.h").write_text(c.header(program, "f", {}, kind))
    (tmp_path / "f.c").write_text('#include "f.h"\n' + c.source(program, "f", {}, kind))
    call = '#include "f.h"\n#include "f.h"\nint main(void) { return f == 0; }\n'
    (tmp_path / "use.c").write_text(call.replace("f == 0", "0"))
    (tmp_path / "use.cpp").write_text(call.replace("f == 0", "0"))
    material.build(tmp_path, "C", *material.STRICT, "-Wmissing-prototypes", "f.c", "-c")
    material.build(tmp_path, "C", *material.STRICT, "use.c", "-c")
    strict = ["-std=c++98", *material.STRICT[1:]]
    material.build(tmp_path, "C++", *strict, "use.cpp", "-c", compiler=needed("g++"))


HARD_NAMES = {
    "double": "double_", "if": "if_", "erf": "erf_", "sinf": "sinf_", "class": "class_",
    "main": "main_", "printf": "printf_", "2r": "x2r", "_private": "x_private", "a b": "a_b",
    "φ": "x_", "v12": "v12_", "part3": "part3_", "panda.tip-1": "panda_tip_1", "": "x",
}  # fmt: skip


@pytest.mark.parametrize("name", HARD_NAMES)
def test_names_become_identifiers(name, tmp_path):
    """Any name becomes the identifier a person expects, and a strict compiler takes it."""
    assert c.identifier(name) == HARD_NAMES[name]
    shapes = {name: (2,), "x": (), "w": (1,), "x_": (), f"{name}_": ()}
    program = Program.trace(
        lambda a, x, w, y, z: (a[0] * x, a[1].sin(), w[0] + y * z), shapes,
        {"v1": (), "angle": (), "r": ()},
    )  # fmt: skip
    args = [np.random.default_rng(11).standard_normal((9, *s)) for s in shapes.values()]
    found = material.exported(program, "double", tmp_path, name=c.identifier(name))(*args)
    expected = material.llvm_scalar(program, "double")(*args)
    for a, b in zip(found, expected, strict=True):
        material.assert_same_bits(a, b)


NOTHING = {
    "no arguments": Program.trace(lambda: [1.5, -2.0], {}),
    "idle arguments": Program.trace(lambda x, y: [x[1], 0.0], {"x": (2,), "y": (3,)}),
    "empty arrays": Program.trace(lambda x, y: ([], y), {"x": (0,), "y": ()}, {"a": (0,), "b": ()}),
}


@pytest.mark.parametrize("case", NOTHING)
@pytest.mark.parametrize("kind", KINDS)
def test_odd_programs_compile(case, kind, tmp_path):
    """Programs with nothing to read, compute or write compile without a warning."""
    (tmp_path / "f.c").write_text(c.source(NOTHING[case], "f", {}, kind))
    material.build(tmp_path, case, *material.STRICT, "-c", "f.c")


def test_constants_keep_their_bits(tmp_path):
    """Numbers in the text are read by the compiler as the doubles, or nearest floats, they were."""
    rng = np.random.default_rng(12)
    ordinary = rng.standard_normal(50) * 10.0 ** rng.integers(-300, 300, 50)
    numbers = [*material.nasty("double"), *ordinary]
    program = Program.trace(lambda: [float(x) for x in numbers], {})
    for kind in KINDS:
        found = np.full(len(numbers), 7, material.DTYPES[kind])
        (tmp_path / f"{kind}.c").write_text(c.source(program, "f", {}, kind))
        material.build(tmp_path, kind, *material.STRICT, "-shared", "-fPIC", f"{kind}.c", "-o",
                       f"{kind}.so")  # fmt: skip
        material.ctypes.CDLL(str(tmp_path / f"{kind}.so")).f(
            material.ctypes.c_void_p(found.ctypes.data)
        )
        with np.errstate(all="ignore"):
            expected = (np.array(numbers) + 0.0).astype(material.DTYPES[kind])
        material.assert_same_bits(found, expected)


def test_the_file_introduces_itself():
    """The head of both files names function, robot, version, counts and arrays, from the kernel."""
    kernel = ma.robots.planar_2r().kernel("inverse_dynamics")
    text = kernel.source("c")
    head = text[: text.index("*/")]
    for part in ("inverse_dynamics", "planar_2r", __version__,
                 str(kernel.ops), "do not edit", "q[2], qd[2], qdd[2], tau[2]"):  # fmt: skip
        assert part in head, part
    assert re.search(r"[0-9a-f]{64}", head)
    assert head.isascii()


def test_comments_cannot_be_escaped(tmp_path):
    """Whatever provenance says, the file compiles and stays one comment and one function."""
    program = Program.trace(lambda x: x * x, {"x": ()})
    bad = {"robot": "*/ int evil; /*", "file": "??/\nint evil;\\", "*/": "\u202e\x00 /* ??/"}
    for kind in KINDS:
        text = c.source(program, "f", bad, kind)
        assert text.count("/*") == text.count("*/") == 1
        (tmp_path / "f.c").write_text(text)
        material.build(tmp_path, "comments", *material.STRICT, "-c", "f.c")


def test_small_export(golden):
    """The text for a two-joint arm is, line by line, the one that was reviewed."""
    program = ma.robots.planar_2r().kernel("gravity_forces").program
    about = {"robot": "planar_2r", "version": "0.0.0"}
    golden("planar_2r_gravity.c", c.source(program, "gravity_forces", about))
    golden("planar_2r_gravity.h", c.header(program, "gravity_forces", about, "float"))


def test_float_literals_round_once():
    """A number exported for floats is the nearest float, found here by exact fractions."""
    for x in np.random.default_rng(13).standard_normal(200):
        text = c.source(Program.trace(lambda x=x: float(x), {}), "f", {}, "float")
        literal = re.search(r"= \(?(-?0x[0-9a-fp.+-]+)f\)?;", text)[1]
        nearest = material.nearest(material.Fraction(float(x)), "float")
        assert struct.pack("f", float.fromhex(literal)) == struct.pack("f", nearest)
