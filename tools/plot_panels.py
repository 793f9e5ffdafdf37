"""Panels: one quantity each, with its unit, its events and what was cut off of it; and figures of them."""

import dataclasses
import re
import textwrap

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plot_style import COLOURS, DASHES, FINE_CHANGE, QUIET, in_unit, limits, np, number, plain, pyplot, save, thinned

# More events than this are marked at the foot of a panel only, and no more peaks are marked one by one.
MOST_LINES, MOST_PEAKS = 8, 30
# What a panel is wide, at most, in what can be told apart.
COLUMNS = 800
# Inches: beside the panels, left of each, and for a row of a legend.
SIDE, LEFT, LEGEND_ROW = 0.2, 0.75, 0.165
# The height of the strip that shows sliding and sticking, relative to a panel's.
STRIP = 0.05
SLIDES, STICKS = "#E69F00", "#9ecae1"


@dataclasses.dataclass
class Panel:
    """A quantity over time, or over another one."""

    title: str
    unit: str = ""
    curves: list = dataclasses.field(default_factory=list)  # of (label, x, y)
    x_title: str = "time"
    x_unit: str = "s"
    over_time: bool = True
    from_zero: bool = False
    stacked: bool = False  # areas on top of each other
    equal: bool = False  # both axes to one scale, where the shape allows it
    fine: bool = False  # less its value at the start, where it changes by little of that
    cut: bool = False  # impacts may be cut off
    size: float = 0.0  # of what has the same unit in the same figure, for one prefix
    sliding: list = dataclasses.field(default_factory=list)  # of (touching, sliding), flags over the first curve's x
    note: str = ""

    def drawable(self):
        return any(np.isfinite(y).any() for _, _, y in self.curves)


def with_unit(title, unit):
    return f"{plain(title)} [{plain(unit)}]" if unit else plain(title)


def split_unit(label):
    """("height", "m") of "height [m]"; "1" alone is a unit."""
    if label == "1":
        return "", "1"
    found = re.fullmatch(r"(.*?)\s*\[([^\[\]]*)\]", label)
    return (found[1], found[2]) if found else (label, "")


def changed_finely(panel):
    """The value that all curves are near to, where what they change by would not show on an axis of the value itself."""
    values = [y[np.isfinite(y)] for _, _, y in panel.curves]
    values = np.concatenate(values) if values else np.array([])
    if not panel.fine or values.size == 0 or np.ptp(values) == 0 or np.ptp(values) > FINE_CHANGE * np.abs(values).max():
        return 0.0
    return float(values[0])


def mark_peaks(axis, panel, shown, one, x_one):
    """Arrows where curves leave the panel; the greatest peak has its value and place written to it."""
    for high, cut in ((False, shown[2]), (True, shown[3])):
        if not cut:
            continue
        edge, found = shown[1 if high else 0], []
        for i, (_, x, y) in enumerate(panel.curves):
            beyond = np.isfinite(y) & ((y > edge) if high else (y < edge))
            starts = np.flatnonzero(np.diff(beyond.astype(int), prepend=0) > 0)
            ends = np.append(np.flatnonzero(np.diff(beyond.astype(int)) < 0) + 1, len(y))
            for start, end in zip(starts, ends):
                at = start + int((np.argmax if high else np.argmin)(y[start:end]))
                found.append((abs(y[at]), x[at], y[at], i))
        found.sort(reverse=True)
        place = (1.0, "^", "top") if high else (0.0, "v", "bottom")
        across = axis.get_xaxis_transform()
        for _, x, _, i in found[:MOST_PEAKS]:
            axis.plot([x / x_one], [place[0]], place[1], transform=across, clip_on=False, markersize=6,
                      color=COLOURS[i % len(COLOURS)], zorder=5)
        _, x, y, _ = found[0]
        write_peak(axis, panel.unit, x / x_one, y, len(found), place)


def write_peak(axis, unit, x, y, count, place):
    """The greatest sample of so many peaks that were cut off at an edge of the panel, beside its arrow where there is room.

    An impact is shorter than the rows are apart, often: its own greatest force is not known.
    """
    edge, _, alignment = place
    name, one = in_unit(unit, y)
    more = f", {count} peaks cut off" if count > 1 else ", cut off"
    text = f"{'highest' if edge else 'lowest'} sample {number(y / one)} {name}{more}"
    left, right = axis.get_xlim()
    inches = axis.get_position().width * axis.figure.get_figwidth()
    share, here = 0.063 * len(text) / inches, (x - left) / (right - left)
    beside = here + 0.1 / inches
    if beside + share > 1:
        beside = max(here - 0.1 / inches - share, 0.0)
    # Where there is none, below the arrow, or above.
    off = 1 if not (beside < here < beside + share) else 5
    axis.annotate(plain(text), (beside, edge), xycoords="axes fraction", xytext=(0, -off if edge else off), textcoords="offset points",
                  ha="left", va=alignment, fontsize=9, zorder=6,
                  bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1})


def mark_events(axis, events, x_one):
    """Lines where contacts were made (solid) and lost (dotted), or small marks at the foot where there are many."""
    across = axis.get_xaxis_transform()
    for times, line, mark in ((events.made, "-", 6), (events.lost, (0, (1, 2)), 7)):
        drawn = times if len(times) <= MOST_LINES else times[[0 if line == "-" else -1]]
        for time in drawn:
            axis.axvline(time / x_one, color=QUIET, linestyle=line, linewidth=0.9, zorder=1.5, gid="event")
        if len(drawn) < len(times):
            # No more than can be told apart.
            apart = times[np.unique(np.round((times - times[0]) / ((times[-1] - times[0]) or 1) * COLUMNS), return_index=True)[1]]
            axis.plot(apart / x_one, np.zeros(len(apart)), linestyle="", marker="|", markersize=mark, color=QUIET,
                      transform=across, clip_on=False, zorder=4)


def seen(flags, x):
    """Flags and their x, for a strip as wide as a panel: where they change more often than it has columns, any in a column."""
    if np.count_nonzero(np.diff(flags.astype(int))) <= COLUMNS:
        return flags, x
    edges = np.linspace(0, len(flags), COLUMNS + 1).astype(int)
    return np.array([flags[a:b].any() for a, b in zip(edges[:-1], edges[1:])]), x[edges[:-1]]


def mark_sliding(axis, panel, x_one):
    """A strip at the foot for each contact: where it slides, and where it sticks."""
    across = axis.get_xaxis_transform()
    for row, (touching, sliding) in enumerate(panel.sliding):
        x = panel.curves[0][1] / x_one
        for flags, colour in ((touching & ~sliding, STICKS), (touching & sliding, SLIDES)):
            flags, at = seen(flags, x)
            edges = np.flatnonzero(np.diff(flags.astype(int), prepend=0, append=0))
            spans = [(at[start], at[min(end, len(at) - 1)] - at[start]) for start, end in zip(edges[::2], edges[1::2])]
            axis.broken_barh(spans, (STRIP * (row + 0.1), 0.8 * STRIP), color=colour, linewidth=0, transform=across, zorder=3)


def draw_panel(axis, panel, events=None, x_one=1.0, x_name="s"):
    """Draws a panel; x in units of `x_one`. Returns the limits in the panel's own unit, as of `limits`."""
    base = changed_finely(panel)
    curves = [(label, x, y - base) for label, x, y in panel.curves]
    values = [y for _, _, y in curves]
    if panel.stacked:
        values = [np.cumsum(np.nan_to_num(values), axis=0)[-1]]
    shown = limits(values, panel.from_zero and not base, panel.cut) or (-1.0, 1.0, False, False)
    unit, one = in_unit(panel.unit, panel.size if panel.size and not base else max(map(abs, shown[:2])))
    title = panel.title + (f", less {number(base)} {panel.unit}" if base else "")
    if panel.stacked:
        thin = [thinned(x, np.nan_to_num(y)) for _, x, y in curves[:1]][0][0]
        axis.stackplot(thin / x_one, [np.interp(thin, x, np.nan_to_num(y)) / one for _, x, y in curves],
                       labels=[plain(label) for label, _, _ in curves], colors=COLOURS, alpha=0.85)
    else:
        for i, (label, x, y) in enumerate(curves):
            kept_x, kept_y = thinned(x, y)
            axis.plot(kept_x / x_one, kept_y / one, color=COLOURS[i % len(COLOURS)], linestyle=DASHES[i % len(DASHES)],
                      marker="o" if np.isfinite(y).sum() == 1 else None, label=plain(label))
    # The strips of sticking and sliding have their room below the curves.
    foot = STRIP * len(panel.sliding) * (shown[1] - shown[0])
    axis.set_ylim((shown[0] - foot) / one, shown[1] / one)
    if panel.over_time:
        x = panel.curves[0][1]
        if len(x) > 1 and x[-1] > x[0]:
            axis.set_xlim(x[0] / x_one, x[-1] / x_one)
        if events is not None:
            mark_events(axis, events, x_one)
        mark_sliding(axis, panel, x_one)
    elif panel.equal:
        axis.set_aspect("equal", adjustable="datalim")
    mark_peaks(axis, dataclasses.replace(panel, curves=curves), shown, one, x_one)
    axis.set_xlabel(with_unit(panel.x_title, x_name))
    write_titles(axis, panel, with_unit(title, unit))
    return shown


def title_lines(title, width):
    """A title in lines that are so many inches wide at most."""
    return textwrap.wrap(title, max(12, int(width / 0.084))) or [title]


def legend_shape(panel, width):
    """(rows, columns) of the legend of a panel so many inches wide; a note takes a row, too."""
    if len(panel.curves) < 2:
        return int(bool(panel.note)), 1
    # A character takes some 0.063 inches, a line's sample 0.46.
    lengths = [0.063 * len(label) + 0.46 for label, _, _ in panel.curves]
    columns = next((n for n in range(len(lengths), 1, -1) if sum(max(lengths[i::n]) for i in range(n)) < width), 1)
    return -(-len(lengths) // columns), columns


def write_titles(axis, panel, title):
    """The quantity above the panel, and below it which curve is whose: never upon the curves."""
    width = axis.get_position().width * axis.figure.get_figwidth()
    rows, columns = legend_shape(panel, width)
    axis.set_title("\n".join(title_lines(title, width)), pad=6 + 72 * LEGEND_ROW * rows, linespacing=1.0)
    if len(panel.curves) > 1:
        axis.legend(loc="lower left", bbox_to_anchor=(0, 1.0), bbox_transform=axis.transAxes, ncol=columns, borderaxespad=0.2,
                    borderpad=0, labelspacing=0.2, handlelength=2.2, columnspacing=1.2, handletextpad=0.5)
    elif panel.note:
        axis.text(0, 1.03, plain(panel.note), transform=axis.transAxes, fontsize=9, color=QUIET)


def key_of(panels, events, series):
    """What the marks mean: handles and texts of the figure's own legend."""
    handles, texts = [], []

    def at(times, which):
        name, one = in_unit("s", times[which])
        return f"{number(times[which] / one)} {name}"

    def add(handle, text):
        handles.append(handle)
        texts.append(plain(text))

    if any(panel.over_time for panel in panels):
        if len(events.made):
            first = "at the start" if events.from_start else at(events.made, 0)
            add(Line2D([], [], color=QUIET, linewidth=0.9), f"contact made: first {first}, {len(events.made)} in all")
        if len(events.lost):
            add(Line2D([], [], color=QUIET, linewidth=0.9, linestyle=(0, (1, 2))),
                f"contact lost: {len(events.lost)} in all, last {at(events.lost, -1)}")
        if events.unseen:
            # Without a mark: it tells what no mark can stand for.
            fell = "touches fall" if events.unseen > 1 else "touch falls"
            add(Line2D([], [], linestyle=""), f"{events.unseen} {fell} between samples: forces not seen")
        if any(panel.sliding for panel in panels):
            speeds = {series.slip_speed(contact) for contact in series.contacts} - {None}
            limit = ", ".join(f"{number(v)} m/s" for v in sorted(speeds))
            add(Patch(color=SLIDES), f"slides: faster than v_stribeck, {limit}")
            rows = max(len(panel.sliding) for panel in panels)
            add(Patch(color=STICKS), "sticks" + (" (a strip for each contact, the first lowest)" if rows > 1 else ""))
    return handles, texts


def placed(panels, columns, width, height, top, foot):
    """A figure with axes for the panels, each row as high as its legends ask: (figure, axes)."""
    wide = (width - SIDE) / columns - LEFT
    rows = [panels[i : i + columns] for i in range(0, len(panels), columns)]
    heads = [0.3 + LEGEND_ROW * max(legend_shape(p, wide)[0] + len(title_lines(f"{p.title} [m{p.unit}]", wide)) - 1 for p in row) for row in rows]
    # One axis of time below all needs its name once.
    feet = [0.3 if columns == 1 and i < len(rows) - 1 else 0.5 for i in range(len(rows))]
    high = top + sum(heads) + sum(feet) + height * len(rows) + foot
    figure, axes, y = pyplot.figure(figsize=(width, high)), [], high - top
    for row, head, below in zip(rows, heads, feet):
        y -= head + height
        for i in range(len(row)):
            axes.append(figure.add_axes((((i + 1) * LEFT + i * wide) / width, y / high, wide / width, height / high)))
        y -= below
    return figure, axes


def figure_of(panels, series, events, columns=1, width=7.5, height=1.5):
    """A figure of panels under one title, those over time with one axis of time. Lengths in inches."""
    handles, texts = key_of(panels, events, series)
    title = textwrap.wrap(series.title(), int(11 * width)) or [""]
    top, foot = 0.1 + 0.2 * len(title), 0.05 + 0.2 * -(-len(handles) // 2)
    figure, axes = placed(panels, columns, width, height, top, foot)
    time_name, time_one = in_unit("s", np.nanmax(np.abs(series.t)))
    for i, (axis, panel) in enumerate(zip(axes, panels)):
        if panel.over_time:
            draw_panel(axis, panel, events, time_one, time_name)
        else:
            finite = [np.abs(x[np.isfinite(x)]).max() for _, x, _ in panel.curves if np.isfinite(x).any()]
            name, one = in_unit(panel.x_unit, max(finite, default=0.0))
            draw_panel(axis, panel, None, one, name)
        if columns == 1 and i < len(panels) - 1:
            axis.set_xlabel("")
    figure.text(0.12 / width, 1 - 0.08 / figure.get_figheight(), "\n".join(map(plain, title)), ha="left", va="top", fontsize=11.5)
    if handles:
        figure.legend(handles, texts, loc="lower left", bbox_to_anchor=(0.01, 0.0), ncol=2, handlelength=2, columnspacing=1.5,
                      labelspacing=0.25, borderaxespad=0.2)
    return figure


def draw_figure(stem, kinds, panels, series, events, **shape):
    """Draws panels into stem.png and so on; nothing where there is nothing to show."""
    panels = [panel for panel in panels if panel.drawable()]
    if not panels:
        return
    figure = figure_of(panels, series, events, **shape)
    for kind in kinds:
        save(figure, stem.with_name(f"{stem.name}.{kind}"))
    pyplot.close(figure)
