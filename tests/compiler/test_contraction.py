"""What compilers make of a product and a sum beside each other: two roundings, never one.

fma is ours to place. gcc's vectorizer writes vfmaddsub for pairs like (a·b − c, d·e + f) even under
-ffp-contract=off, so the exported text must forbid it by itself.
"""

import numpy as np
import pytest

from compiler import material
from momentarm.graph import Program

OPTIONS = {
    "strict": [*material.STRICT, "-O2"],
    "gnu99": ["-std=gnu99", "-O3"],
    "contracting": ["-std=gnu99", "-O2", "-ffp-contract=fast"],
    "host": ["-std=c99", "-O2", "-march=native"],
    "host, gnu99": ["-std=gnu99", "-O3", "-march=native"],
}


def pairs(a, b, c):
    """A difference and a sum side by side, each of a product; no pass has fused them."""
    return [a[0] * b[0] - c[0], a[1] * b[1] + c[1]]


@pytest.mark.parametrize("kind", ("double", "float"))
@pytest.mark.parametrize("options", OPTIONS)
def test_products_and_sums_round_apart(options, kind, tmp_path):
    """Under any options C, scalar and vector code round a·b ± c twice, as NumPy's own steps do."""
    program = Program.trace(pairs, {"a": (2,), "b": (2,), "c": (2,)}, {"y": (2,)})
    rng = np.random.default_rng(0)
    a, b, c = rng.uniform(-4, 4, (3, 500, 2)).astype(material.DTYPES[kind])
    product = a * b
    expected = np.stack([product[:, 0] - c[:, 0], product[:, 1] + c[:, 1]], axis=1)
    runs = {
        "C": material.exported(program, kind, tmp_path, *OPTIONS[options]),
        "scalar": material.llvm_scalar(program, kind),
        "vector": material.llvm_vector(program, kind, 4),
    }
    for name, run in runs.items():
        material.assert_same_bits(run(a, b, c)[0], expected, name)
