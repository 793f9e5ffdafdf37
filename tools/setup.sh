#!/bin/sh
# Installs the Debian packages that are missing, and says nothing when none is.
#   tools/setup.sh [tool|check|all|arm64|bench|docs|python|view|wheel]
# tool: what building takes; check (the default): and what tools/check.sh runs, of npm under build/npm the glTF validator;
# all: and clang-tidy, and what tools/release_test.sh needs;
# arm64: the cross compiler, its libraries, and QEMU, for the preset arm64;
# bench: check, and node with Manifold's npm package, under build/npm, which bench/report.py measures beside us;
# docs: what tools/docs.sh builds the documentation site with, and tools/docs_test.sh tests it with: npm's under build/npm, and chromium.
# python: what tools/python.sh builds and tests the Python package with; wheel: and what tools/wheel.sh needs.
# view: what tools/view_page.sh bundles the viewer page of, and tools/view_test.sh tests it with: npm's under build/npm, and chromium.
set -eu

packages="g++ cmake ninja-build libcgal-dev libeigen3-dev libtbb-dev libboost-dev libbenchmark-dev libgtest-dev
  libcli11-dev nlohmann-json3-dev libexpat1-dev libfmt-dev libhdf5-dev libminizip-dev libmujoco-dev
  libocct-data-exchange-dev libsimbody-dev libssl-dev libtinygltf-dev liburdfdom-dev python3"
manifold=manifold-3d@3.5.4
gltf_validator=gltf-validator@2.0.0-dev.3.10
esbuild=esbuild@0.28.2
playwright=playwright-core@1.65.1
viewer="three@0.187.0 uplot@1.6.32 $esbuild $playwright pngjs@7.0.0"
site="mermaid@10.9.3 $esbuild $playwright sass@1.77.8 mathjax@3.2.2"
docs_packages="chromium doxygen python3-sphinx python3-breathe python3-myst-parser python3-sphinx-copybutton furo"
check_packages="clang clang-format dpkg-dev fish libbullet-dev libclang-rt-dev libopenmpi-dev openmpi-bin pkg-config python3-h5py python3-jsonschema python3-matplotlib python3-numpy python3-scipy python3-vtk9 zsh"
python_packages="mypy python3-numpy python3-matplotlib python3-pytest python3-venv python3-dev python3-setuptools python3-wheel pybind11-dev python3-distributed python3-h5py python3-pandas python3-nbclient python3-ipykernel"
arm64_packages="cmake ninja-build libeigen3-dev libcli11-dev nlohmann-json3-dev python3 g++-aarch64-linux-gnu qemu-user
  libboost-dev:arm64 libcgal-dev:arm64 libfmt-dev:arm64 libgtest-dev:arm64 libtbb-dev:arm64"
case ${1-check} in
  tool) ;;
  check) packages="$packages $check_packages" ;;
  all) packages="$packages $check_packages clang-tidy debootstrap git" ;;
  arm64) packages="$arm64_packages" ;;
  bench) packages="$packages $check_packages" ;;
  docs) packages="$packages $docs_packages" ;;
  python) packages="$packages $python_packages" ;;
  wheel) packages="$packages $python_packages patchelf" ;;
  view) packages=chromium ;;
  *) echo "usage: tools/setup.sh [tool|check|all|arm64|bench|docs|python|view|wheel]" >&2; exit 2 ;;
esac
case ${1-} in
  '' | check | all | bench | docs | view)
    # A node that is no Debian package will do.
    command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 || packages="$packages nodejs npm"
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "setup: not a Debian system; these must be there:" $packages >&2
  exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# quietly WHAT COMMAND...: what the command says is shown when it fails.
quietly() {
  what=$1
  shift
  echo "setup: installing $what" >&2
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    echo "setup: could not install $what" >&2
    exit 1
  fi
}

install_packages() {
  { [ -z "$foreign" ] || $as_root dpkg --add-architecture "$foreign"; } &&
    $as_root apt-get -q update &&
    $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -q -y install --no-install-recommends "$@"
}

# A package may be there for several architectures, and counts for its own only.
missing=
foreign=
native=$(dpkg --print-architecture)
for package in $packages; do
  case $package in
    *:*) wanted=${package#*:} ;;
    *) wanted=$native ;;
  esac
  dpkg-query -W -f='${Architecture} ${db:Status-Status}\n' "$package" 2>/dev/null |
    grep -q -x -e "all installed" -e "$wanted installed" && continue
  missing="$missing $package"
  [ "$wanted" = "$native" ] || foreign=$wanted
done
if [ -n "$missing" ]; then
  if [ "$(id -u)" -eq 0 ]; then
    as_root=
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo -n"
  else
    echo "setup: packages are missing; install them with" >&2
    [ -z "$foreign" ] || echo "  sudo dpkg --add-architecture $foreign && sudo apt-get update" >&2
    echo "  sudo apt-get install --no-install-recommends$missing" >&2
    exit 1
  fi
  quietly "${missing# }" install_packages $missing
fi

folder=$(dirname "$0")/../build/npm

# add_scripts FILE PACKAGE...: installs npm packages together, unless the file, which the last of them brings, is there.
# They stay listed in build/npm/package.json: npm drops what no list names when it installs the next ones. Optional
# dependencies are taken, for esbuild's program is one.
add_scripts() {
  file=$1
  shift
  ! [ -f "$folder/node_modules/$file" ] || return 0
  mkdir -p "$folder"
  quietly "$*" npm install --prefix "$folder" --save-exact --no-audit --no-fund --ignore-scripts "$@"
}

case ${1-check} in
  check | all) add_scripts gltf-validator/index.js "$gltf_validator" ;;
  bench) add_scripts manifold-3d/manifold.js "$manifold" ;;
  docs) add_scripts mathjax/es5/tex-svg-full.js $site ;;
  view) add_scripts pngjs/lib/png.js $viewer ;;
esac
