#!/usr/bin/env python3
"""Holds the documentation to the names that there are.

    names.py TOOL

Files that pages name are in the project, identifiers in its sources, and docs/cli.md has the options of the tool, those
and no others, and all fields of their answers.
"""

import functools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
# Where pages begin to name a file from.
BASES = [ROOT / base for base in (
    "", "libvolcontact", "libvolcontact/src", "libvolcontact/src/overlap", "libvolcontact/src/scenario", "libvolcontact/src/sweep",
    "libvolcontact/include", "libvolcontact/include/volcontact", "tools/volcontact", "tools/view/src", "tests", "docs", "data")]
SOURCES = (".h", ".cc", ".cpp", ".py", ".pyi", ".mjs", ".js", ".sh", ".cmake", ".txt", ".json", ".md", ".toml", ".h.in")
# A path with a folder, or a source's name; "x.*" stands for a header and its source.
PATH = re.compile(r"^(?:[\w.-]+/)+[\w.-]+(?:\.(?:h|cc|cpp|py|sh|mjs|js|txt|\*))$|^[\w-]+\.(?:h|cc|cpp|\*)$")
IDENTIFIER = re.compile(r"^(?:\w+(?:::|\.))*([A-Z][a-z]\w*[a-z][A-Z]\w*)(?:\(.*\))?$")
# Of others: libraries, standards and tools that pages speak of.
FOREIGN = re.compile(r"SimTK|SimBody|Simbody|fmi[23]|mj[A-Z]")


@functools.cache
def files():
    return [path for base in ("libvolcontact", "tools", "tests", "bench", "docs", "cmake", "data")
            for path in (ROOT / base).rglob("*") if path.is_file() and "__pycache__" not in path.parts]


@functools.cache
def words():
    """All identifiers of the sources."""
    found = set()
    for path in files():
        if path.suffix in SOURCES and path.suffix != ".md":
            try:
                text = path.read_text(encoding="utf-8", errors="replace")
            except FileNotFoundError:  # another test's, for a moment
                continue
            found |= set(re.findall(r"[A-Za-z_]\w*", text))
    return found


@functools.cache
def basenames():
    return {path.name for path in files()} | {path.stem + ".*" for path in files()}


def is_file(name):
    if "/" not in name:
        return name in basenames()
    return any(list(base.glob(name)) for base in BASES)


def is_in_file(word, name):
    """Whether a file of the project with this name has the word; true of files that are not the project's."""
    found = [path for path in files() if path.name == name or path.stem + ".*" == name]
    return not found or any(re.search(rf"\b{word}\b", path.read_text(encoding="utf-8")) for path in found)


def prose(text):
    """Without blocks of code, which are programs, and run."""
    return re.sub(r"(?ms)^```.*?^```", "", text)


def wrong_names(text):
    for name in sorted(set(re.findall(r"`([^`\n]+)`", prose(text)))):
        identifier = IDENTIFIER.match(name)
        if PATH.match(name) and not is_file(name):
            yield f"`{name}`, a file that is not there"
        elif identifier and not FOREIGN.search(name) and identifier[1] not in words():
            yield f"`{name}`, which no source has"
    for word, name in re.findall(r"`(?:\w+::)*(\w+)` in `([\w/.*]+)`", prose(text)):
        if not is_in_file(word, name.rsplit("/", 1)[-1]):
            yield f"`{word}`, which is not in {name}"


def help_of(tool, *command):
    return subprocess.run([tool, *command, "--help"], capture_output=True, text=True, check=True).stdout


def listed(text, heading):
    """The first words of the lines under a heading of a help."""
    section = re.search(rf"(?ms)^{heading}:\n(.*?)(?=^\S|\Z)", text)
    return re.findall(r"(?m)^  ([\w-][\w,-]*)", section[1]) if section else []


def options_of(tool, *command):
    """The long options of a command and its subcommands."""
    text = help_of(tool, *command)
    found = {name for words in listed(text, "Options") for name in words.split(",") if name.startswith("--")}
    for name in listed(text, "Subcommands"):
        found |= options_of(tool, *command, name)
    return found


def wrong_options(tool, text):
    """Rows of docs/cli.md: | options | commands | meaning |; "both" and "all" are those of their section."""
    options = {name: options_of(tool, name) - {"--help", "--version"} for name in listed(help_of(tool), "Subcommands")
               if name not in ("help", "completion", "man")}
    rows = re.findall(r"(?m)^\| (`--[^|]*) \| ([\w, ]+) \|", text)
    for names, commands in rows:
        for option in re.findall(r"--[a-z][\w-]*", names):
            for command in [each for each in commands.split(", ") if each in options]:
                if option not in options[command]:
                    yield f"{option}, which `{command}` has not"
            if not any(option in known for known in options.values()):
                yield f"{option}, which no command has"
    for command, known in options.items():
        for option in sorted(known):
            told = [commands for names, commands in rows if re.search(rf"{option}\b(?!-)", names)]
            if not (any(command in each.split(", ") or each in ("both", "all") or each not in options for each in told)
                    or re.search(rf"{option}\b(?!-)", re.sub(r"(?m)^\| `--[^|]*\| [\w, ]+ \|.*$", "", text))):
                yield f"nothing of {option} of `{command}`"


def fields_of(schema):
    """The members of an object, and of the objects that it may be."""
    found = set(schema.get("properties", {}))
    for choice in ("oneOf", "anyOf", "allOf"):
        for one in schema.get(choice, []):
            found |= fields_of(one)
    return found


def wrong_fields(text):
    """Fields of answers, as their schema has them, of which docs/cli.md says nothing."""
    schemas = json.loads((ROOT / "data" / "schema" / "answers.schema.json").read_text(encoding="utf-8"))["$defs"]
    # Of all answers, and of those to many poses, which have a section to themselves.
    told = {"schema", "row", "t"}
    for name, section in re.findall(r"(?ms)^## Answer of `(\w+) --json`\n(.*?)(?=^## |\Z)", text):
        for field in sorted(fields_of(schemas[name]) - told - set(re.findall(r"`(\w+)`", section))):
            yield f"nothing of \"{field}\" in the answer of {name}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wrong = []
    for page in PAGES:
        wrong += [f"{page.relative_to(ROOT)}: {what}" for what in wrong_names(page.read_text(encoding="utf-8"))]
    # Commands that have a page to themselves have their options there.
    text = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("cli.md", "sweep.md", "parameters.md"))
    wrong += [f"docs/cli.md: {what}" for what in wrong_options(pathlib.Path(sys.argv[1]).resolve(), text)]
    wrong += [f"docs/cli.md: {what}" for what in wrong_fields(text)]
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
