"""Bodies that an importer integrates, against scenarios and closed forms."""

import csv
import math
import unittest

import numpy as np
from scipy.integrate import BDF

from importer import Instance, Run
from workshop import BALL, ROOT, STILL, WORKSHOP, both, scenario_contact, tool


class Bounce(unittest.TestCase):
    """The scenario `bounce`, its last bounces."""

    def test_as_simulated(self):
        out = WORKSHOP.folder / "run"
        tool("simulate", ROOT / "data/scenarios/bounce.json", "--out", out, "--variant", "last_bounces", "--json")
        with open(out / "last_bounces" / "timeseries.csv", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        path = []
        instance = Instance(WORKSHOP.fmu("bounce", scenario_contact("bounce")))
        instance.initialize(a__z=0.0137237)
        run = Run(instance, lambda t, y: [0, 0, y[0], 1, 0, 0, 0, 0, 0, y[1], 0, 0, 0] + STILL,
                  lambda t, y, a, b: [y[1], -10 + a[2] / 0.066],
                  lambda t, y, i: path.append((t, y[0], y[1], i.get_discrete("contact.touches"))),
                  rtol=1e-11, atol=1e-15)
        y = run.run(0.0, 0.2, [0.0137237, 0.0])
        self.assertEqual(int(rows[-1]["contact.touches"]), instance.get_discrete("contact.touches"))
        self.assertEqual(instance.get_discrete("contact.touches"), 27)
        self.assertAlmostEqual(0.0127 - y[0], (0.066 * 10 / 1e10) ** (2 / 3), delta=2e-9)
        # Between outputs of theirs and steps of ours: cubic by Hermite.
        t, z, v = (np.array([float(row[key]) for row in rows]) for key in ("t", "ball.z", "ball.vz"))
        for when, height, speed, _ in path[:: len(path) // 200]:
            i = min(max(np.searchsorted(t, when) - 1, 0), len(t) - 2)
            h, s = t[i + 1] - t[i], (when - t[i]) / (t[i + 1] - t[i])
            at = ((2 * s**3 - 3 * s**2 + 1) * z[i] + (s**3 - 2 * s**2 + s) * h * v[i]
                  + (3 * s**2 - 2 * s**3) * z[i + 1] + (s**3 - s**2) * h * v[i + 1])
            self.assertAlmostEqual(height, at, delta=2e-8, msg=f"t = {when}, v = {speed}")
        instance.free()

    @both
    def test_restitution(self, version):
        """Of a ball without weight on a half-space: the rebound is e, and the contact touches once."""
        instance = Instance(WORKSHOP.fmu("ball", BALL, version))
        instance.initialize(a__z=0.1001, normal__restitution=0.35)
        run = Run(instance, lambda t, y: [0, 0, y[0], 1, 0, 0, 0, 0, 0, y[1], 0, 0, 0] + STILL,
                  lambda t, y, a, b: [y[1], a[2] / 2.0], lambda *_: None, max_step=1e-3)
        y = run.run(0.0, 0.02, [0.1001, -0.1])
        self.assertEqual(run.events, 2)
        self.assertAlmostEqual(y[1] / 0.1, 0.35, delta=1e-6)
        self.assertEqual(instance.get_discrete("contact.touches"), 1)
        self.assertEqual(instance.states(), [0.0] * 5)
        instance.free()

    @both
    def test_newton_finds_rest(self, version):
        """The height at which the contact carries a weight, by the directional derivative: V = m g / k_V."""
        instance = Instance(WORKSHOP.fmu("ball", BALL, version))
        instance.initialize(a__z=0.099, a__x=0.3, b__x=-0.2)
        instance.update()
        weight, steps = 2.0 * 9.81, []
        for _ in range(12):
            z, force = instance.get("a.z", "a.fz")
            steps.append((weight - force) / instance.derivative(["a.fz"], ["a.z"], [1.0])[0])
            instance.set("a.z", z + steps[-1])
        self.assertLess(abs(steps[-1]), 1e-15)
        stiffness = 1 / (1 / 1e9 + 1 / 3e9)
        self.assertAlmostEqual(instance.get("contact.volume") * stiffness / weight, 1.0, delta=1e-12)
        instance.free()

    @both
    def test_rolls_without_turning_its_bristles(self, version):
        """A ball set down spinning on a plane ends in pure rolling at 2/7 of ω R, and keeps its direction."""
        instance = Instance(WORKSHOP.fmu("ball", BALL, version))
        mass, radius, depth = 2.0, 0.1, 2.0e-4
        volume = math.pi * depth**2 * (radius - depth / 3)
        stiffness = 1 / (1 / 1e9 + 1 / 3e9)
        gravity = stiffness * volume / mass
        inertia = 0.4 * mass * radius**2

        def inputs(t, y):
            return [y[0], 0, radius - depth, 1, 0, 0, 0, y[1], 0, 0, 0, y[2], 0] + STILL

        instance.initialize(a__z=radius - depth, normal__restitution=1.0)  # no rolling resistance
        run = Run(instance, inputs, lambda t, y, a, b: [y[1], a[0] / mass, a[4] / inertia], lambda *_: None,
                  method=BDF, rtol=1e-8, atol=1e-10)
        spin = 0.3
        y = run.run(0.0, 0.5, [0.0, 0.0, spin])
        self.assertGreater(gravity, 0)
        self.assertAlmostEqual(y[1] / (y[2] * radius), 1.0, delta=5e-3)
        self.assertAlmostEqual(y[1], 2 / 7 * spin * radius, delta=3e-4)
        instance.free()


class StickSlip(unittest.TestCase):
    """The scenario `stick_slip`, its first peak, which the scenario states by an independent integration."""

    def test_first_peak(self):
        instance = Instance(WORKSHOP.fmu("stick_slip", scenario_contact("stick_slip")))
        mass, stiffness, weight, radius = 1.000002, 2.0, 10.0, 0.05
        height = 0.049535841116638724
        self.assertAlmostEqual(radius - height, (weight / 1e6) ** (2 / 3), delta=1e-12)
        turn = [math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8)]

        def belt(t):
            speed = 0.05 * min(max(t - 10, 0), 1)
            return 0.5 * speed * min(max(t - 10, 0), 1) + 0.05 * max(t - 11, 0), speed

        def inputs(t, y):
            place, speed = belt(t)
            c = math.sqrt(0.5)
            return ([c * y[0], c * y[0], height, 1, 0, 0, 0, c * y[1], c * y[1], 0, 0, 0, 0]
                    + [c * place, c * place, 0, *turn, c * speed, c * speed, 0, 0, 0, 0])

        peaks = []
        run = Run(instance, inputs, lambda t, y, a, b: [y[1], ((a[0] + a[1]) * math.sqrt(0.5) - stiffness * y[0]) / mass],
                  lambda t, y, i: peaks.append((i.get("contact.ft"), t, y[0])), method=BDF, rtol=1e-7, atol=1e-10, max_step=0.5)
        instance.initialize(a__z=height)
        y = [0.0, 0.0]
        for end in (10.0, 11.0, 27.0):  # corners of the belt's speed
            if end == 10.0:
                y = run.run(0.0, end, y)
                at = end
            else:
                while at < end:
                    at, y, _ = run.integrate(at, end, y)
        friction, when, place = max(peaks)
        self.assertAlmostEqual(friction, 1.5, delta=0.006)
        self.assertAlmostEqual(when, 25.51, delta=0.05)
        self.assertAlmostEqual(place * stiffness, friction, delta=0.002)
        # Slipped, at the lower friction, and further back than the belt.
        self.assertLess(peaks[-1][2], place)
        instance.free()
