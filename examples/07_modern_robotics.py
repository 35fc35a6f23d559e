"""The book's functions by their own names: torques of a trajectory, and the motion from them."""

import numpy as np

import momentarm as ma
import momentarm.modern_robotics as mr

arm = ma.robots.ur5().ideal
Mlist, Glist, Slist = arm.to_screws()  # or your own lists, as in the book
g = arm.gravity

N, Tf = 1000, 1.0
dt = Tf / (N - 1)
thetamat = mr.JointTrajectory([0] * 6, [np.pi / 4, -np.pi / 3, 1, 0.5, -0.5, 1], Tf, N, 5)
dthetamat = np.gradient(thetamat, dt, axis=0)
ddthetamat = np.gradient(dthetamat, dt, axis=0)
taumat = mr.InverseDynamicsTrajectory(thetamat, dthetamat, ddthetamat, g, 0, Mlist, Glist, Slist)
print("largest torques [N m]", np.abs(taumat).max(axis=0).round(2))

intRes = 8  # Euler's steps from row to row
motion, _ = mr.ForwardDynamicsTrajectory(
    thetamat[0], dthetamat[0], taumat, g, 0, Mlist, Glist, Slist, dt, intRes
)
print("end of the motion", motion[-1].round(3), "wanted", thetamat[-1].round(3))

again = arm.inverse_dynamics(thetamat, dthetamat, ddthetamat)  # the same robot, compiled itself
assert np.allclose(taumat, again, atol=1e-9)
assert np.abs(motion[-1] - thetamat[-1]).max() < 0.05
