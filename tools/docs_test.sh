#!/bin/sh
# Builds the documentation site and tests it in Chromium (VOLCONTACT_CHROMIUM names another one than Debian's).
#   tools/docs_test.sh [PATTERN]
# PATTERN: only tests with a name like this.
set -eu
cd "$(dirname "$0")/.."

sh tools/docs.sh
exec node --test --test-reporter=spec ${1:+--test-name-pattern="$1"} tests/docs/*.test.mjs
