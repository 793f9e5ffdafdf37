"""Type checkers see what there is: mypy, strict, on the examples and on every field of the results."""

import ast
import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")  # what mypy learnt of numpy serves all tests


def mypy(folder, *arguments):
    pytest.importorskip("mypy", reason="Debian's mypy is not installed")
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", f"--cache-dir={folder}", *map(str, arguments)],
        capture_output=True, text=True, timeout=300, check=False)
    return run.returncode, run.stdout + run.stderr


def test_examples(root, cache):
    status, said = mypy(cache, *sorted((root / "docs/examples").glob("*.py")))
    assert status == 0, said


def properties_of(root, name):
    tree = ast.parse((root / "libvolcontact/python/volcontact/_core.pyi").read_text(encoding="utf-8"))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    return [node.name for node in body if isinstance(node, ast.FunctionDef)
            and any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)]


def test_no_field_is_any(root, tmp_path, cache):
    expressions = [f"{variable}.{field}" for variable, name in (("m", "Metrics"), ("f", "ContactForce"), ("s", "Solid"),
                                                                ("state", "ContactState"), ("pair", "PreparedPair"))
                   for field in properties_of(root, name)]
    expressions += ["s.contains([0, 0, 0])", "s.locate([0, 0, 0])", "pair.overlaps()", "pair.distance()", "pair.event()",
                    "pair.separation()", "m.gradient()", "s.mass_properties()", "pair.samples()", "vc.sweep.run('a', 'b')",
                    "s.surface().faces", "pair.surface().owners", "pair.patch_surface().heights",
                    "vc.ContactSteps([], []).step([], [], [], [], [], 0.1).force"]
    lines = ["import volcontact as vc",
             "def check(m: vc.Metrics, f: vc.ContactForce, s: vc.Solid, state: vc.ContactState, pair: vc.PreparedPair) -> None:",
             *(f"    reveal_type({expression})" for expression in expressions)]
    program = tmp_path / "program.py"
    program.write_text("\n".join(lines) + "\n", encoding="utf-8")
    status, said = mypy(cache, program)
    revealed = [line for line in said.splitlines() if "Revealed type" in line]
    assert status == 0 and len(revealed) == len(expressions), said
    assert not [line for line in revealed if 'is "Any"' in line]


@pytest.mark.parametrize("line", ["vc.sphere()", "vc.sphere('1')", "vc.PreparedPair(vc.sphere(1.0), 3)",
                                  "vc.PreparedPair(vc.sphere(1.0), vc.half_space()).query(tol=1e-6)"])
def test_wrong_calls_are_seen(tmp_path, cache, line):
    program = tmp_path / "program.py"
    program.write_text(f"import volcontact as vc\n{line}\n", encoding="utf-8")
    status, said = mypy(cache, program)
    assert status == 1 and "program.py:2: error" in said, said
