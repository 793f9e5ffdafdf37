#!/usr/bin/env python3
"""Tries an installed wheel: it loads no library from elsewhere but the system's own, and every part of it works.

    installed_wheel.py ENVIRONMENT
"""

import pathlib
import re
import sys
import tempfile

import numpy as np
import volcontact as vc

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What volcontact needs; what Python and numpy bring along is theirs. (oneTBB looks for its allocator by itself, and does
# without.)
OURS = re.compile(r"TK[A-Z]|SimTK|hdf5|/libtbb\W|gmp|/libfmt")


def loaded():
    text = pathlib.Path("/proc/self/maps").read_text(encoding="utf-8")
    return {match[0] for match in re.finditer(r"/\S+\.so\S*", text)}


def main():
    environment = sys.argv[1]
    assert vc.__file__.startswith(environment), vc.__file__

    pair = vc.PreparedPair(vc.sphere(0.05), vc.half_space())
    X = np.array([0.0, 0.0, 0.049, 1.0, 0.0, 0.0, 0.0])
    assert abs(pair.query(X).volume / (np.pi * 1e-6 * (0.05 - 0.001 / 3)) - 1) < 1e-9
    assert vc.read_bodies(ROOT / "tests/step/data/pins.step")[0].exact
    assert vc.sweep.Plan(ROOT / "data/sweeps/two_spheres.json", {"over.rows": 10}).run_chunk(0).status.size == 10
    run = vc.simulate({"bodies": [{"name": "ball", "mass": 1.0, "inertia": [1, 1, 1], "pose": {"t": [0, 0, 1]}}], "end_time": 0.1})
    assert abs(run["ball.z"][-1] - (1 - 0.5 * 9.81 * 0.01)) < 1e-6
    with tempfile.TemporaryDirectory() as folder:
        vc.write(pathlib.Path(folder) / "ball.json", vc.sphere(0.05))

    ours = [path for path in loaded() if OURS.search(path)]
    foreign = [path for path in ours if not path.startswith(environment)]
    assert len(ours) > 10 and not foreign, foreign
    print(f"volcontact {vc.__version__}: {len(ours)} libraries of the wheel are loaded, none from elsewhere")


if __name__ == "__main__":
    main()
