"""What it takes to push a peg into a hole that it does not meet well: a million misalignments as a map.

    python3 sweep_peg_insertion.py [FOLDER FOR THE PICTURE [ROWS]]

Runs data/sweeps/peg_insertion.json in a folder beside the picture; what is there already is not run again.
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
SWEEP = pathlib.Path(__file__).resolve().parents[2] / "data/sweeps/peg_insertion.json"


def peg_map(reductions: dict[str, Any]) -> tuple[Doubles, Doubles, Doubles]:
    """Edges of both variables (x [m], tilt [rad]), and the mean force of each cell [N], NaN where none was drawn."""
    drawn = reductions["map"]
    x, tilt = (np.asarray(edges) for edges in drawn["edges"])
    return x, tilt, np.asarray(drawn["means"], dtype=float)


def touching_offset(tilt: Doubles, sweep: dict[str, Any]) -> Doubles:
    """The offset beyond which the tilted nose touches the rim of the hole, by plane geometry [m]."""
    nose = sweep["run"]["force"]["a"]["cone"]
    depth, bore = -sweep["run"]["force"]["pose_a"]["t"][2], sweep["run"]["force"]["b"]["difference"][1]["cylinder"]["radius"]
    # The generator of the nose in the plane of the tilt, from the tip's edge up, where it passes the rim's height.
    slope = (nose["radius_top"] - nose["radius"]) / nose["height"]
    s = (depth + nose["radius"] * np.sin(tilt)) / (np.cos(tilt) - slope * np.sin(tilt))
    return np.asarray(bore - ((nose["radius"] + slope * s) * np.cos(tilt) + s * np.sin(tilt)))


def draw(result: vc.sweep.Result, sweep: dict[str, Any], path: pathlib.Path) -> None:
    x, tilt, force = peg_map(result.reductions)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained", width_ratios=(1.25, 1))
    shown = left.pcolormesh(x * 1e3, np.degrees(tilt), np.where(force > 0, force, np.nan).T, cmap="cividis")
    figure.colorbar(shown, ax=left, label="mean insertion force [N]")
    left.set(xlabel="offset [mm]", ylabel="tilt [°]", title=f"{result.counts.rows:,} misalignments")
    middle = 0.5 * (tilt[1:] + tilt[:-1])
    edge = touching_offset(middle, sweep) * 1e3
    other = -touching_offset(-middle, sweep) * 1e3
    for border in (edge, other):
        left.plot(border, np.degrees(middle), "r--", lw=1)
    left.plot([], [], "r--", lw=1, label="first touch, by plane geometry")
    left.legend(loc="upper center", fontsize=8)
    at = 0.5 * (x[1:] + x[:-1]) * 1e3
    for degrees, colour in ((-1.0, "#D55E00"), (0.0, "#000000"), (1.0, "#0072B2")):
        row = np.argmin(abs(middle - np.radians(degrees)))
        right.plot(at, force[:, row], color=colour, label=f"tilt {np.degrees(middle[row]):+.2f}°".replace("-", "−"))
    right.set(xlabel="offset [mm]", ylabel="mean insertion force [N]", title="Three cuts")
    right.legend()
    right.grid(color="#e4e4e4")
    plt.savefig(path, dpi=120)
    plt.close(figure)


def main(folder: pathlib.Path, rows: Optional[int] = None,
         threads: int = 2) -> tuple[vc.sweep.Plan, vc.sweep.Result]:
    plan = vc.sweep.Plan(SWEEP, {} if rows is None else {"over.rows": rows})
    result = vc.sweep.run(plan, folder / "peg_insertion", threads=threads, resume=True)
    quantiles = result.reductions["quantiles"]
    print(f"{result.counts.rows} rows, {result.counts.not_converged} not converged, {result.counts.failed} failed; "
          + ", ".join(f"{100 * at:g} % below {value:.3g} N" for at, value in zip(quantiles["at"], quantiles["values"])))
    draw(result, plan.document, folder / "sweep_peg_insertion.png")
    return plan, result


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."), *map(int, sys.argv[2:3]))
