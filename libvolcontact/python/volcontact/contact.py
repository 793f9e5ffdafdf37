"""Contact models over many contacts at once."""

from __future__ import annotations

import json
import operator
import os
import pathlib
import reprlib
from typing import Any, Literal

import numpy as np

from . import _core
from ._arguments import need
from ._core import ContactForce, ContactState, Metrics, PreparedPair
from ._types import ArrayLike, Doubles, Pose


def _plain(value):
    """Numbers of numpy as those of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"ContactModel: a parameter must be a number or a text, not "
                    f"{type(value).__name__}")


def _need_results(m, state) -> None:
    need(m, Metrics, "m", "a Metrics, which pair.query returns,")
    if state is not None:
        need(state, ContactState, "state")


def _sectors(division) -> int | None:
    """As the compiled module has them: None for "auto", 0 for "none"."""
    if isinstance(division, str) and division in ("auto", "none"):
        return None if division == "auto" else 0
    try:
        sectors = operator.index(division)
    except TypeError:
        sectors = 0
    if 3 <= sectors <= 360:
        return sectors
    raise _core.InvalidInput(f"division is {reprlib.repr(division)}; give 'auto', 'none' or 3 to 360 sectors")


class ContactModel:
    """A normal law, rolling resistance and friction, for any number of contacts.

    Parameters are those of a contact file (docs/contact_files.md), as dictionaries::

        ContactModel(normal={"law": "volumetric", "stiffness": 1e9, "restitution": 0.7},
                     friction={"law": "bristle", "mu_s": 0.5, "mu_c": 0.4,
                               "sigma0": 1e4, "sigma1": 300})

    and `direction`, `rolling`, `contact_plate`, `tau_relaxation` by keyword. Raises InvalidInput that
    names the parameter, its value and its range. Models are immutable; threads may share one.
    """

    def __init__(self, normal: dict[str, Any], friction: dict[str, Any] | None = None,
                 **more: Any) -> None:
        document = {"normal": normal, **({} if friction is None else {"friction": friction}), **more}
        try:
            text = json.dumps(document, allow_nan=False, default=_plain)
        except ValueError as error:
            raise _core.InvalidInput(f"ContactModel: all parameters must be finite: {error}") from None
        self._set(text, "ContactModel")

    @classmethod
    def read(cls, path: str | os.PathLike) -> "ContactModel":
        """The model of a contact file."""
        model = cls.__new__(cls)
        model._set(pathlib.Path(path).read_text(encoding="utf-8"), os.fspath(path))
        return model

    def _set(self, text: str, origin: str) -> None:
        self._model = _core._ContactModel(text, origin)
        self._text = text

    @property
    def parameters(self) -> dict[str, Any]:
        """What the model was made of."""
        return json.loads(self._text)

    def touch(self, m: Metrics, X_WA: Pose, V_WA: ArrayLike | None = None, X_WB: Pose = None,
              V_WB: ArrayLike | None = None, state: ContactState | None = None) -> ContactState:
        """The states after an accepted step, for metrics of shape (...).

        A contact that has begun since `state` gets its speed of impact, one that has ended is
        cleared, and one that goes on is referred to its new normal. Poses and twists as for
        evaluate().
        """
        _need_results(m, state)
        return self._model.touch(m, X_WA, V_WA, X_WB, V_WB, state)

    def evaluate(self, m: Metrics, X_WA: Pose, V_WA: ArrayLike | None = None, X_WB: Pose = None,
                 V_WB: ArrayLike | None = None, state: ContactState | None = None, *,
                 pair: PreparedPair | None = None) -> ContactForce:
        """The forces of contacts with metrics of shape (...), and the rates of their states.

        Poses X_WA, X_WB as of the query, twists V_WA, V_WB (..., 6): velocity of the frame's origin
        [m/s] and angular velocity [rad/s] in W; None is the identity, or rest; all broadcast to the
        shape of m. A contact whose state is not touching begins now. `pair` is needed by friction
        that samples the overlap (patch_coulomb). Every contact pushes along one direction; a warning
        says if that is wrong for the first one that touches, as it goes around a body.
        """
        _need_results(m, state)
        if pair is not None:
            need(pair, PreparedPair, "pair")
        return self._model.evaluate(m, X_WA, V_WA, X_WB, V_WB, state, pair)

    def wrench(self, pair: PreparedPair, X_WA: Pose = None, V_WA: ArrayLike | None = None, X_WB: Pose = None,
               V_WB: ArrayLike | None = None, *, division: int | Literal["auto", "none"] = "auto") -> Doubles:
        """The force [N] on A and its torque about A's origin [N m], in W, (6,), of a contact that begins now.

        One pair of poses, with twists as for evaluate(). division: 'auto' divides a contact that goes
        around a body into 24 sectors, each with its own direction (docs/contact.md); a number divides
        any contact; 'none' pushes along one direction. Cost: a query for each sector; the search for a
        division costs up to 150, and finds nothing new for convex solids.
        """
        need(pair, PreparedPair, "pair")
        return self._model.wrench(pair, X_WA, V_WA, X_WB, V_WB, _sectors(division))

    def __repr__(self) -> str:
        inner = ", ".join(f"{key}={value!r}" for key, value in self.parameters.items())
        return f"ContactModel({inner})"

    def __getstate__(self) -> dict[str, str]:
        return {"text": self._text}

    def __setstate__(self, state: dict[str, str]) -> None:
        self._set(state["text"], "ContactModel")
