"""What the pictures of runs and of fits share: colours, units with prefixes, limits that impacts do not flatten,
curves thinned without losing a peak, files. Exits with 3 where there is no matplotlib.
"""

import math
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    import numpy as np
    from matplotlib import pyplot
except ImportError:
    sys.exit(3)

# Okabe and Ito 2008, told apart by colour-blind readers, dark enough on white; line styles tell them apart without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#000000", "#E69F00", "#7F7F7F")
DASHES = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (6, 2, 1.5, 2)))
QUIET = "#6b6b6b"

matplotlib.rcParams.update(
    {
        "svg.hashsalt": "volcontact",  # equal data give equal files
        "svg.fonttype": "none",
        "font.size": 10,
        "axes.titlesize": 10.5,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#e4e4e4",
        "grid.linewidth": 0.7,
        "axes.axisbelow": True,
        "axes.edgecolor": "#8a8a8a",
        "axes.formatter.useoffset": False,
        "axes.formatter.limits": (-4, 5),
        "lines.linewidth": 1.3,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "savefig.facecolor": "white",
        "figure.dpi": 100,
    }
)

# Impacts are short: they are not among the middle share of the samples, the core.
CORE_SHARE = 0.95
# An axis is cut where values lie further beyond the core than so many times its range; it ends after one more range.
FAR = 3.0
# What is left beside the impacts and their flanks, these many times their length, is to be seen if it is no smaller share of them.
FLANK, LEAST_SHARE = 3, 1e-5
# A curve with more samples is thinned, in chunks of which the ends and the extremes are kept.
MOST_SAMPLES, CHUNKS = 2400, 600
# Less than this share of its size is no change that an axis of the value itself could show.
FINE_CHANGE = 1e-3

PREFIXES = {-15: "f", -12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}
PREFIXED = ("m", "s", "N", "J", "W", "Pa", "Hz")
POWERS = {
    "m²": (("m²", 1.0), ("cm²", 1e-4), ("mm²", 1e-6), ("µm²", 1e-12)),
    "m³": (("m³", 1.0), ("cm³", 1e-6), ("mm³", 1e-9), ("µm³", 1e-18)),
}


class Problem(Exception):
    """What keeps a picture from being drawn, in one line for the reader."""


def plain(text):
    """Text that matplotlib takes as it is: no formulas, no line breaks or other controls."""
    return "".join(c if c.isprintable() else " " for c in str(text)).replace("$", r"\$")


def in_unit(unit, size):
    """The unit with the prefix that suits values up to a size, and what one of it is in the unit: ("mm", 1e-3)."""
    unit = unit.replace("^2", "²").replace("^3", "³")
    size = abs(size)
    if not (math.isfinite(size) and size > 0):
        return unit, 1.0
    if unit in POWERS:
        return next(((name, one) for name, one in POWERS[unit] if size >= 0.1 * one), POWERS[unit][-1])
    first = unit.replace("·", " ").replace("/", " ").split(" ")[0]
    # Nobody counts in kiloseconds.
    if first not in PREFIXED or 0.1 <= size < 1e4 or (first == "s" and size >= 1):
        return unit, 1.0
    exponent = min(max(3 * math.floor(math.log10(size) / 3 + 1e-12), min(PREFIXES)), max(PREFIXES))
    return PREFIXES[exponent] + unit, 10.0**exponent


def number(value):
    """Three significant digits, and all of those before the point."""
    return (f"{value:.0f}" if 1e3 <= abs(value) < 1e5 else f"{value:.3g}").replace("-", "−")


def core(values):
    """Least and greatest of the middle share of the finite values, or None where there are none."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return None
    tail = (1 - CORE_SHARE) / 2
    return tuple(np.quantile(finite, (tail, 1 - tail)))


def span(curves, from_zero):
    """Least and greatest of all finite values, and of the cores of all curves: two pairs, or None without such values."""
    found = [(core(y), y[np.isfinite(y)]) for y in curves if np.isfinite(y).any()]
    if not found:
        return None
    zero = [0.0] if from_zero else []
    whole = min(zero + [y.min() for _, y in found]), max(zero + [y.max() for _, y in found])
    return whole, (min(zero + [c[0] for c, _ in found]), max(zero + [c[1] for c, _ in found]))


def beside(values, low, high):
    """The values without those outside of two bounds, and without the flanks of these."""
    outside = (values < low) | (values > high)
    edges = np.flatnonzero(np.diff(outside.astype(int), prepend=0, append=0))
    for start, end in zip(edges[::2], edges[1::2]):
        outside[max(0, start - FLANK * (end - start)) : end + FLANK * (end - start)] = True
    return values[~outside]


def limits(curves, from_zero=False, cut=True):
    """Where an axis ends: (low, high, cut_low, cut_high), with what short impacts would flatten cut off if `cut`.

    `curves`: arrays of values. `from_zero`: zero belongs to what is shown. None where nothing is finite.
    """
    spans = span(curves, from_zero)
    if spans is None:
        return None
    (low, high), (core_low, core_high) = spans
    far = FAR * (core_high - core_low)
    if cut and far > 0 and (low < core_low - far or high > core_high + far):
        rest = span([beside(y, core_low - far, core_high + far) for y in curves], from_zero)
        rest_low, rest_high = rest[1] if rest else (0.0, 0.0)
        width = rest_high - rest_low
        if width > LEAST_SHARE * (high - low):
            cut_low, cut_high = low < rest_low - FAR * width, high > rest_high + FAR * width
            return rest_low - width if cut_low else low - 0.05 * width, rest_high + width if cut_high else high + 0.05 * width, cut_low, cut_high
    margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    return low - margin, high + margin, False, False


def thinned(x, y):
    """The curve with few samples, none of its peaks lost: of each chunk the ends and the extremes of x and y."""
    if len(x) <= MOST_SAMPLES:
        return x, y
    kept = {0, len(x) - 1}
    edges = np.linspace(0, len(x), CHUNKS + 1).astype(int)
    for start, end in zip(edges[:-1], edges[1:]):
        kept.update((start, end - 1))
        for values in (x[start:end], y[start:end]):
            finite = np.flatnonzero(np.isfinite(values))
            if finite.size < end - start:  # a gap stays one
                kept.add(start + int(np.argmin(np.isfinite(values))))
            if finite.size:
                kept.add(start + int(finite[np.argmin(values[finite])]))
                kept.add(start + int(finite[np.argmax(values[finite])]))
    order = np.array(sorted(kept))
    return x[order], y[order]


def save(figure, path):
    """Writes a picture of the kind that its name ends in; the same data give the same bytes."""
    kind = str(path).rsplit(".", 1)[-1]
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}
    try:
        figure.savefig(path, metadata=metadata.get(kind))
    except (OSError, ValueError) as error:
        raise Problem(f"{path}: {error}") from None
