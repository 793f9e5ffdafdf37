"""The figures of docs/benchmarks.md; see report.py."""

import statistics

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402

from report_results import (BASE, METHODS, PAIR_DEPTHS, SCENES, TITLES,  # noqa: E402
                            USUAL_TOLERANCE, depth_runs, pair_median, pair_runs)

# Okabe and Ito's colours, told apart with any colour vision; markers repeat the distinction.
STYLES = {
    "boundary": ("#0072B2", "o"),
    "closed_form": ("#009E73", "*"),
    "voxel": ("#CC79A7", "^"),
    "naive": ("#000000", "x"),
}


def save(figure, path):
    matplotlib.rcParams["svg.hashsalt"] = "volcontact"  # the same bytes for the same figures
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def dress(axes, title):
    axes.set_title(title, fontsize=10)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True, which="major", color="0.85", linewidth=0.6)
    axes.set_axisbelow(True)


def method_handles(methods):
    return [Line2D([], [], color=STYLES[m][0], marker=STYLES[m][1], label=TITLES[m],
                   markersize=8 if m == "closed_form" else 6) for m in methods]


def error_figure(results, path):
    figure, panels = plt.subplots(1, 3, figsize=(11, 4.2), sharex=True, sharey=True)
    for axes, scene in zip(panels, ("lens", "steinmetz", "ungula")):
        dress(axes, SCENES[scene])
        for method, (color, marker) in STYLES.items():
            labels = BASE if method in METHODS else {"depth": BASE["depth"]}
            runs = results.select(scene, method=method, **labels)
            axes.plot([run.microseconds for run in runs],
                      [max(run["rel_error"], 1e-16) for run in runs], color=color, marker=marker,
                      linewidth=1.2, markersize=10 if method == "closed_form" else 5.5)
        axes.set_xlabel("time of a query [µs]")
    panels[0].set_ylabel("relative error of V (floor 1e-16)")
    figure.legend(handles=method_handles(STYLES), loc="lower center", ncols=5, frameon=False)
    figure.suptitle("Overlap 0.1 of the size deep, generic pose; boundary at "
                    "tolerances 1e-3 … 1e-10", fontsize=11)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    save(figure, path)


def scene_panel(results, axes):
    dashes = dict(zip(SCENES, ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))))
    dress(axes, "known volumes, one thread")
    for method in METHODS:
        for scene in SCENES:
            runs = [run for run in depth_runs(results, scene, method)
                    if run is not None and run.skipped is None]
            axes.plot([float(run.labels["depth"]) for run in runs],
                      [run.microseconds for run in runs], color=STYLES[method][0],
                      marker=STYLES[method][1], linestyle=dashes[scene], linewidth=1.2,
                      markersize=4)
    axes.legend(handles=[Line2D([], [], color="0.3", linestyle=dash, label=SCENES[scene])
                         for scene, dash in dashes.items()],
                fontsize=7, ncols=2, loc="center", bbox_to_anchor=(0.5, 0.25))


def pairing_panel(results, axes):
    dress(axes, "pairs of primitives: median and range over the pairings")
    color, marker = STYLES["boundary"]
    for smooth, dash in ((True, "-"), (False, "--")):
        per_depth = {}
        for depth in PAIR_DEPTHS:
            times = [pair_median(run) for run in pair_runs(
                results, "boundary", USUAL_TOLERANCE["boundary"], smooth, [depth])
                if run.skipped is None]
            if times:
                per_depth[float(depth)] = times
        # The ranges side by side.
        shift = 1.15 ** (smooth - 0.5)
        middles = [statistics.median(times) for times in per_depth.values()]
        axes.errorbar([depth * shift for depth in per_depth], middles, linestyle=dash,
                      yerr=[[m - min(t) for m, t in zip(middles, per_depth.values())],
                            [max(t) - m for m, t in zip(middles, per_depth.values())]],
                      color=color, marker=marker, capsize=3, linewidth=1.2, markersize=5)
    axes.legend(handles=[Line2D([], [], color="0.3", linestyle="-", label="smooth solids"),
                         Line2D([], [], color="0.3", linestyle="--", label="solids with edges")],
                fontsize=8)


def depth_figure(results, path):
    figure, panels = plt.subplots(1, 2, figsize=(11, 4.6), sharey=True)
    scene_panel(results, panels[0])
    pairing_panel(results, panels[1])
    panels[0].set_xlabel("depth by size")
    panels[1].set_xlabel("depth [m], solids of 1 m")
    panels[0].set_ylabel("time of a query [µs]")
    for axes in panels:
        axes.invert_xaxis()
    figure.legend(handles=method_handles(METHODS), loc="lower center", ncols=3, frameon=False)
    figure.suptitle("Boundary at 1e-8, closed forms at 1e-10", fontsize=11)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    save(figure, path)
