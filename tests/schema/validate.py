#!/usr/bin/env python3
"""Holds data/schema against the shipped data, against what the tool reads, and against what it answers.

    validate.py ROOT TOOL SIMULATES FMUS [MUJOCO]

SIMULATES, FMUS: 1 where the tool has `simulate`, `fmu`. MUJOCO: the program read_mujoco_contacts, where there is MuJoCo.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import jsonschema

# Newer versions have another resolver, and still this one.
warnings.filterwarnings("ignore", category=DeprecationWarning)

BALL = {"sphere": {"radius": 0.1}}
CONTACT = {"normal": {"stiffness": 1e9, "restitution": 0.5},
           "friction": {"mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}}
FALL = {"bodies": [{"name": "b", "mass": 1, "inertia": [1, 1, 1]}], "end_time": 0.1}

# Documents that schema and tool both refuse.
WRONG_SOLIDS = [
    {}, {"sphere": {"radius": 0}}, {"sphere": {"radius": "big"}}, {"sphere": {"radus": 1}},
    {"sphere": {"radius": 1}, "box": {"size": [1, 1, 1]}}, {"box": {"size": [1, 1]}},
    {"union": []}, {"ball": {"radius": 1}}, {"polynomial": {"terms": []}}, {"quadric": {"matrix": [[1]]}},
    {"volcontact": 2, "solid": BALL}, {"volcontact": 1, "units": "ft", "solid": BALL},
    {"solid": BALL}, {**BALL, "pose": {"t": [0, 0]}}, {**BALL, "pose": []}, {**BALL, "colour": "red"}, {"mesh": {"scale": 1}},
]
RIGHT_SOLIDS = [
    BALL, {"volcontact": 1, "units": "mm", "solid": {"box": {"size": [10, 10, 10]}}},
    {"name": "n", "pose": {"q": [1, 0, 0, 0]}, "torus": {"major_radius": 0.1, "minor_radius": 0.02}},
    {**BALL, "pose": [{"t": [0, 0, 1]}, {"q": [0.8, 0, 0.6, 0]}]},
    {"difference": [BALL, {"complement": {"half_space": {}}}]},
    {"cone": {"radius": 0.1, "height": 0.1}}, {"capsule": {"radius": 0.1, "height": 0}}, {"ellipsoid": {"semi_axes": [1, 2, 3]}},
]
WRONG_CONTACTS = [
    {}, {"normal": {}}, {"normal": {"stiffness": -1}}, {"normal": {"stiffness": 1, "restitution": 2}},
    {"normal": {"stiffness": 1}, "friction": {"mu_c": 0.2}}, {"normal": {"stiffness": 1}, "colour": 1},
    {"volcontact": 3, **CONTACT}, {**CONTACT, "direction": "up"},
]
RIGHT_CONTACTS = [
    CONTACT, {"volcontact": 1, **CONTACT}, {"normal": {"stiffness_a": 1e9, "damping": 3}},
    {**CONTACT, "friction": {"law": "patch_coulomb", "mu": 0.3}, "direction": "eigenvector"},
]
FMU = {"solid_a": BALL, "solid_b": {"half_space": {}}, **CONTACT}
POINT = {"type": "sphere_plane", "sphere_radius": 0.1}
HERTZ = {"normal": {"law": "hertz", "stiffness": 1e9}}
RIGHT_FMUS = [
    FMU, {**FMU, "name": "n", "pose_a": {"t": [0, 0, 1]}, "geometry": {"tolerance": 1e-8}},
    {**FMU, "solid_a": {"file": "ball.json"}}, {**HERTZ, "geometry": POINT},
]
WRONG_FMUS = [
    CONTACT, {**FMU, "solid_a": {"file": 1}}, {**FMU, "geometry": {"cells": True}}, {**FMU, "colour": 1},
    {**HERTZ, "geometry": POINT, "solid_a": BALL},
]
PAIR = {"name": "c", "geom_a": "ball", "geom_b": {"body": "world", "index": 0}, **CONTACT}
SHAPED = {"name": "c", "body_a": "ball", "solid_a": BALL, "geom_b": "floor", "normal": {"stiffness": 1e8}}
RIGHT_MUJOCO = [
    {"volcontact": 1, "contacts": [PAIR]}, {"contacts": [PAIR, SHAPED]},
    {"contacts": [{**PAIR, "geom_b": {"body": "world"}, "solid_b": {"file": "ground.json", "units": "mm"}}]},
    {"contacts": [{**PAIR, "geometry": {"tolerance": 1e-7, "per_patch": True, "most_patches": 4}, "tau_relaxation": 0.01}]},
    {"contacts": [{**PAIR, "geometry": {"division": "none"}}]},
    {"contacts": [{**PAIR, "normal": {"stiffness": "auto", "rest_depth": 1e-4}}]},
    {"contacts": [{**PAIR, "normal": {"stiffness": "auto"}, "material_a": "steel"}]},
    {"contacts": [{**PAIR, "geometry": {"division": {"sectors": 12, "axis": [0, 0, 1]}}}]},
    {"defaults": {"normal": PAIR["normal"]}, "contacts": [{"name": "all", "geom_a": {"subtree": "hand"}, "geom_b": "b*"}]},
    {"contacts": [{**PAIR, "geom_a": {"body": "finger*"}, "repair": True}]},
]
WRONG_MUJOCO = [
    {}, {"contacts": []}, {"contacts": PAIR}, {"volcontact": 2, "contacts": [PAIR]}, {"contacts": [PAIR], "colour": 1},
    {"contacts": [{**PAIR, "name": ""}]}, {"contacts": [{**PAIR, "geom_a": ""}]}, {"contacts": [{**PAIR, "body_a": "ball"}]},
    {"contacts": [{**PAIR, "geom_b": {"body": "world", "index": -1}}]}, {"contacts": [{**PAIR, **HERTZ}]},
    {"contacts": [{**PAIR, "geometry": POINT}]}, {"contacts": [{**PAIR, "geometry": {"division": 2}}]},
    {"contacts": [{**PAIR, "geometry": {"division": "some"}}]}, {"contacts": [{key: PAIR[key] for key in PAIR if key != "geom_b"}]},
    {"contacts": [{key: SHAPED[key] for key in SHAPED if key != "solid_a"}]},
    {"contacts": [{**PAIR, "geom_a": {"subtree": ""}}]}, {"contacts": [{**PAIR, "geom_a": {"subtree": "a", "body": "a"}}]},
    {"defaults": {"name": "all"}, "contacts": [PAIR]}, {"contacts": [{**PAIR, "repair": "yes"}]},
    {"defaults": {"rolling": "none"}, "contacts": [{key: PAIR[key] for key in PAIR if key != "normal"}]},
]
WRONG_SCENARIOS = [
    {"end_time": 1}, {**FALL, "end_time": 0}, {**FALL, "bodis": []}, {**FALL, "volcontact": 2},
    {**FALL, "integrator": {"method": "rk4"}}, {**FALL, "bodies": [{"name": "1"}]},
    {**FALL, "output_interval": -1}, {**FALL, "variants": [{"name": "a.b"}]},
]


def jointed(joint, **members):
    """A body on a joint, and one on a slider, with what joins and drives them."""
    bodies = [{"name": "b", "mass": 1, "inertia": [1, 1, 1], "joint": joint},
              {"name": "c", "mass": 1, "inertia": [1, 1, 1], "joint": {"type": "slider"}}]
    return {"bodies": bodies, "end_time": 1e-3, "output_interval": 1e-3, **members}


PIN, SCREW, CYLINDRICAL = {"type": "pin"}, {"type": "screw", "lead": 0.1}, {"type": "cylindrical"}
RIGHT_MECHANISMS = [
    jointed(SCREW), jointed({"type": "gimbal"}), jointed({"type": "universal"}),
    jointed({**PIN, "spring": {"stiffness": 1}, "limits": {"upper": 1, "stiffness": 1e3}, "friction": {"coulomb": 1}}),
    jointed({**CYLINDRICAL, "limits": [{"coordinate": "z", "lower": 0, "stiffness": 1e3, "damping": 1}]}),
    jointed(PIN, springs=[{"a": "ground", "b": "b", "point_b": [0, 0, 1], "stiffness": 1}, {"body": "b", "stiffness": 1}]),
    jointed(PIN, bushings=[{"a": "b", "b": "c", "stiffness": 1, "angular_damping": [1, 2, 3]}]),
    jointed(PIN, motors=[{"name": "m", "body": "b", "effort": {"sine": {"amplitude": 1, "frequency": 2}}, "limit": 1},
                         {"name": "n", "body": "c", "position": {"ramp": {"to": 1, "end": 1, "smooth": True}}, "stiffness": 1}]),
    jointed(PIN, couplings=[{"a": "b", "b": "c", "radius": 0.1}]),
    jointed(PIN, loops=[{"name": "l", "type": "rod", "a": "b", "frame_a": {"t": [1, 1, 0]}, "b": "c"}],
            sensors=[{"name": "s", "type": "loop", "loop": "l"}, {"name": "e", "type": "energy", "body": "b"},
                     {"name": "j", "type": "joint", "body": "b"}, {"name": "p", "type": "pose", "body": "b", "seen_from": "c"}]),
]
RESTING = {**FALL, "bodies": [{"name": "b", "solid": BALL, "density": 1000, "material": "steel"},
                              {"name": "floor", "solid": {"half_space": {}}, "fixed": True}]}


def resting(normal, friction=None):
    contact = {"name": "c", "a": "b", "b": "floor", "normal": normal}
    return {**RESTING, "end_time": 1e-4, "contacts": [{**contact, "friction": friction} if friction else contact]}


RIGHT_AUTOMATIC = [
    resting({"stiffness": "auto"}), resting({"stiffness": "auto", "rest_depth": 1e-4, "restitution": 0.5}),
    resting({"stiffness": 1e9}, {"mu_s": 0.3, "sigma0": "auto", "sigma1": "auto"}),
    {**RESTING, "end_time": 1e-4, "contacts": [{"name": "c", "a": "b", "b": "floor", "start": "at_rest", "normal": {"stiffness": 1e8}}]},
]
WRONG_AUTOMATIC = [
    resting({"stiffness": "automatic"}), resting({"stiffness": "auto", "rest_depth": 0}),
    resting({"stiffness": 1e9}, {"mu_s": 0.3, "sigma0": "soft", "sigma1": 300}),
]


def robot(urdf, **members):
    return {"end_time": 1e-3, "urdf": urdf, **members}


WRONG_ROBOTS = [
    {"end_time": 1}, robot(3), robot({"pose": {}}), robot({"file": "arm.urdf", "solids": "some"}),
    robot({"file": "arm.urdf", "stops": {}}), robot({"file": "arm.urdf", "base": "free"}),
]
WRONG_MECHANISMS = [
    jointed({"type": "hinge"}), jointed({**PIN, "limits": {"stiffness": 1}}), jointed({**PIN, "friction": {}}),
    jointed({**PIN, "spring": {}}), jointed(PIN, springs=[{"a": "b", "b": "c"}]), jointed(PIN, springs=[{"a": "b", "stiffness": 1}]),
    jointed(PIN, bushings=[{"a": "b", "b": "c", "stiffness": -1}]), jointed(PIN, motors=[{"name": "m", "body": "b"}]),
    jointed(PIN, motors=[{"name": "m", "body": "b", "effort": {"ramp": {"to": 1}}}]),
    jointed(PIN, motors=[{"name": "m", "body": "b", "rate": 1}]), jointed(PIN, couplings=[{"a": "b", "b": "c"}]),
    jointed(PIN, loops=[{"name": "l", "type": "knot", "a": "b", "b": "c"}]), jointed(PIN, loops=[{"a": "b", "b": "c"}]),
    jointed(PIN, sensors=[{"name": "s", "body": "b"}]), jointed(PIN, sensors=[{"name": "s", "type": "joint"}]),
]
SWEEP = {"run": {"query": {"a": BALL, "b": BALL, "pose_a": {"t": ["x", 0, 0]}}},
         "over": {"rows": 2, "variables": {"x": {"uniform": [0, 0.1]}}}}


def sweep(over, **members):
    return {**SWEEP, "over": {**SWEEP["over"], **over}, **members}


def sweep_of(kind, run, **variables):
    return {"run": {kind: run}, "over": {"rows": 2, "variables": variables}}


RIGHT_SWEEPS = [
    SWEEP, sweep({"seed": 3, "sampling": "sobol"}, volcontact=1, title="t", chunk=1, keep=["x", "volume"], rows=False),
    sweep({"derived": {"y": "2*x", "z": {"value": "x + y", "unit": "m"}}}, set={"pose_a": {"t": [0, 0, "y"]}}),
    sweep({}, reduce={"m": {"moments": "volume"}, "q": {"quantiles": "volume", "at": [0.5]}, "e": {"extremes": "x", "most": 2},
                      "h": {"histogram": ["x"], "bins": [5], "ranges": [[0, 1]], "value": "volume"}}),
    sweep_of("query", {"a": BALL, "b": BALL, "pose_a": "P", "pose_b": {"q": "R"}},
             P={"near_contact": {"gap": [0.01, 0.02]}}, R={"rotation": "uniform"}),
    sweep_of("force", {"a": {"sphere": {"radius": "r"}}, "b": {"file": "ground.json"}, "contact": "contact.json",
                       "pose_a": {"rotation_vector": [0, "w", 0]}, "twist_a": {"velocity": [0, 0, "w"]}},
             r={"log_uniform": [0.1, 0.2]}, w={"normal": {"sd": 0.1, "within": [-1, 1]}, "unit": "m/s"}),
    {"run": {"mass": {"a": {"sphere": {"radius": "r"}}, "options": {"tolerance": 1e-4}}},
     "over": {"csv": {"file": "poses.csv", "columns": ["z"]}, "repeat": 2, "variables": {
         "r": {"grid": {"from": 0.1, "to": 1, "count": 3, "log": True}}, "c": {"choice": [1, 2], "weights": [1, 3]}}}},
]
WRONG_SWEEPS = [
    {}, {"run": SWEEP["run"]}, {**SWEEP, "volcontact": 2}, {**SWEEP, "colour": 1}, sweep({"rows": 0}), sweep({"rows": 1.5}),
    sweep({"sampling": "hot"}), sweep({"variables": {"x": {}}}), sweep({"variables": {"1": {"uniform": [0, 1]}, "x": {"uniform": [0, 1]}}}),
    sweep({"variables": {"x": {"uniform": [0]}}}), sweep({"variables": {"x": {"normal": {"mean": 1}}}}), sweep({}, keep=[]),
    sweep({}, chunk=0), sweep({}, rows=1), sweep({}, reduce={"m": {}}), sweep_of("query", {"a": BALL}), sweep_of("query", {"a": BALL, "b": BALL, "pose_a": {"r": 1}}),
    sweep_of("force", {"a": BALL, "b": BALL}), sweep_of("weigh", {"a": BALL}), sweep_of("query", {"a": BALL, "b": BALL, "options": {"tol": 1}}),
    sweep_of("query", {"a": BALL, "b": BALL, "pose_a": {"q": [1, 0, 0, 0], "rotation_vector": [0, 0, 0]}}),
]


class Check:
    def __init__(self, root, tool):
        self.root, self.tool, self.failures, self.count = root, tool, 0, 0
        self.folder = pathlib.Path(tempfile.mkdtemp())
        for name, document in {"ball": BALL, "ground": {"half_space": {}}, "contact": CONTACT}.items():
            self.write(name + ".json", document)
        (self.folder / "poses.csv").write_text(
            "t,x,y,z,qw,qx,qy,qz\n0,0,0,0.098,1,0,0,0\n0.1,0,0,0.3,1,0,0,0\n")

    def write(self, name, document):
        (self.folder / name).write_text(json.dumps(document))

    def expect(self, right, what):
        self.count += 1
        if not right:
            self.failures += 1
            print("FAILED:", what)

    def validator(self, name, definition=None):
        path = self.root / "data" / "schema" / f"{name}.schema.json"
        schema = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        resolver = jsonschema.RefResolver(path.as_uri(), schema)
        if definition:
            assert definition in schema["$defs"], definition
            schema = {"$ref": f"{path.as_uri()}#/$defs/{definition}"}
        return jsonschema.Draft202012Validator(schema, resolver=resolver)

    def matches(self, validator, document, what):
        error = jsonschema.exceptions.best_match(validator.iter_errors(document))
        self.expect(error is None, f"{what}: {error and error.message[:300]} at {error and list(error.path)}")

    def run(self, *arguments, program=None):
        return subprocess.run([program or self.tool, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, check=False)

    def both(self, name, right, wrong, command, program=None):
        validator = self.validator(name)
        for document in right:
            self.matches(validator, document, f"{name} {document}")
        for documents, status in ((right, 0), (wrong, 2)):
            for document in documents:
                self.expect(validator.is_valid(document) == (status == 0), f"{name} schema: {document}")
                self.write("document.json", document)
                run = self.run(*command, program=program)
                self.expect(run.returncode == status, f"{name} {document}: {run.returncode} {run.stderr}")

    def files(self, name, pattern, folder):
        found = sorted((self.root / folder).glob(pattern))
        self.expect(found, f"{folder}/{pattern} names files")
        self.match_files(name, found)

    def match_files(self, name, found):
        validator = self.validator(name)
        for path in found:
            self.matches(validator, json.loads(path.read_text(encoding="utf-8")), str(path))

    def answer(self, definition, *arguments, statuses=(0,)):
        run = self.run(*arguments)
        self.expect(run.returncode in statuses, f"{arguments}: {run.returncode} {run.stderr}")
        lines = run.stdout.splitlines()
        self.expect(lines, f"{arguments} answers")
        for line in lines:
            document = json.loads(line)
            self.expect(next(iter(document)) == "schema", f"{arguments} begins with the schema")
            self.matches(self.validator("answers", definition), document, f"{definition} {arguments}")
            self.matches(self.validator("answers"), document, f"answers {arguments}")


def contact_files(models):
    """The files of contacts that models of MuJoCo name."""
    named = re.compile(r'<text name="volcontact" data="([^"{]+)"')
    return [path.parent / name for path in sorted(models.glob("*.xml"))
            for name in named.findall(path.read_text(encoding="utf-8"))]


def views(check):
    """Whether the tool was built with what `view` needs."""
    return "not in this build" not in check.run("--help").stdout


def assembles(check):
    """Whether the tool was built with what reads STEP files."""
    return "assembly" in check.run("--help").stdout


def sweeps(check):
    """Whether the tool was built with what `sweep` needs."""
    return "--dry-run" in check.run("sweep", "--help").stdout


def reads_robots(check):
    """Whether the tool was built with what reads URDF files."""
    return "lacks urdfdom" not in check.run("simulate", str(check.root / "data/robots/arm.json"), "--out", "arm", "--no-plots",
                                            "--set", "end_time=1e-3").stderr


def main():
    root, tool = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    simulates, writes_fmus = (argument == "1" for argument in sys.argv[3:5])
    reader = pathlib.Path(sys.argv[5]).resolve() if len(sys.argv) > 5 else None
    check = Check(root, tool)
    check.files("solid", "*.json", "data/solids")
    check.files("solid", "*.json", "data/identify")
    check.files("contact", "contact.json", "data")
    check.files("scenario", "*.json", "data/scenarios")
    check.both("solid", RIGHT_SOLIDS, WRONG_SOLIDS, ("query", "document.json", "ball.json", "--tol", "1e-2"))
    check.both("contact", RIGHT_CONTACTS, WRONG_CONTACTS,
               ("force", "ball.json", "ground.json", "--params", "document.json"))

    pair = ("ball.json", "ground.json")
    pressed = ("--pose-a", "0,0,0.098,1,0,0,0")
    force = ("force", *pair, "--params", "contact.json")
    check.answer("query", "query", *pair, *pressed, "--json", "--hessian", "--patches")
    check.answer("query", "query", *pair, "--pose-a", "0,0,1,1,0,0,0", "--json")
    check.answer("query", "query", *pair, "--poses", "poses.csv")
    check.answer("mass", "mass", "ball.json", "--json")
    check.answer("mass", "mass", "ball.json", "--json", "--density", "1000")
    if assembles(check):
        pins = str(root / "tests/step/data/pins.step")
        check.answer("assembly", "assembly", pins, "--near", "0.002", "--json")
    check.answer("force", *force, *pressed, "--json")
    check.answer("force", *force, "--poses", "poses.csv")
    check.answer("check", "check", str(root / "data/meshes/peg.stl"), "--json")
    check.answer("check_files", "check", *[str(root / "data/meshes" / name) for name in ("peg.stl", "gear.obj")], "--json")
    check.answer("estimate", "estimate", "friction", "--mu-s", "0.3", "--json")
    check.answer("materials", "estimate", "materials", "--json")
    check.answer("identify", "identify", "restitution", str(root / "data/identify/drops.csv"), "--json")
    if views(check):
        check.answer("view", "view", *pair, *pressed, "--out", "scene.glb", "--json")
    check.files("fmu", "*.json", "data/contacts")
    check.files("sweep", "*.json", "data/sweeps")
    if sweeps(check):
        check.both("sweep", RIGHT_SWEEPS, WRONG_SWEEPS, ("sweep", "document.json", "--dry-run"))
        check.write("sweep.json", sweep({"rows": 7}, chunk=2, reduce={"m": {"moments": "volume"}}))
        check.answer("sweep_plan", "sweep", "sweep.json", "--dry-run", "--shard", "1/2", "--json")
        check.answer("sweep", "sweep", "sweep.json", "--out", "shards", "--shard", "0/2", "--json")
        check.answer("sweep", "sweep", "sweep.json", "--out", "shards", "--shard", "1/2", "--json")
        check.answer("sweep", "sweep", "--merge", "shards", "--json")
        check.answer("sweep", "sweep", "sweep.json", "--out", "whole", "--json")
    if writes_fmus:
        check.both("fmu", RIGHT_FMUS, WRONG_FMUS, ("fmu", "document.json", "--out", "contact.fmu"))
        check.write("fmu.json", FMU)
        check.answer("fmu", "fmu", "fmu.json", "--out", "contact.fmu", "--json")
    found = contact_files(root / "data" / "mujoco")
    check.expect(found, "the models in data/mujoco name their contacts")
    check.match_files("mujoco", found)
    if reader:
        check.both("mujoco", RIGHT_MUJOCO, WRONG_MUJOCO, ("document.json",), program=reader)
    if simulates:
        check.both("scenario", [FALL, {"volcontact": 1, **FALL}, *RIGHT_MECHANISMS, *RIGHT_AUTOMATIC],
                   WRONG_SCENARIOS + WRONG_MECHANISMS + WRONG_AUTOMATIC,
                   ("simulate", "document.json", "--out", "run", "--no-plots", "--overwrite"))
        arm = str(root / "data/robots/arm.urdf")
        right = [robot(arm), robot([{"file": arm, "fixed": True, "stops": {"stiffness": 1e4}, "solids": "all"}],
                                   bodies=[{"name": "fore_arm", "coordinates": [0.3]}])]
        check.files("scenario", "*.json", "data/robots")
        check.both("scenario", right if reads_robots(check) else [], WRONG_ROBOTS,
                   ("simulate", "document.json", "--out", "run", "--no-plots", "--overwrite"))
        check.write("fall.json", FALL)
        if writes_fmus:
            check.answer("fmu", "fmu", "fall.json", "--out", "fall.fmu", "--json")
        check.answer("simulate", "simulate", "fall.json", "--out", "one", "--no-plots", "--json")
        check.write("two.json", {**FALL, "variants": [{"name": "a"}, {"name": "b"}]})
        check.answer("simulate", "simulate", "two.json", "--out", "two", "--no-plots", "--json")
    check.expect(not check.validator("answers").is_valid({"schema": 1}), "answers need an answer's keys")
    print(f"{check.count} checks, {check.failures} failures")
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
