"""The table on contact forces of docs/benchmarks.md; see report.py."""

from report_format import ratio_text, table, time_text

ASKED = 2.0  # microseconds beside the geometry query
TITLES = {
    "none": "no friction",
    "coulomb": "regularised Coulomb",
    "bristle": "seven-parameter bristles, spinning, dwell",
    "patch_coulomb": "Coulomb over the pressure of the patch",
}


def forces_section(results):
    rows = []
    for friction, title in TITLES.items():
        run = results.first("force/evaluate", friction=friction)
        if run is None:
            continue
        samples = int(run["samples"])
        title += f", {samples:,} samples" if samples else ""
        asked = "–" if samples else time_text(ASKED)
        ratio = "" if samples else ratio_text(run.microseconds, ASKED)
        rows.append((title, asked, time_text(run.microseconds), ratio))
    return table(("force, its state's rate and the powers", "asked", "volcontact", "ratio"), rows)
