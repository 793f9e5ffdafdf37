"""Columns of numbers by their names."""

from __future__ import annotations

from typing import Any, Iterator, Mapping

import numpy as np

from ._frames import frame


class Columns(Mapping):
    """Arrays of one length by name; a name that is not there is answered with those that are."""

    def __init__(self, columns: dict[str, np.ndarray]) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self._columns[name]
        except KeyError:
            raise KeyError(f"no column {name!r}; columns: {', '.join(self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_frame(self) -> Any:
        """A pandas.DataFrame with these columns."""
        return frame(self._columns)
