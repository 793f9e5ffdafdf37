"""Solids: what they are made of, how they print, and how they are kept."""

import base64
import json
import pathlib
import pickle
import warnings

import numpy as np
import pytest
from conftest import CubeLike, random_poses

import volcontact as vc

PRIMITIVES = [
    (vc.sphere(0.5), 4 / 3 * np.pi * 0.125),
    (vc.ellipsoid([0.5, 0.4, 0.3]), 4 / 3 * np.pi * 0.06),
    (vc.box([1.0, 2.0, 3.0]), 6.0),
    (vc.cylinder(0.5, 2.0), np.pi * 0.5),
    (vc.cone(0.5, 2.0), np.pi / 3 * 0.5),
    (vc.cone(0.5, 2.0, 0.25), np.pi / 3 * 2.0 * (0.25 + 0.125 + 0.0625)),
    (vc.capsule(0.5, 1.0), np.pi * 0.25 + 4 / 3 * np.pi * 0.125),
    (vc.torus(1.0, 0.25), 2 * np.pi**2 * 0.0625),
    (vc.quadric(np.diag([1.0, 1.0, 1.0, -0.25])), 4 / 3 * np.pi * 0.125),
    (vc.polynomial([(1.0, (2, 0, 0)), (1.0, (0, 2, 0)), (1.0, (0, 0, 2)), (-0.25, (0, 0, 0))]),
     4 / 3 * np.pi * 0.125),
    (vc.mesh(CubeLike()), 1.0),
    (vc.box([1, 1, 1]) - vc.cylinder(0.25), 1 - np.pi / 16),
    (vc.box([1, 1, 1]) & vc.half_space(), 0.5),
    (vc.box([1, 1, 1]) & ~vc.slab(0.5), 0.5),
    (vc.box([1, 1, 1]) | vc.box([1, 1, 1]).posed([0.5, 0, 0, 1, 0, 0, 0]), 1.5),
]


@pytest.mark.parametrize("solid, volume", PRIMITIVES, ids=[repr(s) for s, _ in PRIMITIVES])
def test_volume(solid, volume):
    mass = solid.mass_properties(tolerance=1e-9)
    assert mass.volume == pytest.approx(volume, rel=1e-8)
    assert mass.centroid.shape == (3,) and mass.inertia.shape == (3, 3)
    assert mass.converged


@pytest.mark.parametrize("solid", [s for s, _ in PRIMITIVES], ids=[repr(s) for s, _ in PRIMITIVES])
def test_kept(solid, random, tmp_path):
    """A solid that was pickled, or written to a file, is the same to the last bit."""
    X = random_poses(random, 1, 0.3)[0]
    solid = solid.posed(X).posed([1e-9, 1 / 3, 0, 1, 0, 0, 0])
    solid.write(tmp_path / "solid.json")
    cut = vc.sphere(0.6).posed([0.1, 0.5, 0.2, 1, 0, 0, 0])
    expected = vc.PreparedPair(solid, cut).query(None)
    for copy in (pickle.loads(pickle.dumps(solid)), vc.read(tmp_path / "solid.json")):
        assert repr(copy) == repr(solid)
        found = vc.PreparedPair(copy, cut).query(None)
        assert found.volume == expected.volume and np.array_equal(found.inertia, expected.inertia)


def test_deviations_are_kept(tmp_path):
    (tmp_path / "twisted.csg").write_text(
        "linear_extrude(height = 10, twist = 90, slices = 4) { square(size = [4, 4], center = true); }\n")
    with pytest.warns(UserWarning):
        solid = vc.read(tmp_path / "twisted.csg")
    solid.write(tmp_path / "twisted.json")
    cut = vc.half_space().posed([0, 0, 0.004, 1, 0, 0, 0])
    expected, found = (vc.PreparedPair(s, cut).query(None, tolerance=1e-9)
                       for s in (solid, vc.read(tmp_path / "twisted.json")))
    assert expected.volume_error > 1e-4 * expected.volume
    assert found.volume == expected.volume and found.volume_error == expected.volume_error
    document = json.loads((tmp_path / "twisted.json").read_text())
    document["mesh"]["deviations"].pop()
    (tmp_path / "short.json").write_text(json.dumps(document))
    with pytest.raises(vc.InvalidInput, match="one for each face"):
        vc.read(tmp_path / "short.json")


def test_representation():
    part = (vc.box([0.1, 0.1, 0.04]) - vc.cylinder(0.01)).posed([0, 0, 0.25, 1, 0, 0, 0])
    assert repr(part) == "(box([0.1, 0.1, 0.04]) - cylinder(0.01)).posed([0, 0, 0.25, 1, 0, 0, 0])"
    assert repr(vc.sphere(1) | vc.sphere(2)) == "sphere(1) | sphere(2)" or repr(
        vc.sphere(1) | vc.sphere(2)) == "(sphere(1) | sphere(2))"
    assert repr(vc.mesh(CubeLike())) == "mesh(<8 vertices, 12 faces>)"
    assert "more" in repr(vc.union([vc.sphere(1)] * 100))


def test_chains():
    """a | b | c is one union of three; what was moved or grouped in between stays together."""
    a, b, c = (vc.sphere(r) for r in (1, 2, 3))
    assert [n[5] for n in (a | b | c)._nodes(False)] == [3, 0, 0, 0]
    assert (a | (b | c))._nodes(False)[0][5] == 2
    assert ((a | b).posed([0, 0, 1, 1, 0, 0, 0]) | c)._nodes(False)[0][5] == 2
    assert (a - b - c)._nodes(False)[0][:1] == ("difference",)
    assert (a - b - c)._nodes(False)[0][5] == 3


def test_many_operands():
    row = vc.sphere(0.1)
    for i in range(1, 300):
        row = row | vc.sphere(0.1).posed([i, 0, 0, 1, 0, 0, 0])
    nested = vc.sphere(0.1)
    for i in range(1, 300):
        nested = vc.union([nested, vc.sphere(0.1)])
    for solid in (row, nested):
        copy = pickle.loads(pickle.dumps(solid))
        assert np.array_equal(copy.bounds, solid.bounds)
        assert isinstance(repr(solid), str)


def test_locate():
    ball = vc.sphere(1.0)
    inside, boundary, outside = (ball.locate([x, 0, 0]) for x in range(3))
    assert inside is vc.Membership.INSIDE and boundary is vc.Membership.BOUNDARY and outside is vc.Membership.OUTSIDE
    assert outside == "outside" and str(outside) == "outside" and outside != inside
    for membership in (inside, boundary, outside):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(membership)
        with pytest.raises(TypeError, match="once gave 1, 0 and -1"):
            assert membership == 1
        assert pickle.loads(pickle.dumps(membership)) is membership
    assert [ball.contains([x, 0, 0]) for x in range(3)] == [True, True, False]
    points = np.zeros((2, 5, 3))
    points[1, :, 0] = 3.0
    found = ball.locate(points)
    assert found.shape == (2, 5)
    assert np.all(found[0] == vc.Membership.INSIDE) and np.all(found[1] == vc.Membership.OUTSIDE)
    assert np.all(ball.contains(points) == [[True], [False]]) and ball.contains(points).dtype == bool
    assert np.allclose(ball.bounds, [[-1, -1, -1], [1, 1, 1]])
    assert ball.is_convex and not (ball - vc.sphere(0.5)).is_convex


def test_meshes(tmp_path):
    cube = CubeLike()
    assert vc.check(cube).ok and vc.check(cube.vertices, cube.faces).volume == pytest.approx(1.0)
    open_mesh = vc.check(cube.vertices, cube.faces[:-1])
    assert not open_mesh.ok and "open_boundary" in open_mesh.counts
    mended = vc.repair(cube.vertices, np.vstack([cube.faces, cube.faces[:1]]))
    assert mended.notes and vc.check(mended).ok
    assert np.allclose(vc.mesh(cube, scale=1e-3).bounds, [[-5e-4] * 3, [5e-4] * 3])
    for suffix in ("stl", "obj", "ply", "off"):
        path = tmp_path / f"cube.{suffix}"
        vc.mesh(cube).write(path)
        back = vc.read_mesh(path)
        assert back.vertices.shape == (8, 3) and back.faces.shape == (12, 3)
        assert vc.read(path).mass_properties().volume == pytest.approx(1.0)
    assert np.allclose(vc.read(tmp_path / "cube.stl", units="mm").bounds, [[-5e-4] * 3, [5e-4] * 3])
    with pytest.raises(vc.InvalidInput, match="not moved"):
        vc.write(tmp_path / "ball.stl", vc.sphere(1))
    vertices, faces = vc.mesh(cube).mesh
    assert np.array_equal(vertices, cube.vertices) and np.array_equal(faces, cube.faces)


def test_written_in_a_unit(tmp_path):
    path = tmp_path / "part.obj"
    plate = vc.box([0.06, 0.05, 0.01]) - vc.cylinder(0.01)
    for part in (vc.mesh(CUBE, units="mm"), plate.surface(), plate.surface().welded()):
        vc.write(path, part, units="mm")
        vertices = part.mesh[0] if isinstance(part, vc.Solid) else part.vertices
        assert np.allclose(vc.read_mesh(path, scale=1.0).vertices.max(0), 1e3 * vertices.max(0), rtol=1e-15)
        assert np.allclose(vc.read(path, units="mm").bounds[1], vertices.max(0), rtol=1e-14)
        assert np.allclose(vc.read_mesh(path, units="mm").vertices.max(0), vertices.max(0), rtol=1e-14)
    vc.mesh(CUBE).write(path, units="cm")
    assert vc.read_mesh(path, units="m").vertices.max() == pytest.approx(50.0, rel=1e-15)
    with pytest.raises(vc.InvalidInput, match="ft.*known units"):
        vc.write(path, CUBE, units="ft")
    with pytest.raises(vc.InvalidInput, match="in metres"):
        vc.write(tmp_path / "part.json", plate, units="mm")
    with pytest.raises(vc.InvalidInput, match="scale and units"):
        vc.read_mesh(path, scale=1e-3, units="mm")
    with pytest.raises(vc.InvalidInput, match=r"solid\.surface\(\)\.welded\(\)"):
        vc.write(path, plate)


def test_open_meshes_are_written_with_a_warning(tmp_path):
    with pytest.warns(UserWarning, match="not closed: 3 edges") as seen:
        vc.write(tmp_path / "open.stl", (CUBE.vertices, CUBE.faces[:-1]))
    assert seen[0].filename == __file__ and not vc.check(vc.read_mesh(tmp_path / "open.stl")).ok
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vc.write(tmp_path / "closed.stl", CUBE)


CUBE = CubeLike()
FLAT = CUBE.faces.copy()
FLAT[0] = [0, 1, 1]
DEFECTIVE = {
    "mirrored": (CUBE.vertices[:, ::-1], CUBE.faces, "turn its faces over"),
    "turned": (CUBE.vertices, CUBE.faces[:, ::-1], "turn its faces over"),
    "doubled": (CUBE.vertices, np.vstack([CUBE.faces] * 2), "remove one of them.* defects in all"),
    "crossing": (np.vstack([CUBE.vertices, CUBE.vertices + 0.3]), np.vstack([CUBE.faces, CUBE.faces + 8]),
                 "cross or overlap"),
    "collapsed": (CUBE.vertices * [1, 1, 0], CUBE.faces, ""),
    "flat": (CUBE.vertices, FLAT, "names a vertex twice"),
}


@pytest.mark.parametrize("vertices, faces, message", DEFECTIVE.values(), ids=list(DEFECTIVE))
def test_defective_meshes(vertices, faces, message):
    with pytest.raises(vc.InvalidInput, match=rf"vertices \({len(vertices)}, 3\), .*{message}.*repair"):
        vc.mesh(vertices, faces)


def test_accepted_defects():
    for name in ("mirrored", "crossing"):
        assert vc.mesh(*DEFECTIVE[name][:2], accept_defects=True).bounds.shape == (2, 3)
    assert vc.mesh(vc.repair(CUBE.vertices[:, ::-1], CUBE.faces)).mass_properties().volume == pytest.approx(1.0)
    with pytest.raises(vc.InvalidInput, match="edge"):
        vc.mesh(CUBE.vertices, CUBE.faces[1:], accept_defects=True)


def test_terms_as_in_files():
    terms = [(1.0, (2, 0, 0)), (1.0, (0, 2, 0)), (1.0, (0, 0, 2)), (-0.25, (0, 0, 0))]
    assert repr(vc.polynomial([{"c": c, "e": list(e)} for c, e in terms])) == repr(vc.polynomial(terms))


def test_cells():
    two = vc.union([vc.box([1, 1, 1]), vc.box([1, 1, 1]).posed([1, 0, 0, 1, 0, 0, 0])])
    contacts = vc.CellContacts(two.cells, [vc.half_space()])
    cells, m = contacts.query([0, 0, 0.4, 1, 0, 0, 0])
    assert cells.tolist() == [[0, 0], [1, 0]]
    assert np.sum(m.volume) == pytest.approx(0.2)


def stl(path, size):
    """A box in single precision, as an export that says nothing of its unit."""
    v = (CubeLike.vertices * size).astype(np.float32)
    with open(path, "wb") as file:
        file.write(bytes(80) + np.uint32(len(CubeLike.faces)).tobytes())
        for face in CubeLike.faces:
            file.write(np.zeros(3, np.float32).tobytes() + v[face].tobytes() + bytes(2))
    return path


@pytest.mark.parametrize("size, suspicious", [(50.0, True), (5e-5, True), (0.05, False)])
def test_units_are_warned_of(tmp_path, size, suspicious):
    path = stl(tmp_path / "part.stl", size)
    for read in (vc.read, vc.read_mesh):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            read(path)
        assert len(told) == suspicious
        if suspicious:
            assert "part.stl" in str(told[0].message) and "units" in str(told[0].message)
            assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.allclose(vc.read(path, units="mm").bounds[1], size * 5e-4, rtol=1e-6)
        assert np.allclose(vc.read_mesh(path, scale=1e-3).vertices.max(), size * 5e-4, rtol=1e-6)


PINS = pathlib.Path(__file__).resolve().parent.parent / "step/data/pins.step"


def _reads_step():
    try:
        return bool(vc.read_bodies(PINS, body=1))
    except vc.InvalidInput:
        return False


GLTF = """{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0, 1]}], "nodes": [{"mesh": 0, "name": "left"},
{"mesh": 0, "name": "right", "translation": [2, 0, 0]}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0},
"indices": 1}]}], "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
{"bufferView": 1, "componentType": 5121, "count": 12, "type": "SCALAR"}], "bufferViews": [{"buffer": 0,
"byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}], "buffers": [{"byteLength": 60,
"uri": "data:;base64,%s"}]}"""


def test_bodies_of_gltf_files(tmp_path):
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], dtype="<f4").tobytes()
    faces = bytes([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])
    path = tmp_path / "two.gltf"
    path.write_text(GLTF % base64.b64encode(corners + faces).decode())
    bodies = vc.read_bodies(path)
    assert [body.name for body in bodies] == ["left", "right"]
    assert [body.volume for body in bodies] == pytest.approx([1.0, 1.0], rel=1e-14)
    assert np.allclose(bodies[1].centroid, [2.25, 0.5, 0.75], rtol=1e-14)
    assert vc.read(path, body="right").centroid == pytest.approx(bodies[1].centroid)
    assert len(vc.read_mesh(f"{path}#left").faces) == 4


@pytest.mark.skipif(not _reads_step(), reason="built without Open CASCADE")
def test_bodies_of_step_files():
    bodies = vc.read_bodies(PINS)
    assert [body.name for body in bodies] == ["box", "pin:1", "pin:2", "pin:3", "pin:4"]
    assert [body.number for body in bodies] == [1, 2, 3, 4, 5]
    assert all(body.exact and body.why == "" and body.deviation == 0.0 for body in bodies)
    assert np.allclose(bodies[4].centroid, [0.065, 0, 0.006], atol=1e-9)
    for body in bodies:
        assert body.solid.mass_properties().volume == pytest.approx(body.volume, rel=1e-8)
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            one = vc.read(PINS, body=body.name)
            same = vc.read(f"{PINS}#{body.number}")
        assert np.allclose(one.bounds, body.solid.bounds) and np.allclose(same.bounds, body.solid.bounds)
    assert [body.number for body in vc.read_bodies(PINS, body=3)] == [3]
    with pytest.warns(UserWarning, match="holds 5 bodies"):
        vc.read(PINS)
    with pytest.raises(vc.InvalidInput, match='4 bodies are called "pin"'):
        vc.read(PINS, body="pin")
    with pytest.raises(vc.InvalidInput, match="deviation"):
        vc.read_bodies(PINS, deviation=-1.0)
