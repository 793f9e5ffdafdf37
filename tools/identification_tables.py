#!/usr/bin/env python3
"""Recomputes the figures of the papers that identification can be held against, with the tool, and
writes docs/validation_identification.md.

    python3 tools/identification_tables.py [path of volcontact]

Data are synthetic, from formulas written out here and in data/identify/make_data.py: the thesis
prints no measurements.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "data" / "identify"))
import make_data  # noqa: E402
from validation import wrapped  # noqa: E402

TOOL = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                    ROOT / "build" / "release" / "tools" / "volcontact" / "volcontact").resolve()
FOLDER = pathlib.Path(tempfile.mkdtemp())


def answer(*arguments):
    run = subprocess.run([str(TOOL), *arguments, "--json"], cwd=FOLDER, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {run.stderr}")
    return json.loads(run.stdout)


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def number(x, digits=3):
    return f"{x:.{digits - 1}e}".replace("e+", "e").replace("e0", "e")


def csv(name, header, rows):
    lines = [header] + [",".join(x if isinstance(x, str) else repr(x) for x in row) for row in rows]
    (FOLDER / name).write_text("\n".join(lines) + "\n")
    return name


def solid(name, content):
    (FOLDER / name).write_text(json.dumps(content))
    return name


def remark(printed, ours):
    return "within 1 %" if abs(printed / ours - 1) < 0.01 else f"printed {100 * (printed / ours - 1):+.0f} %"


def stiffness_tables():
    hertz, punch = [], []
    for material, printed, printed_punch in (("magnesium", 4.66e9, 5.17e12), ("aluminium", 7.34e9, 8.82e12)):
        pair = ("--material-a", material, "--material-b", "stainless_steel")
        k = answer("estimate", "hertz", *pair, "--radius", "0.00952")["hertz_stiffness"]
        hertz.append((material, number(printed), number(k, 4), remark(printed, k)))
        k = answer("estimate", "volumetric", *pair, "--patch-radius", "0.005")["stiffness"]
        punch.append((material, number(printed_punch), number(k, 4), remark(printed_punch, k)))
    low, high = (answer("estimate", "volumetric", "--modulus-a", e, "--poisson-a", "0.35", "--material-b",
                        "stainless_steel", "--patch-radius", "0.005")["stiffness"] for e in ("35e9", "40e9"))
    return (
        "## Theoretical stiffness\n\nHertz's stiffness of the ball, Boos 2011, Table 3.2 by Eq. (3.9), "
        "r = 9.52 mm [N/m^1.5] (`estimate hertz`):\n\n"
        + table(("plate", "printed", "recomputed", ""), hertz)
        + "\nVolumetric stiffness of the punch, Table 3.3 by Eq. (3.16), r = 5 mm [N/m³] (`estimate volumetric`):\n\n"
        + table(("plate", "printed", "recomputed", ""), punch)
        + "\n**The printed stiffnesses of the punch do not follow from Eq. (3.16)** with the moduli of Table 3.1. "
        f"Magnesium at 37.5 GPa, the middle of its 35 to 40 GPa; the ends give {number(low)} and {number(high)}, "
        "so that no modulus of the range gives the printed value.\n")


def wedge_press(stiffness, tilt, deepest, count=400):
    """Forces by Boos 2011, Eqs. (3.19)-(3.21), noise-free, the depth along the normal."""
    make_data.PUNCH_TILT = tilt
    positions = [(2e-6 + deepest) * i / (count - 1) for i in range(count)]
    return csv("press.csv", "position [m],force [N]",
               [(p, stiffness * make_data.wedge(p - 2e-6)) for p in positions])


def tilt_table():
    punch = solid("punch.json", {"cylinder": {"radius": 0.005, "height": 0.02}})
    rows, wedge = [], []
    for material, printed_k, ours, degrees in (("magnesium", 5.17e12, 4.54e12, 0.46),
                                               ("aluminium", 8.82e12, 7.26e12, 0.32)):
        data = wedge_press(printed_k, math.radians(degrees), 1e-5)
        cells = []
        for k in (printed_k, ours):
            fit = answer("identify", "stiffness", data, "--solid", punch, "--tilt", "--stiffness", repr(k))
            cells.append(f"{math.degrees(fit['parameters']['tilt']['value']):.4g}°")
        rows.append((material, f"{degrees}°", *cells))
    for degrees in (0.1, 0.32, 0.46, 2.0, 10.0):
        limit = 0.01 * math.sin(math.radians(degrees))
        data = wedge_press(1e12, math.radians(degrees), 0.999 * limit)
        fit = answer("identify", "stiffness", data, "--solid", punch, "--tilt", "--tol", "1e-12",
                     "--stiffness", "1e12")
        part = fit["wedge"]
        wedge.append((f"{degrees}°", number(part["depth_limit"], 5),
                      number(abs(part["formula_over_volume_less_1"]), 1)))
    return (
        "## Misaligned punch\n\nTilt of the punch, Boos 2011, Section 3.3.1. The thesis takes the stiffness of its "
        "Table 3.3 as known and finds the tilt. Forces by Eq. (3.19) with the printed stiffness and tilt, to "
        "10 µm; the tilt that the tool finds with the printed stiffness, and with the one that Eq. (3.16) "
        "gives:\n\n" + table(("plate", "printed", "found, printed k_V", "found, k_V of (3.16)"), rows)
        + "\nA shallow wedge shows k_V/tan(γ)^1.5 only: an error of the stiffness moves the tilt.\n\n"
        "The wedge formula holds until the whole end is in, at 2 r sin γ along the normal (2 r tan γ along the "
        "axis). Near that end it agrees with the computed volume of a cylinder in a half-space:\n\n"
        + table(("tilt", "end of the range [m]", "relative difference"), wedge))


def damping_of(e):
    """d(e)/e from (1 + d/e)/(1 - d) = exp(d (1 + 1/e)) by bisection."""
    low, high = 1e-6, 1.0 - 1e-16
    for _ in range(200):
        d = (low + high) / 2
        left = math.log1p(d / e) - math.log1p(-d) - d * (1 + 1 / e)
        low, high = (low, d) if left > 0 else (d, high)
    return low / e


def damping_table():
    ball = solid("ball.json", {"sphere": {"radius": make_data.BALL_RADIUS}})
    rows = []
    for material, printed in (("aluminium", 0.134), ("magnesium", 0.114)):
        make_data.RESTITUTION_DAMPING = damping_of(printed)
        make_data.FORCE_NOISE = 0.0
        data = csv("impacts.csv", "run,time [s],position [um],velocity [mm/s],force [N]",
                   make_data.impacts(make_data.random.Random(1)))
        fit = answer("identify", "damping", data, "--solid", ball, "--stiffness", repr(make_data.BALL_STIFFNESS))
        p = fit["parameters"]
        rows.append((material, printed, f"{p['damping']['value']:.4f}", f"{p['restitution']['value']:.6f}",
                     f"{p['exponent']['value']:.6f}"))
    return (
        "## Damping\n\nRestitution of driven impacts, Boos 2011, Section 3.3.2. Impacts at 0.12 to 0.8 mm/s, damped "
        "by d(e)/e of the printed e (Gonthier 2007, Eq. (3.23)):\n\n"
        + table(("plate", "printed e", "−a abs(v) found", "e found", "exponent of the speed"), rows)
        + "\nThe printed e stand for −a abs(v) of about 7.5 and 8.8: the forces on the approach were eight and "
        "ten times the elastic ones, so that e is what the driven impacts amount to, not a restitution seen.\n")


def friction_tables():
    r_gyr = 0.0127 / math.sqrt(2)
    rows = [
        ("σ0, titanium: 0.51 over 144 µm, Eq. (5.3)", "3.5e3 1/m", f"{number(0.51 / 144e-6)} 1/m", "agrees"),
        ("σ0, aluminium: 0.204 over 46 µm, Eq. (5.3)", "4500 1/m", f"{0.204 / 46e-6:.0f} 1/m",
         "a mean of ratios printed; the 0.5 mm of Figure 5.7 contradicts the 46 µm of the text"),
        ("σ2, spinning: 0.154 s over r_gyr = 12.7 mm/√2, Eq. (5.15)", "17.1 s/m", f"{0.154 / r_gyr:.2f} s/m",
         "agrees"),
    ]
    make_data.FRICTION.update(mu_s=0.5, mu_c=0.4, sigma0=1e4, sigma1=math.sqrt(1e5), sigma2=0.0,
                              v_stribeck=1e-4, tau_dwell=1e-9)
    times = [0.004 * i for i in range(1001)]
    mu = slow_pull(times)
    data = csv("slow.csv", "experiment,time,position,velocity,normal_force,friction_force",
               [("slow", t, 5e-5 * t * t, 1e-4 * t, 1.0, m) for t, m in zip(times, mu)])
    p = answer("identify", "friction", data)["parameters"]
    names = (("mu_s", 0.5), ("mu_c", 0.4), ("sigma0", 1e4), ("sigma1", math.sqrt(1e5)), ("v_stribeck", 1e-4))
    simulated = [(f"`{name}`", f"{truth:.6g}",
                  "not determined" if p[name]["value"] is None else f"{p[name]['value']:.6g}")
                 for name, truth in names]
    return (
        "## Friction\n\nFigures of Boos 2011, Section 5.3, from those beside them:\n\n"
        + table(("figure", "printed", "recomputed", ""), rows)
        + f"\nA pull at 0.1 mm/s² with the parameters of Table 5.1 (Figure 5.1), simulated by a program of its "
        f"own: the greatest coefficient is {max(mu):.4f}, not close to μ_S = 0.5 as Section 5.1.1 has it: the body "
        "breaks away at about v_S, where stiction has fallen already. Read off the peak, μ_S would be "
        f"{100 * (1 - max(mu) / 0.5):.0f} % low. The tool fits the whole curve and finds:\n\n" + table(("parameter", "Table 5.1", "found"), simulated))


def slow_pull(times):
    """The bristle model without dwell: s_dw = s."""
    f, z, out = make_data.FRICTION, 0.0, []

    def force(z, v):
        s = math.exp(-((v / f["v_stribeck"]) ** 2))
        return make_data.bristle_force(f, z, s, v)

    for i, t in enumerate(times):
        out.append(force(z, 1e-4 * t)[0])
        if i + 1 < len(times):
            h = (times[i + 1] - t) / 40
            for k in range(40):
                v = 1e-4 * (t + (k + 0.5) * h)
                z += h * force(z + 0.5 * h * force(z, v)[1], v)[1]
    return out


def restitution_table():
    speeds = [0.05 * 80 ** (i / 11) for i in range(12)]
    data = csv("drops.csv", "impact_speed [m/s],restitution", [(v, make_data.rebound(v)) for v in speeds])
    fit = answer("identify", "restitution", data, "--mass", "0.066", "--hertz-stiffness", "1e10")
    rows = [(name, f"{model['rms']:.2g}") for name, model in fit["models"].items()]
    return (
        "## Restitution\n\nThe 66 g sphere of Azad & Featherstone 2014, Section II-C, k = 1e10 N/m^1.5 and "
        "λ = 1e5 N·s/m^1.5, its rebounds at 0.05 to 4 m/s integrated in time by a program of its own: the tool "
        f"finds λ = {fit['parameters']['lambda']['value']:.6g}. How far the laws are from the restitutions:\n\n"
        + table(("law", "rms"), rows))


def main():
    text = ("# Identification: the papers' figures recomputed\n\nWritten by `python3 tools/identification_tables.py`; "
            "do not edit. The thesis prints no measurements, so that what was fitted to them (experimental "
            "stiffnesses of Tables 3.2 and 3.3, residuals, regressions over speed) cannot be recomputed; what follows "
            "from formulas and from printed figures can.\n\n")
    text += "\n".join((stiffness_tables(), tilt_table(), damping_table(), friction_tables(), restitution_table()))
    page = ROOT / "docs" / "validation_identification.md"
    # What tools/full_samples.py wrote stays.
    samples = page.read_text().partition("## Many draws")
    text = wrapped(text)
    page.write_text(text + "\n" + "".join(samples[1:]) if samples[1] else text)


if __name__ == "__main__":
    main()
