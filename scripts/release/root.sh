#!/bin/bash
# root.sh SUITE DIR: the root file system of a new Debian, DIR, with nothing but what is essential
#
# Made by debootstrap, and kept as an archive for the next time in build/roots, or $ROOTS. MIRROR is where packages
# come from. Needs root.
set -euo pipefail
suite=$1
folder=$2
archive=${ROOTS:-build/roots}/$suite.tar
if [ ! -e "$archive" ]; then
	mkdir -p "$(dirname "$archive")"
	new=$(mktemp -d)
	trap 'rm -rf "$new"' EXIT
	debootstrap --variant=minbase "$suite" "$new" "${MIRROR:-http://deb.debian.org/debian}" >"$archive.log" 2>&1 || {
		tail -n 5 "$archive.log" >&2
		exit 1
	}
	tar -C "$new" -cf "$archive.new" .
	mv "$archive.new" "$archive"
fi
mkdir -p "$folder"
tar -C "$folder" -xf "$archive"
cp -L /etc/resolv.conf /etc/hosts "$folder/etc"
# The proxy of this machine's apt, if any. A mirror may be a copy of some weeks ago.
{
	apt-config dump | grep -E '^Acquire::[a-z]+::Proxy' || true
	echo 'Acquire::Check-Valid-Until "false";'
} >"$folder/etc/apt/apt.conf.d/mirror"
