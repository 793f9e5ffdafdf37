"""Results as frames of pandas."""

import subprocess
import sys

import numpy as np
import pytest

import volcontact as vc

BALL = {"bodies": [{"name": "ball", "mass": 1.0, "inertia": [1, 1, 1], "pose": {"t": [0, 0, 1]}}], "end_time": 0.1}


def test_of_a_run():
    pytest.importorskip("pandas")
    run = vc.simulate(BALL)
    frame = run.to_frame()
    assert frame.index.name == "t" and np.array_equal(frame.index, run.t)
    assert list(frame.columns) == [name for name in run if name != "t"]
    assert np.array_equal(frame["ball.z"], run["ball.z"])


def test_of_a_sweep(data, tmp_path):
    pytest.importorskip("pandas")
    plan = vc.sweep.Plan(data / "sweeps/two_spheres.json", {"over.rows": 30})
    chunk = plan.run_chunk(0)
    frame = chunk.to_frame()
    assert list(frame.columns) == [*chunk, "status"] and list(frame.index) == list(range(30))
    result = vc.sweep.run(plan, tmp_path / "out")
    rows = result.to_frame()
    assert len(rows) == 30
    for name in chunk:
        assert np.array_equal(rows[name], chunk[name], equal_nan=True), name
    assert list(result.to_frame(["volume"]).columns) == ["volume"]


def test_of_a_query():
    pytest.importorskip("pandas")
    pair = vc.PreparedPair(vc.sphere(0.5), vc.half_space())
    X = np.tile([0.0, 0.0, 0.45, 1.0, 0.0, 0.0, 0.0], (2, 3, 1))
    X[..., 2] += 0.1 * np.arange(6).reshape(2, 3)
    m = pair.query(X)
    frame = m.to_frame()
    assert len(frame) == 6 and np.array_equal(frame["volume"], m.volume.ravel())
    assert np.array_equal(frame["centroid.z"], m.centroid[..., 2].ravel())
    assert np.array_equal(frame["inertia.xz"], m.inertia[..., 0, 2].ravel())
    assert np.array_equal(frame["volume_high"], m.volume_bounds[..., 1].ravel())
    assert np.array_equal(frame["nearest_b.x"], m.nearest[..., 1, 0].ravel(), equal_nan=True)
    assert len(frame.columns) == len(set(frame.columns)) and len(m[0, 0].to_frame()) == 1
    # Every number of every field is in one column.
    sizes = {name: int(np.prod(np.shape(getattr(m, name))[2:])) for name in m.fields}
    sizes["inertia"] = 6  # of a symmetric matrix
    assert len(frame.columns) == sum(sizes.values())
    model = vc.ContactModel(normal={"stiffness": 1e6})
    assert np.array_equal(model.evaluate(m, X).to_frame()["force.z"], model.evaluate(m, X).force[..., 2].ravel())


def test_nothing_else_needs_pandas():
    program = "import sys; sys.modules['pandas'] = None\nimport volcontact as vc\nm = vc.PreparedPair(vc.sphere(1.0), " \
              "vc.sphere(1.0)).query()\ntry:\n    m.to_frame()\nexcept ImportError as error:\n    print(error)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install pandas" in run.stdout
