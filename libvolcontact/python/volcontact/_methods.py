"""What the compiled classes get in Python: signatures that help() and editors show, and arguments that are named
where they are wrong. Each calls the compiled function of its name."""

from __future__ import annotations

import inspect
import warnings
from typing import Any, Iterable, Sequence

import numpy as np

from ._arguments import need, solids_of
from ._core import CellContacts, ContactForce, ContactState, Metrics, PreparedPair, Solid
from ._progress import shown

_solid_init = Solid.__init__
_pair_init, _cells_init = PreparedPair.__init__, CellContacts.__init__
_state_init = ContactState.__init__
_query, _samples = PreparedPair.query, PreparedPair.samples
_patches, _patches_of_each = PreparedPair.patches, PreparedPair.patches_of_each
_distance, _separation, _event = PreparedPair.distance, PreparedPair.separation, PreparedPair.event
_cells_query = CellContacts.query
_posed = Solid.posed
_gradient, _hessian = Metrics.gradient, Metrics.hessian
_wrench, _wrench_derivative = Metrics.elastic_wrench, Metrics.elastic_wrench_derivative


def init_solid(self) -> None:
    """The empty solid; primitives, combinations, meshes and files are made by functions."""
    _solid_init(self)


def no_init(self, *arguments, **keywords) -> None:
    raise TypeError(f"{type(self).__name__} has no constructor: queries and contact models return such")


def init_pair(self, a: Solid, b: Solid) -> None:
    _pair_init(self, need(a, Solid, "a"), need(b, Solid, "b"))


def init_cells(self, cells_a: Iterable[Solid], cells_b: Iterable[Solid]) -> None:
    _cells_init(self, solids_of(cells_a, "cells_a"), solids_of(cells_b, "cells_b"))


def init_state(self, shape: Sequence[int] = ()) -> None:
    """Contacts that have not begun, of the given shape."""
    try:
        extents = tuple(int(extent) for extent in shape)
    except (TypeError, ValueError):
        raise TypeError(f"shape: a tuple of integers is needed, not {shape!r}") from None
    _state_init(self, extents)


def query(self, X_WA=None, X_WB=None, **options) -> Metrics:
    """The metrics of the overlap of A and B at poses in the world.

    Poses are arrays (..., 7), (..., 4, 4), or pairs (t, q); leading dimensions broadcast, and all fields of the
    Metrics have them. None, or no pose, is the identity.

    tolerance: relative tolerance. threads: of one query, or over a batch. hessian: find second derivatives. method: a
    name of docs/cli.md. certify, bracket_width: prove bounds, of this relative width. max_cells: effort of a query.
    max_seconds: time of the whole call; poses that it leaves out have volume NaN and are `undecided`, with a
    warning. bound_distance, bound_volume, contact_area, check_hessian: False leaves these out. voxel_size [m]: of
    method="voxel". previous_normal (3,): settles the sign of a normal. progress: True (a bar of tqdm, or lines on stderr), or a
    function of (done, total), for a batch. out: a Metrics of the right shape, which is filled and returned.

    Other threads of Python run meanwhile. Control-C ends batches of a thousand poses and more.
    """
    if "progress" in options:
        options["progress"] = shown(options["progress"], "pose")
    m = _query(self, X_WA, X_WB, **options)
    if "max_seconds" in options:
        _warn_of_unasked(m, options["max_seconds"])
    return m


def _warn_of_unasked(m: Metrics, max_seconds: float) -> None:
    unasked = int(np.count_nonzero(np.isnan(m.volume)))
    if unasked:
        warnings.warn(f"volcontact: max_seconds={max_seconds:g} ended the batch: {unasked} of {np.size(m.volume)} poses "
                      "were not asked, their volume is NaN", RuntimeWarning, stacklevel=3)


def patches(self, X_WA=None, X_WB=None, **options) -> Metrics:
    """The metrics of each contact patch, largest first, of shape (n,), for one pair of poses. Options as of query."""
    return _patches(self, X_WA, X_WB, **options)


def patches_of_each(self, X_WA=None, X_WB=None, **options) -> tuple[Metrics, np.ndarray]:
    """The patches of n pairs of poses: their metrics, of shape (m,), and offsets (n + 1,).

    Those of pose i are metrics[offsets[i]:offsets[i + 1]], largest first. Options as of query.
    """
    return _patches_of_each(self, X_WA, X_WB, **options)


def samples(self, X_WA=None, X_WB=None, about=None, **options) -> tuple[np.ndarray, np.ndarray]:
    """A quadrature of the overlap: points (n, 3) [m] and their volumes (n,) [m^3], in W.

    about=(point, direction) takes columns along that line, for functions that are smooth around it. Options as of
    query.
    """
    return _samples(self, X_WA, X_WB, about, **options)


def distance(self, X_WA=None, X_WB=None):
    """Lower bound of the distance [m], shape (...); 0 where the solids touch or overlap."""
    return _distance(self, X_WA, X_WB)


def separation(self, X_WA=None, X_WB=None):
    """That bound, shape (...), with a point of A and one of B about as near as any, (..., 2, 3), NaN where none are
    known [m]."""
    return _separation(self, X_WA, X_WB)


def event(self, X_WA=None, X_WB=None):
    """Continuous through first contact [m], shape (...): the distance bound, or minus the cube root of the volume."""
    return _event(self, X_WA, X_WB)


def query_cells(self, X_WA=None, X_WB=None, **options) -> tuple[np.ndarray, Metrics]:
    """Indices of the cells in contact (n, 2), and their Metrics of shape (n,), for one pair of poses. Options as of
    PreparedPair.query."""
    return _cells_query(self, X_WA, X_WB, **options)


def posed(self, X) -> Solid:
    """The same solid moved by a pose: (7,), (4, 4), or a pair (t, q) of (3,) and (4,)."""
    return _posed(self, X)


def gradient(self, about: str = "origins") -> np.ndarray:
    """First derivative of V by the motions of both bodies, (..., 2, 6) [m^2, m^3]; about="centroid" turns both about
    the centroid of the overlap."""
    return _gradient(self, need(about, str, "about", "'origins' or 'centroid'"))


def hessian(self, about: str = "origins") -> np.ndarray:
    """Second derivative of V by the motions of both bodies, (..., 2, 6, 2, 6), of a query with hessian=True; NaN where
    there is none."""
    return _hessian(self, need(about, str, "about", "'origins' or 'centroid'"))


def elastic_wrench(self, stiffness: float, direction: str = "area_vector") -> np.ndarray:
    """Force stiffness V n [N] and its torque about A's origin [N m] on A, (..., 6); n along the area vector or the
    "eigenvector"."""
    return _wrench(self, stiffness, need(direction, str, "direction", "'area_vector' or 'eigenvector'"))


def elastic_wrench_derivative(self, stiffness: float, direction: str = "area_vector") -> np.ndarray:
    """Its derivative by the motions of both bodies, (..., 6, 2, 6), of a query with hessian=True."""
    return _wrench_derivative(self, stiffness, need(direction, str, "direction", "'area_vector' or 'eigenvector'"))


# Keywords are passed on as they are, so that what is not given costs nothing; help() shows them all.
_DEFAULTS = {"tolerance": 1e-6, "threads": 1, "hessian": False, "method": "auto", "certify": False, "bracket_width": 0.0,
             "max_cells": 2_000_000, "max_seconds": float("inf"), "bound_distance": True, "bound_volume": True,
             "contact_area": True, "check_hessian": True, "voxel_size": 0.0, "previous_normal": None, "progress": None,
             "out": None}


def _signature_of_query() -> inspect.Signature:
    parameters = list(inspect.signature(query).parameters.values())[:3]
    parameters += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value)
                   for name, value in _DEFAULTS.items()]
    return inspect.Signature(parameters, return_annotation=Metrics)


query.__signature__ = _signature_of_query()  # type: ignore[attr-defined]


def install() -> None:
    """Puts all of that into the compiled classes."""
    methods: dict[type, dict[str, Any]] = {
        PreparedPair: {"__init__": init_pair, "query": query, "patches": patches,
                       "patches_of_each": patches_of_each, "samples": samples, "distance": distance,
                       "separation": separation, "event": event},
        CellContacts: {"__init__": init_cells, "query": query_cells},
        ContactState: {"__init__": init_state},
        Solid: {"__init__": init_solid, "posed": posed},
        ContactForce: {"__init__": no_init},
        Metrics: {"__init__": no_init, "gradient": gradient, "hessian": hessian, "elastic_wrench": elastic_wrench,
                  "elastic_wrench_derivative": elastic_wrench_derivative},
    }
    for of, functions in methods.items():
        for name, function in functions.items():
            function.__name__ = name
            function.__qualname__ = f"{of.__name__}.{name}"
            setattr(of, name, function)
