#!/bin/sh
# check.sh PROGRAM: is what perfold strip takes out of a recording nowhere in the copy, and in no output?
#
# A program has a password and a key in its arguments, its environment, on its stack and in registers
# (secrets.c). It is recorded with copied stacks, and by frame pointers that lead to data. testdata/strip/ has such
# recordings, for machines without perf. leaks.pl looks for the secrets; that it finds them in the recordings is
# tested, too.
set -u
export LC_ALL=C PERFOLD_NO_SYSTEM=1
program=$(realpath "$1")
tree=$(pwd)
password=hunter2-Tr0ub4dor-and-3 key=AKIA5EXAMPLE9KEY7QX
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh

leaks() { # FILE
	"$tree/scripts/strip/leaks.pl" "$1" "$password" "$key"
}

folded() { # RECORDING FILE
	"$program" "$1" -q --event all --symfs "$2" -o "folded:$3"
}

clean() { # NAME FILE
	if leaks "$2" >"$work/where"; then
		pass "$1: no secret"
	else
		fail "$1: no secret"
		sed 's/^/# /' "$work/where"
	fi
}

check_outputs() { # NAME COPY ROOT
	for format in folded svg html cpuprofile speedscope trace firefox pprof callgrind summary markdown rows; do
		"$program" "$2" -q --symfs "$3" -o "$format:$work/out"
		clean "$1, as $format" "$work/out"
	done
	"$program" info "$2" --symfs "$3" >"$work/out" 2>&1
	clean "$1, perfold info" "$work/out"
}

check_recording() { # NAME RECORDING ROOT
	if leaks "$2" >"$work/where"; then
		fail "$1: the recording has secrets"
	else
		pass "$1: the recording has secrets"
	fi
	"$program" strip -q "$2" --symfs "$3" -o "$work/copy.data" || fail "$1: strip"
	clean "$1" "$work/copy.data"
	folded "$2" "$3" "$work/before" && folded "$work/copy.data" "$3" "$work/after" &&
		[ -s "$work/before" ] && cmp "$work/before" "$work/after" && pass "$1: same stacks" ||
		fail "$1: same stacks"
	check_outputs "$1" "$work/copy.data" "$3"
	"$program" pack -q "$2" --symfs "$3" --no-stacks --light -o "$work/x.perfpack" &&
		zstd -dqfo "$work/x.tar" "$work/x.perfpack" || fail "$1: pack"
	clean "$1, in a pack" "$work/x.tar"
}

for name in dwarf fp; do
	zstd -dqfo "$work/$name.data" "testdata/strip/secrets/input.$name.perf.data.zst"
	check_recording "recorded before, $name" "$work/$name.data" testdata/strip/secrets/root
done

unset PERFOLD_NO_SYSTEM
if command -v perf >/dev/null && ${CC:-cc} -O2 -o "$work/secrets" scripts/strip/secrets.c 2>/dev/null &&
	perf record -qe cpu-clock:u -o "$work/try.data" true >/dev/null 2>&1; then
	for how in dwarf,8192 fp; do
		KEY=$key perf record -qe cpu-clock:u -F 199 --call-graph "$how" -o "$work/live.data" \
			-- "$work/secrets" "--password=$password" >/dev/null 2>&1
		check_recording "recorded now, $how" "$work/live.data" /
	done
else
	skip "recorded now" "perf or a compiler is missing"
fi
done_testing
