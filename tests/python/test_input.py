"""What is wrong is said, with the name of the argument and its shape, and nothing crashes."""

import pickle
import random as stdlib_random
import subprocess
import sys
import warnings

import numpy as np
import pytest
from conftest import CubeLike

import volcontact as vc

PAIR = vc.PreparedPair(vc.sphere(0.5), vc.half_space())
IDENTITY = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("pose, message", [
    (np.zeros(6), r"X_WA has shape \(6,\); it must be \(\.\.\., 7\)"),
    (np.zeros((5, 3, 4)), r"X_WA has shape \(5, 3, 4\)"),
    (np.zeros(7), r"X_WA: the quaternion .* has the length 0; .*X_WA has shape \(7,\)"),
    ([[*IDENTITY], [0, 0, 0, 0.9, 0, 0, 0]], r"X_WA\[1\]: the quaternion .*\(2, 7\)"),
    (np.full((2, 3, 7), np.nan), r"X_WA\[0, 0\]: not all numbers are finite \(X_WA has shape \(2, 3, 7\)\)"),
    ([np.inf, *IDENTITY[1:]], "finite"),
    (np.zeros((4, 4)), r"X_WA: the last row .*\(4, 4\)"),
    (np.diag([1.0, 1.0, -1.0, 1.0]), r"X_WA.*\(4, 4\)"),
    (np.diag([2.0, 1.0, 1.0, 1.0])[None], r"X_WA\[0\].*\(1, 4, 4\)"),
    ((np.zeros(4), np.zeros(4)), r"X_WA: a pair \(t, q\) with shapes \(4,\) and \(4,\)"),
    (((np.zeros((3, 3))), np.ones((2, 4)) / 2), r"X_WA: .*\(3,\) and \(2,\) cannot be broadcast"),
])
def test_poses(pose, message):
    with pytest.raises(ValueError, match=message):
        PAIR.query(pose)


@pytest.mark.parametrize("pose", ["here", object(), 1j * np.ones(7), [[1, 2], [3]], np.array(["a"] * 7), {}])
def test_no_numbers(pose):
    with pytest.raises(TypeError, match="X_WA"):
        PAIR.query(pose)
    with pytest.raises(TypeError, match="X_WB"):
        PAIR.query(None, pose)


@pytest.mark.parametrize("options, error, message", [
    ({"tolerance": 2.0}, ValueError, "tolerance is 2"),
    ({"tolerance": float("nan")}, ValueError, "tolerance is nan"),
    ({"tolerance": "fine"}, TypeError, "tolerance: a number"),
    ({"threads": 0}, ValueError, "threads is 0"),
    ({"threads": 1.5}, TypeError, "threads: an integer"),
    ({"threads": 10**30}, ValueError, "threads"),
    ({"method": "magic"}, ValueError, "method is 'magic'; known methods: auto"),
    ({"method": 3}, TypeError, "method"),
    ({"hessian": 1}, TypeError, "hessian"),
    ({"max_cells": 0}, ValueError, "max_cells"),
    ({"bracket_width": 1.0}, ValueError, "bracket_width"),
    ({"method": "voxel"}, ValueError, "voxel_size"),
    ({"previous_normal": [1, 2]}, ValueError, r"previous_normal has shape \(2,\)"),
    ({"previous_normal": [1, 2, np.nan]}, ValueError, "previous_normal"),
    ({"precision": 1e-6}, TypeError, "unknown option 'precision'; options: tolerance"),
])
def test_options(options, error, message):
    with pytest.raises(error, match=message):
        PAIR.query(IDENTITY, **options)
    with pytest.raises(error, match=message):
        PAIR.query([IDENTITY] * 3, **options)


@pytest.mark.parametrize("make, error, message", [
    (lambda: vc.sphere(-1), ValueError, "radius"),
    (lambda: vc.sphere(np.nan), ValueError, "radius"),
    (lambda: vc.sphere("1"), TypeError, "radius: a number"),
    (lambda: vc.sphere([1, 2]), TypeError, "radius"),
    (lambda: vc.sphere(np.ones(2)), ValueError, r"radius has shape \(2,\); one number"),
    (lambda: vc.sphere(np.complex64(1)), TypeError, "radius.*complex64"),
    (lambda: vc.box([1, 2]), ValueError, r"size has shape \(2,\); it must be \(3,\)"),
    (lambda: vc.box([1, 2, np.inf]), ValueError, "size"),
    (lambda: vc.quadric(np.eye(3)), ValueError, r"matrix has shape \(3, 3\)"),
    (lambda: vc.polynomial([(1.0, (5, 0, 0))]), ValueError, "exponents"),
    (lambda: vc.mesh(CubeLike.vertices, CubeLike.faces[1:]), ValueError, "edge"),
    (lambda: vc.mesh(CubeLike.vertices, CubeLike.faces + 0.5), ValueError, r"faces\[0, 0\] is 0.5"),
    (lambda: vc.mesh(CubeLike.vertices, CubeLike.faces + 100), ValueError, "100"),
    (lambda: vc.mesh(CubeLike.vertices[:, :2], CubeLike.faces), ValueError, r"vertices has shape \(8, 2\)"),
    (lambda: vc.mesh(3), TypeError, "a mesh is needed"),
    (lambda: vc.mesh(CubeLike(), scale=0), ValueError, "scale is 0; it must be positive"),
    (lambda: vc.mesh(CubeLike(), scale=-1e-3), ValueError, "scale is -0.001"),
    (lambda: vc.mesh(CubeLike(), scale=np.nan), ValueError, "scale is nan"),
    (lambda: vc.mesh(CubeLike(), scale=np.inf), ValueError, "scale is inf"),
    (lambda: vc.mesh(CubeLike(), accept_defects=1), TypeError, "accept_defects: True or False"),
    (lambda: vc.polynomial([{"c": 1.0}]), ValueError, "terms: a dictionary must be"),
    (lambda: vc.sphere(1).posed(np.zeros((2, 7))), ValueError, "X"),
    (lambda: vc.sphere(1).locate([1, 2]), ValueError, r"points has shape \(2,\)"),
    (lambda: vc.sphere(1) | 3, TypeError, ""),
    (lambda: vc.union([]), ValueError, "empty"),
    (lambda: vc.read("missing.json"), ValueError, "missing.json"),
    (lambda: vc.half_space().mass_properties(), ValueError, "unbounded"),
    (lambda: vc.PreparedPair(vc.slab(1), vc.slab(1)).query(None), ValueError, "unbounded"),
    (lambda: vc.Metrics(), TypeError, "constructor"),
])
def test_solids(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("of, use", [
    (vc.PreparedPair, lambda x: x.query(IDENTITY)),
    (vc.PreparedPair, lambda x: x.a),
    (vc.PreparedPair, repr),
    (vc.PreparedPair, pickle.dumps),
    (vc.PreparedPair, lambda x: vc.ContactModel(normal={"stiffness": 1e6}).evaluate(
        PAIR.query(IDENTITY), IDENTITY, pair=x)),
    (vc.PreparedPair, lambda x: vc.ContactModel(normal={"stiffness": 1e6}).wrench(x)),
    (vc.Solid, lambda x: x.bounds),
    (vc.Solid, repr),
    (vc.Solid, lambda x: ~x),
    (vc.Solid, lambda x: x | vc.sphere(1)),
    (vc.Solid, lambda x: vc.PreparedPair(vc.sphere(1), x)),
    (vc.Solid, lambda x: vc.union([x])),
    (vc.Metrics, lambda x: x.volume),
    (vc.Metrics, lambda x: x[0]),
    (vc.Metrics, lambda x: PAIR.query(IDENTITY, out=x)),
    (vc.CellContacts, lambda x: x.query(IDENTITY)),
    (vc.ContactState, lambda x: x.touching),
    (vc.ContactForce, lambda x: x.shape),
])
def test_objects_that_were_never_made(of, use):
    with pytest.raises(TypeError, match="__new__ made alone"):
        use(of.__new__(of))


def wild(random: stdlib_random.Random, depth: int = 0):
    """Something that somebody might hand over."""
    shape = tuple(random.choice([0, 1, 2, 3, 4, 6, 7]) for _ in range(random.randrange(4)))
    dtype = random.choice([np.float64, np.float32, np.int8, np.uint64, np.complex64, np.bool_, "U3", object,
                           np.float16, "datetime64[s]"])
    kind = random.randrange(12)
    if kind < 5:
        numbers = np.random.default_rng(random.randrange(2**32)).normal(size=shape) * 10.0 ** random.randrange(-300, 300)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return numbers.astype(dtype)
            except (ValueError, TypeError):
                return numbers
    if kind < 7:
        poses = np.zeros(shape + (7,))
        poses[..., 3] = 1.0
        return poses[..., ::-1][..., ::-1] if kind == 5 else np.asfortranarray(poses)
    if kind == 7 and depth < 2:
        return tuple(wild(random, depth + 1) for _ in range(random.randrange(4)))
    return random.choice([None, True, 3, -1.5, float("nan"), float("inf"), "text", b"bytes", 10**400, {}, [],
                          object(), vc.sphere(1), PAIR, np.zeros((0, 7)), np.ma.masked_array([1.0]), range(7)])


SOUND = [0.5, 1, None, 3, IDENTITY, np.array([IDENTITY] * 3), "centroid", (2,), [0.1, 0.2, 0.3], np.eye(4),
         CubeLike.vertices, CubeLike.faces, [0, 0, 0.4, 1, 0, 0, 0], np.zeros(6), ([0, 0, 0], [0, 0, 1]), np.arange(1.0, 20.0)]


@pytest.mark.filterwarnings("ignore")
def test_random_arguments():
    """Five thousand calls with arguments sound and wild: an answer, or a clear exception."""
    random = stdlib_random.Random(17)
    m = PAIR.query(IDENTITY)
    model = vc.ContactModel(normal={"stiffness": 1e6})
    calls = [
        lambda x, y, z: PAIR.query(x, y),
        lambda x, y, z: PAIR.query(x, y, out=z),
        lambda x, y, z: PAIR.query(None, x, tolerance=y, threads=z),
        lambda x, y, z: PAIR.query(x, previous_normal=y, max_cells=z),
        lambda x, y, z: PAIR.patches(x, y),
        lambda x, y, z: PAIR.patches_of_each(x, y),
        lambda x, y, z: model.wrench(PAIR, x, y, division=z),
        lambda x, y, z: PAIR.distance(x, y),
        lambda x, y, z: PAIR.overlaps(x, y),
        lambda x, y, z: PAIR.samples(x, y, about=z),
        lambda x, y, z: vc.sphere(x),
        lambda x, y, z: vc.cone(x, y, z),
        lambda x, y, z: vc.box(x),
        lambda x, y, z: vc.quadric(x),
        lambda x, y, z: vc.polynomial(x),
        lambda x, y, z: vc.mesh(x, y),
        lambda x, y, z: vc.check(x, y),
        lambda x, y, z: vc.sphere(1.0).locate(x),
        lambda x, y, z: vc.sphere(1.0).posed(x),
        lambda x, y, z: m[x],
        lambda x, y, z: m.gradient(x),
        lambda x, y, z: m.elastic_wrench(x, y),
        lambda x, y, z: model.evaluate(m, x, y, z),
        lambda x, y, z: model.touch(PAIR.query(IDENTITY), x, y, z, None, z),
        lambda x, y, z: vc.ContactModel(x),
        lambda x, y, z: vc.ContactState(x),
        lambda x, y, z: vc.PreparedPair(x, y),
        lambda x, y, z: vc.identify.hertz(x, y),
        lambda x, y, z: vc.identify.restitution(x, y),
        lambda x, y, z: vc.union(x),
    ]
    answered = 0
    for _ in range(5000):
        call = random.choice(calls)
        arguments = [random.choice(SOUND) if random.random() < 0.85 else wild(random) for _ in range(3)]
        try:
            call(*arguments)
            answered += 1
        except (ValueError, TypeError, IndexError, KeyError, OverflowError) as error:
            assert str(error)
    assert answered > 200


@pytest.mark.parametrize("ask", [
    lambda: PAIR.query(np.broadcast_to(np.array(IDENTITY, dtype=float), (10**9, 7))),
    lambda: PAIR.query(np.tile(np.array(IDENTITY, dtype=float), (10**5, 1, 1)),
                       np.tile(np.array(IDENTITY, dtype=float), (1, 10**5, 1))),
    lambda: PAIR.distance(np.tile(np.array(IDENTITY, dtype=float), (10**5, 1, 1)),
                          np.tile(np.array(IDENTITY, dtype=float), (1, 10**4, 1))),
    lambda: PAIR.query((np.zeros((10**5, 1, 3)), np.tile([1.0, 0, 0, 0], (1, 10**5, 1)))),
    lambda: vc.ContactState((10**12,)),
    lambda: vc.ContactState((2**32, 2**32)),
    lambda: vc.sphere(1).locate(np.broadcast_to(np.zeros(3), (10**12, 3))),
])
def test_more_than_there_is_room_for(ask):
    with pytest.raises(vc.InvalidInput, match="at a time|too many elements"):
        ask()


def states():
    m = PAIR.query([IDENTITY, IDENTITY], hessian=True)
    return [vc.sphere(1) | vc.box([1, 1, 1]), PAIR, m, vc.ContactState((2,)),
            vc.ContactModel(normal={"stiffness": 1e6}).evaluate(m, IDENTITY)]


def spoilt(random: stdlib_random.Random, state):
    """The same state with one thing in it that is another."""
    if isinstance(state, (tuple, list)) and len(state) > 0 and random.random() < 0.8:
        items = list(state)
        i = random.randrange(len(items))
        items[i] = spoilt(random, items[i])
        if random.random() < 0.1:
            items.pop(i)
        return type(state)(items)
    if isinstance(state, bytes) and len(state) > 0 and random.random() < 0.7:
        return bytes(random.randrange(256) for _ in range(len(state)))
    return random.choice([None, -1, 2**40, 1e300, float("nan"), "text", b"", (), [], {}, (1,), {7: ((), "")}, [-3],
                          [2**31, 2**31, 2**31], state])


def test_states_of_nonsense():
    """What is no state of an object is refused, and what is taken can be looked at."""
    random = stdlib_random.Random(23)
    refused = 0
    for whole in states():
        make, arguments, *state = whole.__reduce_ex__(2)
        for i in range(400):
            other = make(*arguments)
            try:
                other.__setstate__(spoilt(random, state[0]))
                repr(other)
                for field in getattr(other, "fields", ()):
                    getattr(other, field)
            except (ValueError, TypeError, MemoryError, OverflowError):
                refused += 1
    assert refused > 500


def test_messages_do_not_act_on_the_terminal(tmp_path):
    path = tmp_path / "solid.json"
    path.write_text('{"sphere": {"radius": "\\u001b[31m\\u009b2J"}, "\\u202e": 1}')
    with pytest.raises(vc.InvalidInput) as error:
        vc.read(path)
    assert str(error.value).isprintable()


def test_a_subinterpreter_is_refused():
    """In a process of its own, for where this failed it hung."""
    program = ("import _xxsubinterpreters as s\n"
               "s.run_string(s.create(), 'try:\\n import volcontact\\nexcept ImportError as e:\\n print(e)')\n")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert "cannot be imported in a subinterpreter" in run.stdout, run.stderr
