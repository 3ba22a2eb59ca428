#!/bin/bash
# build.sh DIR VERSION [ARCH...]: the Debian packages DIR/perfold_VERSION_ARCH.deb, of this tree.
#
# Without ARCH, of this machine; for others the program is compiled as `make all ARCH=` does, and all else is
# the same. What it depends on is read from the program by dpkg-shlibdeps, but for what is opened at run time.
# The same tree gives the same bytes: times are those of scripts/release/epoch.sh. Needs dpkg-dev; DEBFULLNAME and
# DEBEMAIL are the maintainer.
set -euo pipefail
umask 022
folder=$(realpath -m "$1")
version=$2
shift 2
native=$(dpkg --print-architecture)
[ $# -gt 0 ] || set -- "$native"
# Who builds it answers for it, as with Debian's own tools.
maintainer="${DEBFULLNAME:-$(git config user.name || id -un)} <${DEBEMAIL:-$(git config user.email || echo "$(id -un)@$(hostname -f)")}>"
stage=$folder/stage
root=$stage/root
SOURCE_DATE_EPOCH=$(scripts/release/epoch.sh)
export SOURCE_DATE_EPOCH

rm -rf "$stage"
mkdir -p "$root/DEBIAN" "$stage/debian"
build=(make --no-print-directory PREFIX=/usr "CFLAGS=-O2 -g -ffile-prefix-map=$PWD=.")
sections=(--strip-unneeded --remove-section=.comment --remove-section=.note)
"${build[@]}" CONFIG=deb DESTDIR="$root" install >"$stage/install.log"
strip "${sections[@]}" "$root/usr/bin/perfold"

doc=$root/usr/share/doc/perfold
mkdir -p "$doc"
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: perfold

Files: *
Copyright: $(sed -n 's/^Copyright (c) //p' LICENSE)
License: Expat

License: Expat
$(sed -n '/^Permission is/,$p' LICENSE | sed 's/^$/./; s/^/ /')
END
cat >"$stage/changelog" <<END
perfold ($version) unstable; urgency=medium

  * Release $version.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
gzip -9n <"$stage/changelog" >"$doc/changelog.gz"
find "$root/usr/share/man" -type f -exec gzip -9n {} +

# The major version of a header is in the name of the library that is loaded.
capstone=$(printf '#include <capstone/capstone.h>\nCS_API_MAJOR\n' | ${CC:-cc} -E -P - | tail -n 1)
printf 'Source: perfold\n\nPackage: perfold\nArchitecture: %s\n' "$native" >"$stage/debian/control"
curses=$(printf '#include <curses.h>\nNCURSES_VERSION_MAJOR\n' | ${CC:-cc} -E -P - | tail -n 1)
depends=$(cd "$stage" && dpkg-shlibdeps -O root/usr/bin/perfold 2>"$stage/shlibdeps.log" |
	sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { cat "$stage/shlibdeps.log" >&2; exit 1; }

libraries() { # PROGRAM
	readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld-linux' | sort
}

# The dependencies are those of the program for this machine, as long as the libraries are.
put_program() { # ARCH
	"${build[@]}" ARCH="$1" CONFIG="deb-$1" all >"$stage/$1.log"
	[ "$(libraries "build/deb-$1/perfold")" = "$needed" ] ||
		{ echo "the program for $1 needs other libraries" >&2; exit 1; }
	"${triplet[$1]}-strip" "${sections[@]}" -o "$root/usr/bin/perfold" "build/deb-$1/perfold"
}

put_control() { # ARCH
	cat >"$root/DEBIAN/control" <<END
Package: perfold
Version: $version
Architecture: $1
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f 1)
Depends: $depends, libarchive13, libcapstone$capstone, libncursesw$curses
Recommends: libdebuginfod1
Section: devel
Priority: optional
Description: recordings of Linux perf to flame graphs and CPU profiles
 perfold reads a perf.data file or the text of perf script, finds the names of
 all functions, applies filters, collapses the stacks and writes flame graphs,
 profiles for other viewers, and tables: in one run, on any machine, without
 perf.
END
	(cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k 2) >"$root/DEBIAN/md5sums"
}

cp "$root/usr/bin/perfold" "$stage/perfold"
needed=$(libraries "$stage/perfold")
declare -A triplet=([arm64]=aarch64-linux-gnu [s390x]=s390x-linux-gnu)
for arch; do
	if [ "$arch" = "$native" ]; then
		cp "$stage/perfold" "$root/usr/bin/perfold"
	else
		put_program "$arch"
	fi
	put_control "$arch"
	find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	find "$root" -type d -exec chmod 755 {} +
	dpkg-deb --root-owner-group --build "$root" "$folder/perfold_${version}_$arch.deb"
done
