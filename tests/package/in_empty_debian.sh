#!/bin/sh
# Tries the files of a release in /release, as root in a Debian that has only its base (tools/release_test.sh).
set -eu
cd /release
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

quietly() {
  "$@" >log 2>&1 || { cat log >&2; exit 1; }
}
quietly apt-get -q update

# The wheel first, while no library of ours or of Debian's is there that could stand in for its own.
tar -xzf volcontact-*[0-9].tar.gz
source=$(echo volcontact-*[0-9]/)
quietly apt-get -q -y install --no-install-recommends python3-venv python3-numpy
python3 -m venv --system-site-packages venv
quietly venv/bin/pip install --no-deps --no-index volcontact-*.whl
venv/bin/python "$source/tests/python/installed_wheel.py" /release/venv

quietly apt-get -q -y install --no-install-recommends ./volcontact_*.deb
volcontact --version
volcontact query "$source/data/solids/sphere.json" "$source/data/solids/plane.json" --pose-a 0,0,0.04999,1,0,0,0 |
  grep -F 'volume            1.57069160'
volcontact view "$source/data/solids/sphere.json" "$source/data/solids/plane.json" --pose-a 0,0,0.04999,1,0,0,0 \
  --out contact.html
dpkg --audit

# All files that CMake names are in the archive; one room of sources compiles.
quietly sh "$source/tools/setup.sh" tool
quietly cmake -S "$source" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON \
  -DVOLCONTACT_BUILD_TESTS=OFF -DVOLCONTACT_BUILD_BENCH=OFF
quietly ninja -C build libvolcontact/CMakeFiles/volcontact_query_objects.dir/Unity/unity_src_math_cxx.cxx.o
echo "the source archive configures and compiles"

tar -xzf volcontact-*-site.tar.gz
test -s volcontact-*-site/index.html
