#!/bin/sh
# check.sh PROGRAM [NAME...]: is every name right in recordings of software that others wrote?
#
# recipes.sh records PostgreSQL, SQLite, x264, Erlang, Go with and without C, Rust, and small programs
# with difficult stacks (src/): 32-bit, musl, coroutines, signals, folded functions; each by frame
# pointers and by copied stacks. evidence.py then holds every frame that PROGRAM names against
# llvm-symbolizer, addr2line, debug/gosym, the ELF file, the map of generated code and the bytes before
# the return address; its head says what counts as wrong. A recording passes if
#
#   - no frame has a wrong name,
#   - the stacks with and without names have the same frames,
#   - and, where all files have call frame information ("whole"), each stack begins at the start of a
#     thread, or says that it was cut off.
#
# The table is printed at the end, and left in REAL_DIR (build/real) with a file for each recording that
# lists all that was not equal. Takes minutes, and needs root or perf_event_paranoid < 2; what is not
# installed is skipped. Debian 12: gcc-multilib musl-tools lld llvm binutils libboost-fiber-dev
# erlang-base golang-go rustc ffmpeg postgresql sqlite3 linux-perf.
set -u
here=$(cd "$(dirname "$0")" && pwd)
perfold=$(realpath "$1")
shift
store=${REAL_DIR:-build/real}
mkdir -p "$store"
store=$(realpath "$store")
bin=$store/bin
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"
# shellcheck source=scripts/real/recipes.sh
. "$here/recipes.sh"

# Whether all TOOLs are there; else the recipe is skipped.
need() { # TOOL...
	for tool; do
		command -v "$tool" > /dev/null || { skip "$recipe" "no $tool" && return 1; }
	done
}

# Builds bin/NAME, quietly; what cannot be built here is skipped.
build() { # COMMAND...
	"$@" > "$bin/log" 2>&1 || { skip "$recipe" "$1: $(tail -n 1 "$bin/log")" && return 1; }
}

# Records COMMAND, and judges. KIND: fp, or dwarf with the size of the copies; "whole" adds that each
# stack has its beginning.
record() { # NAME KIND [whole] -- COMMAND...
	name=$1 graph=$2 whole=
	shift 2
	[ "$1" = -- ] || { whole=$1 && shift; }
	shift
	perf record -q -N -e cpu-clock -F 499 --call-graph "$graph" -o "$store/$name.data" -- "$@" \
		> "$store/$name.log" 2>&1 || { skip "$name" "perf: $(tail -n 1 "$store/$name.log")" && return; }
	judge
}

# Of the recording NAME.data; options for evidence.py may follow.
judge() { # ARGUMENT...
	# shellcheck disable=SC2086 # options, one a word
	if ! "$here/evidence.py" "$perfold" "$store/$name.data" "$store/$name" $vdsos $gosym -v "$@" \
		> "$store/$name.txt" 2> "$store/$name.err"; then
		fail "$name: $(tail -n 1 "$store/$name.err")"
		return
	fi
	head -n 1 "$store/$name.txt" >> "$store/table"
	verdict=$(head -n 1 "$store/table" | cat - "$store/$name.txt" | awk -F '\t' -v whole="$whole" -f "$here/verdict.awk")
	case $verdict in
	"not "*) fail "$name: ${verdict#not }" && sed -n 2,6p "$store/$name.txt" | cut -c 1-200 ;;
	*) pass "$name: $verdict" ;;
	esac
	rm -rf "${store:?}/$name"
}

command -v perf > /dev/null || skip_all "no perf"
command -v llvm-symbolizer > /dev/null || skip_all "no llvm-symbolizer"
command -v python3 > /dev/null || skip_all "no python3"
mkdir -p "$bin"
vdsos= gosym=
"$here/evidence.py" --columns > "$store/table"
prepare
[ $# -gt 0 ] || set -- $(sed -n 's/^recipe_\([a-z0-9_]*\)() .*/\1/p' "$here/recipes.sh")
for recipe; do
	"recipe_$recipe"
done
column -t -s "$(printf '\t')" "$store/table" | sed 's/^/# /'
done_testing
