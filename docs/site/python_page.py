"""The reference of the Python package, from its stub and its sources, without importing it."""

import ast
import pathlib

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "libvolcontact" / "python" / "volcontact"
MODULES = {
    "solids": "Meshes and files",
    "contact": "Contact models",
    "simulation": "Scenarios",
    "identify": "Identification",
    "torch": "torch",
    "jax": "jax",
    "sweep": "Sweeps",
    "surfaces": "Surfaces",
    "dask": "Sweeps on Dask",
}


def signature(node):
    """A function's first line as it stands, without self."""
    arguments = ast.unparse(node.args)
    for first in ("self, ", "self", "cls, ", "cls"):
        if arguments.startswith(first):
            arguments = arguments[len(first) :]
            break
    returns = f" → {ast.unparse(node.returns)}" if node.returns else ""
    return f"`{node.name}({arguments}){returns}`"


def functions_of(name):
    tree = ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8"))
    return {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.FunctionDef)}


# The stub has types alone of what is written in Python, where its text stands.
WRITTEN_IN_PYTHON = {**functions_of("solids"), **functions_of("_membership"), **functions_of("primitives"),
                     **functions_of("_methods")}


def documented(node):
    text = ast.get_docstring(node) or ""
    return (text or WRITTEN_IN_PYTHON.get(node.name, "") if isinstance(node, ast.FunctionDef) else text).strip()


def is_property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def class_section(node):
    lines = [f"### {node.name}", "", documented(node), ""]
    lines += [item(m) for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")]
    return lines + [""]


def item(node):
    """A line of a list for a function or property."""
    name = f"`{node.name}`" if is_property(node) else signature(node)
    text = " ".join(documented(node).split())
    return f"- {name}" + (f": {text}" if text else "")


def module_section(path, title):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lines = [f"## {title}", ""]
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            lines += class_section(node)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            lines += [item(node)]
    return lines + [""]


def python_page():
    """The page as Markdown."""
    lines = ["# Python", "", "`import volcontact as vc`; what it is for stands in the guide.", ""]
    lines += module_section(PACKAGE / "_core.pyi", "Solids, pairs and results")
    for name, title in MODULES.items():
        lines += module_section(PACKAGE / f"{name}.py", title)
    return "\n".join(lines) + "\n"
