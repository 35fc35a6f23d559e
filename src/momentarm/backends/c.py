"""C99 text: one function for one state, for machines on which no Python runs.

Rule 1  The operations of `backends.llvm` on the same numbers, in a file of its own: the same bits
        from any compiler that keeps IEEE arithmetic as written.
Rule 2  No allocation, no state, no recursion. Of the C library fma, sqrt and the sign functions.
Rule 3  A long program is cut into the same `parts` as LLVM's; what one part leaves to a later one
        stands in the array `w`.

>>> from momentarm.graph import Program
>>> p = Program.trace(lambda x: x[0] * x[1] + 2 / x[0], {"x": (2,)})
>>> print(source(p, "f", {}).partition("void")[2])
 f(const double x[2], double y[1])
{
    const double v2 = x[0] * x[1];
    const double v4 = 2.0 / x[0];
    const double v5 = v2 + v4;
    y[0] = v5;
}
<BLANKLINE>
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Container, Iterable, Mapping

from momentarm.backends import elementary, parts
from momentarm.backends.levels import Angle, Level
from momentarm.graph.ops import LEAVES, OPS
from momentarm.graph.program import Program
from momentarm.graph.tape import Node

SPELLING = {  # {f} is the f of fmaf where numbers are floats
    "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "neg": "-{}",
    "fma": "fma{f}({}, {}, {})", "sqrt": "sqrt{f}({})", "abs": "fabs{f}({})",
    "sign": "{0} > 0 || {0} < 0 ? copysign{f}(1, {0}) : {0}",
    "lt": "{} < {}", "le": "{} <= {}", "eq": "{} == {}",
    "and": "{} && {}", "or": "{} || {}", "not": "!{}", "select": "{} ? {} : {}",
}  # fmt: skip

_WORDS = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while alignas alignof and and_eq asm bitand bitor bool catch class compl
    concept const_cast consteval constexpr constinit co_await co_return co_yield decltype delete
    dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr
    operator or or_eq private protected public reinterpret_cast requires static_assert static_cast
    template this thread_local throw true try typeid typename using virtual wchar_t xor xor_eq acos
    asin atan atan2 cbrt ceil copysign cos cosh erf erfc errno exp exp2 expm1 fabs fdim floor fma
    fmax fmin fmod frexp gamma hypot ilogb isfinite isinf isnan isnormal ldexp lgamma llrint llround
    log log10 log1p log2 logb lrint lround main memcpy modf nan nearbyint nexttoward nextafter pow
    remainder remquo rint round scalbln scalbn signbit sin sincos sinh sqrt tan tanh tgamma trunc
    abort abs calloc div exit free index labs malloc memmove memset printf puts putchar rand realloc
    remove signal time j0 j1 jn y0 yn linux unix near far w angle high_half into_turn flipped
    sine_cosine NAN INFINITY UINT64_C
"""
RESERVED = frozenset(_WORDS.split())  # of C and C++, their library, and our own functions
OURS = re.compile(r"([av]|part)\d+")  # what we call values and parts


def source(program: Program, function: str, provenance: Mapping[str, str],
           scalar: str = "double") -> str:  # fmt: skip
    """The .c file: one public function, called `function` as far as C allows."""
    writer = _Writer(program, function, scalar)
    return "\n".join([
        *_introduction(program, function, provenance),
        *_PREAMBLE,
        *_includes(bool(writer.angles)),
        *(_sine_cosine(scalar) if writer.angles else []),
        *writer.functions(),
        _prototype(program, function, scalar),
        "{",
        *writer.body(),
        "}",
        "",
    ])  # fmt: skip


def header(program: Program, function: str, provenance: Mapping[str, str],
           scalar: str = "double") -> str:  # fmt: skip
    """The .h file, for C and C++."""
    guard = f"{identifier(function).rstrip('_')}_H".upper()
    return "\n".join([
        *_introduction(program, function, provenance),
        f"#ifndef {guard}\n#define {guard}\n",
        '#ifdef __cplusplus\nextern "C" {\n#endif\n',
        f"{_prototype(program, function, scalar)};\n",
        "#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
    ])  # fmt: skip


def identifier(name: str, taken: Container[str] = ()) -> str:
    """A C and C++ identifier as close to `name` as can be.

    >>> identifier("panda.id"), identifier("double"), identifier("2r"), identifier("v7")
    ('panda_id', 'double_', 'x2r', 'v7_')
    """
    found = re.sub(r"_{2,}", "_", re.sub(r"[^A-Za-z0-9_]", "_", name))
    if not re.match(r"[A-Za-z]", found):
        found = f"x{found}"
    while _is_reserved(found) or found in taken:
        found += "x" if found.endswith("_") else "_"
    return found


def _is_reserved(name: str) -> bool:
    return not RESERVED.isdisjoint((name, name.removesuffix("f"))) or bool(OURS.fullmatch(name))


def _arguments(program: Program, function: str) -> tuple[list[str], list[str]]:
    """The names of the input and output arrays in C."""
    names = [identifier(function)]
    for name in [*program.inputs, *program.outputs]:
        names.append(identifier(name, names))
    split = len(program.inputs) + 1
    return names[1:split], names[split:]


def _prototype(program: Program, function: str, scalar: str) -> str:
    ins, outs = _arguments(program, function)
    shapes = [*program.inputs.values(), *program.outputs.values()]
    constness = ["const "] * len(ins) + [""] * len(outs)
    arrays = (
        f"{const}{scalar} {name}[{max(1, math.prod(shape))}]"
        for const, name, shape in zip(constness, [*ins, *outs], shapes, strict=True)
    )
    return f"void {identifier(function)}({', '.join(arrays) or 'void'})"


def _introduction(program: Program, function: str, provenance: Mapping[str, str]) -> list[str]:
    """The comment at the head of both files."""
    ins, outs = _arguments(program, function)
    shapes = [*program.inputs.values(), *program.outputs.values()]
    arrays = (
        f"{name}[{']['.join(map(str, shape))}]" if shape else f"*{name}"
        for name, shape in zip([*ins, *outs], shapes, strict=True)
    )
    given = f"{', '.join(outs)} from {', '.join(ins) or 'nothing'}"
    rows = {**provenance, "operations": str(program.counts), "arrays": ", ".join(arrays)}
    width = max(map(len, rows))
    return [
        f"/* {identifier(function)}: {given}. Made by momentarm; do not edit.",
        " *",
        *(f" *   {_comment(key):<{width}}  {_comment(text)}" for key, text in rows.items()),
        " *",
        " * Arrays are contiguous, the last index fastest; results must not overlap arguments.",
        " * Nothing is allocated or kept; any number of threads may call. NaN and infinities pass.",
        " * C99, link with -lm. The bits are those of momentarm's own code on a machine with IEEE",
        " * arithmetic if the compiler keeps to it: -ffp-contract=off, never -ffast-math.",
        " */",
    ]


def _comment(text: str) -> str:
    """Text that cannot end a comment or upset a compiler within one."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    return shown.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")


_PREAMBLE = [
    "#if defined(__FAST_MATH__)",
    '#error "-ffast-math changes what this file computes"',
    "#endif",
    "#if defined(__clang__)",
    "#pragma STDC FP_CONTRACT OFF",
    "#elif defined(__GNUC__)",
    # with -mfma, gcc 12's vectorizer makes vfmaddsub of a·b ± c whatever fp-contract says
    '#pragma GCC optimize ("fp-contract=off", "no-tree-slp-vectorize")',
    "#elif defined(_MSC_VER)",
    "#pragma fp_contract (off)",
    "#endif",
    "",
]


def _includes(has_angles: bool) -> list[str]:
    more = ["#include <stdint.h>", "#include <string.h>"] if has_angles else []
    return ["#include <math.h>", *more, ""]


def _number(x: float | str, scalar: str = "double") -> str:
    """A literal that no compiler can round differently."""
    value = float.fromhex(x) if isinstance(x, str) else x
    if scalar == "float":
        value = ctypes.c_float(value).value
    if value != value:
        return "NAN"
    if math.isinf(value):
        text = "INFINITY"
    elif abs(value) < 1e6 and value == int(value):
        text = f"{abs(value):.1f}" + "f" * (scalar == "float")
    else:
        mantissa, _, exponent = abs(value).hex().partition("p")
        text = f"{mantissa.rstrip('0').rstrip('.')}p{exponent}" + "f" * (scalar == "float")
    return f"(-{text})" if math.copysign(1, value) < 0 else text


def _sine_cosine(scalar: str) -> list[str]:
    """The functions that stand for `llvm.sincos` and `llvm.far_function`."""
    table = elementary.DOUBLE if scalar == "double" else elementary.SINGLE
    f, bits = ("", 64) if scalar == "double" else ("f", 32)
    turns = ",\n".join(f"        UINT64_C(0x{word:016x})" for word in elementary.TURNS)

    def n(x: float | str) -> str:
        return _number(x, scalar)

    def polynomial(coefficients: tuple[str, ...]) -> list[str]:
        *rest, p = coefficients
        return [f"    p = {n(p)};", *(f"    p = fma{f}(z, p, {n(c)});" for c in reversed(rest))]

    far = _FAR.replace("TURNS", turns).replace("TURN", _number(elementary.TURN))
    flipped = _FLIPPED.replace("BITS", str(bits)).replace("TOP", str(bits - 2))
    return [
        far.replace("LIMIT", _number(elementary.FAR)),
        f"typedef struct {{ {scalar} sine, cosine; }} angle;\n",
        flipped.replace("REAL", scalar),
        f"static angle sine_cosine({scalar} x)",
        "{",
        f"    const {scalar} near_x = {'' if scalar == 'double' else '(float)'}into_turn(x);",
        f"    const {scalar} shifted = fma{f}(near_x, {n(table.per_quarter)}, {n(table.magic)});",
        f"    const {scalar} minus_k = {n(table.magic)} - shifted;",
        f"    {scalar} r = near_x, z, p, sine, cosine;",
        f"    uint{bits}_t k;",
        "    angle result;",
        *(f"    r = fma{f}(minus_k, {n(part)}, r);" for part in table.quarter),
        "    z = r * r;",
        *polynomial(table.sin),
        f"    sine = fma{f}(r * z, p, r);",
        *polynomial(table.cos),
        f"    cosine = fma{f}(z * z, p, fma{f}({n(-0.5)}, z, {n(1)}));",
        "    memcpy(&k, &shifted, sizeof k);",
        "    result.sine = flipped(k & 1 ? cosine : sine, k);",
        "    result.cosine = flipped(k & 1 ? sine : cosine, k + 1);",
        "    return result;",
        "}",
        "",
    ]


_FAR = """\
/* The upper half of the product of two 64-bit numbers. */
static uint64_t high_half(uint64_t a, uint64_t b)
{
    const uint64_t low = UINT64_C(0xffffffff);
    const uint64_t cross = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
    const uint64_t other = (a & low) * (b >> 32) + (cross & low);
    return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
}

/* An angle beyond 1e5 brought into [-pi, pi] by 192 bits of 1/(2 pi); any other as it is. */
static double into_turn(double x)
{
    static const uint64_t turns[] = {
TURNS};
    const double size = fabs(x);
    uint64_t bits, m, at, a, b, c;
    int64_t fraction;
    double result;
    if (!(size > LIMIT && size < INFINITY)) {
        return x;
    }
    memcpy(&bits, &size, sizeof bits);
    m = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x10000000000000);
    at = (bits >> 52) - 1011;
    a = turns[at >> 6];
    b = turns[(at >> 6) + 1];
    c = turns[(at >> 6) + 2];
    at &= 63;
    if (at != 0) {
        a = a << at | b >> (64 - at);
        b = b << at | c >> (64 - at);
    }
    a = m * a + high_half(m, b);
    memcpy(&fraction, &a, sizeof fraction);
    result = (double)fraction * TURN;
    return x < 0 ? -result : result;
}
"""

_FLIPPED = """\
/* x with its sign changed where the second bit of k is set. */
static REAL flipped(REAL x, uintBITS_t k)
{
    uintBITS_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= (k >> 1 & 1) << (TOP + 1);
    memcpy(&x, &bits, sizeof bits);
    return x;
}
"""


class _Writer:
    """The statements of one program."""

    def __init__(self, program: Program, function: str, scalar: str) -> None:
        self.program, self.tape, self.scalar = program, program.tape, scalar
        ins, self.outs = _arguments(program, function)
        self.arrays = dict(zip(program.inputs, ins, strict=True))
        self.plan = parts.plan(program)
        levels = [level for part in self.plan.parts for level in part]
        self.angles = {i: x.argument for level in levels for x in level.angles for i in _made(x)}
        texts = [(self._read_in(part), self.statements(part)) for part in self.plan.parts]
        self.parts = [text for text in texts if text[1]]  # some hold numbers and inputs only

    def name(self, i: Node) -> str:
        """How a value is read: where it stands, if another part may have made it."""
        op, args = self.tape.ops[i], self.tape.args[i]
        if op == "const":
            return _number(args[0], self.scalar)
        if op == "input":
            return f"{self.arrays[args[0]]}[{args[1]}]"
        slot = self.plan.slots.get(i)
        return self._own(i) if slot is None else f"w[{slot}]"

    def _own(self, i: Node) -> str:
        part = "sine" if self.tape.ops[i] == "sin" else "cosine"
        return f"a{self.angles[i]}.{part}" if i in self.angles else f"v{i}"

    def statements(self, part: Iterable[Level]) -> list[str]:
        lines, f = [], "f" * (self.scalar == "float")
        for level in part:
            for angle in level.angles:
                x, own = self.name(angle.argument), f"a{angle.argument}"
                lines.append(f"const angle {own} = sine_cosine({x});")
                crossing = [i for i in _made(angle) if i in self.plan.slots]
                lines += [f"{self.name(i)} = {self._own(i)};" for i in crossing]
            for i in (i for i in level.nodes if self.tape.ops[i] not in LEAVES):
                op, args = self.tape.ops[i], map(self.name, self.tape.args[i])
                if op not in SPELLING:
                    raise KeyError(f"the C backend has no spelling for {op!r}")
                kind = "" if i in self.plan.slots else f"const {self._type(op)} "
                lines.append(f"{kind}{self.name(i)} = {SPELLING[op].format(*args, f=f)};")
        return [f"    {line}" for line in lines]

    def _type(self, op: str) -> str:
        return "int" if OPS[op].is_bool else self.scalar

    def functions(self) -> list[str]:
        """The parts that the public function calls, if it does not hold the one part itself."""
        lines = []
        for k, (read, statements) in enumerate([] if self.plan.is_whole else self.parts):
            arrays = [f"const {self.scalar} *{name}" for name in read]
            parameters = ", ".join([*arrays, f"{self.scalar} *w"])
            lines += [f"static void part{k}({parameters})", "{", *statements, "}", ""]
        return lines

    def _read_in(self, part: Iterable[Level]) -> list[str]:
        """The input arrays that the statements of a part read."""
        ops, args = self.tape.ops, self.tape.args
        taken = {x.argument for level in part for x in level.angles}
        taken |= {j for level in part for i in level.nodes if ops[i] not in LEAVES for j in args[i]}
        read = {args[j][0] for j in taken if ops[j] == "input"}
        return [name for key, name in self.arrays.items() if key in read]

    def body(self) -> list[str]:
        """What the public function does."""
        if self.plan.is_whole:
            lines = [line for _, statements in self.parts for line in statements]
        else:
            lines = [f"    {self.scalar} w[{self.plan.size}];"]
            for k, (arrays, _) in enumerate(self.parts):
                lines.append(f"    part{k}({', '.join([*arrays, 'w'])});")
        read = {self.tape.args[i][0] for i in self.program.live() if self.tape.ops[i] == "input"}
        idle = [name for key, name in self.arrays.items() if key not in read]
        results, stores = iter(self.program.results), []
        for name, shape in zip(self.outs, self.program.outputs.values(), strict=True):
            size = math.prod(shape)
            stores += [f"    {name}[{k}] = {self.name(next(results))};" for k in range(size)]
            idle += [] if size else [name]
        return [*(f"    (void){name};" for name in idle), *lines, *stores]


def _made(angle: Angle) -> list[Node]:
    """The sine and the cosine of an angle, as far as somebody asks."""
    return [i for i in (angle.sin, angle.cos) if i is not None]
