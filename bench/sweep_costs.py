#!/usr/bin/env python3
"""What rows of a sweep cost, and what two processes gain: tables in Markdown.

    sweep_costs.py TOOL [--seconds S] [--only NAME] [--ranks]

Each kind of run is swept over as many rows as take the processor about S seconds (default 5) on one thread. What a row costs
is what that takes beyond a sweep of ten rows, merging included: elapsed, and of the processors, which other work on the
machine changes less. --ranks compares mpirun -n 1 and -n 2, by turns.
"""

import argparse
import json
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
X = {"uniform": [-1e-4, 1e-4], "unit": "m"}
QUERY = {"pose_a": {"t": ["x", "y", "z"]}}


def over(**variables):
    return {"rows": 1000, "seed": 1, "variables": variables}


def solid(name):
    return {"file": str(ROOT / "data" / name)}


def sweeps():
    """The documents by name. Poses about a contact 10 µm deep, or as deep as the part's own study has it."""
    ball = {"sphere": {"radius": 0.05}}
    near = over(x=X, y=X, z={"uniform": [0.04998, 0.05], "unit": "m"})
    inside = over(x=X, y=X, z={"uniform": [-1e-4, 1e-4], "unit": "m"})
    peg = json.loads((ROOT / "data/sweeps/peg_insertion.json").read_text(encoding="utf-8"))
    joint = json.loads((ROOT / "data/sweeps/ball_joint.json").read_text(encoding="utf-8"))
    few = {"keep": ["volume", "area_vector.x", "area_vector.y", "area_vector.z"]}
    return {
        "ball on plane, volume and area vector": {"run": {"query": {"a": ball, "b": {"half_space": {}}, **QUERY}}, "over": near, **few},
        "the same, moments only, no rows": {"run": {"query": {"a": ball, "b": {"half_space": {}}, **QUERY}}, "over": near,
                                            "rows": False, "reduce": {"V": {"moments": "volume"}}},
        "ball joint, radii differ": {**joint, "reduce": {}},
        "tapered peg on a hole, force": peg,
        "peg and hole as meshes": {"run": {"query": {"a": solid("meshes/peg.stl"), "b": solid("meshes/plate.obj"), **QUERY,
                                                     "options": {"tolerance": 1e-6}}}, "over": inside, **few},
        "tilted peg in a hole, CSG": {"run": {"query": {"a": solid("solids/peg.json"), "b": solid("solids/hole.json"), **QUERY}},
                                      "over": inside, **few},
        "a bouncing ball simulated": {"run": {"simulate": {"scenario": str(ROOT / "data/scenarios/impact.json"),
                                                           "set": {"contacts.0.normal.restitution": "e"}}},
                                      "over": over(e={"uniform": [0.3, 0.9]})},
    }


class Bench:
    def __init__(self, tool, seconds, folder):
        self.tool, self.seconds, self.folder = os.path.abspath(tool), seconds, folder

    def run(self, document, rows, before=()):
        """Elapsed time, processor time of it and its children [s], and the bytes of the rows that it wrote."""
        document = {"volcontact": 1, **document, "over": {**document["over"], "rows": rows}}
        file, out = self.folder / "sweep.json", self.folder / "out"
        file.write_text(json.dumps(document), encoding="utf-8")
        shutil.rmtree(out, ignore_errors=True)
        start, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [*before, self.tool, "sweep", file, "--out", out]
        run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if not (out / "reductions.json").exists():  # some rows may not have converged
            raise SystemExit(f"{' '.join(map(str, command))}: exit status {run.returncode}\n{run.stderr}")
        elapsed, now = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        rows_file = out / "rows.h5"
        return elapsed, cpu, rows_file.stat().st_size if rows_file.exists() else 0

    def rows_for(self, document):
        """How many rows take the processor about the time that is asked for, and what ten take: (elapsed, processor)."""
        few, rows = self.run(document, 10), 10
        while True:
            rows *= 4
            cpu = self.run(document, rows)[1] - few[1]
            if cpu > 0.3 or rows >= 10**7:
                return max(rows, int(rows * self.seconds / cpu)), few


def length(seconds):
    for unit, size, most in (("s", 1, 120), ("min", 60, 120), ("h", 3600, 72), ("days", 86400, 1e9)):
        if seconds < most * size:
            return f"{seconds / size:.2g} {unit}"


def machine():
    names = [line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start"


def costs(bench, documents):
    print("| run | rows measured | µs a row, elapsed | of the processor | bytes a row | 10⁶ rows on one core | 10⁹ on 256 |")
    print("|---|---|---|---|---|---|---|")
    for name, document in documents.items():
        rows, few = bench.rows_for(document)
        elapsed, cpu, size = bench.run(document, rows)
        each, used = (elapsed - few[0]) / (rows - 10), (cpu - few[1]) / (rows - 10)
        print(f"| {name} | {rows:,} | {1e6 * each:.3g} | {1e6 * used:.3g} | {(size - few[2]) / (rows - 10):.0f} | "
              f"{length(1e6 * used)} | {length(1e9 * used / 256)} |", flush=True)


def ranks(bench, document):
    mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]
    rows, _ = bench.rows_for(document)
    document = {**document, "chunk": max(1, rows // 100)}
    print(f"{rows} rows in chunks of {document['chunk']}\n")
    print("| repeat | -n 1 [s] | -n 2 [s] | ratio | processors, -n 1 [s] | -n 2 [s] |")
    print("|---|---|---|---|---|---|")
    for repeat in range(1, 6):
        one = bench.run(document, rows, [*mpirun, "1"])
        two = bench.run(document, rows, [*mpirun, "2"])
        print(f"| {repeat} | {one[0]:.2f} | {two[0]:.2f} | {one[0] / two[0]:.2f} | {one[1]:.2f} | {two[1]:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--only", default="", help="kinds of runs with this text in their name")
    parser.add_argument("--ranks", action="store_true")
    arguments = parser.parse_args()
    documents = {name: d for name, d in sweeps().items() if arguments.only in name}
    print(machine() + "\n")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.tool, arguments.seconds, pathlib.Path(folder))
        if arguments.ranks:
            ranks(bench, documents["tapered peg on a hole, force"])
        else:
            costs(bench, documents)


if __name__ == "__main__":
    main()
