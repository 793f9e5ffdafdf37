#!/bin/sh
# Makes the files of a release in build/release_files: source archive, Debian package, wheel, site, notes, checksums.
#   tools/release.sh [--trial]
# The version is that of version.h. Changes that are not committed are refused, and so is a changelog whose newest
# section is not that version; --trial takes "Unreleased" for its notes. Source archive and notes have the same bytes
# wherever they are made from one commit.
set -eu
cd "$(dirname "$0")/.."

trial=
case ${1-} in
  '') ;;
  --trial) trial=--trial ;;
  *) echo "usage: tools/release.sh [--trial]" >&2; exit 2 ;;
esac

changed=$(git status --porcelain)
if [ -n "$changed" ]; then
  printf 'release: commit or remove these changes first:\n%s\n' "$changed" >&2
  exit 1
fi

out=build/release_files
work=build/release_work
rm -rf "$out" "$work"
mkdir -p "$out" "$work"
version=$(python3 -B tools/release_notes.py $trial "$out/notes.md")
name=volcontact-$version
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

# Without a name or a time of its own in the compressed file, so that its bytes follow from the commit alone.
git archive --format=tar --prefix="$name/" HEAD | gzip -n9 >"$out/$name.tar.gz"

for packages in check wheel docs; do sh tools/setup.sh "$packages"; done
sh tools/build.sh release
if ! cpack -G DEB -C Release --config build/release/CPackConfig.cmake -B "$work" >"$work/cpack.log" 2>&1; then
  cat "$work/cpack.log" >&2
  exit 1
fi
cp "$work"/volcontact_"$version"_*.deb "$out"

sh tools/wheel.sh
cp build/wheel/"$name"-*.whl "$out"

sh tools/docs.sh --no-setup
tar --create --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
  --mode=go=rX,u=rwX --directory=build/site --transform="s,^html,$name-site," html | gzip -n9 >"$out/$name-site.tar.gz"

(cd "$out" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
ls -l "$out"
