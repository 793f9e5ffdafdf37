#!/bin/sh
# Tries the files that tools/release.sh made, each in a Debian without anything of ours: the source archive is that of
# the commit, and configures and compiles; the Debian package and the wheel install and answer.
#   tools/release_test.sh [--allow-missing]
# It installs Debian's base into a folder by debootstrap, which only root may do. With --allow-missing it checks only
# the source archive if it is not root, or if debootstrap is missing.
set -eu
cd "$(dirname "$0")/.."

case "$*" in
  "" | --allow-missing) ;;
  *)
    echo "usage: tools/release_test.sh [--allow-missing]" >&2
    exit 2
    ;;
esac
missing=
[ "$(id -u)" -eq 0 ] || missing="root"
command -v debootstrap >/dev/null 2>&1 || missing="${missing:+$missing and }debootstrap"
if [ -n "$missing" ] && [ "$*" != --allow-missing ]; then
  echo "release_test: trying the packages needs $missing, which is missing; run it as root with debootstrap" \
    "installed, or check only the source archive with --allow-missing" >&2
  exit 1
fi

out=$PWD/build/release_files
work=$PWD/build/release_try
(cd "$out" && sha256sum --quiet --check SHA256SUMS)
archive=$(ls "$out"/volcontact-*.tar.gz | grep -v -e '-site')

rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
git clone -q --no-hardlinks . "$work/clone"
name=$(basename "$archive" .tar.gz)
commit=$(gzip -dc "$archive" | git get-tar-commit-id)
git -C "$work/clone" archive --format=tar --prefix="$name/" "$commit" | gzip -n9 | cmp - "$archive"

if [ -n "$missing" ]; then
  echo "release_test: only the source archive was checked: $missing is missing" >&2
  exit 0
fi

root=$work/root
. /etc/os-release
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "$mirror" >"$work/debootstrap.log" || {
  tail "$work/debootstrap.log" >&2
  exit 1
}
mkdir "$root/release"
cp "$out"/* tests/package/in_empty_debian.sh "$root/release"

# A mount that ends with the command.
unshare --mount sh -c 'mount --rbind /proc "$0/proc" && exec chroot "$0" sh /release/in_empty_debian.sh' "$root"
