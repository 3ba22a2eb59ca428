#!/bin/sh
# check-checks.sh: check-layers, check-names, check-heads and analyzer/check.sh find what they look for, and
# prove counts right. Each fault is put into a small tree of its own, and the check must name the file.
set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
status=0

# A tree without a fault: base/ with one function, and main.c that calls it.
begin() {
	rm -rf "$work/tree"
	mkdir -p "$work/tree/src/base" "$work/tree/src/input" "$work/tree/src/output" "$work/tree/build/src/base" \
		"$work/tree/build/src/input"
	cd "$work/tree" || exit 2
	put src/base/ring.h 'int ring_size(void);'
	put src/base/ring.c '#include "base/ring.h"' 'int ring_size(void) { return 1; }'
	put src/main.c '#include "base/ring.h"' 'int main(void) { return ring_size(); }'
}

put() { # FILE LINE...
	file=$1
	shift
	printf '%s\n' "$@" >"$file"
}

run() { # CHECK
	: >build/members
	find src -name '*.c' | while read -r file; do
		${CC:-cc} -Isrc -c -o "build/${file%.c}.o" "$file" || exit 2
		[ "$file" = src/main.c ] || printf 'build/%s.o ' "${file%.c}" >>build/members
	done
	sed -i 's/ $//' build/members
	"$here/check-$1.sh" build >"$work/log" 2>&1
}

finds() { # CHECK MESSAGE
	if run "$1"; then
		echo "check-$1.sh does not find: $2"
		status=1
	elif ! grep -q "$2" "$work/log"; then
		echo "check-$1.sh does not say \"$2\", but:"
		cat "$work/log"
		status=1
	fi
}

begin
for check in layers names heads; do
	run "$check" || { echo "check-$check.sh finds a fault where there is none:"; cat "$work/log"; status=1; }
done

begin
put src/base/ring.c '#include "input/input.h"' '#include "base/ring.h"' 'int ring_size(void) { return 1; }'
put src/input/input.h 'int input_x;'
finds layers 'base is below input'
begin
put src/input/queue.h 'struct queue;'
put src/output/output.h '#include "input/queue.h"'
finds layers 'input/queue.h'

begin
put src/input/ring.h 'struct b { int x; };'
finds names 'src/input/ring.h: src/base/ring has the same basename'
begin
put src/base/a.h 'struct same { int x; };'
put src/input/b.h 'struct same { int x; };'
finds names 'the tag same is in src/base/a.h too'
begin
put src/base/ring.h 'int size_of_ring(void);'
put src/base/ring.c '#include "base/ring.h"' 'int size_of_ring(void) { return 1; }'
put src/main.c '#include "base/ring.h"' 'int main(void) { return size_of_ring(); }'
finds names 'size_of_ring begins neither with ring'
begin
put src/base/ring.c '#include "base/ring.h"' 'int ring_size(void) { return 1; }' 'int ring_free(void) { return 1; }'
finds names 'ring_free is exported, and no other file'

begin
awk 'BEGIN { for (i = 0; i < 160; i++) print "" }' >>src/base/ring.c
finds heads 'src/base/ring.c: 162 lines'

# A finding fails; where it is answered, it does not; and an answer to nothing does.
begin
put src/base/ring.c '#include "base/ring.h"' '#include <stdlib.h>' \
	'int ring_size(void) { int *p = malloc(4), n = p ? *p = 4 : 0; free(p); return n ? *p : 0; }'
put build/flags "${CC:-cc} -Isrc"
: >build/defines
put build/table "# gcc $(${CC:-cc} -dumpfullversion)"
analyze() { "$here/analyzer/check.sh" build build/table >"$work/log"; }
if analyze; then
	grep -q '^1\.\.0' "$work/log" || { echo "analyzer/check.sh does not find a use after free"; status=1; }
else
	found=$(grep '^src/base/ring.c	ring_size	use-after-free	' "$work/log")
	put build/table "$(cat build/table)" "$found	no reason at all"
	analyze || { echo "analyzer/check.sh does not take an answer:"; cat "$work/log"; status=1; }
	put src/base/ring.c '#include "base/ring.h"' 'int ring_size(void) { return 1; }'
	! analyze || { echo "analyzer/check.sh takes an answer to nothing"; status=1; }
fi

# What a program prints, its status, and what prove says of it.
counts() { # LINES STATUS WANTED
	got=$("$here/prove" "printf '$1'; exit $2" | tail -n 1)
	[ "$got" = "$3" ] && return
	echo "prove: \"$1\", status $2: $got, not $3"
	status=1
}

counts '1..2\nok 1 - a\nok 2 - b\n' 0 '2 passed, 0 failed, 0 skipped'
counts '1..2\nok 1 - a\nnot ok 2 - b\n' 1 '1 passed, 1 failed, 0 skipped'
counts '1..2\nok 1 - a\n' 0 '1 passed, 1 failed, 0 skipped'
counts '1..1\nok 1 - a\n' 99 '1 passed, 1 failed, 0 skipped'
counts '1..2\nok 1 - a\nok 2 - b # SKIP why\n' 0 '1 passed, 0 failed, 1 skipped'
counts '1..2\nok 1 - a\nnot ok 2 # SKIP b\n' 0 '1 passed, 0 failed, 1 skipped'
counts '1..2\nok 1 - a\nnot ok 2 # TODO b\n' 0 '2 passed, 0 failed, 0 skipped'
counts '1..0 # SKIP why\n' 0 '0 passed, 0 failed, 1 skipped'
exit $status
