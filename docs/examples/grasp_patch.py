"""Where a grooved finger holds a handle best: the contact patch over pose, at one force.

    python3 grasp_patch.py [FOLDER FOR THE PICTURE]

A volumetric contact carries k_V V. For each place and turn of the finger the depth is found at which V is that of
the force, for all of them at once; a wide patch presses least on what is held.
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
STIFFNESS, FORCE = 2e9, 20.0  # [N/m^3], [N]

handle = vc.ellipsoid([0.05, 0.016, 0.016])
# The finger's pad looks down, with a groove along x a little wider than the handle.
pad = vc.box([0.02, 0.03, 0.01]).posed([0, 0, 0.005, 1, 0, 0, 0])
groove = vc.cylinder(0.022, 0.1).posed([0, 0, -0.018, np.sqrt(0.5), 0, np.sqrt(0.5), 0])
finger = pad - groove
pair = vc.PreparedPair(finger, handle)


def poses(x: Doubles, yaw: Doubles, z: Doubles) -> Doubles:
    """Poses (..., 7) of the finger."""
    x, yaw, z = np.broadcast_arrays(x, yaw, z)
    zero = np.zeros_like(x)
    return np.stack([x, zero, z, np.cos(yaw / 2), zero, zero, np.sin(yaw / 2)], axis=-1)


def press(x: Doubles, yaw: Doubles, threads: int = 1) -> tuple[Doubles, vc.Metrics]:
    """Heights at which the overlap carries the force, and the metrics there: Newton's method on V(z)."""
    target = FORCE / STIFFNESS
    # From inside: V falls as the finger is lifted, and is convex, so that no step goes too far.
    z = np.full(np.broadcast(x, yaw).shape, 0.0105)
    for _ in range(60):
        m = pair.query(poses(x, yaw, z), tolerance=1e-9, threads=threads)
        if np.max(np.abs(m.volume - target)) < 1e-9 * target:
            return z, m
        slope = m.gradient()[..., 0, 2]
        step = (target - m.volume) / np.where(slope < 0, slope, -1.0)
        z = z + np.clip(step, -1e-3, 1e-3)
    raise RuntimeError("the search for the heights did not converge")


def largest(x: Doubles, yaw: Doubles, m: vc.Metrics) -> tuple[Doubles, float]:
    """Place (x, yaw) of the largest patch, and its area."""
    areas = np.asarray(m.contact_area)
    i, j = np.unravel_index(np.argmax(areas), areas.shape)
    return np.array([x[i, 0], yaw[0, j]]), float(areas[i, j])


def main(folder: pathlib.Path, size: int = 31) -> tuple[vc.Metrics, Doubles, float]:
    x = np.linspace(-0.02, 0.02, size)[:, None]
    yaw = np.radians(np.linspace(-30, 30, size))[None, :]
    z, m = press(x, yaw, threads=2)
    centre, area = largest(x, yaw, m)
    # Finer and finer about the best.
    for level in range(4):
        reach = np.array([0.003, np.radians(6)]) / 3**level
        fine_x = centre[0] + reach[0] * np.linspace(-1, 1, 7)[:, None]
        fine_yaw = centre[1] + reach[1] * np.linspace(-1, 1, 7)[None, :]
        centre, area = largest(fine_x, fine_yaw, press(fine_x, fine_yaw)[1])
    print(f"best at x = {centre[0] * 1e3:.2f} mm, turned by {np.degrees(centre[1]):.2f}°: patch {area * 1e6:.1f} mm^2, "
          f"{FORCE / area / 1e6:.2f} MPa on average")

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained", sharey=True)
    for ax, field, title in ((axes[0], m.contact_area * 1e6, "patch [mm²]"),
                             (axes[1], m.gyration_radius * 1e3, "its radius of gyration [mm]")):
        drawn = ax.contourf(x[:, 0] * 1e3, np.degrees(yaw[0]), np.transpose(field), 16, cmap="cividis")
        figure.colorbar(drawn, ax=ax, label=title)
        ax.set(xlabel="place along the handle [mm]")
        ax.plot(centre[0] * 1e3, np.degrees(centre[1]), "r+", ms=12, mew=2)
    axes[0].set_ylabel("turn of the finger [°]")
    plt.savefig(folder / "grasp_patch.png", dpi=120)
    plt.close(figure)
    return m, centre, area


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
