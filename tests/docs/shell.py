#!/usr/bin/env python3
"""Runs the shell blocks of the tutorials as a reader would paste them, one after the other in one folder.

    shell.py TOOL

What a page shows as text behind a block is what the block prints; a line "…" stands for any others.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

from pages import ROOT, near_words

PAGES = [ROOT / "docs" / "tutorial.md", ROOT / "docs" / "tutorial_motion.md"]
BLOCK = re.compile(r"(?ms)^```sh\n(.*?)^```(?:\n+```text\n(.*?)^```)?")


def wrong_blocks(page, folder, environment):
    for script, shown in BLOCK.findall(page.read_text(encoding="utf-8")):
        run = subprocess.run(["sh", "-e", "-c", script], cwd=folder, env=environment, capture_output=True, text=True,
                             timeout=300, check=False)
        if run.returncode != 0:
            yield f"{script.splitlines()[-1]}: exit status {run.returncode}: {run.stderr.strip()}"
        printed = run.stdout.splitlines()
        for line in shown.splitlines():
            if line.strip() != "…" and not any(near_words(line, other) for other in printed):
                yield f"{script.splitlines()[-1]} does not print: {line}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tool = pathlib.Path(sys.argv[1]).resolve()
    environment = {**os.environ, "PATH": f"{tool.parent}:{os.environ['PATH']}"}
    wrong = []
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            found = list(BLOCK.finditer(page.read_text(encoding="utf-8")))
            if len(found) < 4:
                wrong.append(f"{page.name} has only {len(found)} blocks")
            wrong += [f"{page.name}: {what}" for what in wrong_blocks(page, folder, environment)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
