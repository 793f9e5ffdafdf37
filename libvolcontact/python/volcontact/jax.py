"""Overlap volumes and elastic wrenches as differentiable functions of poses, for jax.

Poses are arrays (..., 7), position and quaternion (w, x, y, z), which is normalised. Values come from
the host in double precision; switch on jax_enable_x64 to see them in it. Works under jit, grad, jacobian
and hessian.
"""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np

from . import _motions
from ._core import PreparedPair

__all__ = ["volume", "wrench"]


def _unit(X):
    return jnp.concatenate(
        [X[..., :3], X[..., 3:] / jnp.linalg.norm(X[..., 3:], axis=-1, keepdims=True)], axis=-1)


def _motion(X):
    """The motion (..., 6) from the present poses to X, which is zero: what derivatives pass through."""
    here = jax.lax.stop_gradient(X)
    w, v, w0, v0 = X[..., 3:4], X[..., 4:], here[..., 3:4], here[..., 4:]
    scalar = w * w0 + jnp.sum(v * v0, axis=-1, keepdims=True)
    vector = w0 * v - w * v0 - jnp.cross(v, v0)
    return jnp.concatenate([X[..., :3] - here[..., :3], 2 * vector / scalar], axis=-1)


def _call(function, extents, poses, dtype):
    """A function of both poses on the host."""
    def on_host(both):
        both = _motions.unit(np.asarray(both, dtype=np.float64).reshape(both.shape[:-1] + (2, 7)))
        return np.asarray(function(both[..., 0, :], both[..., 1, :]), dtype=dtype)

    shape = jax.ShapeDtypeStruct(poses.shape[:-1] + extents, dtype)
    return jax.pure_callback(on_host, shape, poses, vectorized=True)


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def _gradient(pair, options, motions, poses):
    of = functools.partial(_motions.volume_gradient, pair, options=dict(options))
    return _call(of, (12,), poses, motions.dtype)


@_gradient.defjvp
def _gradient_jvp(pair, options, primals, tangents):
    motions, poses = primals
    of = functools.partial(_motions.volume_hessian, pair, options=dict(options))
    hessian = jax.lax.stop_gradient(_call(of, (12, 12), poses, motions.dtype))
    return _gradient(pair, options, motions, poses), jnp.einsum("...ij,...j", hessian, tangents[0])


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def _volume(pair, options, motions, poses):
    of = functools.partial(_motions.volume, pair, options=dict(options))
    return _call(of, (), poses, motions.dtype)


@_volume.defjvp
def _volume_jvp(pair, options, primals, tangents):
    motions, poses = primals
    gradient = _gradient(pair, options, motions, poses)
    return _volume(pair, options, motions, poses), jnp.einsum("...i,...i", gradient, tangents[0])


@functools.partial(jax.custom_jvp, nondiff_argnums=(0, 1, 2))
def _wrench(pair, direction, options, motions, poses):
    of = functools.partial(_motions.wrench, pair, direction=direction, options=dict(options))
    return _call(of, (6,), poses, motions.dtype)


@_wrench.defjvp
def _wrench_jvp(pair, direction, options, primals, tangents):
    motions, poses = primals
    of = functools.partial(_motions.wrench_derivative, pair, direction=direction,
                           options=dict(options))
    derivative = jax.lax.stop_gradient(_call(of, (6, 12), poses, motions.dtype))
    return (_wrench(pair, direction, options, motions, poses),
            jnp.einsum("...ij,...j", derivative, tangents[0]))


def _prepared(X_WA, X_WB):
    if X_WB is None:
        X_WB = jnp.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    for X, name in ((X_WA, "X_WA"), (X_WB, "X_WB")):
        if jnp.ndim(X) < 1 or jnp.shape(X)[-1] != 7:
            raise ValueError(f"{name} has shape {jnp.shape(X)}; it must be (..., 7)")
        if not isinstance(X, jax.core.Tracer):
            _motions.check(np.asarray(X, dtype=np.float64), name)
    A, B = jnp.broadcast_arrays(_unit(jnp.asarray(X_WA)), _unit(jnp.asarray(X_WB)))
    poses = jax.lax.stop_gradient(jnp.concatenate([A, B], axis=-1))
    return jnp.concatenate([_motion(A), _motion(B)], axis=-1), poses


def _key(options: dict) -> tuple:
    return tuple(sorted(options.items()))


def volume(pair: PreparedPair, X_WA, X_WB=None, **options):
    """The overlap's volume [m^3], (...), with first and second derivatives by the poses of both bodies.

    Options as of PreparedPair.query. The second derivative is NaN, with a RuntimeWarning, where there is
    none. A quaternion must not be zero.
    """
    return _volume(pair, _key(options), *_prepared(X_WA, X_WB))


def wrench(pair: PreparedPair, X_WA, X_WB=None, stiffness=1.0, *, direction: str = "area_vector",
           **options):
    """The elastic wrench on A, (..., 6): force stiffness·V n [N] and its torque about A's origin [N m].

    stiffness [N/m^3] is a number or an array (...). Differentiable once, through the Hessian of the
    volume; NaN, with a RuntimeWarning, where there is none.
    """
    unit = _wrench(pair, direction, _key(options), *_prepared(X_WA, X_WB))
    return unit * jnp.asarray(stiffness)[..., None]
