#!/usr/bin/env python3
"""Runs the benchmarks and writes docs/benchmarks.md, docs/benchmarks_parts.md and their figures.

    python3 bench/report.py                        # builds and runs what it needs in build/release
    python3 bench/report.py --page parts           # docs/benchmarks_parts.md alone: some 15 minutes
    python3 bench/report.py --page parts --quick   # of fewer scenes, less fine: 3 minutes
    python3 bench/report.py --reuse                # writes again what the last run measured

Needs a build directory that is configured (cmake --preset release); installs what is missing, matplotlib
and Manifold among it, by tools/setup.sh bench.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
if "--reuse" not in sys.argv and not os.environ.get("VOLCONTACT_REPORT"):
    subprocess.run(["sh", ROOT / "tools" / "setup.sh", "bench"], check=False)

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
import report_parts  # noqa: E402
import report_peers  # noqa: E402
import report_tables  # noqa: E402
from report_results import Results  # noqa: E402

PRIMITIVES = ("analytic_bench", "primitive_pairs_bench", "scaling_bench", "meshes_bench", "forces_bench")
PARTS = ("large_parts_bench", "peers_bench")
SURVEY = "parts_survey"
OPTIONAL = ("simbody_bench",)  # only where the peer is installed
SECONDS_PER_EXECUTABLE = {"peers_bench": 3600, SURVEY: 600}
USUAL_SECONDS = 120
# The scenes of a family are in the names of peers_bench.
QUICK_ARGUMENTS = {"peers_bench": ["--benchmark_filter=scenes:2"], SURVEY: ["20"]}
FULL_ARGUMENTS = {"peers_bench": ["--benchmark_filter=scenes:5"], SURVEY: ["200"]}
MANIFOLD = ROOT / "build" / "npm" / "node_modules" / "manifold-3d" / "package.json"


class Runner:
    """Runs executables of a build directory, and keeps what they write there."""

    def __init__(self, build, quick, reuse):
        self.build, self.reuse = build, reuse
        self.arguments = QUICK_ARGUMENTS if quick else FULL_ARGUMENTS

    def prepare(self, names):
        if self.reuse:
            return
        print("building ...", flush=True)
        command = ["cmake", "--build", str(self.build), "--target", *names]
        if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode:
            sys.exit(f"the benchmarks cannot be built; configured? cmake -B {self.build}")

    def has(self, name):
        """Whether it was configured: whether its peer is installed."""
        return (self.build / "bench" / "CMakeFiles" / f"{name}.dir").exists()

    def output(self, name, suffix, arguments=()):
        kept = self.build / "bench" / f"{name}.{suffix}"
        if self.reuse:
            if not kept.exists():
                sys.exit(f"{kept} is missing: run without --reuse")
            return kept.read_text(encoding="utf-8")
        print(f"running {name} ...", flush=True)
        seconds = SECONDS_PER_EXECUTABLE.get(name, USUAL_SECONDS)
        try:
            written = subprocess.run(
                [self.build / "bench" / name, *arguments, *self.arguments.get(name, [])], check=True,
                timeout=seconds, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        except subprocess.TimeoutExpired:
            sys.exit(f"{name} has not ended after {seconds} s")
        except subprocess.CalledProcessError as error:
            sys.exit(f"{name} failed: {error}")
        kept.write_bytes(written)
        return written.decode("utf-8")

    def results(self, names):
        return Results([json.loads(self.output(name, "json", ["--benchmark_format=json"]))
                        for name in names])


def say(results, page):
    skipped = sum(run.skipped is not None for run in results.runs)
    print(f"{len(results.runs)} benchmarks, {skipped} of them skipped; wrote {page}")


def write_primitives(runner, docs):
    names = PRIMITIVES + tuple(name for name in OPTIONAL if runner.has(name))
    runner.prepare(names)
    results = runner.results(names)
    report_figures.error_figure(results, docs / "figures" / "error_against_time.svg")
    report_figures.depth_figure(results, docs / "figures" / "time_against_depth.svg")
    (docs / "benchmarks.md").write_text(report_tables.page(results), encoding="utf-8")
    say(results, docs / "benchmarks.md")


def write_parts(runner, docs, quick):
    runner.prepare((SURVEY, *PARTS))
    survey = runner.output(SURVEY, "md")
    results = runner.results(PARTS)
    version = json.loads(MANIFOLD.read_text())["version"] if MANIFOLD.exists() else "not installed"
    report_peers.peers_figure(results, docs / "figures" / "parts_error_against_time.svg")
    (docs / "benchmarks_parts.md").write_text(
        report_parts.page(results, survey, version, quick), encoding="utf-8")
    say(results, docs / "benchmarks_parts.md")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release",
                        help="configured build directory whose benchmarks are run")
    parser.add_argument("--page", choices=("primitives", "parts", "all"), default="all",
                        help="benchmarks.md, benchmarks_parts.md, or both")
    parser.add_argument("--quick", action="store_true", help="fewer pairs of parts, and less fine")
    parser.add_argument("--reuse", action="store_true",
                        help="read what the last run wrote instead of running the benchmarks")
    parser.add_argument("--docs", type=pathlib.Path, default=ROOT / "docs",
                        help="where the pages and figures/ are written")
    arguments = parser.parse_args()
    runner = Runner(arguments.build.resolve(), arguments.quick, arguments.reuse)
    if arguments.page != "parts":
        write_primitives(runner, arguments.docs)
    if arguments.page != "primitives":
        write_parts(runner, arguments.docs, arguments.quick)


if __name__ == "__main__":
    main()
