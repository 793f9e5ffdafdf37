"""FMUs of contacts in an importer written from the standard: bounces and stick-slip as simulated and in closed form,
wrenches as of the library, derivatives as of differences, instances on threads, and wrong use.

    fmi_test.py ROOT TOOL [unittest options]
"""

import ctypes
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from ctypes import byref, c_char, c_double, c_int, c_size_t, c_uint, c_void_p

import numpy as np
from scipy.integrate import BDF

from description_rules import faults
from importer import DISCARD, ERROR, OK, FmiError, Fmu, Instance, Run, doubles, integers

ROOT, TOOL = pathlib.Path(sys.argv[1]), sys.argv[2]
MOTION = ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"]
INPUTS = [body + name for body in ("a.", "b.") for name in MOTION]
STILL = [0, 0, 0, 1, 0, 0, 0] + 6 * [0]
BRISTLES = {"mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 300, "sigma2": 0.1, "tau_dwell": 0.5}
BALL = {"solid_a": {"sphere": {"radius": 0.1}}, "solid_b": {"half_space": {}},
        "normal": {"stiffness_a": 1e9, "stiffness_b": 3e9, "restitution": 0.7}, "friction": BRISTLES,
        "pose_a": {"t": [0, 0, 0.2]}}
PEG = {"solid_a": {"file": "peg.json"},
       "solid_b": {"difference": [{"box": {"size": [0.2, 0.2, 0.1]}}, {"cylinder": {"radius": 0.0305, "height": 0.3}}]},
       "normal": {"stiffness": 1e9, "restitution": 0.6}, "friction": BRISTLES, "tau_relaxation": 0.01}
PEG_SOLID = {"cylinder": {"radius": 0.03, "height": 0.1}}
MESH = {"solid_a": {"file": "wedge.json"}, "solid_b": {"half_space": {}}, "normal": {"stiffness": 1e9}}
WEDGE = {"mesh": {"file": "meshes/wedge.obj"}}
WEDGE_OBJ = """v 0 0 0
v 0.1 0 0
v 0 0.1 0
v 0 0 0.1
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
"""


def tool(*arguments, status=0):
    run = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == status, run.stderr
    return run.stderr if status else run.stdout


class Workshop:
    """FMUs, each exported once."""

    def __init__(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name) / "a folder, 100 %"
        (self.folder / "meshes").mkdir(parents=True)
        (self.folder / "peg.json").write_text(json.dumps(PEG_SOLID))
        (self.folder / "wedge.json").write_text(json.dumps(WEDGE))
        (self.folder / "meshes" / "wedge.obj").write_text(WEDGE_OBJ)
        self.made = {}

    def fmu(self, name, contact, version=2):
        if (name, version) not in self.made:
            file, out = self.folder / f"{name}_contact.json", self.folder / f"{name}{version}.fmu"
            file.write_text(json.dumps(contact))
            tool("fmu", file, "--out", out, "--fmi", version)
            self.made[name, version] = Fmu(out, self.folder / f"{name}{version}")
        return self.made[name, version]


WORKSHOP = Workshop()


def drop_fmus():
    WORKSHOP.holder.cleanup()


def both(test):
    """Runs a test for both versions."""
    def run(self):
        for version in (2, 3):
            with self.subTest(fmi=version):
                test(self, version)
    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


def scenario_contact(name):
    """The point contact of a scenario as a contact file."""
    contact = json.loads((ROOT / "data/scenarios" / f"{name}.json").read_text(encoding="utf-8"))["contacts"][0]
    return {key: contact[key] for key in ("geometry", "normal", "friction")}


def random_poses(count, height, seed):
    """Poses and twists of A around a height over B, which is turned, too."""
    rng = random.Random(seed)
    for _ in range(count):
        a = [rng.gauss(0, 0.002), rng.gauss(0, 0.002), height + rng.gauss(0, 0.002)]
        a += quaternion(rng, 3.0) + [rng.gauss(0, 0.3) for _ in range(6)]
        yield a + [0, 0, 0] + quaternion(rng, 0.05) + [rng.gauss(0, 0.1) for _ in range(6)]


def quaternion(rng, angle):
    q = np.array([1.0, *(angle * rng.gauss(0, 0.5) for _ in range(3))])
    return list(q / np.linalg.norm(q))


class Description(unittest.TestCase):
    @both
    def test_follows_the_rules(self, version):
        for name, contact in {"ball": BALL, "peg": PEG, "mesh": MESH, "bounce": scenario_contact("bounce")}.items():
            self.assertEqual(list(faults(WORKSHOP.fmu(name, contact, version))), [], name)

    @both
    def test_says_what_it_has(self, version):
        fmu = WORKSHOP.fmu("peg", PEG, version)
        self.assertEqual([v.name for v in fmu.variables if v.causality == "input"], INPUTS)
        self.assertEqual([v.name for v in fmu.states],
                         ["contact." + s for s in ("bristle_x", "bristle_y", "bristle_z", "bristle_twist", "dwell", "relaxation")])
        self.assertEqual(fmu.by_name["normal.restitution"].start, 0.6)
        flag = {2: "providesDirectionalDerivative", 3: "providesDirectionalDerivatives"}[version]
        self.assertEqual(fmu.exchange.get(flag), "true")
        self.assertEqual(WORKSHOP.fmu("mesh", MESH, version).exchange.get(flag), "false")
        self.assertIn("resources/solid_1.json", fmu.members)
        self.assertEqual(len([m for m in WORKSHOP.fmu("mesh", MESH, version).members if "solid_" in m]), 2)

    def test_equal_contacts_are_equal_bytes(self):
        first = WORKSHOP.fmu("ball", BALL)
        again = WORKSHOP.folder / "again.fmu"
        tool("fmu", WORKSHOP.folder / "ball_contact.json", "--out", again)
        self.assertEqual(first.path.read_bytes(), again.read_bytes())
        self.assertNotEqual(first.token, WORKSHOP.fmu("ball", BALL, 3).token)

    def test_library_needs_the_c_library_alone(self):
        library = WORKSHOP.fmu("ball", BALL).library_path
        linked = subprocess.run(["ldd", library], capture_output=True, text=True, check=True).stdout
        names = {line.split()[0].split("/")[-1].split(".")[0] for line in linked.splitlines()}
        self.assertLessEqual(names, {"linux-vdso", "libc", "libm", "ld-linux-x86-64"})
        symbols = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
        shown = [line.split()[-1] for line in symbols.stdout.splitlines()]
        self.assertEqual([s for s in shown if not s.startswith(("fmi2", "fmi3"))], [])
        self.assertEqual(len(shown), 110)

    def test_refusals(self):
        wrong = {
            "no solid": ({**BALL, "solid_b": None}, "solid_b"),
            "missing": ({k: v for k, v in BALL.items() if k != "solid_a"}, "solid_a"),
            "patches": ({**BALL, "geometry": {"per_patch": True}}, "one contact of all of the overlap"),
            "point law": ({**BALL, "normal": {"law": "linear", "stiffness": 1}}, "sphere_plane"),
            "no file": ({**BALL, "solid_a": {"file": "none.stl"}}, "none.stl"),
            "typing": ({**BALL, "solid_c": {}}, "solid_c"),
        }
        for name, (contact, expected) in wrong.items():
            file = WORKSHOP.folder / "wrong.json"
            file.write_text(json.dumps(contact))
            message = tool("fmu", file, "--out", WORKSHOP.folder / "wrong.fmu", status=2)
            self.assertIn(expected, message, name)
            self.assertEqual(message.count("\n"), 1, name)
            self.assertFalse((WORKSHOP.folder / "wrong.fmu").exists())
        for arguments, expected in ((["--fmi", 4], "2 or 3"), (["--library", ROOT / "README.md"], "shared library")):
            file = WORKSHOP.folder / "ball.json"
            file.write_text(json.dumps(BALL))
            self.assertIn(expected, tool("fmu", file, "--out", WORKSHOP.folder / "w.fmu", *arguments, status=2))


class Wrenches(unittest.TestCase):
    """The wrenches of the library, as the command prints them."""

    def forces(self, rows, solids, contact, *options):
        files = [WORKSHOP.folder / f"force_{i}.json" for i in range(3)]
        for file, document in zip(files, [*solids, contact]):
            file.write_text(json.dumps(document))
        table = WORKSHOP.folder / "poses.csv"
        with open(table, "w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([INPUTS] + [[repr(float(x)) for x in row] for row in rows])
        lines = tool("force", *files[:2], "--params", files[2], "--poses", table, *options).splitlines()
        return [json.loads(line) for line in lines]

    def compare(self, instance, row, answer):
        if answer["point"] is None:
            self.assertEqual(instance.get(*Run.WRENCHES), [0.0] * 12)
            return 0
        p, f, tau = (np.array(answer[key]) for key in ("point", "force", "torque"))
        expected = [*f, *(tau + np.cross(p - row[:3], f)), *-f, *-(tau + np.cross(p - row[13:16], f))]
        scale = np.linalg.norm(f)
        np.testing.assert_allclose(instance.get(*Run.WRENCHES), expected, rtol=0, atol=1e-12 * scale)
        np.testing.assert_allclose(instance.get("contact.px", "contact.py", "contact.pz"), p, rtol=0, atol=1e-12)
        return 1

    @both
    def test_of_new_contacts(self, version):
        for name, contact, solids, height in (
                ("ball", BALL, (BALL["solid_a"], BALL["solid_b"]), 0.098),
                ("peg", PEG, (PEG_SOLID, PEG["solid_b"]), 0.02)):
            rows = list(random_poses(40, height, 7))
            law = {key: value for key, value in contact.items() if key[:5] not in ("solid", "pose_")}
            instance, touching = Instance(WORKSHOP.fmu(name, contact, version)), 0
            for row, answer in zip(rows, self.forces(rows, solids, law)):
                instance.call("Reset")
                instance.initialize()
                instance.set(INPUTS, row)
                touching += self.compare(instance, row, answer)
                # Made, the contact does the same.
                instance.update()
                self.compare(instance, row, answer)
            self.assertGreater(touching, 15)
            instance.free()

    @both
    def test_of_contacts_that_go_on(self, version):
        law = {key: value for key, value in BALL.items() if key[:5] not in ("solid", "pose_")}
        solids = (BALL["solid_a"], BALL["solid_b"])
        for row in random_poses(8, 0.0985, 8):
            row = row[:13] + STILL
            begun = self.forces([row], solids, law)[0]
            if begun["point"] is None:
                continue
            state = {**begun["state"], "deflection": [1e-5, -2e-5, 0], "twist": 1e-3, "dwell": 0.3}
            file = WORKSHOP.folder / "state.json"
            file.write_text(json.dumps(state))
            answer = self.forces([row], solids, law, "--state", file)[0]
            instance = Instance(WORKSHOP.fmu("ball", BALL, version))
            names = [v.name for v in instance.fmu.states]
            instance.set(names, [1e-5, -2e-5, 0, 1e-3, 0.3])
            instance.initialize()
            instance.set(INPUTS, row)
            instance.update()
            self.compare(instance, row, answer)
            rate = answer["state_rate"]
            np.testing.assert_allclose(instance.rates(), [*rate["deflection"], rate["twist"], rate["dwell"]], rtol=1e-9, atol=1e-12)
            instance.free()


class Derivatives(unittest.TestCase):
    """Directional derivatives against differences of what is differentiated."""

    def check(self, fmu, rows, tolerance, expected=5):
        outputs = Run.WRENCHES + ["contact.fn", "contact.nx", "contact.ny", "contact.pz"] + [v.name for v in fmu.rates]
        knowns = INPUTS + [v.name for v in fmu.states]
        rng, checked = random.Random(3), 0
        instance = Instance(fmu)
        for number, row in enumerate(rows):
            # Fast, and as slow as bristles stick.
            slow = number % 2 == 1
            row = [x * (1e-3 if slow and 7 <= i % 13 else 1) for i, x in enumerate(row)]
            states = [1e-6 * rng.gauss(0, 1) for _ in fmu.states]
            states[3:] = [1e-5, 0.2, 1e-12][: len(states) - 3]
            instance.call("Reset")
            instance.initialize()
            instance.set(INPUTS, row)
            instance.update()
            instance.call("EnterContinuousTimeMode")
            instance.set_states(states)
            pressed = instance.get("contact.fn")
            if pressed == 0.0:
                continue  # apart, or pulled apart so fast that nothing presses
            checked += 1
            # Poses, twists and states by turns, each with a step for its scale.
            twist = 1e-8 if slow else 1e-6
            for first, last, step in ((0, 7, 1e-6), (7, 13, twist), (13, 20, 1e-6), (20, 26, twist), (26, 29, 1e-9), (29, 31, 1e-6)):
                seed = [rng.gauss(0, 1) if first <= i < last else 0.0 for i in range(len(knowns))]
                exact, sides = np.array(instance.derivative(outputs, knowns, seed)), []
                for h in (-2 * step, -step, step, 2 * step):
                    moved = np.array(row + states) + h * np.array(seed)
                    instance.set(INPUTS, moved[:26])
                    instance.set_states(moved[26:])
                    sides.append(np.array(instance.get(*outputs)))
                instance.set(INPUTS, row)
                instance.set_states(states)
                a, b, c, d = sides
                error = np.abs(exact - (8 * (c - b) - (d - a)) / (12 * step))
                # What rounding makes of the differences besides.
                scale = max(np.abs(exact[:12]).max(), 1e-4 * pressed / step**0.5)
                self.assertLess(error[:12].max() / scale, tolerance, (number, first))
                scale = np.maximum(np.abs(exact[12:]), 1e-3 * np.abs(exact[12:]).max() + 1e-9 / step)
                self.assertLess((error[12:] / scale).max(), 100 * tolerance, (number, first))
        instance.free()
        self.assertGreaterEqual(checked, expected)

    @both
    def test_of_a_ball(self, version):
        self.check(WORKSHOP.fmu("ball", BALL, version), list(random_poses(24, 0.098, 5)), 1e-6)

    def test_of_a_peg_in_a_hole(self):
        contact = {**PEG, "geometry": {"tolerance": 1e-11}}
        self.check(WORKSHOP.fmu("peg11", contact), list(random_poses(12, 0.02, 9)), 2e-5, 3)

    def test_along_the_eigenvector(self):
        contact = {**BALL, "direction": "eigenvector", "contact_plate": False, "solid_a": {"cone": {"radius": 0.05, "height": 0.1}},
                   "geometry": {"tolerance": 1e-11}}
        rows = list(random_poses(24, -0.001, 6))
        self.check(WORKSHOP.fmu("cone", contact), rows, 2e-5, 3)

    def test_of_a_point_pair(self):
        contact = {"geometry": {"type": "sphere_plane", "sphere_radius": 0.1},
                   "normal": {"law": "hertz", "stiffness": 1e8, "restitution": 0.7}, "friction": BRISTLES}
        self.check(WORKSHOP.fmu("hertz", contact), list(random_poses(10, 0.098, 5)), 1e-6)

    def test_without(self):
        instance = Instance(WORKSHOP.fmu("mesh", MESH))
        instance.initialize(a__z=-0.01)
        with self.assertRaises(FmiError) as caught:
            instance.derivative(["a.fz"], ["a.z"], [1.0])
        self.assertEqual(caught.exception.status, DISCARD)
        instance.free()


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


class Instances(unittest.TestCase):
    @both
    def test_on_threads(self, version):
        fmu = WORKSHOP.fmu("peg", PEG, version)
        rows = list(random_poses(60, 0.02, 11))

        def wrenches(instance):
            result = []
            for row in rows:
                instance.call("Reset")
                instance.initialize()
                instance.set(INPUTS, row)
                instance.update()
                result.append(instance.get(*Run.WRENCHES))
            return result

        instances = [Instance(fmu, f"instance {i}") for i in range(8)]
        expected, answers = wrenches(instances[0]), [None] * 8

        def work(i):
            answers[i] = wrenches(instances[i])

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all(answer == expected for answer in answers))
        for instance in instances:
            instance.free()

    def test_start_at_once(self):
        fmu = WORKSHOP.fmu("ball", BALL)
        start = time.process_time()
        for _ in range(20):
            Instance(fmu).free()
        self.assertLess((time.process_time() - start) / 20, 0.01)

    @both
    def test_states_are_kept_and_restored(self, version):
        instance = Instance(WORKSHOP.fmu("ball", BALL, version))
        instance.initialize(a__z=0.099, a__vx=0.1)
        instance.update()
        instance.call("EnterContinuousTimeMode")
        instance.set_states([1e-5, 0, 0, 1e-4, 0.5])
        before = instance.get(*Run.WRENCHES)
        kept = instance.get_state()
        names = {2: ("SerializedFMUstateSize", "SerializeFMUstate", "DeSerializeFMUstate", "FreeFMUstate"),
                 3: ("SerializedFMUStateSize", "SerializeFMUState", "DeserializeFMUState", "FreeFMUState")}[version]
        size = c_size_t()
        instance.call(names[0], kept, byref(size))
        data = (c_char * size.value)()
        instance.call(names[1], kept, data, size)
        instance.set(["a.z", "a.vx"], [0.2, 0.0])
        instance.call("EnterEventMode")
        instance.update()
        self.assertEqual(instance.get(*Run.WRENCHES), [0.0] * 12)
        instance.set_state(kept)
        self.assertEqual(instance.get(*Run.WRENCHES), before)
        instance.call(names[3], byref(kept))
        self.assertIsNone(kept.value)
        # In another instance, from the bytes.
        other, state = Instance(WORKSHOP.fmu("ball", BALL, version)), c_void_p()
        other.call(names[2], data, size, byref(state))
        other.set_state(state)
        self.assertEqual(other.get(*Run.WRENCHES), before)
        self.assertEqual(other.status(names[2], data, c_size_t(16), byref(state)), ERROR)
        data[0] = b"x"
        self.assertEqual(other.status(names[2], data, size, byref(state)), ERROR)
        self.assertEqual(other.status(names[1], state, data, c_size_t(8)), ERROR)
        instance.free()
        other.free()

    @both
    def test_reset(self, version):
        instance = Instance(WORKSHOP.fmu("ball", BALL, version))
        instance.initialize(a__z=0.099, normal__restitution=0.2)
        instance.update()
        instance.call("Reset")
        instance.initialize()
        self.assertEqual(instance.get("a.z", "normal.restitution"), [0.2, 0.7])
        self.assertEqual(instance.get_discrete("contact.touches"), 0)
        instance.free()


class WrongUse(unittest.TestCase):
    """Errors with a message, and no crash; the instance goes on."""

    @both
    def test_instantiation(self, version):
        fmu = WORKSHOP.fmu("ball", BALL, version)
        nowhere = "file:///nowhere" if version == 2 else "/nowhere/"
        for arguments, expected in (({"token": "{1}"}, "token"), ({"name": " "}, "empty"), ({"resources": nowhere}, "nowhere")):
            with self.assertRaises(FmiError) as caught:
                Instance(fmu, **arguments)
            self.assertIn(expected, str(caught.exception.log))
        instantiate = getattr(fmu.library, {2: "fmi2Instantiate", 3: "fmi3InstantiateModelExchange"}[version])
        instantiate.restype = c_void_p
        self.assertIsNone(instantiate(*[None] * 7))
        if version == 3:
            for name, count in (("fmi3InstantiateCoSimulation", 12), ("fmi3InstantiateScheduledExecution", 10)):
                function = getattr(fmu.library, name)
                function.restype = c_void_p
                self.assertIsNone(function(*[None] * count))

    @both
    def test_modes(self, version):
        instance = Instance(WORKSHOP.fmu("ball", BALL, version))
        real = "Real" if version == 2 else "Float64"
        rates = {2: "GetDerivatives", 3: "GetContinuousStateDerivatives"}[version]
        wrong = {
            "instantiated": ["ExitInitializationMode", "EnterEventMode", "EnterContinuousTimeMode", "Terminate"],
            "initialization": ["EnterInitializationMode", "EnterEventMode", "EnterContinuousTimeMode", "Terminate"],
            "event": ["EnterInitializationMode", "ExitInitializationMode"],
            "continuous": ["EnterInitializationMode", "ExitInitializationMode", "EnterContinuousTimeMode"],
            "terminated": ["EnterInitializationMode", "ExitInitializationMode", "EnterEventMode", "EnterContinuousTimeMode", "Terminate"],
        }

        def refuse(mode):
            for name in wrong[mode]:
                before = len(instance.log)
                extra = [ctypes.c_bool(False), c_double(0), c_double(0), ctypes.c_bool(False), c_double(0)]
                arguments = extra if name == "EnterInitializationMode" and version == 3 else []
                self.assertEqual(instance.status(name, *arguments), ERROR, (mode, name))
                self.assertIn("must not be called in", instance.log[before][2])
            if mode != "continuous":
                flags = [(c_int * 1)(), (c_int * 1)()]
                self.assertEqual(instance.status("CompletedIntegratorStep", c_int(0), *flags), ERROR)

        refuse("instantiated")
        self.assertEqual(instance.status(rates, doubles([0] * 5), c_size_t(5)), ERROR)
        self.assertEqual(instance.status("SetTime", c_double(0.0)), ERROR)
        if version == 2:
            instance.call("EnterInitializationMode")
        else:
            instance.call("EnterInitializationMode", ctypes.c_bool(False), c_double(0), c_double(0), ctypes.c_bool(False), c_double(0))
        refuse("initialization")
        instance.call("ExitInitializationMode")
        refuse("event")
        one = [integers(instance.fmu.references("normal.restitution")), c_size_t(1), doubles([0.5])]
        tail = [c_size_t(1)] if version == 3 else []
        self.assertEqual(instance.status("Set" + real, *one, *tail), ERROR)
        self.assertIn("cannot be set after initialization", instance.log[-1][2])
        instance.update()
        instance.call("EnterContinuousTimeMode")
        refuse("continuous")
        instance.call("Terminate")
        refuse("terminated")
        self.assertEqual(instance.get("a.fz"), 0.0)
        instance.call("Reset")
        instance.initialize()
        instance.free()

    @both
    def test_arguments(self, version):
        instance = Instance(WORKSHOP.fmu("ball", BALL, version))
        instance.initialize(a__z=0.099)
        real = "Real" if version == 2 else "Float64"
        tail = [c_size_t(1)] if version == 3 else []
        vr = integers(instance.fmu.references("a.z"))
        for name, arguments, expected in (
                ("Get" + real, [integers([9999]), c_size_t(1), doubles([0]), *tail], "no variable with the value reference 9999"),
                ("Get" + real, [None, c_size_t(1), doubles([0]), *tail], "null"),
                ("Get" + real, [vr, c_size_t(1), None, *tail], "null"),
                ("Get" + real, [integers(instance.fmu.references("contact.touching")), c_size_t(1), doubles([0]), *tail], "no real variable"),
                ("Set" + real, [integers([9999]), c_size_t(1), doubles([0]), *tail], "9999"),
                ("Set" + real, [vr, c_size_t(1), doubles([math.nan]), *tail], "finite"),
                ("Set" + real, [integers(instance.fmu.references("a.fz")), c_size_t(1), doubles([1]), *tail], "cannot be set"),
                ("SetBoolean", [integers(instance.fmu.references("contact.touching")), c_size_t(1), (c_int * 1)(), *tail], "cannot be set"),
                ("GetBoolean", [vr, c_size_t(1), (c_int * 1)(), *tail], "no boolean variable"),
                ("GetString", [vr, c_size_t(1), (c_void_p * 1)(), *tail], "type"),
                ("SetString", [vr, c_size_t(1), (c_void_p * 1)(), *tail], "type"),
                ("GetContinuousStates", [doubles([0] * 7), c_size_t(7)], "7 and not 5"),
                ("SetContinuousStates", [None, c_size_t(5)], "null"),
                ("GetEventIndicators", [doubles([0, 0]), c_size_t(2)], "2 and not 1"),
                ("SetTime", [c_double(math.inf)], "time"),
                ({2: "NewDiscreteStates", 3: "UpdateDiscreteStates"}[version], [None] * 6, "null"),
                ({2: "GetFMUstate", 3: "GetFMUState"}[version], [None], "null"),
                ({2: "SetFMUstate", 3: "SetFMUState"}[version], [c_void_p(1234)], "not a state"),
                ({2: "SetFMUstate", 3: "SetFMUState"}[version], [None], "not a state"),
                ({2: "FreeFMUstate", 3: "FreeFMUState"}[version], [byref(c_void_p(1234))], "not a state")):
            self.assertEqual(instance.status(name, *arguments), ERROR, (name, expected))
            self.assertIn(expected, instance.log[-1][2].replace("##", "#"), name)
        instance.set(["a.qw", "a.qx", "a.qy", "a.qz"], [0, 0, 0, 0])
        with self.assertRaises(FmiError) as caught:
            instance.get("a.fz")
        self.assertEqual(caught.exception.status, DISCARD)
        instance.set("a.qw", 2.0)
        self.assertGreater(instance.get("a.fz"), 0)
        with self.assertRaises(FmiError):
            instance.derivative(["a.fz"], ["normal.restitution"], [1.0])
        with self.assertRaises(FmiError):
            instance.derivative(["a.z"], ["a.z"], [1.0])
        instance.free()

    @both
    def test_pointers(self, version):
        fmu = WORKSHOP.fmu("ball", BALL, version)
        instance = Instance(fmu)
        dead = instance.component
        instance.free()
        names = [name for name in subprocess.run(["nm", "-D", "--defined-only", fmu.library_path], capture_output=True, text=True,
                                                 check=True).stdout.split() if name.startswith(f"fmi{version}")]
        for pointer in (None, dead, 1):
            for name in names:
                if "Instantiate" in name or "GetVersion" in name or "GetTypesPlatform" in name:
                    continue
                status = getattr(fmu.library, name)(c_void_p(pointer), *[None] * 11)
                if "FreeInstance" not in name:
                    self.assertEqual(status, ERROR, name)

    def test_what_there_is_not(self):
        instance = Instance(WORKSHOP.fmu("ball", BALL, 3))
        for kind in ("Float32", "Int8", "UInt8", "Int16", "UInt16", "UInt32", "Int64", "UInt64", "String"):
            for way in ("Get", "Set"):
                self.assertEqual(instance.status(way + kind, None, c_size_t(0), None, c_size_t(0)), OK, kind)
                self.assertEqual(instance.status(way + kind, integers([1]), c_size_t(1), doubles([0]), c_size_t(1)), ERROR, kind)
        for name in ("EnterConfigurationMode", "EvaluateDiscreteStates", "EnterStepMode"):
            self.assertEqual(instance.status(name), ERROR)
        self.assertEqual(instance.status("GetNumberOfVariableDependencies", c_uint(1), byref(c_size_t())), ERROR)
        instance.free()

    @both
    def test_parameters(self, version):
        for name, value, expected in (("normal.restitution", 0.0, "restitution"), ("friction.sigma0", -1.0, "sigma0"),
                                      ("tolerance", 2.0, "tolerance")):
            instance = Instance(WORKSHOP.fmu("ball", BALL, version))
            instance.set(name, value)
            with self.assertRaises(FmiError) as caught:
                instance.initialize()
            self.assertEqual(caught.exception.status, ERROR)
            self.assertIn(expected, caught.exception.log[0][2])
            instance.free()


if __name__ == "__main__":
    unittest.addModuleCleanup(drop_fmus)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
