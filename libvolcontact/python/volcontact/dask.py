"""Sweeps on a Dask cluster (docs/sweep_guides.md): the chunk is the task.

Workers run chunks and send back the bytes that are kept of them; this process writes them into the folder. So
workers need no common disk, only the package and the plan's input files at the same paths as here.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping

from ._core import InvalidInput
from ._progress import shown
from ._types import Path
from .sweep import Folder, Plan, Result, merge

try:
    from distributed import as_completed
except ImportError as error:
    raise ImportError("volcontact.dask needs Dask's distributed: pip install distributed, or Debian's "
                      "python3-distributed") from error


class _Tasks:
    """Chunks under way on the cluster: a few for each of its threads, so that the memory of all is flat."""

    def __init__(self, client, plan: Plan, chunks: list[int], ahead: int, retries: int) -> None:
        self._client = client
        self._plan = plan
        self._left = iter(chunks)
        self._ahead = ahead
        self._retries = retries
        self._chunk_of: dict[Any, int] = {}
        self._completed = as_completed(with_results=True)

    def _fill(self) -> None:
        threads = sum(self._client.nthreads().values())  # workers come and go
        while len(self._chunk_of) < self._ahead * max(threads, 1):
            chunk = next(self._left, None)
            if chunk is None:
                return
            task = self._client.submit(Plan.encode_chunk, self._plan, chunk, pure=False, retries=self._retries)
            self._chunk_of[task] = chunk
            self._completed.add(task)

    def __iter__(self):
        """Pairs (chunk, bytes) as they are done."""
        self._fill()
        for task, data in self._completed:
            yield self._chunk_of.pop(task), data
            task.release()
            self._fill()

    def cancel(self) -> None:
        """Ends what is under way."""
        if self._chunk_of:
            self._client.cancel(list(self._chunk_of), force=True)


def sweep(client, file: Path | Plan, out: Path, *, set: Mapping[str, Any] | None = None,
          resume: bool = False, overwrite: bool = False, ahead: int = 2, retries: int = 2,
          progress: bool | Callable[[int, int], Any] | None = None) -> Result:
    """Runs what is missing of a sweep on the workers of `client`, and merges it here.

    The result is that of `volcontact sweep`, to the last byte. file, set, out, resume and overwrite as in
    volcontact.sweep.run. ahead: tasks under way for each thread of the cluster. retries: how often a
    chunk is given to other workers when one dies. progress as in volcontact.sweep.run, a function with the
    number of chunks kept and to be kept. What was kept stays when this ends early, by Control-C or by what a worker raises;
    resume=True goes on from there.
    """
    if ahead < 1:
        raise InvalidInput(f"ahead is {ahead}; it must be at least 1")
    plan = file if isinstance(file, Plan) else Plan(file, set)
    folder = Folder(out, plan, resume=resume, overwrite=overwrite)
    missing = folder.missing()
    update = shown(progress, "chunk")
    tasks = _Tasks(client, plan, missing, ahead, retries)
    hold = folder._core.hold()  # nobody drops the sweep meanwhile
    try:
        for kept, (chunk, data) in enumerate(tasks, start=1):
            folder.put(chunk, data)
            if update is not None:
                update(kept, len(missing))
    finally:
        tasks.cancel()
        hold.release()
    return merge(out)


__all__ = ["sweep"]
