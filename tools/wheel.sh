#!/bin/sh
# Makes a wheel with the shared libraries that it needs in it, installs it into a fresh environment, and tries it there.
#   tools/wheel.sh
# It lies in build/wheel, and serves this version of Python on machines with this C library or a newer one, and with
# this processor's instructions (VOLCONTACT_ARCH).
set -eu
cd "$(dirname "$0")/.."

sh tools/setup.sh wheel
sh tools/build.sh release volcontact volcontact_identify volcontact_scenario volcontact_sweep

python=${PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=$(command -v python3)
folder=build/wheel
rm -rf "$folder"
mkdir -p "$folder/plain"
"$python" -m venv --system-site-packages "$folder/venv"
log=$folder/build.log
if ! VOLCONTACT_BUILD_DIR="$PWD/build/release" "$folder/venv/bin/pip" wheel --no-build-isolation --no-deps --no-index \
  -w "$folder/plain" ./libvolcontact/python >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
"$folder/venv/bin/python" tools/bundle_wheel.py "$folder"/plain/*.whl "$folder"

start=$(date +%s)
"$folder/venv/bin/pip" install -q --no-deps --no-index "$folder"/*.whl
echo "installed in $(($(date +%s) - start)) s" >&2
"$folder/venv/bin/python" tests/python/installed_wheel.py "$PWD/$folder/venv"
ls "$folder"/*.whl
