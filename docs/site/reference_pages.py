"""Pages of reference from what Doxygen read of the public headers; see stage.py."""

import pathlib
import xml.etree.ElementTree as ElementTree

CLASSES = ("class", "struct", "union")
MEMBERS = {"function": "doxygenfunction", "enum": "doxygenenum", "typedef": "doxygentypedef", "variable": "doxygenvariable"}


class Declarations:
    """All that is declared in namespaces or at the top of headers, by header and in its order."""

    def __init__(self, xml, root):
        """xml: Doxygen's folder; root: what its paths start from."""
        self._by_header = {}
        self._root = root
        for path in sorted(pathlib.Path(xml).glob("*.xml")):
            if path.name.startswith(("namespace", "struct", "class", "union", "c__api")):
                self._read(ElementTree.parse(path).getroot().find("compounddef"))

    def of(self, header):
        """Directives for what a header declares."""
        return [directive for _, directive in sorted(self._by_header.get(header.resolve(), []))]

    def _add(self, element, directive):
        location = element.find("location")
        header = (self._root / location.get("file")).resolve()
        self._by_header.setdefault(header, []).append((int(location.get("line")), directive))

    def _read(self, compound):
        name = compound.findtext("compoundname")
        kind = compound.get("kind")
        if kind in CLASSES:
            if "::" not in name or self._is_namespace(name.rsplit("::", 1)[0]):
                self._add(compound, f".. doxygen{kind}:: {name}\n   :members:")
            return
        scope = f"{name}::" if kind == "namespace" else ""
        for member in compound.iter("memberdef"):
            directive = MEMBERS.get(member.get("kind"))
            if directive:
                arguments = member.findtext("argsstring") if member.get("kind") == "function" else ""
                self._add(member, f".. {directive}:: {scope}{member.findtext('name')}{arguments}")

    @staticmethod
    def _is_namespace(name):
        return name.rsplit("::", 1)[-1].islower()


def purpose(header):
    """What the first comment of a header says."""
    text = []
    for line in header.read_text(encoding="utf-8").splitlines():
        if not line.startswith("// "):
            break
        text.append(line[3:])
    return " ".join(text)


def header_section(header, declarations):
    return [purpose(header), "", "```{eval-rst}", *declarations.of(header), "```", ""]
