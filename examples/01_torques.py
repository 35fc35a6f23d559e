"""Torques from motion and motion from torques, for one state and for a batch."""

import numpy as np

import momentarm as ma

arm = ma.robots.panda()
print(arm)

q = arm.state({"panda_joint2": -0.8, "panda_joint4": -2.4, "panda_joint6": 1.6})
qd, qdd = np.full(arm.n, 0.3), np.linspace(-1, 1, arm.n)
tau = arm.inverse_dynamics(q, qd, qdd)
print("tau =", tau.round(3))

states = arm.random_q(rng=1, size=1000)
rates = np.random.default_rng(2).normal(size=states.shape)
torques = arm.inverse_dynamics(states, rates, qdd)  # one q̈ for all states: leading axes broadcast
back = arm.forward_dynamics(states, rates, torques)

print(f"the accelerations come back to {np.abs(back - qdd).max():.1e} rad/s²")
assert np.abs(back - qdd).max() < 1e-9
