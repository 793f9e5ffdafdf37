"""Contact parameters from measurements, with their errors (docs/identification.md).

Every function returns a result with `estimates` by name, each an Estimate with its standard error and the
half width of its 95 % confidence interval, and `plot()`, which draws measurements and fit by matplotlib.
"""

from __future__ import annotations

import os
import re
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence

import numpy as np

from . import _core
from ._arguments import present_tolerance, renamed
from ._core import Solid
from ._types import ArrayLike, Doubles, Path, Pose

__all__ = [
    "DampingFit",
    "Estimate",
    "Fit",
    "FrictionFit",
    "Impact",
    "Press",
    "Rebounds",
    "RestitutionFit",
    "StiffnessFit",
    "damping",
    "friction",
    "hertz",
    "read_impacts",
    "read_press",
    "read_rebounds",
    "restitution",
    "stiffness",
]


@dataclass(frozen=True)
class Estimate:
    """A parameter with what is known of its error, all in its SI unit.

    half_width is that of the 95 % confidence interval; bootstrap, where asked for, the standard error
    and the 2.5 % and 97.5 % quantiles over the resamplings.
    """

    value: float
    standard_error: float
    half_width: float
    bootstrap: tuple[float, float, float] | None = None

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"{self.value:.6g} ± {self.half_width:.2g}"


@dataclass(frozen=True)
class Fit:
    """A least-squares fit.

    covariance (p, p) in the order of `estimates`; residuals (n,), model minus measurement; scale, of
    their noise; rms; aic, less is better at one set of data. Of a press, structure says that the residuals
    are no noise: neighbours have the correlation neighbour_correlation, which is `significance` standard
    errors of noise. The estimates may then be off by much more than their errors say.
    """

    estimates: dict[str, Estimate]
    covariance: Doubles = field(repr=False)
    correlations: Doubles = field(repr=False)
    residuals: Doubles = field(repr=False)
    scale: float
    rms: float
    degrees_of_freedom: int
    aic: float
    converged: bool
    bootstrap_failures: int = field(repr=False, default=0)
    neighbour_correlation: float | None = field(repr=False, default=None)
    significance: float | None = field(repr=False, default=None)
    structure: bool | None = None

    def __getitem__(self, name: str) -> float:
        return self.estimates[name].value


class Press(NamedTuple):
    """A slow press: position (n,) growing into the contact [m], force (n,) [N].

    progress (n,), where there were times, grows from 0 at the first row to 1 at the last.
    """

    position: Doubles
    force: Doubles
    notes: tuple[str, ...] = ()
    progress: Doubles | None = None


class Impact(NamedTuple):
    """A driven impact: position (n,) [m], velocity (n,) [m/s], force (n,) [N]."""

    position: Doubles
    velocity: Doubles
    force: Doubles
    label: str = ""


class Rebounds(NamedTuple):
    """Free impacts: speed (n,) [m/s] and restitution (n,)."""

    speed: Doubles
    restitution: Doubles
    notes: tuple[str, ...] = ()


# What messages of the library name is an argument here. `negated` is one of the functions that read files.
_FIELD = re.compile(r"`(\w+)::(\w+?)(_W)?`")


def _argument(field: re.Match[str]) -> str:
    if field[1] == "RestitutionModel":
        return 'model="constant"'
    return f"`{field[2]}`" + (" where the file is read, or with a minus" if field[2] == "negated" else "")


def _call(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function of the library returns; its errors name the arguments of this module."""
    try:
        return function(*arguments)
    except _core.InvalidInput as error:
        raise _core.InvalidInput(_FIELD.sub(_argument, str(error))) from None


def _estimates(of: Mapping[str, Mapping[str, Any]]) -> dict[str, Estimate]:
    return {name: Estimate(**estimate) for name, estimate in of.items()}


def _fit(of: Mapping[str, Any]) -> Fit:
    known = {name: of[name] for name in Fit.__dataclass_fields__ if name != "estimates" and name in of}
    return Fit(estimates=_estimates(of["estimates"]), **known)


def _axes(ax):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(5, 3.4), layout="constrained")[1]


def _source(file, columns, units, negated: Iterable[str], skip_bad_rows: bool):
    return _call(_core._Measurements, os.fspath(file), dict(columns or {}), dict(units or {}), list(negated),
                               skip_bad_rows)


def read_press(file: Path, *, columns: Mapping[str, str] | None = None,
               units: Mapping[str, str] | None = None, negated: Iterable[str] = (),
               skip_bad_rows: bool = False) -> Press:
    """A slow press from the columns position, force and, if it is there, time of a CSV file, in SI units.

    columns names a role's column in the file, units gives one in place of the header's, negated roles
    have their sign turned. Raises InvalidInput that names the file, the line and the column.
    """
    data = _call(_core._read_press, _source(file, columns, units, negated, skip_bad_rows))
    return Press(data["position"], data["force"], tuple(data["notes"]), data["progress"])


def read_impacts(file: Path, *, columns: Mapping[str, str] | None = None,
                 units: Mapping[str, str] | None = None, negated: Iterable[str] = (),
                 skip_bad_rows: bool = False) -> list[Impact]:
    """Driven impacts from the columns position, force, velocity or time, and run; as read_press."""
    data = _call(_core._read_impacts, _source(file, columns, units, negated, skip_bad_rows))
    return [Impact(run["position"], run["velocity"], run["force"], run["label"])
            for run in data["runs"]]


def read_rebounds(file: Path, *, columns: Mapping[str, str] | None = None,
                  units: Mapping[str, str] | None = None, negated: Iterable[str] = (),
                  skip_bad_rows: bool = False) -> Rebounds:
    """Free impacts from the columns impact_speed and restitution or rebound_speed; as read_press."""
    data = _call(_core._read_rebounds, _source(file, columns, units, negated, skip_bad_rows))
    return Rebounds(data["speed"], data["restitution"], tuple(data["notes"]))


@dataclass(frozen=True)
class StiffnessFit:
    """The volumetric stiffness of a press, beside Hertz's law; see stiffness()."""

    fit: Fit
    hertz: Fit
    converged: bool
    notes: tuple[str, ...] = field(repr=False)
    _press: Any = field(repr=False)
    _data: Press = field(repr=False)
    _known: float | None = field(repr=False)

    @property
    def estimates(self) -> dict[str, Estimate]:
        """stiffness [N/m^3], contact_point [m] and, where asked for, tilt [rad], force_offset and force_drift
        [N], the drift from the first row to the last."""
        return self.fit.estimates

    @property
    def covariance(self) -> Doubles:
        """Of the estimates, (p, p)."""
        return self.fit.covariance

    @property
    def contact(self) -> dict[str, Any]:
        """What ContactModel takes."""
        return {"normal": {"law": "volumetric", "stiffness": self._value("stiffness", self._known)}}

    def _value(self, name: str, otherwise: float | None) -> float:
        return self.estimates[name].value if name in self.estimates else float(otherwise or 0.0)

    def force(self, position: ArrayLike) -> Doubles:
        """The force of the contact [N] at positions (n,) [m], without the sensor's offset and drift."""
        return self._press.force(position, self._value("stiffness", self._known),
                                 self.fit["contact_point"], self._value("tilt", 0.0))

    def plot(self, ax: Any = None) -> Any:
        """Force against position: measurements, this fit, and Hertz's."""
        ax = _axes(ax)
        line = np.linspace(np.min(self._data.position), np.max(self._data.position), 200)
        ax.plot(self._data.position * 1e6, self._data.force, ".", color="0.6", label="measured")
        ax.plot(line * 1e6, self.force(line) + self._value("force_offset", 0.0), label="volumetric")
        hertz_force = _core._hertz_force(line, self.hertz["hertz_stiffness"],
                                         self.hertz["contact_point"])
        if "force_offset" in self.hertz.estimates:
            hertz_force = hertz_force + self.hertz["force_offset"]
        ax.plot(line * 1e6, hertz_force, "--", label="Hertz")
        ax.set(xlabel="position [µm]", ylabel="force [N]")
        ax.legend(frameon=False)
        return ax


def _residual_note(model: str, fit: Fit, baseline: bool) -> list[str]:
    """What to know of residuals that are not noise."""
    if not fit.structure:
        return []
    return [f"the residuals of the {model} fit are not noise: neighbours correlate by "
            f"{fit.neighbour_correlation:.2f}, {fit.significance:.0f} standard errors. Its parameters may be "
            "off by much more than their errors say: an offset or drift of the sensor, or a law that does "
            "not fit; look at plot()" + ("" if baseline else ", and try fit_offset=True or fit_drift=True")]


def stiffness(position: ArrayLike, force: ArrayLike, solid: Solid, against: Solid | None = None, *,
              X_WA: Pose = None, X_WB: Pose = None, direction: ArrayLike = (0.0, 0.0, -1.0),
              stiffness: float | None = None, tilt: bool = False, tilt_axis: ArrayLike | None = None,
              fit_offset: bool = False, fit_drift: bool = False, progress: ArrayLike | None = None,
              tolerance: float = 1e-9, loss: str = "squared", bootstrap: int = 0,
              tol: float | None = None) -> StiffnessFit:
    """k_V and the contact point of a slow press F = k_V V(p - p0) (Boos 2011, Eqs. (3.1)-(3.4)).

    position (n,) [m] grows as the solid A moves along `direction` into B (`against`, the half-space
    z <= 0 unless given); force (n,) [N]. `stiffness` [N/m^3] fixes k_V; tilt=True finds the angle, too, by
    which A is tilted about tilt_axis. fit_offset finds what the sensor adds to the force, a constant, and
    fit_drift a straight line by `progress` (n,), from 0 to 1, or else by the rows. loss is 'squared' or
    'huber'; bootstrap a number of resamplings. Warns where the residuals are no noise; `notes` of the
    result say that, too, and which law fits better.
    """
    press = _call(_core._Press, solid, _core.half_space() if against is None else against, X_WA, X_WB,
                         direction, tilt_axis, present_tolerance(tolerance, tol))
    found = _call(_core._fit_volumetric, position, force, progress, press, stiffness, tilt, fit_offset, fit_drift,
                                  loss, bootstrap)
    fit = _fit(found)
    of_hertz = _fit(_call(_core._fit_hertz, position, force, progress, fit_offset, fit_drift, loss, bootstrap))
    notes = _residual_note("volumetric", fit, fit_offset or fit_drift)
    # Hertz's law is there to compare with: where it is the worse one, that is said anyway.
    if of_hertz.aic < fit.aic:
        notes += _residual_note("hertz", of_hertz, fit_offset or fit_drift)
    for note in notes:
        warnings.warn(note, stacklevel=2)
    # A difference of 2 is the customary bound of what speaks for a model (Burnham & Anderson 2002).
    if fit.aic - of_hertz.aic > 2.0:
        notes.append("Hertz's law fits better; the volumetric stiffness then depends on the range of the "
                     "forces (Boos 2011, Section 3.3.1): fit it over those you will have")
    return StiffnessFit(fit, of_hertz, found["converged"] and found["volumes_converged"], tuple(notes), press,
                        Press(np.asarray(position, float), np.asarray(force, float)), stiffness)


def hertz(position: ArrayLike, force: ArrayLike, *, fit_offset: bool = False, fit_drift: bool = False,
          progress: ArrayLike | None = None, loss: str = "squared", bootstrap: int = 0) -> Fit:
    """hertz_stiffness [N/m^1.5] and contact_point [m] of F = k (p - p0)^1.5; options as of stiffness()."""
    fit = _fit(_call(_core._fit_hertz, position, force, progress, fit_offset, fit_drift, loss, bootstrap))
    for note in _residual_note("hertz", fit, fit_offset or fit_drift):
        warnings.warn(note, stacklevel=2)
    return fit


@dataclass(frozen=True)
class DampingFit:
    """Damping over several driven impacts; see damping().

    estimates: damping D = -a |v|, restitution and, from three speeds on, the exponent of the relation.
    reason: why one of them is missing, or "". impacts: the fit of each.
    """

    estimates: dict[str, Estimate]
    reason: str
    scattered: bool
    impacts: list[dict[str, Any]] = field(repr=False)

    why_not = renamed("why_not", "reason")

    def plot(self, ax: Any = None) -> Any:
        """Damping factors against the speed of impact, and the inverse relation."""
        ax = _axes(ax)
        speed = np.array([impact["impact_speed"] for impact in self.impacts])
        factor = np.array([-impact["factor"] for impact in self.impacts])
        error = np.array([impact["factor_error"] for impact in self.impacts])
        ax.errorbar(speed, factor, error, fmt="o", color="0.5", label="measured")
        if "damping" in self.estimates:
            line = np.linspace(0.8 * np.min(speed), 1.1 * np.max(speed), 200)
            ax.plot(line, self.estimates["damping"].value / line, label="inverse relation")
        ax.set(xlabel="speed of impact [m/s]", ylabel="damping factor −a [s/m]")
        ax.legend(frameon=False)
        return ax


def damping(impacts: Sequence[Impact], stiffness: float, solid: Solid,
            against: Solid | None = None, *, X_WA: Pose = None, X_WB: Pose = None,
            direction: ArrayLike = (0.0, 0.0, -1.0), contact_point: float | None = None, impact_speed: float | None = None,
            tolerance: float = 1e-9, loss: str = "squared", bootstrap: int = 0,
            tol: float | None = None) -> DampingFit:
    """The damping of driven impacts F = k_V V(p - p0) (1 - a dp/dt), k_V [N/m^3] known."""
    press = _call(_core._Press, solid, _core.half_space() if against is None else against, X_WA, X_WB,
                         direction, None, present_tolerance(tolerance, tol))
    runs = [{"label": impact.label or str(number + 1), "position": impact.position,
             "velocity": impact.velocity, "force": impact.force}
            for number, impact in enumerate(impacts)]
    found = _call(_core._fit_damping, runs, press, stiffness, contact_point, impact_speed, loss, bootstrap)
    impacts_found = [{**impact, "estimates": _estimates(impact["estimates"])}
                     for impact in found["impacts"]]
    return DampingFit(_estimates(found["estimates"]), found["reason"], found["scattered"],
                      impacts_found)


@dataclass(frozen=True)
class RestitutionFit:
    """Restitution against speed by one law; see restitution()."""

    fit: Fit
    model: str
    _data: Rebounds = field(repr=False)

    @property
    def estimates(self) -> dict[str, Estimate]:
        """restitution, alpha [s/m] or beta [(s/m)^(1/5)], by the model."""
        return self.fit.estimates

    def restitution(self, speed: ArrayLike) -> Doubles:
        """The restitution at speeds (n,) [m/s]."""
        parameter = next(iter(self.estimates.values())).value
        return _core._restitution(self.model, parameter, speed)

    def plot(self, ax: Any = None) -> Any:
        """Restitution against the speed of impact: measurements and fit."""
        ax = _axes(ax)
        speed = self._data.speed
        line = np.linspace(0.8 * np.min(speed), 1.05 * np.max(speed), 100)
        ax.plot(speed, self._data.restitution, ".", color="0.6", label="measured")
        ax.plot(line, self.restitution(line), label=self.model.replace("_", " "))
        ax.set(xlabel="speed of impact [m/s]", ylabel="restitution")
        ax.legend(frameon=False)
        return ax


def restitution(speed: ArrayLike, restitution: ArrayLike, model: str = "constant", *, loss: str = "squared",
                bootstrap: int = 0) -> RestitutionFit:
    """A law of restitution over speeds (n,) [m/s]: 'constant', 'hunt_crossley', 'azad_featherstone'."""
    found = _call(_core._fit_restitution, model, speed, restitution, loss, bootstrap)
    data = Rebounds(np.asarray(speed, float), np.asarray(restitution, float))
    return RestitutionFit(_fit(found), model, data)


@dataclass(frozen=True)
class FrictionFit:
    """Parameters of the bristle friction; see friction().

    estimates: by name, what the data determine; open: by name, why they do not determine the rest.
    """

    estimates: dict[str, Estimate]
    open: dict[str, str]
    notes: list[str] = field(repr=False)
    _sliding: tuple[Doubles, Doubles] = field(repr=False)
    _slow: list = field(repr=False)

    @property
    def contact(self) -> dict[str, Any]:
        """What ContactModel takes as `friction`."""
        values = {name: estimate.value for name, estimate in self.estimates.items()}
        return {"law": "bristle", **values}

    def plot(self, ax: Any = None) -> Any:
        """Break-away of the slow runs: coefficient against travel, and fit."""
        ax = _axes(ax)
        for label, travel, coefficient, fitted in self._slow:
            (points,) = ax.plot(travel * 1e6, coefficient, ".", alpha=0.4)
            ax.plot(travel * 1e6, fitted, color=points.get_color(), label=f"run {label}")
        ax.set(xlabel="travel [µm]", ylabel="friction coefficient")
        if self._slow:
            ax.legend(frameon=False)
        return ax


def friction(file: Path, *, gyration_radius: float | None = None, experiment: str = "",
             known: Mapping[str, float] | None = None, columns: Mapping[str, str] | None = None,
             units: Mapping[str, str] | None = None, negated: Iterable[str] = (),
             skip_bad_rows: bool = False, loss: str = "squared", bootstrap: int = 0) -> FrictionFit:
    """The seven parameters of the bristle friction from a CSV file of experiments.

    Rotation takes the gyration radius [m]; `experiment` (slow, steady, oscillation) stands for the
    column where there is none; `known` are parameters by name. Columns as of read_press.
    """
    found = _call(_core._fit_friction, _source(file, columns, units, negated, skip_bad_rows),
                                gyration_radius, experiment, dict(known or {}), loss, bootstrap)
    return FrictionFit(_estimates(found["estimates"]), found["open"], found["notes"],
                       (found["sliding_speed"], found["sliding_coefficient"]), found["slow"])
