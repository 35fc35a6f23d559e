"""DH tables and screw lists against products of matrices and exponentials written here."""

import numpy as np
import pytest

import momentarm as ma
import momentarm.formats as formats
from formats.material import ARM, NATIVE, changed, frame_pose
from momentarm.formats import RobotFileError
from momentarm.formats.dh import from_dh
from momentarm.formats.screws import from_screws, to_screws


def rot(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    T = np.eye(4)
    i, j = {"x": (1, 2), "z": (0, 1)}[axis]
    T[[i, j], [i, j]], T[i, j], T[j, i] = c, -s, s
    return T


def move(axis, distance):
    T = np.eye(4)
    T["xyz".index(axis), 3] = distance
    return T


def dh_pose(rows, q, convention):
    """The product of the rows' four elementary transforms, as printed in textbooks."""
    T = np.eye(4)
    for row, x in zip(rows, q, strict=True):
        slides = row.get("type") == "prismatic"
        turn = rot("z", row["theta"] + (0 if slides else x))
        slide = move("z", row["d"] + (x if slides else 0))
        tilt = rot("x", row["alpha"]) @ move("x", row["a"])
        T = T @ (turn @ slide @ tilt if convention == "standard" else tilt @ turn @ slide)
    return T


def random_rows(rng, n=5):
    return [
        {
            "a": rng.normal(),
            "alpha": rng.choice([0, np.pi / 2, -np.pi / 2, rng.normal()]),
            "d": rng.normal(),
            "theta": rng.normal(),
            "type": rng.choice(["revolute", "prismatic"]).item(),
        }
        for _ in range(n)
    ]


@pytest.mark.parametrize("convention", ["standard", "modified"])
@pytest.mark.parametrize("seed", range(5))
def test_dh_frames(seed, convention):
    """The last frame of a DH chain is where the product of the rows' matrices puts it."""
    rng = np.random.default_rng(seed)
    rows = random_rows(rng)
    mechanism, _ = from_dh(rows, convention)
    q = rng.normal(size=5)
    expected = dh_pose(rows, q, convention)
    assert frame_pose(mechanism, "link5", q) == pytest.approx(expected, abs=1e-13)


def test_standard_and_modified_are_the_same_chain():
    """A chain by the standard convention and the same one by the modified have the same tip."""
    rng = np.random.default_rng(3)
    rows = random_rows(rng)
    before = [{"a": 0, "alpha": 0}, *rows]
    shifted = [{**row, "a": last["a"], "alpha": last["alpha"]} for row, last in zip(rows, before)]
    last = {"a": rows[-1]["a"], "alpha": rows[-1]["alpha"], "d": 0, "theta": 0}
    standard, _ = from_dh(rows, "standard")
    modified, _ = from_dh([*shifted, last], "modified")
    q = rng.normal(size=5)
    tip = frame_pose(modified, "link6", [*q, 0.0])
    assert frame_pose(standard, "link5", q) == pytest.approx(tip, abs=1e-13)


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_dh_inertia_is_in_the_rows_frame(convention):
    """The centre of mass and inertia of a row are those of the link in the row's own frame."""
    row = {"a": 0.3, "alpha": 0.4, "d": 0.2, "theta": 0.5, "mass": 2.0, "com": [0.1, 0.2, 0.3]}
    I = np.array([[0.3, 0.01, 0.02], [0.01, 0.4, 0.03], [0.02, 0.03, 0.5]])
    mechanism, _ = from_dh([{**row, "inertia": I}], convention)
    X = np.array(mechanism.frames["link1"].X.matrix, dtype=float)
    body = mechanism.links[0].inertia
    found = np.array([list(r) for r in body.I_com.matrix])
    assert X[:3, :3].T @ found @ X[:3, :3] == pytest.approx(I, abs=1e-15)
    assert pytest.approx([*body.com, 1], abs=1e-15) == X @ [0.1, 0.2, 0.3, 1]


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_dh_keys_in_a_native_file(convention):
    """A native file whose joints have `dh` keys is the mechanism that from_dh makes."""
    rows = random_rows(np.random.default_rng(5), 3)
    body = {"mass": 1.5, "com": [0.1, 0.2, 0.3], "inertia": [0.3, 0.4, 0.5, 0.01, 0.02, 0.03]}
    text = 'format = "momentarm robot 1"\n[[link]]\nname = "base"\n'
    for i, row in enumerate(rows, 1):
        dh = ", ".join(f"{key} = {float(row[key])!r}" for key in ("a", "alpha", "d", "theta"))
        text += "".join(f"{key} = {value}\n" for key, value in [
            ("[[link]]\nname", f'"link{i}"'), *body.items(),
            ("[[joint]]\nname", f'"joint{i}"'), ("type", f'"{row["type"]}"'),
            ("parent", f'"link{i - 1}"' if i > 1 else '"base"'), ("child", f'"link{i}"'),
            ("dh", f'{{ {dh}, convention = "{convention}" }}')])  # fmt: skip
    mechanism, _ = formats.loads(text, "toml")
    expected, _ = from_dh([{**row, **body} for row in rows], convention)
    assert mechanism == expected


def test_dh_needs_a_known_convention_and_known_keys():
    """A convention other than the two is refused, and so is a misspelt key, with its row."""
    with pytest.raises(ValueError, match="'standard' or 'modified'"):
        from_dh([{"a": 1}], "craig")
    with pytest.raises(RobotFileError, match="row 2: unknown key 'alfa'"):
        from_dh([{"a": 1}, {"alfa": 1}], "standard")


def exp6(screw, q):
    """The matrix exponential of a screw by its series: no formula of the library's."""
    w, v = screw[:3], screw[3:]
    A = np.zeros((4, 4))
    A[:3, :3] = [[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]
    A[:3, 3] = v
    A, total, term = A * q, np.eye(4), np.eye(4)
    for k in range(1, 60):
        term = term @ A / k
        total = total + term
    return total


def random_chain(seed, n=4):
    rng = np.random.default_rng(seed)
    M, G = [], []
    for _ in range(n + 1):
        Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        M.append(np.block([[Q * np.sign(np.linalg.det(Q)), rng.normal(size=(3, 1))],
                           [np.zeros((1, 3)), np.ones((1, 1))]]))  # fmt: skip
    for _ in range(n):
        points, masses = rng.normal(size=(6, 3)), rng.uniform(0.1, 1, 6)
        body = np.zeros((6, 6))
        for p, m in zip(points, masses):
            skew = np.cross(np.eye(3), p)
            body += m * np.block([[-skew @ skew, skew], [-skew, np.eye(3)]])
        G.append(body)
    S = rng.normal(size=(6, n))
    S[:3, 2] = 0  # slides
    S[3:, 1] = -np.cross(S[:3, 1], [1, 2, 3])  # turns without pitch
    return M, np.array(G), S


@pytest.mark.parametrize("seed", range(5))
def test_screw_frames(seed):
    """The tip of a chain of screws of any length and pitch is the product of exponentials."""
    M, G, S = random_chain(seed)
    mechanism, _ = from_screws(M, G, S)
    assert [link.joint.kind for link in mechanism.links] == [
        "helical", "revolute", "prismatic", "helical"]  # fmt: skip
    q = np.random.default_rng(seed + 9).normal(size=4)
    T = np.eye(4)
    for screw, x in zip(S.T, q):
        T = T @ exp6(screw, x)
    for home in M:
        T = T @ home
    assert frame_pose(mechanism, "tip", q) == pytest.approx(T, abs=1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_screws_there_and_back(seed):
    """From screws and back gives the screws, and link frames moved to the centres of mass."""
    M, G, S = random_chain(seed)
    M2, G2, S2 = to_screws(from_screws(M, G, S)[0])
    assert pytest.approx(S, abs=1e-13) == S2
    at, at2 = np.eye(4), np.eye(4)
    for k in range(4):
        at, at2 = at @ M[k], at2 @ M2[k]
        com = [G[k][2, 4], G[k][0, 5], G[k][1, 3]] / G[k][3, 3]
        assert at2[:3, :3] == pytest.approx(at[:3, :3], abs=1e-13)
        assert at2[:, 3] == pytest.approx(at @ [*com, 1], abs=1e-12)
        assert G2[k][:3, 3:] == pytest.approx(np.zeros((3, 3)))
    assert at2 @ M2[4] == pytest.approx(at @ M[4], abs=1e-12)
    again = to_screws(from_screws(M2, G2, S2)[0])
    assert np.array(again[0]) == pytest.approx(np.array(M2), abs=1e-12)
    assert again[1] == pytest.approx(G2, abs=1e-11)


def test_urdf_to_screws():
    """A URDF chain gives screws whose exponentials put its tool where its frames are."""
    text = changed(ARM, '<mimic joint="shoulder" multiplier="0.1" offset="0.05"/>', "")
    mechanism, _ = formats.loads(text, "urdf")
    M, G, S = to_screws(mechanism)
    q, T = [0.3, -0.4, 0.1], np.eye(4)
    for screw, x in zip(S.T, q):
        T = T @ exp6(screw, x)
    for home in M:
        T = T @ home
    assert frame_pose(mechanism, "tool", q) == pytest.approx(T, abs=1e-14)
    assert [g[3, 3] for g in G] == [2.5, 1.0, 0.5]


def test_fixed_links_join_their_carrier_in_screws():
    """The mass of a link on a fixed joint is in the G of the link that carries it."""
    text = changed(NATIVE, 'type = "prismatic"', 'type = "fixed"')
    text = text.replace("axis = [1, 0, 0]", "xyz = [1, 0, 0]").replace("mimic", "# mimic")
    M, G, _ = to_screws(formats.loads(text, "toml")[0])
    assert len(G) == 1
    assert G[0][3, 3] == 3.5
    com = (2.5 * np.array([0.1, 0, 0.02]) + [1, 0, 0]) / 3.5
    assert M[0] @ [0, 0, 0, 1] == pytest.approx([com[2], com[1], 0.4 - com[0], 1])


def test_screws_refuse_what_they_cannot_say():
    """Mimic joints and branches have no screw lists; wrong shapes name the argument."""
    with pytest.raises(ValueError, match="mimics 'shoulder'"):
        to_screws(formats.loads(ARM, "urdf")[0])
    M, G, S = random_chain(0)
    with pytest.raises(ValueError, match=r"S_list: expected shape \(6, 4\), got \(4, 6\)"):
        from_screws(M, G, S.T)
    with pytest.raises(RobotFileError, match=r"G_list\[1\] is no rigid body's"):
        from_screws(M, G + np.eye(6)[:, ::-1] * [[k == 1] for k in range(4)][1][0], S)


NATIVE_HEAD = 'format = "momentarm robot 1"\n'
GRAVITIES = {
    "not finite": ((0, float("inf"), 0), "expected a number"),
    "nan": ((0, 0, float("nan")), "expected a number"),
    "two numbers": ((0, -9.81), "expected 3 numbers"),
    "text": ("012", "expected 3 numbers"),
    "one number": (9.81, "expected 3 numbers"),
    "beyond any robot": ((0, 0, -1e155), "number-huge"),
}


@pytest.mark.parametrize("case", GRAVITIES)
def test_gravity_is_three_numbers(case):
    """What is no gravity is refused by from_dh, from_screws, with_gravity and native TOML."""
    gravity, said = GRAVITIES[case]
    with pytest.raises(RobotFileError, match=said):
        from_dh([{"a": 1, "mass": 1}], "modified", gravity=gravity)
    with pytest.raises(RobotFileError, match=said):
        from_screws([np.eye(4)] * 2, [np.eye(6)], [[0], [0], [1], [0], [0], [0]], gravity=gravity)
    with pytest.raises(ValueError, match=r"expected (three|3 finite) numbers"):
        ma.robots.planar_2r().with_gravity(gravity)
    if "huge" in said:
        with pytest.raises(RobotFileError, match=r"toml>:2:1: error.number-huge.: gravity"):
            formats.loads(f"{NATIVE_HEAD}gravity = [0, 0, -1e155]\n[[link]]\nname = 'b'\n", "toml")


def test_gravity_of_any_size_acts():
    """Under a gravity near the largest that is taken torques are as much larger."""
    arm, q = ma.robots.panda(), np.linspace(0.1, 0.7, 7)
    huge = arm.with_gravity(np.array([0, 0, -9.81]) * 2.0**190)
    np.testing.assert_array_equal(huge.gravity_forces(q), arm.gravity_forces(q) * 2.0**190)
