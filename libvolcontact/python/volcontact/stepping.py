"""Implicit steps of contacts beside an engine of your own (docs/stepping.md)."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np

from . import _core
from ._arguments import need
from ._core import InvalidInput, Solid
from ._types import Array, Doubles
from .contact import ContactModel


class BodyPair(NamedTuple):
    """A contact of two bodies: their solids in the bodies' frames, their numbers in the engine, and the laws."""

    a: Solid
    b: Solid
    body_a: int
    body_b: int
    model: ContactModel


class SoftConstraints(NamedTuple):
    """Other constraints of the engine within a step, which share its motion with the contacts.

    rows (m, nv) @ velocity is to be `wanted` (m,) minus softness (m,) times the impulse at the end of the step; the
    impulse of one with one_way (m,) is never negative.
    """

    rows: Doubles
    wanted: Doubles
    softness: Doubles
    one_way: Array


class StepForces(NamedTuple):
    """The forces of all contacts over a step.

    force (nv,): along the engine's velocities. wrenches (pairs, 6): force [N] on A and torque [N m] about A's origin.
    touching (pairs,): bool. converged: of the step and its queries.
    """

    force: Doubles
    wrenches: Doubles
    touching: Array
    converged: bool


class ContactSteps:
    """Contacts whose forces are those at the end of a step, so that they create no energy at any step.

    The engine has nv velocities, and n bodies with poses and Jacobians. pairs: the contacts. X_W (n, 7): poses at the
    start, by which contacts that go around a body are divided. tolerance: of queries. most_patches: not 0, each
    contact patch is a contact of its own, and at most so many. Keeps the states of contacts from step to step.
    """

    def __init__(self, pairs: Sequence[BodyPair], X_W: Any, *, tolerance: float = 1e-6, most_patches: int = 0) -> None:
        self._steps = _core._EngineSteps()
        start = np.asarray(X_W, dtype=float)
        if start.ndim != 2 or start.shape[1] != 7:
            raise InvalidInput(f"X_W has shape {start.shape}; it must be (n, 7), a pose for each body")
        for i, pair in enumerate(pairs):
            for body in (pair.body_a, pair.body_b):
                if not 0 <= body < len(start):
                    raise InvalidInput(f"pairs[{i}] names body {body}; there are {len(start)} poses, from 0")
            self._steps.add(need(pair.a, Solid, f"pairs[{i}].a"), need(pair.b, Solid, f"pairs[{i}].b"),
                            need(pair.model, ContactModel, f"pairs[{i}].model")._model, pair.body_a, pair.body_b,
                            start[pair.body_a], start[pair.body_b], tolerance, most_patches)

    def step(self, X_W: Any, jacobians: Any, mass: Any, velocity: Any, force: Any, step: float,
             constraints: SoftConstraints | None = None) -> StepForces:
        """The forces of the contacts over a step [s] from here, with their states advanced to its end.

        X_W (n, 7): poses. jacobians (n, 6, nv): velocity of each body's origin and its angular velocity, in W, by the
        engine's velocities; zero for a body that is fixed. mass (nv, nv). velocity (nv,). force (nv,): all other
        forces along the velocities, with those of inertia. Apply the result as constant over the step, with a method
        of first order (symplectic or implicit Euler).
        """
        size = np.size(velocity)
        c = constraints or SoftConstraints(np.zeros((0, size)), np.zeros(0), np.zeros(0), np.zeros(0, bool))
        return StepForces(*self._steps.step(X_W, jacobians, mass, velocity, force, step, tuple(c)))

    def save(self) -> Any:
        """The states of all contacts, for restore()."""
        return self._steps.save()

    def restore(self, states: Any) -> None:
        """Goes back to states that save() gave."""
        self._steps.restore(states)
