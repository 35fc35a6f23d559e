"""The dumbbell of exercise 8.2: its inertia, how it tumbles, and an arm that carries it."""

import numpy as np

import momentarm as ma

IRON = 7500  # kg/m³

# three solids make one body: z along the bar
ball = ma.bodies.sphere(0.1, density=IRON)
bar = ma.bodies.cylinder(0.02, 0.2, density=IRON)
dumbbell = bar + ball.shifted([0, 0, 0.2]) + ball.shifted([0, 0, -0.2])
moments = np.diag(dumbbell.inertia)
print(f"mass {dumbbell.mass:.6f} kg, I_b = diag({', '.join(f'{I:.7f}' for I in moments)})")

# the same body as given in the frame of its upper ball's centre: (8.42)
T = np.eye(4)
T[:3, 3] = 0, 0, 0.2
print("about a ball's centre\n", dumbbell.seen_from(T).spatial_inertia.round(4))

# it tumbles freely: (8.40) without a wrench, midpoint rule
V, R, dt = ma.Twist(angular=[2, 0, 10]), np.eye(3), 1e-3
energy, momentum = dumbbell.kinetic_energy(V), dumbbell.momentum(V).moment
for _ in range(2000):
    middle = V + dt / 2 * dumbbell.acceleration(V, ma.Wrench())
    V = V + dt * dumbbell.acceleration(middle, ma.Wrench())
    W = dt / 2 * middle.ad[:3, :3]  # Cayley's step of the rotation, [ω] dt/2
    R = R @ np.linalg.solve(np.eye(3) - W, np.eye(3) + W)
drift = np.abs(R @ dumbbell.momentum(V).moment - momentum).max() / np.abs(momentum).max()
print(f"after 2 s: {V}, momentum has turned by {drift:.1e} of its length")

# an arm holds a small one at its tip, across the last axis
small = dumbbell.with_mass(2).rotated([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
arm = ma.robots.panda()
q = arm.state({"panda_joint2": 0.5, "panda_joint4": -1.5, "panda_joint6": 1.6})
for name, robot in (("free", arm), ("loaded", arm.with_payload(small))):
    print(f"torques to hold still, {name}: {robot.gravity_forces(q).round(2).tolist()}")

assert abs(dumbbell.mass - 64.716809) < 1e-6
assert np.allclose(moments, [2.7710732, 2.7710732, 0.2517044], atol=1e-7)
assert abs(dumbbell.kinetic_energy(V) / energy - 1) < 1e-5
assert drift < 1e-3
