"""Draws docs/figures/mujoco.svg from what the examples for MuJoCo print.

    python3 tools/mujoco_pictures.py FOLDER OF mujoco_peg AND run_mujoco
"""

import csv
import pathlib
import re
import subprocess
import sys

import numpy as np
import plot_style
from matplotlib import pyplot

ROOT = pathlib.Path(__file__).resolve().parent.parent


def told(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def run(folder, name, seconds):
    rows = list(csv.DictReader(told(folder / "run_mujoco", ROOT / f"data/mujoco/{name}.xml", seconds).splitlines()))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


def main(folder):
    number = r"\s*([-\d.]+)"
    peg = np.array([[float(x) for x in row] for row in re.findall(
        rf"t ={number} s{number} mm deep  askew{number} mrad{number} walls", told(folder / "mujoco_peg"))])
    cup, foot = run(folder, "ball_in_cup", 2), run(folder, "foot_on_step", 0.5)
    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(11, 3.2), layout="constrained")

    left.plot(peg[:, 1], peg[:, 2], color=plot_style.COLOURS[0])
    for walls, color in [(1, plot_style.COLOURS[2]), (2, plot_style.COLOURS[1])]:
        rows = peg[peg[:, 3] == walls]
        left.plot(rows[:, 1], rows[:, 2], "o", color=color, label=f"{walls} wall" + "s" * (walls > 1))
    # Askew by more than this, a peg with a gap of 10 µm all around overlaps both walls.
    depth = np.linspace(6, peg[-1, 1], 50)
    left.plot(depth, 20 / depth, "k--", lw=1, label="20 µm / depth")
    left.set(title="Peg in a hole", xlabel="depth [mm]", ylabel="askew [mrad]", ylim=(1, 3.5))
    left.legend()

    # The section of the table and its cup through the ball's line.
    x = np.linspace(-0.0349, 0.0349, 200)
    middle.plot([-200, -35, *(1e3 * x), 35, 100],
                [0, 0, *(1e3 * (-0.02 - np.sqrt(0.035**2 - x**2))), 0, 0], color=plot_style.QUIET)
    middle.plot(1e3 * cup["x"], 1e3 * cup["z"], ".-", lw=0.8, ms=3)
    middle.set(title="Ball into a cup: its centre", xlabel="x [mm]", ylabel="z [mm]", aspect="equal", xlim=(-90, 60))

    right.plot(foot["t"], foot["fn"], label="normal force")
    right.axhline(7 * 9.81, color="k", ls="--", lw=1, label="m g")
    right.set(title="Foot on a step", xlabel="t [s]", ylabel="[N]")
    right.legend()
    figure.savefig(ROOT / "docs/figures/mujoco.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
