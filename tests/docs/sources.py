"""What the tests of the documentation read in the sources."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def cpp_members(header, struct):
    """Name → (default, documentation) of a struct's members."""
    text = read(f"libvolcontact/include/volcontact/{header}")
    body = re.search(rf"(?ms)^struct (?:VOLCONTACT_EXPORT )?{struct}\b.*?{{\n(.*?)^}};", text)[1]
    found, comment = {}, ""
    for line in body.split("\n"):
        if line.lstrip().startswith("///"):
            comment += line.strip("/ ") + " "
            continue
        member = re.match(r"  [\w:<>, ]+? (\w+)(?: = ([^;]+))?;(.*)", line)
        if member:
            found[member[1]] = (member[2], comment + member[3])
        comment = ""
    return found


def cpp_default(text):
    """A default in C++ as facts.json writes it."""
    if "::k" in text:
        return text.split("::k")[1].lower()
    if "infinity" in text:
        return "infinity"
    return {"true": True, "false": False}.get(text) if text in ("true", "false") else float(text.replace("'", "")) \
        if re.match(r"[\d.]", text) else "none"
