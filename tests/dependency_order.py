#!/usr/bin/env python3
"""Holds the module order of libvolcontact, its firewalls against outside libraries, and the rules that no
two types of the library have one name and that no folder is crowded.

    dependency_order.py ROOT         check the tree, exit 1 and list every violation
    dependency_order.py --self-test  check that each rule can fail
"""

import collections
import os
import pathlib
import re
import sys
import tempfile

# What each module may include, besides itself.
MODULES = {
    "math": [],
    "solids": ["math"],
    "io": ["math", "solids", "overlap", "contact", "forces"],
    "overlap": ["math", "solids"],
    "display": ["math", "solids", "overlap"],
    "assembly": ["math", "solids", "overlap"],
    "contact": ["math", "solids", "overlap"],
    "forces": ["math", "solids", "overlap", "contact"],
    "motion": ["math", "solids", "overlap", "contact", "forces"],
    "identify": ["math", "solids", "io", "overlap", "contact", "forces"],
    "simbody": ["math", "solids", "overlap", "contact", "forces"],
    "step": ["math", "solids", "io", "overlap"],
    "formats": ["math", "solids", "io"],
    "view": ["math", "solids", "io", "overlap", "assembly", "contact", "forces", "display", "scenario"],
    "scenario": ["math", "solids", "io", "overlap", "contact", "forces", "simbody"],
    "fmi": ["math", "solids", "io", "overlap", "contact", "forces", "scenario"],
    "mujoco": ["math", "solids", "io", "overlap", "contact", "forces", "motion"],
    "sweep": ["math", "solids", "io", "overlap", "contact", "forces", "scenario"],
    "c": ["math", "solids", "io", "overlap", "contact", "forces"],
}

# Satellites could each be moved out of this repository: of other modules they include public headers, and of the
# private ones these alone. The list is to become shorter.
SATELLITES = ["identify", "simbody", "scenario", "fmi", "mujoco", "sweep", "view", "step"]
SHARED = {
    # documents: JSON with places, members of contacts, messages
    "io/json/json_cursor.h", "io/json/json_document.h", "io/json/document_values.h", "io/contacts/contact_members.h",
    "io/foreign_file.h", "io/malformed_input.h", "io/messages.h", "io/text_file.h", "io/write_error.h",
    # bodies of a file, and their meshes
    "io/body_choice.h", "io/meshes/mesh_bodies.h",
    # threads and time limits of a call; an FMU has its own threads
    "math/component_loop.h", "math/parallel.h", "math/time_limit.h",
    # small numerical tools
    "math/arithmetic/double_double.h", "math/quadrature/gauss_rules.h", "math/minimal_rotation.h", "math/pose_of_rotation.h", "solids/mesh_check/disjoint_sets.h",
    "forces/law_differences.h",
}

# What the folders within one may include of each other, "" for its own files; a folder that is not named has no such
# order.
ROOMS = {
    "fmi": {"runtime": [], "exchange": ["runtime"], "scenario": [], "cosimulation": ["runtime", "scenario"], "writer": ["scenario"]},
    "solids": {
        "exact": [],
        "tree": ["exact"],
        "implicit": ["exact", "tree"],
        "mesh": ["exact", "tree"],
        "queries": ["exact", "tree", "implicit", "mesh"],
        "mesh_check": ["exact", "mesh"],
        "mesh_repair": ["exact", "mesh", "mesh_check"],
        "mesh_boolean": ["exact", "tree", "mesh", "mesh_check"],
        "mesh_cut": [],
    },
    "overlap": {
        "frame": [],
        "cells": ["frame"],
        "polytopes": ["frame"],
        "certify": ["frame", "cells"],
        "charts": ["frame", "cells"],
        "arcs": ["frame", "cells", "charts"],
        "meridian": ["frame"],
        "columns": ["frame", "cells", "polytopes", "certify"],
        "closed_forms": ["frame", "polytopes"],
        "meshes": ["frame"],
        "mesh_arcs": ["frame", "cells", "charts", "arcs", "meshes"],
        "mixed": ["frame", "cells", "certify", "arcs", "columns", "meshes", "mesh_arcs"],
        "distance": ["frame", "cells", "charts", "meshes", "mixed"],
        "query": ["frame", "cells", "certify", "arcs", "meridian", "columns", "closed_forms",
                  "meshes", "mesh_arcs", "mixed", "distance"],
    },
    "overlap/arcs": {
        "curves": [],
        "faces": ["curves"],
        "edges": ["curves", "faces"],
        "lines": ["curves", "edges"],
        "crossing": ["curves", "edges"],
        "sums": ["edges", "faces"],
        "projection": ["curves", "edges", "lines", "crossing"],
        "": ["curves", "faces", "edges", "lines", "crossing", "sums", "projection"],
    },
    "overlap/cells": {"": [], "operands": [""]},
    "overlap/distance": {"faces": [], "meshes": ["faces"], "": ["faces", "meshes"]},
    "overlap/mesh_arcs": {"sections": [], "": ["sections"]},
    "overlap/meshes": {"sums": [], "": ["sums"]},
    "overlap/query": {"regions": [], "": ["regions"]},
    "math": {"arithmetic": [], "quadrature": ["arithmetic"], "": ["arithmetic", "quadrature"]},
}

# So many headers are the most that one folder may have.
MOST_HEADERS = 12

# Where an outside library may be included: (name, included header, files).
FIREWALLS = [
    ("CGAL", r"CGAL/", r"libvolcontact/src/(solids/exact/|io/)"),
    ("GMP", r"gmp", r"libvolcontact/src/solids/exact/"),
    ("TBB", r"(oneapi/)?tbb/", r"libvolcontact/src/math/parallel\.cc"),
    ("Boost", r"boost/", r"libvolcontact/src/(identify|sweep)/"),
    ("HDF5", r"hdf5\.h", r"libvolcontact/src/sweep/store/"),
    ("OpenSSL", r"openssl/", r"libvolcontact/src/sweep/sha256\.cc"),
    ("CLI11", r"CLI/", r"tools/volcontact/"),
    ("Open CASCADE", r"\w+\.hxx$", r"libvolcontact/src/step/(faces|reading)/|tests/step/"),
    ("tinygltf", r"tiny_gltf\.h", r"libvolcontact/src/view/"),
    ("Simbody", r"S(imTK|imbody)",
     r"libvolcontact/((include/volcontact|src)/simbody|src/scenario/simulation)/"),
    ("MuJoCo", r"mujoco/mujoco\.h", r"libvolcontact/src/mujoco/"),
    ("nlohmann-json", r"nlohmann/", r"libvolcontact/src/(io|scenario|view|fmi/writer|sweep)/|tools/volcontact/cli/output\.h"),
    ("MPI", r"mpi\.h", r"libvolcontact/src/sweep/mpi/sweep_mpi\.cc"),
    ("minizip", r"minizip/", r"libvolcontact/src/(fmi/writer/zip_file|formats/zip_reader)\.cc"),
    ("urdfdom", r"urdf_(model|parser)/|console_bridge/", r"libvolcontact/src/scenario/urdf/"),
    ("Expat", r"expat\.h", r"libvolcontact/src/formats/xml_reader\.cc"),
]

PUBLIC = "libvolcontact/include/volcontact/"
# Headers of the top level that lie beneath all modules.
BENEATH = ("export.h", "version.h")
PRIVATE = "libvolcontact/src/"
TOOL = "tools/volcontact/"
CORE_COMMANDS = (TOOL + "cli/", TOOL + "estimate/")
# Standard headers: <vector>, <cstdio>. Those of C end in .h and are not used, but for size_t in the
# C interface.
ALLOWED_IN_PUBLIC = re.compile(r"[a-z_0-9]+|stddef\.h|Eigen/\w+|SimTKsimbody\.h|volcontact/.*\.h")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')

# What hides braces and names from the scanner of types: comments, strings, characters (not the ' of
# 1'000), and directives with their continuation lines.
NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE)
NAMESPACE_MACRO = re.compile(r"\bVOLCONTACT_NAMESPACE_(BEGIN|END)\b")
# Statements at namespace scope, up to their { or ;. A name with <> after it is a specialisation, one
# with :: is nested: neither matches.
NAMESPACE_HEAD = re.compile(r"(?:inline\s+)?namespace\b\s*(?P<name>[\w:]*)|extern")
TYPE_HEAD = re.compile(
    r"(?:.*\s)?(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+"
    r"(?:(?:alignas\([^)]*\)|\[\[[^\]]*\]\]|VOLCONTACT_(?:EXPORT|LOCAL))\s*)*"
    r"(?P<name>\w+)(?:\s+final)?\s*(?::(?!:).*)?", re.DOTALL)
ALIAS_HEAD = re.compile(r"(?:.*\s)?using\s+(?P<name>\w+)\s*=.*", re.DOTALL)


def location(path):
    """The module of a file of the library, "" for its top level, None for a file elsewhere."""
    for top in (PUBLIC, PRIVATE):
        if path.startswith(top):
            parts = path[len(top):].split("/")
            return parts[0] if len(parts) > 1 else ""
    return None


def folders(path):
    """The folders of a file of the library beneath its top level, [] for a file elsewhere."""
    for top in (PUBLIC, PRIVATE):
        if path.startswith(top):
            return path[len(top):].split("/")[:-1]
    return []


def resolve(root, path, quote, header):
    """The file an include names, as a path from the root; None for a file outside the project."""
    candidates = [PRIVATE + header, PUBLIC[:-len("volcontact/")] + header]
    if path.startswith(TOOL):
        candidates.insert(0, TOOL + header)
    if quote == '"':
        beside = (root / path).parent / header
        try:
            candidates.insert(0, beside.resolve().relative_to(root.resolve()).as_posix())
        except ValueError:
            pass
    for candidate in candidates:
        if (root / candidate).is_file():
            return candidate
    # Not written yet: the name still tells the module.
    if header.startswith("volcontact/"):
        return candidates[-1]
    if header.split("/")[0] in MODULES:
        return PRIVATE + header
    return None


def check_include(root, path, quote, header):
    """Yields what is wrong with one #include of the file `path`."""
    module = location(path)
    for name, pattern, allowed in FIREWALLS:
        if re.match(pattern, header) and not re.match(allowed, path):
            yield f"{name} is not allowed here"
    if path.startswith(PUBLIC) and not ALLOWED_IN_PUBLIC.fullmatch(header):
        yield "a public header may include std, Eigen and volcontact/ only"
    target_path = resolve(root, path, quote, header)
    if target_path is None:
        return
    if path.startswith(PUBLIC) and target_path.startswith(PRIVATE):
        yield "a public header includes a private one"
    if module is None and path.startswith("tools/") and target_path.startswith(PRIVATE):
        yield "the tool may include public headers only"
    target = location(target_path)
    # The commands of the core are built without satellites, too; STEP files behind a macro.
    if path.startswith(CORE_COMMANDS) and target in SATELLITES and target != "step":
        yield f"this command must build without {target}"
    if target == module:
        yield from check_rooms(folders(path), folders(target_path))
    if not module or target is None or target == module:
        return  # the top level and the tool see all modules
    if target == "":
        if target_path[len(PUBLIC):] not in BENEATH and module != "c":
            yield f"module {module} includes a header that spans the modules"
    elif target not in MODULES:
        yield f"unknown module {target}"
    elif target not in MODULES.get(module, []):
        yield f"module {module} must not depend on {target}"
    elif (module in SATELLITES and target_path.startswith(PRIVATE)
          and target_path[len(PRIVATE):] not in SHARED):
        yield f"{module} is a satellite: it may include public headers of {target}, and private ones in SHARED only"


def check_rooms(source, target):
    """Yields what is wrong with an include between two folders of a module."""
    depth = len(os.path.commonprefix([source, target]))
    above = "/".join(source[:depth])
    rooms = ROOMS.get(above, {})
    one, other = ("".join(path[depth:depth + 1]) for path in (source, target))
    if one != other and one in rooms and (other or "" in rooms) and other not in rooms[one]:
        yield f"{above}/{one}".rstrip("/") + " must not depend on " + f"{above}/{other}".rstrip("/")


def types_of(source):
    """Yields (name, line, scope) of each type defined at namespace scope.

    A scope holds the names of the open namespaces, "" for an anonymous one and None for extern "C".
    Raises ValueError where the braces do not pair.
    """
    code = NOT_CODE.sub(lambda match: " " + "\n" * match[0].count("\n"), source)
    code = NAMESPACE_MACRO.sub(";", code)
    scope, depth, start = [], 0, 0  # depth: open braces of anything but namespaces
    for match in re.finditer(r"[{};]", code):
        sign, head = match[0], code[start:match.start()].strip()
        if depth == 0:
            start = match.end()
            defined = (TYPE_HEAD if sign == "{" else ALIAS_HEAD).fullmatch(head)
            if defined:
                yield defined["name"], code.count("\n", 0, match.start()) + 1, tuple(scope)
        if sign == "{":
            namespace = NAMESPACE_HEAD.fullmatch(head) if depth == 0 else None
            if namespace:
                scope.append(namespace["name"])
            else:
                depth += 1
        elif sign == "}" and depth > 0:
            depth -= 1
            start = match.end()
        elif sign == "}":
            if not scope:
                raise ValueError("a brace closes nothing")
            scope.pop()
    if scope or depth:
        raise ValueError("a brace stays open")


def check_type_names(root):
    """Yields file:line: text for each name that several types of the library have.

    Types in anonymous namespaces of sources are local: sources of different rooms may repeat their names,
    those of one room may not, because they are compiled together (cmake/rooms.cmake).
    """
    places = collections.defaultdict(dict)  # name: {(path, scope): line}; #if and #else count once
    for file in sorted((root / "libvolcontact").rglob("*")):
        if file.suffix not in (".h", ".cc"):
            continue
        path = file.relative_to(root).as_posix()
        try:
            for name, line, scope in types_of(file.read_text(encoding="utf-8")):
                places[name].setdefault((path, scope), line)
        except ValueError as error:
            yield f"{path}:1: types cannot be read: {error}"
    for name, found in sorted(places.items()):
        together = [tuple(folders(path)[:2]) for path, scope in found if path.endswith(".cc") and "" in scope]
        all_local_and_apart = len(together) == len(set(together)) == len(found)
        if len(found) > 1 and not all_local_and_apart:
            first, *others = (f"{path}:{line}" for (path, _), line in found.items())
            yield f"{first}: another type is named {name}, too; rename one: {', '.join(others)}"


def unused_shared(root):
    """Yields a line for each header of SHARED that no satellite includes, so that the list stays short."""
    texts = [file.read_text(encoding="utf-8") for satellite in SATELLITES
             for file in (root / PRIVATE / satellite).rglob("*") if file.suffix in (".h", ".cc")]
    for header in sorted(SHARED):
        if not any(f'#include "{header}"' in text for text in texts):
            yield f"{PRIVATE}{header}:1: no satellite includes it; take it out of SHARED"


def crowded_folders(root):
    """Yields a line for each folder with too many headers."""
    headers = collections.Counter(file.parent for file in (root / PRIVATE).rglob("*.h"))
    for folder, count in sorted(headers.items()):
        if count > MOST_HEADERS:
            yield (f"{folder.relative_to(root).as_posix()}:1: {count} headers, {MOST_HEADERS} at most; "
                   "move those of one purpose into a folder")


def check(root):
    """All violations in the tree, as lines file:line: text."""
    found = list(check_type_names(root)) + list(crowded_folders(root))
    for top in ("libvolcontact", "tools"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".h", ".cc"):
                continue
            path = file.relative_to(root).as_posix()
            if location(path) and location(path) not in MODULES:
                found.append(f"{path}:1: unknown module {location(path)}")
                continue
            *above, room = folders(path) or [""]
            above = "/".join(above)
            if path.startswith(PRIVATE) and room not in ROOMS.get(above, [room]):
                found.append(f"{path}:1: unknown room {above}/{room}")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                for text in check_include(root, path, *match.groups()) if match else ():
                    found.append(f"{path}:{number}: {line.strip()}: {text}")
    return found


# One file per case: path, its include, a part of the expected message or None if it is right.
SELF_TEST = [
    (PRIVATE + "math/a.cc", '"math/b.h"', None),
    (PRIVATE + "math/a.cc", '"volcontact/math/b.h"', None),
    (PRIVATE + "math/a.cc", '"solids/b.h"', "math must not depend on solids"),
    (PRIVATE + "math/a.cc", '"../solids/there.h"', "math must not depend on solids"),
    (PRIVATE + "math/a.cc", "<volcontact/solids/b.h>", "math must not depend on solids"),
    (PRIVATE + "math/a.cc", '"volcontact/volcontact.h"', "spans the modules"),
    (PRIVATE + "solids/a.cc", '"there.h"', None),
    (PRIVATE + "solids/a.cc", '"io/b.h"', "solids must not depend on io"),
    (PRIVATE + "solids/implicit/a.cc", '"solids/tree/b.h"', None),
    (PRIVATE + "solids/tree/a.cc", '"solids/implicit/b.h"', "solids/tree must not depend on solids/implicit"),
    (PRIVATE + "solids/exact/a.cc", '"solids/mesh/b.h"', "solids/exact must not depend on solids/mesh"),
    (PRIVATE + "solids/implicit/a.cc", '"solids/queries/b.h"', "must not depend on solids/queries"),
    (PRIVATE + "io/a.cc", '"solids/b.h"', None),
    (PRIVATE + "io/a.cc", '"display/b.h"', "io must not depend on display"),
    (PRIVATE + "overlap/cells/a.cc", '"io/b.h"', "overlap must not depend on io"),
    (PRIVATE + "overlap/cells/a.cc", '"contact/b.h"', "overlap must not depend on contact"),
    (PRIVATE + "overlap/cells/a.cc", '"overlap/frame/b.h"', None),
    (PRIVATE + "overlap/cells/a.cc", '"overlap/cells/b.h"', None),
    (PRIVATE + "overlap/cells/a.cc", '"overlap/query/b.h"', "overlap/cells must not depend on overlap/query"),
    (PRIVATE + "overlap/other/a.cc", '"math/b.h"', "unknown room overlap/other"),
    (PRIVATE + "overlap/arcs/other/a.cc", '"math/b.h"', "unknown room overlap/arcs/other"),
    (PRIVATE + "overlap/arcs/a.cc", '"overlap/arcs/curves/b.h"', None),
    (PRIVATE + "overlap/arcs/sums/a.cc", '"overlap/cells/b.h"', None),
    (PRIVATE + "overlap/arcs/curves/a.cc", '"overlap/arcs/edges/b.h"', "overlap/arcs/curves must not depend on"),
    (PRIVATE + "overlap/arcs/curves/a.cc", '"overlap/arcs/b.h"', "must not depend on overlap/arcs"),
    (PRIVATE + "overlap/cells/a.cc", '"overlap/cells/operands/b.h"', "overlap/cells must not depend on"),
    (PRIVATE + "contact/a.cc", '"forces/b.h"', "contact must not depend on forces"),
    (PRIVATE + "motion/a.cc", '"volcontact/forces/b.h"', None),
    (PRIVATE + "forces/a.cc", '"motion/b.h"', "forces must not depend on motion"),
    (PRIVATE + "forces/a.cc", '"simbody/b.h"', "forces must not depend on simbody"),
    (PRIVATE + "simbody/a.cc", '"volcontact/forces/b.h"', None),
    (PRIVATE + "other/a.cc", '"math/b.h"', "unknown module other"),
    (PRIVATE + "solids/exact/a.cc", "<CGAL/number_utils.h>", None),
    (PRIVATE + "io/a.cc", "<CGAL/IO/STL.h>", None),
    (PRIVATE + "scenario/urdf/a.cc", "<urdf_model/model.h>", None),
    (PRIVATE + "scenario/a.cc", "<urdf_parser/urdf_parser.h>", "urdfdom is not allowed here"),
    (PRIVATE + "overlap/meshes/sums.cc", "<CGAL/predicates.h>", "CGAL is not allowed"),
    (PRIVATE + "overlap/columns/a.cc", "<CGAL/predicates.h>", "CGAL is not allowed"),
    ("tools/volcontact/a.cc", "<CGAL/predicates.h>", "CGAL is not allowed"),
    (PRIVATE + "solids/exact/a.h", "<gmpxx.h>", None),
    (PRIVATE + "solids/mesh/a.h", "<gmpxx.h>", "GMP is not allowed"),
    (PRIVATE + "math/parallel.cc", "<tbb/parallel_for.h>", None),
    (PRIVATE + "math/parallel.h", "<tbb/parallel_for.h>", "TBB is not allowed"),
    (PRIVATE + "overlap/columns/a.cc", "<tbb/parallel_invoke.h>", "TBB is not allowed"),
    (PRIVATE + "contact/a.cc", "<tbb/parallel_invoke.h>", "TBB is not allowed"),
    (PRIVATE + "contact/a.cc", "<oneapi/tbb/task.h>", "TBB is not allowed"),
    (PRIVATE + "identify/a.cc", '"volcontact/io/csv_table.h"', None),
    (PRIVATE + "forces/a.cc", '"volcontact/identify/b.h"', "forces must not depend on identify"),
    (PRIVATE + "identify/a.cc", "<boost/math/tools/roots.hpp>", None),
    (PRIVATE + "forces/a.cc", "<boost/math/tools/roots.hpp>", "Boost is not allowed"),
    (PRIVATE + "identify/a.cc", "<CLI/CLI.hpp>", "CLI11 is not allowed"),
    ("tools/volcontact/identify/a.cc", "<CLI/CLI.hpp>", None),
    (PUBLIC + "simbody/a.h", "<SimTKsimbody.h>", None),
    (PUBLIC + "contact/a.h", "<SimTKsimbody.h>", "Simbody is not allowed"),
    (PUBLIC + "contact/a.h", "<Eigen/Core>", None),
    (PUBLIC + "contact/a.h", "<vector>", None),
    (PUBLIC + "contact/a.h", '"volcontact/forces/b.h"', "contact must not depend on forces"),
    (PUBLIC + "contact/a.h", "<nlohmann/json.hpp>", "std, Eigen and volcontact/ only"),
    (PUBLIC + "contact/a.h", '"math/b.h"', "std, Eigen and volcontact/ only"),
    (PUBLIC + "solids/a.h", '"there.h"', "std, Eigen and volcontact/ only"),
    (PUBLIC + "volcontact.h", '"volcontact/forces/b.h"', None),
    ("tools/volcontact/a.cc", '"volcontact/forces/b.h"', None),
    ("tools/volcontact/a.cc", '"math/there.h"', "public headers only"),
    (PUBLIC + "scenario/a.h", '"volcontact/simbody/b.h"', None),
    (PUBLIC + "scenario/a.h", "<SimTKsimbody.h>", "Simbody is not allowed"),
    (PUBLIC + "scenario/a.h", "<nlohmann/json.hpp>", "nlohmann-json is not allowed"),
    (PRIVATE + "scenario/a.cc", "<SimTKsimbody.h>", "Simbody is not allowed"),
    (PRIVATE + "scenario/a.cc", '"io/json/json_cursor.h"', None),
    (PRIVATE + "scenario/a.cc", '"io/b.h"', "private ones in SHARED only"),
    (PRIVATE + "scenario/a.cc", '"volcontact/io/b.h"', None),
    (PRIVATE + "sweep/a.cc", '"volcontact/scenario/b.h"', None),
    (PRIVATE + "sweep/a.cc", '"scenario/b.h"', "private ones in SHARED only"),
    (PRIVATE + "sweep/store/a.cc", '"overlap/query/b.h"', "private ones in SHARED only"),
    (PRIVATE + "mujoco/a.cc", '"volcontact/scenario/b.h"', "mujoco must not depend on scenario"),
    (PUBLIC + "scenario/a.h", '"volcontact/forces/b.h"', None),
    (PRIVATE + "scenario/simulation/a.cc", "<SimTKsimbody.h>", None),
    (PRIVATE + "io/a.cc", '"scenario/b.h"', "io must not depend on scenario"),
    (PRIVATE + "forces/a.cc", "<nlohmann/json.hpp>", "nlohmann-json is not allowed"),
    ("tools/volcontact/simulate/a.cc", "<nlohmann/json.hpp>", "nlohmann-json is not allowed"),
    ("tools/volcontact/cli/output.h", "<nlohmann/json.hpp>", None),
    ("tools/volcontact/simulate/a.cc", '"simulate/there.h"', None),
    ("tools/volcontact/simulate/a.cc", '"volcontact/scenario/b.h"', None),
    ("tools/volcontact/cli/a.cc", '"volcontact/scenario/b.h"', "must build without scenario"),
    ("tools/volcontact/estimate/a.cc", '"volcontact/identify/b.h"', "must build without identify"),
    ("tools/volcontact/cli/a.cc", '"volcontact/step/b.h"', None),
    ("tools/volcontact/simulate/a.cc", '"io/json/json_cursor.h"', "public headers only"),
]


HEADER, OTHER_HEADER = PRIVATE + "solids/mesh/a.h", PRIVATE + "overlap/frame/b.h"
SOURCE, NEIGHBOUR, ELSEWHERE = (PRIVATE + "solids/mesh/a.cc", PRIVATE + "solids/mesh/b.cc",
                                PRIVATE + "overlap/frame/b.cc")
STRUCT = "namespace volcontact {\nstruct X { int a; };\n}\n"
LOCAL = "namespace volcontact {\nnamespace {\nstruct X { int a; };\n}\n}\n"
EQUAL = "another type is named X"
# Types of two files: (path, text), (path, text), as above.
TYPE_SELF_TEST = [
    ((HEADER, STRUCT), (OTHER_HEADER, STRUCT), EQUAL),
    ((HEADER, STRUCT), (OTHER_HEADER, STRUCT.replace("volcontact", "volcontact::identify")), EQUAL),
    ((HEADER, STRUCT + STRUCT.replace("volcontact", "internal")), (OTHER_HEADER, ""), EQUAL),
    ((HEADER, STRUCT), (OTHER_HEADER, "template <class T>\nclass X final : Y<T> {};"), EQUAL),
    ((HEADER, STRUCT), (OTHER_HEADER, "class VOLCONTACT_EXPORT X : public Y<int> {};"), EQUAL),
    ((HEADER, STRUCT), (OTHER_HEADER, "VOLCONTACT_NAMESPACE_BEGIN struct alignas(8) X {};"), EQUAL),
    ((HEADER, STRUCT), (OTHER_HEADER, "enum class X : int { k };"), EQUAL),
    ((HEADER, STRUCT), (OTHER_HEADER, "template <class T>\nusing X = std::array<T, 3>;"), EQUAL),
    ((HEADER, STRUCT), (OTHER_HEADER, 'extern "C" {\ntypedef struct X { int a; } X;\n}'), EQUAL),
    ((HEADER, STRUCT), (OTHER_HEADER, LOCAL), EQUAL),
    ((HEADER, STRUCT), (ELSEWHERE, STRUCT), EQUAL),
    ((HEADER, STRUCT), (ELSEWHERE, LOCAL), EQUAL),
    ((SOURCE, STRUCT), (ELSEWHERE, LOCAL), EQUAL),
    ((SOURCE, LOCAL), (NEIGHBOUR, LOCAL), EQUAL),
    ((SOURCE, LOCAL), (ELSEWHERE, LOCAL), None),
    # Neither of these defines an X of the namespace.
    ((HEADER, STRUCT), (OTHER_HEADER, "class X;\nenum class X : int;\ntemplate <class T>\nstruct X;"),
     None),
    ((HEADER, STRUCT), (OTHER_HEADER, "template <>\nstruct X<int> { int b; };"), None),
    ((HEADER, STRUCT), (OTHER_HEADER, "struct Y { struct X { int a; }; using X = int; };"), None),
    ((HEADER, STRUCT), (ELSEWHERE, "struct Y::X { int a; };\nvoid F() { struct X {}; }"), None),
    ((HEADER, STRUCT), (ELSEWHERE, "template <class X> void F(struct X x) {}\nusing Y::X;"), None),
    ((HEADER, STRUCT), (ELSEWHERE, "// struct X {};\n/* struct X {}; */\n#define Y struct X {};"),
     None),
    ((HEADER, STRUCT), (ELSEWHERE, "char a[] = R\"(\" struct X {)\", b = '{', c = 1'000;\n"), None),
    ((HEADER, "#if A\nusing X = int;\n#else\nusing X = long;\n#endif\n"), (OTHER_HEADER, ""), None),
    ((HEADER, STRUCT), (OTHER_HEADER, "namespace a {"), "a brace stays open"),
    ((HEADER, STRUCT), (OTHER_HEADER, "}"), "a brace closes nothing"),
]


def found_in(files):
    """What the check finds in a tree of these files, path -> text."""
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        return check(root)


def self_test():
    there = {PRIVATE + "solids/there.h": "", PRIVATE + "math/there.h": "",
             TOOL + "simulate/there.h": ""}
    cases = [(f"{path} with {include}", {**there, path: f"// a comment\n#include {include}\n"},
              expected) for path, include, expected in SELF_TEST]
    crowd = {f"{PRIVATE}math/a{n}.h": "" for n in range(MOST_HEADERS + 1)}
    cases.append(("a crowded folder", crowd, "move those of one purpose"))
    cases += [(f"{first} and {second}", dict((first, second)), expected)
              for first, second, expected in TYPE_SELF_TEST]
    failures = 0
    for name, files, expected in cases:
        found = found_in(files)
        if any(expected in line for line in found) if expected else not found:
            continue
        failures += 1
        print(f"{name}: expected {expected}, found {found}")
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        (root / PRIVATE / "sweep").mkdir(parents=True)
        (root / PRIVATE / "sweep/a.cc").write_text('#include "io/messages.h"\n')
        unused = " ".join(unused_shared(root))
        if "io/messages.h" in unused or "io/json/json_cursor.h" not in unused:
            failures += 1
            print(f"unused headers of SHARED: {unused}")
    print(f"{len(cases) + 1} cases, {failures} failures")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    root = pathlib.Path(sys.argv[1])
    if not (root / "libvolcontact").is_dir():
        print(f"{root}: not the root of the project")
        return 2
    found = check(root) + list(unused_shared(root))
    print("\n".join(found) if found else "the order and the names hold")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
