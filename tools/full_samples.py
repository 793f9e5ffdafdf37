#!/usr/bin/env python3
"""Runs the tests that draw at random with all of their samples, of which a check takes a part: the
recovery of parameters, and impacts in any orientation. Writes what they say, with the date, at the end
of docs/validation_identification.md. Some minutes.

    python3 tools/full_samples.py [folder of the build, default build/release] [recovery | impacts]
"""
import datetime
import os
import pathlib
import re
import subprocess
import sys

from validation import wrapped

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "validation_identification.md"


def run(build, test, filters):
    """The lines that a test printed, and whether it passed."""
    environment = dict(os.environ, VOLCONTACT_FULL_SAMPLES="1")
    result = subprocess.run([build / "tests" / test, f"--gtest_filter={filters}"], env=environment,
                            capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        sys.exit(f"{test} did not run: {result.stderr}")
    return result.stdout, result.returncode == 0


def rows(pattern, text):
    return "".join("| " + " | ".join(match) + " |\n" for match in re.findall(pattern, text))


def section(heading, passed, text):
    """Puts a section into the page, in place of the one of that heading."""
    written = f"Written by `python3 tools/full_samples.py` on {datetime.date.today()}; a check runs a part of it. "
    written += "All tests pass.\n\n" if passed else "TESTS FAIL.\n\n"
    before, _, after = PAGE.read_text().partition(f"## {heading}\n")
    rest = after.partition("\n## ")
    PAGE.write_text(f"{before.rstrip()}\n\n## {heading}\n\n{written}{wrapped(text)}" + "".join(rest[1:]))
    return passed


def recovery(build):
    text, passed = run(build, "identify_test", "FrictionErrors.*:MonteCarlo.*")
    parameters = rows(r"(?m)^(\w[\w ]*?) +stated/spread ([\d.]+), worst ([\d.]+)", text)
    given = rows(r"noise ([\d.]+): static friction given in (\d+) of 200", text)
    return section(
        "Many draws", passed,
        "Parameters found in 200 sets of data with noise: the error that is stated over the spread of what is found, and "
        "the worst distance from the truth in stated errors. The first seven are found together, each from those found "
        "before; others by themselves, at one noise or at two.\n\n"
        "| parameter | stated over spread | worst, in stated errors |\n|---|---|---|\n" + parameters +
        "\nPulls that never break away:\n\n"
        "| noise of the coefficient | give a static friction, of 200 |\n|---|---|\n" + given)


def impacts(build):
    text, passed = run(build, "simbody_slow_test", "ElasticImpactSlow.*")
    energies = rows(r"(\w+): energy off by (\S+), sideways (\S+) of the impact, in (\d+)", text)
    rebounds = rows(r"(\w+): restitution off by (\S+) at 1e12 N/m\^3, by (\S+) at 1e15, in (\d+)", text)
    return section(
        "Impacts in many orientations", passed,
        "Elastic impacts without friction of bodies dropped on a plane in any orientation: energy after over before, "
        "less 1, and speed sideways over that of the impact, at worst.\n\n"
        "| body | energy | sideways | orientations |\n|---|---|---|---|\n" + energies +
        "\nRebound of the point of contact, less the restitution of 0.5 asked for, at two stiffnesses [N/m³]: what is "
        "left is the way that the body moves meanwhile.\n\n"
        "| body | 1e12 | 1e15 | orientations |\n|---|---|---|---|\n" + rebounds)


def main():
    parts = {"recovery": recovery, "impacts": impacts}
    chosen = [word for word in sys.argv[1:] if word in parts] or list(parts)
    folders = [word for word in sys.argv[1:] if word not in parts]
    build = pathlib.Path(folders[0]).resolve() if folders else ROOT / "build" / "release"
    sys.exit(0 if all([parts[name](build) for name in chosen]) else 1)


if __name__ == "__main__":
    main()
