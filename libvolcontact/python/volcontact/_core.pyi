"""Types of the compiled part of volcontact. Shapes: (...) is the leading shape of the poses."""

from __future__ import annotations

from typing import Any, Callable, ClassVar, Iterable, Literal, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._membership import Membership
from ._types import Doubles, Path, Pose
from .solids import MassProperties
from .surfaces import OverlapSurface, PatchSurface, Surface

About = Literal["origins", "centroid"]
Direction = Literal["area_vector", "eigenvector"]
# For one query a number, a truth value or a text; for many an array of the leading shape.
Real = Union[float, Doubles]
Integer = Union[int, NDArray[np.int64]]
Truth = Union[bool, NDArray[np.bool_]]

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
    def locate(self, points: ArrayLike) -> Union[Membership, NDArray[np.object_]]:
        """A Membership, or an object array of them, shape (...)."""

    def contains(self, points: ArrayLike) -> Truth:
        """Whether points (..., 3) [m] lie in the solid or on its boundary, shape (...)."""

    def surface(
        self, *, deviation: Optional[float] = None, box: Optional[ArrayLike] = None, most_triangles: int = ...
    ) -> Surface:
        """The boundary as triangles, in the solid's frame."""

    def write(self, path: Path, *, units: str = "") -> None: ...
    def mass_properties(
        self,
        *,
        tolerance: float = 1e-6,
        threads: int = 1,
        method: str = "auto",
        certify: bool = False,
        bracket_width: float = 0.0,
        max_cells: int = 2_000_000,
        max_seconds: float = ...,
        voxel_size: float = 0.0,
    ) -> MassProperties: ...
    @property
    def volume(self) -> float:
        """Volume [m^3], to 1e-6; computed each time."""

    @property
    def centroid(self) -> Doubles:
        """Centroid (3,) [m] in the solid's frame, as volume."""

    @property
    def bounds(self) -> Doubles:
        """A box around the solid, (2, 3): least and greatest x, y, z [m]."""

    @property
    def is_convex(self) -> bool:
        """Convex by construction."""

    @property
    def cells(self) -> list[Solid]:
        """The disjoint cells of a union, for cellular contact."""

    @property
    def mesh(self) -> Optional[tuple[Doubles, NDArray[np.int32]]]:
        """(vertices, faces) of a solid that is one mesh and was not moved, else None."""

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
def difference(base: Solid, cuts: Iterable[Solid]) -> Solid: ...
def complement(solid: Solid) -> Solid: ...

class Metrics:
    """The metrics of overlaps, by field. Arrays share the memory of this object."""

    fields: ClassVar[tuple[str, ...]]
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def warnings(self) -> Union[tuple[str, ...], NDArray[np.object_]]:
        """A tuple of texts, or an object array of such, shape (...)."""

    @property
    def fallback(self) -> Union[str, NDArray[np.object_]]:
        """Why columns answered: a text, or an object array, shape (...)."""

    def __getitem__(self, key: Any) -> Metrics: ...
    def __len__(self) -> int: ...
    def to_frame(self) -> Any:
        """A pandas.DataFrame with a row for each result."""

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
    def overlap(self) -> Truth:
        """Whether the solids overlap: bool, shape (...)."""

    @property
    def undecided(self) -> Truth:
        """Whether effort or time ended before that was known: then V is the middle of its bracket: bool,
        shape (...)."""

    @property
    def volume(self) -> Real:
        """V [m^3], shape (...)."""

    @property
    def volume_bounds(self) -> Doubles:
        """Certified bracket of V [m^3], shape (..., 2); 0 and infinity where there is none."""

    @property
    def volume_error(self) -> Real:
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
        """Unit vector along the area vector, shape (..., 3); 0 if that is below rounding."""

    @property
    def area_vector(self) -> Doubles:
        """a [m^2], shape (..., 3): moving A by d changes V by -a.d."""

    @property
    def area_moment(self) -> Doubles:
        """m [m^3], shape (..., 3): turning A by w about the centroid changes V by -m.w."""

    @property
    def contact_area(self) -> Real:
        """Area of the projection along the normal [m^2], shape (...)."""

    @property
    def mean_height(self) -> Real:
        """V over the contact area [m], shape (...)."""

    @property
    def gyration_radius(self) -> Real:
        """Radius of gyration about the normal [m], shape (...)."""

    @property
    def distance_lower_bound(self) -> Real:
        """Lower bound of the distance without overlap [m], shape (...); NaN where it is not known."""

    @property
    def distance(self) -> Real:
        """distance_lower_bound by its old name, for one version, shape (...)."""

    @property
    def nearest(self) -> Doubles:
        """A point of A and one of B about as near as any, in W [m], shape (..., 2, 3); NaN where none are
        known."""

    @property
    def converged(self) -> Truth:
        """Whether the tolerance was reached: bool, shape (...)."""

    @property
    def tolerance(self) -> Real:
        """Relative tolerance as asked for, shape (...)."""

    @property
    def cells(self) -> Integer:
        """Octree cells classified: int64, shape (...)."""

    @property
    def leaves(self) -> Integer:
        """Pieces summed, see the C++ Statistics: int64, shape (...)."""

    @property
    def edges(self) -> Integer:
        """Pieces of edges summed: int64, shape (...)."""

    @property
    def seconds(self) -> Real:
        """Wall time inside the library [s], shape (...)."""

    @property
    def threads(self) -> Integer:
        """Threads allowed for one query: int64, shape (...)."""

    @property
    def origins(self) -> Doubles:
        """Origins of A's and of B's frame in W [m], shape (..., 2, 3): what gradients refer to."""

    @property
    def method(self) -> Union[str, NDArray[np.str_]]:
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
        tolerance: float = 1e-6,
        threads: int = 1,
        hessian: bool = False,
        method: str = "auto",
        certify: bool = False,
        bracket_width: float = 0.0,
        max_cells: int = 2_000_000,
        max_seconds: float = ...,
        bound_distance: bool = True,
        bound_volume: bool = True,
        contact_area: bool = True,
        check_hessian: bool = True,
        voxel_size: float = 0.0,
        previous_normal: Optional[ArrayLike] = None,
        progress: Union[bool, Callable[[int, int], Any], None] = None,
        out: Optional[Metrics] = None,
    ) -> Metrics: ...
    def patches(
        self,
        X_WA: Pose = None,
        X_WB: Pose = None,
        *,
        tolerance: float = 1e-6,
        threads: int = 1,
        hessian: bool = False,
        method: str = "auto",
        certify: bool = False,
        bracket_width: float = 0.0,
        max_cells: int = 2_000_000,
        max_seconds: float = ...,
        bound_distance: bool = True,
        bound_volume: bool = True,
        contact_area: bool = True,
        check_hessian: bool = True,
        voxel_size: float = 0.0,
        previous_normal: Optional[ArrayLike] = None,
    ) -> Metrics: ...
    def patches_of_each(
        self,
        X_WA: Pose = None,
        X_WB: Pose = None,
        *,
        tolerance: float = 1e-6,
        threads: int = 1,
        hessian: bool = False,
        method: str = "auto",
        certify: bool = False,
        bracket_width: float = 0.0,
        max_cells: int = 2_000_000,
        max_seconds: float = ...,
        bound_distance: bool = True,
        bound_volume: bool = True,
        contact_area: bool = True,
        check_hessian: bool = True,
        voxel_size: float = 0.0,
        previous_normal: Optional[ArrayLike] = None,
    ) -> tuple[Metrics, NDArray[np.int64]]: ...
    def samples(
        self,
        X_WA: Pose = None,
        X_WB: Pose = None,
        about: Optional[tuple[ArrayLike, ArrayLike]] = None,
        *,
        tolerance: float = 1e-6,
        threads: int = 1,
        hessian: bool = False,
        method: str = "auto",
        certify: bool = False,
        bracket_width: float = 0.0,
        max_cells: int = 2_000_000,
        max_seconds: float = ...,
        bound_distance: bool = True,
        bound_volume: bool = True,
        contact_area: bool = True,
        check_hessian: bool = True,
        voxel_size: float = 0.0,
        previous_normal: Optional[ArrayLike] = None,
    ) -> tuple[Doubles, Doubles]: ...
    def surface(
        self,
        X_WA: Pose = None,
        X_WB: Pose = None,
        *,
        deviation: Optional[float] = None,
        most_triangles: int = ...,
    ) -> OverlapSurface:
        """The boundary of the overlap as triangles, in W."""

    def patch_surface(
        self,
        X_WA: Pose = None,
        X_WB: Pose = None,
        *,
        deviation: Optional[float] = None,
        most_triangles: int = ...,
    ) -> PatchSurface:
        """The contact patch as triangles, with the height of the overlap below each vertex, in W."""

    def distance(self, X_WA: Pose = None, X_WB: Pose = None) -> Real: ...
    def separation(self, X_WA: Pose = None, X_WB: Pose = None) -> tuple[Real, Doubles]: ...
    def overlaps(
        self, X_WA: Pose = None, X_WB: Pose = None, *, undecided: Optional[bool] = None
    ) -> Truth:
        """True and False are proved, shape (...); Undecided is raised, or `undecided` given, where neither is."""

    def event(self, X_WA: Pose = None, X_WB: Pose = None) -> Real: ...

class CellContacts:
    """Two solids as disjoint cells: every pair of cells that overlap is a contact of its own."""

    def __init__(self, cells_a: Iterable[Solid], cells_b: Iterable[Solid]) -> None: ...
    def query(
        self,
        X_WA: Pose = None,
        X_WB: Pose = None,
        *,
        tolerance: float = 1e-6,
        threads: int = 1,
        hessian: bool = False,
        method: str = "auto",
        certify: bool = False,
        bracket_width: float = 0.0,
        max_cells: int = 2_000_000,
        max_seconds: float = ...,
        bound_distance: bool = True,
        bound_volume: bool = True,
        contact_area: bool = True,
        check_hessian: bool = True,
        voxel_size: float = 0.0,
        previous_normal: Optional[ArrayLike] = None,
    ) -> tuple[NDArray[np.int32], Metrics]:
        """Indices of the cells in contact (n, 2), and their Metrics of shape (n,), for one pair of poses."""

class ContactState:
    """States of contacts by field; arrays may be written to."""

    fields: ClassVar[tuple[str, ...]]
    def __init__(self, shape: Sequence[int] = ()) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, key: Any) -> ContactState: ...
    def __len__(self) -> int: ...
    @property
    def touching(self) -> Truth:
        """Whether the contact has been seen: bool, shape (...)."""

    @property
    def impact_speed(self) -> Real:
        """Speed of first contact [m/s], shape (...)."""

    @property
    def normal(self) -> Doubles:
        """Normal that the deflection refers to, in W, shape (..., 3)."""

    @property
    def deflection(self) -> Doubles:
        """Mean bend of the bristles in W [m], shape (..., 3)."""

    @property
    def twist(self) -> Real:
        """Turn of the bristles about the normal [rad], shape (...)."""

    @property
    def dwell(self) -> Real:
        """How far stiction has grown, in [0, 1], shape (...)."""

    @property
    def relaxation(self) -> Real:
        """Compression not yet returned [m^3 or m], shape (...)."""

class ContactForce:
    """What contacts do to A, the rates of their states, and powers, by field."""

    fields: ClassVar[tuple[str, ...]]
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, key: Any) -> ContactForce: ...
    def __len__(self) -> int: ...
    def to_frame(self) -> Any:
        """A pandas.DataFrame with a row for each contact."""

    @property
    def touching(self) -> Truth:
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
    def twist_rate(self) -> Real:
        """Rate of the state's twist [rad/s], shape (...)."""

    @property
    def dwell_rate(self) -> Real:
        """Rate of the state's dwell [1/s], shape (...)."""

    @property
    def relaxation_rate(self) -> Real:
        """Rate of the state's relaxation, shape (...)."""

    @property
    def elastic(self) -> Real:
        """Power into the normal spring [W], shape (...)."""

    @property
    def normal_damping(self) -> Real:
        """Power lost in normal damping [W], shape (...)."""

    @property
    def rolling_power(self) -> Real:
        """Power lost in rolling [W], shape (...)."""

    @property
    def bristle_elastic(self) -> Real:
        """Power into the bristles [W], shape (...)."""

    @property
    def bristle(self) -> Real:
        """Power lost in bristles or sliding [W], shape (...)."""

    @property
    def viscous(self) -> Real:
        """Power lost in viscous friction [W], shape (...)."""

    @property
    def spin_elastic(self) -> Real:
        """Power into torsion [W], shape (...)."""

    @property
    def spin(self) -> Real:
        """Power lost in spinning [W], shape (...)."""

    @property
    def clutch(self) -> Real:
        """Power lost in a slipping clutch [W], shape (...)."""

class _ContactModel:
    def __init__(self, text: str, origin: str) -> None: ...
    def touch(self, *arguments: Any) -> ContactState: ...
    def evaluate(self, *arguments: Any) -> ContactForce: ...
    def wrench(self, *arguments: Any) -> Doubles: ...

def _estimate_contact(*arguments: Any) -> dict[str, Any]: ...

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
    path: Path, accept_defects: bool, units: str, override_units: bool, body: str, deviation: float | None
) -> tuple[Solid, str, list[str]]: ...
def _read_bodies(
    path: Path, units: str, override_units: bool, body: str, deviation: float | None
) -> list[dict[str, Any]]: ...
def _read_mesh(path: Path, scale: float | None) -> tuple[Any, list[str]]: ...
def _metres_per_unit(units: str) -> float: ...
def _write_mesh(path: Path, vertices: ArrayLike, faces: ArrayLike, metres_per_unit: float) -> None: ...
def _check_mesh(vertices: ArrayLike, faces: ArrayLike) -> dict[str, Any]: ...
def _repair_mesh(vertices: ArrayLike, faces: ArrayLike) -> tuple[Any, list[str]]: ...
def _run_scenario(
    path: str, set: Sequence[str], variant: str, folder: str, resume: bool, overwrite: bool
) -> str: ...

# What else the package calls, which checks its arguments itself.
def __getattr__(name: str) -> Any: ...
