#!/bin/sh
# signals.sh PROGRAM: is anything left where pack, merge and others are ended by a signal?
#
# Each command is ended by SIGINT, SIGTERM or SIGHUP after ever longer times, until it comes to its
# end by itself; then neither its directory nor $TMPDIR may hold anything that was not there or is whole.
# What makes no directory below $TMPDIR leaves nothing after SIGKILL either. Without /proc, files have
# temporary names: the same again (as root).
set -u
export LC_ALL=C
program=$(realpath "$1")
tree=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
killed=0
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
mkdir "$work/tmp" "$work/in" "$work/out"
export TMPDIR="$work/tmp"

for tool in zstd timeout; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
cp -RP "$tree/testdata/elf/static" "$work/in/static"
find "$work/in" -name '*.zst' -exec zstd -dqf {} +
cd "$work/in/static" || exit 2
"$program" pack input.perf.data --symfs root -q -o "$work/in/x.perfpack" || exit 1
cd "$work/out" || exit 2

left() {
	find "$work/tmp" "$work/out" -mindepth 1 ! -name 'whole.*'
}

# Ended after MILLISECONDS; status 0: it was at its end before.
end_after() { # SIGNAL MILLISECONDS COMMAND...
	signal=$1 seconds=$(printf '0.%03d' "$2")
	shift 2
	timeout -s "$signal" "$seconds" "$@" >/dev/null 2>&1
}

signals='INT TERM HUP'

check() { # NAME COMMAND...
	name=$1
	shift
	ms=1 ended=0
	while [ "$ms" -lt 900 ] && [ "$ended" -lt 3 ]; do
		for signal in $signals; do
			rm -f whole.*
			if end_after "$signal" "$ms" "$@"; then
				ended=$((ended + 1))
			else
				killed=$((killed + 1))
			fi
			if [ -n "$(left)" ]; then
				fail "$name: after SIG$signal, $ms ms: $(left | tr '\n' ' ')"
				left | xargs rm -rf
			else
				pass "$name: after SIG$signal, $ms ms"
			fi
		done
		ms=$((ms + 1 + ms / 3))
	done
	[ "$ended" -gt 0 ] || fail "$name: never came to its end"
}

packs=
for _ in 1 2 3 4 5 6 7 8; do packs="$packs $work/in/x.perfpack"; done
check pack "$program" pack "$work/in/static/input.perf.data" --symfs "$work/in/static/root" -o whole.perfpack
check 'pack --light' "$program" pack "$work/in/static/input.perf.data" --symfs "$work/in/static/root" --light \
	-o whole.perfpack
# shellcheck disable=SC2086 # a list
check 'merge of packs' "$program" merge $packs -o whole.folded -o whole.svg
check 'a pack' "$program" "$work/in/x.perfpack" -o whole.html -o whole.pb.gz
check 'diff of packs' "$program" diff "$work/in/x.perfpack" "$work/in/x.perfpack" -o whole.html \
	--fail-if default --verdict whole.md
signals='INT TERM HUP KILL'
static="$work/in/static/input.perf.data --symfs $work/in/static/root"
# shellcheck disable=SC2086 # words
check 'a recording' "$program" $static -o whole.html -o whole.folded
signals='INT TERM HUP'
if unshare --mount mount -t tmpfs none /proc 2>/dev/null; then
	# shellcheck disable=SC2016,SC2086 # the inner shell's; words
	check 'a recording, without /proc' unshare --mount sh -c 'mount -t tmpfs none /proc && exec "$@"' - \
		"$program" $static -o whole.html -o whole.folded
	if [ ! -s whole.html ] || [ ! -s whole.folded ]; then
		fail "without /proc: no output"
	fi
else
	skip 'a recording, without /proc' "it cannot be hidden here"
fi
# A limit to the size of files is an error and not the end of the program.
# shellcheck disable=SC2016,SC2086 # the inner shell's; words
sh -c 'ulimit -f 1; exec "$@"' - "$program" $static -q -o whole.html 2>"$work/error"
status=$?
if [ $status -eq 6 ] && grep -q 'File too large' "$work/error"; then
	pass "a file that becomes too large"
else
	fail "a file that becomes too large: status $status: $(cat "$work/error")"
fi
[ "$killed" -ge 10 ] || fail "only $killed were ended by a signal"
done_testing
