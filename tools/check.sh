#!/bin/sh
# All checks: format, warnings, tests; with --sanitizers the sanitizers too.
set -eu
cd "$(dirname "$0")/.."

sanitizers=
case ${1-} in
  '') ;;
  --sanitizers) sanitizers=yes ;;
  *) echo "usage: tools/check.sh [--sanitizers]" >&2; exit 2 ;;
esac

sh tools/setup.sh

# Test cases that state the contract and are not met yet, one regular expression a line; each has its
# reason in the comment above it. They are left out here, and listed for whoever mends them.
gaps=$(grep -v -e '^#' -e '^$' tests/known_gaps.txt | paste -s -d '|' -)
[ -n "$gaps" ] || gaps='^$'

echo "== format"
find libvolcontact tools tests bench -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.cpp' \) -print0 |
  xargs -0 -r clang-format --dry-run -Werror

echo "== release"
cmake --preset release -DVOLCONTACT_WERROR=ON
cmake --build --preset release
ctest --preset release -j2 -E "$gaps"

if [ "$sanitizers" = yes ]; then
  # The thread sanitizer of older compilers does not start where addresses are fully randomised.
  fixed_addresses=
  if setarch "$(uname -m)" -R true 2>/dev/null; then
    fixed_addresses="setarch $(uname -m) -R"
  fi
  # The tables of many poses, pairs and depths tell the sanitizers nothing new, and take them long.
  heavy='interference_test.(Families|Kinds|Oracle|Sample|Pairs)'
  for preset in asan-ubsan tsan; do
    echo "== $preset"
    cmake --preset "$preset"
    cmake --build --preset "$preset"
    $fixed_addresses ctest --preset "$preset" -j2 -E "$gaps|$heavy"
  done
fi
