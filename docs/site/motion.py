#!/usr/bin/env python3
"""Makes a page with motion of every scenario, for the gallery of the documentation site.

    motion.py TOOL FOLDER RUNS

Simulates the first variant of each file in data/scenarios, with ends that keep all of them within a minute, and writes
FOLDER/<scenario>.html by `volcontact view`; runs are kept under RUNS. A page that is newer than the tool, the viewer
page and what the scenario is made of stays. Where the tool is missing, one line on standard error says so, and the
gallery has pictures only.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCENARIOS = ROOT / "data" / "scenarios"
VIEWER = ROOT / "tools" / "view" / "bundle.html"
# Ends [s] of those that take long: what they show is over by then.
ENDS = {"dwell": 4.0, "stack": 2.0}
# Frames of a page: more make it larger, and no smoother.
MOST_FRAMES = 600


def sources(path):
    """The files that a scenario's page depends on."""
    return [path, *(ROOT / "data" / "meshes").iterdir(), *(ROOT / "data" / "solids").iterdir()]


def run(*command):
    done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(map(str, command[:3]))}: {done.stderr.strip()}")


def make_page(path, tool, folder, runs):
    """Simulates a scenario and writes its page; nothing where that is up to date."""
    page = folder / f"{path.stem}.html"
    newest = max(source.stat().st_mtime for source in (tool, VIEWER, *sources(path)))
    if page.exists() and page.stat().st_mtime > newest:
        return
    scenario = json.loads(path.read_text(encoding="utf-8"))
    variant = scenario["variants"][0]["name"] if scenario.get("variants") else ""
    out = runs / path.stem
    shutil.rmtree(out, ignore_errors=True)
    command = [tool, "simulate", path, "--out", out, "--no-plots"]
    command += ["--variant", variant] if variant else []
    command += ["--set", f"end_time={ENDS[path.stem]}"] if path.stem in ENDS else []
    run(*command)
    rows = json.loads((out / variant / "summary.json").read_text(encoding="utf-8"))["rows"]
    run(tool, "view", out / variant, "--out", page, "--page", VIEWER, "--every", -(-rows // MOST_FRAMES))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    tool, folder, runs = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    if not tool.exists():
        shutil.rmtree(folder, ignore_errors=True)
        print(f"docs: the gallery has no pages with motion: {tool} is missing; sh tools/build.sh release makes it",
              file=sys.stderr)
        return
    folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = sorted(SCENARIOS.glob("*.json"))
        jobs = {pool.submit(make_page, path, tool, folder, runs): path for path in paths}
        for job in concurrent.futures.as_completed(jobs):
            if job.exception():
                sys.exit(f"docs: no page with motion of {jobs[job].stem}: {job.exception()}")


if __name__ == "__main__":
    main()
