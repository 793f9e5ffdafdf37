"""Draws docs/figures/mujoco_nut.png from what the example mujoco_nut prints for a second of turning.

    python3 tools/mujoco_nut_picture.py FOLDER OF mujoco_nut
"""

import csv
import pathlib
import subprocess
import sys

import numpy as np
import plot_style
from matplotlib import pyplot

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = ROOT / "data/mujoco/nut_on_bolt.xml"
START, WEIGHT, TORQUE = 7.4341, 0.5 * 9.81, 4.60e-3  # [mm, N, N m], the last of tests/mujoco/nut_test.cpp
CUT = 1.5 * np.pi  # from here on around the nut its faces are left out to show the thread


def triangles(name):
    """Corners [mm] of the faces of a mesh."""
    rows = [line.split() for line in (MODEL.parent / f"threads/{name}.obj").read_text().splitlines()]
    vertices = np.array([[float(x) for x in row[1:]] for row in rows if row[0] == "v"]) * 1e3
    return vertices[np.array([[int(x) - 1 for x in row[1:]] for row in rows if row[0] == "f"])]


def turned(corners, turns, rise):
    c, s = np.cos(2 * np.pi * turns), np.sin(2 * np.pi * turns)
    return corners @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + [0, 0, rise]


def picture(bodies, pixels=700, azimuth=-0.9, elevation=0.35):
    """Shaded triangles of (corners [mm], colour), seen from a side: the nearest at every pixel."""
    across = np.array([-np.sin(azimuth), np.cos(azimuth), 0])
    toward = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
    view = np.array([across, np.cross(toward, across), toward])
    light = view.T @ np.array([-0.4, 0.5, 0.77])
    depth, image = np.full((pixels, pixels), -np.inf), np.ones((pixels, pixels, 3))
    for corners, colour in bodies:
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        shades = 0.4 + 0.6 * np.clip(normals @ light / np.maximum(np.linalg.norm(normals, axis=1), 1e-12), 0, 1)
        points = (corners - [0, 0, 12.5]) @ view.T
        points[..., :2] = (points[..., :2] / 36 + 0.5) * pixels
        for (p, q, r), shade in zip(points, shades, strict=True):
            (u0, v0), (u1, v1) = (f(np.array([p, q, r])[:, :2], axis=0).astype(int) for f in (np.min, np.max))
            u, v = np.meshgrid(np.arange(u0, u1 + 1) + 0.5, np.arange(v0, v1 + 1) + 0.5)
            area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
            if area < 1e-9:  # seen from behind, or from its edge
                continue
            second = ((u - p[0]) * (r[1] - p[1]) - (v - p[1]) * (r[0] - p[0])) / area
            third = ((q[0] - p[0]) * (v - p[1]) - (q[1] - p[1]) * (u - p[0])) / area
            height = p[2] + second * (q[2] - p[2]) + third * (r[2] - p[2])
            tile = np.s_[v0 : v1 + 1, u0 : u1 + 1]
            seen = (second >= 0) & (third >= 0) & (second + third <= 1) & (height > depth[tile])
            depth[tile][seen], image[tile][seen] = height[seen], shade * np.array(colour)
    return image


def main(folder):
    told = subprocess.run([folder / "mujoco_nut", MODEL, "1"], check=True, capture_output=True, text=True).stdout
    rows = list(csv.DictReader(told.splitlines()))
    run = {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}
    figure = pyplot.figure(figsize=(11, 3.6), layout="constrained")
    grid = figure.add_gridspec(1, 3, width_ratios=(1, 1.1, 1.1))
    nut = triangles("nut")
    middle = nut.mean(axis=1)
    nut = nut[np.arctan2(middle[:, 1], middle[:, 0]) % (2 * np.pi) < CUT]
    nut = turned(nut, run["turns"][-1], START + 1e3 * run["height"][-1])
    bodies = figure.add_subplot(grid[0])
    bodies.imshow(picture([(triangles("bolt"), (0.66, 0.70, 0.75)), (nut, (0.90, 0.70, 0.38))]), origin="lower")
    bodies.set_axis_off()

    way = figure.add_subplot(grid[1])
    way.plot(run["turns"], 1e6 * run["from_helix"], color=plot_style.COLOURS[0])
    way.set(title="Height less pitch × turns", xlabel="turns", ylabel="[µm]", ylim=(-10, 10))

    forces = figure.add_subplot(grid[2])
    forces.plot(run["turns"], run["torque"] / TORQUE, label="torque over that of a screw")
    forces.plot(run["turns"], run["lift"] / WEIGHT, "--", label="lift over weight")
    forces.set(title="Means between rows of the table", xlabel="turns", ylabel="[1]", ylim=(0, 1.3))
    forces.legend(loc="lower right")
    figure.savefig(ROOT / "docs/figures/mujoco_nut.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
