"""The table on large parts of docs/benchmarks_parts.md; see report.py."""

import math

from report_format import table, time_text

TITLES = {
    "overlap/cylinders": "in the overlap: two unions of n cylinders each",
    "overlap/spheres": "in the overlap: union of n spheres, half-space",
    "elsewhere/holes": "elsewhere: ball on a rim of a plate with n holes",
}


def growth_text(before, after):
    """The exponent p by which the time grows, as n^p, between two runs."""
    n = [int(run.labels["n"]) for run in (before, after)]
    p = math.log(after["median_us"] / before["median_us"]) / math.log(n[1] / n[0])
    return f"n^{p:.2f}"


def large_parts_section(results):
    rows = []
    for subject, title in TITLES.items():
        runs = results.select(subject)
        for before, run in zip([None] + runs, runs):
            query = time_text(run["median_us"]) + ("" if run["converged"] else ", not converged")
            rows.append((title, f"{int(run.labels['n']):,}", time_text(1e3 * run["prepare_ms"]), query,
                         growth_text(before, run) if before else "",
                         growth_text(runs[0], run) if before else ""))
    return table(("pair", "n", "preparing it", "a query", "growth from the row above", "from the first"),
                 rows)
