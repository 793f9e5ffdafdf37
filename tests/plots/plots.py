#!/usr/bin/env python3
"""Holds the pictures of runs and fits to what docs/scenarios.md says of them. Needs matplotlib, else exits with 77.

    plots.py
"""

import csv
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

try:
    import matplotlib  # noqa: F401
    import numpy as np
except ImportError:
    sys.exit(77)

import plot_fit  # noqa: E402
import plot_panels  # noqa: E402
import plot_run  # noqa: E402
import plot_style  # noqa: E402
from plot_series import Events, Series, spoken  # noqa: E402

STEMS = ("trajectory", "velocities", "forces", "energies", "overview", "plot_0")


def bouncing(rows=400):
    """Columns of a ball that falls on a floor, rebounds and rests; the impact pushes a thousand times its weight."""
    t = np.linspace(0.0, 2.0, rows)
    impact = (t > 0.5) & (t < 0.51)
    rest = t > 1.0
    touching = (impact | rest).astype(float)
    made = np.cumsum(np.diff(touching, prepend=0) > 0).astype(float)
    force = np.where(rest, 2 + 0.5 * np.sin(9 * t), 0) + 2000.0 * impact
    zero = np.zeros(rows)
    columns = {"t": t, "ball.x": 1e-4 * t, "ball.y": zero, "ball.z": np.maximum(1 - t, 0) ** 2}
    columns |= {"ball.vx": zero + 1e-4, "ball.vy": zero, "ball.vz": np.minimum(2 * t - 2, 0)}
    columns |= {"ball.wx": zero, "ball.wy": t, "ball.wz": zero}
    columns |= {"c0.touching": touching, "c0.touches": made, "c0.volume": 1e-9 * force, "c0.fn": force}
    columns |= {"c0.ft": 0.1 * force, "c0.vt": np.where(t < 1.5, 0.1, 0.0)}
    columns |= {"energy.kinetic": t, "energy.potential": -t, "energy.elastic": zero, "energy.dissipated_damping": t**2}
    columns |= {"energy.dissipated_bristle": t, "energy.work": zero, "energy.residual": 1e-13 * t}
    return columns


class RunFolder(unittest.TestCase):
    """A folder such as simulate leaves it."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def write(self, columns, title="A ball", variant=""):
        with (self.folder / "timeseries.csv").open("w", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*columns.values()))
        self.dump("summary.json", {"title": title, "variant": variant, "energy": {"put_in": 2.0}})
        friction = {"law": "bristle", "v_stribeck": 0.01}
        self.dump("run_scenario.json", {"contacts": [{"name": "c0", "a": "ball", "b": "the_floor", "friction": friction}]})
        curve = {"label": "ball.z", "expression": "ball.z", "y": list(columns["ball.z"])}
        plot = {"title": "Height", "x": list(columns["t"]), "x_label": "t [s]", "y_label": "[m]", "curves": [curve]}
        self.dump("plots.json", [plot])

    def dump(self, name, value):
        (self.folder / name).write_text(json.dumps(value), encoding="utf-8")

    def figure(self, panels):
        series = Series(self.folder)
        figure = plot_panels.figure_of(panels(series), series, Events(series))
        self.addCleanup(plot_style.pyplot.close, figure)
        return figure

    def refusal(self):
        with self.assertRaises(plot_style.Problem) as caught:
            plot_run.draw(self.folder, ["png"])
        self.assertNotIn("\n", str(caught.exception))
        return str(caught.exception)


class Runs(RunFolder):
    def test_frames_that_sensors_see_are_no_bodies(self):
        columns = bouncing()
        columns |= {"seen" + name[4:]: values for name, values in list(columns.items()) if name.startswith("ball.")}
        self.write(columns)
        self.assertEqual(Series(self.folder).bodies(), ["ball", "seen"])
        self.dump("run_scenario.json", {"sensors": [{"name": "seen", "type": "pose", "body": "ball"}]})
        self.assertEqual(Series(self.folder).bodies(), ["ball"])

    def test_both_kinds_are_written_and_repeat(self):
        self.write(bouncing())
        plot_run.draw(self.folder, ["png", "svg"])
        files = {f"{stem}.{kind}" for stem in STEMS for kind in ("png", "svg")}
        self.assertEqual(files, {path.name for path in self.folder.glob("*.*g")})
        kept = (self.folder / "plot_0.svg").read_bytes()
        series = Series(self.folder)
        plot_panels.draw_figure(self.folder / "plot_0", ["svg"], plot_run.own_panels(series), series, Events(series), height=3.0)
        self.assertEqual(kept, (self.folder / "plot_0.svg").read_bytes())

    def test_every_panel_carries_its_quantity_and_unit_in_words(self):
        self.write(bouncing())
        series = Series(self.folder)
        force = self.figure(plot_run.force_panels)
        titles = [axis.get_title(loc="left") for axis in force.axes]
        self.assertIn("Normal force, ball on the floor [N]", titles)
        self.assertIn("Overlap volume, ball on the floor [mm³]", titles)
        panels = plot_run.components(series, ("x", "y", "z"), "Position", "m")[0] + plot_run.energy_panels(series)
        for axis in self.figure(lambda _: panels).axes:
            self.assertRegex(axis.get_title(loc="left"), r"\[\S+\]$")
        # What stands still, y, has no panel.
        self.assertEqual(["Position x of ball", "Position z of ball"], [p.title for p in panels if p.unit == "m"])

    def test_first_contact_separation_and_sliding_are_marked(self):
        self.write(bouncing())
        events = Events(Series(self.folder))
        self.assertEqual((2, 1), (len(events.made), len(events.lost)))
        self.assertAlmostEqual(0.501, events.made[0], delta=0.01)
        figure = self.figure(plot_run.force_panels)
        for axis in figure.axes:
            at = sorted(line.get_xdata()[0] for line in axis.lines if line.get_gid() == "event")
            np.testing.assert_allclose(at, sorted([*events.made, *events.lost]))
        key = " ".join(text.get_text() for text in figure.legends[0].get_texts())
        for part in ("contact made: first 0.501 s, 2 in all", "contact lost: 1 in all", "slides: faster than v_stribeck", "sticks"):
            self.assertIn(part, key)

    def test_a_contact_between_two_rows_is_an_event(self):
        columns = bouncing()
        columns["c0.touching"] = np.zeros(400)
        columns["c0.touches"] = np.where(columns["t"] > 0.7, 1.0, 0.0)
        self.write(columns)
        self.assertEqual(1, len(Events(Series(self.folder)).made))
        # No row has seen it; of three at once, one of which lasts, two.
        self.assertEqual(1, Events(Series(self.folder)).unseen)
        key = self.figure(plot_run.force_panels).legends[0].get_texts()
        self.assertIn("1 touch falls between samples: forces not seen", [text.get_text() for text in key])
        columns["c0.touching"], columns["c0.touches"] = (columns["t"] > 0.7) * 1.0, np.where(columns["t"] > 0.7, 3.0, 0.0)
        self.write(columns)
        self.assertEqual(2, Events(Series(self.folder)).unseen)

    def test_names_keep_what_tells_them_apart(self):
        self.assertEqual(("ground_", "ground", "the big floor", "_a", "x"), tuple(map(spoken, ("ground_", "ground", "the_big_floor", "_a", "x"))))

    def test_names_of_others_are_text(self):
        title = r"$\frac{$ </text><script>alert(1)</script> \alpha_{" + "\n\x07" + "<b>"
        self.write(bouncing(), title, "v$_{&")
        plot_run.draw(self.folder, ["svg"])
        text = (self.folder / "overview.svg").read_text(encoding="utf-8")
        self.assertNotIn("<script>", text)
        self.assertIn("alert(1)", text)

    def test_one_row_and_columns_of_nan(self):
        self.write(bouncing(1))
        plot_run.draw(self.folder, ["png"])
        columns = bouncing()
        for name in ("ball.z", "c0.ft", "energy.kinetic"):
            columns[name] = np.full(400, np.nan)
        columns["c0.fn"][100:150] = np.nan
        self.write(columns)
        plot_run.draw(self.folder, ["png"])

    def test_what_cannot_be_drawn_is_said_in_one_line(self):
        self.assertIn("timeseries.csv: cannot be read", self.refusal())
        columns = bouncing()
        self.write({name: [] for name in columns})
        self.assertIn("has no rows", self.refusal())
        (self.folder / "timeseries.csv").write_text("")
        self.assertIn("not a time series", self.refusal())
        (self.folder / "timeseries.csv").write_text("t,ball.x\n0,1\n0.1,apple\n")
        self.assertIn("timeseries.csv: ", self.refusal())
        (self.folder / "timeseries.csv").write_text("t,ball.x\n0,1,2\n")
        self.assertIn("3 columns, its header 2", self.refusal())
        self.write(columns)
        (self.folder / "plots.json").write_text("{")
        self.assertIn("plots.json: is not valid JSON", self.refusal())


class Limits(unittest.TestCase):
    def test_an_impact_of_a_thousand_times_the_rest_does_not_flatten_it(self):
        t = np.linspace(0, 10, 5000)
        rest = np.sin(t)
        impact = rest + np.where((t > 4) & (t < 4.02), 1000.0, 0)
        low, high, cut_low, cut_high = plot_style.limits([impact])
        self.assertEqual((False, True), (cut_low, cut_high))
        self.assertGreater(2.0 / (high - low), 0.3)  # what the rest has of the panel
        self.assertLess(low, -1)
        # Another way: without the impact, nothing is cut.
        self.assertEqual((False, False), plot_style.limits([rest])[2:])

    def test_where_the_impact_is_all_there_is_it_is_shown_whole(self):
        t = np.linspace(0, 1, 3000)
        pulse = 1e5 * np.exp(-(((t - 0.1) / 0.01) ** 2))
        low, high, *cut = plot_style.limits([pulse], from_zero=True)
        self.assertEqual([False, False], cut)
        self.assertGreaterEqual(high, pulse.max())

    def test_the_cut_is_stated_with_the_peak(self):
        t = np.linspace(0, 10, 5000)
        y = 20 + np.sin(t) + np.where((t > 4) & (t < 4.02), 1500.0, 0)
        figure, axis = plot_style.pyplot.subplots()
        self.addCleanup(plot_style.pyplot.close, figure)
        shown = plot_panels.draw_panel(axis, plot_panels.Panel("Force", "N", [("", t, y)], from_zero=True, cut=True))
        self.assertTrue(shown[3])
        texts = [text.get_text() for text in axis.texts]
        self.assertTrue(any("highest sample 1520 N" in text or "highest sample 1519 N" in text for text in texts), texts)
        self.assertIn("cut off", texts[0])
        self.assertIn("^", [line.get_marker() for line in axis.lines])

    def test_thinning_loses_no_peak_and_no_gap(self):
        y = np.zeros(1_000_000)
        y[123_457], y[765_431], y[500_000] = 7.0, -3.0, np.nan
        x, kept = plot_style.thinned(np.arange(1e6), y)
        self.assertLess(len(x), 4000)
        self.assertEqual((7.0, -3.0), (np.nanmax(kept), np.nanmin(kept)))
        self.assertEqual(123_457, x[np.nanargmax(kept)])
        self.assertTrue(np.isnan(kept).any())

    def test_units_have_engineers_prefixes(self):
        for unit, size, expected in (("m", 0.0021, ("mm", 1e-3)), ("m", 1.5, ("m", 1.0)), ("N", 2.5e4, ("kN", 1e3)), ("J", 3e-13, ("fJ", 1e-15)),
                                     ("m^3", 2e-9, ("mm³", 1e-9)), ("rad", 1e-5, ("rad", 1.0)), ("N·m", 2e-3, ("mN·m", 1e-3)),
                                     ("m/s", 0.0, ("m/s", 1.0)), ("m", float("nan"), ("m", 1.0)), ("s", 1e-3, ("ms", 1e-3)), ("s/m", 8e4, ("s/m", 1.0))):
            name, one = plot_style.in_unit(unit, size)
            self.assertEqual(expected[0], name)
            self.assertAlmostEqual(1.0, one / expected[1], places=12)


class Fits(unittest.TestCase):
    def drawing(self):
        x = [0.001, 0.002, 0.003]
        return {"title": "A $fit <b>", "panels": [{
            "x": "position [m]", "y": "force [N]",
            "series": [{"style": "marks", "label": "measured", "x": x, "y": [1.0, 2.1, 2.9]},
                       {"style": "line", "label": "law", "x": x, "y": [1.0, 2.0, 3.0]}],
            "residuals": [{"label": "law", "x": x, "y": [0.0, 0.1, -0.1], "scatter": 0.1}]}],
            "parameters": {"stiffness": {"value": 1000.0, "unit": "N/m^3", "standard_error": 12.0},
                           "offset": {"value": None, "unit": "N"}}}

    def test_data_have_bars_residuals_units_and_parameters_their_errors(self):
        figure = plot_fit.figure_of(self.drawing())
        self.addCleanup(plot_style.pyplot.close, figure)
        data, left_over = figure.axes
        self.assertEqual("Force [N]", data.get_title(loc="left"))
        self.assertTrue(data.containers, "no error bars")
        self.assertEqual("position [mm]", left_over.get_xlabel())
        self.assertIn("measured less fitted [N]; bars and band: scatter about the fit, ±0.1", left_over.get_title(loc="left"))
        texts = [text.get_text() for text in figure.texts]
        for part in ("1000 ± 12", "N/m³", "not determined"):
            self.assertIn(part, texts)

    def test_values_have_the_digits_that_their_errors_leave(self):
        def text(value, error):
            return plot_fit.value_text({"value": value, "standard_error": error})

        self.assertEqual("(7.551 ± 0.019)·10¹³", text(7.551e13, 1.9e11))
        self.assertEqual("(3.960 ± 0.087)·10⁻⁴", text(3.96e-4, 8.7e-6))
        self.assertEqual("0.1898 ± 0.0013", text(0.1898, 0.0013))
        self.assertEqual("0.0 ± 2.0", text(0.0, 2.0))
        self.assertEqual("5", text(5.0, None))

    def test_what_cannot_be_written_is_said(self):
        for name in ("no/such/folder/fit.svg", "fit.gif"):
            with mock.patch.object(sys, "argv", ["plot_fit.py", name]), mock.patch.object(sys, "stdin", io.StringIO(json.dumps(self.drawing()))):
                with self.assertRaises(SystemExit) as caught:
                    plot_fit.main()
            self.assertNotIn("\n", str(caught.exception))
            self.assertTrue(str(caught.exception).startswith(name + ": "), caught.exception)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
