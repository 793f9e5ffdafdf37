#!/usr/bin/env python3
"""Puts the shared libraries that a wheel's compiled module needs into the wheel.

    bundle_wheel.py WHEEL FOLDER

The libraries get names of their own, so that a process may hold others of the same name, and find each other by
$ORIGIN. Those of the C library and of the compiler stay the system's, as for all wheels of Linux. Licences of what is
taken along go into the wheel, as Debian's packages state them.
"""

import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# The C library, its loader, and the compiler's runtime.
SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|pthread|rt|util|resolv|gcc_s|stdc\+\+)\.so.*|linux-vdso.*)$")


def run(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout


def needed(path):
    """The names that a library asks for."""
    return run("patchelf", "--print-needed", path).split()


def libraries_of(module):
    """Paths by name of all libraries that a module loads, those of the system left out."""
    found = {}
    for line in run("ldd", module).splitlines():
        match = re.match(r"\s*(\S+) => (\S+)", line)
        if not match or SYSTEM.match(match[1]):
            continue
        if match[2] == "not":
            sys.exit(f"{module}: {match[1]} is not found")
        found[match[1]] = pathlib.Path(match[2]).resolve()
    return found


def own_name(name, path):
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    stem, rest = name.split(".so", 1)
    return f"{stem}-{digest}.so{rest}"


def patch(path, names, rpath, soname=None):
    """Makes a library ask for the new names, and look for them at rpath."""
    changes = [["--replace-needed", name, names[name]] for name in needed(path) if name in names]
    changes += [["--set-soname", soname]] if soname else []
    changes += [["--force-rpath", "--set-rpath", rpath]]
    for change in changes:  # one by one: patchelf loses some where it is given several at once
        run("patchelf", *change, path)


def copy_licences(libraries, folder):
    """What Debian's packages say of the libraries, one file a package."""
    folder.mkdir()
    for path in libraries.values():
        # Packages may be recorded by the place before /usr was merged.
        for place in (path, pathlib.Path(str(path).removeprefix("/usr"))):
            owner = subprocess.run(["dpkg-query", "-S", place], capture_output=True, text=True, check=False)
            if owner.returncode == 0:
                package = owner.stdout.split(":")[0]
                licence = pathlib.Path("/usr/share/doc", package, "copyright")
                if licence.exists():
                    shutil.copy(licence, folder / f"{package}.txt")
                break


def bundle(folder):
    """Changes the unpacked wheel in a folder; how many libraries it has then."""
    (module,) = folder.glob("volcontact/_core*.so")
    libraries = libraries_of(module)
    names = {name: own_name(name, path) for name, path in libraries.items()}
    inside = folder / "volcontact.libs"
    inside.mkdir()
    for name, path in libraries.items():
        copy = inside / names[name]
        shutil.copy(path, copy)
        copy.chmod(0o755)
        patch(copy, names, "$ORIGIN", names[name])
    patch(module, names, "$ORIGIN/../volcontact.libs")
    copy_licences(libraries, inside / "licences")
    return len(libraries)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, target = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as scratch:
        run(sys.executable, "-m", "wheel", "unpack", "-d", scratch, wheel)
        (folder,) = pathlib.Path(scratch).iterdir()
        count = bundle(folder)
        run(sys.executable, "-m", "wheel", "pack", "-d", target, folder)
    print(f"{wheel.name}: {count} libraries in it, {(target / wheel.name).stat().st_size / 1e6:.0f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()
