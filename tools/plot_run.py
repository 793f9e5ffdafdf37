#!/usr/bin/env python3
"""Draws a run of `volcontact simulate`.

    plot_run.py FOLDER

Reads timeseries.csv, summary.json and plots.json, and writes trajectory.png, velocities.png, forces.png, energies.png,
overview.png (all four) and plot_<n>.png for the scenario's own plots. Exits with 3 where matplotlib is
missing.
"""

import json
import pathlib
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
except ImportError:
    sys.exit(3)

# More curves than this are a tangle: the first ones are drawn.
MOST_OWNERS = 4


def read(folder):
    names = (folder / "timeseries.csv").open().readline().strip().split(",")
    table = np.loadtxt(folder / "timeseries.csv", delimiter=",", skiprows=1, ndmin=2)
    return {name: table[:, i] for i, name in enumerate(names)}


def owners(data, column):
    """The bodies or contacts that have a column."""
    suffix = "." + column
    return [name[: -len(suffix)] for name in data if name.endswith(suffix)][:MOST_OWNERS]


def moves(values):
    return np.ptp(values) > 1e-12 * (1 + np.abs(values).max())


def draw_components(axis, data, column, components, label):
    for owner in owners(data, column):
        for component in components:
            values = data[f"{owner}.{component}"]
            if moves(values):
                axis.plot(data["t"], values, label=f"{owner}.{component}", linewidth=1)
    axis.set_ylabel(label)


def draw_trajectory(axis, data):
    draw_components(axis, data, "x", "xyz", "position [m]")


def draw_velocities(axis, data):
    draw_components(axis, data, "vx", ("vx", "vy", "vz"), "velocity [m/s]")
    spin = axis.twinx()
    for owner in owners(data, "wx"):
        speed = np.sqrt(sum(data[f"{owner}.w{c}"] ** 2 for c in "xyz"))
        if moves(speed):
            spin.plot(data["t"], speed, "--", linewidth=1, color="gray", label=f"|{owner}.w|")
    spin.set_ylabel("angular speed [rad/s], dashed")


def draw_forces(axis, data):
    for owner in owners(data, "fn"):
        axis.plot(data["t"], data[f"{owner}.fn"], label=f"{owner} normal", linewidth=1)
        if np.any(data[f"{owner}.ft"]):
            axis.plot(data["t"], data[f"{owner}.ft"], label=f"{owner} friction", linewidth=1)
    axis.set_ylabel("force [N]")


def draw_energies(axis, data):
    for name, values in data.items():
        if name.startswith("energy.") and name != "energy.residual" and np.any(values):
            axis.plot(data["t"], values, label=name[7:], linewidth=1)
    axis.set_ylabel("energy [J]")
    residual = axis.twinx()
    size = np.maximum(np.abs(data["energy.residual"]), 1e-18)
    residual.semilogy(data["t"], size, color="gray", linewidth=0.5)
    residual.set_ylabel("|residual| [J], gray")


PANELS = {
    "trajectory": draw_trajectory,
    "velocities": draw_velocities,
    "forces": draw_forces,
    "energies": draw_energies,
}


def finish(axis):
    axis.set_xlabel("t [s]")
    if axis.get_legend_handles_labels()[0]:
        axis.legend(fontsize=7)


def draw_standard(folder, data, title):
    for name, draw in PANELS.items():
        figure, axis = plt.subplots(figsize=(7, 4))
        draw(axis, data)
        finish(axis)
        axis.set_title(title, fontsize=9)
        figure.tight_layout()
        figure.savefig(folder / f"{name}.png", dpi=110)
        plt.close(figure)
    figure, axes = plt.subplots(2, 2, figsize=(12, 7))
    for axis, draw in zip(axes.flat, PANELS.values()):
        draw(axis, data)
        finish(axis)
    figure.suptitle(title, fontsize=10)
    figure.tight_layout()
    figure.savefig(folder / "overview.png", dpi=70)
    plt.close(figure)


def draw_own(folder):
    for number, plot in enumerate(json.loads((folder / "plots.json").read_text())):
        figure, axis = plt.subplots(figsize=(7, 4))
        for curve in plot["curves"]:
            axis.plot(plot["x"], curve["y"], label=curve["label"], linewidth=1)
        finish(axis)
        axis.set_xlabel(plot["x_label"])
        axis.set_ylabel(plot["y_label"])
        axis.set_title(plot["title"], fontsize=9)
        figure.tight_layout()
        figure.savefig(folder / f"plot_{number}.png", dpi=90)
        plt.close(figure)


def main():
    folder = pathlib.Path(sys.argv[1])
    summary = json.loads((folder / "summary.json").read_text())
    title = " – ".join(part for part in (summary["title"], summary["variant"]) if part)
    draw_standard(folder, read(folder), title)
    draw_own(folder)


if __name__ == "__main__":
    main()
