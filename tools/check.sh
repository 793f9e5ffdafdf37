#!/bin/sh
# All checks: format, warnings, tests, sanitizers. Each stage says how long the one before took.
#   --fast  without the sanitizers
#   --all   also clang-tidy; built by clang, and as the debug preset (each source by itself), both with
#           all tests; and the tool and the simulator under the sanitizers, not the library alone
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

# Test cases that state the contract and are not met yet, one regular expression a line; each has its
# reason in the comment above it. They are left out here, and listed for whoever mends them.
gaps=$(grep -v -e '^#' -e '^$' tests/known_gaps.txt | paste -s -d '|' -)
[ -n "$gaps" ] || gaps='^$'

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
ctest --preset release -j2 -E "$gaps"

stage "Python package"
sh tools/python.sh

stage "wheel"
sh tools/wheel.sh

stage "viewer page"
sh tools/view_test.sh

stage "documentation site"
sh tools/docs_test.sh

if [ -n "$more" ]; then
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
    ctest --preset "$preset" -j2 -E "$gaps"
  done
fi

[ "$sanitizers" = yes ] || exit 0

# The long tables of poses, pairs and depths tell the sanitizers nothing new: a sample of each is run. Nor does what
# is built on several threads, which the thread sanitizer sees.
tables='MonteCarlo|PatchReach|Continuity|RandomCsg|Oracle/|Families/|Pairs/|Kinds/Law|Kinds/Tolerance|torus|restitution'
tables="$tables|Bases/ManyContacts|ForAnyNumberOfThreads|MeshPatches.FlushCells|PolycubesCount"
tables="$tables|FrictionErrors.ErrorsCount|AgreesWithSumsOverEdges|BatchesAndThreadsGiveTheSameBits|WorldBatch.IsTheSame"
tables="$tables|DenseSamplingOfRandomSolids|MeshAreaOfABox|EdgesInCellsAllocate|WholeCurvesAllocate|MeshArcsOfFiles"
tables="$tables|KeepTheirDigitsAlongACircle|ManyBoxesOnABall|ThatCrossAddUp|LetAHandHoldABall|MakeNoEnergyInRandomModels"
# Limits of time say nothing where all takes ten times as long.
tables="$tables|HoldsForHardScenes|HoldsForMassesOfHardParts"
asan=asan-ubsan
[ -z "$more" ] || asan=asan-ubsan-all
stage "$asan build"
sh tools/build.sh "$asan"
stage "$asan tests"
ctest --preset "$asan" -j2 -E "$gaps|$tables"

# The thread sanitizer sees what runs on several threads. That of older compilers does not start where
# addresses are fully randomised.
fixed_addresses=
if setarch "$(uname -m)" -R true 2>/dev/null; then
  fixed_addresses="setarch $(uname -m) -R"
fi
stage "tsan build"
sh tools/build.sh tsan
stage "tsan tests"
$fixed_addresses ctest --preset tsan -j2 -R '^parallel_test.*(Prepared|Thread|ParallelFor)' -E "$gaps"
