#!/bin/sh
# power.sh PROGRAM: the table of perfold-gates(7): which growth the default rules find in 8 of 10
# comparisons
#
# For a program with one function of a share and 30 others of equal cost, with one recording before
# and with five. A recording of the average counts stands for all; diff_verdict_test.c draws
# recordings at random and checks that as many of them fail as this says. Needs jq.
set -eu
export LC_ALL=C
perfold=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work"

profile() { # PERCENT SAMPLES
	awk -v share="$1" -v n="$2" 'BEGIN {
		printf "main;hot %.0f\n", n * share / 100
		for (i = 1; i <= 30; i++) printf "main;f%d %.0f\n", i, n * (1 - share / 100) / 30
	}'
}

growth() { # RECORDINGS NUMBER: in percentage points; number: 0 of hot, 1 of what has 2%
	number=$2
	bases=$1
	set --
	while [ $# -lt $((2 * bases)) ]; do
		set -- "$@" --base before.folded
	done
	"$perfold" diff -q --rows 1 "$@" --fail-if default --verdict v.json before.folded >/dev/null
	jq -r ".power[$number].growth // 0 | . * 1000 | round / 10" v.json
}

for recordings in 1 5; do
	echo "$recordings before"
	for share in 2 7 18 25; do
		printf '%s%%' "$share"
		for n in 500 1000 2000 4000 8000; do
			if [ "$share" -eq 2 ]; then
				profile 7 "$n" >before.folded
				printf '\t+%s' "$(growth "$recordings" 1)"
			else
				profile "$share" "$n" >before.folded
				printf '\t+%s' "$(growth "$recordings" 0)"
			fi
		done
		printf '\n'
	done
done
