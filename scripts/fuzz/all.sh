#!/bin/sh
# all.sh SECONDS FUZZER...: each fuzzer for so long, one after the other; a row for each, and status 1 if
# one of them found something.
#
# cov and ft are libFuzzer's: edges of the program that were reached, and these with how often. The log of
# a fuzzer is build/fuzz/NAME.log.
set -u
seconds=$1
shift
bad=0
printf '%-20s %10s %7s %7s %s\n' fuzzer runs cov ft found
for fuzzer; do
	name=$(basename "$fuzzer" _fuzz)
	log=build/fuzz/$name.log
	scripts/fuzz/run.sh "$fuzzer" "$seconds" >"$log" 2>&1
	status=$?
	found=$(sed -n 's/.*Test unit written to //p' "$log" | sed 's/^\.\///' | tr '\n' ' ')
	if [ "$status" != 0 ]; then
		bad=1
		[ -n "$found" ] || found="status $status, see $log"
	fi
	awk -v name="$name" -v found="${found:-nothing}" '
		/^#[0-9]+\t/ { n = substr($1, 2) }
		/ cov: / {
			for (i = 1; i < NF; i++) {
				if ($i == "cov:") cov = $(i + 1)
				if ($i == "ft:") ft = $(i + 1)
			}
		}
		/^stat::number_of_executed_units:/ { n = $2 }
		END { printf "%-20s %10s %7s %7s %s\n", name, n + 0, cov + 0, ft + 0, found }
	' "$log"
done
exit "$bad"
