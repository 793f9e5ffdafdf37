#!/bin/sh
# Installs the Debian packages that are missing, and says nothing when none is.
#   tools/setup.sh [tool|check|all]
# tool: what building takes; check (the default): and what tools/check.sh runs; all: and clang and clang-tidy.
set -eu

packages="g++ cmake ninja-build libcgal-dev libeigen3-dev libtbb-dev libboost-dev libbenchmark-dev libgtest-dev
  libcli11-dev nlohmann-json3-dev libfmt-dev libsimbody-dev python3"
check_packages="clang-format pkg-config python3-matplotlib python3-numpy"
case ${1-check} in
  tool) ;;
  check) packages="$packages $check_packages" ;;
  all) packages="$packages $check_packages clang clang-tidy" ;;
  *) echo "usage: tools/setup.sh [tool|check|all]" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "setup: not a Debian system; these must be there:" $packages >&2
  exit 0
fi

missing=
for package in $packages; do
  case $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true) in
    installed) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  echo "setup: packages are missing; install them with" >&2
  echo "  sudo apt-get install --no-install-recommends$missing" >&2
  exit 1
fi

echo "setup: installing$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! {
  $as_root apt-get -q update &&
    $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -q -y install --no-install-recommends $missing
} >"$log" 2>&1; then
  cat "$log" >&2
  echo "setup: could not install$missing" >&2
  exit 1
fi
