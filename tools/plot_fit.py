"""Draws measurements and fits: plot_fit.py FILE, the figure as JSON on standard input.

The tool carries this script with it and runs it for `identify --plot`. Exit status 3 where there is
no matplotlib, 1 where the file cannot be written.
"""
import json
import sys

try:
    import matplotlib
except ImportError:
    sys.exit(3)
matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "volcontact"  # equal data give equal files
from matplotlib import pyplot  # noqa: E402


def main():
    figure = json.load(sys.stdin)
    count = len(figure["panels"])
    drawing, axes = pyplot.subplots(1, count, figsize=(6.4 * count, 4.4), squeeze=False)
    for axis, panel in zip(axes[0], figure["panels"]):
        for series in panel["series"]:
            style = {"marks": {"linestyle": "", "marker": ".", "markersize": 4}, "line": {}}
            axis.plot(series["x"], series["y"], label=series["label"], **style[series["style"]])
        axis.set_xlabel(panel["x"])
        axis.set_ylabel(panel["y"])
        axis.grid(alpha=0.3)
        axis.legend()
    drawing.suptitle(figure["title"])
    drawing.tight_layout()
    metadata = {"Date": None} if sys.argv[1].endswith(".svg") else None
    try:
        drawing.savefig(sys.argv[1], metadata=metadata)
    except (OSError, ValueError):
        sys.exit(1)


main()
