#!/bin/sh
# Configures a preset and builds it: tools/build.sh PRESET [TARGET...]
# Says how far it is: in place on a terminal, a line for every tenth of the work elsewhere. Everything
# that cmake and the compiler say is in build/PRESET.log; what explains a failure is shown.
set -eu
cd "$(dirname "$0")/.."

preset=$1
shift
log=build/$preset.log
mkdir -p build

if ! cmake --preset "$preset" >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi

# Reads what ninja says, "[done/total] step", into the log.
show_progress() {
  start=$(date +%s)
  shown=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    case $line in
      '['[0-9]*/[0-9]*']'*) ;;
      *) continue ;;
    esac
    steps=${line#?}
    steps=${steps%%]*}
    done=${steps%/*}
    total=${steps#*/}
    text="  $done of $total steps built, $(($(date +%s) - start)) s"
    if [ -t 2 ]; then
      printf '\r%s ' "$text" >&2
      shown=1
    elif [ $((10 * done / total)) -ne "$shown" ]; then
      shown=$((10 * done / total))
      printf '%s\n' "$text" >&2
    fi
  done
  if [ -t 2 ] && [ "$shown" -ne 0 ]; then
    echo >&2
  fi
}

failed=build/$preset.failed
rm -f "$failed"
{ cmake --build --preset "$preset" ${1+--target "$@"} 2>&1 || echo "$?" >"$failed"; } | show_progress
[ -f "$failed" ] || exit 0

# From the first failed step on, without the steps that went on beside it.
rm -f "$failed"
sed -n '/^FAILED:/,$p' "$log" | grep -v '^\[' | head -n 60 >&2
echo "The build failed; all it said is in $log." >&2
exit 1
