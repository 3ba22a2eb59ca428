#!/bin/sh
# instructions.sh [--write] PROGRAM
#
# Counts, with callgrind, the instructions that golden cases take on one thread, and compares them with
# instructions.txt: a count does not depend on what else the machine does, so a slow change shows where
# clocks are noisy. More than TOLERANCE (10) percent above is a failure; as much below asks for --write,
# which makes the table anew. Other compilers make other code: the table names the one that it is of.
set -u
# shellcheck source=scripts/case.sh
. "$(dirname "$0")/../case.sh"
# shellcheck source=scripts/tap.sh
. "$(dirname "$0")/../tap.sh"

table=$(dirname "$0")/instructions.txt
tolerance=${TOLERANCE:-10}
compiler="gcc $(gcc -dumpfullversion 2>/dev/null), $(uname -m)"
write=
if [ "$1" = --write ]; then
	write=yes
	shift
fi

command -v valgrind >/dev/null || skip_all "needs valgrind"
[ -n "$write" ] || grep -qxF "# $compiler" "$table" || skip_all "the table is not of $compiler"

cat >"$work/counted" <<-E
	#!/bin/sh
	exec valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$work/count" "$(realpath "$1")" "\$@"
E
chmod +x "$work/counted"
case_setup "$work/counted"

count() { # CASE
	case_directory "$1" "$work/cwd"
	case_run "$(case_commands "$1" 1)" 1 "" "$work/run" || return 1
	sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/count"
}

compare() { # CASE BEFORE NOW
	awk -v name="$1" -v before="$2" -v now="$3" -v tolerance="$tolerance" 'BEGIN {
		change = before ? 100 * (now - before) / before : 0
		printf "%s: %d instructions, %+.1f %%", name, now, change
		if (change < -tolerance)
			printf "; fewer than the table says: scripts/bench/instructions.sh --write"
		exit !now || change > tolerance
	}'
}

echo "# $compiler" >"$work/table"
while read -r name before; do
	case $name in
	'#') continue ;;
	esac
	now=$(count "$name")
	echo "$name ${now:-0}" >>"$work/table"
	[ -z "$write" ] || continue
	if text=$(compare "$name" "$before" "${now:-0}"); then
		pass "$text"
	else
		fail "$text"
	fi
done <"$table"
if [ -n "$write" ]; then
	cp "$work/table" "$table"
	exec cat "$table"
fi
done_testing
