"""Meshes, files, and what one solid is: beside the compiled primitives and combinations."""

from __future__ import annotations

import json
import math
import os
import pathlib
import warnings
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._arguments import need
from ._core import InvalidInput, Solid
from ._types import Array, ArrayLike, Doubles, MeshLike, Path

_MESH_SUFFIXES = (".stl", ".obj", ".ply", ".off")


class MeshData(NamedTuple):
    """A triangle mesh as arrays; every function that takes a mesh takes one of these.

    vertices: (n, 3) float64 [m]; faces: (m, 3) int32, counterclockwise from outside; notes: remarks on
    how a file was understood, or what a repair changed.
    """

    vertices: Doubles
    faces: Array
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        notes = f", notes={self.notes}" if self.notes else ""
        return f"MeshData({len(self.vertices)} vertices, {len(self.faces)} faces{notes})"


@dataclass(frozen=True)
class MeshReport:
    """What is wrong with a mesh, see check()."""

    ok: bool
    vertices: int
    faces: int
    closed: bool
    oriented: bool
    volume: float | None
    counts: dict[str, int]
    defects: list[dict[str, Any]] = field(repr=False)
    shells: list[dict[str, Any]] = field(repr=False)
    notes: list[str] = field(repr=False)


@dataclass(frozen=True)
class MassProperties:
    """Mass properties of one solid at unit density, in its own frame.

    volume [m^3], centroid (3,) [m], inertia (3, 3) about the centroid [m^5], principal_moments (3,)
    ascending [m^5] and principal_axes (3, 3), one a column.
    """

    volume: float
    volume_bounds: list[float] | None = field(repr=False)
    volume_error: float = field(repr=False)
    centroid: Doubles
    inertia: Doubles = field(repr=False)
    principal_moments: Doubles = field(repr=False)
    principal_axes: Doubles = field(repr=False)
    converged: bool
    method: str
    warnings: list[str] = field(repr=False)


def mass_properties(solid: Solid, **options: Any) -> MassProperties:
    """The mass properties of a solid; options as of PreparedPair.query, such as tolerance=1e-9."""
    return MassProperties(**_core._mass_properties(need(solid, Solid, "solid"), **options))


def _converged_mass(solid: Solid, what: str) -> MassProperties:
    """Of which one field is kept: what the others say is said here."""
    mass = mass_properties(solid)
    if not mass.converged:
        warnings.warn(f"volcontact: {what} has not converged; mass_properties() has its error and bounds",
                      RuntimeWarning, stacklevel=3)
    return mass


def volume(self: Solid) -> float:
    """Volume [m^3], to 1e-6. Computed each time: 0.1 ms for a primitive, milliseconds for a part."""
    return _converged_mass(self, "the volume").volume


def centroid(self: Solid) -> Doubles:
    """Centroid (3,) [m] in the solid's frame, as volume."""
    return _converged_mass(self, "the centroid").centroid


def _arrays(vertices, faces):
    if isinstance(vertices, (str, os.PathLike)):
        raise TypeError(f"a mesh is needed, not the path {os.fspath(vertices)!r}: read_mesh(path) reads its mesh, "
                        "read(path) its solid")
    if faces is not None:
        return vertices, faces
    if hasattr(vertices, "vertices") and hasattr(vertices, "faces"):
        return vertices.vertices, vertices.faces
    if isinstance(vertices, (tuple, list)) and len(vertices) == 2:
        return vertices[0], vertices[1]
    raise TypeError("a mesh is needed: (vertices, faces), or an object with .vertices and .faces, "
                    f"not {type(vertices).__name__}")


# Parts between which contact is looked for are of this size [m], or their unit is another one: as for files.
_LARGEST_PART, _SMALLEST_PART = 2.0, 1e-4


def _metres(scale: float | None, units: str, default: float | None) -> float | None:
    """Metres per unit, of a number or of a name."""
    if not units:
        return default if scale is None else scale
    if scale is not None:
        raise InvalidInput(f"scale and units both name the unit: give scale={scale} or units={units!r}")
    return _core._metres_per_unit(units)


def _warn_of_size(solid: Solid) -> None:
    size = float(np.max(np.subtract(solid.bounds[1], solid.bounds[0])))
    if not _SMALLEST_PART <= size <= _LARGEST_PART:
        warnings.warn(f"volcontact.mesh: the mesh was taken in metres, so that it is {size:.3g} m long: is it in "
                      "millimetres? units=\"mm\" says so; units=\"m\" says that it is in metres", stacklevel=3)


def mesh(vertices: MeshLike, faces: ArrayLike | None = None, *, scale: float | None = None, units: str = "",
         accept_defects: bool = False, threads: int = 1) -> Solid:
    """The solid bounded by a closed triangle mesh.

    Takes arrays vertices (n, 3) and faces (m, 3) of integers, or one object with `.vertices` and `.faces`, such as
    trimesh's. units (m, mm, cm, in) or scale, metres per unit, is that of the vertices; without either the mesh is
    in metres, with a warning where its size suggests another unit. Raises InvalidInput for all that check() finds wrong,
    and repair() may mend; accept_defects takes crossing, doubled, flat and inside-out faces as they are,
    for which results may be wrong.
    """
    vertices, faces = _arrays(vertices, faces)
    solid = _core._mesh(vertices, faces, _metres(scale, units, 1.0), accept_defects, threads)
    if scale is None and not units:
        _warn_of_size(solid)
    return solid


def check(vertices: MeshLike, faces: ArrayLike | None = None) -> MeshReport:
    """Everything that keeps a mesh from bounding a solid; mesh as for mesh()."""
    return MeshReport(**_core._check_mesh(*_arrays(vertices, faces)))


def repair(vertices: MeshLike, faces: ArrayLike | None = None) -> MeshData:
    """The mesh mended as far as that is safe; `notes` says what was changed. Check the result."""
    (new_vertices, new_faces), changes = _core._repair_mesh(*_arrays(vertices, faces))
    return MeshData(new_vertices, new_faces, tuple(changes))


def read(path: Path, *, accept_defects: bool = False, units: str = "", override_units: bool = False,
         body: str | int = "", deviation: float | None = None) -> Solid:
    """Reads a solid: .json, OpenSCAD's .csg, a mesh (.stl, .obj, .ply, .off, .3mf, .amf, .gltf, .glb), or .step
    and .stp where the package was built with Open CASCADE.

    units (m, mm, cm, in) is that of a file that names none; without it, metres (.csg: millimetres). With
    override_units it also replaces the one that a STEP file names, if that is wrong. body is the name of one body
    of a STEP, 3MF, AMF or glTF file, its number from 1, or "all" (default: all, with a warning that lists them);
    deviation [m] the greatest distance of meshes from the faces of STEP. Warns of what the command line warns of, such
    as a mesh whose size suggests another unit.
    """
    solid, _, notes = _core._read_solid(path, accept_defects, units, override_units, str(body), deviation)
    _warn(notes)
    return solid


@dataclass(frozen=True)
class Body:
    """A body of a STEP, 3MF, AMF or glTF file, where the file places it.

    number from 1; name as in the file, numbered where several have it; solid in the file's frame, or None
    where it is neither exact nor a sound mesh; hybrid: a mesh of which some curved faces are exact; why it is not
    exact; deviation of the mesh [m]; volume [m^3] and centroid (3,) [m], of a STEP file as Open CASCADE computes them.
    """

    number: int
    name: str
    solid: Solid | None = field(repr=False)
    exact: bool
    hybrid: bool
    why: str
    deviation: float
    volume: float
    centroid: Doubles = field(repr=False, compare=False)


def read_bodies(path: Path, *, units: str = "", override_units: bool = False, body: str | int = "all",
                deviation: float | None = None) -> list[Body]:
    """The bodies of a STEP, 3MF, AMF or glTF file one by one, or the one chosen; see read()."""
    bodies = _core._read_bodies(path, units, override_units, str(body), deviation)
    return [Body(**each) for each in bodies]


# What notes say of options of the command line, and what Python calls these.
_IN_PYTHON = (
    ("Name the unit: --units mm (or m, if this is right), \"units\" of a solid file, ReadOptions in C++",
     'Name the unit: units="mm" (or "m", if this is right)'),
    ("or with --body", "or with body="),
)


def _warn(notes) -> None:
    for note in notes:
        for of_the_tool, of_python in _IN_PYTHON:
            note = note.replace(of_the_tool, of_python)
        warnings.warn(note, stacklevel=3)


def read_mesh(path: Path, *, scale: float | None = None, units: str = "") -> MeshData:
    """Reads a mesh as it stands in a file, which need not be sound.

    units (m, mm, cm, in) or scale, metres per unit, is that of the file; without either it is taken in metres, with
    a warning where the size of the mesh suggests another unit. 3MF, AMF and glTF have a unit, and their bodies become one mesh: path#NAME
    reads one of them.
    """
    (vertices, faces), notes = _core._read_mesh(path, _metres(scale, units, None))
    _warn(notes)
    return MeshData(vertices, faces, tuple(notes))


def _mesh_to_write(path: Path, solid: Solid | MeshLike) -> tuple[Any, Any]:
    if not isinstance(solid, Solid):
        # A surface has the vertices of an edge once for each face: programs want them once.
        return _arrays(solid.welded() if hasattr(solid, "welded") else solid, None)
    if solid.mesh is None:
        raise InvalidInput(f"{os.fspath(path)}: a mesh file takes a solid that is one mesh and was not moved; write "
                           "triangles of this one, vc.write(path, solid.surface().welded()), or the exact solid as .json")
    return solid.mesh


def _edges_of_no_pair(faces: ArrayLike) -> int:
    """The number of edges that are not passed equally often in both directions: 0 for a closed mesh."""
    starts = np.asarray(faces, dtype=np.int64)
    ends = np.roll(starts, -1, axis=1)
    edges = np.stack([np.minimum(starts, ends).ravel(), np.maximum(starts, ends).ravel()], axis=1)
    _, edge = np.unique(edges, axis=0, return_inverse=True)
    return int(np.count_nonzero(np.bincount(edge.ravel(), weights=np.sign(ends - starts).ravel())))


def _write_mesh(path: Path, solid: Solid | MeshLike, units: str) -> None:
    vertices, faces = _mesh_to_write(path, solid)
    _core._write_mesh(path, vertices, faces, _metres(None, units, 1.0))
    if unpaired := _edges_of_no_pair(faces):
        warnings.warn(f"{os.fspath(path)}: the mesh is not closed: {unpaired} edges do not lie between two faces. It is "
                      "for viewing: read() refuses it as a solid. check() lists what is wrong with it", stacklevel=3)


def write(path: Path, solid: Solid | MeshLike, *, units: str = "") -> None:
    """Writes a solid to a .json file, or a mesh to .stl, .obj, .ply or .off.

    JSON keeps every digit, so that reading it gives the same solid; meshes in it are written out. It is in metres.
    Mesh files take meshes: arrays, surfaces, or a solid that is one mesh and was not moved. units (m, mm, cm, in) is
    that of their numbers, metres by default. A mesh that is not closed is written with a warning.
    """
    suffix = pathlib.Path(path).suffix.lower()
    if suffix in _MESH_SUFFIXES:
        _write_mesh(path, solid, units)
    elif suffix == ".json":
        if units:
            raise InvalidInput(f"{os.fspath(path)}: units is for mesh files; a .json file is in metres: leave it out")
        if not isinstance(solid, Solid):
            raise TypeError(f"solid: a Solid is needed, not {type(solid).__name__}")
        text = json.dumps(document(solid), allow_nan=False)
        pathlib.Path(path).write_text(text + "\n", encoding="utf-8")
    else:
        raise InvalidInput(f"{os.fspath(path)}: the extension must be .json, "
                           f"{', '.join(_MESH_SUFFIXES)}")


_PARAMETERS = {
    "slab": ("thickness",),
    "sphere": ("radius",),
    "cone": ("radius", "height", "radius_top"),
    "capsule": ("radius", "height"),
    "torus": ("major_radius", "minor_radius"),
}


def _shape_json(shape: str, numbers, terms, mesh_data, children) -> Any:
    if shape in _PARAMETERS:
        return dict(zip(_PARAMETERS[shape], numbers))
    if shape == "cylinder":
        radius, height = numbers
        return {"radius": radius} if math.isinf(height) else {"radius": radius, "height": height}
    if shape == "half_space":
        return {}
    if shape == "box":
        return {"size": numbers}
    if shape == "ellipsoid":
        return {"semi_axes": numbers}
    if shape == "quadric":
        return {"matrix": [numbers[4 * i:4 * i + 4] for i in range(4)]}
    if shape == "polynomial":
        return {"terms": [{"c": c, "e": list(e)} for c, e in terms]}
    if shape == "mesh":
        vertices, faces, *deviations = mesh_data
        mesh = {"vertices": vertices.tolist(), "faces": faces.tolist()}
        return {**mesh, "deviations": deviations[0]} if deviations else mesh
    if not children and shape == "union":
        raise InvalidInput("an empty solid cannot be written: the format has no key for it")
    return children[0] if shape == "complement" else children


def _folded(nodes, make):
    """One value made of nodes listed before their children, from the last to the first."""
    made = []
    for shape, numbers, terms, mesh_data, poses, count in reversed(nodes):
        children = [made.pop() for _ in range(count)]
        made.append(make(shape, numbers, terms, mesh_data, poses, children))
    return made[0]


def document(solid: Solid) -> dict[str, Any]:
    """What a solid file says of it."""
    def node(shape, numbers, terms, mesh_data, poses, children):
        result = {shape: _shape_json(shape, numbers, terms, mesh_data, children)}
        written = [{"t": pose[:3], "q": pose[3:]} for pose in poses]
        if written:
            result["pose"] = written[0] if len(written) == 1 else written
        return result

    return _folded(solid._nodes(True), node)


_SYMBOLS = {"union": " | ", "intersection": " & ", "difference": " - "}
_LONGEST = 100  # characters: what fits a line
_OPERANDS = 4  # of one combination: their number says more than the rest of them


def describe(solid: Solid, longest: int = _LONGEST) -> str:
    """The expression that makes a solid, cut short where it is long."""
    def node(shape, numbers, terms, mesh_data, poses, children):
        text = _expression(shape, numbers, terms, mesh_data, children)
        for pose in reversed(poses):
            text += f".posed({_list(pose)})"
        return text

    text = _folded(solid._nodes(False), node)
    if text.startswith("(") and text.endswith(")") and text.count("(") == 1:
        text = text[1:-1]
    return text if len(text) <= longest else f"<Solid {text[:longest - 12]} ...>"


def _list(numbers) -> str:
    return "[" + ", ".join(f"{x:.9g}" for x in numbers) + "]"


def _expression(shape, numbers, terms, mesh_data, children) -> str:
    if shape in _SYMBOLS:
        if len(children) < 2:
            return f"{shape}([{', '.join(children)}])" if children else "Solid()"
        shown = [c if len(c) <= _LONGEST else c[:_LONGEST] + " ..." for c in children[:_OPERANDS]]
        more = [f"... {len(children) - _OPERANDS} more"] if len(children) > _OPERANDS else []
        return "(" + _SYMBOLS[shape].join(shown + more) + ")"
    if shape == "complement":
        return "~" + children[0]
    if shape == "mesh":
        return f"mesh(<{mesh_data[0]} vertices, {mesh_data[1]} faces>)"
    if shape == "polynomial":
        return f"polynomial({terms})"
    if shape == "quadric":
        return f"quadric([{', '.join(_list(numbers[4 * i:4 * i + 4]) for i in range(4))}])"
    if shape in ("box", "ellipsoid"):
        return f"{shape}({_list(numbers)})"
    return f"{shape}({', '.join(f'{x:.9g}' for x in numbers if not math.isinf(x))})"
