"""How far the stiffness of a ball joint spreads when its radii do, beside the linearised closed form.

    python3 sweep_ball_joint.py [FOLDER FOR THE PICTURE [ROWS]]

A ball of radius r, moved by e in a socket of radius R, overlaps it by a cap that is cut off along a circle of radius
a; force k_V V, stiffness k_V dV/de = k_V pi a^2, which is k_V times the area vector.
"""

import pathlib
import sys
from typing import Any, Optional

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import NDArray

import volcontact as vc

Doubles = NDArray[np.float64]
SWEEP = pathlib.Path(__file__).resolve().parents[2] / "data/sweeps/ball_joint.json"
STIFFNESS = 1e11  # k_V [N/m^3]


def closed_form(r: Any, R: Any, e: float) -> Any:
    """The stiffness [N/m]: the spheres meet in a circle about the line of their centres."""
    return STIFFNESS * np.pi * (4 * e**2 * R**2 - (e**2 + R**2 - r**2) ** 2) / (4 * e**2)


def linearised(sweep: dict[str, Any]) -> tuple[float, float]:
    """Mean and standard deviation of the closed form, linear in both radii about their means."""
    e = -sweep["run"]["query"]["pose_a"]["t"][2]
    r, R = (sweep["over"]["variables"][name]["normal"] for name in ("r", "R"))
    d = e**2 + R["mean"] ** 2 - r["mean"] ** 2
    by_r = STIFFNESS * np.pi * d * r["mean"] / e**2
    by_R = STIFFNESS * np.pi * (2 * e**2 - d) * R["mean"] / e**2
    return closed_form(r["mean"], R["mean"], e), np.hypot(by_r * r["sd"], by_R * R["sd"])


def draw(stiffness: Doubles, mean: float, sd: float, path: pathlib.Path) -> None:
    figure, [[ax]] = plt.subplots(figsize=(7, 3.8), layout="constrained", squeeze=False)
    ax.hist(stiffness * 1e-6, bins=120, density=True, color="#56B4E9", label=f"{stiffness.size:,} joints")
    at = np.linspace(mean - 4.5 * sd, mean + 4.5 * sd, 300)
    normal = np.exp(-0.5 * ((at - mean) / sd) ** 2) / (sd * np.sqrt(2 * np.pi))
    ax.plot(at * 1e-6, normal * 1e6, color="#D55E00", label="linearised: normal")
    for q in (0.01, 0.99):
        ax.axvline(np.quantile(stiffness, q) * 1e-6, color="#6b6b6b", lw=1, ls=":")
    ax.plot([], [], color="#6b6b6b", lw=1, ls=":", label="1 % and 99 % of the joints")
    ax.set(xlabel="stiffness [MN/m]", ylabel="density [m/MN]")
    ax.legend()
    plt.savefig(path, dpi=120)
    plt.close(figure)


def main(folder: pathlib.Path, rows: Optional[int] = None,
         threads: int = 2) -> tuple[vc.sweep.Plan, vc.sweep.Result, dict[str, Any]]:
    plan = vc.sweep.Plan(SWEEP, {} if rows is None else {"over.rows": rows})
    result = vc.sweep.run(plan, folder / "ball_joint", threads=threads, resume=True)
    columns = result.rows()
    stiffness = STIFFNESS * columns["area_vector.z"]
    mean, sd = linearised(plan.document)
    print(f"mean {np.mean(stiffness) * 1e-6:.4f} MN/m, linearised {mean * 1e-6:.4f}; standard deviation "
          f"{np.std(stiffness) * 1e-6:.4f} MN/m, linearised {sd * 1e-6:.4f}")
    draw(stiffness, mean, sd, folder / "sweep_ball_joint.png")
    return plan, result, columns


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."), *map(int, sys.argv[2:3]))
