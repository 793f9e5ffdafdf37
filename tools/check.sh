#!/bin/sh
# All checks: format, warnings, tests; with --sanitizers, or where CI is set, the sanitizers too.
set -eu
cd "$(dirname "$0")/.."

sanitizers=${CI:+yes}
case ${1-} in
  '') ;;
  --sanitizers) sanitizers=yes ;;
  *) echo "usage: tools/check.sh [--sanitizers]" >&2; exit 2 ;;
esac

sh tools/setup.sh

echo "== format"
find libvolcontact tools tests bench -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.cpp' \) -print0 |
  xargs -0 -r clang-format --dry-run -Werror

echo "== release"
cmake --preset release -DVOLCONTACT_WERROR=ON
cmake --build --preset release
ctest --preset release -j2

if [ "$sanitizers" = yes ]; then
  # The thread sanitizer of older compilers does not start where addresses are fully randomised.
  fixed_addresses=
  if setarch "$(uname -m)" -R true 2>/dev/null; then
    fixed_addresses="setarch $(uname -m) -R"
  fi
  for preset in asan-ubsan tsan; do
    echo "== $preset"
    cmake --preset "$preset"
    cmake --build --preset "$preset"
    $fixed_addresses ctest --preset "$preset" -j2
  done
fi
