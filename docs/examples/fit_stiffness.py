"""The volumetric stiffness of a ball from a slow press in a CSV file, and a contact with it.

    python3 fit_stiffness.py [FOLDER FOR THE PICTURE]
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


def main(folder: pathlib.Path) -> tuple[vc.identify.StiffnessFit, Doubles]:
    press = vc.identify.read_press(ROOT / "data/identify/press_sphere.csv")
    ball = vc.read(ROOT / "data/identify/ball.json")
    found = vc.identify.stiffness(press.position, press.force, ball, bootstrap=50)
    for name, estimate in found.estimates.items():
        print(f"{name} = {estimate.value:.6g} ± {estimate.half_width:.2g}")
    print(f"AIC: volumetric {found.fit.aic:.1f}, Hertz {found.hertz.aic:.1f}")

    # The contact it makes, pressed by hand.
    model = vc.ContactModel(**found.contact)
    X = np.tile([0.0, 0, 0, 1, 0, 0, 0], (5, 1))
    X[:, 2] = 0.00952 - np.linspace(0, 2e-6, 5)
    m = vc.PreparedPair(ball, vc.half_space()).query(X, tolerance=1e-9)
    force = model.evaluate(m, X).force[:, 2]
    print("force at depths of 0 to 2 µm:", np.array2string(force, precision=4), "N")

    ax = found.plot()
    ax.figure.savefig(folder / "fit_stiffness.png", dpi=120)
    plt.close(ax.figure)
    return found, force


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
