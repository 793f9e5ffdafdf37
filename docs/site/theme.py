#!/usr/bin/env python3
"""Makes the theme's script and style sheets anew from its sources, such that browsers can use them from any folder.

    theme.py FOLDER PROGRAMS

PROGRAMS holds esbuild and sass. Debian ships Furo's script as two modules, which a plain script tag cannot load; its
style sheets lost what is nested twice, so that half of a page stays light where the system is dark, and import one
from a place that only Debian's web servers have. Sphinx takes the files in FOLDER instead of them.
"""

import pathlib
import subprocess
import sys

import furo

SOURCES = furo.THEME_PATH.parent.parent / "assets"
NORMALIZE = pathlib.Path("/usr/share/nodejs/normalize.css/normalize.css")
IMPORT = '@import "~normalize.css";'


def bundle_script(folder, esbuild):
    subprocess.run([esbuild, "--bundle", "--log-level=warning", f"--outfile={folder / 'furo.js'}",
                    SOURCES / "scripts" / "furo.js"], check=True)


def compile_styles(folder, sass):
    folder.mkdir(exist_ok=True)
    for name in ("furo", "furo-extensions"):
        run = subprocess.run([sass, "--no-source-map", SOURCES / "styles" / f"{name}.sass"], check=True, capture_output=True,
                             text=True)
        text = run.stdout.replace(IMPORT, NORMALIZE.read_text(encoding="utf-8"))
        (folder / f"{name}.css").write_text(text, encoding="utf-8")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, programs = (pathlib.Path(argument) for argument in sys.argv[1:])
    bundle_script(folder / "scripts", programs / "esbuild")
    compile_styles(folder / "styles", programs / "sass")


if __name__ == "__main__":
    main()
