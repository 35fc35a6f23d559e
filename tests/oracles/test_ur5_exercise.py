"""Exercise 8.15: the spatial inertias of the UR5, and how it falls."""

import numpy as np
import pytest

import momentarm as ma
from oracles.peers import peer

# Mass, radius and length of the cylinders that the file stands for. It takes a diameter for the
# radius of the wrist's three.
CYLINDERS = ((3.7, 0.06, 0.15), (8.393, 0.06, 0.56), (2.275, 0.06, 0.5), (1.219, 0.6, 0.12),
             (1.219, 0.6, 0.12), (0.1879, 0.6, 0.12))  # fmt: skip
SECONDS = 3
REST = np.zeros(6)


def fall(arm, per_second):
    steps = SECONDS * per_second
    return arm.forward_dynamics_trajectory(REST, REST, np.zeros((steps + 1, 6)), 1 / per_second)


def test_spatial_inertias_of_the_ur5():
    """Each G_i of the UR5 in its frame at the centre of mass is that of a solid cylinder along z,
    within 1e-7 m² per kilogram."""
    _, G_list, _ = ma.robots.ur5().to_screws()
    for G, (mass, radius, length) in zip(G_list, CYLINDERS, strict=True):
        expected = ma.bodies.cylinder(radius, length, mass=mass).spatial_inertia
        assert np.abs(G - expected).max() < 1e-7 * mass


def test_a_falling_ur5_keeps_its_energy():
    """Without friction and rotors the UR5 falls for three seconds from its zero configuration with
    100 steps a second and changes its energy by less than 1e-4 J, with 1000 by 1e4 times less."""
    arm, lost = ma.robots.ur5().ideal, {}
    for per_second in (100, 1000):
        q, qd = fall(arm, per_second)
        energy = arm.kinetic_energy(q, qd) + arm.potential_energy(q)
        lost[per_second] = np.abs(energy - energy[0]).max()
        assert arm.kinetic_energy(q, qd).max() > 50
    assert lost[100] < 1e-4
    assert lost[1000] < 1.1e-4 * lost[100]


@pytest.mark.peers
def test_a_falling_ur5_falls_as_pinocchio_says():
    """Three seconds of Runge and Kutta's steps on Pinocchio's accelerations, 100 a second, lead to
    the same motion within 1e-9 rad."""
    pin, arm = peer("pinocchio"), ma.robots.ur5().ideal
    M_list, G_list, S_list = arm.to_screws()
    model = chain(pin, M_list, G_list, S_list)
    data, h = model.createData(), 0.01

    def f(x):
        return np.concatenate([x[6:], pin.aba(model, data, x[:6], x[6:], REST)])

    x, found = np.zeros(12), [np.zeros(6)]
    for _ in range(100 * SECONDS):
        a = f(x)
        b = f(x + h / 2 * a)
        c = f(x + h / 2 * b)
        x = x + h / 6 * (a + 2 * b + 2 * c + f(x + h * c))
        found.append(x[:6])
    q, _ = fall(arm, 100)
    assert np.abs(q - found).max() < 1e-9


def chain(pin, M_list, G_list, S_list):
    """A Pinocchio model from home transforms, inertias and space screws: joints where the axes
    come nearest the base's origin, all frames turned as the base."""
    model, parent, before, pose = pin.Model(), 0, np.zeros(3), np.eye(4)
    for M, G, (axis, moment) in zip(M_list, G_list, S_list.T.reshape(-1, 2, 3), strict=False):
        place, pose = np.cross(axis, moment), pose @ M
        joint = pin.JointModelRevoluteUnaligned(*axis)
        step = pin.SE3(np.eye(3), place - before)
        parent, before = model.addJoint(parent, joint, step, str(model.njoints)), place
        com = pin.SE3(pose[:3, :3], pose[:3, 3] - place)
        body = pin.Inertia(G[3, 3], np.zeros(3), G[:3, :3])
        model.appendBodyToJoint(parent, body, com)
    return model
