"""MJCF texts for the tests, drawn from a seed, and MuJoCo asked in our words.

The texts use what the language has: joints of all types with anchors and references, several to a
body, angles in degrees or radians, Euler angles, classes, inertias given or left to primitive
shapes, sites. `Peer` undoes what MuJoCo does otherwise: its own map of vectors, by finite
differences where the library's would be used.
"""

import numpy as np

from oracles.peers import peer

PLACE = ' pos="0.1 -0.2 0.05" euler="1 2 3"'
SHAPES = ('type="box" size="0.1 0.05 0.2"' + PLACE, 'type="sphere" size="0.1"' + PLACE,
          'type="capsule" fromto="0 0 0 0.1 0.2 0.3" size="0.04"',
          'type="cylinder" size="0.05 0.1" mass="0.7"' + PLACE,
          'type="ellipsoid" size="0.1 0.2 0.05"' + PLACE)
CHAINS = ("hinge", "slide", "ball", "slide hinge", "hinge hinge slide", "slide ball", "hinge ball")


def numbers(rng, count, scale=0.3):
    return " ".join(f"{x:.6g}" for x in rng.uniform(-scale, scale, count))


def random_mjcf(seed, bodies=6, *, floating=False, degrees=True):
    """A tree of bodies, each with up to three joints."""
    rng = np.random.default_rng(seed)
    parents = [-1] + [int(rng.integers(max(0, i - 2), i)) for i in range(1, bodies)]
    texts = [body(rng, i, floating and i == 0) for i in range(bodies)]
    for i in reversed(range(1, bodies)):
        texts[parents[i]] = texts[parents[i]].removesuffix("</body>") + texts[i] + "</body>"
    angle = "degree" if degrees else "radian"
    return f"""<mujoco model="random {seed}"><compiler angle="{angle}" autolimits="true"/>
<option gravity="{numbers(rng, 3, 10)}"/>
<default><joint armature="0.03"/><default class="stiff"><joint damping="0.4"/></default></default>
<worldbody>{texts[0]}</worldbody></mujoco>"""


def body(rng, i, free):
    turn = f'euler="{numbers(rng, 3, 90)}"' if rng.random() < 0.5 else f'quat="{numbers(rng, 4)}"'
    inertia = f"<geom {rng.choice(SHAPES)}/>"
    if rng.random() < 0.5:
        inertia = (f'<inertial mass="{rng.uniform(0.5, 2):.5g}" pos="{numbers(rng, 3)}" '
                   'fullinertia="0.05 0.06 0.07 0.003 -0.002 0.001"/>')
    chain = str(rng.choice(CHAINS)).split() if i == 0 or rng.random() < 0.85 else []
    joints = "".join(joint(rng, kind, f"j{i}.{k}") for k, kind in enumerate(chain))
    joints = "<freejoint/>" if free else joints
    site = f'<site name="s{i}" pos="{numbers(rng, 3)}" quat="{numbers(rng, 4)}"/>'
    return f'<body name="b{i}" pos="{numbers(rng, 3)}" {turn}>{inertia}{joints}{site}</body>'


def joint(rng, kind, name):
    single = "" if kind == "ball" else (
        f' axis="{numbers(rng, 3)}" ref="{rng.uniform(-0.5, 0.5):.5g}" range="-40 60"')
    stiff = ' class="stiff"' if rng.random() < 0.5 else ""
    return f'<joint name="{name}" type="{kind}" pos="{numbers(rng, 3)}"{single}{stiff}/>'


class Peer:
    """A compiled model without contacts, springs and limits, asked in MuJoCo's own vectors."""

    def __init__(self, model):
        self.mujoco = peer("mujoco")
        self.model, off = model, self.mujoco.mjtDisableBit
        for flag in ("CONSTRAINT", "SPRING", "ACTUATION"):
            model.opt.disableflags |= int(getattr(off, f"mjDSBL_{flag}", 0))
        self.data = self.mujoco.MjData(model)

    @classmethod
    def of(cls, text):
        return cls(peer("mujoco").MjModel.from_xml_string(text))

    def at(self, qpos, qvel):
        self.data.qpos[:], self.data.qvel[:] = qpos, qvel
        self.mujoco.mj_forward(self.model, self.data)
        return self.data

    def mass_matrix(self, qpos):
        data, M = self.at(qpos, np.zeros(self.model.nv)), np.zeros((self.model.nv,) * 2)
        try:
            self.mujoco.mj_fullM(self.model, data, M)
        except TypeError:  # MuJoCo 3
            self.mujoco.mj_fullM(self.model, M, data.qM)
        return M

    def inverse_dynamics(self, qpos, qvel, qacc):
        self.at(qpos, qvel).qacc[:] = qacc
        self.mujoco.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse.copy()

    def forward_dynamics(self, qpos, qvel, force):
        self.data.qfrc_applied[:] = force
        found = self.at(qpos, qvel).qacc.copy()
        self.data.qfrc_applied[:] = 0
        return found

    def pose(self, kind, name, qpos):
        """The 4x4 pose of a body or site."""
        data = self.at(qpos, np.zeros(self.model.nv))
        thing, T = getattr(data, kind)(name), np.eye(4)
        T[:3, :3], T[:3, 3] = np.reshape(thing.xmat, (3, 3)), thing.xpos
        return T
