#!/bin/sh
# record.sh [CASE...]: records the truth programs into testdata/truth/CASE/ (all, or those named).
# Needs root (perf, process numbers), perf, gcc and python3; for aarch64 and arm a cross compiler
# and qemu-user instead. The recordings are committed, so nobody but their author needs this. They
# are recorded under a foreign host name, so that no machine takes
# its own kernel for the recorded one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$here/../.." && pwd)
build=/tmp/perfold/truth
graph=-g options=

# What is common to all cases: a README, of the comment that heads the source and of standard input, and large files
# compressed.
finish() { # WHAT SOURCE
	{
		echo "$1: scripts/truth/src/$2"
		echo
		sed -n '2,/^ \*\//{ s/^ \*\/$//; s/^ \* \{0,1\}//; p; }' "$here/src/$2"
		cat
	} > README
	find . -type f -size +64k -exec zstd -q -19 --rm {} +
}

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
	source=$program.c
	[ -e "$here/src/$source" ] || source=exec.c
	finish 'Truth recording' "$source" <<-END
	truth.txt holds what the program said of itself: per thread name the functions that ran
	under it, and when. scripts/truth/check.sh holds the folded output against it.

	    perf record -N -k mono -e cpu-clock -F $rate $graph -- $*
	END
}

# A program that writes its own recording, for a CPU that is not here.
record_emulated() { # CASE SOURCE QEMU CPU
	dir=$tree/testdata/truth/$1
	rm -rf "$dir" && mkdir -p "$dir/root$build/$1" && cd "$dir"
	"$3" -cpu "$4" -singlestep "$build/$1/$1" > truth.txt
	cp "$build/$1/$1" "root$build/$1/"
	echo 'perfold input.perf.data --symfs root --weight samples -o $OUT/out.folded' > cmd
	finish 'Truth recording' "$2" <<-END
	truth.txt holds what the program said of itself: per thread name the functions that ran
	under it. scripts/truth/check.sh holds the folded output against it.

	    $3 -cpu $4 -singlestep $build/$1/$1
	END
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
	finish 'One program recorded twice' "${1##*/}.c" <<-END
	    perf record -N -k mono -e cpu-clock:u -F $rate --call-graph fp (and dwarf,1024) -- $*
	END
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
	finish 'Truth recording' "${1##*/}.c" <<-END
	truth.txt holds what the program said of itself. scripts/truth/check.sh holds the folded output
	and the count of spans against it.

	    perf record -N -k mono -e cpu-clock/freq=$rate,call-graph=fp/u -e 'truth:*' -- $*
	END
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
	finish 'Truth recording' "locks.c" <<-END
	truth.txt holds what the program said of itself. scripts/truth/check.sh holds the folded output
	against it.

	    perf record -N -k mono --user-callchains -g -e 'pthread:*' -e syscalls:sys_enter_futex,syscalls:sys_exit_futex -- $1
	END
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
	finish 'Truth recording' "${1##*/}.c" <<-END
	truth.txt holds what the program said of itself. scripts/truth/check.sh holds the shares of period
	and of latency against it.

	    perf record -N -k mono -e cpu-clock -F $rate -g --switch-events -- $*
	END
}

sh "$here/build.sh" "$build"
[ $# -gt 0 ] || set -- dlopen leader fork-jit noreturn jit-reuse jit-ambiguous jit-dump pid-reuse fork-maps exec unwind jit-frames deep aarch64 aarch64-fp arm arm-thumb copies requests locks document
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
	aarch64 | aarch64-fp) record_emulated "$case" aarch64.c qemu-aarch64 max,pauth-impdef=on ;;
	arm | arm-thumb) record_emulated "$case" arm.c qemu-arm cortex-a15 ;;
	exec) record "$case" 2000 "$build/exec/one" "$build/exec/two" "$build/exec/three" "$build/exec/four" ;;
	*) record "$case" 2000 "$build/$case/$case" ;;
	esac
done
