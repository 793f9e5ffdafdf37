"""The section and the figure on other programs of docs/benchmarks_parts.md; see report.py."""

import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

from report_figures import dress, save
from report_format import error_text, table, time_text

FAMILIES = {
    "2_spheres_box": "union of 2 spheres × box",
    "bored_box_box": "box − cylinder × box",
    "bored_box_cylinder": "box − 2 cylinders × cylinder",
    "4_cylinders_4_cylinders": "unions of 4 cylinders",
    "ball_on_rim": "ball 0.01 deep on the rim of a plate's hole",
}
FITS = {"inscribed": "inscribed", "same_volume": "same volume"}
TARGETS = ("1e-03", "1e-04", "1e-05")
TOLERANCES = [f"1e-{k:02d}" for k in range(3, 11)]
METHODS = {
    "mesh": "volcontact on the meshes",
    "manifold": "Manifold",
    "cgal": "CGAL corefinement",
}
# Okabe and Ito's colours, as in report_figures.
STYLES = {
    "volcontact": ("#0072B2", "o"),
    "mesh": ("#56B4E9", "D"),
    "manifold": ("#E69F00", "^"),
    "cgal": ("#D55E00", "s"),
}
DASHES = {"inscribed": "-", "same_volume": "--"}


def subject(family):
    return f"peer/{family}"


def short(label):
    return label.replace("e-0", "e-")


def peer_runs(results, family, fit, target):
    return {method: results.first(subject(family), fit=fit, target=target, method=method)
            for method in METHODS}


def time_cell(run):
    if run is None:
        return "–"
    return "–" if run.skipped is not None else time_text(run["median_us"])


def over(run, ours):
    if run is None or run.skipped is not None:
        return "–"
    ratio = run["median_us"] / ours["median_us"]
    return f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"


def times_table(results):
    rows = []
    for family, title in FAMILIES.items():
        for fit, fit_title in FITS.items():
            for target in TARGETS:
                ours = results.first(subject(family), method="volcontact", tol=target)
                runs = peer_runs(results, family, fit, target)
                cgal = runs["cgal"]
                if cgal is None or ours is None or ours.skipped is not None:
                    continue
                if cgal.skipped is not None:
                    rows.append((title, short(target), fit_title, cgal.skipped, "",
                                 time_cell(ours), "", "", "", "", ""))
                    continue
                rows.append((title, short(target), fit_title, f"{int(cgal['triangles']):,}",
                             error_text(cgal["worst_error"]), time_cell(ours),
                             *(time_cell(runs[method]) for method in METHODS),
                             over(runs["manifold"], ours), over(cgal, ours)))
    return table(("pair", "at most", "tessellation", "triangles", "error", "volcontact", "on the meshes",
                  "Manifold", "CGAL", "Manifold / volcontact", "CGAL / volcontact"), rows)


def own_table(results):
    """The library by itself, and what the tessellations tend to."""
    rows = []
    for family, title in FAMILIES.items():
        runs = [results.first(subject(family), method="volcontact", tol=tolerance)
                for tolerance in TOLERANCES]
        limit = results.first(subject(family), method="extrapolation")
        cells = ["–" if run is None else run.skipped if run.skipped is not None else
                 f"{time_text(run['median_us'])}, {error_text(run['worst_error'])}"
                 for run in runs]
        agreement = "–" if limit is None or limit.skipped is not None else \
            error_text(limit["worst_error"])
        rows.append([title] + cells + [agreement])
    return table(["pair"] + [short(tolerance) for tolerance in TOLERANCES] + ["limit of the meshes"],
                 rows)


def preparation_table(results):
    rows = []
    for family, title in FAMILIES.items():
        ours = results.first(subject(family), method="volcontact", tol="1e-06")
        for fit, fit_title in FITS.items():
            for target in TARGETS:
                runs = peer_runs(results, family, fit, target)
                cgal = runs["cgal"]
                if ours is None or cgal is None or cgal.skipped is not None:
                    continue
                prepared = ["–" if run is None or run.skipped is not None else
                            time_text(1e3 * run["prepare_ms"]) for run in runs.values()]
                rows.append((title, short(target), fit_title, int(cgal["segments"]),
                             time_text(1e3 * ours["prepare_ms"]),
                             time_text(1e3 * cgal["tessellate_ms"]), *prepared))
    return table(("pair", "at most", "tessellation", "segments", "volcontact", "tessellating",
                  "parts for us", "for Manifold", "for CGAL"), rows)


def scene_count(results):
    return next((run.labels["scenes"] for run in results.select(prefix="peer/", skipped=True)), "0")


TEXT = """{scenes} random scenes of each family, deep in each other, except for the ball. volcontact queries all metrics of the solids.
Manifold (`manifold-3d` {version} in node, one thread, points in single precision) and CGAL
(`corefine_and_compute_intersection`, inexact constructions) intersect tessellations of the same parts and compute
the volume of the result. "On the meshes" is volcontact with all metrics of CGAL's tessellations.

A tessellation has 5 f segments around a cylinder, and 20 f² triangles on a geodesic sphere. f is the smallest value
found for which the relative error of V is at most 1e-3, 1e-4 or 1e-5 in each scene. "Inscribed": the vertices lie
on the surface, as modellers make them. "Same volume": each primitive is scaled about its centre or axis to its true
volume, so that errors of opposite sign cancel in V. If CGAL would need more than 15 s for a scene with its parts (2
s in a quick run), the table says so, with the number of triangles.

Times are processor times, the median over the scenes of the median of repeats. Errors are the largest of the
scenes. volcontact gets the tolerance that the meshes must reach. A ratio is a peer's time divided by volcontact's.
The times do not include tessellation, or making the parts from the meshes of their primitives.

{times}
![Error against time of volcontact, Manifold and CGAL](figures/parts_error_against_time.svg)

Work before any query, done once: the prepared pair, the tessellation of all primitives, and the parts made of them,
with our search trees.

{preparation}
volcontact alone, for each tolerance: the time, and the largest relative difference of V from its own answer at
1e-12 with A and B exchanged. That answer is the true value for all errors here. The last column compares it with an
independent value, the limit of the meshes: the finest inscribed tessellation and one half as fine, by Richardson's
extrapolation. The difference is mostly the error of the extrapolation, because cuts between curved faces add to a
pure f⁻².

{own}"""


def peers_section(results, version):
    return TEXT.format(scenes=scene_count(results), version=version, times=times_table(results),
                       preparation=preparation_table(results), own=own_table(results))


def draw_family(axes, results, family):
    runs = [run for tolerance in TOLERANCES
            for run in results.select(subject(family), method="volcontact", tol=tolerance)]
    axes.plot([run["median_us"] for run in runs],
              [max(run["worst_error"], 1e-16) for run in runs], color=STYLES["volcontact"][0],
              marker=STYLES["volcontact"][1], linewidth=1.2, markersize=5.5)
    for method in METHODS:
        for fit, dash in DASHES.items():
            runs = [run for target in TARGETS
                    for run in results.select(subject(family), method=method, fit=fit, target=target)]
            axes.plot([run["median_us"] for run in runs], [run["worst_error"] for run in runs],
                      color=STYLES[method][0], marker=STYLES[method][1], linestyle=dash,
                      linewidth=1.2, markersize=5.5, markerfacecolor=None if dash == "-" else "white")


def peers_figure(results, path):
    figure, panels = plt.subplots(2, 3, figsize=(11, 7.2), sharex=True, sharey=True)
    panels = panels.flat
    for axes, (family, title) in zip(panels, FAMILIES.items()):
        dress(axes, title)
        draw_family(axes, results, family)
        axes.set_xlabel("time of a query [µs]")
        axes.tick_params(labelbottom=True)
    for axes in (panels[0], panels[3]):
        axes.set_ylabel("relative error of V (floor 1e-16)")
    names = {"volcontact": "volcontact, tolerances 1e-3 … 1e-10", **METHODS}
    handles = [Line2D([], [], color=color, marker=marker, label=names[method])
               for method, (color, marker) in STYLES.items()]
    handles += [Line2D([], [], color="0.3", linestyle=DASHES["inscribed"], marker="s",
                       label="vertices on the surface"),
                Line2D([], [], color="0.3", linestyle=DASHES["same_volume"], marker="s",
                       markerfacecolor="white", label="scaled to the volume")]
    panels[5].axis("off")
    panels[5].legend(handles=handles, loc="center", frameon=False, fontsize=10)
    figure.suptitle("The same parts by volcontact as solids, and by others as tessellations: "
                    "left and down is better", fontsize=11)
    figure.tight_layout()
    save(figure, path)
