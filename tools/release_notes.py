#!/usr/bin/env python3
"""Checks that all places agree on the version, and writes its notes.

    release_notes.py [--trial] FILE

The version is that of version.h, from which CMake and Python read it. FILE gets the section of CHANGELOG.md about it.
Prints the version. With --trial the notes are those of "Unreleased", which a release must not have.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "libvolcontact" / "include" / "volcontact"


def numbers_of_version():
    text = (HEADERS / "version.h").read_text(encoding="utf-8")
    return [re.search(rf"(?m)^#define VOLCONTACT_VERSION_{part} (\d+)$", text)[1] for part in ("MAJOR", "MINOR", "PATCH")]


def sections(text):
    """The sections of a changelog by their headings, newest first."""
    parts = re.split(r"(?m)^## (.+)$", text)
    return dict(zip(map(str.strip, parts[1::2]), map(str.strip, parts[2::2])))


def disagreements(version, changes, trial):
    """What does not agree with version.h, one sentence each."""
    newest = next(iter(changes), "no section")
    if not trial and newest != version:
        yield f"CHANGELOG.md begins with {newest}, but version.h says {version}: name the section of the release {version}"
    if trial and version not in changes and newest != "Unreleased":
        yield f"CHANGELOG.md has no section {version}, which version.h says"
    series = ".".join(version.split(".")[:2])
    docs = ROOT / "docs"
    for page in [ROOT / "README.md", *sorted(docs.glob("**/*.md")), *sorted(docs.glob("examples/*.cc"))]:
        for said in re.findall(r"find_package\(volcontact ([\d.]+)", page.read_text(encoding="utf-8")):
            if said != series:
                yield f"{page.relative_to(ROOT)} asks find_package for {said}, but version.h says {version}"
    namespace = f"abi_{series.replace('.', '_')}"
    if not re.search(rf"\b{namespace}\b", (HEADERS / "export.h").read_text(encoding="utf-8")):
        yield f"export.h has another namespace than {namespace}, but version.h says {version}"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--trial"]
    trial = "--trial" in sys.argv
    if len(arguments) != 1:
        sys.exit(__doc__)
    version = ".".join(numbers_of_version())
    changes = sections((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    wrong = list(disagreements(version, changes, trial))
    if wrong:
        sys.exit("\n".join(f"release: {line}" for line in wrong))
    heading = next(iter(changes)) if trial else version
    pathlib.Path(arguments[0]).write_text(f"# volcontact {heading}\n\n{changes[heading]}\n", encoding="utf-8")
    print(version)


if __name__ == "__main__":
    main()
