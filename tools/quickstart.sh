#!/bin/sh
# Builds the volcontact tool and measures overlap volumes beside their known values.
set -eu
cd "$(dirname "$0")/.."

sh tools/setup.sh tool

tool=build/release/tools/volcontact/volcontact
echo "Building $tool: six minutes on two cores, the first time." >&2
sh tools/build.sh release volcontact_cli
python3 tools/quickstart_table.py "$tool"
