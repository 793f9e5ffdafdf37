"""Sweeps from Python, and over Dask: the numbers of queries, the bytes of the command line."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import volcontact as vc

RADIUS = 0.05
SWEEP = {
    "volcontact": 1,
    "run": {"query": {"a": {"sphere": {"radius": "r"}}, "b": {"half_space": {}}, "pose_a": {"t": [0, 0, "z"]}}},
    "over": {"rows": 900, "seed": 3,
             "variables": {"z": {"uniform": [0.04, 0.0501], "unit": "m"}, "r": {"choice": [RADIUS] * 9 + [-1.0]}}},
    "keep": ["z", "r", "volume"],
    "chunk": 100,
    "reduce": {"V": {"moments": "volume"}, "q": {"quantiles": "volume", "at": [0.5], "relative_error": 1e-3}},
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps(SWEEP), encoding="utf-8")
    return path


def contents(folder):
    """What is merged, by file; the log tells the machine and the time."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and path.name != "lock"}


@pytest.fixture
def of_tool(tool, file, tmp_path):
    run = subprocess.run([tool, "sweep", file, "--out", tmp_path / "tool"], stdout=subprocess.DEVNULL)
    assert run.returncode == 1  # some rows fail
    return contents(tmp_path / "tool")


def cap(z):
    """The volume of a ball below the ground, in closed form."""
    d = np.clip(RADIUS - z, 0, None)
    return np.pi * d**2 * (RADIUS - d / 3)


def test_plan(file):
    plan = vc.sweep.Plan(file)
    assert (plan.rows, plan.rows_of_chunk, plan.chunks) == (900, 100, 9)
    assert {"z", "r", "volume"} <= {column.name for column in plan.columns}
    assert dict(plan.columns)["volume"] == "m^3" and dict(plan.columns)["z"] == "m"
    assert plan.document["over"]["seed"] == 3
    assert vc.sweep.Plan(file, {"over.rows": 50}).rows == 50
    with pytest.raises(vc.InvalidInput, match="sweep.json"):
        vc.sweep.Plan(file, {"over.rows": -1})
    with pytest.raises(vc.InvalidInput, match="chunk is 9"):
        plan.run_chunk(9)


def test_chunk(file):
    plan = vc.sweep.Plan(file)
    chunk = plan.run_chunk(2)
    assert chunk.first == 200 and chunk.status.shape == chunk["z"].shape == (100,)
    good = chunk.status == 0
    assert np.allclose(chunk["volume"][good], cap(chunk["z"][good]), rtol=1e-9, atol=1e-20)
    assert [row - 200 for row, _ in chunk.reasons] == np.flatnonzero(~good).tolist()
    again = plan.run_chunk(2, threads=2)
    assert all(np.array_equal(chunk[name], again[name], equal_nan=True) for name in chunk)
    with pytest.raises(KeyError, match="volume"):
        chunk["Volume"]


def test_run(file, tmp_path, of_tool):
    seen = []
    result = vc.sweep.run(file, tmp_path / "out", threads=2, progress=seen.append)
    assert contents(tmp_path / "out") == of_tool
    rows = result.rows()
    assert seen[-1] == result.counts == (9, 900, 0, np.count_nonzero(rows["status"] == 2))
    good = rows["status"] == 0
    assert np.allclose(rows["volume"][good], cap(rows["z"][good]), rtol=1e-9, atol=1e-20)
    assert result.reductions["V"]["mean"] == pytest.approx(np.mean(rows["volume"][good]), rel=1e-12)
    assert result.reductions == vc.sweep.read_reductions(tmp_path / "out")
    failures = result.failures()
    assert [f.row for f in failures] == np.flatnonzero(~good).tolist() and "radius" in failures[0].reason
    with pytest.raises(vc.InvalidInput, match="resume=True"):
        vc.sweep.run(file, tmp_path / "out")
    assert vc.sweep.run(file, tmp_path / "out", resume=True).counts == result.counts
    with pytest.raises(KeyError, match="no column 'mass'"):
        result.rows(["mass"])


def test_rows_without_h5py(file, tmp_path, monkeypatch):
    pytest.importorskip("h5py")
    result = vc.sweep.run(file, tmp_path / "out", progress=True)
    rows = result.rows()
    monkeypatch.setitem(sys.modules, "h5py", None)
    plain = result.rows()
    assert set(plain) == set(rows)
    assert all(np.array_equal(plain[name], rows[name], equal_nan=True) for name in rows)
    assert list(result.rows(["z"])) == ["z"]


def test_shards(file, tmp_path, of_tool):
    out = tmp_path / "out"
    for index in (2, 0, 1):
        counts = vc.sweep.run(file, out, shard=(index, 3), resume=True)
        assert counts[:2] == (3, 300)
    assert contents(vc.sweep.merge(out).folder) == of_tool
    with pytest.raises(vc.InvalidInput, match="shard"):
        vc.sweep.run(file, out, shard=(3, 3), resume=True)


def test_interruption_keeps_chunks(file, tmp_path):
    def stop(counts):
        raise KeyboardInterrupt

    plan = vc.sweep.Plan(file, {"chunk": 10})
    with pytest.raises(KeyboardInterrupt):
        vc.sweep.run(plan, tmp_path / "out", progress=stop)
    folder = vc.sweep.Folder(tmp_path / "out", plan, resume=True)
    for chunk in folder.missing():
        folder.put(chunk, plan.encode_chunk(chunk))
    with pytest.raises(vc.InvalidInput):
        folder.put(3, plan.encode_chunk(4))
    assert vc.sweep.merge(tmp_path / "out").counts.rows == 900


def test_pickled_plan_reads_the_same_files(file):
    data = pickle.dumps(vc.sweep.Plan(file))
    assert pickle.loads(data).chunks == 9
    assert pickle.loads(data) is pickle.loads(data)
    other = pickle.dumps(vc.sweep.Plan(file, {"over.seed": 4}))
    file.write_text(json.dumps({**SWEEP, "chunk": 90}), encoding="utf-8")
    with pytest.raises(vc.InvalidInput, match="is not the file here"):
        pickle.loads(other)


def test_dask(file, tmp_path, of_tool):
    distributed = pytest.importorskip("distributed")
    import volcontact.dask as vcd

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
                                  local_directory=str(tmp_path)) as cluster, distributed.Client(cluster) as client:
        seen = []
        result = vcd.sweep(client, file, tmp_path / "out", progress=lambda *done: seen.append(done))
        assert contents(tmp_path / "out") == of_tool
        assert seen[-1] == (9, 9) and result.counts.rows == 900

        # What is there is not run again; what workers raise comes here.
        plan = vc.sweep.Plan(file)
        folder = vc.sweep.Folder(tmp_path / "part", plan)
        for chunk in (0, 5):
            folder.put(chunk, plan.encode_chunk(chunk))
        seen.clear()
        vcd.sweep(client, plan, tmp_path / "part", resume=True, progress=lambda *done: seen.append(done))
        assert seen[-1] == (7, 7) and contents(tmp_path / "part") == of_tool


def test_without_distributed(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "volcontact.dask", raising=False)
    with pytest.raises(ImportError, match="python3-distributed"):
        import volcontact.dask  # noqa: F401
