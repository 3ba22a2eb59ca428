#!/bin/bash
# twice.sh TARGET...: does one source give the same bytes? make TARGETs in two copies of this tree, compared
#
# The copies are in folders of other names, with files of other times, built with another umask, time zone,
# locale and number of jobs, without ccache. Takes two builds. The packages are left in build/twice/1/build/dist.
set -u
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
SOURCE_DATE_EPOCH=$(scripts/release/epoch.sh)
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1
work=$PWD/build/twice
first=$work/1 second=$work/a-longer-name/2
rm -rf "$work"
mkdir -p "$first" "$second"
for copy in "$first" "$second"; do
	tar --exclude=./build --exclude=./.git -cf - . | tar -C "$copy" -xf -
done
find "$second" -type f -exec touch -d '2001-02-03 04:05' {} +

(cd "$first" && umask 022 && TZ=UTC LC_ALL=C make "$@") >"$work/log.1" 2>&1 || fail "the first: $(tail "$work/log.1")"
(cd "$second" && umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 make -j2 "$@") >"$work/log.2" 2>&1 ||
	fail "the second: $(tail "$work/log.2")"
count=0
for file in "$first"/build/dist/perfold*; do
	name=${file##*/}
	count=$((count + 1))
	if cmp "$file" "$second/build/dist/$name" >"$work/log" 2>&1; then
		pass "$name: $(wc -c <"$file") bytes, the same twice"
	else
		fail "$name: $(cat "$work/log")"
	fi
done
[ $count -gt 0 ] || fail "no packages"
[ "$(ls "$first/build/dist")" = "$(ls "$second/build/dist")" ] || fail "the same packages"
done_testing
