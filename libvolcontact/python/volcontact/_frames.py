"""Results as pandas' frames. pandas is imported when a frame is asked for, so that nothing else needs it."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np


def frame(columns: Mapping[str, Any], index: str | None = None) -> Any:
    """A pandas.DataFrame of columns of one length; `index` names the one that labels the rows."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_frame needs pandas: pip install pandas, or Debian's python3-pandas") from None
    result = pandas.DataFrame(dict(columns))
    return result if index is None else result.set_index(index)


_AXES = ("x", "y", "z")
_INERTIA = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


def _parts(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """The columns of a field (n, ...), named as those of sweeps."""
    if values.ndim == 1:
        return {name: values}
    if name == "volume_bounds":
        return {"volume_low": values[:, 0], "volume_high": values[:, 1]}
    if values.shape[1:] == (3, 3):
        return {f"{name}.{entry}": values[:, i, j] for entry, (i, j) in _INERTIA.items()}
    if values.shape[1:] == (2, 3):
        return {f"{name}_{body}.{axis}": values[:, i, k] for i, body in enumerate("ab") for k, axis in enumerate(_AXES)}
    return {f"{name}.{axis}": values[:, k] for k, axis in enumerate(_AXES)}


def records_frame(self) -> Any:
    """A pandas.DataFrame with one row for each result, in the order of their flattened shape. Vectors have a column
    for each component: "centroid.x"."""
    count = int(np.prod(self.shape, dtype=np.int64))
    columns: dict[str, np.ndarray] = {}
    for name in self.fields:
        values = np.asarray(getattr(self, name))
        columns.update(_parts(name, values.reshape((count,) + values.shape[len(self.shape):])))
    return frame(columns)
