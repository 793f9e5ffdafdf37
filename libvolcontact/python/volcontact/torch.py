"""Overlap volumes and elastic wrenches as differentiable functions of poses, for torch.

Poses are tensors (..., 7), position and quaternion (w, x, y, z), which is normalised, or (..., 4, 4),
homogeneous matrices. Values are computed in double precision on the CPU and have the dtype and the
device of the poses.
"""

from __future__ import annotations

import torch
from torch.autograd import Function

from . import _motions
from ._core import PreparedPair

__all__ = ["volume", "wrench"]


def _quaternion(R: torch.Tensor) -> torch.Tensor:
    """A quaternion (..., 4), not of unit length, of rotation matrices (..., 3, 3)."""
    # Rows of 4 q q', which are linear in R; the one with the largest diagonal is the best known.
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    x = R[..., 2, 1] - R[..., 1, 2]
    y = R[..., 0, 2] - R[..., 2, 0]
    z = R[..., 1, 0] - R[..., 0, 1]
    xy = R[..., 0, 1] + R[..., 1, 0]
    xz = R[..., 0, 2] + R[..., 2, 0]
    yz = R[..., 1, 2] + R[..., 2, 1]
    rows = torch.stack([
        torch.stack([1 + xx + yy + zz, x, y, z], dim=-1),
        torch.stack([x, 1 + xx - yy - zz, xy, xz], dim=-1),
        torch.stack([y, xy, 1 - xx + yy - zz, yz], dim=-1),
        torch.stack([z, xz, yz, 1 - xx - yy + zz], dim=-1),
    ], dim=-2)
    best = torch.diagonal(rows, dim1=-2, dim2=-1).argmax(dim=-1)
    return torch.take_along_dim(rows, best[..., None, None].expand(*best.shape, 1, 4), dim=-2)[..., 0, :]


def _pose(X: torch.Tensor, name: str) -> torch.Tensor:
    """Poses (..., 7) in double precision with quaternions of unit length."""
    if not isinstance(X, torch.Tensor):
        raise TypeError(f"{name}: a tensor is needed, not {type(X).__name__}")
    if not torch.is_floating_point(X):
        raise TypeError(f"{name}: has dtype {X.dtype}; floating point is needed")
    X = X.to(device="cpu", dtype=torch.float64)
    matrices = X.ndim >= 2 and X.shape[-2:] == (4, 4)
    if not matrices and not (X.ndim >= 1 and X.shape[-1] == 7):
        raise ValueError(f"{name} has shape {tuple(X.shape)}; it must be (..., 7) or (..., 4, 4)")
    _motions.check(_numpy(X), name)
    if matrices:
        t, q = X[..., :3, 3], _quaternion(X[..., :3, :3])
    else:
        t, q = X[..., :3], X[..., 3:]
    return torch.cat([t, q / torch.linalg.vector_norm(q, dim=-1, keepdim=True)], dim=-1)


def _motion(X: torch.Tensor) -> torch.Tensor:
    """The motion (..., 6) from the present poses to X, which is zero: what derivatives pass through."""
    here = X.detach()
    w, v = X[..., 3:4], X[..., 4:]
    w0, v0 = here[..., 3:4], here[..., 4:]
    # q q0*: its logarithm is 2 v/w to second order.
    scalar = w * w0 + (v * v0).sum(dim=-1, keepdim=True)
    vector = w0 * v - w * v0 - torch.linalg.cross(v, v0.expand_as(v), dim=-1)
    return torch.cat([X[..., :3] - here[..., :3], 2 * vector / scalar], dim=-1)


def _numpy(X: torch.Tensor):
    return X.detach().numpy()


class _Constant(Function):
    """What a host function says at the poses, as a function of the motions that nobody may derive."""

    @staticmethod
    def forward(ctx, motions, function, call):
        ctx.name = function.__name__.replace("_", " ")
        return torch.from_numpy(function(*call).copy())

    @staticmethod
    def backward(ctx, grad):
        raise NotImplementedError(f"volcontact: the derivative of the {ctx.name} is not available")


class _Derivable(Function):
    """A function of the motions whose derivative is another."""

    @staticmethod
    def forward(ctx, motions, functions, call):
        ctx.save_for_backward(motions)
        ctx.functions, ctx.call = functions, call
        return torch.from_numpy(functions[0](*call).copy())

    @staticmethod
    def backward(ctx, grad):
        (motions,) = ctx.saved_tensors
        derivative = _apply(motions, ctx.functions[1:], ctx.call)
        weighted = grad[..., None] * derivative
        value_dims = tuple(range(motions.ndim - 1, grad.ndim))
        return (weighted.sum(dim=value_dims) if value_dims else weighted), None, None


def _apply(motions, functions, call):
    """The first of functions, of which each is the derivative of the one before."""
    if len(functions) == 1:
        return _Constant.apply(motions, functions[0], call)
    return _Derivable.apply(motions, functions, call)


_VOLUME = (_motions.volume, _motions.volume_gradient, _motions.volume_hessian)
_WRENCH = (_motions.wrench, _motions.wrench_derivative)


def _prepared(X_WA: torch.Tensor, X_WB: torch.Tensor | None):
    A = _pose(X_WA, "X_WA")
    if X_WB is None:
        B = torch.tensor([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], dtype=torch.float64)
    else:
        B = _pose(X_WB, "X_WB")
    A, B = torch.broadcast_tensors(A, B)
    return torch.cat([_motion(A), _motion(B)], dim=-1), (_numpy(A), _numpy(B))


def volume(pair: PreparedPair, X_WA: torch.Tensor, X_WB: torch.Tensor | None = None,
           **options) -> torch.Tensor:
    """The overlap's volume [m^3], (...), with first and second derivatives by the poses of both bodies.

    Options as of PreparedPair.query. The second derivative comes from the Hessian, which is found when
    it is asked for, and is NaN, with a RuntimeWarning, where there is none (see Metrics.hessian).
    """
    motions, poses = _prepared(X_WA, X_WB)
    return _apply(motions, _VOLUME, (pair, *poses, options)).to(device=X_WA.device, dtype=X_WA.dtype)


def wrench(pair: PreparedPair, X_WA: torch.Tensor, X_WB: torch.Tensor | None = None,
           stiffness: float | torch.Tensor = 1.0, *, direction: str = "area_vector",
           **options) -> torch.Tensor:
    """The elastic wrench on A, (..., 6): force stiffness·V n [N] and its torque about A's origin [N m].

    stiffness [N/m^3] is a number or a tensor (...). Differentiable once, through the Hessian of the
    volume; NaN, with a RuntimeWarning, where there is none.
    """
    motions, poses = _prepared(X_WA, X_WB)
    result = _apply(motions, _WRENCH, (pair, *poses, direction, options))
    result = result.to(device=X_WA.device, dtype=X_WA.dtype)
    return result * (stiffness[..., None] if isinstance(stiffness, torch.Tensor) else stiffness)
