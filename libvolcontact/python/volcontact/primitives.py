"""Solids that are made of a few numbers, and combinations of solids. Lengths in metres."""

from __future__ import annotations

from typing import Any, Iterable, NoReturn, Optional, Sequence, Union

from numpy.typing import ArrayLike

from . import _core
from ._arguments import need, solids_of
from ._core import Solid

Term = Union[tuple[float, Sequence[int]], dict[str, Any]]


def _one_list(name: str, lengths: Any, more: tuple[Any, ...]) -> Any:
    """The lengths, which are one argument."""
    if more:
        numbers = ", ".join(str(length) for length in (lengths, *more))
        raise TypeError(f"{name} takes one list of three lengths: {name}([x, y, z])"
                        + (f", here {name}([{numbers}])" if len(more) == 2 and len(numbers) < 80 else ""))
    return lengths


def half_space() -> Solid:
    """The half-space z <= 0."""
    return _core.half_space()


def slab(thickness: float) -> Solid:
    """The slab |z| <= thickness/2 [m]."""
    return _core.slab(thickness)


def sphere(radius: float) -> Solid:
    """The ball about the origin, radius in metres."""
    return _core.sphere(radius)


def ellipsoid(semi_axes: ArrayLike, *more: NoReturn) -> Solid:
    """The ellipsoid with semi-axes (a, b, c) along x, y, z [m]."""
    return _core.ellipsoid(_one_list("ellipsoid", semi_axes, more))


def box(size: ArrayLike, *more: NoReturn) -> Solid:
    """The box centred at the origin with full edge lengths (lx, ly, lz) [m]."""
    return _core.box(_one_list("box", size, more))


def cylinder(radius: float, height: Optional[float] = None) -> Solid:
    """The cylinder about z, |z| <= height/2 [m]; infinite without a height."""
    return _core.cylinder(radius, height)


def cone(radius: float, height: float, radius_top: float = 0.0) -> Solid:
    """The cone about z between z = 0 with `radius` and z = height with `radius_top` [m]."""
    return _core.cone(radius, height, radius_top)


def capsule(radius: float, height: float) -> Solid:
    """All points within `radius` of the segment |z| <= height/2 on the z axis [m]."""
    return _core.capsule(radius, height)


def torus(major_radius: float, minor_radius: float) -> Solid:
    """The torus about z, 0 < minor_radius <= major_radius [m]."""
    return _core.torus(major_radius, minor_radius)


def quadric(matrix: ArrayLike) -> Solid:
    """All points with x'Qx <= 0, x = (x, y, z, 1); matrix (4, 4), symmetric."""
    return _core.quadric(matrix)


def polynomial(terms: Sequence[Term]) -> Solid:
    """All points where the sum of c x^i y^j z^k <= 0, of terms (c, (i, j, k)) with i + j + k <= 4."""
    return _core.polynomial(need(terms, Sequence, "terms", "a sequence of terms (c, (i, j, k))"))


def union(solids: Iterable[Solid]) -> Solid:
    """The union of at least one solid."""
    return _core.union(solids_of(solids, "solids"))


def intersection(solids: Iterable[Solid]) -> Solid:
    """The intersection of at least one solid."""
    return _core.intersection(solids_of(solids, "solids"))


def difference(base: Solid, cuts: Iterable[Solid]) -> Solid:
    """The base without every cut of a list."""
    return _core.difference(need(base, Solid, "base"), solids_of(cuts, "cuts"))


def complement(solid: Solid) -> Solid:
    """Everything outside."""
    return _core.complement(need(solid, Solid, "solid"))
