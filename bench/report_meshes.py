"""The tables on meshes of docs/benchmarks.md; see report.py."""

from report_format import error_text, ratio_text, table, time_text

SIZES = ("1000", "10000", "100000", "1000000")
# What was asked of volcontact, in microseconds, by centre distance and number of triangles.
ASKED_SPHERES = {
    "1.9": dict(zip(SIZES, (50.0, 500.0, 3e3, 15e3))),
    "0.5": dict(zip(SIZES, (500.0, 3e3, 15e3, 60e3))),
}
ASKED_HALF_SPACE = 10.0
DEEP, THIN = "0.05", "1e-5"
ASKED_BUILD = 1e6


def cell(run):
    if run is None:
        return "–"
    if run.skipped is not None:
        return run.skipped
    error = f", {error_text(run['rel_error'])}" if "rel_error" in run.counters else ""
    return time_text(run.microseconds) + error


def measured(run, asked):
    """Columns of what volcontact was asked for and of what it did."""
    if run is None or run.skipped is not None:
        return (time_text(asked), cell(run), "")
    return (time_text(asked), cell(run), ratio_text(run.microseconds, asked))


def spheres_table(results):
    rows = []
    for distance, asked in ASKED_SPHERES.items():
        for n in SIZES:
            mesh, inexact, exact = (results.first("mesh/spheres", n=n, distance=distance,
                                                  method=method)
                                    for method in ("mesh", "epick", "epeck"))
            bound = error_text(mesh["bound"]) if mesh is not None and not mesh.skipped else ""
            rows.append((f"{int(n):,}", f"{distance} R", *measured(mesh, asked[n]), bound,
                         cell(inexact), cell(exact)))
    return table(("triangles each", "distance", "asked", "volcontact", "ratio", "bracket",
                  "CGAL, EPICK", "CGAL, EPECK"), rows)


def other_table(results):
    half_space = results.first("mesh/half_space", n="5000")
    build = results.first("mesh/build", n="1000000", threads="1")
    rows = [("sphere of 5,000 triangles, half-space", *measured(half_space, ASKED_HALF_SPACE))]
    foundation = results.first("simbody/elastic_foundation", n="5000")
    if foundation is not None and foundation.skipped is None:
        rows.append(("the same, Simbody's elastic foundation", "", cell(foundation), ""))
    if build is not None and build.skipped is None:
        rows.append((f"building the tree of 1,000,000 triangles, {build['bytes_per_triangle']:.0f} "
                     "bytes each", time_text(ASKED_BUILD), time_text(build.microseconds),
                     ratio_text(build.microseconds, ASKED_BUILD)))
    return table(("work", "asked", "volcontact", "ratio"), rows)


def half_space_table(results):
    """Shipped meshes, a part of their size deep in a half-space."""
    rows = []
    for run in results.select("mesh/half_space", depth=DEEP):
        file = run.labels["file"]
        thin = results.first("mesh/half_space", file=file, depth=THIN)
        rows.append((f"{file} ({run['faces']:,.0f})", *measured(run, ASKED_HALF_SPACE),
                     f"{run['faces_cut']:.0f}",
                     f"{1e3 * run.microseconds / run['faces_cut']:.0f} ns", cell(thin)))
    return table(("mesh (triangles), half-space", "asked", "5 % deep", "ratio", "faces cut",
                  "per face", "1e-5 deep"), rows)


def meshes_section(results):
    return "\n".join((spheres_table(results), other_table(results), half_space_table(results)))
