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

At 1e-6: CPU time of a query, the median of repeats, and over eleven pairs of unions of cylinders, which are deep in each
other. Of the spheres, with radii 0.5 to 0.8 in a cube of n units of volume, those near the cube's bottom overlap.
The plate's holes are one unit apart, and the ball's radius is 0.3: only what the plate holds elsewhere grows. Growth
is the exponent of n between two rows; preparing is wall time.

{growth}"""


def page(results, survey, manifold_version, quick):
    return PAGE.format(quick=" --quick" if quick else "", machine=machine_section(results),
                       survey=survey, peers=peers_section(results, manifold_version),
                       growth=large_parts_section(results))
