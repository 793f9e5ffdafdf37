"""Surfaces of solids, overlaps and patches as arrays, which trimesh, PyVista and the like take as they are."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._core import PreparedPair, Solid
from ._types import Array, Doubles, Pose
from .solids import MeshData

_MOST_TRIANGLES = 1_000_000


# Points that are nearer than this, relative to the surface's size, are one point that two faces round in two ways.
_SAME_POINT = 1e-9


def _ranks(values: np.ndarray) -> np.ndarray:
    """Numbers of the values in ascending order, one for all that are nearly the same."""
    order = np.argsort(values, kind="stable")
    gaps = np.diff(values[order])
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[order] = np.concatenate([[0], np.cumsum(gaps > _SAME_POINT * np.sum(gaps))])[:len(values)]
    return ranks


@dataclass(frozen=True, repr=False)
class Surface:
    """A triangulated surface: `trimesh.Trimesh(s.vertices, s.faces)`, `pyvista.PolyData.from_regular_faces(s.vertices,
    s.faces)`.

    vertices: (n, 3) [m], on the exact surface; a vertex on a sharp edge stands once for each face that meets there.
    normals: (n, 3) outward unit normals there. faces: (m, 3) int64, counterclockwise from outside. edges: the sharp
    edges, a list of polylines (k, 3) [m]. deviation: of the triangles from the exact surface [m]. complete: False
    if most_triangles ended the refinement.
    """

    vertices: Doubles
    faces: Array
    normals: Doubles
    edges: list[Doubles]
    deviation: float
    complete: bool

    def welded(self) -> MeshData:
        """The triangles with each vertex once, as programs for closed meshes need them.

        Closed for primitives, for three of four combinations of them (docs/known-limits.md), and for overlaps of
        meshes, boxes, slabs and half-spaces. Overlaps with curved faces may have open edges, which check() reports.
        For contact use the solid itself, which is exact.
        """
        places = np.stack([_ranks(self.vertices[:, k]) for k in range(3)], axis=1)
        _, first, index = np.unique(places, axis=0, return_index=True, return_inverse=True)
        faces = index.reshape(-1)[self.faces]
        is_flat = (faces == np.roll(faces, 1, axis=1)).any(axis=1)
        return MeshData(self.vertices[first], faces[~is_flat].astype(np.int32))

    def __repr__(self) -> str:
        more = "" if self.complete else ", complete=False"
        return (f"{type(self).__name__}({len(self.vertices)} vertices, {len(self.faces)} faces, "
                f"deviation={self.deviation:.3g}{more})")


@dataclass(frozen=True, repr=False)
class OverlapSurface(Surface):
    """The boundary of an overlap, in W; see Surface.

    owners: (m,) int8 of the faces: 0 a face of A, 1 of B, 2 of both. arcs: the curves where the boundaries of A and B
    cross, a list of polylines (k, 3) [m].
    """

    owners: Array
    arcs: list[Doubles]


@dataclass(frozen=True, repr=False)
class PatchSurface(Surface):
    """The faces of an overlap that look along the normal, in W; see Surface.

    heights: (n,) [m], the length of the overlap below each vertex; times k_V [N/m^3] the pressure [Pa].
    """

    heights: Doubles


def _checked(surface: Any) -> Any:
    if not surface.complete:
        warnings.warn(f"volcontact: most_triangles ended the refinement: the surface is coarser than its deviation of "
                      f"{surface.deviation:.3g} m; raise one of both", RuntimeWarning, stacklevel=3)
    return surface


def _solid_surface(self: Solid, *, deviation: float | None = None, box: Any = None,
                  most_triangles: int = _MOST_TRIANGLES) -> Surface:
    """The boundary of the solid as triangles, in the solid's frame.

    deviation [m]: greatest distance of the triangles from the surface; None chooses 1/500 of the extent. box (2, 3)
    [m]: least and greatest corner of what is drawn, which an unbounded solid needs. A warning says if most_triangles
    were too few. 1 to 20 ms for a primitive, a second for a part of a hundred.
    """
    return _checked(Surface(**_core._surface(self, deviation, box, most_triangles)))


def _overlap_surface(self: PreparedPair, X_WA: Pose = None, X_WB: Pose = None, *, deviation: float | None = None,
                    most_triangles: int = _MOST_TRIANGLES) -> OverlapSurface:
    """The boundary of the overlap as triangles, in W, for one pair of poses; empty without overlap.

    deviation and most_triangles as of Solid.surface; the deviation that None chooses follows the height of the
    overlap, so that thin ones are drawn as well.
    """
    return _checked(OverlapSurface(**_core._overlap_surface(self, X_WA, X_WB, deviation, most_triangles)))


def _patch_surface(self: PreparedPair, X_WA: Pose = None, X_WB: Pose = None, *, deviation: float | None = None,
                  most_triangles: int = _MOST_TRIANGLES) -> PatchSurface:
    """The contact patch as triangles with the height of the overlap below each vertex, in W; empty without overlap.

    Times a stiffness the heights are the pressure. Options as of surface.
    """
    return _checked(PatchSurface(**_core._patch_surface(self, X_WA, X_WB, deviation, most_triangles)))
