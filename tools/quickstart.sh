#!/bin/sh
# Builds the library and measures overlap volumes beside their known values.
set -eu
cd "$(dirname "$0")/.."

sh tools/setup.sh tool

echo "Building what a query needs: four minutes on two cores, the first time." >&2
sh tools/build.sh release measure_pairs
python3 tools/quickstart_table.py build/release/tools/quickstart/measure_pairs
cat <<'END'

Next:
  sh tools/build.sh release volcontact_cli   # the command-line tool: build/release/tools/volcontact/volcontact
  sh tools/python.sh                         # the Python package, in build/python/venv
  docs/tutorial.md                           # a part, a contact, a force, a motion, a picture
END
