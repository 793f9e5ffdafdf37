#!/usr/bin/env python3
"""Draws a run of `volcontact simulate`.

    plot_run.py FOLDER [png] [svg]

Reads timeseries.csv, summary.json, run_scenario.json and plots.json of the folder, and writes trajectory,
velocities, forces, energies, overview (the most telling panels) and plot_<n> for the scenario's own plots, each as
.png (the default), .svg or both. Ends with 1 and one line on standard error where that cannot be done, with 3 where
matplotlib is missing.
"""

import pathlib
import re
import sys

from plot_panels import Panel, draw_figure, split_unit
from plot_series import ENERGIES, Events, Series, spoken
from plot_style import Problem, np, number

# More curves than this in a panel are a tangle: those that move most, or push hardest, are drawn.
MOST_CURVES = 4
# A component that moves by less than this share of what the others move by is said to stand still.
STILL = 1e-6
# Panels of the overview.
MOST_OWN, MOST_PANELS = 3, 8
STORED, LOST = ("kinetic", "potential", "elastic"), "dissipated_"


def moved(values):
    finite = values[np.isfinite(values)]
    return float(np.ptp(finite)) if finite.size else 0.0


def chosen(owners, size):
    """The owners to draw, at most so many, in their order, and a note on those left out."""
    best = sorted(owners, key=size, reverse=True)[:MOST_CURVES]
    kept = [owner for owner in owners if owner in best]
    left_out = len(owners) - len(kept)
    return kept, f"the {len(kept)} largest of {len(owners)}" if left_out else ""


def curves_of(series, owners, values, title, unit, names=None, note="", **how):
    """A panel of one quantity of several bodies or contacts; the only one's name is in the title."""
    panel = Panel(title, unit, **how)
    panel.curves = [((names or spoken)(owner), series.t, values(owner)) for owner in owners]
    if len(owners) == 1:
        panel.title += (", " if names else " of ") + panel.curves[0][0]
    elif note:
        panel.title = f"{title} ({note})"
    return panel


def components(series, columns, title, unit):
    """Panels of the components in which bodies move, those that move most first in `order`."""
    owners, note = chosen(series.bodies(), lambda body: max(moved(series[f"{body}.{c}"]) for c in columns))
    size = {c: max((moved(series[f"{body}.{c}"]) for body in owners), default=0.0) for c in columns}
    most = max(size.values(), default=0.0)
    panels = {}
    for column in columns:
        if most > 0 and size[column] > STILL * most:
            moving = [body for body in owners if moved(series[f"{body}.{column}"]) > STILL * most]
            panels[column] = curves_of(series, moving, lambda body, c=column: series[f"{body}.{c}"], f"{title} {column[-1]}", unit, note=note)
    largest = max((np.nanmax(np.abs(y)) for panel in panels.values() for _, _, y in panel.curves), default=0.0)
    for panel in panels.values():
        panel.size, panel.fine = largest, title == "Position"
    return [panels[c] for c in columns if c in panels], sorted(panels, key=size.get, reverse=True), panels


def angular_speeds(series):
    def speed(body):
        return np.sqrt(sum(series[f"{body}.w{c}"] ** 2 for c in "xyz"))

    turning = [body for body in series.bodies() if moved(speed(body)) > 0 or speed(body).any()]
    owners, note = chosen(turning, lambda body: moved(speed(body)))
    return [curves_of(series, owners, speed, "Angular speed", "rad/s", note=note, from_zero=True)] if owners else []


def force_panels(series):
    """Of each contact: normal force, friction with sticking and sliding, sliding speed, depth or volume."""
    owners, note = chosen(list(series.contacts), lambda contact: np.nan_to_num(series[f"{contact}.fn"]).max())
    panels = []
    for column, title, unit in (("fn", "Normal force", "N"), ("ft", "Friction force", "N"), ("vt", "Sliding speed at the contact", "m/s"),
                                ("volume", "Overlap volume", "m³"), ("depth", "Depth of the point pair", "m")):
        having = [c for c in owners if np.nan_to_num(series.columns.get(f"{c}.{column}", np.zeros(1))).any()]
        if not having:
            continue
        panel = curves_of(series, having, lambda c, k=column: series[f"{c}.{k}"], title, unit, series.contacts.get, note, from_zero=True, cut=True)
        if column == "ft":
            panel.sliding = [(series[f"{c}.touching"] > 0, series[f"{c}.vt"] > series.slip_speed(c)) for c in having if series.slip_speed(c)]
        panels.append(panel)
    return panels


def energy_panels(series):
    stored, lost = [], []
    for name, title in ENERGIES.items():
        values = series.columns.get("energy." + name)
        if values is None or not np.nan_to_num(values).any():
            continue
        if name in STORED:
            values = values - np.nanmin(values) if name == "potential" else values
            stored.append((title + (" (least 0)" if name == "potential" else ""), series.t, values))
        elif name.startswith(LOST):
            lost.append((title, series.t, values))
    panels = [Panel("Energy", "J", stored, from_zero=True)]
    if lost:
        # The greatest of many causes.
        lost.sort(key=lambda curve: -moved(curve[2]))
        lost = [curve for curve in lost if moved(curve[2]) > 1e-3 * moved(lost[0][2])][:MOST_CURVES]
        title = "Energy lost" if len(lost) > 1 else f"Energy lost: {lost[0][0]}"
        panels.append(Panel(title + (", by cause" if len(lost) > 1 else ""), "J", lost, stacked=len(lost) > 1, from_zero=True))
    for name in ("work", "elastic_work"):
        values = series.columns.get("energy." + name)
        if values is not None and np.nan_to_num(values).any():
            panels.append(Panel(ENERGIES[name].capitalize(), "J", [("", series.t, values)], from_zero=True))
    residual = series.columns.get("energy.residual")
    if residual is not None and np.nan_to_num(residual).any():
        put_in = (series.summary.get("energy") or {}).get("put_in")
        note = f"of {number(put_in)} J put in" if isinstance(put_in, (int, float)) and put_in > 0 else ""
        panels.append(Panel("What the energy ledger misses", "J", [("", series.t, residual)], note=note, from_zero=True))
    return panels


def own_panels(series):
    """The scenario's own plots."""
    panels = []
    for plot in series.plots:
        panel = Panel(plot["title"] or "Plot")
        x = as_numbers(plot["x"])
        for curve in plot["curves"]:
            expression = curve.get("expression", curve["label"])
            label = curve["label"] if curve["label"] != expression else series.named(expression)[0]
            panel.curves.append((label, x, as_numbers(curve["y"])))
        quantity, panel.unit = split_unit(plot["y_label"])
        if quantity and quantity.lower() not in panel.title.lower() and quantity != "1":
            panel.title += f": {quantity}"
        x_expression = plot.get("x_expression", plot["x_label"])
        panel.over_time = plot["x_label"] == "t [s]"
        panel.cut = panel.over_time and panel.unit == "N"
        if not panel.over_time:
            known = series.named(x_expression)
            panel.x_title, panel.x_unit = known if known[1] and plot["x_label"] == x_expression else split_unit(plot["x_label"])
            extent = [moved(x), max(moved(y) for _, _, y in panel.curves)]
            panel.equal = panel.unit == panel.x_unit == "m" and 0 < max(extent) < 3 * min(extent)
        panels.append(panel)
    return panels


def as_numbers(values):
    """Numbers of a JSON list, in which what is not finite is null."""
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def is_covered(plot):
    """Whether a plot of the scenario's own shows columns over time that the overview has anyway."""
    columns = [curve.get("expression", curve["label"]) for curve in plot["curves"]]
    shown = r"\w+\.(x|y|z|fn|ft)|energy\.(kinetic|potential|elastic|dissipated_\w+)"
    return plot["x_label"] == "t [s]" and all(re.fullmatch(shown, column) for column in columns)


def telling(series, motion, own, forces, energies):
    """The panels of the overview: where it goes, what its author draws, what pushes, where the energy is."""
    _, order, by_column = motion
    panels = [by_column[column] for column in sorted(order[:2])]
    panels += [panel for panel, plot in zip(own, series.plots) if panel.drawable() and not is_covered(plot)][:MOST_OWN]
    panels += angular_speeds(series) if len(panels) < 3 else []
    panels += [panel for panel in forces if panel.title.startswith(("Normal", "Friction"))]
    return panels[: MOST_PANELS - 2] + [panel for panel in energies if panel.title.startswith("Energy")]


def draw(folder, kinds):
    series = Series(folder)
    events = Events(series)
    motion = components(series, ("x", "y", "z"), "Position", "m")
    own, forces, energies = own_panels(series), force_panels(series), energy_panels(series)
    velocities = components(series, ("vx", "vy", "vz"), "Velocity", "m/s")[0] + angular_speeds(series)
    figures = {"trajectory": motion[0], "velocities": velocities, "forces": forces, "energies": energies}
    for name, panels in figures.items():
        draw_figure(folder / name, kinds, panels, series, events)
    draw_figure(folder / "overview", kinds, telling(series, motion, own, forces, energies), series, events, columns=2, width=9.0)
    for i, panel in enumerate(own):
        draw_figure(folder / f"plot_{i}", kinds, [panel], series, events, height=3.0)


def main():
    kinds = sys.argv[2:] or ["png"]
    try:
        if len(sys.argv) < 2 or not set(kinds) <= {"png", "svg"}:
            raise Problem("usage: plot_run.py FOLDER [png] [svg]")
        draw(pathlib.Path(sys.argv[1]), kinds)
    except Problem as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
