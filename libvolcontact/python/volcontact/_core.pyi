"""Types of the compiled part of volcontact. Shapes: (...) is the leading shape of the poses."""

from __future__ import annotations

import os
from typing import Any, ClassVar, Iterable, Literal, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

# (..., 7), (..., 4, 4), or a pair (t, q) of (..., 3) and (..., 4); None is the identity.
Pose = Union[ArrayLike, tuple[ArrayLike, ArrayLike], None]
About = Literal["origins", "centroid"]
Direction = Literal["area_vector", "eigenvector"]
Doubles = NDArray[np.float64]
# A number for one query, else an array of the leading shape.
Number = Any
Path = Union[str, os.PathLike[str]]

__version__: str

class InvalidInput(ValueError):
    """Input without meaning; the message names the argument, its shape, and the cure."""

class SimulationError(RuntimeError):
    """A simulation that began but cannot go on."""

class Solid:
    """An exact, immutable set of points; a & b, a | b, a - b and ~a combine solids."""

    def __init__(self) -> None: ...
    def __and__(self, other: Solid) -> Solid: ...
    def __or__(self, other: Solid) -> Solid: ...
    def __sub__(self, other: Solid) -> Solid: ...
    def __invert__(self) -> Solid: ...
    def posed(self, X: Pose) -> Solid: ...
    def locate(self, points: ArrayLike) -> Any:
        """A Membership, or an object array of them, shape (...)."""

    def contains(self, points: ArrayLike) -> Any:
        """bool, or an array of them, shape (...)."""

    def write(self, path: Path) -> None: ...
    def mass_properties(self, **options: Any) -> Any: ...
    @property
    def bounds(self) -> Doubles: ...
    @property
    def is_convex(self) -> bool: ...
    @property
    def cells(self) -> list[Solid]: ...
    @property
    def mesh(self) -> Optional[tuple[Doubles, NDArray[np.int32]]]: ...
    def _nodes(self, with_meshes: bool) -> list[tuple[Any, ...]]: ...

def half_space() -> Solid: ...
def slab(thickness: float) -> Solid: ...
def sphere(radius: float) -> Solid: ...
def ellipsoid(semi_axes: ArrayLike) -> Solid: ...
def box(size: ArrayLike) -> Solid: ...
def cylinder(radius: float, height: Optional[float] = None) -> Solid: ...
def cone(radius: float, height: float, radius_top: float = 0.0) -> Solid: ...
def capsule(radius: float, height: float) -> Solid: ...
def torus(major_radius: float, minor_radius: float) -> Solid: ...
def quadric(matrix: ArrayLike) -> Solid: ...
def polynomial(terms: Sequence[Union[tuple[float, Sequence[int]], dict[str, Any]]]) -> Solid: ...
def union(solids: Iterable[Solid]) -> Solid: ...
def intersection(solids: Iterable[Solid]) -> Solid: ...
def difference(base: Solid, cuts: Sequence[Solid]) -> Solid: ...
def complement(solid: Solid) -> Solid: ...

class Metrics:
    """The metrics of overlaps, by field. Arrays share the memory of this object."""

    fields: ClassVar[tuple[str, ...]]
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def warnings(self) -> Any:
        """A tuple of texts, or an object array of such, shape (...)."""

    @property
    def fallback(self) -> Any:
        """Why columns or tetrahedra answered: a text, or an object array, shape (...)."""

    def __getitem__(self, key: Any) -> Metrics: ...
    def __len__(self) -> int: ...
    def gradient(self, about: About = "origins") -> Doubles:
        """First derivative of V by the motions of both bodies, (..., 2, 6) [m^2, m^3]."""

    def hessian(self, about: About = "origins") -> Doubles:
        """Second derivative of V by the motions of both bodies, (..., 2, 6, 2, 6)."""

    def elastic_wrench(self, stiffness: float, direction: Direction = "area_vector") -> Doubles:
        """Force [N] and torque about A's origin [N m] on A, (..., 6)."""

    def elastic_wrench_derivative(
        self, stiffness: float, direction: Direction = "area_vector"
    ) -> Doubles:
        """Its derivative by the motions of both bodies, (..., 6, 2, 6)."""

    @property
    def overlap(self) -> Number:
        """Whether the solids overlap: bool, shape (...)."""

    @property
    def undecided(self) -> Number:
        """Whether effort or time ended before that was known: then V is the middle of its bracket: bool,
        shape (...)."""

    @property
    def volume(self) -> Number:
        """V [m^3], shape (...)."""

    @property
    def volume_bounds(self) -> Doubles:
        """Certified bracket of V [m^3], shape (..., 2); 0 and infinity where there is none."""

    @property
    def volume_error(self) -> Number:
        """Estimated absolute error of V [m^3], shape (...)."""

    @property
    def centroid(self) -> Doubles:
        """Centroid of the overlap in W [m], shape (..., 3)."""

    @property
    def inertia(self) -> Doubles:
        """Inertia about the centroid at unit density in W [m^5], shape (..., 3, 3)."""

    @property
    def normal(self) -> Doubles:
        """Unit contact normal from B toward A, the eigenvector of the inertia nearest the area vector,
        shape (..., 3)."""

    @property
    def area_normal(self) -> Doubles:
        """Unit vector along the area vector, shape (..., 3); 0 where that is all rounding."""

    @property
    def area_vector(self) -> Doubles:
        """a [m^2], shape (..., 3): moving A by d changes V by -a.d."""

    @property
    def area_moment(self) -> Doubles:
        """m [m^3], shape (..., 3): turning A by w about the centroid changes V by -m.w."""

    @property
    def contact_area(self) -> Number:
        """Area of the projection along the normal [m^2], shape (...)."""

    @property
    def mean_height(self) -> Number:
        """V over the contact area [m], shape (...)."""

    @property
    def gyration_radius(self) -> Number:
        """Radius of gyration about the normal [m], shape (...)."""

    @property
    def distance_lower_bound(self) -> Number:
        """Lower bound of the distance without overlap [m], shape (...); NaN where it is not known."""

    @property
    def distance(self) -> Number:
        """distance_lower_bound by its old name, for one version, shape (...)."""

    @property
    def nearest(self) -> Doubles:
        """A point of A and one of B about as near as any, in W [m], shape (..., 2, 3); NaN where none are
        known."""

    @property
    def converged(self) -> Number:
        """Whether the tolerance was reached: bool, shape (...)."""

    @property
    def tolerance(self) -> Number:
        """Relative tolerance as asked for, shape (...)."""

    @property
    def cells(self) -> Number:
        """Octree cells classified: int64, shape (...)."""

    @property
    def leaves(self) -> Number:
        """Pieces summed, see the C++ Statistics: int64, shape (...)."""

    @property
    def edges(self) -> Number:
        """Pieces of edges summed: int64, shape (...)."""

    @property
    def seconds(self) -> Number:
        """Wall time inside the library [s], shape (...)."""

    @property
    def threads(self) -> Number:
        """Threads allowed for one query: int64, shape (...)."""

    @property
    def origins(self) -> Doubles:
        """Origins of A's and of B's frame in W [m], shape (..., 2, 3): what gradients refer to."""

    @property
    def method(self) -> Any:
        """Method that answered: str, or an array of them, shape (...)."""

class PreparedPair:
    """Two solids made ready for many queries; poses of both are in the world."""

    def __init__(self, a: Solid, b: Solid) -> None: ...
    @property
    def a(self) -> Solid: ...
    @property
    def b(self) -> Solid: ...
    def query(
        self,
        X_WA: Pose = None,
        X_WB: Pose = None,
        *,
        tol: float = 1e-6,
        threads: int = 1,
        hessian: bool = False,
        method: str = "auto",
        certify: bool = False,
        bracket_width: float = 0.0,
        max_cells: int = 2_000_000,
        bound_distance: bool = True,
        bound_volume: bool = True,
        contact_area: bool = True,
        voxel_size: float = 0.0,
        previous_normal: Optional[ArrayLike] = None,
        out: Optional[Metrics] = None,
    ) -> Metrics: ...
    def patches(self, X_WA: Pose = None, X_WB: Pose = None, **options: Any) -> Metrics: ...
    def samples(
        self,
        X_WA: Pose = None,
        X_WB: Pose = None,
        about: Optional[tuple[ArrayLike, ArrayLike]] = None,
        **options: Any,
    ) -> tuple[Doubles, Doubles]: ...
    def distance(self, X_WA: Pose = None, X_WB: Pose = None) -> Number: ...
    def separation(self, X_WA: Pose = None, X_WB: Pose = None) -> tuple[Number, Doubles]: ...
    def overlaps(
        self, X_WA: Pose = None, X_WB: Pose = None, *, undecided: Optional[bool] = None
    ) -> Any:
        """bool, or an array of them, shape (...)."""

    def event(self, X_WA: Pose = None, X_WB: Pose = None) -> Number: ...

class CellContacts:
    """Two solids as disjoint cells: every pair of cells that overlap is a contact of its own."""

    def __init__(self, cells_a: Sequence[Solid], cells_b: Sequence[Solid]) -> None: ...
    def query(
        self, X_WA: Pose = None, X_WB: Pose = None, **options: Any
    ) -> tuple[NDArray[np.int32], Metrics]: ...

class ContactState:
    """States of contacts by field; arrays may be written to."""

    fields: ClassVar[tuple[str, ...]]
    def __init__(self, shape: Sequence[int] = ()) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, key: Any) -> ContactState: ...
    def __len__(self) -> int: ...
    @property
    def touching(self) -> Number:
        """Whether the contact has been seen: bool, shape (...)."""

    @property
    def impact_speed(self) -> Number:
        """Speed of first contact [m/s], shape (...)."""

    @property
    def normal(self) -> Doubles:
        """Normal that the deflection refers to, in W, shape (..., 3)."""

    @property
    def deflection(self) -> Doubles:
        """Mean bend of the bristles in W [m], shape (..., 3)."""

    @property
    def twist(self) -> Number:
        """Turn of the bristles about the normal [rad], shape (...)."""

    @property
    def dwell(self) -> Number:
        """How far stiction has grown, in [0, 1], shape (...)."""

    @property
    def relaxation(self) -> Number:
        """Compression not yet returned [m^3 or m], shape (...)."""

class ContactForce:
    """What contacts do to A, the rates of their states, and powers, by field."""

    fields: ClassVar[tuple[str, ...]]
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, key: Any) -> ContactForce: ...
    def __len__(self) -> int: ...
    @property
    def touching(self) -> Number:
        """Whether there is a contact: bool, shape (...)."""

    @property
    def point(self) -> Doubles:
        """Point of attack in W [m], shape (..., 3)."""

    @property
    def force(self) -> Doubles:
        """Force on A in W [N], shape (..., 3); B gets the opposite."""

    @property
    def torque(self) -> Doubles:
        """Torque on A about `point` in W [N m], shape (..., 3)."""

    @property
    def normal(self) -> Doubles:
        """Normal part of the force [N], shape (..., 3)."""

    @property
    def tangential(self) -> Doubles:
        """Friction [N], acts at `plate`, shape (..., 3)."""

    @property
    def rolling(self) -> Doubles:
        """Rolling resistance [N m], shape (..., 3)."""

    @property
    def spinning(self) -> Doubles:
        """Spinning resistance [N m], shape (..., 3)."""

    @property
    def plate(self) -> Doubles:
        """Where friction acts, in W [m], shape (..., 3)."""

    @property
    def deflection_rate(self) -> Doubles:
        """Rate of the state's deflection [m/s], (..., 3)."""

    @property
    def twist_rate(self) -> Number:
        """Rate of the state's twist [rad/s], shape (...)."""

    @property
    def dwell_rate(self) -> Number:
        """Rate of the state's dwell [1/s], shape (...)."""

    @property
    def relaxation_rate(self) -> Number:
        """Rate of the state's relaxation, shape (...)."""

    @property
    def elastic(self) -> Number:
        """Power into the normal spring [W], shape (...)."""

    @property
    def normal_damping(self) -> Number:
        """Power lost in normal damping [W], shape (...)."""

    @property
    def rolling_power(self) -> Number:
        """Power lost in rolling [W], shape (...)."""

    @property
    def bristle_elastic(self) -> Number:
        """Power into the bristles [W], shape (...)."""

    @property
    def bristle(self) -> Number:
        """Power lost in bristles or sliding [W], shape (...)."""

    @property
    def viscous(self) -> Number:
        """Power lost in viscous friction [W], shape (...)."""

    @property
    def spin_elastic(self) -> Number:
        """Power into torsion [W], shape (...)."""

    @property
    def spin(self) -> Number:
        """Power lost in spinning [W], shape (...)."""

    @property
    def clutch(self) -> Number:
        """Power lost in a slipping clutch [W], shape (...)."""

class _ContactModel:
    def __init__(self, text: str, origin: str) -> None: ...
    def touch(self, *arguments: Any) -> ContactState: ...
    def evaluate(self, *arguments: Any) -> ContactForce: ...

class _Press:
    def __init__(self, *arguments: Any) -> None: ...
    def force(self, *arguments: Any) -> Doubles: ...

class _Measurements:
    def __init__(self, *arguments: Any) -> None: ...

def _mesh(
    vertices: ArrayLike, faces: ArrayLike, scale: float, accept_defects: bool, threads: int
) -> Solid: ...
def _mass_properties(solid: Solid, **options: Any) -> dict[str, Any]: ...
def _read_solid(
    path: Path, accept_defects: bool, units: str, body: str, deviation: float | None
) -> tuple[Solid, str, list[str]]: ...
def _read_bodies(path: Path, body: str, deviation: float | None) -> list[dict[str, Any]]: ...
def _read_mesh(path: Path, scale: float) -> tuple[Any, list[str]]: ...
def _write_mesh(path: Path, vertices: ArrayLike, faces: ArrayLike) -> None: ...
def _check_mesh(vertices: ArrayLike, faces: ArrayLike) -> dict[str, Any]: ...
def _repair_mesh(vertices: ArrayLike, faces: ArrayLike) -> tuple[Any, list[str]]: ...
def _run_scenario(
    path: str, set: Sequence[str], variant: str, folder: str, resume: bool, overwrite: bool
) -> str: ...

# What else the package calls, which checks its arguments itself.
def __getattr__(name: str) -> Any: ...
