#!/usr/bin/env python3
"""Compares the answers of the tool built for arm64, run by QEMU, with those of the release build, bit for bit.

    same_bits.py TOOL ARM64_TOOL

Each number of JSON reads back as the double that it was, so equal numbers are equal bits. Functions of the C library
(sin, atan2, cbrt, …) may round in other ways in another version of it: a number that differs is listed, and must agree
to 1e-12 of the largest component beside it.
"""

import json
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent.parent / "data"
NEAR = 1e-12
IDENTITY = [0, 0, 0, 1, 0, 0, 0]


def commands():
    """Queries of each kind of solid and method, and mass properties."""
    for pair in json.loads((DATA / "quickstart.json").read_text(encoding="utf-8"))["pairs"]:
        pose = ",".join(map(repr, pair.get("pose_a", IDENTITY)))
        query = [DATA / pair["a"], DATA / pair["b"], "--pose-a", pose]
        yield pair["name"], ["query", *query, "--hessian"]
        yield pair["name"] + ", force", ["force", *query, "--params", DATA / "contact.json"]
    for file in ("solids/bracket.json", "solids/tippe_top.json", "meshes/gear.obj"):
        yield file, ["mass", DATA / file]


def answer(tool, arguments):
    run = subprocess.run([*tool, *map(str, arguments), "--json"], capture_output=True, text=True, timeout=600,
                         check=False)
    if run.returncode not in (0, 1):
        sys.exit(f"{arguments}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def differences(ours, theirs, path=""):
    """(field, difference, largest component) of the numbers that differ; None where more than numbers differs."""
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys():
        for key in ours:
            if key != "seconds":
                yield from differences(ours[key], theirs[key], f"{path}.{key}" if path else key)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for a, b in zip(ours, theirs):
            for field, difference, scale in differences(a, b, path):
                yield field, difference, max([scale, *(abs(x) for x in ours if isinstance(x, float))])
    elif isinstance(ours, float) and isinstance(theirs, float):
        if ours != theirs:
            yield path, abs(ours - theirs), max(abs(ours), abs(theirs))
    elif ours != theirs:
        yield path, float("inf"), 1.0


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wrong = same = 0
    for name, arguments in commands():
        found = list(differences(answer([sys.argv[1]], arguments), answer(["qemu-aarch64", sys.argv[2]], arguments)))
        same += not found
        for field, difference, scale in found:
            far = difference > NEAR * scale
            wrong += far
            print(f"{name}: {field} differs by {difference / scale:.1e} of {scale:.3g}{': FAILED' if far else ''}")
    print(f"{same} of {len(list(commands()))} answers have the same bits")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
