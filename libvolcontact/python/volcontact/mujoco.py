"""Volumetric contacts in models of MuJoCo's Python package, 2.2 and later (docs/engines.md)."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence, Union

import numpy as np

from ._core import InvalidInput, Solid
from .contact import ContactModel
from .estimates import estimate_contact
from .primitives import box, capsule, cylinder, ellipsoid, half_space, sphere
from .solids import mesh
from .stepping import BodyPair, ContactSteps, SoftConstraints, StepForces


class Side(NamedTuple):
    """One side of a contact: a body by its name, with a solid in the body's frame."""

    body: str
    solid: Solid


class Materials(NamedTuple):
    """Laws that follow from the materials of both sides, by name (None: rigid), or from the depth wanted at rest [m].

    The masses are the model's, and the shapes count as balls of the same volumes. For the others see estimate_contact.
    """

    a: Union[str, None] = None
    b: Union[str, None] = None
    depth: Union[float, None] = None
    restitution: float = 0.5
    mu_s: float = 0.0
    mu_c: Union[float, None] = None


class Contact(NamedTuple):
    """A contact: each side the name of a geom, or a Side; and its laws, or the materials that they follow from."""

    a: Union[str, Side]
    b: Union[str, Side]
    model: Union[ContactModel, Materials]


# By mjtGeom, whose numbers are those of the models' files. MuJoCo's sizes are halves.
_SHAPES = {
    0: lambda size: half_space(),
    2: lambda size: sphere(size[0]),
    3: lambda size: capsule(size[0], 2 * size[1]),
    4: ellipsoid,
    5: lambda size: cylinder(size[0], 2 * size[1]),
    6: lambda size: box(2 * size),
}
_MESH = 7
# mjtObj, mjtConstraint.
_BODY, _GEOM = 1, 5
_EQUALITY, _FRICTION, _ELLIPTIC = 0, (1, 2), 7


def _mesh_of_geom(model: Any, geom: int) -> Solid:
    number = model.geom_dataid[geom]
    vertex, face = model.mesh_vertadr[number], model.mesh_faceadr[number]
    return mesh(model.mesh_vert[vertex:vertex + model.mesh_vertnum[number]].astype(float),
                model.mesh_face[face:face + model.mesh_facenum[number]], scale=1.0)


def solid_of_geom(model: Any, geom: int) -> Solid:
    """The shape of a geom, by its number, in the frame of its body. Meshes are taken as they are, without a convex
    hull, and must be closed. Raises InvalidInput for height fields."""
    kind = int(model.geom_type[geom])
    if kind == _MESH:
        shape = _mesh_of_geom(model, geom)
    elif kind in _SHAPES:
        shape = _SHAPES[kind](np.array(model.geom_size[geom]))
    else:
        raise InvalidInput(f"geom {geom} is of type {kind}, which has no volume; give a Side with a solid")
    return shape.posed(np.concatenate([model.geom_pos[geom], model.geom_quat[geom]]))


def _is_of(model: Any, geom: int, side: tuple[int, int]) -> bool:
    return geom == side[0] or (side[0] < 0 and int(model.geom_bodyid[geom]) == side[1])


class MujocoContacts:
    """Contacts of a model, in steps that create no energy.

    model, data: of the package `mujoco`, or one that has its names. contacts: see Contact. For other arguments see
    ContactSteps. MuJoCo must not let the same geoms collide: give them contype="0" conaffinity="0", or exclude their
    bodies. Later changes of sizes of geoms are not seen. Step one data with one object.
    """

    def __init__(self, model: Any, data: Any, contacts: Sequence[Contact], *, tolerance: float = 1e-6,
                 most_patches: int = 0, engine: Any = None) -> None:
        if engine is None:
            import mujoco as engine  # type: ignore[no-redef]
        self._engine, self._model, self._data = engine, model, data
        self._bodies: list[int] = []  # of the model, by their numbers in the steps
        self._replaced: list[tuple[tuple[int, int], tuple[int, int]]] = []  # geom or -1, and body, of both sides
        engine.mj_kinematics(model, data)
        pairs = [self._pair(contact) for contact in contacts]
        self._steps = ContactSteps(pairs, self._poses(), tolerance=tolerance, most_patches=most_patches)

    def _find(self, kind: int, name: str, what: str) -> int:
        number = self._engine.mj_name2id(self._model, kind, name)
        if number < 0:
            raise InvalidInput(f"the model has no {what} named {name!r}")
        return int(number)

    def _side(self, side: str | Side) -> tuple[int, int, Solid]:
        """The geom, or -1, the body's number in the steps, and the solid."""
        if isinstance(side, str):
            geom = self._find(_GEOM, side, "geom")
            body, solid = int(self._model.geom_bodyid[geom]), solid_of_geom(self._model, geom)
        else:
            geom, body, solid = -1, self._find(_BODY, side.body, "body"), side.solid
        if body not in self._bodies:
            self._bodies.append(body)
        return geom, self._bodies.index(body), solid

    def _pair(self, contact: Contact) -> BodyPair:
        geom_a, a, solid_a = self._side(contact.a)
        geom_b, b, solid_b = self._side(contact.b)
        if a == b:
            raise InvalidInput(f"both sides of the contact {contact.a!r}, {contact.b!r} are of one body")
        self._replaced.append(((geom_a, self._bodies[a]), (geom_b, self._bodies[b])))
        law = contact.model
        if isinstance(law, Materials):
            law = self._law_of(law, solid_a, solid_b, self._bodies[a], self._bodies[b])
        return BodyPair(solid_a, solid_b, a, b, law)

    def _law_of(self, of: Materials, solid_a: Solid, solid_b: Solid, a: int, b: int) -> ContactModel:
        """As the adapter in C++ has it: the lighter body rests with all below it."""
        masses = [float(self._model.body_subtreemass[body]) for body in (a, b) if self._model.body_weldid[body] != 0]
        gravity = float(np.linalg.norm(self._model.opt.gravity))
        if not masses or gravity == 0.0:
            raise InvalidInput("materials need gravity and a body that moves, for the load at rest; give a ContactModel")
        return estimate_contact(solid_a, solid_b, mass=1.0 / sum(1.0 / mass for mass in masses),
                                force=min(masses) * gravity, material_a=of.a, material_b=of.b, depth=of.depth,
                                restitution=of.restitution, mu_s=of.mu_s, mu_c=of.mu_c).model

    def _require_no_other_contact(self) -> None:
        """Where MuJoCo finds a contact of the same geoms, both would push."""
        m, d = self._model, self._data
        for i in range(d.ncon):
            geoms = int(d.contact[i].geom1), int(d.contact[i].geom2)
            for sides in self._replaced:
                for first, second in (geoms, geoms[::-1]):
                    if _is_of(m, first, sides[0]) and _is_of(m, second, sides[1]):
                        raise InvalidInput(f"MuJoCo lets the geoms {first} and {second} collide, so that both would push: "
                                           'give them contype="0" conaffinity="0", or exclude their bodies in <contact>')

    def _poses(self) -> np.ndarray:
        return np.hstack([np.array(self._data.xpos)[self._bodies], np.array(self._data.xquat)[self._bodies]])

    def _jacobians(self) -> np.ndarray:
        result = np.zeros((len(self._bodies), 6, self._model.nv))
        for jacobian, body in zip(result, self._bodies):
            self._engine.mj_jac(self._model, self._data, jacobian[:3], jacobian[3:],
                                np.array(self._data.xpos[body]), body)
        return result

    def _mass(self) -> np.ndarray:
        """Column by column: mj_fullM takes other arguments from one version to the next."""
        size = self._model.nv
        result, units = np.zeros((size, size)), np.eye(size)
        for column, unit in zip(result, units):
            self._engine.mj_mulM(self._model, self._data, column, unit)
        return result

    def _forces(self) -> np.ndarray:
        m, d = self._model, self._data
        self._engine.mj_fwdActuation(m, d)
        force = d.qfrc_passive + d.qfrc_applied + d.qfrc_actuator - d.qfrc_bias
        for body in np.flatnonzero(np.any(d.xfrc_applied, axis=1)):
            pushed = np.zeros(m.nv)
            wrench = np.array(d.xfrc_applied[body])
            self._engine.mj_applyFT(m, d, wrench[:3], wrench[3:], np.array(d.xipos[body]), int(body), pushed)
            force = force + pushed
        return np.asarray(force)

    def _constraints(self) -> SoftConstraints:
        """MuJoCo's own constraints in the step, without its friction."""
        m, d = self._model, self._data
        self._engine.mj_referenceConstraint(m, d)
        kept = [i for i in range(d.nefc) if not self._is_friction(i)]
        rows, unit = np.zeros((len(kept), m.nv)), np.zeros(d.nefc)
        for row, i in zip(rows, kept):
            unit[i] = 1.0
            self._engine.mj_mulJacTVec(m, d, row, unit)
            unit[i] = 0.0
        wanted = rows @ np.array(d.qvel) + float(m.opt.timestep) * np.array(d.efc_aref)[kept]
        return SoftConstraints(rows, wanted, np.array(d.efc_R)[kept], np.array(d.efc_type)[kept] != _EQUALITY)

    def _is_friction(self, row: int) -> bool:
        d, kind = self._data, int(self._data.efc_type[row])
        return kind in _FRICTION or (kind == _ELLIPTIC and int(d.contact[d.efc_id[row]].efc_address) != row)

    def add_forces(self) -> StepForces:
        """Adds the forces of the coming step to data.qfrc_applied, and advances the states of contacts: once between
        mj_step1 and mj_step2. Take them out of qfrc_applied after the step, as step() does."""
        d = self._data
        self._require_no_other_contact()
        forces = self._steps.step(self._poses(), self._jacobians(), self._mass(), np.array(d.qvel), self._forces(),
                                  float(self._model.opt.timestep), self._constraints())
        d.qfrc_applied[:] += forces.force
        return forces

    def step(self) -> StepForces:
        """One step of the model, in place of mj_step, with the forces of the contacts."""
        self._engine.mj_step1(self._model, self._data)
        applied = np.array(self._data.qfrc_applied)
        forces = self.add_forces()
        self._engine.mj_step2(self._model, self._data)
        self._data.qfrc_applied[:] = applied
        return forces

    def save(self) -> Any:
        """The states of all contacts, for restore()."""
        return self._steps.save()

    def restore(self, states: Any) -> None:
        """Goes back to states that save() gave, as when the data is set back."""
        self._steps.restore(states)
