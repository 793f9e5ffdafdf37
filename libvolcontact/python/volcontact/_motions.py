"""What autograd needs of metrics: values and derivatives at flat batches of poses, as arrays.

Derivatives are by motions (d, w) of each body: x goes to r + d + exp(w x)(x - r), r the origin of the
body's frame. Functions of poses in torch and jax are such motions about the present poses.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ._core import PreparedPair

Direction = Literal["area_vector", "eigenvector"]


def unit(poses: np.ndarray) -> np.ndarray:
    """Poses (..., 7) with quaternions of unit length."""
    poses = np.array(poses, dtype=np.float64)
    poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
    return poses


def volume(pair: PreparedPair, X_WA, X_WB, options: dict[str, Any]) -> np.ndarray:
    """V (...)."""
    return np.asarray(pair.query(X_WA, X_WB, **options).volume)


def volume_gradient(pair: PreparedPair, X_WA, X_WB, options: dict[str, Any]) -> np.ndarray:
    """Its gradient (..., 12)."""
    gradient = pair.query(X_WA, X_WB, **options).gradient()
    return gradient.reshape(gradient.shape[:-2] + (12,))


def volume_hessian(pair: PreparedPair, X_WA, X_WB, options: dict[str, Any]) -> np.ndarray:
    """Its second derivative (..., 12, 12)."""
    all_options: dict[str, Any] = {**options, "hessian": True}
    hessian = pair.query(X_WA, X_WB, **all_options).hessian()
    return hessian.reshape(hessian.shape[:-4] + (12, 12))


def wrench(pair: PreparedPair, X_WA, X_WB, direction: Direction, options: dict[str, Any]) -> np.ndarray:
    """The elastic wrench on A for a stiffness of one, about A's origin (..., 6)."""
    return pair.query(X_WA, X_WB, **options).elastic_wrench(1.0, direction)


def wrench_derivative(pair: PreparedPair, X_WA, X_WB, direction: Direction, options: dict[str, Any]) -> np.ndarray:
    """Its derivative (..., 6, 12)."""
    all_options: dict[str, Any] = {**options, "hessian": True}
    derivative = pair.query(X_WA, X_WB, **all_options).elastic_wrench_derivative(1.0, direction)
    return derivative.reshape(derivative.shape[:-2] + (12,))
