"""C99 for a machine without Python: written, compiled if there is a compiler, and compared."""

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import momentarm as ma

M, G, S = ma.robots.ur5().to_screws()  # home transforms, inertias and screws, as in the book
arm = ma.Robot.from_screws(M, G, S, name="ur5")
text = arm.kernel("gravity_forces").source("c")
print(text[: text.index("*/")])

q = np.linspace(-1, 1, arm.n)
expected = tau = arm.gravity_forces(q)
if cc := shutil.which("cc"):
    with tempfile.TemporaryDirectory() as folder:
        file, library = Path(folder) / "gravity.c", Path(folder) / "gravity.so"
        file.write_text(text)
        options = ["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC"]
        subprocess.run([cc, *options, file, "-lm", "-o", library], check=True)
        tau, double = np.zeros(arm.n), ctypes.POINTER(ctypes.c_double)
        function = ctypes.CDLL(str(library)).gravity_forces
        function(q.ctypes.data_as(double), tau.ctypes.data_as(double))

assert (tau == expected).all()  # to the last bit
