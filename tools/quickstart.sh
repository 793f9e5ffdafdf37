#!/bin/sh
# Builds the volcontact tool and measures overlap volumes beside their known values.
set -eu
cd "$(dirname "$0")/.."

sh tools/setup.sh

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Building build/release/tools/volcontact/volcontact ..." >&2
if ! { cmake --preset release && cmake --build --preset release --target volcontact_cli; } \
  >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi

python3 tools/quickstart_table.py build/release/tools/volcontact/volcontact
