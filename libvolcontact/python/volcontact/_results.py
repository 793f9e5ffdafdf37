"""What the compiled result types get in Python: texts, indexing, and how they print."""

from __future__ import annotations

import numpy as np

from . import _core
from ._frames import records_frame
from ._membership import contains, locate, overlaps
from .solids import centroid, describe, mass_properties, volume, write
from .surfaces import _overlap_surface, _patch_surface, _solid_surface


def _size(shape: tuple) -> int:
    return int(np.prod(shape, dtype=np.int64))


def _getitem(self, key):
    """The results at an index, a slice, or a mask, as of a numpy array of the leading shape: a copy."""
    places = np.arange(_size(self.shape), dtype=np.int64).reshape(self.shape)[key]
    return self._take(np.ascontiguousarray(places, dtype=np.int64).reshape(np.shape(places)))


def _length(self) -> int:
    if not self.shape:
        raise TypeError(f"a single {type(self).__name__} has no length")
    return self.shape[0]


def _number(value: float) -> str:
    return f"{value:.6g}"


# What is smaller, beside the largest of a vector, is not shown: as a rule it is rounding.
_SHOWN = 1e-9


def _numbers(values) -> str:
    largest = np.max(np.abs(values), initial=0.0)
    return "[" + ", ".join(_number(0.0 if abs(v) <= _SHOWN * largest else v) for v in values) + "]"


def _texts(self, of):
    if not self.shape:
        return of(self._texts.get(0, ((), "")))
    result = np.empty(_size(self.shape), dtype=object)
    for place in range(result.size):
        result[place] = of(self._texts.get(place, ((), "")))
    return result.reshape(self.shape)


def _warnings(self):
    """Warnings of each query: a tuple of texts, or an object array of such, shape (...)."""
    return _texts(self, lambda texts: tuple(texts[0]))


def _fallback(self):
    """Why columns answered and not sums over edges: a text, or an object array, (...)."""
    return _texts(self, lambda texts: texts[1])


def _metrics_repr(self) -> str:
    if self.shape:
        count = _size(self.shape)
        return (f"Metrics(shape={self.shape}, {int(np.sum(self.overlap))} of {count} overlap, "
                f"{int(np.sum(self.converged))} converged, volume={_range(self.volume)})")
    if not self.overlap:
        return f"Metrics(overlap=False, distance_lower_bound={_number(self.distance_lower_bound)}, method='{self.method}')"
    fields = [f"volume={_number(self.volume)}", f"normal={_numbers(self.normal)}",
              f"contact_area={_number(self.contact_area)}", f"method='{self.method}'"]
    if not self.converged:
        fields.append("converged=False")
    if self.warnings:
        fields.append(f"{len(self.warnings)} warnings")
    return f"Metrics({', '.join(fields)})"


def _range(values) -> str:
    if np.size(values) == 0:
        return "of none"
    return f"{_number(np.nanmin(values))} … {_number(np.nanmax(values))}"


def _state_repr(self) -> str:
    if self.shape:
        return f"ContactState(shape={self.shape}, {int(np.sum(self.touching))} touching)"
    if not self.touching:
        return "ContactState(touching=False)"
    return f"ContactState(impact_speed={_number(self.impact_speed)}, deflection={_numbers(self.deflection)})"


def _force_repr(self) -> str:
    if self.shape:
        return f"ContactForce(shape={self.shape}, {int(np.sum(self.touching))} touching)"
    if not self.touching:
        return "ContactForce(touching=False)"
    return f"ContactForce(force={_numbers(self.force)}, point={_numbers(self.point)})"


_PAIR = 45  # characters of each solid


def _pair_repr(self) -> str:
    return f"PreparedPair({describe(self.a, _PAIR)}, {describe(self.b, _PAIR)})"


def _write(self, path, *, units="") -> None:
    write(path, self, units=units)


_write.__doc__ = write.__doc__


def install() -> None:
    """Adds all of that to the compiled types."""
    arrays = ((_core.Metrics, _metrics_repr), (_core.ContactState, _state_repr),
              (_core.ContactForce, _force_repr))
    for of, text in arrays:
        setattr(of, "__getitem__", _getitem)
        setattr(of, "__len__", _length)
        setattr(of, "__repr__", text)
    for of, name, value in (
            (_core.Metrics, "warnings", property(_warnings)),
            (_core.Metrics, "fallback", property(_fallback)),
            (_core.Metrics, "to_frame", records_frame),
            (_core.ContactForce, "to_frame", records_frame),
            (_core.PreparedPair, "__repr__", _pair_repr),
            (_core.PreparedPair, "surface", _overlap_surface),
            (_core.PreparedPair, "patch_surface", _patch_surface),
            (_core.PreparedPair, "overlaps", overlaps),
            (_core.Solid, "__repr__", describe),
            (_core.Solid, "surface", _solid_surface),
            (_core.Solid, "locate", locate),
            (_core.Solid, "contains", contains),
            (_core.Solid, "write", _write),
            (_core.Solid, "mass_properties", mass_properties),
            (_core.Solid, "volume", property(volume)),
            (_core.Solid, "centroid", property(centroid)),
    ):
        setattr(of, name, value)
