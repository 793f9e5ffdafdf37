#!/bin/sh
# All checks: format, warnings, tests, sanitizers. Each stage says how long the one before took.
#   --fast  without the sanitizers
#   --all   also clang-tidy; the benchmarks; built by clang, and as the debug preset (each source by itself), both with
#           all tests; the tool and the simulator under the sanitizers, not the library alone; the files of a
#           release, made and tried in an empty Debian; and the core for arm64, tried in QEMU
set -eu
cd "$(dirname "$0")/.."

sanitizers=yes
more=
case ${1-} in
  '') ;;
  --fast) sanitizers= ;;
  --all) more=yes ;;
  *) echo "usage: tools/check.sh [--fast|--all]" >&2; exit 2 ;;
esac

sh tools/setup.sh "$([ -n "$more" ] && echo all || echo check)"

# names FILE: the parts of names of tests that it lists, one a line.
names() {
  grep -v -e '^#' -e '^$' "$1" || true
}
# Test cases that state the contract and are not met yet: left out here, and listed for whoever mends them.
gaps=$(names tests/known_gaps.txt | paste -s -d '|' -)
[ -n "$gaps" ] || gaps='^$'
# The same for executables that run in parts: GoogleTest leaves cases out of these, not ctest.
gap_patterns=$(names tests/known_gaps.txt | sed 's/.*/*&*/' | paste -s -d ':' -)

start=$(date +%s)
stage_start=$start
stage_name=
stage() {
  now=$(date +%s)
  [ -z "$stage_name" ] || echo "   $stage_name took $((now - stage_start)) s, all so far $((now - start)) s"
  stage_start=$now
  stage_name=$1
  echo "== $1"
}

stage "format"
find libvolcontact tools tests bench -type f \
  \( -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.js' -o -name '*.mjs' \) -print0 |
  xargs -0 -r clang-format --dry-run -Werror

# In the folder of tools/quickstart.sh, with the same flags: what that has built is built.
stage "release build"
sh tools/build.sh release

stage "release tests"
GTEST_FILTER="-$gap_patterns" ctest --preset release -j2 -E "$gaps"

# Most of both uses one processor: side by side. What they install, before: one at a time can.
stage "Python package and wheel; beside them viewer page and documentation site"
for packages in wheel view docs; do sh tools/setup.sh "$packages"; done
pages_log=build/pages.log
{ sh tools/view_test.sh && sh tools/docs_test.sh; } >"$pages_log" 2>&1 &
pages=$!
python_failed=
{ sh tools/python.sh && sh tools/wheel.sh; } || python_failed=yes
pages_failed=
wait "$pages" || pages_failed=yes
cat "$pages_log"
if [ -n "$python_failed$pages_failed" ]; then
  echo "check: ${python_failed:+the Python package or the wheel failed}${pages_failed:+ the pages failed}" >&2
  exit 1
fi

if [ -n "$more" ]; then
  stage "files of a release"
  if [ -z "$(git status --porcelain)" ]; then
    sh tools/release.sh --trial
    sh tools/release_test.sh
  else
    echo "   left out: a release is made of what is committed, and there are other changes"
  fi
  stage "benchmarks"
  sh tools/build.sh release benches
  stage "arm64"
  sh tools/setup.sh arm64
  sh tools/build.sh arm64
  ctest --preset arm64 -j2 -E "$gaps"
  python3 -B tests/arm64/same_bits.py build/release/tools/volcontact/volcontact build/arm64/tools/volcontact/volcontact
  for preset in clang debug; do
    stage "$preset build"
    sh tools/build.sh "$preset"
    if [ "$preset" = clang ]; then
      # 12 minutes of processor time, most for headers: too long for the plain check. Reads the commands of
      # clang, which takes some flags of gcc for errors.
      stage "clang-tidy"
      python3 tools/tidy.py build/clang
    fi
    stage "$preset tests"
    GTEST_FILTER="-$gap_patterns" ctest --preset "$preset" -j2 -E "$gaps"
  done
fi

[ "$sanitizers" = yes ] || exit 0

# Each test executable runs in a few parts.
left_out=$(names tests/sanitizers_leave_out.txt | sed 's/.*/*&*/' | paste -s -d ':' -):$gap_patterns

asan=asan-ubsan
[ -z "$more" ] || asan=asan-ubsan-all
stage "$asan build"
sh tools/build.sh "$asan"
stage "$asan tests"
GTEST_FILTER="-$left_out" ctest --preset "$asan" -j2 -E "$gaps"

# The thread sanitizer sees what runs on several threads. That of older compilers does not start where
# addresses are fully randomised.
fixed_addresses=
if setarch "$(uname -m)" -R true 2>/dev/null; then
  fixed_addresses="setarch $(uname -m) -R"
fi
stage "tsan build"
sh tools/build.sh tsan
stage "tsan tests"
GTEST_FILTER="*Prepared*:*Thread*:*ParallelFor*-$gap_patterns" $fixed_addresses ctest --preset tsan -j2
