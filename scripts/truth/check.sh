#!/bin/sh
# check.sh PERFOLD [CASE...]: the default mode against the truth recordings, per sample.
# Runs from the root of the tree; prints each case's share, ends with 1 if one is below 99.9 %.
set -u
perfold=$(readlink -f "$1")
shift
[ $# -gt 0 ] || set -- testdata/truth-*/
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
failed=0
for case in "$@"; do
	name=$(basename "$case")
	rm -rf "$tmp/case" && cp -r "$case" "$tmp/case"
	find "$tmp/case" -name '*.zst' -exec zstd -dq --rm {} +
	if ! (cd "$tmp/case" && PATH="${perfold%/*}:$PATH" OUT=$tmp sh ./cmd > "$tmp/log" 2>&1); then
		echo "$name: perfold failed"
		cat "$tmp/log"
		failed=1
		continue
	fi
	awk -v name="$name" -f scripts/truth/check.awk "$tmp/case/truth.txt" "$tmp/out.folded" || failed=1
done
exit $failed
