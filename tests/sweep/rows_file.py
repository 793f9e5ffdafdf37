#!/usr/bin/env python3
"""Reads what `volcontact sweep` writes as others do: rows.h5 by h5py, against rows.csv and the reductions.

    rows_file.py TOOL SWEEP.json
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy
except ImportError as error:
    print(f"SKIPPED: {error}; install python3-h5py")
    sys.exit(0)


def main():
    tool, sweep = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run"
        arguments = [sweep, "--out", str(out), "--csv", "--compress", "--set", "over.rows=40000"]
        subprocess.run([tool, "sweep", *arguments], check=True, timeout=100, capture_output=True)
        with open(out / "rows.csv", encoding="utf-8", newline="") as stream:
            names, *lines = csv.reader(stream)
        reductions = json.loads((out / "reductions.json").read_text(encoding="utf-8"))
        with h5py.File(out / "rows.h5") as rows:
            columns = {name: rows[name][:] for name in rows}
            units = {name: rows[name].attrs["units"] for name in rows if name != "status"}
            codes = h5py.check_enum_dtype(rows["status"].dtype)
    assert names[:2] == ["row", "status"] and len(lines) == 40000
    assert codes == {"ok": 0, "not_converged": 1, "failed": 2}, codes
    assert [line[0] for line in lines] == [str(i) for i in range(40000)]
    assert [codes[line[1]] for line in lines] == columns["status"].tolist()
    for i, name in enumerate(names[2:], 2):
        name, _, unit = name.partition(" ")
        assert units.pop(name) == unit.strip("[]"), (name, unit)
        values = numpy.array([float(line[i] or "nan") for line in lines])
        assert numpy.array_equal(values, columns[name], equal_nan=True), name
    assert not units, units
    for answer in reductions["reductions"].values():
        values = columns[answer["moments"]]
        assert abs(values.mean() - answer["mean"]) <= 1e-13 * abs(answer["mean"])
        assert abs(values.var(ddof=1) - answer["variance"]) <= 1e-12 * answer["variance"]
    print(f"{len(lines)} rows, {len(columns)} data sets")


if __name__ == "__main__":
    main()
