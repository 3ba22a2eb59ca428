#!/bin/sh
# record.sh [CASE...]: records the truth programs into testdata/truth-CASE/ (all, or those named).
# Needs root (perf, process numbers), perf, gcc and python3; the recordings are committed, so nobody
# but their author needs this. They are recorded under a foreign host name, so that no machine takes
# its own kernel for the recorded one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
build=/tmp/perfold/truth
graph=-g

record() { # CASE RATE COMMAND...
	dir=$tree/testdata/truth-$1 rate=$2
	shift 2
	rm -rf "$dir" && mkdir -p "$dir" && cd "$dir"
	program=$(basename "$1")
	# shellcheck disable=SC2086 # options, one a word
	unshare -u sh -c 'hostname recorder && exec "$@"' sh \
		perf record -q -N -k mono -e cpu-clock -F "$rate" -m 2M $graph -o input.perf.data -- "$@" > log
	{ grep -v '^#' log | sort -u; grep '^#' log; } > truth.txt
	rm log
	chmod 644 input.perf.data
	"$tree/scripts/record/collect.py" . --whole "^$build"
	for f in perf-*.map; do
		[ ! -e "$f" ] || rm -f "/tmp/$f"
	done
	echo 'perfold input.perf.data --symfs root --kallsyms kallsyms --annotate kernel' \
		'--weight samples -o $OUT/out.folded' > cmd
	source=$here/src/$program.c
	[ -e "$source" ] || source=$here/src/exec.c
	{
		echo "Truth recording: scripts/truth/src/${source##*/}"
		echo
		sed -n '2,/^ \*\//{ s/^ \*\/$//; s/^ \* \{0,1\}//; p; }' "$source"
		echo "truth.txt holds what the program said of itself: per thread name the functions that ran"
		echo "under it, and when. scripts/truth/check.sh holds the folded output against it."
		echo
		echo "    perf record -N -k mono -e cpu-clock -F $rate $graph -- $*"
	} > README
	find . -type f -size +64k -exec zstd -q -19 --rm {} +
}

sh "$here/build.sh" "$build"
[ $# -gt 0 ] || set -- dlopen leader fork-jit noreturn jit-reuse jit-ambiguous jit-dump pid-reuse fork-maps exec unwind
for case in "$@"; do
	case $case in
	jit-ambiguous) record "$case" 2000 "$build/jit-reuse/jit-reuse" ambiguous ;;
	unwind) graph="--call-graph dwarf,4096" && record "$case" 150 "$build/unwind/unwind" && graph=-g ;;
	exec) record "$case" 2000 "$build/exec/one" "$build/exec/two" "$build/exec/three" "$build/exec/four" ;;
	*) record "$case" 2000 "$build/$case/$case" ;;
	esac
done
