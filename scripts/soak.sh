#!/bin/sh
# soak.sh PROGRAM [N]: the runs of runs.sh again and again, N in all (2000), on all CPUs
#
# With 1, 2, 3 and 8 threads by turns, each run must give the status, the words and the bytes that it gave
# first, and leave nothing behind: not in $TMPDIR, $HOME, the directories of inputs and outputs, nor in
# /dev/shm. What one run does not close shows in one run of many inputs, under a limit of descriptors.
set -u
export LC_ALL=C PERFOLD_NO_SYSTEM=1
program=$(realpath "$1") number=${2:-2000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
# shellcheck source=scripts/runs.sh
. scripts/runs.sh
command -v zstd >/dev/null || skip_all 'no zstd'
mkdir "$work/home"
export HOME="$work/home" XDG_CONFIG_HOME="$work/home"

# The directory of outputs has the same name in each run, since standard error may name it: the run is in
# its directory, with a link to the inputs.
run() { # DIR INPUT COMMAND...
	dir=$1 input=$2
	shift 2
	rm -rf "$out"
	mkdir "$out"
	"$@" <"$input" >"$dir/stdout" 2>"$dir/stderr"
	echo $? >"$dir/status"
}

first() { # NAME INPUT COMMAND...
	first=$work/first/$1
	mkdir -p "$first"
	shift
	run "$first" "$@"
	mv "$out" "$first/out"
	sed -i "s|$out|OUT|g" "$first/stderr"
}

again() { # NAME INPUT COMMAND...
	name=$1
	shift
	count=$((count + 1))
	[ "$count" -le "$share" ] || return
	run "$here" "$@"
	sed -i "s|$out|OUT|g" "$here/stderr"
	for part in out stdout stderr status; do
		diff -rq "$work/first/$name/$part" "$here/$part" >"$here/differs" ||
			echo "run $count, $name, $jobs threads: $part differs: $(cat "$here/differs")"
	done
	[ -z "$(ls -A "$here/tmp")" ] || {
		echo "run $count, $name, $jobs threads: left in TMPDIR: $(ls -A "$here/tmp")"
		rm -rf "${here:?}"/tmp/*
	}
}

worker() { # NUMBER
	here=$work/worker$1 count=0
	mkdir -p "$here/tmp"
	out=$here/out
	export TMPDIR="$here/tmp"
	while [ "$count" -lt "$share" ]; do
		for jobs in 1 2 3 8; do runs_each again; done
	done
	echo end
}

expect() { # NAME FILE: its lines say what is wrong
	if [ -s "$2" ]; then
		fail "$1"
		head -n 20 "$2"
	else
		pass "$1"
	fi
}

jobs=1 out=$work/out
export TMPDIR="$work/home"
runs_prepare "$work/in"
runs_each first
grep -L '^0$' "$work"/first/*/status >"$work/bad"
expect 'each run alone succeeds' "$work/bad"
# shellcheck disable=SC2012 # names of this script's
ls -lR "$work/in" "$HOME" /dev/shm >"$work/before"
workers=$(nproc) i=0
share=$(((number + workers - 1) / workers))
while [ "$i" -lt "$workers" ]; do
	worker "$i" >"$work/log$i" 2>&1 &
	i=$((i + 1))
done
wait
[ "$(cat "$work"/log* | grep -cx end)" = "$workers" ] || echo 'a worker has not come to its end' >>"$work/log0"
cat "$work"/log* | grep -vx end >"$work/bad"
expect "$((share * workers)) runs are as the first ones" "$work/bad"
# shellcheck disable=SC2012 # names of this script's
ls -lR "$work/in" "$HOME" /dev/shm | diff "$work/before" - >"$work/bad"
expect 'no file was left or changed' "$work/bad"

many=$(yes elf/static/input.perf.data | head -n 200)
# shellcheck disable=SC2086 # words
if (ulimit -n 32 && exec "$program" merge $many --symfs elf/static/root -q -o "$work/many.folded") 2>"$work/error"; then
	pass 'descriptors of 200 inputs are closed'
else
	fail "descriptors of 200 inputs: $(cat "$work/error")"
fi
done_testing
