#!/bin/sh
# Builds the library, measures overlap volumes beside their known values, and writes a page to look at.
set -eu
cd "$(dirname "$0")/.."

sh tools/setup.sh tool

echo "Building what a query needs: some minutes, the first time." >&2
sh tools/build.sh release measure_pairs show_pair
programs=build/release/tools/quickstart
python3 tools/quickstart_table.py $programs/measure_pairs
# The pair of README's picture.
$programs/show_pair data/solids/peg.json data/solids/hole.json \
  "0.0001147 0 -0.0001 0.9999939076577904 0 0.0034906514152237326 0" tools/view/bundle.html build/quickstart.html
cat <<'END'

build/quickstart.html shows the tilted peg in its hole. Open it in a browser: drag to turn, g for the contact.

Next:
  sh tools/build.sh release volcontact_cli   # the command-line tool: build/release/tools/volcontact/volcontact
  sh tools/python.sh                         # the Python package, in build/python/venv
  docs/tutorial.md                           # a part, a contact, a force, a motion, a picture
END
