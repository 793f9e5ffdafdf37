"""Builds the compiled module by CMake; everything else stands in pyproject.toml.

VOLCONTACT_BUILD_DIR names a build folder of the project to use, in which the library may be built already;
without it the library is built in a folder of its own. CMAKE_ARGS are passed on to CMake.
"""

import atexit
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
# In a source distribution the project's sources stand beside this file.
BUNDLED = HERE / "project"
PROJECT = BUNDLED if BUNDLED.is_dir() else HERE.parents[1]
SOURCES = ("CMakeLists.txt", "LICENSE", "cmake", "libvolcontact")


def version() -> str:
    text = (PROJECT / "libvolcontact/include/volcontact/version.h").read_text(encoding="utf-8")
    numbers = re.findall(r"#define VOLCONTACT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text)
    return ".".join(numbers)


# What a compiler takes at most, for the largest sources of the library.
BYTES_OF_A_JOB = 2 * 2**30


def jobs() -> int:
    """As many compilers as there are processors and memory for."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return processors
    return max(1, min(processors, memory // BYTES_OF_A_JOB))


def options() -> dict:
    """What is built goes elsewhere, so that nothing is left in the sources; not so where these are to be found."""
    if not {"bdist_wheel", "dist_info", "egg_info", "install"} & set(sys.argv):
        return {}
    scratch = tempfile.mkdtemp(prefix="volcontact-build-")
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    return {"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}}


class CMakeBuild(build_ext):
    def build_extension(self, ext: Extension) -> None:
        given = os.environ.get("VOLCONTACT_BUILD_DIR")
        build = pathlib.Path(given or self.build_temp).resolve()
        options = [] if given else [
            "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON", "-DVOLCONTACT_BUILD_CLI=OFF",
            "-DVOLCONTACT_BUILD_TESTS=OFF", "-DVOLCONTACT_BUILD_BENCH=OFF", "-DVOLCONTACT_INSTALL=OFF",
        ]
        if shutil.which("ninja") and not (build / "CMakeCache.txt").exists():
            options.append("-GNinja")
        # The interpreter itself: its virtual environment may be gone when the folder is configured again.
        options += ["-DVOLCONTACT_PYTHON=ON", f"-DPython_EXECUTABLE={os.path.realpath(sys.executable)}",
                    *shlex.split(os.environ.get("CMAKE_ARGS", ""))]
        subprocess.run(["cmake", "-S", PROJECT, "-B", build, *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "volcontact_python", "--parallel", str(jobs())],
                       check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        built = build / "libvolcontact/python" / target.name
        if not built.exists():
            (built,) = built.parent.glob("_core*" + target.suffix)
        shutil.copy2(built, target)


def not_compiled(folder, names):
    """Of this folder the module's sources alone: the package stands in the distribution already."""
    return set(names) - {"CMakeLists.txt", "src"} if pathlib.Path(folder) == HERE else set()


class SourcesToo(sdist):
    """Takes along what the module is compiled from."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for name in SOURCES:
            source, target = PROJECT / name, pathlib.Path(base_dir, "project", name)
            if source.is_dir():
                shutil.copytree(source, target, ignore=not_compiled)
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)


setup(version=version(), options=options(), ext_modules=[Extension("volcontact._core", [])],
      cmdclass={"build_ext": CMakeBuild, "sdist": SourcesToo})
