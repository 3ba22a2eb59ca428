#!/bin/sh
# record.sh [CASE...]: records the truth programs into testdata/truth/CASE/ (all, or those named).
# Needs root (perf, process numbers), perf, gcc and python3; for aarch64 a cross compiler and
# qemu-user instead. The recordings are committed, so nobody but their author needs this. They
# are recorded under a foreign host name, so that no machine takes
# its own kernel for the recorded one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
build=/tmp/perfold/truth
graph=-g options=

record() { # CASE RATE COMMAND...
	dir=$tree/testdata/truth/$1 rate=$2
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
		"--weight samples$options" '-o $OUT/out.folded' > cmd
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

# A program that writes its own recording, for a CPU that is not here.
record_emulated() { # CASE QEMU
	dir=$tree/testdata/truth/$1
	rm -rf "$dir" && mkdir -p "$dir/root$build/$1" && cd "$dir"
	"$2" -cpu max,pauth-impdef=on -singlestep "$build/$1/$1" > truth.txt
	cp "$build/$1/$1" "root$build/$1/"
	echo 'perfold input.perf.data --symfs root --weight samples -o $OUT/out.folded' > cmd
	{
		echo "Truth recording: scripts/truth/src/$1.c"
		echo
		sed -n '2,/^ \*\//{ s/^ \*\/$//; s/^ \* \{0,1\}//; p; }' "$here/src/$1.c"
		echo "truth.txt holds what the program said of itself: per thread name the functions that ran"
		echo "under it. scripts/truth/check.sh holds the folded output against it."
		echo
		echo "    $2 -cpu max,pauth-impdef=on -singlestep $build/$1/$1"
	} > README
	find . -type f -size +64k -exec zstd -q -19 --rm {} +
}

# One program, recorded by frame pointers and by copied stacks.
record_twice() { # CASE RATE COMMAND...
	dir=$tree/testdata/truth/same-$1 rate=$2
	shift 2
	rm -rf "$dir" && mkdir -p "$dir" && cd "$dir"
	for graph in fp dwarf,1024; do
		unshare -u sh -c 'hostname recorder && exec "$@"' sh perf record -q -N -k mono -e cpu-clock:u -F "$rate" \
			--call-graph "$graph" -o "input.${graph%,*}.perf.data" -- "$@"
		echo "perfold input.${graph%,*}.perf.data --symfs root --comm same --weight samples -o \$OUT/${graph%,*}.folded"
	done > cmd
	chmod 644 ./*.perf.data
	"$tree/scripts/record/collect.py" . --whole "^$build"
	{
		echo "One program recorded twice: scripts/truth/src/${1##*/}.c"
		echo
		sed -n '2,/^ \*\//{ s/^ \*\/$//; s/^ \* \{0,1\}//; p; }' "$here/src/${1##*/}.c"
		echo "    perf record -N -k mono -e cpu-clock:u -F $rate --call-graph fp (and dwarf,1024) -- $*"
	} > README
	find . -type f -size +64k -exec zstd -q -19 --rm {} +
}

# Spans between probes, with samples of what ran in them.
record_spans() { # CASE RATE COMMAND...
	dir=$tree/testdata/truth/during-$1 rate=$2
	shift 2
	rm -rf "$dir" && mkdir -p "$dir" && cd "$dir"
	for probe in queued begin end; do
		perf probe -q -x "$1" "truth:$probe=request_$probe id=%di:u64"
	done
	unshare -u sh -c 'hostname recorder && exec "$@"' sh perf record -q -N -k mono -m 2M \
		-e "cpu-clock/freq=$rate,call-graph=fp/u" -e 'truth:*' -o input.perf.data -- "$@" > truth.txt
	perf probe -q -d 'truth:*'
	chmod 644 input.perf.data
	"$tree/scripts/record/collect.py" . --whole "^$build"
	for during in 'inside truth:begin..truth:end by field:id > 10ms' \
		'outside !truth:begin..truth:end by field:id > 10ms' \
		'step truth:queued..truth:begin..truth:end by field:id > 10ms'; do
		echo "perfold input.perf.data --symfs root --weight samples --during '${during#* }' -o \$OUT/${during%% *}.folded"
	done > cmd
	{
		echo "Truth recording: scripts/truth/src/${1##*/}.c"
		echo
		sed -n '2,/^ \*\//{ s/^ \*\/$//; s/^ \* \{0,1\}//; p; }' "$here/src/${1##*/}.c"
		echo "truth.txt holds what the program said of itself. scripts/truth/check.sh holds the folded output"
		echo "and the count of spans against it."
		echo
		echo "    perf record -N -k mono -e cpu-clock/freq=$rate,call-graph=fp/u -e 'truth:*' -- $*"
	} > README
	find . -type f -size +64k -exec zstd -q -19 --rm {} +
}

# Calls that wait for a lock, by probes of the C library and by the system call.
record_locks() { # COMMAND
	dir=$tree/testdata/truth/locks
	rm -rf "$dir" && mkdir -p "$dir" && cd "$dir"
	libc=$(ldd "$1" | sed -n 's/.*libc.so.6 => \([^ ]*\).*/\1/p')
	perf probe -q -x "$libc" 'pthread:pthread_mutex_lock=pthread_mutex_lock lock=%di:x64'
	perf probe -q -x "$libc" 'pthread:pthread_mutex_lock=pthread_mutex_lock%return'
	unshare -u sh -c 'hostname recorder && exec "$@"' sh perf record -q -N -k mono -m 2M --user-callchains -g \
		-e 'pthread:*' -e syscalls:sys_enter_futex,syscalls:sys_exit_futex -o input.perf.data -- "$1" > truth.txt
	perf probe -q -d 'pthread:*'
	chmod 644 input.perf.data
	"$tree/scripts/record/collect.py" . --whole "^$build"
	echo 'perfold spans lock input.perf.data --symfs root -o $OUT/locks.folded' > cmd
	{
		echo "Truth recording: scripts/truth/src/locks.c"
		echo
		sed -n '2,/^ \*\//{ s/^ \*\/$//; s/^ \* \{0,1\}//; p; }' "$here/src/locks.c"
		echo "truth.txt holds what the program said of itself. scripts/truth/check.sh holds the folded output"
		echo "against it."
		echo
		echo "    perf record -N -k mono --user-callchains -g -e 'pthread:*' -e syscalls:sys_enter_futex,syscalls:sys_exit_futex -- $1"
	} > README
	find . -type f -size +64k -exec zstd -q -19 --rm {} +
}

# With switches, at the highest priority: the program is to have all CPUs.
record_latency() { # CASE RATE COMMAND...
	dir=$tree/testdata/truth/latency-$1 rate=$2
	shift 2
	rm -rf "$dir" && mkdir -p "$dir" && cd "$dir"
	nice -n -20 unshare -u sh -c 'hostname recorder && exec "$@"' sh perf record -q -N -k mono -m 2M \
		-e cpu-clock -F "$rate" -g --switch-events -o input.perf.data -- "$@" > truth.txt
	chmod 644 input.perf.data
	"$tree/scripts/record/collect.py" . --whole "^$build"
	rm -f kallsyms*
	for weight in period latency; do
		echo "perfold input.perf.data --symfs root --weight $weight -e 'keep /^(alone|together)\$/' -o \$OUT/$weight.folded"
	done > cmd
	{
		echo "Truth recording: scripts/truth/src/${1##*/}.c"
		echo
		sed -n '2,/^ \*\//{ s/^ \*\/$//; s/^ \* \{0,1\}//; p; }' "$here/src/${1##*/}.c"
		echo "truth.txt holds what the program said of itself. scripts/truth/check.sh holds the shares of period"
		echo "and of latency against it."
		echo
		echo "    perf record -N -k mono -e cpu-clock -F $rate -g --switch-events -- $*"
	} > README
	find . -type f -size +64k -exec zstd -q -19 --rm {} +
}

sh "$here/build.sh" "$build"
[ $# -gt 0 ] || set -- dlopen leader fork-jit noreturn jit-reuse jit-ambiguous jit-dump pid-reuse fork-maps exec unwind jit-frames deep aarch64 copies requests locks document
for case in "$@"; do
	case $case in
	jit-ambiguous) record "$case" 2000 "$build/jit-reuse/jit-reuse" ambiguous ;;
	unwind) graph="--call-graph dwarf,4096" && record "$case" 150 "$build/unwind/unwind" && graph=-g ;;
	deep)
		graph="--call-graph dwarf,1024" options=" --truncated merge"
		record "$case" 150 "$build/deep/deep"
		graph=-g options=
		;;
	jit-frames)
		graph="--call-graph dwarf,1024"
		record "$case" 150 "$build/$case/$case"
		graph=-g
		;;
	locks) record_locks "$build/locks/locks" ;;
	requests) record_spans "$case" 1000 "$build/requests/requests" ;;
	document) record_latency "$case" 1997 "$build/document/document" ;;
	copies) record_twice "$case" 499 "$build/same/same" ;;
	aarch64) record_emulated "$case" qemu-aarch64 ;;
	exec) record "$case" 2000 "$build/exec/one" "$build/exec/two" "$build/exec/three" "$build/exec/four" ;;
	*) record "$case" 2000 "$build/$case/$case" ;;
	esac
done
