"""The tour as a picture: the arm on its way, its torques, the motion back, the cost."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from momentarm.version import __version__

if TYPE_CHECKING:
    from momentarm.demo import Tour

# Okabe and Ito's colours, told apart by colour-blind readers
BLUE, SKY, ORANGE = "#0072B2", "#56B4E9", "#D55E00"
INK, SLATE, GREY, PALE = "#222222", "#5A6A76", "#8A8A8A", "#CBD5DC"
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlecolor": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "svg.hashsalt": "momentarm",
}
VIEW = np.radians((40.0, 22.0))  # where the arm is seen from: about z, above the floor
EVERY = 5  # samples to a point of a curve


def save(tour: Tour, folder: Path) -> list[Path]:
    """demo.png and demo.svg."""
    import matplotlib
    from matplotlib.figure import Figure

    files = [folder / "demo.png", folder / "demo.svg"]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(15, 9))
        _draw(figure, tour)
        figure.savefig(files[0], dpi=150)
        figure.savefig(files[1], metadata={"Date": None})
    return files


def _draw(figure: Any, tour: Tour) -> None:
    title = f"{tour.arm.name.capitalize()}: torques from a motion, and the motion back"
    figure.text(0.025, 0.945, title, size=18, weight="bold", color=INK)
    figure.text(0.025, 0.912, _subtitle(tour), size=10.5, color="#555555")
    figure.text(0.025, 0.862, "The motion and the path of the tip", size=10.5, weight="bold",
                color=INK)  # fmt: skip
    left = figure.add_gridspec(1, 1, left=0.02, right=0.345, top=0.862, bottom=0.425)
    _poses(figure.add_subplot(left[0]), tour)
    left = figure.add_gridspec(2, 1, left=0.105, right=0.32, top=0.395, bottom=0.065, hspace=0.62,
                               height_ratios=(1.75, 1))  # fmt: skip
    _cost(figure.add_subplot(left[0]), tour)
    _position(figure.add_subplot(left[1]), tour)
    right = figure.add_gridspec(tour.arm.n, 2, left=0.435, right=0.93, top=0.85, bottom=0.065,
                                wspace=0.16, hspace=0.3)  # fmt: skip
    for k in range(tour.arm.n):
        _torque(figure.add_subplot(right[k, 0]), tour, k)
        _acceleration(figure.add_subplot(right[k, 1]), tour, k)


def _subtitle(tour: Tour) -> str:
    return (f"Inverse dynamics of {len(tour.motion.t):,} states at once, then forward dynamics of "
            "each, in machine code made for this arm.  "
            f"momentarm {__version__}")  # fmt: skip


def _poses(axes: Any, tour: Tour) -> None:
    """The arm at equal intervals, seen from one side, and the way of its tip."""
    arm, along = tour.arm, tour.motion
    chosen = [arm.frames.index(name) for name in (*arm.frames[:8], arm.tip)]
    path = _seen(arm.forward_kinematics(along.q[::EVERY])[:, :3, 3])
    angle = np.linspace(0, 2 * np.pi, 100)
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    for radius in (0.2, 0.4, 0.6):
        axes.plot(*_seen(circle * radius).T, color="#DDDDDD", lw=0.8, zorder=0)
    stops = np.linspace(0, len(along.q) - 1, 4).round().astype(int)
    for k in np.linspace(0, len(along.q) - 1, 19).round().astype(int):
        _arm(axes, _seen(arm.link_poses(along.q[k])[chosen, :3, 3]), PALE, 2, 1)
    axes.plot(*path.T, color=BLUE, lw=2, zorder=4)
    for k, colour, order in zip(stops, (INK, SLATE, SLATE), (5, 2, 3), strict=False):
        points = _seen(arm.link_poses(along.q[k])[chosen, :3, 3])
        _arm(axes, points, colour, 6.5, order)
        axes.plot(*points[-1], "o", color=BLUE, ms=6, zorder=6)
        axes.annotate(f"{along.t[k]:g} s", points[-1], xytext=(9 if k else -30, -12), size=9.5,
                      color=BLUE, textcoords="offset points", weight="bold", zorder=7)  # fmt: skip
    axes.set(aspect="equal")
    axes.axis("off")


def _arm(axes: Any, points: Any, colour: str, width: float, order: float) -> None:
    axes.plot(*points.T, color=colour, lw=width, solid_capstyle="round", solid_joinstyle="round",
              zorder=order)  # fmt: skip
    if width > 3:
        axes.plot(*points[1:-1].T, "o", color="white", ms=width / 2, zorder=order + 0.1)


def _seen(points: Any) -> Any:
    """Points in space as seen from far away."""
    about, above = VIEW
    x, y, z = points.T
    across = -x * np.sin(about) + y * np.cos(about)
    depth = x * np.cos(about) + y * np.sin(about)
    return np.stack([across, z * np.cos(above) - depth * np.sin(above)], axis=1)


def _torque(axes: Any, tour: Tour, k: int) -> None:
    t, tau = tour.motion.t[::EVERY], tour.motion.tau[::EVERY, k]
    axes.fill_between(t, tau, color=BLUE, alpha=0.16, lw=0)
    axes.plot(t, tau, color=BLUE, lw=1.6)
    _strip(axes, tour, k, tau, "Torques [N m]")
    name = tour.arm.joint_names[k].removeprefix(f"{tour.arm.name}_")
    axes.text(-0.15, 0.5, name.replace("joint", "joint "), transform=axes.transAxes, va="center",
              ha="right", size=9.5, weight="bold", color=INK)  # fmt: skip


def _acceleration(axes: Any, tour: Tour, k: int) -> None:
    t, qdd = tour.motion.t[::EVERY], tour.motion.qdd[::EVERY, k]
    axes.plot(t, qdd, color=SKY, lw=4, alpha=0.65, solid_capstyle="round", label="given")
    axes.plot(t, tour.recovery.qdd[::EVERY, k], color=ORANGE, lw=1.1, label="back")
    _strip(axes, tour, k, qdd, "Accelerations [rad/s²]")
    error = np.abs(tour.recovery.qdd_error[:, k]).max()
    axes.text(1.015, 0.5, f"error ≤\n{_rounded_up(error)}", transform=axes.transAxes,
              va="center", size=8.5, color=INK)  # fmt: skip
    if k == 0:
        axes.legend(loc="lower right", bbox_to_anchor=(1.02, 1.05), ncols=2, frameon=False,
                    fontsize=8.5, borderpad=0, handlelength=1.5)  # fmt: skip


def _strip(axes: Any, tour: Tour, k: int, values: Any, title: str) -> None:
    """The frame of one joint's curve: ticks at its extremes, time below the last."""
    low, high = min(0, values.min()), max(0, values.max())
    axes.axhline(0, color=GREY, lw=0.6, zorder=1)
    axes.set_yticks(sorted({0.0, *(x for x in (low, high) if abs(x) > 0.25 * (high - low))}))
    axes.yaxis.set_major_formatter(lambda x, _: f"{x:.3g}".replace("-", "−"))
    axes.set_xlim(tour.motion.t[0], tour.motion.t[-1])
    axes.margins(y=0.12)
    axes.spines["bottom"].set_visible(False)
    last = k == tour.arm.n - 1
    axes.tick_params(bottom=last, labelbottom=last)
    if k == 0:
        axes.set_title(title, pad=9)
    if last:
        axes.set_xlabel("time [s]")


def _position(axes: Any, tour: Tour) -> None:
    back = tour.recovery
    error = np.abs(back.q_error).max(axis=1)
    axes.semilogy(back.t[1:], error[1:], color=ORANGE, lw=1.8)
    axes.set(xlim=(0, back.t[-1]), xlabel="time [s]", ylim=(1e-12, 1e-2),
             yticks=(1e-12, 1e-8, 1e-4))  # fmt: skip
    axes.minorticks_off()
    axes.grid(axis="y", color="#EBEBEB", lw=0.7)
    axes.set_axisbelow(True)
    axes.annotate(f"{error[-1]:.0e}", (back.t[-1], error[-1]), xytext=(0, 5), ha="right",
                  textcoords="offset points", size=8.5)  # fmt: skip
    _title(axes, "Positions integrated from the torques: error [rad]")


def _cost(axes: Any, tour: Tour) -> None:
    """Bars of nanoseconds for one state."""
    series = (("one call from Python", GREY, [c.call for c in tour.costs]),
              ("batch, float64", BLUE, [c.batch for c in tour.costs]),
              ("batch, float32", SKY, [c.batch_single for c in tour.costs]))  # fmt: skip
    where = np.arange(len(tour.costs))
    for k, (label, colour, values) in enumerate(series):
        place = where + (k - 1) * 0.27
        axes.barh(place, values, 0.23, color=colour, label=label)
        for y, value in zip(place, values, strict=True):
            axes.annotate(f"{value:.0f}" if value >= 10 else f"{value:.1f}", (value, y), size=8,
                          xytext=(3, 0), textcoords="offset points", va="center")  # fmt: skip
    axes.set_yticks(where, [f"{c.quantity.replace('_', ' ')}\n{c.ops.mul} mul + {c.ops.add} add"
                            for c in tour.costs])  # fmt: skip
    axes.tick_params(left=False, bottom=False, labelbottom=False)
    axes.spines["bottom"].set_visible(False)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.legend(frameon=False, fontsize=8.5, loc="upper left", bbox_to_anchor=(-0.39, -0.01),
                ncols=3, columnspacing=1, handlelength=1, borderpad=0.2)  # fmt: skip
    _title(axes, "Nanoseconds for one state, one thread")


def _rounded_up(x: float) -> str:
    """One digit that is not less, as in 3e-14."""
    if not x:
        return "0"
    power = math.floor(math.log10(x))
    return f"{math.ceil(x / 10**power) * 10.0**power:.0e}"


def _title(axes: Any, text: str) -> None:
    """A title that starts at the edge of the page's left column."""
    axes.set_title(text, x=-0.372)
