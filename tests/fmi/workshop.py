"""Contacts, their FMUs, and what the tests of these share. Reads ROOT and TOOL from the command line."""

import atexit
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from ctypes import c_void_p

import numpy as np

from importer import ERROR, Fmu, Instance

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
        atexit.register(self.holder.cleanup)
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

    def scenario(self, name, version=2, *options):
        """The FMU of a shipped scenario, or of one given as (name, document)."""
        name, document = name if isinstance(name, tuple) else (name, None)
        file = ROOT / "data/scenarios" / f"{name}.json"
        if document is not None:
            file = self.folder / f"{name}.json"
            file.write_text(json.dumps(document))
        key = (name, version, *options)
        if key not in self.made:
            out = self.folder / f"{name}_steps{version}_{len(self.made)}.fmu"
            tool("fmu", file, "--out", out, "--fmi", version, *options)
            self.made[key] = Fmu(out, out.with_suffix(""))
        return self.made[key]


WORKSHOP = Workshop()


def expect_refused_pointers(test, fmu, version):
    """Every function returns an error for null, for an instance that was freed, and for any other number."""
    instance = Instance(fmu)
    dead = instance.component
    instance.free()
    listed = subprocess.run(["nm", "-D", "--defined-only", fmu.library_path], capture_output=True, text=True, check=True)
    for pointer in (None, dead, 1):
        for name in (n for n in listed.stdout.split() if n.startswith(f"fmi{version}")):
            if "Instantiate" in name or "GetVersion" in name or "GetTypesPlatform" in name:
                continue
            status = getattr(fmu.library, name)(c_void_p(pointer), *[None] * 11)
            if "FreeInstance" not in name:
                test.assertEqual(status, ERROR, name)


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
