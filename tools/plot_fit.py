#!/usr/bin/env python3
"""Draws measurements, what was fitted to them and what is left over.

    plot_fit.py FILE

Reads the figure as JSON on standard input; the tool carries this script with it and runs it for `identify --plot`.
The kind of picture is that of the name: .svg, .png or .pdf. Exit status 1 and one line on standard error where it
cannot be written, 3 where there is no matplotlib.
"""

import json
import math
import sys

from plot_panels import split_unit, with_unit
from plot_style import COLOURS, DASHES, Problem, in_unit, limits, np, number, plain, pyplot, save

# Inches: of the figure, the data, the residuals, and what stands above and below them.
WIDTH, LEFT, RIGHT, DATA, LEFT_OVER, HEAD, BETWEEN, FOOT, ROW = 7.5, 0.85, 0.2, 2.5, 0.9, 0.55, 0.32, 0.55, 0.2
# More measurements than this have their errors drawn as a band of the residuals only.
MOST_BARS = 150
KINDS = ("svg", "png", "pdf")


def numbers(values):
    return np.array([math.nan if value is None else value for value in values], dtype=float)


def greatest(arrays):
    finite = [np.abs(a[np.isfinite(a)]).max() for a in arrays if np.isfinite(a).any()]
    return max(finite, default=0.0)


def value_text(parameter):
    """A value with its standard error to two digits, and no digit of its own below: "(7.551 ± 0.019)·10¹³"."""
    value, error = parameter.get("value"), parameter.get("standard_error")
    if value is None:
        return "not determined"
    known = bool(error) and math.isfinite(error)
    size = max(abs(value), error) if known else abs(value)
    exponent = math.floor(math.log10(size)) if size > 0 else 0
    exponent = 0 if -3 <= exponent < 5 else exponent
    power = "·10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")) if exponent else ""
    value /= 10.0**exponent
    if not known:
        return f"{value:.6g}{power}"
    error /= 10.0**exponent
    decimals = max(1 - math.floor(math.log10(error)), 0)
    text = f"{value:.{decimals}f} ± {error:.{decimals}f}"
    return f"({text}){power}" if power else text


def scatter_of(panel):
    """The scatter about the fit that leaves the least, or 0."""
    return min((fit["scatter"] for fit in panel["residuals"]), default=0.0)


def draw_data(axis, panel, x_one, y_one):
    lines = 0
    for series in panel["series"]:
        x, y, label = numbers(series["x"]) / x_one, numbers(series["y"]) / y_one, plain(series["label"])
        if series["style"] == "line":
            lines += 1
            axis.plot(x, y, color=COLOURS[lines % len(COLOURS)], linestyle=DASHES[(lines - 1) % len(DASHES)], label=label, zorder=3)
            continue
        errors = numbers(series.get("errors", [scatter_of(panel)] * len(x))) / y_one
        if errors.any() and len(x) <= MOST_BARS:
            axis.errorbar(x, y, errors, linestyle="", marker="o", markersize=3.5, color=COLOURS[0], elinewidth=1, capsize=2, label=label, zorder=2)
        else:
            axis.plot(x, y, linestyle="", marker="o", markersize=2.5, color=COLOURS[0], alpha=0.6, label=label, zorder=2)


def errors_text(panel, one):
    """What bars and band are."""
    if any("errors" in series for series in panel["series"]):
        return "; bars: standard error of each"
    scatter = scatter_of(panel)
    bars = "bars and band" if any(s["style"] == "marks" and len(s["x"]) <= MOST_BARS for s in panel["series"]) else "band"
    about = " about the closest fit" if len(panel["residuals"]) > 1 else " about the fit"
    return f"; {bars}: scatter{about}, ±{number(scatter / one)}" if scatter else ""


def draw_residuals(axis, panel, x_one, unit):
    """Measured less fitted of each fit, and the errors as a band about zero. Returns the panel's title."""
    residuals = [numbers(fit["y"]) for fit in panel["residuals"]]
    shown = limits(residuals, from_zero=True)
    name, one = in_unit(unit, max(map(abs, shown[:2])) if shown else 0.0)
    own = next((numbers(series["errors"]) for series in panel["series"] if "errors" in series), None)
    for i, (fit, y) in enumerate(zip(panel["residuals"], residuals), 1):
        if own is not None and len(own) == len(y) <= MOST_BARS:
            axis.errorbar(numbers(fit["x"]) / x_one, y / one, own / one, linestyle="", elinewidth=1, capsize=2, color=COLOURS[i % len(COLOURS)])
        axis.plot(numbers(fit["x"]) / x_one, y / one, linestyle="", marker="os^D"[(i - 1) % 4], markersize=3, color=COLOURS[i % len(COLOURS)],
                  label=plain(fit["label"]), zorder=3)
    scatter = scatter_of(panel)
    if scatter and not any("errors" in series for series in panel["series"]):
        axis.axhspan(-scatter / one, scatter / one, color="#dbe9f4", zorder=0.5)
    axis.axhline(0, color="#6b6b6b", linewidth=0.8, zorder=1)
    if shown:
        cut = shown[2] or shown[3]
        axis.set_ylim(shown[0] / one, shown[1] / one)
    return with_unit("measured less fitted", name) + errors_text(panel, one) + ("; outliers cut off" if shown and cut else "")


def draw_panel(figure, panel, top):
    """Data above, residuals below, from so many inches below the figure's top."""
    width, high = figure.get_size_inches()
    (x_title, x_unit), (y_title, y_unit) = split_unit(panel["x"]), split_unit(panel["y"])
    x_name, x_one = in_unit(x_unit, greatest([numbers(s["x"]) for s in panel["series"]]))
    y_name, y_one = in_unit(y_unit, greatest([numbers(s["y"]) for s in panel["series"]]))

    def axes(above, height):
        return figure.add_axes((LEFT / width, 1 - (above + height) / high, (width - LEFT - RIGHT) / width, height / high))

    axis = axes(top + HEAD, DATA)
    draw_data(axis, panel, x_one, y_one)
    axis.set_title(with_unit(y_title[:1].upper() + y_title[1:], y_name), pad=20)
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncol=4, borderaxespad=0.2, borderpad=0, handlelength=1.8, columnspacing=1.2)
    axis.margins(x=0.02)
    last = axis
    if panel["residuals"]:
        last = axes(top + HEAD + DATA + BETWEEN, LEFT_OVER)
        title = draw_residuals(last, panel, x_one, y_unit)
        last.set_title(title, pad=4, fontsize=9, fontweight="normal")
        last.set_xlim(axis.get_xlim())
        axis.tick_params(labelbottom=False)
    last.set_xlabel(with_unit(x_title, x_name))


def write_parameters(figure, parameters, top):
    """A row for each: its name, its value with the standard error, its unit."""
    width, high = figure.get_size_inches()
    figure.text(LEFT / width, 1 - top / high, "Parameters and their standard errors", va="top", fontweight="bold")
    for row, (name, parameter) in enumerate(parameters.items(), 1):
        unit = parameter.get("unit", "").replace("^3", "³").replace("^2", "²")
        y = 1 - (top + ROW * row + 0.05) / high
        for x, text in ((LEFT, name), (LEFT + 1.9, value_text(parameter)), (LEFT + 4.6, unit)):
            figure.text(x / width, y, plain(text), va="top")


def figure_of(drawing):
    """The figure of what the tool says: title, panels, parameters."""
    panels, parameters = drawing["panels"], drawing.get("parameters", {})
    heights = [HEAD + DATA + FOOT + (BETWEEN + LEFT_OVER if panel["residuals"] else 0) for panel in panels]
    table = ROW * (len(parameters) + 1) + 0.2 if parameters else 0
    figure = pyplot.figure(figsize=(WIDTH, 0.35 + sum(heights) + table))
    figure.text(0.12 / WIDTH, 1 - 0.1 / figure.get_figheight(), plain(drawing["title"]), va="top", fontsize=11.5)
    top = 0.3
    for panel, height in zip(panels, heights):
        draw_panel(figure, panel, top)
        top += height
    if parameters:
        write_parameters(figure, parameters, top)
    return figure


def main():
    try:
        if len(sys.argv) != 2:
            raise Problem("usage: plot_fit.py FILE")
        if sys.argv[1].rsplit(".", 1)[-1] not in KINDS:
            raise Problem(f"{sys.argv[1]}: the name must end in .svg, .png or .pdf")
        save(figure_of(json.load(sys.stdin)), sys.argv[1])
    except Problem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
