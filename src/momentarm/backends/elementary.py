"""Numbers behind our own sine and cosine, so that every backend gives the same bits.

x is reduced to r = x − k π/2, |r| ≤ π/4, by two fused steps (the first is exact), both polynomials
are evaluated, and k mod 4 says which is which and with what sign. Polynomials are minimax fits:
sin r = r + r³ P(r²), cos r = 1 − r²/2 + r⁴ Q(r²). Beyond `FAR` an argument is first brought into
[-π, π] with integer arithmetic on 192 bits of 1/(2π) (Payne & Hanek).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Circular:
    """Constants for one floating-point format."""

    per_quarter: str  # 2/π
    magic: str  # adding it rounds to a whole number, whose last bits are then the mantissa's
    quarter: tuple[str, ...]  # π/2 in parts
    sin: tuple[str, ...]
    cos: tuple[str, ...]


FAR = 1e5

DOUBLE = Circular(
    per_quarter="0x1.45f306dc9c883p-1",
    magic="0x1.8p+52",
    quarter=("0x1.921fb54442d18p+0", "0x1.1a62633145c07p-54"),
    sin=(
        "-0x1.555555555553dp-3",
        "0x1.111111110eb1fp-7",
        "-0x1.a01a019ab4ad9p-13",
        "0x1.71de3475642a0p-19",
        "-0x1.ae5db47820c92p-26",
        "0x1.5d64c91716a36p-33",
    ),
    cos=(
        "0x1.555555555554cp-5",
        "-0x1.6c16c16c15184p-10",
        "0x1.a01a019cb26e3p-16",
        "-0x1.27e4f80a75c4dp-22",
        "0x1.1ee9ec474a0fdp-29",
        "-0x1.8faecef75dfacp-37",
    ),
)

SINGLE = Circular(
    per_quarter="0x1.45f306p-1",
    magic="0x1.8p+23",
    quarter=("0x1.921fb6p+0", "-0x1.777a5cp-25"),
    sin=("-0x1.55554p-3", "0x1.1105b4p-7", "-0x1.98da66p-13"),
    cos=("0x1.55554ap-5", "-0x1.6c0c8cp-10", "0x1.9a0258p-16"),
)

TURN = "0x1.921fb54442d18p-62"  # 2π / 2⁶⁴: what the last bit of a 64-bit fraction of a turn is

# 64 zero bits, then the bits of 1/(2π)
TURNS = (
    0x0000000000000000, 0x28BE60DB9391054A, 0x7F09D5F47D4D3770, 0x36D8A5664F10E410,
    0x7F9458EAF7AEF158, 0x6DC91B8E909374B8, 0x01924BBA82746487, 0x3F877AC72C4A69CF,
    0xBA208D7D4BAED121, 0x3A671C09AD17DF90, 0x4E64758E60D4CE7D, 0x272117E2EF7E4A0E,
    0xC7FE25FFF7816603, 0xFBCBC462D6829B47, 0xDB4D9FB3C9F2C26D, 0xD3D18FD9A797FA8B,
    0x5D49EEB1FAF97C5E, 0xCF41CE7DE294A4BA, 0x9AFED7EC47E35742, 0x1580CC11BF1EDAEA,
)  # fmt: skip
