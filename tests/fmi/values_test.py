"""Descriptions, wrenches and derivatives of FMUs against the rules, the library, and differences."""

import csv
import json
import random
import subprocess
import unittest

import numpy as np

from description_rules import faults
from importer import DISCARD, FmiError, Instance, Run
from workshop import (BALL, BRISTLES, INPUTS, MESH, PEG, PEG_SOLID, ROOT, STILL, WORKSHOP, both, random_poses,
                      scenario_contact, tool)


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
        self.assertEqual(WORKSHOP.fmu("mesh", MESH, version).exchange.get(flag), "true")
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
            "patches": ({**BALL, "geometry": {"per_patch": True}}, "one contact for the whole overlap"),
            "point law": ({**BALL, "normal": {"law": "linear", "stiffness": 1}}, "sphere_plane"),
            "no file": ({**BALL, "solid_a": {"file": "none.stl"}}, "none.stl"),
            "typing": ({**BALL, "solid_c": {}}, "solid_c"),
            "no name": ({**BALL, "name": ""}, "at name: "),
            "no bounds": ({**BALL, "solid_a": {"half_space": {}}}, "wrong.json: the overlap"),
        }
        for name, (contact, expected) in wrong.items():
            file = WORKSHOP.folder / "wrong.json"
            file.write_text(json.dumps(contact))
            message = tool("fmu", file, "--out", WORKSHOP.folder / "wrong.fmu", status=2)
            self.assertIn(expected, message, name)
            self.assertEqual(message.count("\n"), 1, name)
            self.assertFalse((WORKSHOP.folder / "wrong.fmu").exists())
        # Of the FMU's own library, one half, which has lost its tables, and all of it without a function of 3.0.
        library = WORKSHOP.fmu("ball", BALL).library_path.read_bytes()
        half, other = WORKSHOP.folder / "half.so", WORKSHOP.folder / "other.so"
        half.write_bytes(library[:len(library) // 2])
        other.write_bytes(library.replace(b"fmi3UpdateDiscreteStates", b"fmi3UpdateDiscreteThings"))
        file = WORKSHOP.folder / "ball.json"
        file.write_text(json.dumps(BALL))
        tool("fmu", file, "--out", WORKSHOP.folder / "other.fmu", "--library", other)
        self.assertIn("w.zip: importers take files that end in .fmu", tool("fmu", file, "--out", WORKSHOP.folder / "w.zip", status=2))
        for arguments, expected in ((["--fmi", 4, "--library", "none"], "2 or 3"), (["--library", ROOT / "README.md"], "shared library"),
                                    (["--library", "none.so"], "none.so: cannot be opened"), (["--library", half], "fmi2"),
                                    (["--library", other, "--fmi", 3], "fmi3UpdateDiscreteStates is missing")):
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

    def test_where_relaxation_has_nearly_caught_up(self):
        # At rest the force is k (V − relaxation), whose slope is that of the cap, as near to its kink as may be.
        contact = {**BALL, "normal": {"stiffness": 1e9}, "tau_relaxation": 0.01}
        fmu = WORKSHOP.fmu("relaxed", contact)
        instance = Instance(fmu)
        R, h = 0.1, 0.002
        instance.initialize(a__z=R - h)
        instance.update()
        instance.call("EnterContinuousTimeMode")
        volume, slope = np.pi * h * h * (3 * R - h) / 3, -np.pi * h * (2 * R - h)
        for left in (1e-2, 1e-5, 1e-8, 1e-9):
            states = [0.0] * len(fmu.states)
            states[[v.name for v in fmu.states].index("contact.relaxation")] = (1 - left) * volume
            instance.set_states(states)
            [rate] = instance.derivative(["contact.fn"], ["a.z"], [1.0])
            self.assertAlmostEqual(rate / (1e9 * slope), 1.0, delta=1e-5, msg=left)
        instance.free()

    def test_without(self):
        # Upside down, a face of the wedge lies in the plane.
        instance = Instance(WORKSHOP.fmu("mesh", MESH))
        instance.initialize(a__z=0.0, a__qw=0.0, a__qx=1.0)
        with self.assertRaises(FmiError) as caught:
            instance.derivative(["a.fz"], ["a.z"], [1.0])
        self.assertEqual(caught.exception.status, DISCARD)
        instance.free()
