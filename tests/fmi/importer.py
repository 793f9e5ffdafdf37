"""An importer of FMUs, written from the standard (FMI 2.0 and 3.0): reads the description, calls the functions, and
with those for model exchange integrates bodies by scipy's integrators, with events located and handled."""

import ctypes
import itertools
import pathlib
import xml.etree.ElementTree
import zipfile
from ctypes import byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p

from scipy.integrate import DOP853
from scipy.optimize import brentq

OK, WARNING, DISCARD, ERROR = range(4)
FOLDER = {2: "binaries/linux64", 3: "binaries/x86_64-linux"}
TYPES_2 = {"Real": "Real", "Integer": "Integer", "Boolean": "Boolean"}
TYPES_3 = {"Float64": "Real", "Int32": "Integer", "Boolean": "Boolean"}
# Hysteresis of event indicators, so that an event that has been handled is behind.
HYSTERESIS = 1e-13


class Variable:
    def __init__(self, element, kind, attributes):
        self.name, self.reference = element.get("name"), int(element.get("valueReference"))
        self.causality = element.get("causality", "local")
        self.variability, self.initial = element.get("variability"), element.get("initial")
        self.kind, self.unit = kind, attributes.get("unit")
        self.start = float(attributes["start"]) if "start" in attributes else None
        self.derivative = int(attributes["derivative"]) if "derivative" in attributes else None


class Fmu:
    """An FMU unpacked into a folder, with its library loaded."""

    def __init__(self, path, folder):
        self.path, self.folder = pathlib.Path(path), pathlib.Path(folder)
        with zipfile.ZipFile(path) as archive:
            self.members = archive.namelist()
            archive.extractall(folder)
        self.tree = xml.etree.ElementTree.parse(self.folder / "modelDescription.xml").getroot()
        self.version = int(self.tree.get("fmiVersion")[0])
        self.token = self.tree.get("guid" if self.version == 2 else "instantiationToken")
        self.exchange, self.steps = self.tree.find("ModelExchange"), self.tree.find("CoSimulation")
        self.model = (self.steps if self.exchange is None else self.exchange).get("modelIdentifier")
        self.variables = [self.variable(e) for e in self.tree.find("ModelVariables")]
        self.by_name = {v.name: v for v in self.variables}
        self.library_path = self.folder / FOLDER[self.version] / (self.model + ".so")
        self.library = ctypes.CDLL(str(self.library_path))
        self.states = [self.variables[i] for i in self.state_places()]
        self.rates = [v for v in self.variables if v.derivative is not None]

    def variable(self, element):
        if self.version == 2:
            value = next(iter(element))
            return Variable(element, TYPES_2[value.tag], value.attrib)
        return Variable(element, TYPES_3[element.tag], element.attrib)

    def state_places(self):
        places = [v.derivative - (1 if self.version == 2 else 0) for v in self.variables if v.derivative is not None]
        if self.version == 3:
            references = [v.reference for v in self.variables]
            return [references.index(place) for place in places]
        return places

    def references(self, *names):
        return [self.by_name[name].reference for name in names]


LOGGER_2 = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_int, c_char_p, c_char_p)
LOGGER_3 = ctypes.CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)


class Callbacks2(ctypes.Structure):
    _fields_ = [("logger", c_void_p), ("allocate", c_void_p), ("free", c_void_p), ("finished", c_void_p),
                ("environment", c_void_p)]


class EventInfo2(ctypes.Structure):
    _fields_ = [("needed", c_int), ("terminate", c_int), ("nominals", c_int), ("states", c_int),
                ("next_defined", c_int), ("next", c_double)]


def doubles(values):
    values = list(values)
    return (c_double * max(len(values), 1))(*values)


def integers(values):
    values = list(values)
    return (c_uint * max(len(values), 1))(*values)


class FmiError(Exception):
    """A function returned an error: its status, and what was logged."""

    def __init__(self, function, status, log):
        super().__init__(f"{function}: status {status}: {log}")
        self.status, self.log = status, log


class Instance:
    """An instance; functions raise FmiError unless they return OK."""

    def __init__(self, fmu, name="instance", token=None, resources=None, logging=True):
        self.fmu, self.log, self.component = fmu, [], None
        self.prefix = f"fmi{fmu.version}"
        token = fmu.token if token is None else token
        folder = fmu.folder / "resources"
        if fmu.version == 2:
            self.logger = LOGGER_2(lambda e, n, s, c, m: self.log.append((s, c.decode(), m.decode())))
            self.callbacks = Callbacks2(ctypes.cast(self.logger, c_void_p), None, None, None, None)
            where = folder.as_uri() if resources is None else resources
            kind = 0 if fmu.steps is None else 1
            self.component = self.function("Instantiate", c_void_p)(
                name.encode(), kind, token.encode(), where.encode(), byref(self.callbacks), 0, int(logging))
        else:
            self.logger = LOGGER_3(lambda e, s, c, m: self.log.append((s, c.decode(), m.decode())))
            where = f"{folder}/" if resources is None else resources
            head = [name.encode(), token.encode(), where.encode(), c_bool(False), c_bool(logging)]
            if fmu.steps is None:
                self.component = self.function("InstantiateModelExchange", c_void_p)(*head, None, self.logger)
            else:
                self.component = self.function("InstantiateCoSimulation", c_void_p)(
                    *head, c_bool(False), c_bool(False), None, c_size_t(0), None, self.logger, None)
        if not self.component:
            raise FmiError("Instantiate", ERROR, self.log)

    def function(self, name, result=c_int):
        # A type of its own for each use: the library's functions are shared by threads.
        address = ctypes.cast(getattr(self.fmu.library, self.prefix + name), c_void_p).value
        kind = ctypes.CFUNCTYPE(result)
        function = kind(address)
        function.argtypes = None
        return function

    def status(self, name, *arguments):
        """What a function returns."""
        return self.function(name)(c_void_p(self.component), *arguments)

    def call(self, name, *arguments):
        before = len(self.log)
        status = self.status(name, *arguments)
        if status != OK:
            raise FmiError(name, status, self.log[before:])

    def free(self):
        self.function("FreeInstance", None)(c_void_p(self.component))
        self.component = None

    # One and the same for both versions.

    def initialize(self, start=0.0, stop=None, **values):
        """Up to event or step mode; values of variables by their names, with a double underscore for the dot."""
        for name, value in values.items():
            self.set(name.replace("__", "."), value)
        if self.fmu.version == 2:
            self.call("SetupExperiment", 0, c_double(0.0), c_double(start), int(stop is not None), c_double(stop or 0.0))
            self.call("EnterInitializationMode")
        else:
            self.call("EnterInitializationMode", c_bool(False), c_double(0.0), c_double(start), c_bool(stop is not None),
                      c_double(stop or 0.0))
        self.call("ExitInitializationMode")

    def step(self, time, size):
        """One step of co-simulation."""
        self.call("DoStep", c_double(time), c_double(size), *self.step_answers())

    def step_answers(self):
        """Arguments of DoStep after the times."""
        if self.fmu.version == 2:
            return [1]
        return [c_bool(True), *((c_bool * 1)() for _ in range(3)), (c_double * 1)()]

    def set(self, names, values):
        names, values = ([names], [values]) if isinstance(names, str) else (names, list(values))
        self.set_references(integers(self.fmu.references(*names)), values)

    def set_references(self, references, values):
        count = c_size_t(len(values))
        tail = [doubles(values)] + ([count] if self.fmu.version == 3 else [])
        self.call("SetReal" if self.fmu.version == 2 else "SetFloat64", references, count, *tail)

    def get(self, *names):
        values = self.get_references(integers(self.fmu.references(*names)), len(names))
        return values if len(names) > 1 else values[0]

    def get_references(self, references, n):
        values, count = doubles([0.0] * n), c_size_t(n)
        tail = [values] + ([count] if self.fmu.version == 3 else [])
        self.call("GetReal" if self.fmu.version == 2 else "GetFloat64", references, count, *tail)
        return list(values)[:n]

    def get_discrete(self, name):
        variable = self.fmu.by_name[name]
        kind = {"Integer": "Integer" if self.fmu.version == 2 else "Int32", "Boolean": "Boolean"}[variable.kind]
        value = (c_bool * 1)() if self.fmu.version == 3 and kind == "Boolean" else (c_int * 1)()
        tail = [c_size_t(1)] if self.fmu.version == 3 else []
        self.call("Get" + kind, integers([variable.reference]), c_size_t(1), value, *tail)
        return value[0]

    def update(self):
        """One update of the discrete states; whether the continuous ones changed."""
        if self.fmu.version == 2:
            info = EventInfo2()
            self.call("NewDiscreteStates", byref(info))
            assert not info.needed and not info.terminate
            return bool(info.states)
        flags = [(c_bool * 1)() for _ in range(5)]
        self.call("UpdateDiscreteStates", *flags, (c_double * 1)())
        assert not flags[0][0] and not flags[1][0]
        return flags[3][0]

    def vector(self, name, n):
        values = doubles([0.0] * n)
        self.call(name, values, c_size_t(n))
        return list(values)[:n]

    def states(self):
        return self.vector("GetContinuousStates", len(self.fmu.states))

    def rates(self):
        return self.vector("GetDerivatives" if self.fmu.version == 2 else "GetContinuousStateDerivatives",
                           len(self.fmu.states))

    def indicator(self):
        return self.vector("GetEventIndicators", 1)[0]

    def set_states(self, values):
        self.call("SetContinuousStates", doubles(values), c_size_t(len(values)))

    def completed_step(self):
        """Whether the step ends in an event."""
        kind = c_int if self.fmu.version == 2 else c_bool
        enter, terminate = (kind * 1)(), (kind * 1)()
        self.call("CompletedIntegratorStep", kind(True), enter, terminate)
        assert not terminate[0]
        return bool(enter[0])

    def derivative(self, unknowns, knowns, seed):
        values, n, m = doubles([0.0] * len(unknowns)), len(unknowns), len(knowns)
        arguments = [integers(self.fmu.references(*unknowns)), c_size_t(n), integers(self.fmu.references(*knowns)), c_size_t(m)]
        if self.fmu.version == 2:
            self.call("GetDirectionalDerivative", *arguments, doubles(seed), values)
        else:
            self.call("GetDirectionalDerivative", *arguments, doubles(seed), c_size_t(m), values, c_size_t(n))
        return list(values)[:n]

    def get_state(self):
        state = c_void_p()
        self.call("GetFMUstate" if self.fmu.version == 2 else "GetFMUState", byref(state))
        return state

    def set_state(self, state):
        self.call("SetFMUstate" if self.fmu.version == 2 else "SetFMUState", state)


class Run:
    """Bodies that an importer integrates, with a contact from an FMU.

    `inputs(t, y)` gives the values of all inputs (26), `rates(t, y, a, b)` the rates of the bodies' own variables y
    with the wrenches on A and B (six numbers each), `record(t, y, instance)` what is kept of each step."""

    WRENCHES = [body + part + axis for body in ("a.", "b.") for part in "ft" for axis in "xyz"]

    def __init__(self, instance, inputs, rates, record, method=DOP853, rtol=1e-10, atol=1e-14, max_step=float("inf")):
        self.instance, self.inputs, self.body_rates, self.record = instance, inputs, rates, record
        self.method, self.rtol, self.atol, self.max_step = method, rtol, atol, max_step
        fmu = instance.fmu
        self.inputs_at = integers(v.reference for v in fmu.variables if v.causality == "input")
        self.wrenches_at = integers(fmu.references(*self.WRENCHES))
        self.events, self.steps = 0, 0

    def place(self, t, y):
        instance, n = self.instance, self.count
        instance.call("SetTime", c_double(t))
        instance.set_references(self.inputs_at, self.inputs(t, y[:n]))
        if len(y) > n:
            instance.set_states(y[n:])

    def fun(self, t, y):
        self.place(t, y)
        wrenches = self.instance.get_references(self.wrenches_at, 12)
        own = list(self.body_rates(t, y[: self.count], wrenches[:6], wrenches[6:]))
        return own + (self.instance.rates() if len(y) > self.count else [])

    def indicator(self, t, y):
        self.place(t, y)
        return self.instance.indicator() + (-HYSTERESIS if self.was_touching else HYSTERESIS)

    def handle_event(self, t, y):
        self.place(t, y)
        self.instance.call("EnterEventMode")
        return self.update(y)

    def update(self, y):
        if self.instance.update():
            y = list(y[: self.count]) + self.instance.states()
        self.was_touching = self.instance.get_discrete("contact.touching")
        self.instance.call("EnterContinuousTimeMode")
        return y

    def run(self, t, end, y):
        """From event mode after initialization; the variables at the end."""
        self.count = len(y)
        self.instance.set_references(self.inputs_at, self.inputs(t, y))
        y = self.update(list(y) + self.instance.states())
        while t < end:
            t, y, event = self.integrate(t, end, y)
            if event:
                self.events += 1
                y = self.handle_event(t, y)
        return y

    def integrate(self, t, end, y):
        """Up to the next event."""
        solver = self.method(self.fun, t, y, end, rtol=self.rtol, atol=self.atol, max_step=self.max_step)
        before = self.indicator(t, y)
        for _ in itertools.count():
            message = solver.step()
            assert solver.status != "failed", message
            self.steps += 1
            after = self.indicator(solver.t, solver.y)
            if (before > 0) != (after > 0):
                path = solver.dense_output()
                when = brentq(lambda s: self.indicator(s, path(s)), solver.t_old, solver.t, xtol=1e-15, rtol=1e-14)
                # To the far side of the root.
                while (self.indicator(when, path(when)) > 0) == (before > 0):
                    when = min(when + 1e-14 + 4e-16 * abs(when), solver.t)
                return when, path(when), True
            before = after
            self.place(solver.t, solver.y)
            event = self.instance.completed_step()
            self.record(solver.t, solver.y, self.instance)
            if event or solver.status == "finished":
                return solver.t, solver.y, event
