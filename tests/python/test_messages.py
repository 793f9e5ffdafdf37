"""Messages, help and repr speak Python: no words of the binding, no rows of arrays, one line."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
from conftest import CubeLike

import volcontact as vc

# What a binding says of C++, and what tells a reader of Python nothing.
FOREIGN = ("handle", "incompatible", "Invoked with", "_core", "pybind", "Eigen", "std::", "kwargs: ", "--units", "--body")
PAIR = vc.PreparedPair(vc.sphere(0.5), vc.half_space())
POSES = np.tile([0.0, 0.0, 0.45, 1.0, 0.0, 0.0, 0.0], (320, 1))
MANY = PAIR.query(POSES, hessian=True)
MODEL = vc.ContactModel(normal={"stiffness": 1e6})
# Of the wrong kind, number or shape for all that takes arguments.
WRONG = [(), (3,), ("a",), (None,), (POSES,), (object(),), ([1, 2],), (vc.sphere(1.0), 3), (1, 2, 3, 4, 5, 6, 7, 8)]
THINGS = [PAIR, MANY, MANY[0], MODEL, vc.sphere(1.0), vc.CellContacts([vc.sphere(1.0)], [vc.half_space()]),
          vc.ContactState(), MODEL.evaluate(MANY, POSES)]


def callables():
    for name in vc.__all__:
        thing = getattr(vc, name)
        is_plain = inspect.isclass(thing) and issubclass(thing, (Exception, str))
        if callable(thing) and not is_plain and name not in ("simulate", "Run"):
            yield name, getattr(vc, name)
    for thing in THINGS:
        for name in dir(type(thing)):
            value = getattr(type(thing), name)
            if not name.startswith("_") and callable(value):
                yield f"{type(thing).__name__}.{name}", getattr(thing, name)


CALLABLES = dict(callables())


@pytest.mark.parametrize("name", CALLABLES)
def test_wrong_arguments(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where a write may go
    refused = 0
    for arguments in WRONG:
        try:
            CALLABLES[name](*arguments)
        except Exception as error:  # noqa: BLE001: whatever it is, it is read
            refused += 1
            text = str(error)
            assert not [word for word in FOREIGN if word in text], text
            assert len(text) < 500, text
    assert refused, f"{name} takes anything"


@pytest.mark.parametrize("name", CALLABLES)
def test_help(name):
    text = inspect.getdoc(CALLABLES[name]) or ""
    assert text and not [word for word in FOREIGN if word in text], text
    if not inspect.isclass(CALLABLES[name]):
        inspect.signature(CALLABLES[name])  # which help() and editors show


def test_signature_of_query():
    """help() shows every option with its default."""
    with pytest.raises(TypeError) as error:
        PAIR.query(wrong=1)
    known = set(str(error.value).split("options: ")[1].replace("and ", ", ").replace("`", "").replace(" of query", "")
                .replace(" ", "").split(",")) - {""}
    shown = inspect.signature(vc.PreparedPair.query).parameters
    assert known == set(shown) - {"self", "X_WA", "X_WB"}
    plain = PAIR.query(POSES)
    given = {name: shown[name].default for name in known - {"out", "progress", "max_seconds", "previous_normal", "voxel_size"}}
    assert np.array_equal(PAIR.query(POSES, **given).volume, plain.volume)


def test_names_are_those_of_the_package():
    for each in (vc.Solid, vc.Metrics, vc.InvalidInput, vc.Undecided):
        assert each.__module__ == "volcontact"
        assert pickle.loads(pickle.dumps(each)) is each


def test_matrices():
    X = np.eye(4)
    X[0, 0] = 2
    with pytest.raises(ValueError, match="differs by 3 from an orthonormal one") as error:
        PAIR.query(X)
    assert "Eigen" not in str(error.value)
    with pytest.raises(TypeError, match="rows differ in length"):
        PAIR.query([[0] * 7, [0] * 3])


@pytest.mark.parametrize("thing", [*THINGS, MANY[0], PAIR.query(None), PAIR.query([0, 0, 9.0, 1, 0, 0, 0]),
                                   vc.union([vc.box([0.1, 0.2, 0.3]).posed([i, 0, 0, 1, 0, 0, 0]) for i in range(50)]),
                                   vc.PreparedPair(vc.box([0.1, 0.1, 0.1]) - vc.cylinder(0.01) - vc.cylinder(0.02),
                                                   vc.torus(0.1, 0.02) | vc.cone(0.1, 0.2, 0.03)),
                                   vc.box([0.1, 0.2, 0.3]).surface().welded(), vc.sphere(0.1).mass_properties(),
                                   vc.identify.Estimate(7.55e13, 2e11, 4e11), MODEL.touch(MANY, POSES)[0], MODEL.evaluate(MANY, POSES)[0]],
                         ids=lambda thing: type(thing).__name__)
def test_repr_fits_a_line(thing):
    assert len(repr(thing)) <= 120 and "\n" not in repr(thing)


def test_size_of_a_mesh():
    """As of files: a mesh longer than 2 m or shorter than 0.1 mm may be in another unit, unless that was named."""
    cube = CubeLike.vertices  # 1 m
    for scale, warned in ((1.99, False), (2.01, True), (1.01e-4, False), (0.99e-4, True), (43.6, True)):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            vc.mesh(cube * scale, CubeLike.faces)
            vc.mesh(cube * scale, CubeLike.faces, scale=1.0)
        assert len(seen) == warned, scale
        assert not warned or seen[0].filename == __file__ and 'units="mm"' in str(seen[0].message)


def test_what_was_meant():
    for function in (vc.mesh, vc.check, vc.repair):
        with pytest.raises(TypeError, match="gear.stl.*read_mesh"):
            function("gear.stl")
    with pytest.raises(TypeError, match=r"here box\(\[1, 2, 3\]\)"):
        vc.box(1, 2, 3)
    with pytest.raises(TypeError, match=r"ellipsoid\(\[x, y, z\]\)"):
        vc.ellipsoid(1, 2)
    with pytest.raises(vc.InvalidInput, match='did you mean "steel"'):
        vc.estimate_contact(vc.sphere(0.02), vc.half_space(), mass=0.5, material_a="Steel", material_b="steel")


def test_notes_of_files_speak_python(tmp_path):
    vc.write(tmp_path / "long.stl", vc.MeshData(CubeLike.vertices * 43.6, CubeLike.faces))
    for read in (vc.read, vc.read_mesh):
        with pytest.warns(UserWarning, match="43.6 m long") as seen:
            read(tmp_path / "long.stl")
        text = str(seen[0].message)
        assert 'units="mm"' in text and not [word for word in FOREIGN if word in text], text


def test_volume_and_centroid():
    part = (vc.box([0.1, 0.1, 0.04]) - vc.cylinder(0.01)).posed([0.5, 0, 0, 1, 0, 0, 0])
    mass = part.mass_properties()
    assert part.volume == mass.volume == pytest.approx(0.04 * (0.01 - np.pi * 1e-4), rel=1e-6)
    assert np.allclose(part.centroid, [0.5, 0, 0], atol=1e-9) and np.array_equal(part.centroid, mass.centroid)
    assert np.all(part.bounds[0] <= part.centroid) and part.contains([0.54, 0, 0]) and not part.contains([0.5, 0, 0])
    with pytest.raises(ValueError, match="unbounded"):
        vc.half_space().volume
