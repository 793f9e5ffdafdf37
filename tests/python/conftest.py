"""What the tests of the Python package share."""

import os
import pathlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def root() -> pathlib.Path:
    return ROOT


@pytest.fixture
def data() -> pathlib.Path:
    return ROOT / "data"


@pytest.fixture
def tool() -> str:
    """The command-line tool, which prints the numbers of the C++ library with all digits."""
    path = pathlib.Path(os.environ.get("VOLCONTACT_TOOL", ROOT / "build/release/tools/volcontact/volcontact"))
    if not path.exists():
        pytest.skip("the command-line tool is not built")
    return str(path)


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(17)


def random_poses(random: np.random.Generator, shape, spread: float) -> np.ndarray:
    """Poses (..., 7) about the origin."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    q = random.normal(size=shape + (4,))
    q /= np.linalg.norm(q, axis=-1, keepdims=True)
    return np.concatenate([random.uniform(-spread, spread, shape + (3,)), q], axis=-1)


def matrices(poses: np.ndarray) -> np.ndarray:
    """The same poses as homogeneous matrices (..., 4, 4)."""
    w, x, y, z = np.moveaxis(poses[..., 3:], -1, 0)
    X = np.zeros(poses.shape[:-1] + (4, 4))
    X[..., 0, 0], X[..., 0, 1], X[..., 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    X[..., 1, 0], X[..., 1, 1], X[..., 1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    X[..., 2, 0], X[..., 2, 1], X[..., 2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    X[..., :3, 3] = poses[..., :3]
    X[..., 3, 3] = 1
    return X


def moved(pose: np.ndarray, d: np.ndarray, w: np.ndarray) -> np.ndarray:
    """A pose (7,) after the motion (d, w) about its own origin, w a rotation vector."""
    angle = np.linalg.norm(w)
    r = np.concatenate([[np.cos(angle / 2)], w * (0.5 * np.sinc(angle / (2 * np.pi)))])
    s = pose[3:]
    q = np.concatenate([[r[0] * s[0] - r[1:] @ s[1:]], r[0] * s[1:] + s[0] * r[1:] + np.cross(r[1:], s[1:])])
    return np.concatenate([pose[:3] + d, q / np.linalg.norm(q)])


class CubeLike:
    """A mesh as trimesh has it: with vertices and faces, and much else."""

    vertices = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5
    faces = np.array([[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
                      [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]])
