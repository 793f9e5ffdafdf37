"""Instances on threads, their states, and wrong use."""

import ctypes
import math
import subprocess
import threading
import time
import unittest
from ctypes import byref, c_char, c_double, c_int, c_size_t, c_uint, c_void_p

from importer import DISCARD, ERROR, OK, FmiError, Instance, Run, doubles, integers
from workshop import BALL, INPUTS, PEG, WORKSHOP, both, expect_refused_pointers, random_poses


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
                ("Get" + real, [integers(instance.fmu.references("contact.touching")), c_size_t(1), doubles([0]), *tail], "is not a real variable"),
                ("Set" + real, [integers([9999]), c_size_t(1), doubles([0]), *tail], "9999"),
                ("Set" + real, [vr, c_size_t(1), doubles([math.nan]), *tail], "finite"),
                ("Set" + real, [integers(instance.fmu.references("a.fz")), c_size_t(1), doubles([1]), *tail], "cannot be set"),
                ("SetBoolean", [integers(instance.fmu.references("contact.touching")), c_size_t(1), (c_int * 1)(), *tail], "cannot be set"),
                ("GetBoolean", [vr, c_size_t(1), (c_int * 1)(), *tail], "is not a boolean variable"),
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
        expect_refused_pointers(self, WORKSHOP.fmu("ball", BALL, version), version)

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
