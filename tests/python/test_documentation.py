"""What the documentation shows runs, and says what comes out."""

import ast
import importlib.util
import inspect
import re

import numpy as np
import pytest

import volcontact as vc


def example(root, name):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    spec = importlib.util.spec_from_file_location(name, root / "docs/examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_peg_in_hole(root, tmp_path):
    paths = example(root, "peg_in_hole").main(tmp_path)
    newton, along = (volumes for _, volumes in paths.values())
    assert newton[-1] == 0 and along[-1] == 0 and len(newton) < len(along) / 2
    assert (tmp_path / "peg_in_hole.png").stat().st_size > 10000


def test_grasp_patch(root, tmp_path):
    module = example(root, "grasp_patch")
    m, best, area = module.main(tmp_path, size=9)
    assert np.allclose(m.volume, module.FORCE / module.STIFFNESS, rtol=1e-8)
    assert abs(best[0]) < 1e-3 and area > 1.2 * np.max(m.contact_area[:, 4])


def test_gear_force(root, tmp_path):
    turn, torques = example(root, "gear_force").main(tmp_path, count=31)
    for torque in torques.values():  # repeats with every tooth
        assert np.allclose(torque[:16], torque[15:], rtol=1e-6, atol=1e-9)


def test_fit_stiffness(root, tmp_path):
    found, force = example(root, "fit_stiffness").main(tmp_path)
    # The overlap of a ball is pi d^2 (R - d/3).
    d = np.linspace(0, 2e-6, 5)
    assert np.allclose(force, found.estimates["stiffness"].value * np.pi * d**2 * (0.00952 - d / 3), rtol=1e-8)


def test_guide(root, monkeypatch):
    """The blocks of docs/python.md run one after the other, and print what their comments say."""
    monkeypatch.chdir(root)
    text = (root / "docs/python.md").read_text(encoding="utf-8")
    names = {}
    for block in re.findall(r"(?ms)^```python\n(.*?)^```", text):
        if "torch" in block and importlib.util.find_spec("torch") is None:
            continue
        printed = []
        names["print"] = lambda *values: printed.append(" ".join(map(str, values)))
        exec(compile(block, "docs/python.md", "exec"), names)
        said = [re.search(r"\)  # (.*)$", line) for line in block.splitlines() if line.startswith("print(")]
        for match, output in zip(said, printed):
            if match and match[1].startswith("("):
                assert output == match[1]


def test_everything_has_a_docstring():
    for name in vc.__all__:
        thing = getattr(vc, name)
        if callable(thing):
            assert inspect.getdoc(thing), name
    for name in vc.Metrics.fields:
        assert re.search(r"\(\.\.\.|str", inspect.getdoc(getattr(vc.Metrics, name))), name


def test_stubs(root):
    """The stub names what the compiled module has, and nothing else."""
    from volcontact import _core

    tree = ast.parse((root / "libvolcontact/python/volcontact/_core.pyi").read_text(encoding="utf-8"))
    stubbed = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            stubbed[node.name] = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            stubbed[node.name] = set()
    for name in dir(_core):
        if not name.startswith("_"):
            assert name in stubbed, name
    for name, members in stubbed.items():
        if name == "__getattr__":
            continue
        thing = getattr(_core, name)
        public = {member for member in vars(thing) if not member.startswith("_")} if members else set()
        assert public <= members | {"fields", "with_traceback", "args"}, (name, public - members)
        assert all(hasattr(thing, member) for member in members), name
