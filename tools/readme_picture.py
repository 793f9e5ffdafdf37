#!/usr/bin/env python3
"""Draws the picture of README.md: a tilted peg in its hole, what overlaps, and the forces.

    tools/readme_picture.py [TOOL]

Volumes, centroids and directions are the tool's answers for the pair "tilted peg in a hole" of data/quickstart.json,
forces those of the stiffness in data/contact.json; the outlines are the section of the solids at y = 0. Writes docs/figures/peg_in_hole.svg.
"""

import json
import math
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patches import Polygon  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = ROOT / "build" / "release" / "tools" / "volcontact" / "volcontact"
PEG, PLATE, OVERLAP, INK = "#4477aa", "#bbbbbb", "#cc3311", "#222222"
MILLI = 1e3
ACROSS = 60  # how much more than along the wall the insets show across it


def answers(tool, pair, *more):
    """The tool's answer on the pair, contact by contact."""
    pose = ",".join(map(repr, pair["pose_a"]))
    command = [tool, "query", ROOT / "data" / pair["a"], ROOT / "data" / pair["b"], "--pose-a", pose, "--json", *more]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def peg_section(pair):
    """The corners of the peg's section [mm]: its axis turns about y."""
    peg = json.loads((ROOT / "data" / pair["a"]).read_text())["cylinder"]
    x, _, z, w, _, qy, _ = pair["pose_a"]
    angle = 2 * math.atan2(qy, w)
    c, s = math.cos(angle), math.sin(angle)
    r, h = peg["radius"], peg["height"] / 2
    return [(MILLI * (x + c * u + s * v), MILLI * (z - s * u + c * v)) for u, v in ((-r, -h), (r, -h), (r, h), (-r, h))]


def plate_section(pair):
    """The two halves of the plate's section beside its bore [mm]."""
    solid = json.loads((ROOT / "data" / pair["b"]).read_text())
    size, bore = solid["difference"][0]["box"]["size"], solid["difference"][1]["cylinder"]["radius"]
    middle, half = MILLI * solid["pose"]["t"][2], MILLI * size[2] / 2
    r, w = MILLI * bore, MILLI * size[0] / 2
    return [[(a, middle - half), (b, middle - half), (b, middle + half), (a, middle + half)] for a, b in ((-w, -r), (r, w))]


def draw_section(axes, peg, plate):
    axes.add_patch(Polygon(peg, facecolor=PEG, alpha=0.45, edgecolor=PEG, linewidth=1))
    for half in plate:
        side = Polygon(half, facecolor=PLATE, alpha=0.6, edgecolor="#777777", linewidth=1)
        axes.add_patch(side)
        both = Polygon(peg, facecolor=OVERLAP, edgecolor="none")
        axes.add_patch(both)
        both.set_clip_path(side)


def draw_inset(figure, place, peg, plate, contact):
    """One contact, its depth stretched, with its volume and normal."""
    axes = figure.add_axes(place)
    x, _, z = (MILLI * c for c in contact["centroid"])
    wall = math.copysign(MILLI * 0.01, x)
    high = 20.0
    wide = high / ACROSS * place[2] / place[3] * figure.get_figwidth() / figure.get_figheight()
    axes.set_xlim(wall - wide / 2, wall + wide / 2)
    axes.set_ylim(z - high / 2, z + high / 2)
    draw_section(axes, peg, plate)
    axes.set_title(f"V = {contact['volume'] * 1e9:.8f} mm³, depth ×{ACROSS}", fontsize=8.5, color=INK, pad=3)
    axes.set_xticks([wall - 0.1, wall, wall + 0.1], ["−100 µm", "wall", "+100 µm"], fontsize=7)
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_color("#999999")


def main():
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    tool = sys.argv[1] if len(sys.argv) == 2 else TOOL
    pairs = json.loads((ROOT / "data" / "quickstart.json").read_text())["pairs"]
    pair = next(pair for pair in pairs if pair["name"] == "tilted peg in a hole")
    found = answers(tool, pair, "--tol", "1e-9", "--patches")
    stiffness = json.loads((ROOT / "data" / "contact.json").read_text())["normal"]["stiffness_a"]
    peg, plate = peg_section(pair), plate_section(pair)

    matplotlib.rcParams["svg.hashsalt"] = "volcontact"
    figure = plt.figure(figsize=(7.2, 4.6))
    axes = figure.add_axes([0.01, 0.02, 0.5, 0.94])
    axes.set_aspect("equal")
    axes.set_xlim(-27, 27)
    axes.set_ylim(-44, 34)
    axes.axis("off")
    draw_section(axes, peg, plate)
    right, left = sorted(found["patches"], key=lambda patch: -patch["centroid"][0])
    for contact in (right, left):
        x, _, z = (MILLI * c for c in contact["centroid"])
        force = stiffness * contact["volume"]  # [N]
        push = 2.8e-3 * force * contact["area_normal"][0]
        axes.annotate("", (x + push, z), (x, z), arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.8})
        axes.plot([x], [z], "o", color=INK, markersize=3.5)
        axes.text(x + push, z + 1, f"{force / 1e3:.2f} kN", ha="center", fontsize=8, color=INK)
    axes.plot([14, 24], [-42.5, -42.5], color=INK, linewidth=2)
    axes.text(19, -41.8, "10 mm", ha="center", fontsize=8, color=INK)
    axes.text(0, 24, "peg", ha="center", fontsize=9, color=INK)
    axes.text(-19, -20, "plate", ha="center", fontsize=9, color=INK)
    draw_inset(figure, [0.55, 0.54, 0.42, 0.38], peg, plate, right)
    draw_inset(figure, [0.55, 0.06, 0.42, 0.38], peg, plate, left)
    figure.savefig(ROOT / "docs" / "figures" / "peg_in_hole.svg", metadata={"Date": None})
    figure.savefig(ROOT / "build" / "peg_in_hole.png", dpi=130)


if __name__ == "__main__":
    main()
