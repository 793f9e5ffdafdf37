#!/usr/bin/env python3
"""Sweeps under mpirun: the bytes of one process, for any number of ranks, and whatever happens to one.

    mpi_test.py TOOL

Prints SKIPPED where there is no mpirun.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = os.path.abspath(sys.argv.pop(1))
SWEEP = {
    "volcontact": 1,
    "run": {"query": {"a": {"sphere": {"radius": "r"}}, "b": {"half_space": {}}, "pose_a": {"t": ["x", 0, 0.0499]}}},
    "over": {"rows": 3000, "seed": 1,
             "variables": {"x": {"uniform": [-1, 1], "unit": "m"}, "r": {"choice": [0.05] * 9 + [-1.0]}}},
    "keep": ["x", "volume"],
    "chunk": 64,
    "reduce": {"V": {"moments": "volume"}, "q": {"quantiles": "volume", "at": [0.5], "relative_error": 1e-3}},
}
# As root, more ranks than cores, and no core for itself alone.
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]


def merged(folder):
    """The merged files; the log tells machines and times."""
    return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()
            if path.is_file() and path.name != "lock"}


class Mpi(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="volcontact_mpi_"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "sweep.json").write_text(json.dumps(SWEEP))

    def command(self, out, *options, ranks=0):
        return [*([*MPIRUN, str(ranks)] if ranks else []), TOOL, "sweep", "sweep.json", "--out", out, *options]

    def run_tool(self, out, *options, ranks=0, **environment):
        return subprocess.run(self.command(out, *options, ranks=ranks), cwd=self.folder, text=True,
                              capture_output=True, timeout=120, env={**os.environ, **environment})

    def reference(self):
        run = self.run_tool("one")
        self.check_finished(run)
        return merged(self.folder / "one")

    def check_finished(self, run):
        """A tenth of the rows has a radius without meaning: 1, but for rows that all are answered."""
        self.assertIn(run.returncode, (0, 1), run.stderr)
        self.assertEqual(self.said(run), [])

    def said(self, run):
        """Lines of ours on standard error, where Open MPI writes, too."""
        return [line for line in run.stderr.splitlines() if line.startswith("volcontact: ")]

    def test_any_number_of_ranks_gives_the_same_bytes(self):
        one = self.reference()
        for ranks, threads in ((1, 2), (2, 1), (4, 2), (7, 1)):
            run = self.run_tool(f"mpi{ranks}", "--threads", str(threads), "--json", ranks=ranks)
            self.check_finished(run)
            self.assertEqual(merged(self.folder / f"mpi{ranks}"), one, ranks)
            # One answer, not one of each rank.
            self.assertEqual(json.loads(run.stdout)["out"], f"mpi{ranks}")

    def slow_sweep(self):
        """Rows that take some tenths of a millisecond, in 40 chunks."""
        nose = {"cone": {"radius": 0.00795, "height": 0.002, "radius_top": 0.00995}}
        hole = {"difference": [{"half_space": {}}, {"cylinder": {"radius": 0.01}}]}
        query = {"a": nose, "b": hole, "pose_a": {"t": ["x", 0, -0.0016]}}
        over = {"rows": 2000, "seed": 1, "variables": {"x": {"uniform": [5e-4, 1e-3], "unit": "m"}}}
        (self.folder / "sweep.json").write_text(json.dumps({**SWEEP, "run": {"query": query}, "over": over, "chunk": 50}))

    def begin(self, out):
        """Starts the sweep on three ranks, and returns as soon as they have kept one more chunk."""
        chunks = self.folder / out / "chunks"
        before = len(list(chunks.glob("*.chunk")))
        mpirun = subprocess.Popen(self.command(out, "--resume", ranks=3), cwd=self.folder, text=True,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while mpirun.poll() is None and len(list(chunks.glob("*.chunk"))) == before:
            time.sleep(0.002)
        return mpirun

    def kill_one(self, out):
        """Kills a rank of a sweep that has begun."""
        mpirun = self.begin(out)
        ranks = subprocess.run(["pgrep", "-P", str(mpirun.pid)], capture_output=True, text=True).stdout.split()
        for rank in ranks[-1:]:
            os.kill(int(rank), signal.SIGKILL)
        mpirun.communicate(timeout=60)
        return mpirun.returncode

    def test_resumes_after_ranks_were_killed(self):
        self.slow_sweep()
        one = self.reference()
        self.assertNotEqual(self.kill_one("killed"), 0)
        self.kill_one("killed")
        run = self.run_tool("killed", "--resume", ranks=2)
        self.check_finished(run)
        self.assertEqual(merged(self.folder / "killed"), one)

    def test_a_rank_that_cannot_write_ends_all_with_one_message(self):
        self.slow_sweep()
        one = self.reference()
        mpirun = self.begin("full")
        # Where the last chunk should go there is a folder now.
        first = next((self.folder / "full/chunks").glob("*.chunk")).name
        blocked = self.folder / "full/chunks" / ("39.chunk".rjust(len(first), "0"))
        (blocked / "in the way").mkdir(parents=True)
        _, error = mpirun.communicate(timeout=60)
        self.assertNotEqual(mpirun.returncode, 0)
        lines = [line for line in error.splitlines() if line.startswith("volcontact: ")]
        self.assertEqual(len(lines), 1, error)
        self.assertRegex(lines[0], r"rank \d of 3: .*" + blocked.name)
        shutil.rmtree(blocked)
        run = self.run_tool("full", "--resume", ranks=3)
        self.check_finished(run)
        self.assertEqual(merged(self.folder / "full"), one)

    def test_bad_input_is_said_once(self):
        for options in (["--set", "over.rows=-1"], ["--threads", "0"], ["--resume", "--overwrite"]):
            run = self.run_tool("bad", *options, ranks=3)
            self.assertEqual(run.returncode, 2)
            self.assertEqual(len(self.said(run)), 1, run.stderr)
        self.assertFalse((self.folder / "bad").exists())

    def run_elsewhere(self, rank, command):
        """The sweep on three ranks, of which one does something before."""
        (self.folder / "elsewhere").mkdir(exist_ok=True)
        script = f'if [ "$OMPI_COMM_WORLD_RANK" = {rank} ]; then {command}; fi; exec "$@"'
        return subprocess.run([*MPIRUN, "3", "sh", "-c", script, "sh", TOOL, "sweep", "sweep.json", "--out",
                               self.folder / "out", "--resume"],
                              cwd=self.folder, text=True, capture_output=True, timeout=120)

    def test_what_one_rank_lacks_is_said_with_its_number(self):
        for rank in range(3):
            run = self.run_elsewhere(rank, "cd elsewhere")
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertEqual(len(self.said(run)), 1, run.stderr)
            self.assertIn("sweep.json", self.said(run)[0])
            if rank:
                self.assertIn(f"rank {rank} of 3: ", self.said(run)[0])
        # Where there is nothing left to run it is said, too.
        self.run_tool("out")
        run = self.run_elsewhere(1, "cd elsewhere")
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("rank 1 of 3: ", "".join(self.said(run)))

    def test_a_rank_without_the_module_says_so(self):
        run = self.run_elsewhere(2, "export VOLCONTACT_MPI_MODULE=/nowhere/volcontact_mpi.so")
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(len(self.said(run)), 1, run.stderr)
        self.assertIn("rank 2: ", self.said(run)[0])

    def test_without_the_module_no_rank_works(self):
        run = self.run_tool("none", ranks=2, VOLCONTACT_MPI_MODULE="/nowhere/volcontact_mpi.so")
        self.assertNotEqual(run.returncode, 0)
        self.assertEqual(len(self.said(run)), 1, run.stderr)
        self.assertIn("VOLCONTACT_MPI_MODULE names /nowhere/volcontact_mpi.so", self.said(run)[0])
        self.assertFalse((self.folder / "none").exists())

    def test_another_launcher_is_found_out(self):
        run = self.run_tool("other", PMI_SIZE="3", PMI_RANK="0")
        self.assertEqual(run.returncode, 2)
        self.assertIn("PMI_SIZE=3", run.stderr)
        run = self.run_tool("other", PMI_SIZE="three")
        self.assertEqual(run.returncode, 2)
        self.assertIn("PMI_SIZE=three", run.stderr)


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        print("SKIPPED: no mpirun (Debian: openmpi-bin)")
        sys.exit(0)
    unittest.main()
