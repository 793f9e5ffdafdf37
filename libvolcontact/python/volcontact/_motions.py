"""What autograd needs of metrics: values and derivatives at flat batches of poses, as arrays.

Derivatives are by motions (d, w) of each body: x goes to r + d + exp(w x)(x - r), r the origin of the
body's frame. Functions of poses in torch and jax are such motions about the present poses.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np

from . import _core
from ._core import InvalidInput, Metrics, PreparedPair

Direction = Literal["area_vector", "eigenvector"]


def check(X: np.ndarray, name: str) -> None:
    """Raises InvalidInput unless X is poses (..., 4, 4), or (..., 7) with quaternions of any length but 0."""
    if X.shape[-1] == 4:
        _core._check_poses(X, name)
        return
    lengths = np.linalg.norm(X[..., 3:], axis=-1)
    wrong = ~np.isfinite(X).all(axis=-1) | (lengths == 0)
    if not np.any(wrong):
        return
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    where = f"{name}{list(place) if place else ''}"
    if np.isfinite(X[place]).all():
        raise InvalidInput(f"{where}: the quaternion (w, x, y, z) has the length 0, and so no direction; "
                           f"start from (1, 0, 0, 0) for no rotation ({name} has shape {X.shape})")
    raise InvalidInput(f"{where}: not all numbers are finite ({name} has shape {X.shape})")


def _known(derivative: np.ndarray, m: Metrics, what: str) -> np.ndarray:
    """The derivative (...), with a warning where it is not known."""
    unknown = np.isnan(derivative.reshape(m.shape + (-1,))).any(axis=-1)
    if np.any(unknown):
        texts = [m.warnings] if not m.shape else m.warnings[unknown]
        why = "; ".join(dict.fromkeys(text for of_one in texts for text in of_one))
        warnings.warn(f"volcontact: {what} is NaN at {np.count_nonzero(unknown)} of {unknown.size} poses"
                      + (f": {why}" if why else ""), RuntimeWarning, stacklevel=2)
    return derivative


def _asked(pair: PreparedPair, X_WA, X_WB, options: dict[str, Any]) -> Metrics:
    """Metrics of which a part is kept, with a warning where they have not converged."""
    m = pair.query(X_WA, X_WB, **options)
    open_ones = int(np.count_nonzero(~np.asarray(m.converged)))
    if open_ones:
        warnings.warn(f"volcontact: {open_ones} of {np.size(m.converged)} queries have not converged to "
                      f"tolerance={np.max(m.tolerance):g}; pair.query has their errors", RuntimeWarning, stacklevel=3)
    return m


def unit(poses: np.ndarray) -> np.ndarray:
    """Poses (..., 7) with quaternions of unit length."""
    poses = np.array(poses, dtype=np.float64)
    poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
    return poses


def volume(pair: PreparedPair, X_WA, X_WB, options: dict[str, Any]) -> np.ndarray:
    """V (...)."""
    return np.asarray(_asked(pair, X_WA, X_WB, options).volume)


def volume_gradient(pair: PreparedPair, X_WA, X_WB, options: dict[str, Any]) -> np.ndarray:
    """Its gradient (..., 12)."""
    gradient = pair.query(X_WA, X_WB, **options).gradient()
    return gradient.reshape(gradient.shape[:-2] + (12,))


def volume_hessian(pair: PreparedPair, X_WA, X_WB, options: dict[str, Any]) -> np.ndarray:
    """Its second derivative (..., 12, 12)."""
    all_options: dict[str, Any] = {**options, "hessian": True}
    m = pair.query(X_WA, X_WB, **all_options)
    hessian = _known(m.hessian(), m, "the second derivative of the volume")
    return hessian.reshape(hessian.shape[:-4] + (12, 12))


def wrench(pair: PreparedPair, X_WA, X_WB, direction: Direction, options: dict[str, Any]) -> np.ndarray:
    """The elastic wrench on A for a stiffness of one, about A's origin (..., 6)."""
    return _asked(pair, X_WA, X_WB, options).elastic_wrench(1.0, direction)


def wrench_derivative(pair: PreparedPair, X_WA, X_WB, direction: Direction, options: dict[str, Any]) -> np.ndarray:
    """Its derivative (..., 6, 12)."""
    all_options: dict[str, Any] = {**options, "hessian": True}
    m = pair.query(X_WA, X_WB, **all_options)
    derivative = _known(m.elastic_wrench_derivative(1.0, direction), m, "the derivative of the wrench")
    return derivative.reshape(derivative.shape[:-2] + (12,))
