"""Queries: fields, shapes, the same bits as in C++, threads, and memory."""

import json
import pickle
import resource
import subprocess
import threading
import time
import warnings

import numpy as np
import pytest
from conftest import CubeLike, matrices, random_poses

import volcontact as vc

PAIRS = {
    "closed form": (vc.sphere(0.5), vc.half_space()),
    "parts": (vc.box([1, 1, 0.4]) - vc.cylinder(0.3), vc.cylinder(0.25, 1.0) | vc.sphere(0.4)),
    "meshes": (vc.mesh(CubeLike()), vc.mesh(CubeLike()).posed([0.1, 0.2, 0.3, 1, 0, 0, 0])),
    "mesh and ball": (vc.mesh(CubeLike()), vc.sphere(0.5)),
}
FIELDS = [name for name in vc.Metrics.fields if name not in ("seconds", "threads")]


@pytest.fixture(params=PAIRS, ids=list(PAIRS))
def solids(request):
    return PAIRS[request.param]


def same(a: vc.Metrics, b: vc.Metrics) -> bool:
    return all(np.array_equal(getattr(a, f), getattr(b, f), equal_nan=f != "method") for f in FIELDS)


def test_same_bits_as_the_tool(solids, random, tool, tmp_path):
    """The tool prints the library's doubles with all digits."""
    for solid, name in zip(solids, "ab"):
        solid.write(tmp_path / f"{name}.json")
    pair = vc.PreparedPair(*(vc.read(tmp_path / f"{name}.json") for name in "ab"))
    for X_WA, X_WB in zip(random_poses(random, 4, 0.5), random_poses(random, 4, 0.1)):
        text = ",".join(map(repr, X_WA.tolist())), ",".join(map(repr, X_WB.tolist()))
        answer = json.loads(subprocess.run(
            [tool, "query", tmp_path / "a.json", tmp_path / "b.json", f"--pose-a={text[0]}",
             f"--pose-b={text[1]}", "--json", "--tol", "1e-7"],
            check=False, capture_output=True, text=True).stdout)
        m = pair.query(X_WA, X_WB, tolerance=1e-7)
        assert m.overlap == answer["overlap"] and m.method == answer["method"]
        for key in ("volume", "volume_error", "centroid", "inertia", "normal", "area_vector",
                    "contact_area", "gyration_radius"):
            if answer.get(key) is not None:
                assert np.array_equal(getattr(m, key), answer[key]), key


def test_what_is_not_asked_for_is_not_there():
    pair = vc.PreparedPair(*PAIRS["parts"])
    whole = pair.query()
    less = pair.query(bound_volume=False, contact_area=False)
    assert whole.contact_area > 0 and np.isfinite(whole.volume_bounds[1])
    assert np.isnan(less.contact_area) and np.isnan(less.mean_height)
    assert less.volume_bounds.tolist() == [0, np.inf]
    assert less.volume == whole.volume and np.array_equal(less.area_vector, whole.area_vector)


def test_batches_and_threads(solids, random):
    """A batch is its queries, for any number of threads, and in whatever form poses come."""
    pair = vc.PreparedPair(*solids)
    X_WA, X_WB = random_poses(random, 12, 0.4), random_poses(random, 12, 0.1)
    one = pair.query(X_WA, X_WB)
    assert one.shape == (12,) and np.any(one.overlap)
    assert same(pair.query(X_WA, X_WB, threads=2), one)
    for i in range(12):
        assert same(pair.query(X_WA[i], X_WB[i]), one[i])
    assert same(pair.query((X_WA[:, :3], X_WA[:, 3:]), X_WB), one)
    assert same(pair.query(X_WA.reshape(3, 4, 7), X_WB.reshape(3, 4, 7))[2, 3], one[11])
    near = pair.query(matrices(X_WA), matrices(X_WB))
    assert np.allclose(near.volume, one.volume, rtol=1e-6, atol=1e-12)


def test_broadcasting(random):
    pair = vc.PreparedPair(vc.sphere(0.5), vc.sphere(0.4))
    A, B = random_poses(random, (5, 1), 0.3), random_poses(random, (3,), 0.3)
    m = pair.query(A, B)
    assert m.shape == (5, 3) and m.volume.shape == (5, 3) and m.inertia.shape == (5, 3, 3, 3)
    assert m.volume[4, 1] == pair.query(A[4, 0], B[1]).volume
    assert pair.query(A, B[0]).shape == (5, 1)
    assert pair.query(A[0, 0], B).volume[2] == m.volume[0, 2]
    assert pair.query(np.empty((0, 7))).volume.shape == (0,)
    single = pair.query(A[0, 0], B[0])
    assert single.shape == () and isinstance(single.volume, float) and single.overlap is True
    assert single.centroid.shape == (3,) and single.volume_bounds[0] <= single.volume
    t, q = np.zeros((4, 3)), [1, 0, 0, 0]
    assert pair.query((t, q)).shape == (4,)
    assert pair.query([0, 0, 0, 1, 0, 0, 0]).volume == pair.query(None).volume
    assert pair.query(np.float32([0, 0, 0, 1, 0, 0, 0])).volume == pair.query(None).volume


def test_far_from_the_origin(random):
    """Relative poses are formed in extended precision: 1e6 m away the answer is that of here."""
    pair = vc.PreparedPair(vc.box([0.1, 0.1, 0.1]), vc.sphere(0.05))
    here = pair.query([0.0, 0.0, 0.09375, 1, 0, 0, 0], None)
    away = 2.0**20
    there = pair.query([away, 0.0, 0.09375, 1, 0, 0, 0], [away, 0, 0, 1, 0, 0, 0])
    assert there.volume == here.volume


def test_out_and_views(random):
    pair = vc.PreparedPair(vc.sphere(0.5), vc.half_space())
    X = random_poses(random, 6, 0.3)
    m = pair.query(X)
    volume, before = m.volume, m.volume.copy()
    assert pair.query(X[::-1].copy(), out=m) is m
    assert np.array_equal(volume, before[::-1]) and volume.base is m
    del m
    assert np.array_equal(volume, before[::-1])
    with pytest.raises(ValueError, match=r"out has shape \(2,\)"):
        pair.query(X, out=pair.query(X[:2]))
    with pytest.raises(TypeError, match="out"):
        pair.query(X, out=np.zeros(6))


def test_results_are_values(random):
    pair = vc.PreparedPair(*PAIRS["parts"])
    m = pair.query(random_poses(random, (2, 3), 0.5), hessian=True)
    copy = pickle.loads(pickle.dumps(m))
    assert same(copy, m) and np.array_equal(copy.hessian(), m.hessian(), equal_nan=True)
    assert same(pickle.loads(pickle.dumps(pair)).query(None), pair.query(None))
    assert len(m) == 2 and m[1].shape == (3,) and m[m.overlap].shape == (int(np.sum(m.overlap)),)
    assert m[..., 0].volume.tolist() == m.volume[:, 0].tolist()
    with pytest.raises(IndexError):
        m[5]
    assert "of 6 overlap" in repr(m)
    assert repr(m[0, 0]).startswith("Metrics(")
    assert m.warnings.shape == (2, 3) and isinstance(m[0, 0].warnings, tuple)
    apart = vc.PreparedPair(vc.sphere(1), vc.sphere(1)).query([3, 0, 0, 1, 0, 0, 0])
    assert not apart.overlap and apart.distance_lower_bound == pytest.approx(1.0)
    assert apart.distance == apart.distance_lower_bound and "distance_lower_bound=1" in repr(apart)


def test_the_rest_of_a_pair(random):
    pair = vc.PreparedPair(vc.union([vc.sphere(0.2), vc.sphere(0.2).posed([1, 0, 0, 1, 0, 0, 0])]),
                           vc.half_space())
    X = [0, 0, 0.15, 1, 0, 0, 0]
    patches = pair.patches(X)
    assert patches.shape == (2,)
    assert np.sum(patches.volume) == pytest.approx(pair.query(X).volume, rel=1e-6)
    points, volumes = pair.samples(X)
    assert points.shape == (volumes.size, 3)
    assert np.sum(volumes) == pytest.approx(pair.query(X).volume, rel=1e-5)
    z = np.array([0.15, 0.2 + 1e-3, 0.5])
    X = np.zeros((3, 7))
    X[:, 2], X[:, 3] = z, 1.0
    assert pair.overlaps(X).tolist() == [True, False, False] and pair.overlaps(X[0]) is True
    assert pair.overlaps(X[1]) is False
    assert np.all(pair.distance(X) <= np.maximum(z - 0.2, 0) + 1e-15)
    assert np.all(pair.distance(X) >= 0.9 * np.maximum(z - 0.2, 0) - 1e-15)
    assert np.array_equal(np.sign(pair.event(X)), [-1, 1, 1])
    bound, nearest = pair.separation(X)
    assert np.array_equal(bound, pair.distance(X)) and nearest.shape == (3, 2, 3)
    apart = vc.PreparedPair(vc.sphere(0.2), vc.sphere(0.2))
    points, volumes = apart.samples([0.3, 0, 0, 1, 0, 0, 0], about=([0.15, 0, 0], [1, 0, 0]))
    assert np.sum(volumes) == pytest.approx(apart.query([0.3, 0, 0, 1, 0, 0, 0]).volume, rel=1e-5)


def test_the_lock_is_released():
    """Another thread of Python goes on while a long query runs."""
    pair = vc.PreparedPair(vc.torus(1.0, 0.3), vc.torus(1.0, 0.3).posed([0.3, 0.1, 0, 0.8, 0.6, 0, 0]))
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.0005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.perf_counter()
    while time.perf_counter() - start < 0.2:
        begun = time.perf_counter()
        pair.query(None, method="voxel", voxel_size=0.005)
        ended = time.perf_counter()
        inside = [t for t in ticks if begun < t < ended]
        if len(inside) >= 2:
            break
    done.set()
    thread.join()
    assert len(inside) >= 2


def test_memory_does_not_grow(random):
    pair = vc.PreparedPair(vc.sphere(0.5), vc.half_space())
    X = random_poses(random, 1000, 0.3)

    def some():
        for _ in range(20):
            pair.query(X, hessian=False)
        for x in X:
            pair.query(x).centroid

    some()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(8):
        some()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2000  # kB


def test_what_is_undecided_is_no_answer():
    """At a touch neither is proved: that is raised, or what one asks for stands there."""
    pair = vc.PreparedPair(vc.sphere(0.1), vc.half_space())
    X = np.zeros((2, 2, 7))
    X[..., 2], X[..., 3] = [[0.05, 0.1], [0.3, 0.1]], 1.0
    with pytest.raises(vc.Undecided, match=r"at 2 of 4 poses, the first at \[0, 1\]"):
        pair.overlaps(X)
    with pytest.raises(vc.Undecided, match="at this pose"):
        pair.overlaps(X[0, 1])
    for given in (True, False):
        assert pair.overlaps(X, undecided=given).tolist() == [[True, given], [False, given]]
        assert pair.overlaps(X[0, 1], undecided=given) is given


def test_without_poses_both_stand_at_the_origin():
    pair = vc.PreparedPair(vc.sphere(0.1), vc.box([0.1, 0.1, 0.1]).posed([0.1, 0, 0, 1, 0, 0, 0]))
    here = [0, 0, 0, 1, 0, 0, 0]
    assert same(pair.query(), pair.query(here, here)) and same(pair.query(tolerance=1e-9), pair.query(None, tolerance=1e-9))
    assert same(pair.query(X_WB=here), pair.query(here))
    assert pair.patches().shape == (1,) and pair.samples()[1].size > 0
    assert pair.overlaps() is True and pair.distance() == 0 and pair.event() < 0
    assert pair.separation()[0] == 0
    assert len(vc.CellContacts([pair.a], [pair.b]).query()[0]) == 1


def test_methods():
    """Old names are read as what replaced them, with one warning; the records have one name each."""
    pair = vc.PreparedPair(vc.sphere(0.5), vc.half_space())
    X = [0, 0, 0.45, 1, 0, 0, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        boundary = pair.query(X, method="boundary")
        assert boundary.method == "boundary" and pair.query(X, method="columns").method == "columns"
        assert list(pair.query([X, X], method="columns").method) == ["columns"] * 2
    for old in ("octree", "mesh", "patch"):
        with pytest.warns(DeprecationWarning, match=f"{old} is called boundary now") as seen:
            assert pair.query([X, X], method=old).method.tolist() == ["boundary"] * 2
        assert len(seen) == 1 and seen[0].filename == __file__


def test_tol_is_the_old_name_of_tolerance(data):
    pair = vc.PreparedPair(vc.sphere(0.5), vc.half_space())
    solid = vc.box([1, 1, 1]) - vc.sphere(0.6)
    press = vc.identify.read_press(data / "identify/press_sphere.csv")
    ball = vc.read(data / "identify/ball.json")
    calls = [(lambda **o: pair.query([0, 0, 0.4, 1, 0, 0, 0], **o).tolerance),
             (lambda **o: solid.mass_properties(**o).volume),
             (lambda **o: vc.identify.stiffness(press.position, press.force, ball, **o).estimates["stiffness"].value)]
    for call in calls:
        with pytest.warns(DeprecationWarning, match="tol is the old name of tolerance") as seen:
            old = call(tol=1e-4)
        assert old == call(tolerance=1e-4)
        assert [warning.filename for warning in seen] == [__file__]
