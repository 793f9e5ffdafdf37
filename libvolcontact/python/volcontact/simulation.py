"""Running scenarios (docs/scenarios.md)."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
import warnings
from typing import Any, Mapping

import numpy as np

from . import _core
from ._columns import Columns
from ._frames import frame
from ._types import Array, Doubles, Path
from .solids import document


class Run(Columns):
    """The time series of a run, by the names of its columns, with its summary.

    `run["ball.z"]` is an array (n,); `run.t` the times [s]; `run.body("ball")` the motion of a body;
    `run.summary` what summary.json says: statistics, the energy ledger, measures.
    """

    def __init__(self, columns: dict[str, Array], summary: dict[str, Any]) -> None:
        super().__init__(columns)
        self.summary = summary

    @classmethod
    def read(cls, folder: Path) -> "Run":
        """A finished run of `volcontact simulate`, from its folder."""
        names, columns = _core._read_time_series(os.path.join(folder, "timeseries.csv"))
        text = pathlib.Path(folder, "summary.json").read_text(encoding="utf-8")
        return cls(dict(zip(names, columns)), json.loads(text))

    @property
    def t(self) -> Doubles:
        """Times of the rows [s], (n,)."""
        return self._columns["t"]

    def body(self, name: str) -> dict[str, Array]:
        """Poses (n, 7), velocities (n, 3) [m/s] and angular velocities (n, 3) [rad/s] of a body."""
        def stack(*fields: str) -> Array:
            return np.stack([self[f"{name}.{field}"] for field in fields], axis=-1)

        return {
            "pose": stack("x", "y", "z", "qw", "qx", "qy", "qz"),
            "velocity": stack("vx", "vy", "vz"),
            "angular_velocity": stack("wx", "wy", "wz"),
        }

    def to_frame(self) -> Any:
        """A pandas.DataFrame of the columns, whose rows have the times [s] for labels."""
        return frame(self._columns, "t")

    def __repr__(self) -> str:
        return f"Run({self.t.size} rows to {self.t[-1]:.6g} s, {len(self)} columns: {', '.join(list(self)[:3])}, …)"


def _plain(value: Any) -> Any:
    """Solids, arrays and numbers of numpy as a file has them."""
    if isinstance(value, _core.Solid):
        return document(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"simulate: a value must be a solid, a number, a text, a list or a dictionary, not {type(value).__name__}")


def _values(changes: Mapping[str, Any]) -> list[str]:
    return [f"{path}={json.dumps(value, default=_plain)}" for path, value in changes.items()]


def _absolute(value: Any) -> Any:
    """The value with the files in it named absolutely, from the current folder."""
    if isinstance(value, Mapping):
        return {key: os.path.abspath(each) if key == "file" and isinstance(each, str) else _absolute(each)
                for key, each in value.items()}
    return [_absolute(each) for each in value] if isinstance(value, (list, tuple)) else value


def _as_file(scenario, folder: str) -> str:
    if not isinstance(scenario, Mapping):
        return os.fspath(scenario)
    path = os.path.join(folder, "scenario.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(_absolute(scenario), file, default=_plain)
    return path


def variants(scenario: Path) -> list[str]:
    """The names of a scenario's variants; [''] where there are none."""
    return _core._variants(os.fspath(scenario))


def simulate(scenario: Path | Mapping[str, Any], *, set: Mapping[str, Any] | None = None, variant: str = "",
             out: Path | None = None, resume: bool = False,
             overwrite: bool = False) -> Run:
    """Runs a scenario and returns its time series and summary.

    scenario: a file, or a dictionary as one holds, in which a Solid may stand for its description. Names of
    files in a dictionary are relative to the current folder, in a file to that file. set: values by their paths, such as
    {"contacts.0.normal.restitution": 0.3}. variant: which one, where the scenario has several. Warns of
    what summary["warnings"] says. out: the folder that keeps the run's files, which resume or overwrite
    refer to. Raises InvalidInput for what cannot be simulated, SimulationError for a run that cannot
    go on, KeyboardInterrupt when interrupted; the run in `out` may then be resumed.
    """
    with tempfile.TemporaryDirectory() as scratch:
        path = _as_file(scenario, scratch)
        folder = os.fspath(out) if out is not None else os.path.join(scratch, "run")
        try:
            _core._run_scenario(path, _values(set or {}), variant, folder, resume, overwrite)
        except _core.InvalidInput as error:
            if not isinstance(scenario, Mapping):
                raise
            raise _core.InvalidInput(str(error).replace(path, "scenario")) from None
        run = Run.read(folder)
    for warning in run.summary["warnings"]:
        warnings.warn(warning, stacklevel=2)
    return run
