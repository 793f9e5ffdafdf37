"""The page docs/benchmarks_parts.md; see report.py."""

from report_large_parts import large_parts_section
from report_machine import machine_section
from report_peers import peers_section

PAGE = """# Parts of a few primitives

Written by `python3 bench/report.py --page parts{quick}`; do not edit.

{machine}
## Random pairs

{survey}
## Beside Manifold and CGAL

{peers}
## Growth

Processor time of a query at 1e-6, the median of repeats, for unions of cylinders also over eleven pairs, which are
deep in each other. The spheres have radii of 0.5 to 0.8 in a cube with a volume of n units, and those near the
bottom of the cube overlap. The plate's holes are one unit apart, and the ball's radius is 0.3, so only the rest of
the plate grows. "Growth" is the exponent of n between two rows. "Preparing" is wall time.

{growth}"""


def page(results, survey, manifold_version, quick):
    return PAGE.format(quick=" --quick" if quick else "", machine=machine_section(results),
                       survey=survey, peers=peers_section(results, manifold_version),
                       growth=large_parts_section(results))
