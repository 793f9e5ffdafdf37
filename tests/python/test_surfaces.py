"""Surfaces as arrays: on the exact surfaces, closed, with the right volumes, and as other packages take them."""

import numpy as np
import pytest
from conftest import random_poses

import volcontact as vc

PLATE = vc.box([0.06, 0.05, 0.01]) - vc.cylinder(0.01)


def volume_below(vertices, faces):
    """Of a closed surface, by the divergence theorem."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return np.sum(np.einsum("ij,ij->i", a, np.cross(b, c))) / 6


@pytest.mark.parametrize("solid", [vc.sphere(0.02), PLATE, vc.torus(0.03, 0.01), PLATE.posed([0.01, 0.02, 0.03, 0.6, 0.8, 0, 0])])
def test_of_a_solid(solid):
    surface = solid.surface(deviation=2e-5)
    assert surface.complete and surface.deviation == 2e-5
    assert surface.vertices.shape == surface.normals.shape and surface.faces.shape[1] == 3
    assert surface.faces.dtype == np.int64 and surface.faces.max() < len(surface.vertices)
    # Two deviations along the normals from the middles of faces are outside, against them inside.
    middles = surface.vertices[surface.faces].mean(axis=1)
    step = 4e-5 * surface.normals[surface.faces].mean(axis=1)
    assert not np.any(solid.contains(middles + step)) and np.mean(solid.contains(middles - step)) > 0.99
    welded = surface.welded()
    report = vc.check(welded)
    assert report.closed and report.oriented and len(welded.vertices) <= len(surface.vertices)
    expected = solid.volume
    assert volume_below(welded.vertices, welded.faces) == pytest.approx(expected, rel=5e-3)
    assert vc.mesh(welded, accept_defects=True).volume == pytest.approx(expected, rel=5e-3)


def test_finer_and_clipped():
    coarse, fine = (vc.sphere(0.02).surface(deviation=d) for d in (1e-4, 4e-6))
    assert len(fine.faces) > 10 * len(coarse.faces) and vc.sphere(0.02).surface().deviation == pytest.approx(0.04 / 500)
    floor = vc.half_space().surface(box=[[-1, -1, -1], [1, 2, 1]])
    assert np.allclose([floor.vertices.min(0), floor.vertices.max(0)], [[-1, -1, 0], [1, 2, 0]])
    with pytest.raises(vc.InvalidInput, match="box"):
        vc.half_space().surface()
    for wrong in ({"box": [0, 1]}, {"deviation": -1.0}, {"most_triangles": 0}):
        with pytest.raises(vc.InvalidInput, match=next(iter(wrong))):
            PLATE.surface(**wrong)
    with pytest.warns(RuntimeWarning, match="most_triangles"):
        assert not vc.sphere(0.02).surface(deviation=1e-6, most_triangles=100).complete


def test_of_an_overlap(random):
    pair = vc.PreparedPair(vc.sphere(0.02), PLATE)
    motion = random_poses(random, 1, 0.01)[0]
    at = np.array([0.02, 0.0, 0.024, 1, 0, 0, 0])
    m = pair.query(at)
    surface = pair.surface(at)
    assert volume_below(surface.vertices - m.centroid, surface.faces) == pytest.approx(m.volume, rel=2e-3)
    assert set(surface.owners) == {0, 1} and surface.owners.shape == (len(surface.faces),) and surface.arcs
    middle = surface.vertices[surface.faces].mean(axis=1)
    on_ball = np.linalg.norm(middle - at[:3], axis=1) > 0.02 - 2 * surface.deviation
    assert np.all(on_ball[surface.owners == 0])
    turned = pair.surface(None, motion)
    there = pair.query(None, motion)
    assert there.overlap and volume_below(turned.vertices - there.centroid, turned.faces) == pytest.approx(there.volume, rel=2e-3)
    assert len(pair.surface([1.0, 0, 0, 1, 0, 0, 0]).faces) == 0


def test_of_a_patch():
    pair = vc.PreparedPair(vc.sphere(0.02), vc.half_space())
    X = [0.01, 0.0, 0.0199, 1, 0, 0, 0]
    m, patch = pair.query(X), pair.patch_surface(X)
    a, b, c = (patch.vertices[patch.faces[:, k]] for k in range(3))
    area = 0.5 * np.cross(b - a, c - a) @ m.normal
    assert np.sum(area * patch.heights[patch.faces].mean(axis=1)) == pytest.approx(m.volume, rel=3e-3)
    assert patch.heights.max() == pytest.approx(1e-4, rel=1e-2)
    assert len(pair.patch_surface([0, 0, 1.0, 1, 0, 0, 0]).heights) == 0
    with pytest.raises(vc.InvalidInput, match="one pair of poses"):
        pair.patch_surface([X, X])


def test_as_vtk_takes_it():
    """PyVista's PolyData.from_regular_faces does no more than this."""
    vtk = pytest.importorskip("vtkmodules.all")
    numpy_support = pytest.importorskip("vtkmodules.util.numpy_support")
    surface = PLATE.surface(deviation=1e-5)
    points, cells, body, mass = vtk.vtkPoints(), vtk.vtkCellArray(), vtk.vtkPolyData(), vtk.vtkMassProperties()
    points.SetData(numpy_support.numpy_to_vtk(surface.vertices))
    counts = np.full((len(surface.faces), 1), 3)
    cells.SetCells(len(counts), numpy_support.numpy_to_vtkIdTypeArray(np.hstack([counts, surface.faces]).ravel(), deep=True))
    body.SetPoints(points)
    body.SetPolys(cells)
    mass.SetInputData(body)
    assert mass.GetVolume() == pytest.approx(PLATE.volume, rel=1e-3)


def test_repr_fits_a_line():
    for surface in (PLATE.surface(), vc.PreparedPair(PLATE, PLATE).surface(), vc.PreparedPair(PLATE, PLATE).patch_surface()):
        assert len(repr(surface)) < 120 and "\n" not in repr(surface)


def test_of_an_overlap_of_meshes(random):
    """Watertight, as trimesh and slicers ask: each edge has one face on either side."""
    ball, ring = (vc.mesh(s.surface(deviation=2e-4).welded()) for s in (vc.sphere(0.02), vc.torus(0.02, 0.007)))
    for other in (ball, ring, vc.box([0.03, 0.04, 0.05]), vc.half_space(), vc.box([0.03, 0.04, 0.05]) - vc.box([0.02, 0.02, 1.0])):
        pair = vc.PreparedPair(ring, other)
        for X in random_poses(random, 4, 0.01):
            m, mesh = pair.query(X), pair.surface(X).welded()
            edges = np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]])
            forth, counts = np.unique(edges, axis=0, return_counts=True)
            back = np.unique(edges[:, ::-1], axis=0)
            assert m.overlap and np.all(counts == 1) and np.array_equal(forth, back)
            volume = volume_below(mesh.vertices - m.centroid, mesh.faces)
            assert volume == pytest.approx(m.volume, rel=1e-12)
