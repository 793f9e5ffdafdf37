#!/bin/sh
# Tests the viewer page: that it is what its sources make, and what it does in Chromium (VOLCONTACT_CHROMIUM names
# another one than Debian's).
#   tools/view_test.sh [PATTERN]
# PATTERN: only tests with a name like this. Where the release build has `volcontact view`, its pages are tested, too.
set -eu
cd "$(dirname "$0")/.."

sh tools/setup.sh view
mkdir -p build/view
node tools/view/bundle.mjs build/npm/node_modules build/view/bundle.html
if ! cmp -s build/view/bundle.html tools/view/bundle.html; then
  echo "view: tools/view/bundle.html is not what tools/view/src makes; run sh tools/view_page.sh and commit it" >&2
  exit 1
fi
exec node --test --test-concurrency=1 --test-reporter=spec ${1:+--test-name-pattern="$1"} tests/view/*.test.mjs
