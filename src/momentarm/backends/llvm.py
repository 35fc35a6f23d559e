"""LLVM text: the arithmetic of a program, one state (scalar) or one state a lane (vector).

Rule 1  Text in, text out; nothing here calls LLVM. No fast-math flag is ever written.
Rule 2  Scalar and vector code are the same operations in the same order, hence the same bits.
Rule 3  Code is straight: the only branch goes to `@far`, for angles beyond ±1e5.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from momentarm.backends import elementary
from momentarm.backends.levels import Angle, Level
from momentarm.graph.program import Program
from momentarm.graph.tape import Node

FLOAT_BITS = {"double": 64, "float": 32}
PREDICATES = {"lt": "olt", "le": "ole", "eq": "oeq"}
SPELLING = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}


@dataclass(frozen=True, slots=True)
class Lanes:
    """The type every number of a program has: `width` floats at once, or one."""

    scalar: str = "double"
    width: int = 1

    @property
    def bytes(self) -> int:
        return FLOAT_BITS[self.scalar] // 8

    @property
    def quarter(self) -> int:
        """How many numbers 128 bits hold."""
        return min(self.width, 128 // FLOAT_BITS[self.scalar])

    def vector(self, element: str) -> str:
        return element if self.width == 1 else f"<{self.width} x {element}>"

    @property
    def type(self) -> str:
        return self.vector(self.scalar)

    @property
    def bits(self) -> str:
        return self.vector(f"i{FLOAT_BITS[self.scalar]}")

    @property
    def mask(self) -> str:
        return self.vector("i1")

    @property
    def suffix(self) -> str:
        """How intrinsics name the type."""
        size = f"f{FLOAT_BITS[self.scalar]}"
        return size if self.width == 1 else f"v{self.width}{size}"

    def splat(self, element: str, text: str) -> str:
        if self.width == 1:
            return text
        return "<" + ", ".join([f"{element} {text}"] * self.width) + ">"

    def number(self, x: float | str) -> str:
        value = float.fromhex(x) if isinstance(x, str) else x
        if self.scalar == "float":  # LLVM writes a float as the double of the same value
            value = ctypes.c_float(value).value
        return self.splat(self.scalar, "0x" + struct.pack(">d", value).hex().upper())

    def whole(self, k: int) -> str:
        return self.splat(f"i{FLOAT_BITS[self.scalar]}", str(k))


class Body:
    """The lines of one function's arithmetic, as they grow."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes, self._count = lanes, 0
        self.lines: list[str] = []

    def put(self, text: str) -> str:
        """One more value; returns its name."""
        self._count += 1
        self.lines.append(f"  %v{self._count} = {text}")
        return f"%v{self._count}"

    def label(self, name: str) -> str:
        self._count += 1
        return f"{name}{self._count}"

    def binary(self, op: str, a: str, b: str) -> str:
        return self.put(f"{op} {self.lanes.type} {a}, {b}")

    def integer(self, op: str, a: str, b: str) -> str:
        return self.put(f"{op} {self.lanes.bits} {a}, {b}")

    def fma(self, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", a, b, c)

    def intrinsic(self, name: str, *args: str) -> str:
        t = self.lanes.type
        typed = ", ".join(f"{t} {a}" for a in args)
        return self.put(f"call {t} @llvm.{name}.{self.lanes.suffix}({typed})")

    def select(self, mask: str, a: str, b: str) -> str:
        t = self.lanes
        return self.put(f"select {t.mask} {mask}, {t.type} {a}, {t.type} {b}")

    def as_bits(self, a: str) -> str:
        return self.put(f"bitcast {self.lanes.type} {a} to {self.lanes.bits}")

    def as_float(self, a: str) -> str:
        return self.put(f"bitcast {self.lanes.bits} {a} to {self.lanes.type}")


Fetch = Callable[[Node], str]


class Values:
    """The names of the values of a program inside one function, fetched when first needed."""

    def __init__(self, body: Body, program: Program, fetch: Fetch,
                 keep: Callable[[Node, str], None] = lambda i, name: None) -> None:  # fmt: skip
        """`keep` is told of every value made here."""
        self.body, self.tape, self.fetch, self.keep = body, program.tape, fetch, keep
        self.names: dict[Node, str] = {}

    def __getitem__(self, i: Node) -> str:
        if i not in self.names:
            constant = self.tape.value(i)
            self.names[i] = self.fetch(i) if constant is None else self.body.lanes.number(constant)
        return self.names[i]

    def emit(self, pieces: Iterable[Level]) -> None:
        """Put the operations of some levels into the body."""
        for level in pieces:
            if level.angles:
                self._emit_angles(level.angles)
            for i in level.nodes:
                op, args = self.tape.ops[i], self.tape.args[i]
                if op not in ("const", "input"):
                    self.names[i] = operation(self.body, op, *(self[j] for j in args))
                    self.keep(i, self.names[i])

    def _emit_angles(self, angles: Sequence[Angle]) -> None:
        near = _reduced(self.body, [self[angle.argument] for angle in angles])
        for angle, x in zip(angles, near, strict=True):
            for i, name in zip((angle.sin, angle.cos), sincos(self.body, x), strict=True):
                if i is not None:
                    self.names[i] = name
                    self.keep(i, name)


def operation(body: Body, op: str, *a: str) -> str:
    """One operation of the op table."""
    lanes = body.lanes
    if op in SPELLING:
        return body.binary(SPELLING[op], *a)
    if op in PREDICATES:
        return body.put(f"fcmp {PREDICATES[op]} {lanes.type} {a[0]}, {a[1]}")
    match op:
        case "neg":
            return body.put(f"fneg {lanes.type} {a[0]}")
        case "fma":
            return body.fma(*a)
        case "sqrt":
            return body.intrinsic("sqrt", *a)
        case "abs":
            return body.intrinsic("fabs", *a)
        case "sign":  # 0 and NaN are their own sign
            own = body.put(f"fcmp ueq {lanes.type} {a[0]}, {lanes.number(0)}")
            return body.select(own, a[0], body.intrinsic("copysign", lanes.number(1), a[0]))
        case "and" | "or":
            return body.put(f"{op} {lanes.mask} {a[0]}, {a[1]}")
        case "not":
            return body.put(f"xor {lanes.mask} {a[0]}, {lanes.splat('i1', 'true')}")
        case "select":
            return body.select(*a)
    raise KeyError(f"the LLVM backend has no spelling for {op!r}")


def sincos(body: Body, x: str) -> tuple[str, str]:
    """Sine and cosine of |x| ≤ 1e5; see `elementary`."""
    lanes, n = body.lanes, body.lanes.number
    table = elementary.DOUBLE if lanes.scalar == "double" else elementary.SINGLE
    shifted = body.fma(x, n(table.per_quarter), n(table.magic))
    minus_k = body.binary("fsub", n(table.magic), shifted)
    r = x
    for part in table.quarter:
        r = body.fma(minus_k, n(part), r)
    z = body.binary("fmul", r, r)
    sine = body.fma(body.binary("fmul", r, z), _polynomial(body, z, table.sin), r)
    head = body.fma(n(-0.5), z, n(1))
    cosine = body.fma(body.binary("fmul", z, z), _polynomial(body, z, table.cos), head)
    k = body.as_bits(shifted)
    odd = body.put(f"trunc {lanes.bits} {k} to {lanes.mask}")
    after = body.integer("add", k, lanes.whole(1))
    return (_signed(body, body.select(odd, cosine, sine), k),
            _signed(body, body.select(odd, sine, cosine), after))  # fmt: skip


def _polynomial(body: Body, z: str, coefficients: tuple[str, ...]) -> str:
    *rest, p = map(body.lanes.number, coefficients)
    for c in reversed(rest):
        p = body.fma(z, p, c)
    return p


def _signed(body: Body, x: str, k: str) -> str:
    """x with its sign changed where the second bit of k is set."""
    top = FLOAT_BITS[body.lanes.scalar] - 1
    second = body.integer("shl", k, body.lanes.whole(top - 1))
    flip = body.integer("and", second, body.lanes.whole(-(1 << top)))
    return body.as_float(body.integer("xor", body.as_bits(x), flip))


def _reduced(body: Body, angles: list[str]) -> list[str]:
    """The angles, those beyond ±1e5 brought into [-π, π] on a side path."""
    lanes, far = body.lanes, None
    whole, real = ("q", "d") if lanes.scalar == "double" else ("i", "f")
    limit = struct.unpack(whole, struct.pack(real, elementary.FAR))[0]
    unsigned = lanes.whole((1 << FLOAT_BITS[lanes.scalar] - 1) - 1)
    for x in angles:
        size = body.integer("and", body.as_bits(x), unsigned)
        beyond = body.put(f"icmp sgt {lanes.bits} {size}, {lanes.whole(limit)}")
        far = beyond if far is None else body.put(f"or {lanes.mask} {far}, {beyond}")
    if lanes.width > 1:
        packed = body.put(f"bitcast {lanes.mask} {far} to i{lanes.width}")
        far = body.put(f"icmp ne i{lanes.width} {packed}, 0")
    here, side, on = body.label("near"), body.label("far"), body.label("on")
    body.lines += [f"  br label %{here}", f"{here}:"]
    body.lines += [f"  br i1 {far}, label %{side}, label %{on}", f"{side}:"]
    moved = [_moved_near(body, x) for x in angles]
    body.lines += [f"  br label %{on}", f"{on}:"]
    return [
        body.put(f"phi {lanes.type} [ {x}, %{here} ], [ {y}, %{side} ]")
        for x, y in zip(angles, moved, strict=True)
    ]


def _moved_near(body: Body, x: str) -> str:
    lanes, t = body.lanes, body.lanes.scalar
    if lanes.width == 1:
        return body.put(f"call {t} @far.{t}({t} {x})")
    for k in range(lanes.width):
        lane = body.put(f"extractelement {lanes.type} {x}, i32 {k}")
        near = body.put(f"call {t} @far.{t}({t} {lane})")
        x = body.put(f"insertelement {lanes.type} {x}, {t} {near}, i32 {k}")
    return x


def far_function(scalar: str) -> str:
    """@far.double (or float): an angle beyond ±1e5 into [-π, π]; any other, NaN too, as it is."""
    return _FAR_DOUBLE if scalar == "double" else _FAR_DOUBLE + _FAR_FLOAT


_FAR_DOUBLE = f"""
@turns = private unnamed_addr constant [{len(elementary.TURNS)} x i64] [{
    ", ".join(f"i64 {word}" for word in elementary.TURNS)
}]
define internal double @far.double(double %x) noinline {{
  %bits = bitcast double %x to i64
  %size = and i64 %bits, {(1 << 63) - 1}
  %beyond = icmp sgt i64 %size, {struct.unpack("q", struct.pack("d", elementary.FAR))[0]}
  %finite = icmp slt i64 %size, {0x7FF << 52}
  %needed = and i1 %beyond, %finite
  br i1 %needed, label %reduce, label %same
same:
  ret double %x
reduce:
  %exponent = lshr i64 %size, 52
  %low = and i64 %bits, {(1 << 52) - 1}
  %m = or i64 %low, {1 << 52}
  %at = sub i64 %exponent, {1075 - 64}
  %word = lshr i64 %at, 6
  %shift = and i64 %at, 63
  %p0 = getelementptr i64, ptr @turns, i64 %word
  %p1 = getelementptr i64, ptr %p0, i64 1
  %p2 = getelementptr i64, ptr %p0, i64 2
  %w0 = load i64, ptr %p0
  %w1 = load i64, ptr %p1
  %w2 = load i64, ptr %p2
  %a = call i64 @llvm.fshl.i64(i64 %w0, i64 %w1, i64 %shift)
  %b = call i64 @llvm.fshl.i64(i64 %w1, i64 %w2, i64 %shift)
  %ma = mul i64 %m, %a
  %m2 = zext i64 %m to i128
  %b2 = zext i64 %b to i128
  %mb = mul i128 %m2, %b2
  %carry2 = lshr i128 %mb, 64
  %carry = trunc i128 %carry2 to i64
  %fraction = add i64 %ma, %carry
  %turns = sitofp i64 %fraction to double
  %near = fmul double %turns, {Lanes().number(elementary.TURN)}
  %mirrored = fneg double %near
  %negative = icmp slt i64 %bits, 0
  %result = select i1 %negative, double %mirrored, double %near
  ret double %result
}}
"""

_FAR_FLOAT = """
define internal float @far.float(float %x) noinline {
  %wide = fpext float %x to double
  %near = call double @far.double(double %wide)
  %narrow = fptrunc double %near to float
  ret float %narrow
}
"""
