"""The notebooks of docs/examples are stored without results, and run."""

import json
import re
import sys

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs/examples").glob("*.ipynb"))
# Pages show these pictures, in the order in which the cells draw them.
PICTURES = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_stored_without_results(path):
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None, cell.source
    for picture in PICTURES.findall("".join(cell.source for cell in notebook.cells)):
        assert (path.parent / picture).exists(), picture


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_runs(path, tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for needed in ("ipykernel", "matplotlib", "pandas"):
        pytest.importorskip(needed)
    # Debian's kernel is of its own interpreter, without the environment that the package is in.
    kernel = tmp_path / "kernels/here/kernel.json"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(json.dumps({"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                                  "display_name": "here", "language": "python"}), encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as notebooks have it
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="here", resources={"metadata": {"path": str(tmp_path)}}).execute()
    drawn = 0
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        texts = "".join(out.get("text", "") for out in outputs if out.output_type == "stream")
        assert not [out for out in outputs if out.output_type == "stream" and out.name == "stderr"], texts
        for said in re.findall(r"(?m)^print\(.*\)  # (.*)$", cell.source):
            assert said in texts
        drawn += sum("image/png" in json.dumps(list(out.get("data", {}))) for out in outputs)
    assert drawn == len(PICTURES.findall("".join(cell.source for cell in notebook.cells)))
