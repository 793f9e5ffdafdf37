"""What the documentation shows runs, and says what comes out."""

import ast
import importlib.util
import inspect
import re
import sys

import numpy as np
import pytest

from conftest import ROOT

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


def test_sweep_ball_joint(root, tmp_path):
    module = example(root, "sweep_ball_joint")
    plan, result, rows = module.main(tmp_path, 2000)
    expected = module.closed_form(rows["r"], rows["R"], 6e-5)
    assert np.allclose(module.STIFFNESS * rows["area_vector.z"], expected, rtol=1e-8)
    mean, sd = module.linearised(plan.document)
    area = result.reductions["area"]
    assert module.STIFFNESS * area["mean"] == pytest.approx(mean, rel=0.02)
    assert module.STIFFNESS * area["standard_deviation"] == pytest.approx(sd, rel=0.05)
    # The derivatives in closed form, against differences.
    r, R, h = 0.01, 0.01005, 1e-8
    slopes = [(module.closed_form(r + h * i, R + h * j, 6e-5) - module.closed_form(r - h * i, R - h * j, 6e-5)) / (2 * h)
              for i, j in ((1, 0), (0, 1))]
    assert sd == pytest.approx(np.hypot(slopes[0] * 1e-6, slopes[1] * 1.5e-6), rel=1e-6)


def overlap_of_upright_nose(x, depth=0.0018, tip=0.00795, bore=0.01):
    """Of a nose of 45° that is moved by x from the axis of the bore: discs less the lens that two circles share."""
    z, weight = np.polynomial.legendre.leggauss(60)
    low = np.clip(bore - x - tip, 0, depth)  # above the tip, where it passes the wall
    half = 0.5 * (depth - low)
    r = tip + low + half * (z + 1)
    a = (x**2 + r**2 - bore**2) / (2 * x)
    lens = (r**2 * np.arccos(np.clip(a / r, -1, 1)) + bore**2 * np.arccos(np.clip((x - a) / bore, -1, 1))
            - x * np.sqrt(np.maximum(r**2 - a**2, 0)))
    return np.sum(half * weight * (np.pi * r**2 - lens))


def test_sweep_peg_insertion(root, tmp_path):
    module = example(root, "sweep_peg_insertion")
    plan, result = module.main(tmp_path, 400)
    assert result.counts[1:] == (400, 0, 0)
    assert (tmp_path / "sweep_peg_insertion.png").stat().st_size > 10000
    rows = plan.run_chunk(0)
    x, tilt = rows["x"], rows["tilt"]
    margin = np.where(x > 0, x - module.touching_offset(tilt, plan.document), -x - module.touching_offset(-tilt, plan.document))
    assert np.all(rows["volume"][margin < -1e-9] == 0) and np.all(rows["force.z"][margin > 1e-5] > 0)
    assert np.allclose(np.hypot(rows["parts.normal.x"], rows["parts.normal.z"]), 1e11 * rows["volume"], rtol=1e-12)
    upright = vc.sweep.Plan(module.SWEEP, {"over.rows": 40, "over.variables.tilt.uniform": [-1e-15, 1e-15]}).run_chunk(0)
    expected = [overlap_of_upright_nose(abs(x)) for x in upright["x"]]
    assert np.allclose(upright["volume"], expected, rtol=1e-4, atol=1e-16)


PAGES = ["README.md", "docs/index.md", "docs/tutorial.md", "docs/python.md", "docs/sweep_guides.md",
         *sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs/how-to").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_guide(root, tmp_path, monkeypatch, page):
    """The blocks of a page run one after the other, and print what their comments say."""
    pytest.importorskip("matplotlib").use("Agg")
    for folder in ("data", "tests"):  # what pages read; what they write goes elsewhere
        (tmp_path / folder).symlink_to(root / folder)
    monkeypatch.chdir(tmp_path)
    text = (root / page).read_text(encoding="utf-8")
    if "import mujoco\n" in text and importlib.util.find_spec("mujoco") is None:
        engine = pytest.importorskip("test_mujoco", reason="MuJoCo is not installed").mujoco
        monkeypatch.setitem(sys.modules, "mujoco", engine)
    names = {}
    for block in re.findall(r"(?ms)^```python\n(.*?)^```", text):
        if "distributed" in block or any(f"import {module}" in block or f"from {module}" in block
                                         for module in ("torch", "scipy") if importlib.util.find_spec(module) is None):
            continue
        lines = block.splitlines()

        def print_(*values, lines=lines):
            line = lines[sys._getframe(1).f_lineno - 1]
            said = re.search(r"\)  # ([-(\d].*)$", line)
            assert said is None or " ".join(map(str, values)) == said[1], line

        names["print"] = print_
        exec(compile(block, page, "exec"), names)


def displacement_per_pressure(inner, outer, modulus, poisson, pressed):
    """Radial displacement of node `pressed` (0 or -1) of a thin elastic ring under 1 Pa on that edge: linear elements."""
    count = 1000
    r, h = np.linspace(inner, outer, count + 1, retstep=True)
    stiffness = np.zeros((count + 1, count + 1))
    for i, middle in enumerate(0.5 * (r[1:] + r[:-1])):
        strain = np.array([[-1 / h, 1 / h], [0.5 / middle, 0.5 / middle]])  # radial, of the hoop
        law = modulus / (1 - poisson**2) * np.array([[1, poisson], [poisson, 1]])
        stiffness[i : i + 2, i : i + 2] += h * middle * strain.T @ law @ strain
    load = np.zeros(count + 1)
    load[pressed] = r[pressed] * (1 if pressed == 0 else -1)
    return abs(np.linalg.solve(stiffness, load)[pressed])


def test_stiffness_of_a_press_fit(root, monkeypatch):
    """The formula of the page against rings of finite elements."""
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(root)
    names = {}
    for block in re.findall(r"(?ms)^```python\n(.*?)^```", (root / "docs/how-to/press-fit.md").read_text())[:2]:
        exec(block, names)
    rings = [(names["R"], names["D"] / 2, 0), (0.0, names["R"], -1)]
    yielding = sum(displacement_per_pressure(a, b, names["E"], names["NU"], edge) for a, b, edge in rings)
    assert names["k"] == pytest.approx(1 / yielding, rel=1e-5)


def test_everything_has_a_docstring():
    for name in vc.__all__:
        thing = getattr(vc, name)
        if callable(thing):
            assert inspect.getdoc(thing), name
    for name, thing in vars(vc.sweep).items():
        if callable(thing) and thing.__module__ == vc.sweep.__name__ and not name.startswith("_"):
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
