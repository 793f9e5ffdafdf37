"""Draws docs/figures/peg_jamming.svg from a run of the scenario peg_jamming.

    volcontact simulate data/scenarios/peg_jamming.json --out RUN
    python3 tools/jamming_diagram.py RUN
"""

import json
import pathlib
import sys

import plot_style
from matplotlib import pyplot

ROOT = pathlib.Path(__file__).resolve().parent.parent
RADIUS, MU, PUSH, DEPTH = 0.00999, 0.2, 45.0, 0.01
LAMBDA = DEPTH / (2 * RADIUS * MU)


def loads(folder):
    """F_x/F and M/(r F) of a variant, as the scenario states them."""
    load = json.loads((folder / "run_scenario.json").read_text(encoding="utf-8"))["loads"][1]
    return load["force"][0] / PUSH, load["torque"][1] / (RADIUS * PUSH)


def breaks_loose(folder):
    """The loads at which a peg broke loose, over those."""
    measures = json.loads((folder / "summary.json").read_text(encoding="utf-8"))["measures"]
    return next(m["value"] for m in measures if m["name"].startswith("loads at which it breaks loose"))


def main(run):
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    side = 1 / MU
    corners = [(s * side, t * LAMBDA + MU * (1 + LAMBDA) * s * side) for s, t in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
    axes.fill(*zip(*corners), color="0.93", zorder=-1)
    axes.plot(*zip(*corners, corners[0]), color=plot_style.QUIET, label="closed form, small tilt")
    names = ["moment_10_mm", "moment_mirrored", "side_force", "moment_against_force", "moment_and_force", "one_wall"]
    for i, name in enumerate(names):
        (x, y), share = loads(run / name), breaks_loose(run / name)
        axes.plot([0, x], [0, y], color="0.8", lw=0.8, zorder=0)
        axes.plot(share * x, share * y, "o", color=plot_style.COLOURS[0], label="" if i else "breaks loose")
    axes.set(title=f"Jamming diagram, λ = {LAMBDA:.2f}, μ = {MU}", xlabel="side force over push, F_x/F",
             ylabel="moment, M/(r F)")
    axes.legend(loc="upper left")
    figure.savefig(ROOT / "docs/figures/peg_jamming.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
