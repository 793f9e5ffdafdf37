"""Parameters of a contact from materials, masses and the depth at rest (docs/parameters.md)."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._arguments import need
from .contact import ContactModel


@dataclass(frozen=True)
class ContactEstimate:
    """What estimate_contact() finds.

    normal, friction: of a contact file; friction is None without mu_s. force at rest [N], depth there [m],
    elastic_stiffness of the materials there [N/m^3] (infinite without materials), greatest_depth [m] and
    greatest_force [N] at rest or in the impact, step of explicit integrators [s].
    """

    normal: dict[str, Any]
    friction: dict[str, Any] | None
    force: float
    depth: float
    elastic_stiffness: float
    greatest_depth: float
    greatest_force: float
    step: float

    @property
    def model(self) -> ContactModel:
        """The contact's laws."""
        return ContactModel(self.normal, self.friction)


def _warn_of_balls(bodies: dict[str, _core.Solid]) -> None:
    for name, body in bodies.items():
        radius = 0.5 * float(np.max(body.bounds[1] - body.bounds[0]))
        if math.isinf(radius) or math.isclose(body.volume, 4 / 3 * math.pi * radius**3, rel_tol=1e-3):
            continue
        warnings.warn(f"volcontact: {name} is no ball, and counts as one of its volume; give X_WA and X_WB to measure the "
                      "real shapes, or half_space() for a plane", RuntimeWarning, stacklevel=3)


def estimate_contact(a: _core.Solid, b: _core.Solid, *, mass: float, material_a: str | None = None,
                     material_b: str | None = None, depth: float | None = None, force: float | None = None,
                     X_WA=None, X_WB=None, gravity=(0.0, 0.0, -9.81), restitution: float = 0.5,
                     impact_speed: float = 0.0, mu_s: float = 0.0, mu_c: float | None = None) -> ContactEstimate:
    """Stiffness, damping, friction and step of the contact in which A rests on B.

    mass [kg] that rests; of two free bodies 1/(1/m_a + 1/m_b). material_a, material_b: names of `volcontact estimate
    materials`; a body without one is rigid. depth [m] wanted at rest; without it that of the materials. force [N] at
    rest, default the weight. X_WA, X_WB: one pose each, from which A is lowered along gravity onto B, to measure the
    real shapes; without them both count as balls of their volumes, with a warning for a body that is no ball, and
    unbounded ones as planes. restitution in (0, 1],
    impact_speed [m/s] the greatest expected, mu_s and mu_c of stiction and sliding, equal by default.

    Raises InvalidInput for values out of range, for unknown materials, and where A does not meet B.
    """
    need(a, _core.Solid, "a")
    need(b, _core.Solid, "b")
    if depth is None and material_a is None and material_b is None:
        raise _core.InvalidInput("depth is missing; give the depth wanted at rest, or material_a or material_b")
    if not mass > 0.0:
        raise _core.InvalidInput(f"mass is {mass}; it must be above zero")
    if X_WA is None and X_WB is None:
        _warn_of_balls({"a": a, "b": b})
    mu_c = mu_s if mu_c is None else mu_c
    if not 0.0 <= mu_c <= mu_s:
        raise _core.InvalidInput(f"mu_c is {mu_c}; it must lie in [0, {mu_s}], the stiction coefficient")
    found = _core._estimate_contact(
        a, b, X_WA, X_WB, gravity, material_a, material_b,
        {"mass": mass, "force": force, "depth": depth, "restitution": restitution, "impact_speed": impact_speed,
         "mu_s": mu_s})
    normal = {"law": "volumetric", "stiffness": found["stiffness"], "restitution": restitution,
              "v_small": found["v_small"]}
    friction = found["friction"] and {"law": "bristle", "mu_s": mu_s, "mu_c": mu_c, **found["friction"]}
    return ContactEstimate(normal, friction, **{
        key: found[key] for key in ("force", "depth", "elastic_stiffness", "greatest_depth", "greatest_force", "step")})
