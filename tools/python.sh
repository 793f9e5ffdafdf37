#!/bin/sh
# Installs the Python package into a fresh virtual environment and runs its tests there.
#   tools/python.sh [PYTEST ARGUMENTS]
# The module is compiled in the folder of the release preset, whose library it links. numpy, pytest and the like are
# Debian's, which the environment sees; PYTHON names another interpreter that has them.
set -eu
cd "$(dirname "$0")/.."

sh tools/setup.sh python
sh tools/build.sh release volcontact volcontact_identify volcontact_scenario volcontact_sweep

python=${PYTHON:-/usr/bin/python3}
[ -x "$python" ] || python=$(command -v python3)
environment=build/python/venv
log=build/python/install.log
rm -rf build/python libvolcontact/python/build
mkdir -p build/python
"$python" -m venv --system-site-packages "$environment"
if ! VOLCONTACT_BUILD_DIR="$PWD/build/release" "$environment/bin/pip" install --no-build-isolation --no-deps \
  --no-index ./libvolcontact/python >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
MPLBACKEND=agg exec "$environment/bin/python" -m pytest -q -p no:cacheprovider tests/python "$@"
