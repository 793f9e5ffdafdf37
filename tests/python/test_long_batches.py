"""Batches that take long tell how far they are, end in time, and end by Control-C."""

import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import volcontact as vc

PEG = vc.cylinder(0.00995, 0.06)
PLATE = vc.box([0.1, 0.1, 0.04]) - vc.cylinder(0.01)
PAIR = vc.PreparedPair(PEG, PLATE)


def poses(count):
    X = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], (count, 1))
    X[:, 0] = np.linspace(6e-5, 2e-4, count)
    return X


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_with_progress(threads):
    count = 6000
    X = poses(count)
    seen = []
    m = PAIR.query(X, threads=threads, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (count, count) and all(total == count for _, total in seen)
    dones = [done for done, _ in seen]
    assert dones == sorted(dones) and len(dones) > 1 and dones[0] < count  # told on the way, too
    for part in range(0, 1500, 500):  # batches too short to be watched
        assert np.array_equal(m.volume[part:part + 500], PAIR.query(X[part:part + 500]).volume)


def test_progress_that_raises_ends_the_batch():
    def enough(done, total):
        raise RuntimeError(f"enough after {done}")

    with pytest.raises(RuntimeError, match="enough after"):
        PAIR.query(poses(20000), progress=enough)
    with pytest.raises(TypeError, match="progress: True or a function"):
        PAIR.query(poses(3), progress=3)


def test_progress_on_stderr(capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    PAIR.query(poses(10), progress=True)
    assert capfd.readouterr().err == ""  # nobody waited
    monkeypatch.setattr(vc._progress, "_LINE_SECONDS", 0.0)
    PAIR.query(poses(1000), progress=True)
    assert "1000 of 1000 poses" in capfd.readouterr().err


@pytest.mark.parametrize("threads", [1, 2])
def test_max_seconds(threads):
    X = poses(100_000)
    with pytest.warns(RuntimeWarning, match=r"max_seconds=0.3 ended the batch: \d+ of 100000 poses") as seen:
        m = PAIR.query(X, max_seconds=0.3, threads=threads)
    assert seen[0].filename == __file__
    unasked = np.isnan(m.volume)
    assert 0 < np.count_nonzero(~unasked) < len(X)
    assert np.array_equal(m.undecided[unasked], np.ones(np.count_nonzero(unasked), bool)) and not np.any(m.converged[unasked])
    first = np.flatnonzero(~unasked)[:50]
    assert np.array_equal(m.volume[first], PAIR.query(X[first]).volume)


def test_max_seconds_that_suffice(recwarn):
    m = PAIR.query(poses(10), max_seconds=60.0)
    assert np.array_equal(m.volume, PAIR.query(poses(10)).volume) and not recwarn.list
    with pytest.raises(ValueError, match="max_seconds"):
        PAIR.query(poses(10), max_seconds=0.0)


def test_control_c():
    program = textwrap.dedent("""
        import signal, sys, numpy as np, volcontact as vc
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
        pair = vc.PreparedPair(vc.cylinder(0.00995, 0.06), vc.box([0.1, 0.1, 0.04]) - vc.cylinder(0.01))
        print("begun", flush=True)
        pair.query(np.tile([1e-4, 0, 0, 1, 0, 0, 0], (2_000_000, 1)))
    """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors and process.returncode != 0
