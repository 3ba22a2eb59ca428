#!/bin/sh
# check.sh PROGRAM [ROUNDS]: --symbol-cache
#
# Records a program whose debug information is compressed, as that of distributions is. With a cache, empty or filled,
# outputs are those without; so they are when entries are damaged. Then ROUNDS times (100) four processes share a
# cache that is empty, and are killed at some moment: what they have written is whole, and the next run finds no damaged
# entry and leaves no temporary file.
set -u
export LC_ALL=C
program=$(realpath "$1")
rounds=${2:-100}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. scripts/tap.sh
for tool in gcc objcopy perf; do
	command -v $tool >/dev/null || skip_all "needs $tool"
done

# Enough debug information to be worth keeping: many functions, each with one inlined into it.
make_source() {
	echo 'static volatile unsigned long sum;'
	echo 'static inline __attribute__((always_inline)) void add(unsigned n)'
	echo '{ for (unsigned i = 0; i < n; i++) sum = sum * 31 + i; }'
	i=0
	while [ $i -lt 1500 ]; do
		echo "__attribute__((noinline)) static void step_$i(void) { add(400 + $i); }"
		i=$((i + 1))
	done
	echo 'int main(void) { for (int k = 0; k < 150; k++) {'
	i=0
	while [ $i -lt 1500 ]; do
		echo "step_$i();"
		i=$((i + 1))
	done
	echo '} return 0; }'
}

make_source >"$work/steps.c"
gcc -g3 -O1 -fno-omit-frame-pointer -Wl,--build-id -o "$work/plain" "$work/steps.c" || exit 1
objcopy --compress-debug-sections=zlib "$work/plain" "$work/steps"
(cd "$work" && perf record -q -N -e cpu-clock -F 997 -g -o data ./steps 2>complaints) ||
	skip_all 'perf does not record here'

fold() { # OUTPUT OPTION...
	output=$1
	shift
	"$program" -q "$work/data" --lines -o "$output" "$@"
}

same() { # TEST FILE
	if cmp -s "$work/expected.folded" "$2"; then pass "$1"; else fail "$1"; fi
}

names() {
	ls -A "$work/cache"
}

fold "$work/expected.folded"
fold "$work/expected.pb.gz"
grep -q 'step_[0-9]*.*add' "$work/expected.folded" || fail 'the program has its names'

fold "$work/1.folded" --symbol-cache "$work/cache"
same 'an empty cache changes nothing' "$work/1.folded"
if names | grep -q '^perfold-cache-dwarf-'; then pass 'debug information is kept'; else fail 'debug information is kept'; fi
fold "$work/2.folded" --symbol-cache "$work/cache"
same 'a full cache changes nothing' "$work/2.folded"
fold "$work/3.folded" --symbol-cache "$work/cache" -j1
same 'nor does the number of workers' "$work/3.folded"
fold "$work/2.pb.gz" --symbol-cache "$work/cache"
if cmp -s "$work/expected.pb.gz" "$work/2.pb.gz"; then pass 'pprof, too'; else fail 'pprof, too'; fi
"$program" merge -q "$work/data" "$work/data" --weight samples -o "$work/a.folded"
"$program" merge -q "$work/data" "$work/data" --weight samples -o "$work/b.folded" --symbol-cache "$work/cache"
if cmp -s "$work/a.folded" "$work/b.folded"; then pass 'merge, too'; else fail 'merge, too'; fi

"$program" -q "$work/data" --symfs "$work" --hermetic -o "$work/a.folded"
rm -rf "$work/cache"
"$program" -q "$work/data" --symfs "$work" --hermetic -o "$work/b.folded" --symbol-cache "$work/cache"
if cmp -s "$work/a.folded" "$work/b.folded" && ! names | grep -q kallsyms; then
	pass '--hermetic: nothing of this machine is kept or used'
else
	fail '--hermetic: nothing of this machine is kept or used'
fi

# Each entry in turn, at its head, in its middle and at its end; and cut.
damaged=0 wrong=0
rm -rf "$work/cache"
fold "$work/1.folded" --symbol-cache "$work/cache"
for entry in $(names); do
	size=$(stat -c %s "$work/cache/$entry")
	for at in 3 20 100 $((size / 2)) $((size - 1)) cut; do
		if [ "$at" = cut ]; then
			truncate -s $((size / 2)) "$work/cache/$entry"
		else
			printf 'XYZ' | dd of="$work/cache/$entry" bs=1 seek="$at" conv=notrunc 2>/dev/null
		fi
		fold "$work/1.folded" --symbol-cache "$work/cache"
		damaged=$((damaged + 1))
		cmp -s "$work/expected.folded" "$work/1.folded" || wrong=$((wrong + 1))
	done
done
echo "# damaged $damaged times"
if [ $damaged -gt 0 ] && [ $wrong = 0 ]; then pass 'damage changes nothing'; else fail 'damage changes nothing'; fi

fold "$work/1.folded" --symbol-cache "$work/small" --symbol-cache-limit 300K
if [ "$(cat "$work"/small/* 2>/dev/null | wc -c)" -le 307200 ]; then pass 'the limit holds'; else fail 'the limit holds'; fi

chmod 777 "$work/small"
fold "$work/1.folded" --symbol-cache "$work/small" 2>"$work/complaints"
if [ $? = 2 ] && grep -q 'others may write' "$work/complaints"; then
	pass 'a directory that others may write to is refused'
else
	fail 'a directory that others may write to is refused'
fi

# Long enough for some to end.
rm -rf "$work/cache"
begun=$(date +%s%N)
fold "$work/1.folded" --symbol-cache "$work/cache"
most=$((($(date +%s%N) - begun) / 1000000 * 6 + 1))
round=0 whole=0 partial=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	rm -rf "$work/cache"
	rm -f "$work"/killed.*.folded
	pids=
	for k in 1 2 3 4; do
		"$program" -q "$work/data" --lines -o "$work/killed.$k.folded" --symbol-cache "$work/cache" 2>/dev/null &
		pids="$pids $!"
	done
	delay=$((round * 61 % most))
	sleep "$((delay / 1000)).$(printf '%03d' $((delay % 1000)))"
	for pid in $pids; do
		kill -9 "$pid" 2>/dev/null
	done
	wait 2>/dev/null
	for output in "$work"/killed.*.folded; do
		[ -e "$output" ] || continue
		if cmp -s "$work/expected.folded" "$output"; then whole=$((whole + 1)); else partial=$((partial + 1)); fi
	done
	fold "$work/after.folded" --symbol-cache "$work/cache"
	cmp -s "$work/expected.folded" "$work/after.folded" || partial=$((partial + 1))
	names | grep -q tmp && partial=$((partial + 1))
done
echo "# killed $rounds times 4: $whole had finished, $partial wrong"
if [ $partial = 0 ]; then pass "killed $rounds times"; else fail "killed $rounds times"; fi
done_testing
