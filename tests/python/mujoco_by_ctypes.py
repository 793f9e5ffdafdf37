"""The names of MuJoCo's Python package that volcontact.mujoco uses, over Debian's library.

The package itself is not in Debian. Offsets of fields come from the library's headers by a compiler.
"""

import ctypes
import ctypes.util
import pathlib
import subprocess
import tempfile

import numpy as np

# Fields: their type, and for arrays their extents, as numbers or as names of fields of the model or the data.
I, D, F = ctypes.c_int, ctypes.c_double, ctypes.c_float
MODEL = {
    "nv": (I,), "nq": (I,), "nu": (I,), "nbody": (I,), "ngeom": (I,), "nmesh": (I,), "nmeshvert": (I,), "nmeshface": (I,),
    "geom_type": (I, "ngeom"), "geom_bodyid": (I, "ngeom"), "geom_dataid": (I, "ngeom"), "geom_size": (D, "ngeom", 3),
    "geom_pos": (D, "ngeom", 3), "geom_quat": (D, "ngeom", 4), "mesh_vertadr": (I, "nmesh"), "mesh_vertnum": (I, "nmesh"),
    "mesh_faceadr": (I, "nmesh"), "mesh_facenum": (I, "nmesh"), "mesh_vert": (F, "nmeshvert", 3), "mesh_face": (I, "nmeshface", 3),
    "body_mass": (D, "nbody"), "body_subtreemass": (D, "nbody"), "body_weldid": (I, "nbody"), "geom_contype": (I, "ngeom"),
}
DATA = {
    "ncon": (I,), "nefc": (I,), "time": (D,), "qpos": (D, "nq"), "qvel": (D, "nv"), "ctrl": (D, "nu"), "qfrc_applied": (D, "nv"),
    "qfrc_passive": (D, "nv"), "qfrc_actuator": (D, "nv"), "qfrc_bias": (D, "nv"), "xfrc_applied": (D, "nbody", 6),
    "xpos": (D, "nbody", 3), "xquat": (D, "nbody", 4), "xipos": (D, "nbody", 3), "efc_aref": (D, "nefc"), "efc_R": (D, "nefc"),
    "efc_type": (I, "nefc"), "efc_id": (I, "nefc"),
}
CONTACT = {"geom1": (I,), "geom2": (I,), "efc_address": (I,)}


def _offsets():
    """Of all fields, and of what is looked up by hand."""
    wanted = [("mjModel", name) for name in [*MODEL, "opt.timestep", "opt.gravity"]] + [("mjData", name) for name in [*DATA, "contact"]]
    wanted += [("mjContact", name) for name in CONTACT]
    lines = [f'printf("%zu\\n", offsetof({struct}, {name}));' for struct, name in wanted]
    text = "#include <mujoco/mujoco.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines)
    text += '\nprintf("%zu\\n", sizeof(mjContact));\nreturn 0;\n}\n'
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "offsets.c"), pathlib.Path(folder, "offsets")
        source.write_text(text, encoding="utf-8")
        subprocess.run(["cc", "-o", program, source], check=True)
        numbers = [int(n) for n in subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()]
    return dict(zip(wanted, numbers)), numbers[-1]


_lib = ctypes.CDLL(ctypes.util.find_library("mujoco"))
OFFSETS, CONTACT_SIZE = _offsets()


class _Struct:
    """Fields by their names, arrays as views of the library's memory."""

    def __init__(self, struct, fields, address, sizes):
        self._struct, self._fields, self._address, self._sizes = struct, fields, address, sizes

    def __getattr__(self, name):
        if name not in self._fields:
            raise AttributeError(name)
        kind, *extents = self._fields[name]
        place = self._address + OFFSETS[self._struct, name]
        if not extents:
            return kind.from_address(place).value
        shape = [getattr(self._sizes or self, e) if isinstance(e, str) and e != "nefc" else self.nefc if e == "nefc" else e
                 for e in extents]
        pointer = ctypes.c_void_p.from_address(place).value
        if not pointer or 0 in shape:
            return np.zeros(shape, np.ctypeslib.as_array(kind(0)).dtype)
        return np.ctypeslib.as_array((kind * int(np.prod(shape))).from_address(pointer)).reshape(shape)


class _Options:
    def __init__(self, address):
        self._place = address + OFFSETS["mjModel", "opt.timestep"]
        self._gravity = address + OFFSETS["mjModel", "opt.gravity"]

    @property
    def gravity(self):
        return np.ctypeslib.as_array((D * 3).from_address(self._gravity))

    @property
    def timestep(self):
        return D.from_address(self._place).value

    @timestep.setter
    def timestep(self, value):
        D.from_address(self._place).value = value


class MjModel(_Struct):
    def __init__(self, address):
        super().__init__("mjModel", MODEL, address, None)
        self.opt = _Options(address)

    @classmethod
    def from_xml_string(cls, text):
        error = ctypes.create_string_buffer(1000)
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(text)
            file.flush()
            _lib.mj_loadXML.restype = ctypes.c_void_p
            address = _lib.mj_loadXML(file.name.encode(), None, error, len(error))
        if not address:
            raise ValueError(error.value.decode())
        return cls(address)


class MjData(_Struct):
    def __init__(self, model):
        _lib.mj_makeData.restype = ctypes.c_void_p
        super().__init__("mjData", DATA, _lib.mj_makeData(ctypes.c_void_p(model._address)), model)

    @property
    def contact(self):
        first = ctypes.c_void_p.from_address(self._address + OFFSETS["mjData", "contact"]).value
        return [_Struct("mjContact", CONTACT, first + i * CONTACT_SIZE, None) for i in range(self.ncon)]


def _function(name):
    function = getattr(_lib, name)

    def call(*arguments):
        given = []
        for argument in arguments:
            if isinstance(argument, _Struct):
                given.append(ctypes.c_void_p(argument._address))
            elif isinstance(argument, np.ndarray):
                # What the package requires.
                assert argument.dtype == np.float64 and argument.flags.c_contiguous, name
                given.append(argument.ctypes.data_as(ctypes.c_void_p))
            elif isinstance(argument, str):
                given.append(argument.encode())
            else:
                given.append(int(argument))
        return function(*given)

    return call


for _name in ("mj_name2id", "mj_kinematics", "mj_forward", "mj_step1", "mj_step2", "mj_jac", "mj_mulM", "mj_fwdActuation",
              "mj_applyFT", "mj_referenceConstraint", "mj_mulJacTVec", "mj_resetData"):
    globals()[_name] = _function(_name)
