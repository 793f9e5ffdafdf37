#!/usr/bin/env python3
"""Gathers the pages of the documentation site in one folder, for Sphinx.

    stage.py FOLDER DOXYGEN_XML

The Markdown under docs/ and some beside it, with the links between them as they lie there; a gallery of the
scenarios; a page of reference for each folder of public headers, one for C, one for Python, and one for each JSON
Schema.
"""

import html
import json
import os
import pathlib
import re
import shutil
import sys

from python_page import python_page
from reference_pages import Declarations, header_section
from schema_pages import schema_page

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INCLUDE = ROOT / "libvolcontact" / "include" / "volcontact"
SCENARIOS = ROOT / "data" / "scenarios"
SCHEMAS = ROOT / "data" / "schema"
PICTURES = "figures/validation"
# Pages that lie elsewhere in the project, and their names on the site.
BESIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "data/README.md": "data.md"}
# What tools/validation.py puts into another page.
PARTS = {"validation_identification.md": "validation.md"}
FOLDERS = {
    "overlap": "Queries",
    "solids": "Solids",
    "contact": "Contacts",
    "forces": "Contact forces",
    "io": "Files",
    "math": "Poses and moments",
    "simbody": "Simbody",
    "scenario": "Scenarios",
    "sweep": "Sweeps",
    "identify": "Identification",
    "fmi": "FMUs",
}


def on_site(path):
    """Where a file of the project is on the site."""
    name = path.relative_to(ROOT).as_posix()
    if name in BESIDE:
        return BESIDE[name]
    if path.is_relative_to(INCLUDE):
        return f"reference/{page_of(path)}"
    if path == SCHEMAS:
        return "reference/index.md"
    if path.is_relative_to(SCHEMAS):
        return f"reference/file_{path.name.removesuffix('.schema.json')}.md"
    if path.suffix == ".ipynb" and path.exists():
        return path.relative_to(ROOT / "docs").with_suffix(".md").as_posix()
    if path.is_relative_to(ROOT / "docs") and path.exists():
        return PARTS.get(path.name, path.relative_to(ROOT / "docs").as_posix())
    raise SystemExit(f"stage.py: a link to {name}, which is no page of the site")


def copy_page(page, site, text=None):
    """Copies a page, with its links as the site has them, and its diagrams marked for Sphinx."""
    target = on_site(page)
    text = page.read_text(encoding="utf-8") if text is None else text

    def link(match):
        if "://" in match[1] or not match[1]:
            return match[0]
        linked = on_site((page.parent / match[1]).resolve())
        return f"]({os.path.relpath(linked, pathlib.Path(target).parent)}{match[2] or ''})"

    text = re.sub(r"\]\(([^)#\s]*)(#[^)\s]*)?\)", link, text)
    (site / target).parent.mkdir(exist_ok=True)
    (site / target).write_text(text.replace("```mermaid", "```{mermaid}"), encoding="utf-8")


def notebook_text(path):
    """The cells of a notebook as Markdown, and a link to the file."""
    blocks = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        blocks.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
    return "\n\n".join([*blocks, f"{{download}}`This page as a notebook <{path.name}>`"]) + "\n"


def copy_pages(site):
    for page in sorted((ROOT / "docs").glob("**/*.md")):
        if page.name not in PARTS:
            copy_page(page, site)
    for name in BESIDE:
        copy_page(ROOT / name, site)
    for folder in ("figures", "examples"):
        shutil.copytree(ROOT / "docs" / folder, site / folder)
    for path in sorted((ROOT / "docs" / "examples").glob("*.ipynb")):
        copy_page(path, site, notebook_text(path))
    shutil.copytree(ROOT / "docs" / "site" / "static", site / "_static")


def motion(name, title):
    """A scenario's page with motion, if motion.py made it: opened in the gallery, or by itself."""
    page = f"motion/{name}.html"
    return [
        f'<details class="motion"><summary>Motion: {html.escape(title)}</summary>',
        f'<iframe data-src="{page}" title="{html.escape(title)}"></iframe>',
        "</details>",
        f'<p><a href="{page}">The page with motion by itself</a></p>',
        "",
    ]


def picture_lines(name, title, moves):
    """The picture of a scenario, which leads to its page with motion where there is one."""
    picture = f"{PICTURES}/{name}.png"
    if not (ROOT / "docs" / picture).exists():
        return []
    target = [f":target: motion/{name}.html"] if moves else []
    return [f"```{{image}} {picture}", f":alt: {json.dumps(title, ensure_ascii=False)}", *target, "```", ""]


def gallery(site):
    lines = [
        "# Gallery of scenarios",
        "",
        "Each is a file in `data/scenarios`; `volcontact simulate FILE --out run/` runs it, and",
        "[validation](validation.md) compares what comes out with what its source says. Pictures lead to pages with motion,",
        "where these were built: `volcontact view run/ --out run/view.html` makes them.",
    ]
    for path in sorted(SCENARIOS.glob("*.json")):
        scenario = json.loads(path.read_text(encoding="utf-8"))
        lines += ["", f"## {scenario['title']}", "", f"`{path.name}`. Source: {scenario['source']}.", ""]
        moves = (site.parent / "extra" / "motion" / f"{path.stem}.html").exists()
        lines += picture_lines(path.stem, scenario["title"], moves)
        lines += motion(path.stem, scenario["title"]) if moves else []
        lines += [f"- {note}" for note in scenario.get("notes", [])]
    (site / "gallery.md").write_text("\n".join(lines) + "\n")


def page_of(header):
    """The page of reference that a public header, or a folder of them, is on."""
    if header.name == "c_api.h":
        return "c.md"
    folder = header.relative_to(INCLUDE).parts[0]
    return f"cpp_{folder}.md" if folder in FOLDERS else "index.md"


def cpp_pages(reference, declarations):
    for folder, title in FOLDERS.items():
        lines = [f"# {title}", ""]
        for header in sorted((INCLUDE / folder).glob("*.h")):
            lines += [f"## {folder}/{header.name}", ""] + header_section(header, declarations)
        (reference / f"cpp_{folder}.md").write_text("\n".join(lines), encoding="utf-8")


def c_page(reference, declarations):
    lines = ["# C", "", "`#include <volcontact/c_api.h>`", ""]
    (reference / "c.md").write_text("\n".join(lines + header_section(INCLUDE / "c_api.h", declarations)), encoding="utf-8")


def schema_pages(reference):
    names = []
    for path in sorted(SCHEMAS.glob("*.schema.json")):
        name = path.name.removesuffix(".schema.json")
        (reference / f"file_{name}.md").write_text(schema_page(json.loads(path.read_text(encoding="utf-8"))))
        names.append(f"file_{name}")
    return names


def toctree(caption, pages):
    return ["```{toctree}", ":maxdepth: 1", f":caption: {caption}", "", *pages, "```", ""]


def index_page(reference, schemas):
    lines = ["# Reference", "", "What every function guarantees, from the public headers, and every key of the files.", ""]
    lines += toctree("C++", [f"cpp_{folder}" for folder in FOLDERS])
    lines += toctree("C", ["c"])
    lines += toctree("Python", ["python"])
    if schemas:
        lines += toctree("Files", schemas)
    (reference / "index.md").write_text("\n".join(lines))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    site = pathlib.Path(sys.argv[1])
    shutil.rmtree(site, ignore_errors=True)
    reference = site / "reference"
    reference.mkdir(parents=True)
    copy_pages(site)
    gallery(site)
    declarations = Declarations(sys.argv[2], ROOT)
    cpp_pages(reference, declarations)
    c_page(reference, declarations)
    (reference / "python.md").write_text(python_page(), encoding="utf-8")
    index_page(reference, schema_pages(reference))


if __name__ == "__main__":
    main()
