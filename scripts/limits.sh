#!/bin/sh
# limits.sh PROGRAM: small limits of ulimit: few descriptors, little memory, small files, a small stack
#
# Each run of runs.sh under each limit. Whatever it is:
#	status 0	the outputs are those without a limit, or standard error says what is missing
#	status 1, 6	standard error says what failed; each output is whole, or as it was, or not there
#	always		no signal, no endless loop, nothing left in the outputs' directory or $TMPDIR
# Where not even the loader can start the program, the test says so and has passed.
set -u
export LC_ALL=C PERFOLD_NO_SYSTEM=1
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
# shellcheck source=scripts/runs.sh
. scripts/runs.sh
command -v zstd >/dev/null || skip_all 'no zstd'
mkdir "$work/tmp" "$work/home" "$work/none"
export TMPDIR="$work/tmp" HOME="$work/home" XDG_CONFIG_HOME="$work/home"
out=$work/out jobs=2
runs_prepare "$work/in"

# Standard error is a pipe, and the status is written outside: files are limited, too.
run() { # LIMITS INPUT COMMAND...
	limits=$1 input=$2
	shift 2
	rm -rf "$out"
	mkdir "$out"
	{
		# shellcheck disable=SC2016 # the inner shell's
		timeout 60 sh -c "$limits"'; exec "$@"' - "$@" <"$input" 2>&1 >/dev/null
		echo $? >"$work/status"
	} | cat >"$work/error"
	read -r status <"$work/status"
}

# Prints what is wrong about the last run; nothing if all is well.
verdict() {
	[ -z "$(ls -A "$TMPDIR")" ] || {
		# Without any descriptor a directory cannot be emptied.
		case $limits in
		'ulimit -n '[3-6]) ;;
		*) echo "left in TMPDIR: $(ls -A "$TMPDIR")" ;;
		esac
		rm -rf "${TMPDIR:?}"/*
	}
	case $status in
	0)
		diff -rq "$work/whole" "$out" >"$work/differences" || [ -s "$work/error" ] ||
			echo "differs, without a word: $(cat "$work/differences")"
		;;
	1 | 6) grep -Eq '^perfold: (out of memory|.*[:/].)' "$work/error" || echo "says: $(cat "$work/error")" ;;
	127) grep -q 'error while loading shared libraries' "$work/error" || echo "status 127: $(cat "$work/error")" ;;
	*) echo "status $status: $(head -c 200 "$work/error")" ;;
	esac
	for file in "$out"/* "$out"/.[!.]*; do
		[ -e "$file" ] || continue
		name=${file##*/}
		if [ ! -f "$work/whole/$name" ]; then
			echo "left: $name"
		elif [ "$status" != 0 ] && ! cmp -s "$file" "$work/whole/$name"; then
			echo "partial: $name"
		fi
	done
}

under() { # NAME LIMITS INPUT COMMAND...
	name=$1
	shift
	run "$@"
	why=$(verdict)
	if [ -z "$why" ]; then
		pass "$name: $1: status $status"
	else
		fail "$name: $1: $(echo "$why" | tr '\n' ' ')"
	fi
}

check() { # NAME INPUT COMMAND...
	title=$1
	shift
	run : "$@"
	rm -rf "$work/whole"
	mv "$out" "$work/whole"
	if [ "$status" != 0 ]; then
		fail "$title, without a limit: status $status: $(cat "$work/error")"
		return
	fi
	for n in 3 4 5 6 7 8 9 10 12 14 16 20 24 32; do under "$title" "ulimit -n $n" "$@"; done
	for kib in 4000 16000 24000 32000 40000 48000 56000 64000 80000 100000 150000 200000; do
		under "$title" "ulimit -v $kib" "$@"
	done
	for kib in 500 1000 2000 4000 8000 12000 16000 24000 32000; do under "$title" "ulimit -d $kib" "$@"; done
	for blocks in 0 1 2 4 8 16 32 64 128; do under "$title" "ulimit -f $blocks" "$@"; done
	for kib in 64 128 256 512 1024; do under "$title" "ulimit -s $kib" "$@"; done
	under "$title" "ulimit -s 128; ulimit -n 16; ulimit -v 100000" "$@"
}

runs_each check
done_testing
