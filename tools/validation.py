#!/usr/bin/env python3
"""Writes docs/validation.md and its figures.

    tools/validation.py [--resume] [--note TEXT] [VOLCONTACT]

Runs `volcontact reproduce` (some ten minutes), and puts its report, one figure a scenario, and the
recomputed tables of the identification into docs/. With --resume it goes on where it was interrupted,
and keeps what had ended: not for a changed program. A note, of the machine, say, goes below the page's
first paragraph.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = "build/release/tools/volcontact/volcontact"
RUN = ROOT / "build" / "validation"
FIGURES = ROOT / "docs" / "figures" / "validation"


def reproduce(tool, how):
    arguments = ["reproduce", "--scenarios", "data/scenarios", "--out", RUN, how]
    status = subprocess.run([tool, *arguments], cwd=ROOT, check=False).returncode
    if status not in (0, 1) or not (RUN / "report.md").exists():
        sys.exit("validation.py: reproduce failed")


def with_figures(report):
    """The report with its pictures copied, named after their scenarios."""
    FIGURES.mkdir(parents=True, exist_ok=True)

    def copy(match):
        """An image that leads to the run's own page, which the documentation has not."""
        name = match[2].split("/")[0] + ".png"
        shutil.copyfile(RUN / match[2], FIGURES / name)
        return f"![{match[1]}](figures/validation/{name})"

    return re.sub(r"\[!\[([^\]]*)\]\(([^)]*)\)\]\([^)]*\)", copy, report)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--note", default="")
    parser.add_argument("tool", nargs="?", default=TOOL)
    arguments = parser.parse_args()
    reproduce(arguments.tool, "--resume" if arguments.resume else "--overwrite")
    text = with_figures((RUN / "report.md").read_text())
    if arguments.note:
        text = text.replace("\n\n|", f"\n\n{arguments.note}\n\n|", 1)
    identification = (ROOT / "docs" / "validation_identification.md").read_text()
    # Its headings go one level down.
    identification = re.sub(r"(?m)^#", "##", identification)
    (ROOT / "docs" / "validation.md").write_text(text + "\n" + identification)


if __name__ == "__main__":
    main()
