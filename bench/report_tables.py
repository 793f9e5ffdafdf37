"""The tables of docs/benchmarks.md; see report.py."""

import statistics

from report_format import error_text, ratio_text, table, time_text
from report_forces import forces_section
from report_machine import machine_section
from report_meshes import meshes_section
from report_results import (BASE, DEPTHS, METHODS, PAIR_DEPTHS, SCENES, TITLES, USUAL_TOLERANCE,
                            depth_runs, kinds_of, pair_median, pair_runs, placement_runs, spread)

# What was asked, in microseconds; ratios are measured over asked.
ASKED_BOUNDARY = {"1e-06": 200.0, "1e-08": 1000.0, "1e-10": 5000.0}
ASKED_CLOSED_FORM = 1.0
ASKED_THREADS = 1.7
ASKED_FLATNESS = 2.0


def tolerance_text(label):
    return label.replace("e-0", "e-").replace("1e+00", "1")


def cell_text(run):
    if run is None:
        return "–"
    if run.skipped is not None:
        return run.skipped
    return f"{time_text(run.microseconds)}, {error_text(run['rel_error'])}"


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


def error_by_tolerance(run):
    """The largest error of a run over the tolerance it was asked for."""
    return max(run[counter] for counter in ("rel_error", "worst_error", "oracle_error")
               if counter in run.counters) / float(run.labels["tol"])


def time_rows(results):
    def row(what, asked, *selection):
        return summary_row(what, asked, pair_runs(results, *selection), pair_median, time_text)

    rows = [row(f"boundary, smooth solids, {tolerance_text(tolerance)}", asked, "boundary", tolerance,
                True) for tolerance, asked in ASKED_BOUNDARY.items()]
    rows.append(row("boundary, smooth solids, 1e-8, depths 1e-2 … 1e-8", ASKED_BOUNDARY["1e-08"],
                    "boundary", "1e-08", True, PAIR_DEPTHS))
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
    for what, prefix in (("two threads, heavy query", "heavy/"),
                         ("two threads, large meshes", "large_meshes/"),
                         ("two threads, batch", "batch/")):
        rows.append(summary_row(what, ASKED_THREADS, results.select(prefix=prefix, skipped=True),
                                lambda run: run["ratio"], "{:.2f}×".format, worst_is_low=True))
    runs = [run for run in results.select(method="boundary", skipped=True)
            if not run.subject.startswith("batch/")]
    rows.append(summary_row("boundary: error over tolerance", 1.0, runs, error_by_tolerance,
                            "{:.1g}".format))
    for method in METHODS:
        # Down from a tenth of the size: deeper, the overlap has another shape.
        rows.append(spread_row(f"{TITLES[method]}: slowest over fastest depth",
                               [spread(depth_runs(results, scene, method, DEPTHS[1:]))
                                for scene in SCENES]))
    for method in METHODS:
        rows.append(spread_row(f"{TITLES[method]}: slowest over fastest placement",
                               [spread(placement_runs(results, scene, method))
                                for scene in SCENES]))
    return table(("what", "asked", "median", "ratio", "worst", "ratio", "skipped"), rows)


def sweep_section(results, column, values, fixed):
    """Time and error of every scene and method over the values of one label."""
    rows = []
    for scene, title in SCENES.items():
        for method in METHODS:
            labels = {"tol": USUAL_TOLERANCE[method], **fixed, "method": method}
            runs = [results.first(scene, **{**labels, column: value}) for value in values]
            if any(run is not None for run in runs):
                rows.append([title, TITLES[method]] + [cell_text(run) for run in runs])
    return table(["scene", "method"] + [tolerance_text(value) for value in values], rows)


def placement_section(results):
    rows = []
    for scene, title in SCENES.items():
        for method in METHODS:
            runs = placement_runs(results, scene, method)
            if any(run is not None for run in runs):
                ratio = spread(runs)
                rows.append([title, TITLES[method]] + [cell_text(run) for run in runs] +
                            [f"{ratio:.2f}" if ratio else "–"])
    return table(["scene", "method", "aligned", "aligned, far", "generic", "generic, far",
                  "slowest/fastest"], rows)


def counting_section(results):
    rows = []
    for scene, title in SCENES.items():
        for method in ("voxel", "naive"):
            rows += [(title, TITLES[method], run.labels["n"],
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
    rows = [[", ".join(kinds_of(pairing))] +
            [pair_cell(results.first(pairing, method="boundary", tol=tolerance, depth="moderate"))
             for tolerance in ASKED_BOUNDARY] for pairing in results.pairings()]
    return table(["pair"] + [f"boundary {tolerance_text(tolerance)}"
                             for tolerance in ASKED_BOUNDARY], rows)


def pair_depths_section(results):
    rows = []
    for pairing in results.pairings():
        runs = [results.first(pairing, method="boundary", depth=depth) for depth in PAIR_DEPTHS]
        if any(run is not None for run in runs):
            rows.append([", ".join(kinds_of(pairing))] + [pair_cell(run) for run in runs])
    return table(["pair"] + [tolerance_text(depth) for depth in PAIR_DEPTHS], rows)


def threads_section(results):
    rows = []
    for prefix in ("heavy/", "large_meshes/", "batch/"):
        for run in results.select(prefix=prefix, skipped=True):
            name = run.subject.replace("/", ": ").replace("_", " ")
            tolerance = tolerance_text(run.labels["tol"])
            if run.skipped is not None:
                rows.append((name, tolerance, run.skipped, "", "", "", ""))
            else:
                rows.append((name, tolerance, time_text(1e3 * run["ms_1"]),
                             time_text(1e3 * run["ms_2"]), f"{run['ratio']:.2f}",
                             f"{run['apart_ratio']:.2f}", f"{run['cpu_ratio']:.2f}"))
    return table(("work", "tolerance", "one thread", "two threads", "ratio", "two apart",
                  "of the first thread"), rows)


def closed_form_section(results):
    rows = [(", ".join(kinds_of(run.subject)),
             run.skipped if run.skipped is not None else time_text(run.microseconds),
             "" if run.skipped is not None else ratio_text(run.microseconds, ASKED_CLOSED_FORM))
            for run in results.select(prefix="closed_form/", skipped=True)]
    return table(("pair", "full metrics", "of the 1 µs asked"), rows)


PAGE = """# Benchmarks

Written by `python3 bench/report.py --page primitives`; do not edit. [benchmarks_parts.md](benchmarks_parts.md) has
parts of several primitives. All queries compute the full metrics (volume, centroid, inertia, area vector and
moment, contact normal) through a prepared pair. Times on one thread are processor times, independent of other work
on the machine. Times on two threads are wall times, which depend on it.

{machine}
## Asked and measured

Median and worst are over the pairings (each by the median over its poses), scenes or workloads below. "Skipped"
counts those without an answer, without convergence, or answered by another method. The ratio is the measured value
divided by the target. For times, errors and spreads it should be at most 1, for the gain by two threads at least 1.

{summary}
![Error against time](figures/error_against_time.svg)

![Time against depth](figures/time_against_depth.svg)

## Known volumes

Time, and relative error of V against a reference in extended precision that shares nothing with the library. At
depth 1e-8 the reference itself has ten to eleven digits. Unless a column says otherwise, the depth is 0.1 of the
size (a radius; for crossed cylinders the diameter), the orientation generic, the place the origin, with one thread.
The tolerance is 1e-8 for sums over the boundary and 1e-10 for the others.

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

Voxels: the library's `voxel` method with V^(1/3)/n as edge. Naive counting: double-precision membership of n³
points in the bounding box of the overlap.

{counting}
## Pairs of primitives

Solids about 1 m large at random poses: median / slowest time over the poses (each the best of its repeats), then
the worst relative error of volume, centroid and inertia. The true values are sums over the boundary at 1e-13, and
for two poses the values of `tests/oracle/pairs.json`.

{pairs}
### In shallow contact

The same pairs at 1e-8, moved back along the contact normal until they are 1e-2 … 1e-8 m deep.

{pair_depths}
## Threads

Best wall times of one and two threads in turn. A batch has 1000 poses. The gain shows only if both cores are free;
see the load average above.

- "Two apart" is the gain of the machine for the same work done twice, on two threads that share nothing but memory
  and cache. Two threads in one query can hardly gain more.
- "Of the first thread" is the ratio of the processor time of one thread to that of the first of two. Other
  processes hardly change it, and the gain cannot exceed it.
- Large meshes: two bumpy spheres with so many triangles each. They overlap
  by half, with a depth of 5 % of their size, or cross all over ("shells"). One of them is also beside a sphere or a cylinder, and beside a sphere whose surface crosses
  its bumps all over ("shell and ball").

{threads}
## Meshes

Two geodesic spheres of radius R: time, and relative error of V against exact constructions. "Bracket" is half the
width of the certified one. CGAL's corefinement (`Polygon_mesh_processing`, with inexact and with exact
constructions) makes the mesh of the intersection, once. It evaluates exact constructions later, outside of its
time.

{meshes}
## Contact forces

Time from the metrics of an overlap, poses and twists to the wrench. The query of the geometry is not included.

{forces}
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
        pair_depths=pair_depths_section(results), meshes=meshes_section(results),
        threads=threads_section(results), forces=forces_section(results),
        closed_forms=closed_form_section(results))
