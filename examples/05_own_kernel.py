"""A controller of your own as one kernel, and the arm that obeys it."""

import numpy as np

import momentarm as ma

STEP = 0.002


def computed_torque(arm, q, qd, goal):
    """Torques for the acceleration of a critically damped spring towards the goal."""
    return arm.inverse_dynamics(q, qd, 25 * (goal - q) - 10 * qd)


arm = ma.robots.puma560()
controller = ma.kernel(computed_torque, arm, goal=arm.n)
print(controller)

rng = np.random.default_rng(0)
goal = rng.uniform(-0.5, 0.5, (100, arm.n))  # a hundred arms at once, each with its goal
q, qd = np.zeros_like(goal), np.zeros_like(goal)
for _ in range(round(3 / STEP)):  # seconds
    tau = controller(q, qd, goal)
    qd = qd + STEP * arm.forward_dynamics(q, qd, tau)
    q = q + STEP * qd

print(f"after 3 s the worst joint is {np.abs(q - goal).max():.1e} rad from its goal")
assert np.abs(q - goal).max() < 1e-4
