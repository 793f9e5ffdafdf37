#!/bin/sh
# Bundles the viewer page, which `volcontact view` puts scenes into, as tools/view/bundle.html. The repository has that
# file, so that only who changes the page needs node and npm.
set -eu
cd "$(dirname "$0")/.."

sh tools/setup.sh view
node tools/view/bundle.mjs build/npm/node_modules tools/view/bundle.html
