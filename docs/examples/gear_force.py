"""Force and torque between two gears as they turn, from their meshes.

    python3 gear_force.py [FOLDER FOR THE PICTURE]

The driven gear lags by a small angle, more than the play of the flanks, so that these press on each other; the
angle is the load. All positions are one batch.
"""

import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import volcontact as vc

Doubles = NDArray[np.float64]
ROOT = pathlib.Path(__file__).resolve().parents[2]
TEETH, DISTANCE, STIFFNESS = 18, 0.036, 1e11  # -, [m], [N/m^3]

gear = vc.read(ROOT / "data/meshes/gear.obj")
# The wheel is narrower, as is usual, so that no end faces are flush.
vertices, faces = vc.read_mesh(ROOT / "data/meshes/gear.obj")[:2]
wheel = vc.mesh(vertices * [1, 1, 0.8], faces)
pair = vc.PreparedPair(gear, wheel)


def turned(angle: Doubles, x: float = 0.0) -> Doubles:
    """Poses (..., 7) turned about z, at x along the line of centres."""
    zero = np.zeros_like(angle)
    return np.stack([zero + x, zero, zero, np.cos(angle / 2), zero, zero, np.sin(angle / 2)], axis=-1)


def main(folder: pathlib.Path, count: int = 120) -> tuple[Doubles, dict[float, Doubles]]:
    pitch = 2 * np.pi / TEETH
    angle = np.linspace(0, 2 * pitch, count)
    figure, (above, below) = plt.subplots(2, 1, figsize=(6.5, 5), sharex=True, layout="constrained")
    torques: dict[float, Doubles] = {}
    for lag in (0.007, 0.0085, 0.01):
        # In mesh when one tooth points at the other gear, whose gap points back.
        driver, driven = turned(angle), turned(np.pi + pitch / 2 - angle - lag, DISTANCE)
        m = pair.query(driver, driven, threads=2)
        wrench = m.elastic_wrench(STIFFNESS)
        torques[lag] = wrench[:, 5]
        label = f"lag {np.degrees(lag):.2f}°"
        above.plot(angle / pitch, np.linalg.norm(wrench[:, :3], axis=-1), label=label)
        below.plot(angle / pitch, np.abs(wrench[:, 5]), label=label)
        print(f"{label}: torque {np.mean(np.abs(wrench[:, 5])):.3f} N m, "
              f"ripple {np.ptp(wrench[:, 5]) / np.mean(np.abs(wrench[:, 5])):.1%}")
    above.set(ylabel="force [N]")
    below.set(xlabel="turn of the driver [teeth]", ylabel="torque [N m]")
    above.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    plt.savefig(folder / "gear_force.png", dpi=120)
    plt.close(figure)
    return angle / pitch, torques


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
