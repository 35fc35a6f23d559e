"""Damaged files at random: each is a mechanism of finite numbers or a RobotFileError."""

import math
import random
import re

import pytest

import momentarm.formats as formats
from formats.material import ARM, NATIVE, attempt

SOURCES = {"urdf": ARM.encode(), "toml": NATIVE.encode()}
WORDS = [b"nan", b"1e999", b"-", b"", b"0 0 0", b"\xff\xfe", b"1e308", b"[", b"]]", b'"', b"<",
         b"&x;", b"${a}", b"base", b"upper", b"-1", b"\x00", b"= =", b"\n[[link]]\n", b"true",
         b"{}"]  # fmt: skip


def flipped(rng, text):
    text = bytearray(text)
    for _ in range(rng.randint(1, 6)):
        text[rng.randrange(len(text))] = rng.randrange(256)
    return bytes(text)


def cut(rng, text):
    i, j = sorted(rng.sample(range(len(text)), 2))
    return text[:i] + text[min(j, i + rng.choice([1, 10, 100, 1000])):]  # fmt: skip


def line_lost(rng, text):
    lines = text.split(b"\n")
    for _ in range(rng.randint(1, 3)):
        del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def lines_swapped(rng, text):
    lines = text.split(b"\n")
    i, j = rng.sample(range(len(lines)), 2)
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def values_swapped(rng, text):
    values = list(re.finditer(rb'"[^"\n]*"|(?<== )[^\n]+', text))
    a, b = sorted(rng.sample(values, 2), key=lambda m: m.start())
    return text[: a.start()] + b[0] + text[a.end() : b.start()] + a[0] + text[b.end() :]


def word_put(rng, text):
    values = list(re.finditer(rb'"[^"\n]*"|[-0-9.]+', text))
    m = rng.choice(values)
    quote = b'"' if m[0].startswith(b'"') else b""
    return text[: m.start()] + quote + rng.choice(WORDS) + quote + text[m.end() :]


DAMAGES = [flipped, cut, line_lost, lines_swapped, values_swapped, word_put]


def is_finite(mechanism):
    numbers = [*mechanism.gravity]
    for link in mechanism.links:
        body = link.inertia
        numbers += [body.m, *body.h, *body.E, *link.placement.origin, link.joint.pitch]
        numbers += [x for row in link.placement.R.matrix for x in row]
        numbers += [link.joint.drive.ratio, link.joint.drive.offset]
        drive = link.joint.actuator
        numbers += [drive.armature, drive.damping, drive.friction]
    return all(math.isfinite(x) for x in numbers)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda f: f.__name__)
@pytest.mark.parametrize("format", SOURCES)
def test_damaged_files(format, damage):
    """Whatever the damage, a file gives finite numbers or an error that names a line and column."""
    for seed in range(120):
        rng = random.Random(f"{format}{damage.__name__}{seed}")
        text = damage(rng, SOURCES[format])
        mechanism, problems = attempt(text, format, "f")
        assert all(re.fullmatch(r"f:\d+:\d+", p.where) for p in problems)
        if mechanism is None:
            assert any(p.severity == "error" for p in problems)
        else:
            assert is_finite(mechanism)
            assert formats.loads(formats.dumps(mechanism), "toml")[0] == mechanism
