"""How far a batch is, for whoever waits for it."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable

Progress = Callable[[int, int], Any]

_LINE_SECONDS = 1.0  # between two lines: often enough to see that it goes on


def shown(progress: bool | Callable[..., Any] | None, what: str) -> Callable[..., Any] | None:
    """What is called with the number done and that of all: by progress=True a bar of tqdm, or lines on stderr.

    what: one of those that are counted, such as "pose".
    """
    if progress is None or progress is False:
        return None
    if progress is not True:
        if not callable(progress):
            raise TypeError(f"progress: True or a function of (done, total) is needed, not {type(progress).__name__}")
        return progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _lines(what)
    bar: Any = None

    def update(done: int, total: int) -> None:
        nonlocal bar
        bar = bar or tqdm(total=total, unit=what)
        bar.update(done - bar.n)
        if done == total:
            bar.close()

    return update


def _lines(what: str) -> Progress:
    start = last = time.monotonic()

    def update(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < _LINE_SECONDS and not (done == total and last != start):
            return
        last = now
        print(f"volcontact: {done} of {total} {what}s, {now - start:.0f} s", file=sys.stderr, flush=True)

    return update
