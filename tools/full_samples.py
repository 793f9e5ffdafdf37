#!/usr/bin/env python3
"""Runs the tests that draw at random with all of their samples, of which a check takes a part: the
recovery of parameters, and impacts in any orientation. Writes what they say, with the date, at the end
of docs/validation_identification.md. Some minutes.

    python3 tools/full_samples.py [folder of the build, default build/release]
"""
import datetime
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "validation_identification.md"
HEADING = "## Many draws"


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


def main():
    build = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "release"
    fits, fits_pass = run(build, "identify_test", "FrictionErrors.*:MonteCarlo.*")
    impacts, impacts_pass = run(build, "simbody_slow_test", "ElasticImpactSlow.*")
    parameters = rows(r"(?m)^(\w[\w ]*?) +stated/spread ([\d.]+), worst ([\d.]+)", fits)
    given = rows(r"noise ([\d.]+): static friction given in (\d+) of 200", fits)
    energies = rows(r"(\w+): energy off by (\S+), sideways (\S+) of the impact, in (\d+)", impacts)
    rebounds = rows(r"(\w+): restitution off by (\S+) at 1e12 N/m\^3, by (\S+) at 1e15, in (\d+)", impacts)
    text = (
        f"{HEADING}\n\nWritten by `python3 tools/full_samples.py` on {datetime.date.today()}; a check runs a part of it. "
        f"{'All tests pass.' if fits_pass and impacts_pass else 'TESTS FAIL.'}\n\n"
        "Parameters found in 200 sets of data with noise: the error that is stated over the spread of what is found, and "
        "the worst distance from the truth in stated errors. From `mu_c` on all friction parameters are found together, "
        "each from those found before.\n\n"
        "| parameter | stated over spread | worst, in stated errors |\n|---|---|---|\n" + parameters +
        "\nPulls that never break away:\n\n"
        "| noise of the coefficient | give a static friction, of 200 |\n|---|---|\n" + given +
        "\nElastic impacts without friction of bodies dropped on a plane in any orientation: energy after over before, "
        "less 1, and speed sideways over that of the impact, at worst.\n\n"
        "| body | energy | sideways | orientations |\n|---|---|---|---|\n" + energies +
        "\nRebound of the point of contact, less the restitution of 0.5 asked for, at two stiffnesses [N/m³]: what is "
        "left is the way that the body moves meanwhile.\n\n"
        "| body | 1e12 | 1e15 | orientations |\n|---|---|---|---|\n" + rebounds)
    page = PAGE.read_text().split(HEADING)[0].rstrip()
    PAGE.write_text(f"{page}\n\n{text}")
    sys.exit(0 if fits_pass and impacts_pass else 1)


if __name__ == "__main__":
    main()
