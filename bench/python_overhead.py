#!/usr/bin/env python3
"""What a query costs from Python beside C++: a table in Markdown.

    python_overhead.py BASELINE

BASELINE is the program of bench/python_baseline.cc, built in the same folder as the package's module. Least times of
many repeats, one core but for the last column.
"""

import subprocess
import sys
import time

import numpy as np

import volcontact as vc

COUNT, REPEATS = 1000, 60
PAIRS = {
    "ball_on_plane": (vc.sphere(0.05), vc.half_space(), 0.0499),
    "box_on_plane": (vc.box([0.1, 0.1, 0.1]), vc.half_space(), 0.049),
    "ball_on_box": (vc.sphere(0.05), vc.box([0.1, 0.1, 0.1]), 0.0999),
}


def least_time(run):
    """The least time of some repeats, by query [s]."""
    least = np.inf
    for _ in range(REPEATS):
        start = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - start)
    return least / COUNT


def poses(height):
    """The poses that the baseline has."""
    i = np.arange(COUNT)
    zero = np.zeros(COUNT)
    return np.stack([1e-5 * i, zero, zero + height, np.cos(0.0005 * i), np.sin(0.0005 * i), zero, zero], axis=-1)


def measured(A, B, height):
    pair = vc.PreparedPair(A, B)
    X_WA, X_WB = poses(height), np.array([0.0, 0, 0, 1, 0, 0, 0])
    rows = list(X_WA)

    def singles():
        for row in rows:
            pair.query(row, X_WB)

    def loop():
        for row in rows:
            pass

    out = pair.query(X_WA, X_WB)
    return {
        "single": least_time(singles) - least_time(loop),
        "batch1": least_time(lambda: pair.query(X_WA, X_WB)),
        "out": least_time(lambda: pair.query(X_WA, X_WB, out=out)),
        "batch2": least_time(lambda: pair.query(X_WA, X_WB, threads=2)),
    }


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    baseline = {}
    text = subprocess.run([sys.argv[1]], check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in text.splitlines():
        name, kind, seconds = line.split()
        baseline.setdefault(name, {})[kind] = float(seconds)
    print("| pair | one query: C++ | Python | more | of a batch of 1000: C++ vector | C++ one by one | Python | with out= "
          "| 2 threads: C++ | Python |")
    print("|---|" + "---|" * 9)
    for name, (A, B, height) in PAIRS.items():
        ours, theirs = measured(A, B, height), baseline[name]
        cells = [theirs["single"], ours["single"], ours["single"] - theirs["single"], theirs["vector"],
                 theirs["batch1"], ours["batch1"], ours["out"], theirs["batch2"], ours["batch2"]]
        print(f"| {name.replace('_', ' ')} | " + " | ".join(f"{1e6 * cell:.2f} µs" for cell in cells) + " |")


if __name__ == "__main__":
    main()
