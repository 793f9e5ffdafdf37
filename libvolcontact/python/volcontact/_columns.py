"""Columns of numbers by their names."""

from __future__ import annotations

from typing import Any, Iterator, Mapping

from ._frames import frame
from ._types import Array


class Columns(Mapping[str, Array]):
    """Arrays of one length by name; a name that is not there is answered with those that are."""

    def __init__(self, columns: dict[str, Array]) -> None:
        self._columns = columns

    def __getitem__(self, name: str) -> Array:
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
