#!/usr/bin/env python3
"""Checks what an installed library shows to the linker.

    symbols.py LIBRARY SOURCES   exit 1 and list every symbol that should not be seen

Only names in the inline namespace of this release that a header beneath SOURCES marks as exported
(a public one, or one that the library shares with its components), their type information, and the C
interface.
"""

import pathlib
import re
import subprocess
import sys


def shown(library):
    """The demangled names of all symbols that leave the library."""
    shared = re.search(r"\.so(\.|$)", library)
    table = subprocess.run(
        ["nm", "--demangle", "--defined-only", "--dynamic" if shared else "--extern-only", library],
        check=True, capture_output=True, text=True).stdout
    lines = (re.fullmatch(r"[0-9a-f]+ (\w) (.*)", line) for line in table.splitlines())
    return sorted({match[2] for match in lines if match and match[1] != "A"})


def marked(sources):
    """The classes and functions that headers mark as exported."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources.rglob("*.h"))
    classes = set(re.findall(r"(?:class|struct) VOLCONTACT_EXPORT (\w+)", text))
    functions = set()
    for declaration in re.findall(r"VOLCONTACT_EXPORT ([^;{]*?)\(", text):
        functions.add(re.split(r"[\s*&]", declaration)[-1])
    return classes, functions


def main():
    library, sources = sys.argv[1], pathlib.Path(sys.argv[2])
    header = sources / "include/volcontact/version.h"
    numbers = re.findall(r"#define VOLCONTACT_VERSION_(?:MAJOR|MINOR) (\d+)", header.read_text())
    namespace = "volcontact::abi_" + "_".join(numbers) + "::"
    classes, functions = marked(sources)
    names = shown(library)
    wrong = []
    for name in names:
        plain = re.sub(r"^(typeinfo|typeinfo name|vtable|VTT) for ", "", name)
        if re.fullmatch(r"vc_\w+", plain):
            continue
        if not plain.startswith(namespace):
            wrong.append(name)
            continue
        path = re.match(r"[\w:~]+", plain[len(namespace):])[0].split("::")
        if not any(part in classes or part in functions for part in path) or "Impl" in path:
            wrong.append(name)
    if not names:
        wrong.append("no symbols at all")
    print("\n".join(wrong) if wrong else f"{library}: {len(names)} symbols, all public")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
