#!/usr/bin/env python3
"""Holds the documentation to what it says.

    pages.py TOOL

Every C++ block of README.md and docs/ stands in a program of docs/examples, which the test of the installed package
builds and runs. Every command of them that runs the tool with files of the project
runs as written, every solid in JSON is one, every link leads somewhere, and README.md's table of results says what
the tool answers today.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
TOOL = re.compile(r"^    (?:build/release/tools/volcontact/)?volcontact (.*)$", re.M)
# Of minutes, or with files that a reader is to have.
NOT_RUN = re.compile(r"simulate|reproduce|\b(run|measured|part|solid|a|b)\.(json|csv|stl|csg)|[A-Z]{2,}|…|\[")


def blocks(text, language):
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", text)


def stripped(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def is_within(block, program):
    """Whether the program has the block's lines together; a line "// …" of the block stands for any others."""
    whole, at = stripped(program), 0
    for part in re.split(r"(?m)^\s*// …$", block):
        lines = stripped(part)
        at = next((i + len(lines) for i in range(at, len(whole)) if whole[i : i + len(lines)] == lines), None)
        if at is None:
            return False
    return True


def wrong_cpp(text):
    examples = [path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "examples").glob("*.cc")]
    for block in blocks(text, "cpp"):
        if not any(is_within(block, example) for example in examples):
            yield f"a C++ block that no program of docs/examples holds: {block.splitlines()[0]} …"


def commands(text):
    """Commands as a shell would see them: lines that end with a backslash go on."""
    for match in TOOL.finditer(re.sub(r"\\\n\s*", "", text)):
        if not NOT_RUN.search(match[1]):
            yield shlex.split(match[1], comments=True)


def wrong_commands(tool, text):
    has_view = "not in this build" not in subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    for arguments in commands(text):
        if arguments[0] == "view" and not has_view:
            continue
        with tempfile.TemporaryDirectory() as folder:
            # What is written goes elsewhere; what is read lies in the project.
            for i, word in enumerate(arguments[1:], 1):
                if arguments[i - 1] == "--out":
                    arguments[i] = str(pathlib.Path(folder) / word)
            run = subprocess.run([tool, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
        if run.returncode != 0:
            yield f"volcontact {' '.join(arguments)}: exit status {run.returncode}: {run.stderr.strip()}"


def wrong_solids(tool, page, text):
    if page.name not in ("README.md", "solid_files.md"):
        return
    for block in blocks(text, "json"):
        with tempfile.NamedTemporaryFile("w", suffix=".json", dir=ROOT / "data" / "solids") as file:
            file.write(block)
            file.flush()
            run = subprocess.run([tool, "mass", file.name], capture_output=True, text=True, timeout=120, check=False)
        if run.returncode != 0:
            yield f"a solid that is none: {run.stderr.strip()}"


def anchors(text):
    """The names of a page's headings, as they are made from their words."""
    names = set()
    for heading in re.findall(r"(?m)^#+ (.*)$", re.sub(r"(?ms)^```.*?^```", "", text)):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        names.add(words.replace(" ", "-"))
    return names


def wrong_links(page, text):
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text):
        if "://" in target:
            continue
        path = (page.parent / target).resolve() if target else page
        if not path.exists():
            yield f"a link to {target}, which is not there"
        elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text(encoding="utf-8")):
            yield f"a link to {target}#{anchor}, which is no heading there"


def wrong_results(tool, text):
    """Differences between README.md's table of results and what the tool answers: all but the times."""
    table = re.search(r"(?ms)^<!-- quickstart table -->$(.*)^<!-- end of quickstart table -->$", text)[1]
    shown = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in table.splitlines() if "e-" in line]
    run = subprocess.run([sys.executable, ROOT / "tools" / "quickstart_table.py", tool, "--rows"], capture_output=True,
                         text=True, timeout=300, check=False)
    if run.returncode != 0:
        yield f"tools/quickstart_table.py: {run.stderr.strip()}"
        return
    answers = {row[0]: row for row in json.loads(run.stdout)}
    if {row[0] for row in shown} != set(answers):
        yield "README.md's table has other pairs than data/quickstart.json"
    for row in shown:
        answer = answers.get(row[0])
        # Sums may round in other ways where another processor is.
        if answer and (row[1] != answer[1] or abs(float(row[2]) / float(answer[2]) - 1) > 1e-10 or row[3] != answer[3]):
            yield f"README.md's table says {row}, the tool {answer}: run tools/quickstart_table.py TOOL --readme"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tool = pathlib.Path(sys.argv[1]).resolve()
    wrong = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for found in (wrong_cpp(text), wrong_commands(tool, text), wrong_solids(tool, page, text),
                      wrong_links(page, text)):
            wrong += [f"{page.relative_to(ROOT)}: {what}" for what in found]
    wrong += wrong_results(tool, PAGES[0].read_text(encoding="utf-8"))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
