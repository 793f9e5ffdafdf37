#!/usr/bin/env python3
"""Holds the module order of libvolcontact and its firewalls against outside libraries.

    dependency_order.py ROOT         check the tree, exit 1 and list every violation
    dependency_order.py --self-test  check that each rule can fail
"""

import pathlib
import re
import sys
import tempfile

# What each module may include, besides itself.
MODULES = {
    "math": [],
    "solids": ["math"],
    "io": ["math", "solids"],
    "overlap": ["math", "solids"],
    "contact": ["math", "solids", "overlap"],
    "forces": ["math", "solids", "overlap", "contact"],
    "identify": ["math", "solids", "io", "overlap", "contact", "forces"],
    "simbody": ["math", "solids", "overlap", "contact", "forces"],
    "scenario": ["math", "solids", "io", "overlap", "contact", "forces", "simbody"],
    "c": ["math", "solids", "io", "overlap", "contact", "forces"],
}

# What the rooms of a module may include of each other; a module that is not named has no such order.
ROOMS = {
    "solids": {
        "exact": [],
        "tree": ["exact"],
        "implicit": ["exact", "tree"],
        "mesh": ["exact", "tree"],
        "queries": ["exact", "tree", "implicit", "mesh"],
        "mesh_check": ["exact", "mesh"],
        "mesh_repair": ["exact", "mesh", "mesh_check"],
    },
    "overlap": {
        "frame": [],
        "cells": ["frame"],
        "polytopes": ["frame"],
        "certify": ["frame", "cells"],
        "columns": ["frame", "cells", "polytopes", "certify"],
        "polar": ["frame", "cells", "polytopes", "columns"],
        "closed_forms": ["frame", "cells", "polytopes"],
        "meshes": ["frame"],
        "mixed": ["frame", "cells", "columns", "meshes"],
        "distance": ["frame", "cells", "meshes"],
        "query": ["frame", "cells", "certify", "columns", "polar", "closed_forms", "meshes", "mixed",
                  "distance"],
    },
}

# Where an outside library may be included: (name, included header, files).
FIREWALLS = [
    ("CGAL", r"CGAL/", r"libvolcontact/src/(solids/|io/|overlap/mesh)"),
    ("TBB", r"(oneapi/)?tbb/", r"libvolcontact/src/math/parallel\.cc"),
    ("Boost", r"boost/", r"libvolcontact/src/identify/"),
    ("CLI11", r"CLI/", r"tools/volcontact/"),
    ("Simbody", r"S(imTK|imbody)",
     r"libvolcontact/((include/volcontact|src)/simbody|src/scenario/simulation)/"),
    ("nlohmann-json", r"nlohmann/", r"libvolcontact/src/(io|scenario)/|tools/volcontact/cli/output\.h"),
]

PUBLIC = "libvolcontact/include/volcontact/"
# Headers of the top level that lie beneath all modules.
BENEATH = ("export.h", "version.h")
PRIVATE = "libvolcontact/src/"
TOOL = "tools/volcontact/"
# Standard headers: <vector>, <cstdio>. Those of C end in .h and are not used, but for size_t in the
# C interface.
ALLOWED_IN_PUBLIC = re.compile(r"[a-z_0-9]+|stddef\.h|Eigen/\w+|SimTKsimbody\.h|volcontact/.*\.h")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


def location(path):
    """The module of a file of the library, "" for its top level, None for a file elsewhere."""
    for top in (PUBLIC, PRIVATE):
        if path.startswith(top):
            parts = path[len(top):].split("/")
            return parts[0] if len(parts) > 1 else ""
    return None


def room(path):
    """The room of a private file of a module with ordered rooms, None for any other file."""
    parts = path[len(PRIVATE):].split("/") if path.startswith(PRIVATE) else []
    return parts[1] if len(parts) > 2 and parts[0] in ROOMS else None


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
    if target == module:
        yield from check_rooms(module, room(path), room(target_path))
    if not module or target is None or target == module:
        return  # the top level and the tool see all modules
    if target == "":
        if target_path[len(PUBLIC):] not in BENEATH and module != "c":
            yield f"module {module} includes a header that spans the modules"
    elif target not in MODULES:
        yield f"unknown module {target}"
    elif target not in MODULES.get(module, []):
        yield f"module {module} must not depend on {target}"


def check_rooms(module, source, target):
    """Yields what is wrong with an include between two rooms of a module."""
    if not source or not target or source == target or source not in ROOMS[module]:
        return
    if target not in ROOMS[module][source]:
        yield f"{module}/{source} must not depend on {module}/{target}"


def check(root):
    """All violations in the tree, as lines file:line: text."""
    found = []
    for top in ("libvolcontact", "tools"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".h", ".cc"):
                continue
            path = file.relative_to(root).as_posix()
            if location(path) and location(path) not in MODULES:
                found.append(f"{path}:1: unknown module {location(path)}")
                continue
            if room(path) and room(path) not in ROOMS[location(path)]:
                found.append(f"{path}:1: unknown room {location(path)}/{room(path)}")
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
    (PRIVATE + "io/a.cc", '"overlap/b.h"', "io must not depend on overlap"),
    (PRIVATE + "overlap/cells/a.cc", '"io/b.h"', "overlap must not depend on io"),
    (PRIVATE + "overlap/cells/a.cc", '"contact/b.h"', "overlap must not depend on contact"),
    (PRIVATE + "overlap/cells/a.cc", '"overlap/frame/b.h"', None),
    (PRIVATE + "overlap/cells/a.cc", '"overlap/cells/b.h"', None),
    (PRIVATE + "overlap/cells/a.cc", '"overlap/query/b.h"', "overlap/cells must not depend on overlap/query"),
    (PRIVATE + "overlap/other/a.cc", '"math/b.h"', "unknown room overlap/other"),
    (PRIVATE + "contact/a.cc", '"forces/b.h"', "contact must not depend on forces"),
    (PRIVATE + "forces/a.cc", '"simbody/b.h"', "forces must not depend on simbody"),
    (PRIVATE + "simbody/a.cc", '"forces/b.h"', None),
    (PRIVATE + "other/a.cc", '"math/b.h"', "unknown module other"),
    (PRIVATE + "solids/a.cc", "<CGAL/number_utils.h>", None),
    (PRIVATE + "io/a.cc", "<CGAL/IO/STL.h>", None),
    (PRIVATE + "overlap/meshes/sums.cc", "<CGAL/predicates.h>", None),
    (PRIVATE + "overlap/columns/a.cc", "<CGAL/predicates.h>", "CGAL is not allowed"),
    ("tools/volcontact/a.cc", "<CGAL/predicates.h>", "CGAL is not allowed"),
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
    (PRIVATE + "scenario/a.cc", '"io/b.h"', None),
    (PRIVATE + "scenario/simulation/a.cc", "<SimTKsimbody.h>", None),
    (PRIVATE + "io/a.cc", '"scenario/b.h"', "io must not depend on scenario"),
    (PRIVATE + "forces/a.cc", "<nlohmann/json.hpp>", "nlohmann-json is not allowed"),
    ("tools/volcontact/simulate/a.cc", "<nlohmann/json.hpp>", "nlohmann-json is not allowed"),
    ("tools/volcontact/cli/output.h", "<nlohmann/json.hpp>", None),
    ("tools/volcontact/simulate/a.cc", '"simulate/there.h"', None),
    ("tools/volcontact/simulate/a.cc", '"io/json_cursor.h"', "public headers only"),
]


def self_test():
    failures = 0
    for path, include, expected in SELF_TEST:
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for name in (path, PRIVATE + "solids/there.h", PRIVATE + "math/there.h",
                         TOOL + "simulate/there.h"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("")
            (root / path).write_text(f"// a comment\n#include {include}\n")
            found = check(root)
        right = any(expected in line for line in found) if expected else not found
        if not right:
            failures += 1
            print(f"{path} with {include}: expected {expected}, found {found}")
    print(f"{len(SELF_TEST)} cases, {failures} failures")
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
    found = check(root)
    print("\n".join(found) if found else "the module order holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
