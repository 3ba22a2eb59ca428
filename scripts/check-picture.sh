#!/bin/sh
# check-picture.sh [--draw] PERFOLD: the picture of the README is what the program draws today, from
# testdata/node/server as the README says. Only what is seen without a script is compared: title, legend,
# frames, labels. What is installed here, as debug information of the C library, is not used. --draw: makes it anew.
set -u
picture=man/pictures/flame.svg
recording=testdata/node/server
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

if [ "$1" = --draw ]; then
	out=$picture
	shift
else
	out=$work/flame.svg
fi

seen() { # SVG: without style, script and the data for the script
	sed -e '/^<style>/,/<\/style>/d' -e '/^<metadata/d' -e '/^<script>/,/<\/script>/d' "$1"
}

PERFOLD_NO_SYSTEM=1 "$1" $recording/input.perf.data --symfs $recording/root --filter nodejs -q -o "$out" || exit 1
seen "$picture" >"$work/kept"
seen "$out" >"$work/drawn"
[ "$(grep -c '<rect' "$work/drawn")" -gt 100 ] || { echo "$out has no frames"; exit 1; }
diff "$work/kept" "$work/drawn" | head -n 20 | cut -c 1-200 >"$work/changes"
[ -s "$work/changes" ] || exit 0
echo "$picture is not what the program draws: scripts/check-picture.sh --draw $1"
cat "$work/changes"
exit 1
