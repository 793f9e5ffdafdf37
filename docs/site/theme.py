#!/usr/bin/env python3
"""Makes the theme's script and style sheet such that a browser can use them from any folder.

    theme.py FOLDER ESBUILD

Debian ships Furo's script as two modules, which a plain script tag cannot load, and has its style sheet import another
one from a place that only Debian's web servers have. Both are written into FOLDER in one piece, where Sphinx takes them
instead of the theme's own.
"""

import pathlib
import re
import subprocess
import sys

import furo

STATIC = furo.THEME_PATH / "static"
IMPORT = re.compile(r"@import url\(([^)]*)\);?")


def bundle_script(folder, esbuild):
    subprocess.run([esbuild, "--bundle", "--log-level=warning", f"--outfile={folder / 'scripts' / 'furo.js'}",
                    STATIC / "scripts" / "furo.js"], check=True)


def imported(match):
    """The style sheet that an import names: Debian's servers show /usr/share/javascript as /javascript."""
    return pathlib.Path("/usr/share" + match[1].strip("'\"")).read_text(encoding="utf-8")


def inline_styles(folder):
    text = (STATIC / "styles" / "furo.css").read_text(encoding="utf-8")
    (folder / "styles").mkdir(exist_ok=True)
    (folder / "styles" / "furo.css").write_text(IMPORT.sub(imported, text), encoding="utf-8")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    bundle_script(folder, sys.argv[2])
    inline_styles(folder)


if __name__ == "__main__":
    main()
