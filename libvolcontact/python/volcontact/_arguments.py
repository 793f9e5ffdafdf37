"""What arguments are, said in Python's terms: the compiled module only knows that none of its signatures fits."""

from __future__ import annotations

import warnings
from typing import Any, Iterable

from ._core import Solid


def need(value: Any, kind: Any, name: str, what: str = "") -> Any:
    """The value, which must be of a kind; else a TypeError that names the argument."""
    if isinstance(value, kind):
        return value
    raise TypeError(f"{name}: {what or 'a ' + kind.__name__} is needed, not {type(value).__name__}")


def solids_of(values: Any, name: str) -> list[Solid]:
    """A list of solids."""
    if isinstance(values, Solid) or not isinstance(values, Iterable):
        raise TypeError(f"{name}: a list of solids is needed, not {type(values).__name__}")
    return [need(value, Solid, f"{name}[{i}]") for i, value in enumerate(values)]


def present_tolerance(tolerance: float, tol: float | None) -> float:
    """The tolerance, which `tol` names in programs for earlier versions; their caller's caller is warned."""
    if tol is None:
        return tolerance
    warnings.warn("tol is the old name of tolerance, for one version; write tolerance=...", DeprecationWarning, stacklevel=3)
    return tol


def renamed(old: str, new: str) -> property:
    """A property for the old name of another one, for one version."""
    def read(self: Any) -> Any:
        warnings.warn(f"{old} is the old name of {new}, for one version", DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    return property(read, doc=f"The old name of {new}, for one version.")
