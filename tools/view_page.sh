#!/bin/sh
# Bundles the viewer page, which `volcontact view` puts scenes into, as build/view/page.html.
#   tools/view_page.sh [--no-setup]
set -eu
cd "$(dirname "$0")/.."

case ${1-} in
  '') sh tools/setup.sh view ;;
  --no-setup) ;;
  *) echo "usage: tools/view_page.sh [--no-setup]" >&2; exit 2 ;;
esac

mkdir -p build/view
node tools/view/bundle.mjs build/npm/node_modules build/view/page.html
