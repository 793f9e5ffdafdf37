#!/usr/bin/env python3
"""What the options of a query cost: the table of docs/choosing.md, in Markdown.

    python_of_the_package option_costs.py

Processor time of a batch on one thread, least of some repeats. Run it from the folder of the project.
"""

import time

import numpy as np

import volcontact as vc

REPEATS = 5
OFF = {
    "all": {},
    "no area": {"contact_area": False},
    "no distance": {"bound_distance": False},
    "no bracket": {"bound_volume": False},
    "none of the three": {"contact_area": False, "bound_distance": False, "bound_volume": False},
}


def poses(x, z, tilt):
    """Poses at x and z, turned by the tilt about y."""
    x, z, tilt = (a.ravel() for a in np.broadcast_arrays(x, z, tilt))
    zero = np.zeros(x.size)
    return np.stack([x, zero, z, np.cos(tilt / 2), zero, np.sin(tilt / 2), zero], axis=-1)


def grid(x, tilt):
    """All pairs of some values up to ±x [m] and ±tilt [rad], 41 by 21."""
    return np.linspace(-x, x, 41)[:, None], np.linspace(-tilt, tilt, 21)[None, :]


def cases():
    nose, hole = vc.cone(0.0090, 0.002, 0.0099), vc.half_space() - vc.cylinder(0.010)
    x, tilt = grid(1.5e-3, np.radians(2))
    yield "chamfer on a rim", nose, hole, poses(x, -0.0015, tilt)
    yield ("shaft pressed into a hub", vc.read("data/solids/chamfered_shaft.json"), vc.read("data/solids/hub.json"),
           poses(0.0, 0.015 - np.linspace(0, 0.03, 31), 0.0))
    x, tilt = grid(5e-5, 2e-3)
    yield ("key in its slot", vc.box([0.006, 0.03, 0.006]), vc.box([0.03, 0.06, 0.02]) - vc.box([0.00604, 0.032, 0.03]),
           poses(x, 0.01, tilt))
    x, tilt = grid(0.04, 0.5)
    yield "ball on a box", vc.sphere(0.05), vc.box([0.1, 0.1, 0.1]), poses(x, 0.0999, tilt)


def least_time(pair, X, options):
    """The least processor time of a query [µs]."""
    least = np.inf
    for _ in range(REPEATS):
        start = time.process_time()
        pair.query(X, **options)
        least = min(least, time.process_time() - start)
    return 1e6 * least / len(X)


print("| pair | free | " + " | ".join(OFF) + " |\n|" + "---|" * (len(OFF) + 2))
for name, a, b, X in cases():
    pair = vc.PreparedPair(a, b)
    free = np.mean(~pair.query(X).overlap)
    times = [least_time(pair, X, options) for options in OFF.values()]
    print(f"| {name} | {free:.0%} | " + " | ".join(f"{float(f'{t:.3g}'):g}" for t in times) + " |", flush=True)
