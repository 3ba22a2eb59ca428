#!/bin/bash
# sysroot.sh ARCH DIR: the libraries of packages.txt for another machine, unpacked into DIR
#
# ARCH is Debian's name of it (arm64, s390x). In DIR the compiler (--sysroot=DIR) finds headers and libraries.
# apt fetches and verifies them from the sources of this machine, whose own packages stay as they are: it
# works on lists of its own, below DIR/apt, where nothing is installed. DIR/packages says which versions these
# are. Needs no root.
set -euo pipefail
arch=$1
folder=$(realpath -m "$2")
mapfile -t packages < <(awk '$1 ~ /^(build|test)$/ && $2 ~ /^(lib|zlib).*-dev$/ { print $2 }' scripts/packages.txt)

rm -rf "$folder"
mkdir -p "$folder"/apt/{lists,archives}/partial "$folder/usr/lib"
: >"$folder/apt/status"
cat >"$folder/apt/apt.conf" <<END
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Dir::State "$folder/apt";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt";
END
export APT_CONFIG=$folder/apt/apt.conf
{
	apt-get update
	apt-get install -y --download-only "${packages[@]}" libc6-dev libgcc-s1
} >"$folder/apt/log" 2>&1 || {
	cat "$folder/apt/log" >&2
	exit 1
}

# All that is in /lib belongs to /usr/lib, as where Debian is installed; a link from the root stays inside.
ln -s usr/lib "$folder/lib"
for package in "$folder"/apt/archives/*.deb; do
	dpkg-deb --fsys-tarfile "$package" | tar -x -C "$folder" --keep-directory-symlink
done
find "$folder/usr" -type l -lname '/*' -printf '%p\t%l\n' | while IFS=$'\t' read -r link target; do
	ln -sfr "$folder$target" "$link"
done
for package in "$folder"/apt/archives/*.deb; do
	dpkg-deb -W "$package"
done >"$folder/packages"
rm -rf "$folder/apt"
