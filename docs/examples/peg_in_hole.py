"""A peg that is askew finds its way into a hole by descending on the overlap's volume.

    python3 peg_in_hole.py [FOLDER FOR THE PICTURE]

Newton's method on V with its exact gradient and Hessian, beside steps along the gradient.
"""

import pathlib
import sys
from typing import Any, Callable

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import volcontact as vc

Doubles = NDArray[np.float64]
RADIUS, CLEARANCE, DEPTH = 0.01, 1e-4, 0.015  # [m]
LENGTHS = np.array([1, 1, 1, 0.02, 0.02, 0.02])  # a rotation [rad] moves the peg's rim about so far [m]

peg = vc.cylinder(RADIUS - CLEARANCE, 0.06)
plate = vc.box([0.08, 0.08, 0.03]) - vc.cylinder(RADIUS)
pair = vc.PreparedPair(peg, plate)


def rotated(q: Doubles, w: Doubles) -> Doubles:
    """The quaternion q after the rotation vector w."""
    half = 0.5 * w
    r = np.concatenate([[np.cos(np.linalg.norm(half))], half * np.sinc(np.linalg.norm(half) / np.pi)])
    product = np.array([r[0] * q[0] - r[1:] @ q[1:], *(r[0] * q[1:] + q[0] * r[1:] + np.cross(r[1:], q[1:]))])
    return np.asarray(product / np.linalg.norm(product))


def moved(X: Doubles, motion: Doubles) -> Doubles:
    """The pose after a translation and a rotation about its own origin."""
    return np.concatenate([X[:3] + motion[:3], rotated(X[3:], motion[3:])])


def step_by_newton(m: vc.Metrics) -> Doubles:
    """A descent step by the Hessian's absolute value: where V curves down it still goes down."""
    gradient = m.gradient()[0] / LENGTHS
    hessian = m.hessian()[0, :, 0, :] / np.outer(LENGTHS, LENGTHS)
    free = [0, 1, 3, 4]  # sideways and tilting; the depth is held, and turning does nothing
    values, vectors = np.linalg.eigh(hessian[np.ix_(free, free)])
    curvature = np.maximum(np.abs(values), 1e-3 * np.max(np.abs(values)))
    step = np.zeros(6)
    # Near its end V falls as the cube of what is left to go, of which Newton's step is half.
    step[free] = -2 * vectors @ ((vectors.T @ gradient[free]) / curvature)
    return step


def step_by_gradient(m: vc.Metrics) -> Doubles:
    gradient = m.gradient()[0] / LENGTHS
    gradient[[2, 5]] = 0
    return np.asarray(-gradient * 3e-4 / np.max(np.abs(gradient)))


def descend(X: Doubles, step_of: Callable[[vc.Metrics], Doubles], most: int = 60) -> tuple[Doubles, Doubles]:
    """Poses and volumes on the way down, steps halved until V falls."""
    path, volumes = [X], [pair.query(X).volume]
    while len(path) < most and volumes[-1] > 0:
        m = pair.query(path[-1], tolerance=1e-9, hessian=True)
        step = step_of(m)
        step *= min(1.0, 2e-3 / float(np.linalg.norm(step)))
        while True:
            X = moved(path[-1], step / LENGTHS)
            volume = pair.query(X, tolerance=1e-9).volume
            if volume < volumes[-1] or np.linalg.norm(step) < 1e-12:
                break
            step /= 2
        path.append(X)
        volumes.append(volume)
    return np.array(path), np.array(volumes)


def main(folder: pathlib.Path) -> dict[str, tuple[Doubles, Doubles]]:
    tilt = np.radians(6.0)
    start = np.concatenate([[2e-3, 1e-3, DEPTH], rotated(np.array([1.0, 0, 0, 0]), np.array([0.3 * tilt, tilt, 0]))])
    paths = {"Newton": descend(start, step_by_newton), "along the gradient": descend(start, step_by_gradient)}
    for name, (path, volumes) in paths.items():
        print(f"{name}: {len(path) - 1} steps, volume {volumes[0] * 1e9:.4g} to {volumes[-1] * 1e9:.3g} mm^3")

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    draw_section(left, paths["Newton"][0])
    for name, (_, volumes) in paths.items():
        right.semilogy(np.maximum(volumes, 1e-18) * 1e9, "o-", ms=3, label=name)
    right.set(xlabel="step", ylabel="overlap [mm³]; 10⁻⁹ stands for none")
    right.legend(frameon=False)
    plt.savefig(folder / "peg_in_hole.png", dpi=120)
    plt.close(figure)
    return paths


def draw_section(ax: Any, path: Doubles) -> None:
    """The plane y = 0 through hole and peg, at the start, on the way, and at the end."""
    for side in (-1, 1):
        ax.fill(np.array([10, 40, 40, 10]) * side, [-15, -15, 15, 15], color="0.85")
    outline = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * [(RADIUS - CLEARANCE), 0.03]
    shown = [0, 1, 2, len(path) - 1]
    for place, colour in zip(shown, plt.get_cmap("viridis")(np.linspace(0.85, 0.15, len(shown)))):
        w, x, y, z = path[place, 3:]
        axis_x, axis_z = [1 - 2 * (y * y + z * z), 2 * (x * z - w * y)], [2 * (x * z + w * y), 1 - 2 * (x * x + y * y)]
        points = outline @ np.array([axis_x, axis_z]) + path[place, [0, 2]]
        ax.plot(*points.T * 1e3, color=colour, label=f"step {place}")
    ax.set(xlabel="x [mm]", ylabel="z [mm]", aspect="equal", xlim=(-35, 25))
    ax.legend(frameon=False, fontsize="small", loc="upper left")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
