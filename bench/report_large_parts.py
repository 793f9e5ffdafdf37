"""The table on large parts of docs/benchmarks.md; see report.py."""

from report_format import table, time_text

TITLES = {
    "elsewhere/holes": "ball on a rim of a plate with n holes",
    "overlap/spheres": "union of n spheres, half-space",
}


def large_parts_section(results):
    rows = []
    for subject, title in TITLES.items():
        for run in results.select(subject):
            prepared = time_text(1e3 * run["prepare_ms"])
            query = time_text(run.microseconds) + ("" if run["converged"] else ", not converged")
            rows.append((title, f"{int(run.labels['n']):,}", prepared, query))
    return table(("pair", "n", "preparing it", "a query"), rows)
