#!/usr/bin/env python3
"""Makes the example measurements of `volcontact identify`: synthetic, with the noise levels of
Boos (2011) and a fixed seed, so that the parameters behind them are known. Python's standard
library only; nothing of volcontact is used.

    python3 data/identify/make_data.py [FOLDER]
"""
import math
import pathlib
import random
import sys

FORCE_NOISE = 0.085  # [N], Boos 2011, Section 3.3.3
FRICTION_NOISE = 0.007  # of the coefficient

BALL_RADIUS = 9.52e-3  # [m]
BALL_STIFFNESS = 7.59e13  # [N/m^3], steel on aluminium, Boos 2011, Table 3.2
PUNCH_RADIUS = 5e-3
PUNCH_STIFFNESS = 7.26e12  # Boos 2011, Eq. (3.16)
PUNCH_TILT = math.radians(0.32)
RESTITUTION_DAMPING = 7.4566  # D = -a |v|, of e = 0.134

FRICTION = {"mu_s": 0.30, "mu_c": 0.19, "sigma0": 4500.0, "sigma1": 300.0, "sigma2": 10.0,
            "v_stribeck": 4e-4, "tau_dwell": 0.3}
LOAD = 26.0  # [N]


def write(folder, name, header, rows):
    lines = [header] + [",".join(x if isinstance(x, str) else f"{x:.7g}" for x in row) for row in rows]
    (folder / name).write_text("\n".join(lines) + "\n")


def cap(depth):
    """Spherical cap, Boos 2011, Eq. (3.11)."""
    return math.pi / 3 * depth**2 * (3 * BALL_RADIUS - depth) if depth > 0 else 0.0


def wedge(depth):
    """Cylindrical wedge, Boos 2011, Eqs. (3.19)-(3.21); depth along the normal of the plane."""
    if depth <= 0:
        return 0.0
    axial = depth / math.cos(PUNCH_TILT)
    b = axial / math.tan(PUNCH_TILT)
    phi = math.acos(max(-1.0, 1 - b / PUNCH_RADIUS))
    bracket = 2 * math.sin(phi) - math.cos(phi) * (3 * phi - math.sin(2 * phi) / 2)
    return axial * PUNCH_RADIUS**3 / (3 * b) * bracket


def press(rng, volume, stiffness, start, end, contact):
    rows = []
    for i in range(400):
        position = start + (end - start) * i / 399
        force = stiffness * volume(position - contact) + rng.gauss(0, FORCE_NOISE)
        rows.append((position * 1e6, force))
    return rows


def impacts(rng):
    """Driven impacts that slow down from v0 in contact, recorded at 1 kHz with their velocity."""
    rows = []
    for run, v0 in enumerate([0.12e-3, 0.2e-3, 0.3e-3, 0.45e-3, 0.6e-3, 0.8e-3], 1):
        contact, period = 2e-6, 2.2e-6 / v0  # travel in contact
        for i in range(120):
            t = (i / 119 * 1.3 - 0.3) * period
            if t < 0:
                p, v = contact + v0 * t, v0
            else:  # the drive yields: v = v0 (1 - t/(3 period))
                p, v = contact + v0 * (t - t * t / (6 * period)), v0 * (1 - t / (3 * period))
            elastic = BALL_STIFFNESS * cap(p - contact)
            force = elastic * (1 + RESTITUTION_DAMPING / v0 * v) + rng.gauss(0, FORCE_NOISE)
            rows.append((str(run), t + 0.3 * period, p * 1e6, v * 1e3, force))
    return rows


def bristle(times, speed, state=None):
    """Coefficients of the bristle model driven at speed(t) from rest (Boos 2011, Eqs. (4.9)-(4.30))
    by small explicit steps."""
    f = FRICTION
    z, dwell = 0.0, 1.0
    out = []
    for i, t in enumerate(times):
        out.append(bristle_force(f, z, dwell, speed(t))[0])
        if i + 1 == len(times):
            break
        steps = 400
        h = (times[i + 1] - t) / steps
        for k in range(steps):
            v = speed(t + (k + 0.5) * h)
            _, rate, dwell_rate = bristle_force(f, z, dwell, v)
            z2, d2 = z + 0.5 * h * rate, dwell + 0.5 * h * dwell_rate
            _, rate, dwell_rate = bristle_force(f, z2, d2, v)
            z, dwell = z + h * rate, dwell + h * dwell_rate
    return out


def bristle_force(f, z, dwell, v):
    s = math.exp(-((v / f["v_stribeck"]) ** 2))
    epsilon = f["v_stribeck"] / 100
    r = abs(v) / epsilon
    direction = math.copysign(1.0, v) if r >= 1 else v / epsilon * (1.5 - 0.5 * r * r)
    rate = s * v + (1 - s) / f["sigma1"] * (f["mu_c"] * direction - f["sigma0"] * z)
    limit = f["mu_c"] + (f["mu_s"] - f["mu_c"]) * dwell
    stress = max(-limit, min(limit, f["sigma0"] * z + f["sigma1"] * rate))
    tau = f["tau_dwell"] if s >= dwell else f["sigma1"] / f["sigma0"]
    return (stress + f["sigma2"] * v, (stress - f["sigma0"] * z) / f["sigma1"], (s - dwell) / tau)


def friction(rng):
    rows = []

    def add(kind, run, t, p, v, mu):
        load = LOAD + rng.gauss(0, 0.05)
        force = (mu + rng.gauss(0, FRICTION_NOISE)) * load
        rows.append((kind, str(run), t, p * 1e3, v * 1e3, load, force))

    f = FRICTION
    for run, acceleration in enumerate([2e-5, 4e-5, 6e-5], 1):  # slow, far below v_stribeck
        end = math.sqrt(2 * 1.2e-4 / acceleration)
        for i in range(200):
            t = end * i / 199
            d, v = acceleration * t * t / 2, acceleration * t
            add("slow", run, t, d, v, min(f["sigma0"] * d + f["sigma1"] * v, f["mu_s"]) + f["sigma2"] * v)
    for run in range(1, 13):
        v = 0.0025 + 0.0005 * run
        for i in range(30):
            t = i * 0.01
            add("steady", run, t, v * t, v, f["mu_c"] + f["sigma2"] * v)
    for run, frequency in enumerate([0.5, 1.0], 1):
        omega, top = 2 * math.pi * frequency, 2e-3
        times = [2.5 / frequency * i / 400 for i in range(401)]
        for t, mu in zip(times, bristle(times, lambda t: top * math.sin(omega * t))):
            add("oscillation", run, t, top / omega * (1 - math.cos(omega * t)), top * math.sin(omega * t), mu)
    return rows


def rebound(speed, mass=0.066, k=1e10, damping=1e5):
    """Restitution of sqrt(z) (k z + lambda z') by small steps in time (Azad & Featherstone 2014)."""
    scale = (mass / (k * math.sqrt(speed))) ** 0.4
    h, z, v = scale / 20000, 0.0, speed

    def acceleration(z, v):
        return -math.sqrt(max(z, 0.0)) * (k * z + damping * v) / mass

    z, v = h * v, v  # the first step: the force grows as the root of the depth
    while k * z + damping * v > 0 and z > 0:
        a = acceleration(z, v)
        z2, v2 = z + 0.5 * h * v, v + 0.5 * h * a
        z, v = z + h * v2, v + h * acceleration(z2, v2)
    return -v / speed


def drops(rng):
    rows = []
    for i in range(24):
        speed = 0.05 * 80 ** (i / 23)
        rows.append((speed, rebound(speed) + rng.gauss(0, 0.005)))
    return rows


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    rng = random.Random(2011)
    write(folder, "press_sphere.csv", "position [um],force [N]",
          press(rng, cap, BALL_STIFFNESS, 0.0, 6.0e-6, 3.0e-6))
    write(folder, "press_punch.csv", "position [um],force [N]",
          press(rng, wedge, PUNCH_STIFFNESS, 0.0, 12e-6, 2.0e-6))
    write(folder, "impacts.csv", "run,time [s],position [um],velocity [mm/s],force [N]", impacts(rng))
    write(folder, "friction.csv", "experiment,run,time [s],position [mm],velocity [mm/s],"
          "normal_force [N],friction_force [N]", friction(rng))
    write(folder, "drops.csv", "impact_speed [m/s],restitution", drops(rng))


if __name__ == "__main__":
    main()
