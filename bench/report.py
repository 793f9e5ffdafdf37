#!/usr/bin/env python3
"""Runs the benchmarks and writes docs/benchmarks.md and its figures.

    python3 bench/report.py --build build/release      # runs the executables found there
    python3 bench/report.py --json a.json b.json c.json  # or reads what they wrote earlier

Needs matplotlib (Debian: python3-matplotlib).
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

try:
    import matplotlib
except ImportError:
    # Where another interpreter comes first in PATH, the distribution's may be the one that has it.
    SYSTEM_PYTHON = "/usr/bin/python3"
    if os.environ.get("VOLCONTACT_REPORT") or not os.path.exists(SYSTEM_PYTHON):
        sys.exit("report.py needs matplotlib (Debian: python3-matplotlib)")
    os.environ["VOLCONTACT_REPORT"] = "retried"
    os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON] + sys.argv)
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXECUTABLES = ("analytic_bench", "primitive_pairs_bench", "scaling_bench")
SECONDS_PER_EXECUTABLE = 120

# Okabe and Ito's colours, told apart with any colour vision; markers repeat the distinction.
STYLES = {
    "octree": ("#0072B2", "o", "octree"),
    "patch": ("#D55E00", "s", "patch quadrature"),
    "closed_form": ("#009E73", "*", "closed form"),
    "voxel": ("#CC79A7", "^", "voxels"),
    "naive": ("#000000", "x", "naive counting"),
}
SCENES = {
    "cap": "half-space, sphere (cap)",
    "lens": "sphere, sphere (lens)",
    "steinmetz": "crossed cylinders (Steinmetz)",
    "sphere_cylinder": "sphere, infinite cylinder",
    "ungula": "half-space, tilted cylinder (ungula)",
}
METHODS = ("octree", "patch", "closed_form")
USUAL_TOLERANCE = {"octree": "1e-08", "patch": "1e-10", "closed_form": "1e-10"}
BASE = {"depth": "1e-01", "pose": "generic", "offset": "0", "threads": "1"}
DEPTHS = ["1e+00"] + [f"1e-{k:02d}" for k in range(1, 9)]
PAIR_DEPTHS = ["1e-02", "1e-04", "1e-06", "1e-08"]

# What was asked, in microseconds; ratios are measured over asked.
ASKED_OCTREE = {"1e-06": 200.0, "1e-08": 1000.0, "1e-10": 5000.0}
ASKED_PATCH = {True: 20.0, False: 100.0}  # smooth rim; rim with corners
ASKED_CLOSED_FORM = 1.0
ASKED_THREADS = 1.7
ASKED_FLATNESS = 2.0


class Run:
    """One benchmark's outcome: subject, labels of its name, counters, or why it was skipped."""

    def __init__(self, entry):
        parts = [p for p in entry["run_name"].split("/")
                 if p != "real_time" and not p.startswith("iterations:")]
        self.subject = "/".join(p for p in parts if ":" not in p)
        self.labels = dict(p.split(":", 1) for p in parts if ":" in p)
        self.skipped = entry.get("error_message", "") if entry.get("error_occurred") else None
        self.counters = entry

    def __getitem__(self, name):
        return self.counters[name]

    @property
    def microseconds(self):
        """CPU time of a query on one thread; wall time on several."""
        scale = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}[self.counters["time_unit"]]
        clock = "cpu_time" if self.labels.get("threads", "1") == "1" else "real_time"
        return scale * self.counters[clock]


class Results:
    def __init__(self, documents):
        self.context = documents[0]["context"]
        self.runs = [Run(entry) for document in documents for entry in document["benchmarks"]]

    def select(self, subject=None, prefix=None, skipped=False, **labels):
        """Runs of a subject (or of subjects that begin with a prefix) with these labels, in order;
        skipped ones only when asked for."""
        return [run for run in self.runs
                if (subject is None or run.subject == subject)
                and (prefix is None or run.subject.startswith(prefix))
                and (skipped or run.skipped is None)
                and all(run.labels.get(key) == value for key, value in labels.items())]

    def first(self, subject, **labels):
        return next(iter(self.select(subject, skipped=True, **labels)), None)

    def pairings(self):
        return list(dict.fromkeys(run.subject for run in self.runs
                                  if run.subject.startswith("pair/")))


def kinds_of(subject):
    """The solids of "pair/cylinder_torus", and so on."""
    name = subject.split("/")[-1].replace("half_space", "half-space")
    return name.split("_")


def is_smooth(pairing):
    return set(kinds_of(pairing)) <= {"sphere", "ellipsoid", "torus"}


def run_benchmarks(build):
    documents = []
    for name in EXECUTABLES:
        executable = build / "bench" / name
        if not executable.exists():
            sys.exit(f"{executable} is missing; build it first: cmake --build {build}")
        print(f"running {name} ...", flush=True)
        try:
            output = subprocess.run([executable, "--benchmark_format=json"], check=True,
                                    timeout=SECONDS_PER_EXECUTABLE, stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL).stdout
        except subprocess.TimeoutExpired:
            sys.exit(f"{name} has not ended after {SECONDS_PER_EXECUTABLE} s")
        except subprocess.CalledProcessError as error:
            sys.exit(f"{name} failed: {error}")
        (build / "bench" / f"{name}.json").write_bytes(output)
        documents.append(json.loads(output))
    return documents


# Text ---------------------------------------------------------------------------------------------


def time_text(microseconds):
    if microseconds >= 1e6:
        return f"{microseconds / 1e6:.3g} s"
    if microseconds >= 1e3:
        return f"{microseconds / 1e3:.3g} ms"
    return f"{microseconds:.3g} µs" if microseconds >= 1 else f"{1e3 * microseconds:.3g} ns"


def error_text(error):
    return "< 1e-16" if error < 1e-16 else f"{error:.0e}"


def tolerance_text(label):
    return label.replace("e-0", "e-").replace("1e+00", "1")


def ratio_text(measured, asked):
    return f"{measured / asked:.2g}"


def cell_text(run):
    if run is None:
        return "–"
    if run.skipped is not None:
        return run.skipped
    return f"{time_text(run.microseconds)}, {error_text(run['rel_error'])}"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def machine_section(results):
    context = results.context
    model = platform.processor() or platform.machine()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines()
                 if line.startswith("model name")]
        model = names[0] if names else model
    load = context.get("load_avg") or [float("nan")]
    return table(("", ""), [
        ("date", context["date"]),
        ("compiler", context.get("compiler", "?")),
        ("build", context.get("build", "?")),
        ("CPU", f"{model}, {context['mhz_per_cpu']} MHz"),
        ("cores", context["num_cpus"]),
        ("load average at the start", f"{load[0]:.2f}"),
    ])


# Asked and measured -------------------------------------------------------------------------------


def summary_row(what, asked, runs, value, show, worst_is_low=False):
    """One row: the median and the worst of a value over the runs, each beside its ratio to what was
    asked, and how many runs came to nothing."""
    values = [value(run) for run in runs if run.skipped is None]
    skipped = len(runs) - len(values)
    if not values:
        return (what, show(asked), "", "", "", "", skipped)
    middle = statistics.median(values)
    worst = min(values) if worst_is_low else max(values)
    return (what, show(asked), show(middle), ratio_text(middle, asked), show(worst),
            ratio_text(worst, asked), skipped)


def pair_runs(results, method, tolerance, smooth, depths=("moderate",)):
    return [run for depth in depths
            for run in results.select(prefix="pair/", skipped=True, method=method, tol=tolerance,
                                      depth=depth)
            if is_smooth(run.subject) == smooth]


def pair_median(run):
    return run["median_us"]


def error_by_tolerance(run):
    """The largest error of a run over the tolerance it was asked for."""
    return max(run[counter] for counter in ("rel_error", "worst_error", "oracle_error")
               if counter in run.counters) / float(run.labels["tol"])


def spread(runs):
    """Largest over smallest time, or None."""
    times = [run.microseconds for run in runs if run is not None and run.skipped is None]
    return max(times) / min(times) if len(times) > 1 else None


def depth_runs(results, scene, method, depths=DEPTHS):
    return [results.first(scene, **{**BASE, "method": method, "depth": depth,
                                    "tol": USUAL_TOLERANCE[method]}) for depth in depths]


def placement_runs(results, scene, method):
    return [results.first(scene, method=method, tol=USUAL_TOLERANCE[method], depth="1e-03",
                          pose=pose, offset=offset, threads="1")
            for pose in ("aligned", "generic") for offset in ("0", "1e+03")]


def time_rows(results):
    def row(what, asked, *selection):
        return summary_row(what, asked, pair_runs(results, *selection), pair_median, time_text)

    rows = [row(f"octree, smooth solids, {tolerance_text(tolerance)}", asked, "octree", tolerance,
                True) for tolerance, asked in ASKED_OCTREE.items()]
    rows.append(row("octree, smooth solids, 1e-8, depths 1e-2 … 1e-8", ASKED_OCTREE["1e-08"],
                    "octree", "1e-08", True, PAIR_DEPTHS))
    for what, smooth in (("smooth rim", True), ("rim with corners", False)):
        asked = ASKED_PATCH[smooth]
        rows.append(row(f"patch, {what}, 1e-10", asked, "patch", "1e-10", smooth))
        rows.append(row(f"patch, {what}, 1e-10, depths 1e-2 … 1e-8", asked, "patch", "1e-10",
                        smooth, PAIR_DEPTHS))
    rows.append(summary_row("closed forms", ASKED_CLOSED_FORM,
                            results.select(prefix="closed_form/", skipped=True),
                            lambda run: run.microseconds, time_text))
    return rows


def spread_row(what, spreads):
    known = [value for value in spreads if value is not None]
    if not known:
        return (what, f"{ASKED_FLATNESS:.2f}×", "", "", "", "", "")
    middle, worst = statistics.median(known), max(known)
    return (what, f"{ASKED_FLATNESS:.2f}×", f"{middle:.2f}×", ratio_text(middle, ASKED_FLATNESS),
            f"{worst:.2f}×", ratio_text(worst, ASKED_FLATNESS), "")


def summary_section(results):
    rows = time_rows(results)
    for what, prefix in (("two threads, heavy query", "heavy/"), ("two threads, batch", "batch/")):
        rows.append(summary_row(what, ASKED_THREADS, results.select(prefix=prefix, skipped=True),
                                lambda run: run["ratio"], "{:.2f}×".format, worst_is_low=True))
    for method in ("octree", "patch"):
        runs = [run for run in results.select(method=method, skipped=True)
                if not run.subject.startswith("batch/")]
        rows.append(summary_row(f"{STYLES[method][2]}: error over tolerance", 1.0, runs,
                                error_by_tolerance, "{:.1g}".format))
    for method in METHODS:
        # Down from a tenth of the size: deeper, the overlap has another shape.
        rows.append(spread_row(f"{STYLES[method][2]}: slowest over fastest depth",
                               [spread(depth_runs(results, scene, method, DEPTHS[1:]))
                                for scene in SCENES]))
    for method in METHODS:
        rows.append(spread_row(f"{STYLES[method][2]}: slowest over fastest placement",
                               [spread(placement_runs(results, scene, method))
                                for scene in SCENES]))
    return table(("what", "asked", "median", "ratio", "worst", "ratio", "skipped"), rows)


# Details ------------------------------------------------------------------------------------------


def sweep_section(results, column, values, fixed):
    """Time and error of every scene and method over the values of one label."""
    rows = []
    for scene, title in SCENES.items():
        for method in METHODS:
            labels = {"tol": USUAL_TOLERANCE[method], **fixed, "method": method}
            runs = [results.first(scene, **{**labels, column: value}) for value in values]
            if any(run is not None for run in runs):
                rows.append([title, STYLES[method][2]] + [cell_text(run) for run in runs])
    return table(["scene", "method"] + [tolerance_text(value) for value in values], rows)


def placement_section(results):
    rows = []
    for scene, title in SCENES.items():
        for method in METHODS:
            runs = placement_runs(results, scene, method)
            if any(run is not None for run in runs):
                ratio = spread(runs)
                rows.append([title, STYLES[method][2]] + [cell_text(run) for run in runs] +
                            [f"{ratio:.2f}" if ratio else "–"])
    return table(["scene", "method", "aligned", "aligned, far", "generic", "generic, far",
                  "slowest/fastest"], rows)


def counting_section(results):
    rows = []
    for scene, title in SCENES.items():
        for method in ("voxel", "naive"):
            rows += [(title, STYLES[method][2], run.labels["n"],
                      time_text(run.microseconds), error_text(run["rel_error"]))
                     for run in results.select(scene, method=method)]
    return table(("scene", "method", "n", "time", "error"), rows)


def pair_cell(run):
    if run is None:
        return "–"
    if run.skipped is not None:
        return run.skipped
    error = max(run["worst_error"], run["oracle_error"])
    left = f" ({run['left_out']:.0f} left out)" if run["left_out"] else ""
    return f"{time_text(run['median_us'])} / {time_text(run['max_us'])}, {error_text(error)}{left}"


def pairs_section(results):
    columns = [("octree", tolerance) for tolerance in ASKED_OCTREE] + [("patch", "1e-10")]
    rows = [[", ".join(kinds_of(pairing))] +
            [pair_cell(results.first(pairing, method=method, tol=tolerance, depth="moderate"))
             for method, tolerance in columns] for pairing in results.pairings()]
    return table(["pair"] + [f"{STYLES[method][2]} {tolerance_text(tolerance)}"
                             for method, tolerance in columns], rows)


def pair_depths_section(results):
    rows = []
    for pairing in results.pairings():
        for method in ("octree", "patch"):
            runs = [results.first(pairing, method=method, depth=depth) for depth in PAIR_DEPTHS]
            if any(run is not None for run in runs):
                rows.append([", ".join(kinds_of(pairing)), STYLES[method][2]] +
                            [pair_cell(run) for run in runs])
    return table(["pair", "method"] + [tolerance_text(depth) for depth in PAIR_DEPTHS], rows)


def threads_section(results):
    rows = []
    for prefix in ("heavy/", "batch/"):
        for run in results.select(prefix=prefix, skipped=True):
            name = run.subject.replace("/", ": ").replace("_", " ")
            tolerance = tolerance_text(run.labels["tol"])
            if run.skipped is not None:
                rows.append((name, tolerance, run.skipped, "", ""))
            else:
                rows.append((name, tolerance, time_text(1e3 * run["ms_1"]),
                             time_text(1e3 * run["ms_2"]), f"{run['ratio']:.2f}"))
    return table(("work", "tolerance", "one thread", "two threads", "ratio"), rows)


def closed_form_section(results):
    rows = [(", ".join(kinds_of(run.subject)),
             run.skipped if run.skipped is not None else time_text(run.microseconds),
             "" if run.skipped is not None else ratio_text(run.microseconds, ASKED_CLOSED_FORM))
            for run in results.select(prefix="closed_form/", skipped=True)]
    return table(("pair", "full metrics", "of the 1 µs asked"), rows)


PAGE = """# Benchmarks

Written by `python3 bench/report.py --build build/release`; do not edit. All queries compute the full
metrics (volume, centroid, inertia, area vector and moment, contact normal) through a prepared pair.
Times on one thread are CPU times, free of what else runs on the machine; with two threads they are
wall times, which are not.

{machine}
## Asked and measured

Median and worst over the pairings (of the median over their poses), scenes or workloads below;
"skipped" counts those that gave no answer, did not converge, or were answered by another method.
A ratio is measured over asked: at most 1 is what was asked for times, errors and spreads, at least 1
for the gain by two threads.

{summary}
![Error against time](figures/error_against_time.svg)

![Time against depth](figures/time_against_depth.svg)

## Known volumes

Time and relative error of V against a reference in extended precision that shares nothing with the
library; at depth 1e-8 the reference itself holds some ten to eleven digits. Unless a column says
otherwise: depth 0.1 of the size (a radius, for crossed cylinders the diameter), generic orientation,
at the origin, one thread, tolerance 1e-8 with the octree and 1e-10 otherwise.

### Tolerance

{tolerances}
### Depth

{depths}
### Orientation and offset

Depth 1e-3; "far" is 1000 sizes from the origin.

{placements}
### Threads

Tolerance 1e-10.

{analytic_threads}
### Counting

Voxels: the library's `voxel` method with V^(1/3)/n as edge. Naive counting: double-precision
membership of n³ points in the box of the overlap.

{counting}
## Pairs of primitives

Solids about 1 m large at random poses: median / slowest time over the poses (each the best of its
repeats), then the worst relative error of volume, centroid and inertia, against the octree at
1e-13 and against the values of `tests/oracle/pairs.json` for the two poses there.

{pairs}
### In shallow contact

The same, drawn back along the contact normal to a depth of 1e-2 … 1e-8 m before they part; octree
at 1e-8, patch quadrature at 1e-10.

{pair_depths}
## Threads

Best wall times of one and two threads taking turns; a batch has 1000 poses. The gain shows only
where both cores are free: see the load average above.

{threads}
## Closed forms

Over 64 random poses in turn.

{closed_forms}"""


def page(results):
    return PAGE.format(
        machine=machine_section(results), summary=summary_section(results),
        tolerances=sweep_section(results, "tol", [f"1e-{k:02d}" for k in range(3, 11)], BASE),
        depths=sweep_section(results, "depth", DEPTHS, BASE),
        placements=placement_section(results),
        analytic_threads=sweep_section(results, "threads", ["1", "2"], {**BASE, "tol": "1e-10"}),
        counting=counting_section(results), pairs=pairs_section(results),
        pair_depths=pair_depths_section(results), threads=threads_section(results),
        closed_forms=closed_form_section(results))


# Figures ------------------------------------------------------------------------------------------


def save(figure, path):
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
    return [Line2D([], [], color=STYLES[m][0], marker=STYLES[m][1], label=STYLES[m][2],
                   markersize=8 if m == "closed_form" else 6) for m in methods]


def error_figure(results, path):
    figure, panels = plt.subplots(1, 3, figsize=(11, 4.2), sharex=True, sharey=True)
    for axes, scene in zip(panels, ("lens", "steinmetz", "ungula")):
        dress(axes, SCENES[scene])
        for method, (color, marker, _) in STYLES.items():
            labels = BASE if method in METHODS else {"depth": BASE["depth"]}
            runs = results.select(scene, method=method, **labels)
            axes.plot([run.microseconds for run in runs],
                      [max(run["rel_error"], 1e-16) for run in runs], color=color, marker=marker,
                      linewidth=1.2, markersize=10 if method == "closed_form" else 5.5)
        axes.set_xlabel("time of a query [µs]")
    panels[0].set_ylabel("relative error of V (floor 1e-16)")
    figure.legend(handles=method_handles(STYLES), loc="lower center", ncols=5, frameon=False)
    figure.suptitle("Overlap 0.1 of the size deep, generic pose; octree and patch at "
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
                         for scene, dash in dashes.items()], fontsize=7, loc="center right")


def pairing_panel(results, axes):
    dress(axes, "pairs of primitives: median and range over the pairings")
    for method in ("octree", "patch"):
        for smooth, dash in ((True, "-"), (False, "--")):
            per_depth = {}
            for depth in PAIR_DEPTHS:
                times = [pair_median(run) for run in pair_runs(
                    results, method, USUAL_TOLERANCE[method], smooth, [depth])
                    if run.skipped is None]
                if times:
                    per_depth[float(depth)] = times
            shift = 1.12 if smooth else 1 / 1.12  # the ranges side by side
            middles = [statistics.median(times) for times in per_depth.values()]
            axes.errorbar([depth * shift for depth in per_depth], middles, linestyle=dash,
                          yerr=[[m - min(t) for m, t in zip(middles, per_depth.values())],
                                [max(t) - m for m, t in zip(middles, per_depth.values())]],
                          color=STYLES[method][0], marker=STYLES[method][1], capsize=3,
                          linewidth=1.2, markersize=5)
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
    figure.suptitle("Octree at 1e-8, patch quadrature at 1e-10", fontsize=11)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release",
                        help="build directory whose benchmarks are run")
    parser.add_argument("--json", type=pathlib.Path, nargs="+", metavar="FILE",
                        help="read the benchmarks' JSON instead of running them")
    parser.add_argument("--docs", type=pathlib.Path, default=ROOT / "docs",
                        help="where benchmarks.md and figures/ are written")
    arguments = parser.parse_args()
    if arguments.json:
        documents = [json.loads(path.read_text()) for path in arguments.json]
    else:
        documents = run_benchmarks(arguments.build.resolve())
    results = Results(documents)
    matplotlib.rcParams["svg.hashsalt"] = "volcontact"  # the same bytes for the same figures
    error_figure(results, arguments.docs / "figures" / "error_against_time.svg")
    depth_figure(results, arguments.docs / "figures" / "time_against_depth.svg")
    (arguments.docs / "benchmarks.md").write_text(page(results), encoding="utf-8")
    skipped = sum(run.skipped is not None for run in results.runs)
    print(f"{len(results.runs)} benchmarks, {skipped} of them skipped; "
          f"wrote {arguments.docs / 'benchmarks.md'}")


if __name__ == "__main__":
    main()
