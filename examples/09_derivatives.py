"""A pole balanced on a cart: the motion linearised about upright, and a regulator for it."""

import numpy as np

import momentarm as ma

STEP = 0.01
arm = ma.robots.cart_pole()
force = np.array([1.0, 0.0])  # the motor pushes the cart, nothing turns the pole

# upright is where the potential energy is highest
angles = np.linspace(-np.pi, np.pi, 721)
heights = arm.potential_energy(np.stack([0 * angles, angles], axis=-1))
upright = np.array([0, angles[np.argmax(heights)]])
energy = arm.kernel("potential_energy").derivative("q", values=True)
print("energy upright and its slope:", *energy(upright))

# ẋ = A x + B u for x = (q − upright, q̇)
D_q, D_qd, M_inverse = arm.forward_dynamics_derivatives(upright, [0, 0], [0, 0])
A = np.eye(4) + STEP * np.block([[np.zeros((2, 2)), np.eye(2)], [D_q, D_qd]])
B = STEP * np.concatenate([[0, 0], M_inverse @ force])[:, None]

# the regulator that costs least: Riccati's recursion until it stands still
P = Q = np.diag([1.0, 10.0, 0.1, 0.1])
for _ in range(2000):
    K = np.linalg.solve(0.1 + B.T @ P @ B, B.T @ P @ A)
    P = Q + A.T @ P @ (A - B @ K)

# a hundred poles, each leaning another way, with the motion as it is
q = upright + np.random.default_rng(0).uniform(-0.2, 0.2, (100, 2))
qd = np.zeros_like(q)
for _ in range(round(10 / STEP)):
    push = -(np.concatenate([q - upright, qd], axis=-1) @ K.T)
    q, qd = arm.step(q, qd, push * force, STEP)

print(f"after 10 s the worst pole leans by {np.abs(q - upright).max():.1e}")
assert np.abs(q - upright).max() < 1e-3
