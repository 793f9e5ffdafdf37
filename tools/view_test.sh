#!/bin/sh
# Bundles the viewer page and tests it in Chromium (VOLCONTACT_CHROMIUM names another one than Debian's).
#   tools/view_test.sh [PATTERN]
# PATTERN: only tests with a name like this. Where the release build has `volcontact view`, its pages are tested, too.
set -eu
cd "$(dirname "$0")/.."

sh tools/view_page.sh
exec node --test --test-concurrency=1 --test-reporter=spec ${1:+--test-name-pattern="$1"} tests/view/*.test.mjs
