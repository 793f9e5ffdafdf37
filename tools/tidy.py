#!/usr/bin/env python3
"""Runs clang-tidy over the library and the tool as they are compiled in a build folder.

    tidy.py BUILD_FOLDER

The folder is one of the preset clang, configured: gcc's commands have flags and warnings that clang reads in
another way. The presets compile the sources of a folder together, and clang-tidy reads them together, too:
most of its time goes into the headers. Prints what it finds and exits 1, or prints nothing.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What is checked: sources under these folders, and what the build makes of them.
CHECKED = ("libvolcontact/", "tools/volcontact/")
NOISE = re.compile(r"^\d+ warnings?( and \d+ errors?)? generated|^Error while processing |^Suppressed \d+"
                   r"|^Use -header-filter|treated as errors?$")


def sources(build):
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    found = set()
    for command in commands:
        file = pathlib.Path(command["directory"], command["file"]).resolve()
        for base in (build, ROOT):
            if file.is_relative_to(base) and str(file.relative_to(base)).startswith(CHECKED):
                found.add(file)
    # The largest first, so that the last one to end is a small one.
    return sorted(found, key=lambda file: (-included_lines(file), str(file)))


def included_lines(file):
    """Lines of a source, and of the sources that it includes where it stands for a folder."""
    text = file.read_text(encoding="utf-8")
    named = re.findall(r'^#include "(/[^"]+\.cc)"', text, re.MULTILINE)
    return text.count("\n") + sum(included_lines(pathlib.Path(name)) for name in named)


def check(build, file):
    command = ["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", "-p", str(build), str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in (run.stdout + run.stderr).splitlines() if not NOISE.search(line)]
    return run.returncode, "\n".join(lines).strip()


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    build = pathlib.Path(arguments[0]).resolve()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda file: check(build, file), sources(build)))
    for _, output in results:
        if output:
            print(output)
    sys.exit(any(status for status, _ in results))


if __name__ == "__main__":
    main(sys.argv[1:])
