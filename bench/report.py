#!/usr/bin/env python3
"""Runs the benchmarks and writes docs/benchmarks.md and its figures.

    python3 bench/report.py --build build/release      # runs the executables found there
    python3 bench/report.py --json a.json b.json ...  # or reads what they wrote earlier

Needs matplotlib (Debian: python3-matplotlib).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

try:
    import matplotlib  # noqa: F401
except ImportError:
    # Where another interpreter comes first in PATH, the distribution's may be the one that has it.
    SYSTEM_PYTHON = "/usr/bin/python3"
    if os.environ.get("VOLCONTACT_REPORT") or not os.path.exists(SYSTEM_PYTHON):
        sys.exit("report.py needs matplotlib (Debian: python3-matplotlib)")
    os.environ["VOLCONTACT_REPORT"] = "retried"
    os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON] + sys.argv)

import report_figures  # noqa: E402
import report_tables  # noqa: E402
from report_results import Results  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXECUTABLES = ("analytic_bench", "primitive_pairs_bench", "scaling_bench",
               "large_parts_bench", "meshes_bench", "forces_bench")
OPTIONAL = ("simbody_bench",)  # only where the peer is installed
SECONDS_PER_EXECUTABLE = 120


def run_benchmarks(build):
    documents = []
    for name in EXECUTABLES + OPTIONAL:
        executable = build / "bench" / name
        if name in OPTIONAL and not executable.exists():
            continue
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
    report_figures.error_figure(results, arguments.docs / "figures" / "error_against_time.svg")
    report_figures.depth_figure(results, arguments.docs / "figures" / "time_against_depth.svg")
    (arguments.docs / "benchmarks.md").write_text(report_tables.page(results), encoding="utf-8")
    skipped = sum(run.skipped is not None for run in results.runs)
    print(f"{len(results.runs)} benchmarks, {skipped} of them skipped; "
          f"wrote {arguments.docs / 'benchmarks.md'}")


if __name__ == "__main__":
    main()
