"""Scenarios as FMUs for co-simulation, against runs of the command and closed forms."""

import csv
import math
import os
import pathlib
import subprocess
import threading
import time
import unittest
from ctypes import byref, c_bool, c_char, c_double, c_int, c_size_t, c_void_p

import numpy as np

from description_rules import faults
from importer import ERROR, FmiError, Instance, doubles, integers
from workshop import BALL, ROOT, WORKSHOP, both, expect_refused_pointers, tool

# Two bodies in free space: of one the centre of mass is not the frame's origin.
DRIFT = ("drift", {
    "gravity": [0, 0, 0],
    "bodies": [{"name": "puck", "mass": 2, "inertia": [0.2, 0.3, 0.4], "pose": {"t": [0, 0, 1]}},
               {"name": "club", "mass": 2, "center_of_mass": [0.1, 0, 0], "inertia": [0.2, 0.3, 0.4]},
               {"name": "wall", "fixed": True}],
    "integrator": {"method": "adaptive", "tolerance": 1e-10}, "end_time": 1})
DROP = ("drop", {
    "bodies": [{"name": "ball", "solid": {"sphere": {"radius": 0.1}}, "density": 1000, "pose": {"t": [0, 0, 0.11]}},
               {"name": "floor", "solid": {"file": "floor.json"}, "fixed": True}],
    "contacts": [{"name": "touch", "a": "ball", "b": "floor", "normal": {"stiffness": 1e8, "restitution": 0.5},
                  "friction": {"mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}}],
    "integrator": {"method": "adaptive", "tolerance": 1e-8}, "end_time": 0.2, "output_interval": 0.01})
GEAR = ("gear_on_a_box", {
    "bodies": [{"name": "gear", "solid": {"mesh": {"file": str(ROOT / "data/meshes/gear.obj")}}, "density": 1000, "pose": {"t": [0, 0, 0.056]}},
               {"name": "plate", "solid": {"box": {"size": [1, 1, 0.1]}}, "fixed": True}],
    "contacts": [{"name": "touch", "a": "gear", "b": "plate", "normal": {"stiffness": 1e9, "restitution": 0.5},
                  "friction": {"mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}}],
    "integrator": {"method": "adaptive", "tolerance": 1e-8}, "end_time": 0.2, "output_interval": 0.01})
# A slider of 2 kg on a motor, without and with what follows its position.
SERVO = ("servo", {
    "gravity": [0, 0, 0],
    "bodies": [{"name": "cart", "mass": 2, "inertia": [1, 1, 1], "joint": {"type": "slider"}}],
    "motors": [{"name": "drive", "body": "cart", "position": 0, "stiffness": 50, "damping": 4}],
    "integrator": {"method": "adaptive", "tolerance": 1e-10}, "end_time": 1})
MEASURED = ["ball.z", "ball.vz", "touch.fn", "touch.touches", "energy.kinetic"]


def drop(version=2):
    (WORKSHOP.folder / "floor.json").write_text('{"half_space": {}}')
    return WORKSHOP.scenario(DROP, version)


def steps_of(instance, count, size, columns, first=0):
    """Values after each of `count` steps, which end at multiples of `size` to the last bit."""
    rows = []
    for i in range(first, first + count):
        instance.step(i * size, (i + 1) * size - i * size)
        rows.append(instance.get(*columns))
    return rows


class Archive(unittest.TestCase):
    @both
    def test_follows_the_rules(self, version):
        for fmu in (drop(version), WORKSHOP.scenario(DRIFT, version), WORKSHOP.scenario(SERVO, version), WORKSHOP.scenario("bounce", version, "--variant", "drop")):
            self.assertEqual(list(faults(fmu)), [])
            self.assertIsNone(fmu.exchange)
            self.assertEqual([v.kind for v in fmu.variables if v.kind != "Real"], [])

    def test_says_what_it_has(self):
        fmu = drop()
        wrench = ["ball." + part + axis for part in "ft" for axis in "xyz"]
        self.assertEqual([v.name for v in fmu.variables if v.causality == "input"], wrench)
        outputs = [v.name for v in fmu.variables if v.causality == "output"]
        out = WORKSHOP.folder / "columns"
        tool("simulate", WORKSHOP.folder / "drop.json", "--out", out, "--no-plots", "--set", "end_time=0.01")
        self.assertEqual(["t", *outputs], (out / "timeseries.csv").read_text(encoding="utf-8").splitlines()[0].split(","))
        for name, start, unit in (("contacts.0.normal.restitution", 0.5, "1"), ("gravity.2", -9.81, "m/s2"),
                                  ("bodies.0.pose.t.2", 0.11, "m"), ("contacts.0.normal.stiffness", 1e8, None)):
            variable = fmu.by_name[name]
            self.assertEqual((variable.start, variable.unit, variable.causality), (start, unit, "parameter"))
        self.assertNotIn("bodies.0.solid.sphere.radius", fmu.by_name)
        self.assertIn("resources/solid_1.json", fmu.members)

    def test_brings_what_it_needs(self):
        """All libraries are in the folder, or the C library's; with their licenses."""
        fmu = drop()
        folder = fmu.library_path.parent
        for environment in ({}, {"LD_LIBRARY_PATH": "/usr/lib/x86_64-linux-gnu"}):
            linked = subprocess.run(["ldd", fmu.library_path], capture_output=True, text=True, check=True,
                                    env={"PATH": os.environ["PATH"], **environment}).stdout
            for line in linked.splitlines():
                name = line.split()[0].split("/")[-1]
                if name.split(".")[0] not in ("linux-vdso", "libc", "libm", "ld-linux-x86-64"):
                    self.assertIn(f"=> {folder / name} ", line)
            for library in folder.iterdir():
                self.assertTrue(library == fmu.library_path or f"=> {library} " in linked, library)
        symbols = subprocess.run(["nm", "-D", "--defined-only", fmu.library_path], capture_output=True, text=True, check=True)
        shown = [line.split()[-1] for line in symbols.stdout.splitlines()]
        self.assertEqual([s for s in shown if not s.startswith(("fmi2", "fmi3"))], [])
        # Of the functions of 3.0 there are all, whatever an FMU can.
        contact = subprocess.run(["nm", "-D", "--defined-only", WORKSHOP.fmu("ball", BALL).library_path], capture_output=True,
                                 text=True, check=True)
        self.assertEqual({s for s in shown if s.startswith("fmi3")},
                         {line.split()[-1] for line in contact.stdout.splitlines() if " fmi3" in line})
        if pathlib.Path("/var/lib/dpkg/info").exists():
            listed = (fmu.folder / "documentation/licenses/license.txt").read_text(encoding="utf-8")
            for library in folder.iterdir():
                if library != fmu.library_path:
                    self.assertIn(library.name + ": lib", listed)

    def test_refusals(self):
        bounce = ROOT / "data/scenarios/bounce.json"
        out = WORKSHOP.folder / "wrong.fmu"
        contact = WORKSHOP.folder / "ball_contact.json"
        fmu = WORKSHOP.fmu("ball", BALL)
        nothing = WORKSHOP.folder / "nothing.json"
        nothing.write_text('{"bodies": [], "end_time": 1}')
        for arguments, expected in (
                ([bounce], "name one (--variant): drop, "), ([bounce, "--variant", "none"], "no variant \"none\""),
                ([bounce, "--variant", "drop", "--set", "end_time=-1"], "end_time"),
                ([bounce, "--variant", "drop", "--library", fmu.library_path], "fmi2DoStep is missing"),
                ([bounce, "--variant", "drop", "--fmi", 4], "2 or 3"),
                ([contact, "--variant", "drop"], "is a contact"), ([contact, "--library", drop().library_path], "model exchange"),
                ([nothing], "no body moves")):
            message = tool("fmu", *arguments, "--out", out, status=2)
            self.assertIn(expected, message)
            self.assertEqual(message.count("\n"), 1, message)
            self.assertFalse(out.exists())


class Motion(unittest.TestCase):
    """The motion of `simulate`: of the same steps to the last bit."""

    def run_both(self, version, name, end, interval, variant=None):
        settings = ["--set", f"end_time={end}", "--set", f"output_interval={interval}"]
        settings += ["--variant", variant] if variant else []
        out = WORKSHOP.folder / f"run_{name}_{version}"
        tool("simulate", ROOT / "data/scenarios" / f"{name}.json", "--out", out, "--no-plots", *settings)
        with open(out / (variant or "") / "timeseries.csv", encoding="utf-8") as stream:
            rows = list(csv.reader(stream))
        names, expected = rows[0][1:], np.array(rows[1:], dtype=float)[:, 1:]
        instance = Instance(WORKSHOP.scenario(name, version, *settings))
        instance.initialize()
        found = np.array([instance.get(*names)] + steps_of(instance, len(expected) - 1, interval, names))
        different = [names[i] for i in range(len(names)) if not np.array_equal(found[:, i], expected[:, i])]
        self.assertEqual(different, [])
        return instance, names, expected

    @both
    def test_bounce(self, version):
        instance, names, expected = self.run_both(version, "bounce", 0.1, 4e-5, "last_bounces")
        # By longer steps, of a length that is no multiple of anything.
        instance.call("Reset")
        instance.initialize()
        for i in range(9):
            instance.step(i * 0.01111111111, 0.01111111111)
        instance.step(9 * 0.01111111111, 0.1 - 9 * 0.01111111111)
        height, touches = instance.get("ball.z", "contact.touches")
        self.assertAlmostEqual(height, expected[-1][names.index("ball.z")], delta=1e-9)
        self.assertEqual(touches, expected[-1][names.index("contact.touches")])
        instance.free()

    def test_stick_slip(self):
        instance, names, expected = self.run_both(3, "stick_slip", 30, 0.02, "belt_005")
        self.assertAlmostEqual(expected[:, names.index("contact.ft")].max(), 1.5, delta=0.006)
        instance.free()

    def test_of_several_bodies(self):
        self.run_both(2, "stack", 0.05, 0.01)[0].free()


class Steps(unittest.TestCase):
    @both
    def test_targets_of_motors(self, version):
        """A set-point of a PD law: 1 - e^-t (cos w t + sin w t/w), w = 2 sqrt(6) rad/s, and where it is taken back."""
        fmu = WORKSHOP.scenario(SERVO, version)
        self.assertEqual([v.name for v in fmu.variables if v.causality == "input"][-1], "drive.input")
        self.assertEqual(fmu.by_name["motors.0.stiffness"].start, 50)
        instance = Instance(fmu)
        instance.initialize()
        instance.set("drive.input", 0.3)
        rows = steps_of(instance, 10, 0.1, ["cart.x", "drive.target"])
        w = math.sqrt(24)
        for i, (x, target) in enumerate(rows):
            t = 0.1 * (i + 1)
            self.assertAlmostEqual(x, 0.3 * (1 - math.exp(-t) * (math.cos(w * t) + math.sin(w * t) / w)), delta=1e-8)
            self.assertEqual(target, 0.3)
        instance.set("drive.input", 0.0)
        steps_of(instance, 200, 0.1, ["cart.x"], first=10)
        self.assertAlmostEqual(instance.get("cart.x"), 0, delta=1e-7)
        instance.free()

    @both
    def test_wrenches(self, version):
        """Closed forms: a force and a torque about an axis of inertia, and a force beside the centre of mass."""
        instance = Instance(WORKSHOP.scenario(DRIFT, version))
        instance.initialize(start=3.0)
        instance.set(["puck.fx", "puck.tz"], [4.0, 0.8])
        instance.step(3.0, 0.5)
        found = instance.get("time", "puck.x", "puck.vx", "puck.wz", "puck.qw", "puck.z", "energy.work", "energy.kinetic")
        np.testing.assert_allclose(found, [3.5, 0.25, 1.0, 1.0, math.cos(0.125), 1.0, 1.2, 1.2], rtol=1e-9)
        instance.set(["puck.fx", "puck.tz", "club.fy"], [0.0, 0.0, 3.0])
        instance.step(3.5, 1e-4)
        turn, push = instance.get("club.wz", "club.vy")
        self.assertAlmostEqual(turn / 1e-4, -0.1 * 3.0 / 0.4, delta=1e-6)
        self.assertAlmostEqual(push / 1e-4, 3.0 / 2 + 0.1 * 0.1 * 3.0 / 0.4, delta=1e-6)
        instance.set("club.fy", 0.0)
        instance.step(3.5001, 0.4999)
        found = instance.get("puck.x", "puck.vx", "puck.wz")
        np.testing.assert_allclose(found, [0.75, 1.0, 1.0], rtol=1e-9)
        self.assertLess(abs(instance.get("energy.residual")), 1e-9)
        instance.free()

    def test_held_up(self):
        """A ball that is carried by its weight's opposite falls once it is let go."""
        instance = Instance(drop())
        weight = 1000 * 4 / 3 * math.pi * 1e-3 * 9.81
        instance.initialize(ball__fz=weight)
        steps_of(instance, 5, 0.01, MEASURED)
        self.assertAlmostEqual(instance.get("ball.z"), 0.11, delta=1e-12)
        instance.set("ball.fz", 0.0)
        steps_of(instance, 3, 0.01, MEASURED, first=5)
        self.assertAlmostEqual(instance.get("ball.z"), 0.11 - 0.5 * 9.81 * 0.03**2, delta=1e-9)
        instance.free()

    @both
    def test_parameters_and_reset(self, version):
        instance = Instance(drop(version))
        instance.initialize()
        first = steps_of(instance, 12, 0.01, MEASURED)
        self.assertGreaterEqual(first[-1][3], 1.0)
        instance.call("Reset")
        instance.set(["gravity.2", "contacts.0.normal.restitution"], [0.0, 0.9])
        instance.initialize()
        self.assertEqual(steps_of(instance, 3, 0.01, ["ball.z"])[-1], 0.11)
        instance.call("Reset")
        instance.initialize()
        self.assertEqual(steps_of(instance, 12, 0.01, MEASURED), first)
        instance.free()

    def test_as_set_in_the_file(self):
        """A parameter does what --set does."""
        instance = Instance(drop())
        instance.set(["contacts.0.normal.restitution", "bodies.0.pose.t.2"], [0.8, 0.105])
        instance.initialize()
        options = ["--set", "contacts.0.normal.restitution=0.8", "--set", "bodies.0.pose.t.2=0.105"]
        other = Instance(WORKSHOP.scenario(DROP, 2, *options))
        other.initialize()
        self.assertEqual(steps_of(instance, 10, 0.01, MEASURED), steps_of(other, 10, 0.01, MEASURED))
        instance.free()
        other.free()

    @both
    def test_states(self, version):
        instance = Instance(drop(version))
        instance.initialize()
        instance.set("ball.fx", 0.5)
        steps_of(instance, 6, 0.01, MEASURED)
        kept, before = instance.get_state(), instance.get(*MEASURED)
        after = steps_of(instance, 6, 0.01, MEASURED, first=6)
        instance.set_state(kept)
        self.assertEqual(instance.get(*MEASURED), before)
        self.assertEqual(instance.get("ball.fx"), 0.5)
        again = steps_of(instance, 6, 0.01, MEASURED, first=6)
        np.testing.assert_allclose(again, after, rtol=1e-5, atol=1e-7)
        names = {2: ("SerializedFMUstateSize", "SerializeFMUstate", "DeSerializeFMUstate"),
                 3: ("SerializedFMUStateSize", "SerializeFMUState", "DeserializeFMUState")}[version]
        size = c_size_t()
        instance.call(names[0], kept, byref(size))
        data = (c_char * size.value)()
        instance.call(names[1], kept, data, size)
        other, state = Instance(drop(version)), c_void_p()
        other.call(names[2], data, size, byref(state))
        other.set_state(state)
        self.assertEqual(steps_of(other, 6, 0.01, MEASURED, first=6), again)
        for length in (0, 16, size.value // 2, size.value - 1):
            self.assertEqual(other.status(names[2], data, c_size_t(length), byref(c_void_p())), ERROR, length)
        # Of the right length, and no state: refused when it is set, and what was goes on.
        where = bytes(data).index(b'"y":') + 6
        data[where] = b"x"
        wrong = c_void_p()
        other.call(names[2], data, size, byref(wrong))
        with self.assertRaises(FmiError) as caught:
            other.set_state(wrong)
        self.assertIn("cannot be restored", str(caught.exception))
        other.step(0.12, 0.01)
        instance.free()
        other.free()

    @both
    def test_on_threads(self, version):
        fmu, found = drop(version), {}

        def work(i):
            instance = Instance(fmu, f"instance {i}")
            instance.set("contacts.0.normal.restitution", 0.3 + 0.2 * (i % 2))
            instance.initialize()
            found[i] = steps_of(instance, 15, 0.01, MEASURED)
            instance.free()

        work(0)
        work(1)
        threads = [threading.Thread(target=work, args=(i,)) for i in range(2, 6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertNotEqual(found[0], found[1])
        for i in range(2, 6):
            self.assertEqual(found[i], found[i % 2])


class WrongSteps(unittest.TestCase):
    """Errors with a message, and no crash; the instance goes on, unless a step has failed."""

    @both
    def test_steps(self, version):
        instance = Instance(drop(version))
        answers = instance.step_answers()

        def refuse(expected, time, size):
            self.assertEqual(instance.status("DoStep", c_double(time), c_double(size), *answers), ERROR, expected)
            self.assertIn(expected, instance.log[-1][2])

        refuse("must not be called in the state Instantiated", 0, 0.01)
        instance.initialize(stop=0.1)
        for expected, time, size in (("longer than 0", 0, 0), ("longer than 0", 0, -1), ("longer than 0", 0, math.inf),
                                     ("longer than 0", 0, math.nan), ("the last one ended at 0", 0.5, 0.01),
                                     ("the last one ended at 0", math.nan, 0.01), ("the experiment ends at 0.1", 0, 0.2)):
            refuse(expected, time, size)
        if version == 3:
            self.assertEqual(instance.status("DoStep", c_double(0), c_double(0.01), c_bool(True), *[None] * 4), ERROR)
        real, tail = ("Real", []) if version == 2 else ("Float64", [c_size_t(1)])
        for name, value, expected in (("ball.fx", math.nan, "finite"), ("ball.z", 1.0, "cannot be set by"),
                                      ("gravity.2", 1.0, "cannot be set after"), ("time", 1.0, "cannot be set by")):
            vr = integers(instance.fmu.references(name))
            self.assertEqual(instance.status("Set" + real, vr, c_size_t(1), doubles([value]), *tail), ERROR, name)
            self.assertIn(expected, instance.log[-1][2])
        for way, kind in (("Get", "Boolean"), ("Set", "Boolean"), ("Get", "Integer" if version == 2 else "Int32")):
            vr = integers(instance.fmu.references("ball.z"))
            self.assertEqual(instance.status(way + kind, vr, c_size_t(1), (c_int * 1)(), *tail), ERROR)
        self.assertEqual(instance.status("Get" + real, integers([9999]), c_size_t(1), doubles([0]), *tail), ERROR)
        instance.step(0, 0.1)
        instance.call("Terminate")
        refuse("must not be called in the state Terminated", 0.1, 0.01)
        self.assertLess(instance.get("ball.z"), 0.11)
        instance.free()

    @both
    def test_values_that_make_no_model(self, version):
        for name, value, expected in (("contacts.0.normal.restitution", 0.0, "restitution"),
                                      ("bodies.0.density", -1.0, "density"), ("integrator.tolerance", 2.0, "tolerance")):
            instance = Instance(drop(version))
            instance.set(name, value)
            with self.assertRaises(FmiError) as caught:
                instance.initialize()
            self.assertEqual(caught.exception.status, ERROR)
            self.assertIn(expected, caught.exception.log[0][2])
            instance.set(name, instance.fmu.by_name[name].start)
            instance.call("ExitInitializationMode")
            instance.step(0.0, 0.01)
            instance.free()

    @both
    def test_a_step_that_fails(self, version):
        instance = Instance(drop(version))
        instance.initialize()
        instance.step(0.0, 0.01)
        kept, before = instance.get_state(), instance.get(*MEASURED)
        instance.set("ball.tx", 1e308)
        with self.assertRaises(FmiError) as caught:
            instance.step(0.01, 0.01)
        self.assertEqual(caught.exception.status, ERROR)
        with self.assertRaises(FmiError) as caught:
            instance.step(0.01, 0.01)
        self.assertIn("after an error", str(caught.exception))
        instance.set_state(kept)
        self.assertEqual(instance.get(*MEASURED), before)
        with self.assertRaises(FmiError) as caught:
            instance.step(0.01, 1e9)
        self.assertIn("ten million steps", str(caught.exception))
        instance.set_state(kept)
        instance.step(0.01, 0.01)
        instance.call("Reset")
        instance.initialize()
        instance.step(0.0, 0.01)
        instance.free()

    @both
    def test_forces_beyond_all_bounds(self, version):
        """A step ends soon, with an error or the motion, whatever pushes and whatever touches."""
        pushed = [(drop(version), "ball.fz", -1e20), (drop(version), "ball.fz", 1e20), (drop(version), "ball.fx", 1e300)]
        for scenario, body in (("stack", "box_3"), (GEAR, "gear")):
            pushed += [(WORKSHOP.scenario(scenario, version), f"{body}.{part}", value)
                       for part in ("fx", "fz", "tx") for value in (-1e20, 1e20)]
            pushed.append((WORKSHOP.scenario(scenario, version), f"{body}.fz", -1e12))
        failed = 0
        for fmu, name, value in pushed:
            instance = Instance(fmu)
            instance.initialize()
            instance.step(0.0, 0.002)
            instance.set(name, value)
            begin = time.process_time()
            try:
                instance.step(0.002, 0.01)
            except FmiError as error:
                failed += 1
                self.assertEqual(error.status, ERROR)
                self.assertIn("forces", str(error))
            self.assertLess(time.process_time() - begin, 10, (name, value))
            instance.free()
        self.assertGreaterEqual(failed, 12)

    @both
    def test_pointers(self, version):
        expect_refused_pointers(self, drop(version), version)

    def test_what_there_is_not(self):
        fmu = drop(3)
        instance = Instance(fmu)
        for name in ("EnterEventMode", "EnterStepMode", "EnterContinuousTimeMode", "EnterConfigurationMode"):
            self.assertEqual(instance.status(name), ERROR)
        for name in ("fmi3InstantiateModelExchange", "fmi3InstantiateScheduledExecution"):
            function = getattr(fmu.library, name)
            function.restype = c_void_p
            self.assertIsNone(function(*[None] * 12))
        instance.free()
        # Event mode is used by nobody whom the description has told that there is none.
        instantiate = fmu.library.fmi3InstantiateCoSimulation
        instantiate.restype = c_void_p
        head = [b"name", fmu.token.encode(), f"{fmu.folder}/resources/".encode(), c_bool(False), c_bool(False)]
        self.assertIsNone(instantiate(*head, c_bool(True), c_bool(False), None, c_size_t(0), None, None, None))
        two = Instance(drop(2))
        two.initialize()
        when, flag = c_double(), c_int()
        two.call("GetRealStatus", c_int(2), byref(when))
        two.call("GetBooleanStatus", c_int(3), byref(flag))
        self.assertEqual((when.value, flag.value), (0.0, 0))
        for name, arguments in (("CancelStep", []), ("GetRealStatus", [c_int(0), byref(when)]), ("GetRealStatus", [c_int(2), None]),
                                ("SetRealInputDerivatives", [None, c_size_t(0), None, None]),
                                ("GetIntegerStatus", [c_int(0), None])):
            self.assertEqual(two.status(name, *arguments), ERROR, name)
        two.free()
