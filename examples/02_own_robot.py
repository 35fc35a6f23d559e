"""A robot of your own from a Denavit–Hartenberg table, with a motor and a load, kept in a file."""

import math
import tempfile
from pathlib import Path

import numpy as np

import momentarm as ma

turn = {"d": 0, "theta": 0, "mass": 2, "inertia": [0.01, 0.02, 0.02, 0, 0, 0]}
rows = [
    {**turn, "name": "waist", "a": 0, "alpha": math.pi / 2, "armature": 0.3, "damping": 0.5},
    {**turn, "name": "shoulder", "a": 0.4, "alpha": 0, "com": [-0.2, 0, 0]},
    {**turn, "name": "elbow", "a": 0.3, "alpha": 0, "com": [-0.15, 0, 0]},
]
arm = ma.Robot.from_dh(rows, "standard", name="three")
loaded = arm.with_payload(1.5)  # a point mass at the tip
print(loaded)

q = [0, 0, 0]  # stretched out, along x
print("holding", loaded.gravity_forces(q).round(3), "instead of", arm.gravity_forces(q).round(3))

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "three.toml"
    loaded.save(file)
    again = ma.load(file)

moments = 9.81 * np.array([0, 1.5 * 0.7, 1.5 * 0.3])  # of the load about each axis
assert np.allclose(loaded.gravity_forces(q) - arm.gravity_forces(q), moments, atol=1e-12)
assert again.mechanism == loaded.mechanism
