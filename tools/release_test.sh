#!/bin/sh
# Tries the files that tools/release.sh made, each in a Debian without anything of ours: the source archive is that of
# the commit, and configures and compiles; the Debian package and the wheel install and answer.
#   tools/release_test.sh
# It installs Debian's base into a folder by debootstrap, which only root may do.
set -eu
cd "$(dirname "$0")/.."

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

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null 2>&1; then
  echo "release: this takes root and debootstrap; left out" >&2
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
