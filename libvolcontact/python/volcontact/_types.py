"""Types of arguments and results. Shapes: (...) is the leading shape of the poses."""

from __future__ import annotations

import os
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Array", "ArrayLike", "Doubles", "MeshLike", "Path", "Pose"]

Path = Union[str, "os.PathLike[str]"]
# (..., 7), (..., 4, 4), or a pair (t, q) of (..., 3) and (..., 4); None is the identity.
Pose = Union[ArrayLike, tuple[ArrayLike, ArrayLike], None]
Array = NDArray[Any]
Doubles = NDArray[np.float64]
# Vertices and faces, a pair of both, or an object that has both, as trimesh's.
MeshLike = Any
