"""A run as the pictures need it: its columns, the names of its bodies and contacts, its events."""

import json
import re

from plot_style import Problem, np

NAMES = {
    "x": ("position x", "m"),
    "y": ("position y", "m"),
    "z": ("position z", "m"),
    "vx": ("velocity x", "m/s"),
    "vy": ("velocity y", "m/s"),
    "vz": ("velocity z", "m/s"),
    "wx": ("angular velocity x", "rad/s"),
    "wy": ("angular velocity y", "rad/s"),
    "wz": ("angular velocity z", "rad/s"),
    "volume": ("overlap volume", "m³"),
    "depth": ("depth", "m"),
    "fn": ("normal force", "N"),
    "ft": ("friction force", "N"),
    "fx": ("force x", "N"),
    "fy": ("force y", "N"),
    "fz": ("force z", "N"),
    "rolling": ("rolling resistance", "N·m"),
    "spinning": ("spinning resistance", "N·m"),
    "vn": ("normal speed", "m/s"),
    "vt": ("sliding speed", "m/s"),
    "wn": ("relative spin", "rad/s"),
    "s_dw": ("dwell", "1"),
    "cells": ("contacts of cells", "1"),
    "angle": ("angle", "rad"),
    "angle_rate": ("rate of the angle", "rad/s"),
    "distance": ("distance", "m"),
    "power": ("power", "W"),
}
ENERGIES = {
    "kinetic": "kinetic",
    "potential": "potential",
    "elastic": "elastic",
    "work": "work of loads, motors and drives",
    "elastic_work": "work of elastic forces without potential",
    "dissipated_damping": "normal damping",
    "dissipated_rolling": "rolling resistance",
    "dissipated_bristle": "bristle damping",
    "dissipated_viscous": "viscous friction",
    "dissipated_spin": "spinning friction",
    "dissipated_clutch": "sliding clutch",
    "dissipated_joint": "joints, springs and bushings",
    "dissipated_separation": "left in springs at separation",
    "residual": "residual of the ledger",
}


def spoken(name):
    """A name with spaces for the underscores within; those at its ends tell it from others."""
    return re.sub(r"(?<=[^_])_(?=[^_])", " ", name)


class Series:
    """The run in a folder. Throws Problem for what cannot be drawn."""

    def __init__(self, folder):
        self.folder = folder
        self.summary = self._json("summary.json", {})
        self.scenario = self._json("run_scenario.json", {})
        self.plots = self._json("plots.json", [])
        self.columns = self._table("timeseries.csv")
        self.t = self.columns["t"]
        self.contacts = self._contacts()

    def _json(self, name, default):
        path = self.folder / name
        if not path.exists():
            return default
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise Problem(f"{path}: is not valid JSON: {error}") from None

    def _table(self, name):
        path = self.folder / name
        try:
            with path.open(encoding="utf-8") as stream:
                names = stream.readline().strip().split(",")
                first = stream.readline()
        except OSError as error:
            raise Problem(f"{path}: cannot be read: {error.strerror}") from None
        if "t" not in names:
            raise Problem(f"{path}: has no column t; it is not a time series of simulate")
        if not first.strip():
            raise Problem(f"{path}: has no rows; there is nothing to draw")
        try:
            table = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
        except ValueError as error:
            raise Problem(f"{path}: {error}") from None
        if table.shape[1] != len(names):
            raise Problem(f"{path}: its rows have {table.shape[1]} columns, its header {len(names)}")
        return {column: table[:, i] for i, column in enumerate(names)}

    def _contacts(self):
        """The names of contacts as a reader would say them: "ball on table"."""
        sides = {c.get("name", ""): (c.get("a", ""), c.get("b", "")) for c in self.scenario.get("contacts", [])}
        pairs = list(sides.values())
        named = {}
        for contact in self.owners("fn"):
            a, b = sides.get(contact, ("", ""))
            named[contact] = f"{spoken(a)} on {spoken(b)}" if a and b else spoken(contact)
            if pairs.count((a, b)) > 1:
                named[contact] += f" ({spoken(contact)})"
        return named

    def owners(self, column):
        """The bodies or contacts that have a column."""
        suffix = "." + column
        return [name[: -len(suffix)] for name in self.columns if name.endswith(suffix)]

    def bodies(self):
        """Not the frames that sensors see move."""
        sensors = {sensor.get("name", "") for sensor in self.scenario.get("sensors", [])}
        return [name for name in self.owners("vx") if name not in sensors]

    def __getitem__(self, column):
        return self.columns[column]

    def title(self):
        parts = (self.summary.get("title", ""), self.summary.get("variant", ""))
        return " – ".join(part for part in parts if part)

    def named(self, expression):
        """(name, unit) of an expression over the columns as a reader would write it; unit "" where it is not known."""
        text = expression.strip()
        owner, _, column = text.rpartition(".")
        if text in self.columns and owner == "energy":
            return ENERGIES.get(column, spoken(column)) + " energy" * (column in ("kinetic", "potential", "elastic")), "J"
        if text in self.columns and column in NAMES:
            name, unit = NAMES[column]
            who = f", {self.contacts[owner]}" if owner in self.contacts else f" of {spoken(owner)}"
            return name + who, unit
        return text, ""

    def slip_speed(self, contact):
        """The speed below which a contact with bristles sticks [m/s], v_stribeck, or None."""
        for found in self.scenario.get("contacts", []):
            if found.get("name") == contact:
                friction = found.get("friction") or {}
                return friction.get("v_stribeck") if friction.get("law") == "bristle" else None
        return None


class Events:
    """Times at which contacts were made and lost, of all contacts together, and how many touches no row has seen."""

    def __init__(self, series):
        made, lost = [], []
        t = series.t
        self.from_start, self.unseen = False, 0
        for contact in series.contacts:
            touching = series.columns.get(f"{contact}.touching")
            touches = series.columns.get(f"{contact}.touches")
            if touching is None or touches is None:
                continue
            self.from_start |= touching[0] > 0
            # A contact between two rows counts, too: only `touches` tells.
            begun = np.diff(touches, prepend=0.0 if touching[0] > 0 else touches[0])
            made.append(t[begun > 0])
            # This row sees the last contact since the row before, if that lasts.
            self.unseen += int(np.nansum(np.maximum(begun - (touching > 0), 0)))
            lost.append(t[1:][(touching[1:] <= 0) & ((touching[:-1] > 0) | (np.diff(touches) > 0))])
        self.made = np.sort(np.concatenate(made)) if made else np.array([])
        self.lost = np.sort(np.concatenate(lost)) if lost else np.array([])
