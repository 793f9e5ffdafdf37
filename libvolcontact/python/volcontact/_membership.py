"""Yes, no, and neither: what is proved of points and of pairs of solids."""

from __future__ import annotations

import enum
import numbers

import numpy as np

from . import _core


class Undecided(RuntimeError):
    """Neither yes nor no could be proved."""


class Membership(str, enum.Enum):
    """Where a point lies. Compare with a member or its text: a membership is neither true nor false."""

    INSIDE = "inside"
    BOUNDARY = "boundary"
    OUTSIDE = "outside"

    def __bool__(self) -> bool:
        raise TypeError("a membership is neither true nor false; compare it with Membership.INSIDE, "
                        "Membership.BOUNDARY or Membership.OUTSIDE, or ask solid.contains(points)")

    def __eq__(self, other) -> bool:
        if isinstance(other, numbers.Number):
            raise TypeError("locate gives Membership.INSIDE, BOUNDARY and OUTSIDE, where it once gave 1, 0 and -1; "
                            "compare with these")
        return str.__eq__(self, other)

    def __ne__(self, other) -> bool:
        return not self == other

    __hash__ = str.__hash__
    __str__ = str.__str__


# By the codes 0, 1, -1 of the compiled module.
_MEMBERSHIPS = np.array([Membership.BOUNDARY, Membership.INSIDE, Membership.OUTSIDE], dtype=object)


def locate(self, points):
    """Exact membership of points (..., 3) [m] in the solid's frame: a Membership, or an object array of
    them of shape (...)."""
    return _MEMBERSHIPS[self._locate(points)]


def contains(self, points):
    """Whether points (..., 3) [m] lie in the solid or on its boundary, exactly: bool, shape (...)."""
    return self._locate(points) >= 0


def overlaps(self, X_WA=None, X_WB=None, *, undecided: bool | None = None):
    """Whether the interiors of A and B meet, as far as that can be proved: bool, shape (...).

    True and False are proved. Where neither can be, as at a mere touch, the answer is `undecided`; without
    that, Undecided is raised. Poses as of query.
    """
    proof = self._overlap_proof(X_WA, X_WB)
    unknown = np.equal(proof, 0)
    if undecided is None and np.any(unknown):
        raise Undecided("overlaps: neither overlap nor its absence can be proved "
                        f"{_where(unknown)}; give undecided=True or undecided=False, or look at query(...).volume")
    if np.ndim(proof) == 0:
        return bool(undecided) if unknown else proof > 0
    return np.where(unknown, bool(undecided), proof > 0)


def _where(unknown) -> str:
    if np.ndim(unknown) == 0:
        return "at this pose"
    first = [int(i) for i in np.argwhere(unknown)[0]]
    return f"at {np.count_nonzero(unknown)} of {np.size(unknown)} poses, the first at {first}"
