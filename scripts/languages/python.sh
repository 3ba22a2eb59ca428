#!/bin/sh
# python.sh PROGRAM [PYTHON...]
#
# Python 3.12 and later, with copied stacks, by its perf map (-X perf) and by its jitdump (-X perf_jit, 3.13): 99 % of
# what ran in main() must reach the start of the program, and the functions that main() calls must have the share of
# the time that the script measured, within 3 percentage points. PYTHONs: python3, without any.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"
program=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 1

record() { # PYTHON OPTION
	perf record -q -N -k mono -e cpu-clock:u -F 997 --call-graph dwarf,32768 -o data \
		"$1" -X "$2" "$here/src/busy.py" 4 >measured 2>complaints
}

# Prints how many stacks have main(), the percentage of these that begin at _start, and, of those that are in a function
# which main() calls, the largest difference to the measured share.
judge() {
	awk '
		FNR == NR { measured[$1] = $2; next }
		{ all += $NF }
		{
			at = index($0, ";py::main:")
			if (!at)
				next
			main += $NF
			if (/;_start;/)
				started += $NF
			called = substr($0, at + 10)
			at = index(called, ";py::")
			called = at ? substr(called, at + 5) : ""
			sub(/:.*/, "", called)
			if (called in measured) {
				in_function[called] += $NF
				in_any += $NF
			}
		}
		END {
			for (name in measured) {
				d = 100 * in_function[name] / in_any - measured[name]
				if (d < 0)
					d = -d
				if (d > worst)
					worst = d
			}
			printf "%d %.2f %.2f\n", main, main ? 100 * started / main : 0, worst
		}
	' measured out.folded
}

try() { # PYTHON OPTION
	record "$1" "$2" || { skip "$1 -X $2" "is not recorded: $(tail -n 1 complaints)"; return; }
	"$program" --weight samples -q data -o out.folded
	judge >result
	read -r stacks started worst <result
	echo "# $1 -X $2: $stacks samples in main(), $started % from the start, shares at most $worst points apart"
	if awk -v n="$stacks" -v s="$started" -v w="$worst" 'BEGIN { exit !(n > 300 && s >= 99 && w <= 3) }'; then
		pass "$1 -X $2"
	else
		fail "$1 -X $2"
	fi
	rm -f /tmp/perf-"$(perf script -i data -F pid 2>/dev/null | awk '{ print $1; exit }')".map
}

for tool in perf; do
	command -v $tool >/dev/null || skip_all "needs $tool"
done
[ $# -gt 0 ] || set -- python3
for python; do
	if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then
		try "$python" perf
		! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 13))' || try "$python" perf_jit
	else
		skip "$python" "has no perf trampolines: Python 3.12 has them"
	fi
done
done_testing
