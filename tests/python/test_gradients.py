"""Gradients and Hessians against finite differences, in numpy, torch and jax."""

import numpy as np
import pytest
from conftest import CubeLike, matrices, moved, random_poses

import volcontact as vc
from volcontact import _motions

TOL = 1e-12

PAIRS = {
    "balls": (vc.sphere(0.5), vc.sphere(0.45)),
    "parts": (vc.box([1.0, 0.9, 0.8]) - vc.cylinder(0.2), vc.cylinder(0.3, 0.9)),
    "mesh": (vc.mesh(CubeLike()), vc.sphere(0.5)),
}


@pytest.fixture(params=PAIRS, ids=list(PAIRS))
def pair(request):
    return vc.PreparedPair(*PAIRS[request.param])


def touching(pair, random, count):
    """Poses (count, 7) of A and B that overlap in part and have a Hessian."""
    found = []
    while len(found) < count:
        A, B = random_poses(random, 1, 0.6)[0], random_poses(random, 1, 0.1)[0]
        m = pair.query(A, B, hessian=True)
        if m.overlap and np.all(np.isfinite(m.hessian())) and np.linalg.norm(m.area_vector) > 0.01:
            found.append((A, B))
    return [np.array(poses) for poses in zip(*found)]


def differences(function, A, B, step):
    """Central differences of a function of both poses by their twelve motions, behind its shape."""
    columns = []
    for k in range(12):
        change = np.zeros(12)
        change[k] = step
        values = []
        for sign in (1, -1):
            motion = sign * change
            values.append(function(moved(A, motion[:3], motion[3:6]), moved(B, motion[6:9], motion[9:])))
        columns.append((np.asarray(values[0]) - values[1]) / (2 * step))
    return np.stack(columns, axis=-1)


def test_gradient(pair, random):
    for A, B in zip(*touching(pair, random, 3)):
        m = pair.query(A, B, tolerance=TOL)
        expected = differences(lambda a, b: pair.query(a, b, tolerance=TOL).volume, A, B, 1e-4)
        finer = differences(lambda a, b: pair.query(a, b, tolerance=TOL).volume, A, B, 5e-5)
        expected = finer + (finer - expected) / 3
        assert np.allclose(m.gradient().ravel(), expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())
        about = m.gradient("centroid")
        assert np.array_equal(about[0, :3], -m.area_vector) and np.array_equal(about[0, 3:], -m.area_moment)
        assert np.array_equal(about[1], -about[0])


def test_hessian(pair, random):
    """The derivative of the gradient's translational half is the Hessian; its rotational half changes
    its meaning with the motion, so second differences of the volume stand for it."""
    for A, B in zip(*touching(pair, random, 2)):
        H = pair.query(A, B, tolerance=TOL, hessian=True).hessian().reshape(12, 12)
        assert np.array_equal(H, H.T)
        def slope(step):
            return differences(lambda a, b: pair.query(a, b, tolerance=TOL).gradient()[:, :3].ravel(), A, B, step)

        slopes = slope(5e-5) + (slope(5e-5) - slope(1e-4)) / 3
        rows = [0, 1, 2, 6, 7, 8]
        assert np.allclose(H[rows], slopes, rtol=1e-6, atol=2e-6 * np.abs(H).max())

        def volume(motion):
            return pair.query(moved(A, motion[:3], motion[3:6]), moved(B, motion[6:9], motion[9:]), tolerance=TOL).volume

        step = 1e-3
        for i, j in [(3, 3), (3, 4), (4, 5), (9, 9), (10, 11), (3, 9), (4, 9), (5, 10), (3, 11)]:
            second = {}
            for h in (step, step / 2):
                e = np.eye(12) * h
                second[h] = (volume(e[i] + e[j]) - volume(e[i] - e[j]) - volume(e[j] - e[i])
                             + volume(-e[i] - e[j])) / (4 * h * h)
            value = second[step / 2] + (second[step / 2] - second[step]) / 3
            assert H[i, j] == pytest.approx(value, rel=1e-4, abs=1e-5 * np.abs(H).max())


@pytest.mark.parametrize("direction", ["area_vector", "eigenvector"])
def test_wrench(pair, random, direction):
    for A, B in zip(*touching(pair, random, 2)):
        m = pair.query(A, B, tolerance=TOL, hessian=True)
        k = 3.0
        normal = m.area_normal if direction == "area_vector" else m.normal
        wrench = m.elastic_wrench(k, direction)
        assert np.allclose(wrench[:3], k * m.volume * normal)
        assert np.allclose(wrench[3:], np.cross(m.centroid - A[:3], wrench[:3]))

        def at(a, b):
            return pair.query(a, b, tolerance=TOL).elastic_wrench(k, direction)

        coarse, fine = differences(at, A, B, 1e-4), differences(at, A, B, 5e-5)
        expected = fine + (fine - coarse) / 3
        found = m.elastic_wrench_derivative(k, direction).reshape(6, 12)
        assert np.allclose(found, expected, rtol=1e-6, atol=3e-6 * np.abs(expected).max())


def test_nothing_to_derive():
    pair = vc.PreparedPair(vc.sphere(1), vc.sphere(1))
    apart = pair.query([3, 0, 0, 1, 0, 0, 0], hessian=True)
    assert not np.any(apart.gradient()) and not np.any(apart.hessian())
    with pytest.raises(vc.InvalidInput, match="hessian=True"):
        pair.query([1, 0, 0, 1, 0, 0, 0]).hessian()
    with pytest.raises(vc.InvalidInput, match="about is 'me'"):
        apart.gradient("me")
    cubes = vc.PreparedPair(vc.mesh(CubeLike()), vc.mesh(CubeLike())).query(
        [0.5, 0, 0.1, 1, 0, 0, 0], hessian=True)
    assert np.all(np.isnan(cubes.hessian())) and cubes.warnings


def test_warns_of_unknown_derivatives():
    """Where faces lie on each other V has no second derivative: NaN, and a warning that says why."""
    pair = vc.PreparedPair(vc.mesh(CubeLike()), vc.mesh(CubeLike()))
    A, B = np.array([0.5, 0, 0.1, 1, 0, 0, 0]), np.array([0.0, 0, 0, 1, 0, 0, 0])
    with pytest.warns(RuntimeWarning, match="derivative of the volume is NaN at 1 of 1 poses: "):
        assert np.isnan(_motions.volume_hessian(pair, A, B, {})).all()
    with pytest.warns(RuntimeWarning, match="derivative of the wrench is NaN at 2 of 2 poses: "):
        assert np.isnan(_motions.wrench_derivative(pair, np.tile(A, (2, 1)), B, "area_vector", {})).any()


def test_torch_warns():
    torch = pytest.importorskip("torch")
    from volcontact import torch as vct

    pair = vc.PreparedPair(vc.mesh(CubeLike()), vc.mesh(CubeLike()))
    X = torch.tensor([0.5, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0], dtype=torch.float64, requires_grad=True)
    with pytest.warns(RuntimeWarning, match="derivative of the wrench is NaN"):
        vct.wrench(pair, X, stiffness=2.0).sum().backward()


@pytest.mark.parametrize("pose, message", [
    (np.zeros(7), r"X_WA: the quaternion .* has the length 0.*\(7,\)"),
    (np.array([[0, 0, 0, 2.0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]]), r"X_WA\[1\]: the quaternion .*\(2, 7\)"),
    (np.array([np.nan, 0, 0, 1, 0, 0, 0]), "X_WA: not all numbers are finite"),
    (np.zeros((4, 4)), "X_WA: the last row"),
    (2 * np.eye(4), "X_WA: the last row"),
    (np.diag([2.0, 1, 1, 1]), "X_WA: the rotation matrix differs"),
    (np.diag([1.0, 1, -1, 1]), "X_WA: the matrix mirrors"),
    (np.diag([np.nan, 1, 1, 1])[None], r"X_WA\[0\]: a pose must consist of finite"),
])
def test_torch_checks_poses(pose, message):
    with pytest.raises(vc.InvalidInput, match=message):
        _motions.check(np.asarray(pose), "X_WA")
    torch = pytest.importorskip("torch")
    from volcontact import torch as vct

    with pytest.raises(vc.InvalidInput, match=message):
        vct.volume(vc.PreparedPair(*PAIRS["balls"]), torch.tensor(pose))


def test_torch(pair, random):
    torch = pytest.importorskip("torch")
    from volcontact import torch as vct

    A, B = (torch.tensor(X, requires_grad=True) for X in touching(pair, random, 2))
    assert vct.volume(pair, A, B).shape == (2,)
    assert np.allclose(vct.volume(pair, A, B).detach(), pair.query(A.detach().numpy(), B.detach().numpy()).volume)
    check = {"eps": 1e-5, "atol": 1e-6, "rtol": 1e-5}
    assert torch.autograd.gradcheck(lambda a, b: vct.volume(pair, a, b, tolerance=TOL), (A, B), **check)
    assert torch.autograd.gradgradcheck(lambda a, b: vct.volume(pair, a, b, tolerance=TOL), (A, B), **check)
    assert torch.autograd.gradcheck(lambda a, b: vct.wrench(pair, a, b, 2.0, tolerance=TOL), (A, B), **check)
    X = torch.tensor(matrices(A.detach().numpy()), requires_grad=True)
    W = torch.randn(4, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(1)) * 0.1
    generator = W - W.T
    generator[3, :] = 0
    generator[:3, 3] = torch.tensor([0.1, 0.2, 0.3])

    def along(s):
        return vct.volume(pair, X @ torch.matrix_exp(s * generator), B.detach(), tolerance=TOL)

    s = torch.zeros((), dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(along, (s,), **check)
    assert torch.autograd.gradgradcheck(along, (s,), **check)
    with pytest.raises(ValueError, match="X_WA has shape"):
        vct.volume(pair, torch.zeros(3))


def test_torch_refuses_a_third_derivative():
    torch = pytest.importorskip("torch")
    from volcontact import torch as vct

    pair = vc.PreparedPair(*PAIRS["balls"])
    X = torch.tensor([0.6, 0.1, 0.0, 1.0, 0.0, 0.0, 0.0], dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(vct.volume(pair, X), X, create_graph=True)
    (second,) = torch.autograd.grad(first[0], X, create_graph=True)
    with pytest.raises(NotImplementedError, match="volume hessian"):
        torch.autograd.grad(second[0], X)


def test_jax(pair, random):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from volcontact import jax as vcj

    A, B = (X[0] for X in touching(pair, random, 1))
    of = lambda a: vcj.volume(pair, a, B, tolerance=TOL)
    assert of(A) == pytest.approx(pair.query(A, B, tolerance=TOL).volume, rel=1e-9)
    gradient, hessian = jax.jit(jax.grad(of))(A), jax.hessian(of)(A)
    step = 1e-5
    for k in range(7):
        e = np.eye(7)[k] * step
        assert gradient[k] == pytest.approx((of(A + e) - of(A - e)) / (2 * step), rel=1e-5, abs=1e-6)
        slope = (jax.grad(of)(A + e) - jax.grad(of)(A - e)) / (2 * step)
        assert np.allclose(hessian[k], slope, rtol=1e-5, atol=1e-5)
    wrench = lambda a: vcj.wrench(pair, a, B, 2.0, tolerance=TOL)
    jacobian = jax.jacobian(wrench)(A)
    for k in range(7):
        e = np.eye(7)[k] * step
        assert np.allclose(jacobian[:, k], (wrench(A + e) - wrench(A - e)) / (2 * step), rtol=1e-5, atol=1e-6)
