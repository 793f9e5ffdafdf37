"""Interference volumes of solids, their derivatives, and contact forces.

Solids are exact: primitives, closed meshes, and combinations of them by ``&``, ``|``, ``-`` and ``~``.
A ``PreparedPair`` answers queries for poses of both in the world; leading dimensions of poses
broadcast, and results come as arrays by field. Lengths in metres, SI units throughout; vectors of
results are in the world frame W.

>>> import volcontact as vc
>>> pair = vc.PreparedPair(vc.sphere(0.05), vc.half_space())
>>> m = pair.query([0.0, 0.0, 0.0499, 1.0, 0.0, 0.0, 0.0])
>>> round(m.volume * 1e9, 6)
1.568703
>>> m.normal.tolist()
[0.0, 0.0, 1.0]
"""

from ._interpreter import require_main as _require_main

_require_main()
del _require_main

from ._core import (  # noqa: E402
    CellContacts,
    ContactForce,
    ContactState,
    InvalidInput,
    Metrics,
    PreparedPair,
    SimulationError,
    Solid,
    __version__,
)
from . import identify, sweep
from ._membership import Membership, Undecided
from ._methods import install as _install_methods
from ._results import install as _install_results
from .contact import ContactModel
from .estimates import ContactEstimate, estimate_contact
from .primitives import (
    box,
    capsule,
    complement,
    cone,
    cylinder,
    difference,
    ellipsoid,
    half_space,
    intersection,
    polynomial,
    quadric,
    slab,
    sphere,
    torus,
    union,
)
from .simulation import Run, simulate, variants
from .solids import (
    Body,
    MassProperties,
    MeshData,
    MeshReport,
    check,
    mass_properties,
    mesh,
    read,
    read_bodies,
    read_mesh,
    repair,
    write,
)
from .stepping import BodyPair, ContactSteps, SoftConstraints, StepForces
from .surfaces import OverlapSurface, PatchSurface, Surface

_install_methods()
_install_results()
del _install_methods, _install_results

for _type in (CellContacts, ContactForce, ContactState, InvalidInput, Membership, Metrics, PreparedPair, SimulationError,
              Solid, Undecided):
    _type.__module__ = __name__  # where users find it: messages and help show this name
del _type

__all__ = [
    "Body",
    "BodyPair",
    "CellContacts",
    "ContactEstimate",
    "ContactForce",
    "ContactModel",
    "ContactState",
    "ContactSteps",
    "InvalidInput",
    "MassProperties",
    "Membership",
    "MeshData",
    "MeshReport",
    "Metrics",
    "OverlapSurface",
    "PatchSurface",
    "PreparedPair",
    "Run",
    "SimulationError",
    "SoftConstraints",
    "Solid",
    "StepForces",
    "Surface",
    "Undecided",
    "__version__",
    "box",
    "capsule",
    "check",
    "complement",
    "cone",
    "cylinder",
    "difference",
    "ellipsoid",
    "estimate_contact",
    "half_space",
    "identify",
    "intersection",
    "mass_properties",
    "mesh",
    "polynomial",
    "quadric",
    "read",
    "read_bodies",
    "read_mesh",
    "repair",
    "simulate",
    "slab",
    "sphere",
    "sweep",
    "torus",
    "union",
    "variants",
    "write",
]
