"""The equations of motion of a robot, as one would write them down. Needs SymPy."""

import sympy

import momentarm as ma
from momentarm.algorithms import newton_euler
from momentarm.backends.sympy import expressions

arm = ma.robots.planar_2r()

# by way of the tape: the very program that becomes machine code
M = expressions(arm.kernel("mass_matrix").program)["M"]
M = M.applyfunc(sympy.simplify)
print("M =", M)

# without the compiler: the algorithm itself on symbols
q = sympy.symbols("q1 q2", real=True)
g = [sympy.nsimplify(sympy.trigsimp(x)) for x in newton_euler.gravity_forces(arm.mechanism, q)]
print("g =", g)

c2 = sympy.cos(sympy.Symbol("q2", real=True))
assert sympy.simplify(M - sympy.Matrix([[3 + 2 * c2, 1 + c2], [1 + c2, 1]])).is_zero_matrix
assert sympy.simplify(g[1] - sympy.Rational(981, 100) * sympy.cos(q[0] + q[1])) == 0
