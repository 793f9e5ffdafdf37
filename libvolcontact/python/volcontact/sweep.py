"""Sweeps: one kind of run over many rows of variables (docs/sweep.md, docs/sweep_guides.md).

A plan cuts its rows into chunks. What a chunk gives follows from the plan and the chunk's number alone, so
that any processes may run them in any order, and the result has the same bytes as that of `volcontact
sweep`. `volcontact.dask` runs them on a Dask cluster.
"""

from __future__ import annotations

import csv
import functools
import json
import os
import pathlib
import warnings
from typing import Any, Callable, Mapping, NamedTuple, overload

import numpy as np

from . import _core
from ._columns import Columns
from ._core import InvalidInput
from ._frames import frame
from ._progress import shown
from ._types import Array, Path


class Column(NamedTuple):
    """A column of the result: a variable, or what the run gives, with its unit (SI, or '')."""

    name: str
    unit: str


class Counts(NamedTuple):
    """What has been run: chunks, the rows in them, and how many of these did not converge or failed."""

    chunks: int
    rows: int
    not_converged: int
    failed: int


class Failure(NamedTuple):
    """A row that has no answer (status 2), or one that did not converge (1), and why."""

    row: int
    status: int
    reason: str


class ChunkRows(Columns):
    """What a chunk gave: `rows["volume"]` is an array (n,) of the rows from number `first` on.

    status: (n,) 0 an answer, 1 not converged, 2 failed, then with NaN in the columns of the run.
    reasons: pairs (row, text) of those that are not 0.
    """

    def __init__(self, first: int, status: Array, columns: dict[str, Array],
                 reasons: list[tuple[int, str]]) -> None:
        self.first = first
        self.status = status
        self.reasons = reasons
        super().__init__(columns)

    def to_frame(self) -> Any:
        """A pandas.DataFrame of the columns and the status, whose rows have their numbers for labels."""
        numbers = np.arange(self.first, self.first + self.status.size)
        return frame({"row": numbers, **self._columns, "status": self.status}, "row")

    def __repr__(self) -> str:
        return f"ChunkRows({self.status.size} rows from {self.first}, columns {', '.join(self)})"


def _need_sweeps() -> None:
    if not _core._has_sweep:
        raise InvalidInput("sweep: this package was built without HDF5; install libhdf5-dev and "
                           "libssl-dev, and build it with VOLCONTACT_SWEEP=ON")


class Plan:
    """What a sweep file says: what to run, over what, and what to keep. Immutable; threads may share one.

    file: a sweep file; what it names is looked for beside it. set: values by their paths in it, such as
    {"over.rows": 1000}. Warns of what the command line notes. Raises InvalidInput that names the file, the place in it and the cure. A pickled
    plan reads its files anew, and raises InvalidInput where they are others than they were.
    """

    def __init__(self, file: Path, set: Mapping[str, Any] | None = None) -> None:
        _need_sweeps()
        self._file = os.path.abspath(os.fspath(file))
        self._set = [f"{path}={json.dumps(value)}" for path, value in (set or {}).items()]
        self._core = _core._read_sweep(self._file, self._set)
        for note in self._core.notes:
            warnings.warn(note, stacklevel=2)

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self._core.rows

    @property
    def rows_of_chunk(self) -> int:
        """How many rows a chunk has; the last may have fewer."""
        return self._core.rows_of_chunk

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return self._core.chunks

    @property
    def columns(self) -> list[Column]:
        """The columns that a chunk gives."""
        return [Column(*column) for column in self._core.columns]

    @property
    def inputs(self) -> dict[str, str]:
        """The files that the plan was read from or its runs read, with the SHA-256 of their bytes."""
        return dict(self._core.inputs)

    @property
    def document(self) -> dict[str, Any]:
        """The sweep file with its values set."""
        return json.loads(self._core.document)

    def run_chunk(self, chunk: int, *, threads: int = 1) -> ChunkRows:
        """Runs a chunk, and keeps nothing. The result is the same for any number of threads."""
        first, status, columns, reasons = self._core.run(chunk, threads)
        names = [column.name for column in self.columns]
        return ChunkRows(first, status, dict(zip(names, columns)), reasons)

    def encode_chunk(self, chunk: int, *, threads: int = 1) -> bytes:
        """Runs a chunk, and gives what a folder keeps of it: see Folder.put."""
        return self._core.run_encoded(chunk, threads)

    def __reduce__(self):
        return _revived, (self._file, tuple(self._set), self._core.document, tuple(self._core.inputs))

    def __repr__(self) -> str:
        return f"Plan({self._file!r}: {self.rows} rows in {self.chunks} chunks)"


@functools.lru_cache(maxsize=8)
def _revived(file: str, set: tuple[str, ...], document: str, inputs: tuple) -> Plan:
    # Once in a process, however many tasks bring the plan along.
    plan = Plan.__new__(Plan)
    _need_sweeps()
    plan._file, plan._set = file, list(set)
    try:
        plan._core = _core._read_sweep(file, plan._set)
    except InvalidInput as error:
        raise InvalidInput(f"the plan cannot be read here as it was where it came from: {error}") from None
    there = {path: digest for path, digest in plan._core.inputs}
    changed = [path for path, digest in inputs if there.get(path) != digest]
    if changed or plan._core.document != document:
        raise InvalidInput(f"{changed[0] if changed else file} is not the file here that it was where "
                           "the plan was read; give all machines the same files")
    return plan


class Folder:
    """The folder with the chunks of a plan; any number of processes may put chunks into one.

    Makes the folder, or opens it where it holds chunks of the same plan, which `resume` allows;
    `overwrite` drops what is there, unless a process runs or merges it. Raises InvalidInput then and for a folder
    of another plan, RuntimeError where nothing can be written.
    """

    def __init__(self, out: Path, plan: Plan, *, resume: bool = False, overwrite: bool = False) -> None:
        if resume and overwrite:
            raise InvalidInput("resume and overwrite contradict each other")
        out = os.fspath(out)
        if overwrite:
            _core._drop_sweep(out)
        elif not resume and _core._sweep_state(out) != "none":
            raise InvalidInput(f"{out} holds a sweep; resume=True goes on with it, overwrite=True begins "
                               "anew, merge() gives its result where it is complete")
        self.path = pathlib.Path(out)
        self.plan = plan
        self._core = _core._open_sweep(out, plan._core)

    def missing(self, shard: tuple[int, int] = (0, 1)) -> list[int]:
        """The chunks that are not there yet, or not whole, ascending; of shard (i, N) every N-th from i."""
        index, count = shard
        if not 0 <= index < count:
            raise InvalidInput(f"shard is {shard}; it must be (i, N) with i from 0 to N - 1")
        return self._core.missing(index, count)

    def put(self, chunk: int, data: bytes) -> None:
        """Keeps an encoded chunk: it is on the disk when this returns, whole or not at all."""
        self._core.put(chunk, data)


class Result:
    """A merged sweep. counts; reductions: what the plan's "reduce" gave, by name; folder."""

    def __init__(self, folder: Path, counts: Counts, reductions: dict[str, Any]) -> None:
        self.folder = pathlib.Path(folder)
        self.counts = counts
        self.reductions = reductions

    def rows(self, columns: list[str] | None = None) -> dict[str, Array]:
        """The rows: see read_rows."""
        return read_rows(self.folder, columns)

    def to_frame(self, columns: list[str] | None = None) -> Any:
        """The rows as a pandas.DataFrame."""
        return frame(self.rows(columns))

    def failures(self) -> list[Failure]:
        """The rows without an answer, or not converged, with the reason."""
        return read_failures(self.folder)

    def __repr__(self) -> str:
        c = self.counts
        return (f"Result({str(self.folder)!r}: {c.rows} rows, {c.not_converged} not converged, "
                f"{c.failed} failed)")


@overload
def run(file: Path | Plan, out: Path, *, set: Mapping[str, Any] | None = None, threads: int = 1,
        shard: None = None, resume: bool = False, overwrite: bool = False,
        progress: bool | Callable[[Counts], Any] | None = None) -> Result: ...
@overload
def run(file: Path | Plan, out: Path, *, set: Mapping[str, Any] | None = None, threads: int = 1,
        shard: tuple[int, int], resume: bool = False, overwrite: bool = False,
        progress: bool | Callable[[Counts], Any] | None = None) -> Counts: ...
def run(file: Path | Plan, out: Path, *, set: Mapping[str, Any] | None = None, threads: int = 1,
        shard: tuple[int, int] | None = None, resume: bool = False, overwrite: bool = False,
        progress: bool | Callable[[Counts], Any] | None = None) -> Result | Counts:
    """Runs what is missing of a sweep in the folder `out`, and merges it.

    file: a sweep file, or a Plan. set: values by their paths. shard: (i, N) runs every N-th chunk from
    the i-th on, merges nothing, and gives the counts of what it ran: `merge` is for when all shards are
    there. progress: True (a bar of tqdm, or lines on stderr, by chunks), or a function that is called now and
    then with the counts of this run. Control-C ends it; resume=True
    goes on from there. Raises as Plan and Folder do.
    """
    plan = file if isinstance(file, Plan) else Plan(file, set)
    folder = Folder(out, plan, resume=resume, overwrite=overwrite)
    chunks = folder.missing(shard or (0, 1))
    label = "python" if shard is None else f"python, shard {shard[0]}/{shard[1]}"
    update = shown(progress, "chunk")
    if progress is True:
        news = lambda counts: update(counts[0], len(chunks))
    else:
        news = update and (lambda counts: update(Counts(*counts)))
    counts = Counts(*folder._core.run(plan._core, chunks, threads, label, news))
    return counts if shard is not None else merge(out)


def merge(out: Path, *, csv: bool = False, compress: bool = False, keep_chunks: bool = False) -> Result:
    """Merges the chunks of a folder, or reads a folder that is merged.

    csv: writes rows.csv, too; compress: rows.h5 by gzip; keep_chunks: leaves the chunks there. Raises
    InvalidInput where chunks are missing.
    """
    _need_sweeps()
    counts, reductions, _ = _core._merge_sweep(os.fspath(out), csv, compress, keep_chunks)
    return Result(out, Counts(*counts), json.loads(reductions)["reductions"])


def read_rows(out: Path, columns: list[str] | None = None) -> dict[str, Array]:
    """The rows of a merged sweep: an array (n,) for each column that it keeps, and "status", 0, 1 or 2.

    columns: these alone. Read from rows.h5 by h5py, or without that by the library, from rows.csv. Raises
    FileNotFoundError where the plan keeps no rows, or nothing is merged yet, KeyError for columns that are not there.
    """
    path = pathlib.Path(out, "rows.h5")
    if not path.exists():
        raise FileNotFoundError(f"{path} is not there: the plan keeps no rows (\"rows\": false), or the sweep is "
                                "not merged yet")
    try:
        import h5py
    except ImportError:
        return _rows_of_csv(out, columns)
    with h5py.File(path, "r") as file:
        _require(columns, list(file), path)
        return {name: file[name][()] for name in columns or file}


def _rows_of_csv(out: Path, columns: list[str] | None) -> dict[str, Array]:
    path = pathlib.Path(out, "rows.csv")
    if not path.exists():
        merge(out, csv=True)
    with open(path, newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        names = [cell.split(" [")[0] for cell in next(lines)][1:]
        _require(columns, names, path)
        texts = list(zip(*lines))[1:] or [()] * len(names)
    codes = {"ok": 0, "not_converged": 1, "failed": 2}
    wanted = {name: text for name, text in zip(names, texts) if columns is None or name in columns}
    return {name: np.array([codes[t] for t in text], dtype=np.uint8) if name == "status"
            else np.array([float(t) if t else np.nan for t in text]) for name, text in wanted.items()}


def _require(columns: list[str] | None, there: list[str], path: pathlib.Path) -> None:
    for name in columns or ():
        if name not in there:
            raise KeyError(f"{path} has no column {name!r}; columns: {', '.join(there)}")


def read_failures(out: Path) -> list[Failure]:
    """The rows of a merged sweep that have no answer, or did not converge, with the reason of each."""
    with open(pathlib.Path(out, "failures.csv"), newline="", encoding="utf-8") as file:
        lines = csv.reader(file)
        next(lines)
        return [Failure(int(row), 2 if status == "failed" else 1, reason) for row, status, reason in lines]


def read_reductions(out: Path) -> dict[str, Any]:
    """What the plan's "reduce" gave, by name, of a merged sweep."""
    return json.loads(pathlib.Path(out, "reductions.json").read_text(encoding="utf-8"))["reductions"]
