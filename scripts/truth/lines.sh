#!/bin/sh
# lines.sh PROGRAM [SECONDS]
#
# What annotate says of lines whose cost is known, in C, in C++ where they are inlined, in Rust and in JavaScript
# (lines/). Each program runs SECONDS (20) under perf record with cpu-clock at 5 kHz, and says itself what the
# lines marked "planted N" took of its CPU time, by its own clock: the share of each must be that within one
# percentage point (lines.py). The figures are printed. Languages that are not here are skipped.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"
program=$(realpath "$1")
seconds=${2:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

has() { # NAME TOOL...
	name=$1
	shift
	for tool; do
		command -v "$tool" >/dev/null || { skip "$name" "needs $tool"; return 1; }
	done
}

compare() { # SOURCE COMMAND...
	source=$1
	shift
	(cd "$work" && "$@" 0.1) >/dev/null || { fail "$source does not run"; return; }
	(cd "$work" &&
		perf record -q -N -k mono -e cpu-clock -F 5000 -g -o data -- "$@" "$seconds" >said 2>complaints) ||
		{ skip "$source" "perf does not record here"; return; }
	"$program" annotate '^' "$work/data" --json -q >"$work/json"
	if "$here/lines.py" "$here/lines/$source" "$work/said" "$work/json"; then
		pass "$source"
	else
		fail "$source"
	fi
	rm -f "$work/data" "$work"/jit-* "$work"/isolate-*
}

compiled() { # SOURCE COMPILER OPTION...
	source=$1
	shift
	has "$source" "$1" || return
	if "$@" "$here/lines/$source" -o "$work/${source##*.}"; then
		compare "$source" "$work/${source##*.}"
	else
		fail "$source is not compiled"
	fi
}

command -v perf >/dev/null || skip_all "needs perf"
compiled lines.c gcc -O1 -g -fno-omit-frame-pointer
compiled lines.cc g++ -O1 -g -fno-omit-frame-pointer
compiled lines.rs rustc -C opt-level=1 -g -C force-frame-pointers=yes
! has lines.js node || compare lines.js node --perf-prof "$here/lines/lines.js"
done_testing
