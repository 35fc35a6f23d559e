"""A tip in a channel, example 8.5 of Modern Robotics: motion, force, and what divides them."""

import numpy as np

import momentarm as ma

arm = ma.robots.planar_2r().with_gravity([0, 0, 0])
held = arm.with_constraints(ma.hold("tip", rows=["x"], at=[1, 0, 0]), decay=(20, 20))
plane = {"reference": "world", "rows": ("x", "y")}
q, qd = np.array([-np.pi / 3, 2 * np.pi / 3]), np.array([1.0, 0.0])
print("A =", held.constraint_matrix(q).round(4) + 0, " Ȧ q̇ =", held.constraint_bias(q, qd))

# forward: efforts give a motion along the channel, and a force against it
qdd, lam, _ = held.forward_dynamics(q, qd, [0, 0])
force, _ = held.constraint_wrench(q, lam, **plane)
print("q̈ =", qdd.round(4), " the tip applies", force.round(4) + 0)

# inverse: any motion along the channel with any force against it
wanted, _ = held.allowed_accelerations(q, qd, [1.0, 0.0])
lam, _ = held.multipliers(q, [5.0, 0.0], **plane)
tau = held.inverse_dynamics(q, qd, wanted, lam)
moving, against, _ = held.split_efforts(q, tau)
print("τ =", tau.round(4), "=", moving.round(4), "that move +", against.round(4), "that press")

# a second in the channel: one step after the other, by Runge and Kutta's second-order rule
dt, drift = 1e-3, 0.0
for _ in range(1000):
    half, _, _ = held.forward_dynamics(q, qd, [0, 0])
    middle = q + dt / 2 * qd, qd + dt / 2 * half
    q, qd = q + dt * middle[1], qd + dt * held.forward_dynamics(*middle, [0, 0])[0]
    drift = max(drift, abs(held.constraint_errors(q)[0]))
print(f"the tip is at {arm.forward_kinematics(q)[:2, 3].round(6)}, never off by {drift:.0e} m")
assert drift < 1e-5
