#!/usr/bin/env python3
"""Measures the pairs of data/quickstart.json beside their known volumes, by the program of tools/quickstart.

    quickstart_table.py PROGRAM             # a table to read
    quickstart_table.py PROGRAM --rows      # its rows as JSON
    quickstart_table.py PROGRAM --page      # into docs/results.md

Exits 1 unless every answer is within the tolerance of its known volume.
"""

import argparse
import datetime
import json
import pathlib
import platform
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
REPEAT = 20
IDENTITY = [0, 0, 0, 1, 0, 0, 0]
# The tool answers to the tolerance for the doubles it is given, and the known volumes hold for the
# same doubles. What else may differ is one rounding of the pose: 2^-53 of the size (0.05 m) over
# the depth (1e-5 m), and twice that in the volume: 1.1e-12 in the least favourable pair.
SLACK = 1e-11
HEADINGS = ("pair", "method", "volume [m³]", "known [m³]", "rel. diff.", "time")


def duration(seconds):
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale or unit == "µs":
            return f"{seconds / scale:.3g} {unit}"


def lines_of(table):
    """The pairs as the program reads them."""
    for pair in table["pairs"]:
        numbers = [*pair.get("pose_a", IDENTITY), *pair.get("pose_b", IDENTITY), table["tolerance"], REPEAT]
        files = [f'"{DATA / pair[body]}"' for body in ("a", "b")]
        yield " ".join([*files, *map(repr, numbers)]) + "\n"


def answers_of(program, table):
    """Volume, whether it converged, method and seconds of each pair."""
    run = subprocess.run([program], input="".join(lines_of(table)), capture_output=True, text=True, timeout=300, check=False)
    if run.returncode != 0:
        sys.exit(run.stderr.strip() or f"{program}: exit status {run.returncode}")
    for line in run.stdout.splitlines():
        volume, converged, method, seconds = line.split()
        yield float(volume), converged == "1", method, float(seconds)


def row(answer, pair, tolerance):
    """The cells of one pair, and whether its answer is right."""
    volume, converged, method, seconds = answer
    known = pair["volume"]
    difference = abs(volume - known) / known
    right = difference <= tolerance + SLACK and converged
    return (
        pair["name"],
        method + ("" if converged else " (not converged)"),
        f"{volume:.15e}",
        f"{known:.15e}",
        f"{difference:.1e}" + ("" if right else " !"),
        duration(seconds),
    ), right


def show(rows):
    rows = [HEADINGS] + rows
    widths = [max(len(cells[i]) for cells in rows) for i in range(len(HEADINGS))]
    rows.insert(1, tuple("-" * width for width in widths))
    for cells in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip())


def where_measured():
    """Date, processor and compiler."""
    try:
        processor = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())[1]
    except (OSError, TypeError):
        processor = platform.machine()
    compiler = subprocess.run(["c++", "-dumpfullversion"], capture_output=True, text=True, check=False).stdout.strip()
    return f"{datetime.date.today()}, one core of {processor}, gcc {compiler}"


def write_page(rows):
    text = ["", where_measured() + ".", "", "| " + " | ".join(HEADINGS) + " |", "|---" * len(HEADINGS) + "|"]
    text += ["| " + " | ".join(cells) + " |" for cells in rows]
    page = ROOT / "docs" / "results.md"
    marks = r"(?s)(?<=<!-- quickstart table -->\n).*?(?=<!-- end of quickstart table -->)"
    table = "\n".join(text[1:]) + "\n"
    page.write_text(re.sub(marks, lambda _: table, page.read_text(encoding="utf-8")), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--rows", action="store_true")
    how.add_argument("--page", action="store_true")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8")
    table = json.loads((DATA / "quickstart.json").read_text(encoding="utf-8"))
    answers = answers_of(arguments.program, table)
    results = [row(answer, pair, table["tolerance"]) for answer, pair in zip(answers, table["pairs"])]
    rows = [cells for cells, _ in results]
    wrong = sum(not right for _, right in results)
    if arguments.rows:
        print(json.dumps(rows))
    elif arguments.page and not wrong:
        write_page(rows)
    else:
        show(rows)
        print(f"\nasked tolerance {table['tolerance']:.0e}; time: median of {REPEAT} queries; "
              + (f"{wrong} of {len(results)} pairs FAILED" if wrong else "all pairs agree"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
